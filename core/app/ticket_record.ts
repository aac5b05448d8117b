/**
 * Puts what passes through tickets into the conversations of those who exchanged it: a task when the agent has it (until
 * then it may be edited or taken back), an answer when it came. Each is recorded once, whatever is told twice.
 */
import { answerId } from "../conversations/log.ts";
import { isTypedByIdea } from "../orchestration/delivery.ts";
import type { MediatorEvent } from "../orchestration/mediator_events.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Clock } from "../ports/clock.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { ProjectRuntime } from "./project_runtime.ts";

/** After the disk refused. */
const RETRY_MS = 10_000;
/**
 * What was journalled this shortly before IdeA went down may not have reached the conversation, or not the disk: systems
 * keep what was written to a file for up to half a minute.
 */
const UNSURE_MS = 300_000;

export interface TicketRecorder {
  /** Resolves when all that has passed is recorded. */
  close(): Promise<void>;
}

export interface TicketRecordOptions {
  readonly runtime: ProjectRuntime;
  readonly history: AgentHistory;
  readonly clock: Clock;
  /** The answer to a person's message is in the CLI's own transcript too, where there is one, with the thinking. */
  readonly isInTranscript: (ticket: Ticket) => Promise<boolean>;
  readonly onDefect: (error: unknown) => void;
}

export function recordTickets(options: TicketRecordOptions): TicketRecorder {
  const { runtime, clock, onDefect } = options;
  const waiting: Passed[] = [];
  let recording: Promise<void> | undefined;
  let retryTimer: Disposable | undefined;

  function take(ticket: Ticket): void {
    // Asked now: the session that gave the answer may be gone when its turn to be recorded comes.
    waiting.push({ ticket, isElsewhere: isElsewhere(options, ticket) });
    void recordAll();
  }

  function recordAll(): Promise<void> {
    if (waiting.length === 0) return Promise.resolve();
    return recording ??= recordWaiting();
  }

  /** In their order: what cannot be written keeps the others waiting. */
  async function recordWaiting(): Promise<void> {
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        if (!await record(options, next)) return retryLater();
        waiting.shift();
      }
    } catch (error) {
      onDefect(error);
      waiting.shift();
    } finally {
      recording = undefined;
    }
  }

  function retryLater(): void {
    retryTimer ??= clock.startTimer(RETRY_MS, () => {
      retryTimer = undefined;
      void recordAll();
    });
  }

  for (const ticket of unsureTickets(runtime)) take(ticket);
  runtime.runner.onEvents.add((events) => {
    for (const event of events) {
      const ticketId = ticketTaken(event);
      const ticket = ticketId === undefined ? undefined : runtime.runner.ticket(ticketId);
      if (ticket !== undefined) take(ticket);
    }
  });
  return {
    async close() {
      await recordAll();
      retryTimer?.[Symbol.dispose]();
    },
  };
}

/** A ticket as it was when something of it passed. */
interface Passed {
  readonly ticket: Ticket;
  readonly isElsewhere: Promise<boolean>;
}

async function isElsewhere({ isInTranscript, onDefect }: TicketRecordOptions, ticket: Ticket): Promise<boolean> {
  if (ticket.kind !== "message" || ticket.reply === undefined) return false;
  try {
    return await isInTranscript(ticket);
  } catch (error) {
    onDefect(error);
    return false;
  }
}

/** false: it could not be written. */
async function record(options: TicketRecordOptions, { ticket, isElsewhere }: Passed): Promise<boolean> {
  return await recordTask(options, ticket) && (await isElsewhere || await recordAnswer(options, ticket));
}

function ticketTaken(event: MediatorEvent): Ticket["id"] | undefined {
  return event.kind === "ticketDelivered" || event.kind === "ticketAnswered" ? event.ticketId : undefined;
}

async function recordTask({ runtime, history }: TicketRecordOptions, ticket: Ticket): Promise<boolean> {
  // IdeA's own words are nobody's.
  if (ticket.task === "" || isTypedByIdea(ticket.task) !== undefined) return true;
  const taken = ticket.receipts.find(({ state }) => state === "delivered" || state === "answered");
  if (taken === undefined) return true;
  return await history.record(runtime.projectId, {
    from: ticket.from,
    to: { kind: "agent", agentId: ticket.to },
    role: "prompt",
    text: ticket.task,
    ticket: ticket.id,
    journalled: true,
    key: `${ticket.id}-prompt`,
    atMs: taken.atMs,
  });
}

async function recordAnswer({ runtime, history }: TicketRecordOptions, ticket: Ticket): Promise<boolean> {
  const { reply } = ticket;
  if (reply === undefined || reply.text === "") return true;
  return await history.record(runtime.projectId, {
    from: { kind: "agent", agentId: ticket.to },
    to: ticket.from,
    role: "response",
    text: reply.text,
    ticket: ticket.id,
    journalled: true,
    key: answerId(ticket.id),
    atMs: reply.atMs,
  });
}

function unsureTickets({ runner }: ProjectRuntime): readonly Ticket[] {
  const { open, closed } = runner.state();
  const tickets = [...closed.values(), ...[...open.values()].map(({ ticket }) => ticket)];
  const changedAtMs = (ticket: Ticket) => ticket.receipts.at(-1)?.atMs ?? 0;
  const endMs = Math.max(0, ...tickets.map(changedAtMs));
  return tickets.filter((ticket) => changedAtMs(ticket) >= endMs - UNSURE_MS);
}
