/** Writing to an agent: several lines, queued and delivered when it is free; its queue; and the way to interrupt it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { interruptAgent } from "../interactions/agents.ts";
import { redeliverTicket, sendMessage } from "../interactions/compose.ts";
import { addSent, emptyHistory, recallNewer, recallOlder } from "../state/history.ts";
import type { ProjectState } from "../state/project.ts";
import type { AgentView } from "../state/views.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { QueueList } from "./QueueList.tsx";

const MAX_HEIGHT_PX = 180;

export function Composer(
  { project, agent }: { readonly project: ProjectState; readonly agent: AgentView },
): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId: agent.agentId };
  const [text, setText] = useState("");
  const [history, setHistory] = useState(emptyHistory);
  const [queueOpen, setQueueOpen] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const attention = project.tickets.value.filter((ticket) =>
    ticket.to === agent.agentId && ticket.needsAttention && !isFinal(ticket.state)
  );
  const waiting = agent.queueLength + (agent.worksOn === undefined ? 0 : 1);

  useEffect(() => {
    if (box.current !== null) fitHeight(box.current);
  }, [text]);

  const send = async () => {
    if (text.trim() === "") return;
    setText("");
    setHistory(addSent(history, text));
    // Not taken: given back, unless something new is being written already.
    if (!await sendMessage(target, text)) setText((now) => now === "" ? text : now);
  };
  const recall = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const older = event.key === "ArrowUp" && !value.slice(0, selectionStart).includes("\n");
    const newer = event.key === "ArrowDown" && !value.slice(selectionEnd).includes("\n");
    const recalled = older ? recallOlder(history, text) : newer ? recallNewer(history) : undefined;
    if (recalled === undefined) return;
    event.preventDefault();
    setHistory(recalled.history);
    setText(recalled.text);
  };
  return (
    <div class="composer">
      {attention.length > 0 && !queueOpen && (
        <div class="composer-attention">
          <button type="button" class="bare" onClick={() => setQueueOpen(true)}>
            <Icon name="alert" size={14} />
            <span>{words.composer.attention}</span>
          </button>
          <button type="button" onClick={() => attention.forEach(({ id }) => void redeliverTicket(target, id))}>
            {words.composer.redeliver}
          </button>
        </div>
      )}
      {queueOpen && <QueueList project={project} agent={agent} onClose={() => setQueueOpen(false)} />}
      <div class="composer-row">
        <button
          type="button"
          class={`queue-button ${waiting > 0 ? "some" : ""}`}
          aria-expanded={queueOpen}
          aria-label={`${words.composer.queueOf(agent.name)}: ${words.agents.queue(agent.queueLength)}`}
          title={words.agents.queue(agent.queueLength)}
          onClick={() => setQueueOpen(!queueOpen)}
        >
          <Icon name="queue" />
          {agent.queueLength > 0 && <span>{agent.queueLength}</span>}
        </button>
        <textarea
          ref={box}
          rows={1}
          data-composer
          value={text}
          placeholder={words.composer.placeholder(agent.name)}
          aria-label={words.composer.label(agent.name)}
          title={words.composer.help}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              void send();
            } else if (!event.shiftKey && !event.altKey && !event.ctrlKey) recall(event);
          }}
        />
        {agent.state === "working" || agent.state === "blocked"
          ? (
            <IconButton
              icon="stopHand"
              label={words.commands.interrupt}
              class="interrupt"
              onClick={() => void interruptAgent(target)}
            />
          )
          : null}
        <IconButton
          icon="send"
          label={words.actions.send}
          class="send"
          disabled={text.trim() === ""}
          onClick={() => void send()}
        />
      </div>
    </div>
  );
}

function isFinal(state: string): boolean {
  return state === "answered" || state === "cancelled" || state === "failed";
}

function fitHeight(box: HTMLTextAreaElement): void {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
}
