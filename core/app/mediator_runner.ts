/**
 * Runs the pure mediator of one project: one input at a time, the journal on disk before anything follows from it, then
 * the effects in order.
 *
 * What must stay true: an input is acknowledged (its promise resolves) after what it caused is on disk; effects of a
 * later input never overtake those of an earlier one.
 */
import type { ProjectId, TicketId } from "../ids.ts";
import { decide } from "../orchestration/mediator.ts";
import { isJournalled, type MediatorEvent } from "../orchestration/mediator_events.ts";
import type { MediatorError, MediatorInput } from "../orchestration/mediator_inputs.ts";
import { type MediatorState, ticketOf } from "../orchestration/mediator_state.ts";
import { type MediatorEffect, planEffects } from "../orchestration/effects.ts";
import { evolveAll } from "../orchestration/evolve.ts";
import { compactJournal, formatTicketEvent, replayJournal } from "../orchestration/journal.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Clock } from "../ports/clock.ts";
import type { Folder, FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import type { Events } from "../events.ts";

export const JOURNAL_PATH = "state/tickets.jsonl";
/** Lines beyond which the journal is compacted when the project opens. */
const COMPACT_ABOVE_LINES = 2_000;

export type RunnerError = MediatorError | { readonly kind: "journal"; readonly error: FolderError };

export interface MediatorRunner {
  state(): MediatorState;
  ticket(ticketId: TicketId): Ticket | undefined;
  submit(input: MediatorInput): Promise<Result<void, RunnerError>>;
  /** Called after every change of state that was written, with what happened. */
  readonly onEvents: Set<(events: readonly MediatorEvent[]) => void>;
}

export interface RunnerOptions {
  readonly projectId: ProjectId;
  readonly folder: Folder;
  readonly clock: Clock;
  readonly events: Events;
  readonly carryOut: (effect: MediatorEffect) => void;
}

/** Replays the journal; the caller submits "recovered" once it can carry out effects. */
export async function openMediatorRunner(options: RunnerOptions): Promise<Result<MediatorRunner, FolderError>> {
  const { folder, clock, carryOut } = options;
  const read = await folder.readLines(JOURNAL_PATH);
  if (!read.ok) return read;
  let state = replayJournal(read.value.lines).state;
  if (read.value.lines.length > COMPACT_ABOVE_LINES) {
    const written = await folder.writeText(JOURNAL_PATH, compactJournal(state, clock.nowMs()));
    if (!written.ok) return written;
  }
  let writing: Promise<void> = Promise.resolve();
  const onEvents = new Set<(events: readonly MediatorEvent[]) => void>();

  async function persist(events: readonly MediatorEvent[]): Promise<Result<void, FolderError>> {
    const lines = events.filter(isJournalled).map(formatTicketEvent);
    // One append for all of them: one fsync.
    return lines.length === 0 ? ok() : await folder.appendLine(JOURNAL_PATH, lines.join("\n"));
  }

  function submit(input: MediatorInput): Promise<Result<void, RunnerError>> {
    const decided = decide(state, input, clock.nowMs());
    if (!decided.ok) return Promise.resolve(decided);
    const events = decided.value;
    if (events.length === 0) return writing.then(() => ok());
    state = evolveAll(state, events);
    const after = state;
    const effects = planEffects(events, after);
    const step = writing.then(async (): Promise<Result<void, RunnerError>> => {
      const persisted = await persist(events);
      publish(options, events, after);
      for (const listener of [...onEvents]) listener(events);
      for (const effect of effects) carryOut(effect);
      return persisted.ok ? ok() : err({ kind: "journal", error: persisted.error });
    });
    writing = step.then(() => undefined);
    return step;
  }

  return ok({ state: () => state, ticket: (ticketId: TicketId) => ticketOf(state, ticketId), submit, onEvents });
}

function publish(options: RunnerOptions, events: readonly MediatorEvent[], after: MediatorState): void {
  const { projectId } = options;
  const queues = new Set<Ticket["to"]>();
  for (const event of events) {
    if (!("ticketId" in event) || event.ticketId === undefined) continue;
    const ticket = ticketOf(after, event.ticketId);
    if (ticket === undefined) continue;
    queues.add(ticket.to);
    options.events.publish({
      kind: "ticketChanged",
      projectId,
      ticketId: ticket.id,
      to: ticket.to,
      state: ticket.state,
    });
  }
  for (const agentId of queues) options.events.publish({ kind: "queueChanged", projectId, agentId });
}
