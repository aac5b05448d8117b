/** Puts what passes through tickets into the conversations of those who exchanged it. */
import type { MediatorEvent } from "../orchestration/mediator_events.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { AgentHistory, HistoryEntry } from "./agent_history.ts";
import type { ProjectRuntime } from "./project_runtime.ts";

export function recordTickets(
  { runtime, history, isRecordedElsewhere, onDefect }: {
    readonly runtime: ProjectRuntime;
    readonly history: AgentHistory;
    /** A person's message is in the CLI's own transcript too, where there is one, with the thinking. */
    readonly isRecordedElsewhere: (ticket: Ticket) => boolean;
    readonly onDefect: (error: unknown) => void;
  },
): void {
  let last: Promise<void> = Promise.resolve();
  runtime.runner.onEvents.add((events) => {
    for (const event of events) {
      const entry = entryOf(runtime, event, isRecordedElsewhere);
      if (entry === undefined) continue;
      last = last.then(() => history.record(runtime.projectId, entry)).catch(onDefect);
    }
  });
}

function entryOf(
  runtime: ProjectRuntime,
  event: MediatorEvent,
  isRecordedElsewhere: (ticket: Ticket) => boolean,
): HistoryEntry | undefined {
  if (event.kind !== "ticketQueued" && event.kind !== "ticketAnswered") return undefined;
  const ticket = runtime.runner.ticket(event.ticketId);
  if (ticket === undefined || (ticket.kind === "message" && isRecordedElsewhere(ticket))) return undefined;
  const target = { kind: "agent", agentId: ticket.to } as const;
  const isPrompt = event.kind === "ticketQueued";
  const text = isPrompt ? ticket.task : ticket.reply?.text ?? "";
  if (text === "") return undefined;
  return {
    from: isPrompt ? ticket.from : target,
    to: isPrompt ? target : ticket.from,
    role: isPrompt ? "prompt" : "response",
    text,
    ticket: ticket.id,
    key: `${ticket.id}-${isPrompt ? "prompt" : "response"}`,
    atMs: event.atMs,
  };
}
