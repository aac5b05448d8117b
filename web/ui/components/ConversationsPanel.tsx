/** Who talks to whom: threads by pair, and delegations as a timeline. */
import type { JSX } from "preact";
import type { ProjectState } from "../state/project.ts";
import { formatAgo } from "../state/time.ts";
import type { ConversationTab } from "../state/view.ts";
import type { ConversationView } from "../state/views.ts";
import { useNow, useStore, useWords } from "./context.ts";
import { DelegationList } from "./DelegationList.tsx";
import { Icon } from "./Icon.tsx";

const tabs: readonly ConversationTab[] = ["threads", "delegations"];

export function ConversationsPanel({ project }: { readonly project: ProjectState }): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  const active = view.conversationTab.value;
  return (
    <section class="panel" aria-label={words.sidebar.conversations}>
      <header class="panel-head">
        <h2>{words.sidebar.conversations}</h2>
      </header>
      <div class="segments" role="tablist" aria-label={words.sidebar.conversations}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            aria-selected={tab === active}
            onClick={() => {
              view.conversationTab.value = tab;
            }}
          >
            {words.conversations[tab]}
          </button>
        ))}
      </div>
      <div class="panel-body" role="tabpanel">
        {active === "threads" ? <ThreadList project={project} /> : <DelegationList project={project} />}
      </div>
    </section>
  );
}

function ThreadList({ project }: { readonly project: ProjectState }): JSX.Element {
  const words = useWords();
  const threads = project.conversations.value;
  if (threads.length === 0) {
    return (
      <div class="nothing">
        <Icon name="conversations" size={28} />
        <strong>{words.conversations.none}</strong>
        <p>{words.conversations.noneLead}</p>
      </div>
    );
  }
  return (
    <ul class="thread-list">
      {threads.map((thread) => <ThreadRow key={thread.conversationId} thread={thread} />)}
    </ul>
  );
}

function ThreadRow({ thread }: { readonly thread: ConversationView }): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  const now = useNow(30_000);
  const { conversationId, lastAtMs } = thread;
  const isOpen = view.openThread.value === conversationId;
  return (
    <li>
      <button
        type="button"
        class={`thread-row ${isOpen ? "active" : ""}`}
        aria-pressed={isOpen}
        onClick={() => {
          view.openThread.value = isOpen ? undefined : conversationId;
        }}
      >
        <span class="thread-parties">{partiesOf(thread, words.you).join(" ↔ ")}</span>
        {thread.title !== undefined && <span class="muted clip">{thread.title}</span>}
        <span class="faint small">
          {words.conversations.messages(thread.messageCount)}
          {lastAtMs !== undefined && ` · ${formatAgo(lastAtMs, now, words)}`}
        </span>
      </button>
    </li>
  );
}

export function partiesOf(thread: ConversationView, you: string): readonly string[] {
  return thread.parties.map(({ party, name }) => party.kind === "human" ? you : name);
}
