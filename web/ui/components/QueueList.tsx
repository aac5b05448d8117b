/** The queue of an agent: the task in work, and those that wait, to be edited, put in another order, or removed. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { cancelTicket, editQueue, readQueue, redeliverTicket } from "../interactions/compose.ts";
import { nameOf } from "../state/delegations.ts";
import type { ProjectState } from "../state/project.ts";
import type { AgentView, QueueEdit, Ticket } from "../state/views.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";

export interface QueueListProps {
  readonly project: ProjectState;
  readonly agent: AgentView;
  readonly onClose: () => void;
}

export function QueueList({ project, agent, onClose }: QueueListProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId: agent.agentId };
  const [items, setItems] = useState<readonly Ticket[]>([]);
  // The project's tickets are read again with each change of a queue.
  const version = project.tickets.value;
  useEffect(() => {
    void readQueue(target).then((read) => read && setItems(read));
  }, [version, agent.queueLength]);
  const waiting = items.filter((ticket) => ticket.state === "queued");
  const edit = (change: QueueEdit) => void editQueue(target, change).then((read) => read && setItems(read));
  return (
    <section class="queue" aria-label={words.composer.queueOf(agent.name)}>
      <header class="queue-head">
        <strong>{words.composer.queue}</strong>
        {agent.state === "limited" && <span class="muted small">{words.composer.heldLimited}</span>}
        <span class="grow" />
        <IconButton icon="close" label={words.actions.close} onClick={onClose} />
      </header>
      {items.length === 0 && <p class="muted">{words.composer.queueEmpty}</p>}
      <ol>
        {items.map((ticket) => (
          <QueueItem
            key={ticket.id}
            ticket={ticket}
            from={nameOf(ticket.from, { agents: project.agents.value, you: words.you, unknown: words.unknownAgent })}
            position={waiting.indexOf(ticket)}
            last={waiting.length - 1}
            onEdit={edit}
            onCancel={() => void cancelTicket(target, ticket.id)}
            onRedeliver={() => void redeliverTicket(target, ticket.id)}
          />
        ))}
      </ol>
    </section>
  );
}

interface QueueItemProps {
  readonly ticket: Ticket;
  readonly from: string;
  /** Among those that wait; -1: in work. */
  readonly position: number;
  readonly last: number;
  readonly onEdit: (edit: QueueEdit) => void;
  readonly onCancel: () => void;
  readonly onRedeliver: () => void;
}

function QueueItem({ ticket, from, position, last, onEdit, onCancel, onRedeliver }: QueueItemProps): JSX.Element {
  const words = useWords();
  const [draft, setDraft] = useState<string>();
  const { id: ticketId, task, state, needsAttention } = ticket;
  const inWork = position < 0;
  const save = () => {
    if (draft !== undefined && draft.trim() !== "" && draft !== task) onEdit({ op: "edit", ticketId, task: draft });
    setDraft(undefined);
  };
  const move = (to: number) => onEdit({ op: "move", ticketId, position: to });
  return (
    <li class={`queue-item ${inWork ? "in-work" : ""} ${needsAttention ? "attention" : ""}`}>
      {draft === undefined
        ? (
          <div class="queue-text">
            <p class="clip-2" title={task}>{task}</p>
            <span class="small muted">
              {words.ticketStates[state]} · {words.composer.from(from)}
              {ticket.repeat > 0 && ` · ${words.conversations.repeat(ticket.repeat)}`}
            </span>
            {needsAttention && <span class="small warning">{words.composer.attention}</span>}
          </div>
        )
        : (
          <textarea
            data-autofocus
            rows={3}
            value={draft}
            aria-label={words.actions.edit}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setDraft(undefined);
              else if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                save();
              }
            }}
          />
        )}
      <span class="queue-actions">
        {needsAttention && <IconButton icon="refresh" label={words.composer.redeliver} onClick={onRedeliver} />}
        {draft !== undefined && <IconButton icon="check" label={words.actions.save} onClick={save} />}
        {!inWork && draft === undefined && (
          <>
            <IconButton
              icon="arrowUp"
              label={words.actions.moveUp}
              disabled={position === 0}
              onClick={() => move(position - 1)}
            />
            <IconButton
              icon="arrowDown"
              label={words.actions.moveDown}
              disabled={position === last}
              onClick={() => move(position + 1)}
            />
            <IconButton icon="edit" label={words.actions.edit} onClick={() => setDraft(task)} />
          </>
        )}
        <IconButton
          icon="close"
          label={words.actions.remove}
          onClick={() => inWork ? onCancel() : onEdit({ op: "remove", ticketId })}
        />
      </span>
    </li>
  );
}
