/** One conversation to read, beside the grid. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ConversationId } from "../../../core/ids.ts";
import { nameOf } from "../state/delegations.ts";
import type { ProjectState } from "../state/project.ts";
import { createThread, type Thread } from "../state/thread.ts";
import { formatClock } from "../state/time.ts";
import type { MessageView } from "../state/views.ts";
import { IconButton } from "./Button.tsx";
import { useNow, useStore, useWords } from "./context.ts";
import { Markdown } from "./Markdown.tsx";
import { partiesOf } from "./ConversationsPanel.tsx";

export interface ThreadReaderProps {
  readonly project: ProjectState;
  readonly conversationId: ConversationId;
}

export function ThreadReader({ project, conversationId }: ThreadReaderProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const thread = useMemo(
    () => createThread({ api: store.api, projectId: project.id, conversationId, onError: store.report }),
    [project.id, conversationId],
  );
  const { count } = project.grown.value;
  useEffect(() => void thread.refresh(), [thread, count]);
  const view = project.conversations.value.find((one) => one.conversationId === conversationId);
  const close = () => {
    store.view.openThread.value = undefined;
  };
  return (
    <aside
      class="reader"
      aria-label={words.sidebar.conversations}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <header class="panel-head">
        <h2 class="clip">{view === undefined ? "" : partiesOf(view, words.you).join(" ↔ ")}</h2>
        <span class="grow" />
        <IconButton icon="close" label={words.conversations.close} onClick={close} />
      </header>
      {view?.hasHandoff === true && <Handoff thread={thread} />}
      <Messages thread={thread} project={project} />
    </aside>
  );
}

function Handoff({ thread }: { readonly thread: Thread }): JSX.Element {
  const words = useWords();
  return (
    <details
      class="handoff"
      onToggle={(event) => {
        if (event.currentTarget.open && thread.handoff.value === undefined) void thread.loadHandoff();
      }}
    >
      <summary>{words.conversations.handoff}</summary>
      <Markdown text={thread.handoff.value ?? words.loading} />
    </details>
  );
}

function Messages({ thread, project }: { readonly thread: Thread; readonly project: ProjectState }): JSX.Element {
  const words = useWords();
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const messages = thread.messages.value;
  useEffect(() => {
    // Follows the conversation, unless the person has scrolled up to read.
    if (atEnd.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [messages?.length]);
  return (
    <div
      ref={list}
      class="messages"
      tabIndex={0}
      role="log"
      aria-label={words.sidebar.conversations}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {thread.hasOlder.value && (
        <button type="button" class="quiet wide" onClick={() => void thread.loadOlder()}>
          {words.conversations.showMore}
        </button>
      )}
      {messages?.map((message) => <Message key={message.id} message={message} project={project} />)}
    </div>
  );
}

function Message({ message, project }: { readonly message: MessageView; readonly project: ProjectState }): JSX.Element {
  const { settings } = useStore();
  const words = useWords();
  const now = useNow(60_000);
  const name = nameOf(message.source, { agents: project.agents.value, you: words.you, unknown: words.unknownAgent });
  return (
    <article class={`message ${message.role}`}>
      <header>
        <strong>{name}</strong>
        <time class="faint small">
          {formatClock(message.atMs, { nowMs: now, language: settings.language.value })}
        </time>
      </header>
      {message.thinking !== undefined && (
        <details class="thinking">
          <summary>{words.conversations.thinking}</summary>
          <Markdown text={message.thinking} />
        </details>
      )}
      <Markdown text={message.text} />
    </article>
  );
}
