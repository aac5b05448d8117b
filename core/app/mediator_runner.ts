/**
 * Runs the pure mediator of one project: inputs in their order, the journal on disk before anything follows from it.
 * Inputs that come while the disk is busy are decided together and share one append.
 *
 * What must stay true: an input is acknowledged (its promise resolves) after what it caused is on disk, receipts aside
 * that a replay can do without; effects of a later input never overtake those of an earlier one; a command that cannot be
 * written has not happened. What is told of agents (they work, they ended) has happened whatever the disk says: it holds
 * at once and is written when the disk is back, and no task is typed before that, or a crash could have it typed twice
 * without saying so.
 */
import type { ProjectId, TicketId } from "../ids.ts";
import { decide } from "../orchestration/mediator.ts";
import { isJournalled, type MediatorEvent, type TicketEvent } from "../orchestration/mediator_events.ts";
import type { MediatorError, MediatorInput } from "../orchestration/mediator_inputs.ts";
import { type MediatorState, slotOf, ticketOf } from "../orchestration/mediator_state.ts";
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
/** After the disk refused what must be written. */
const RETRY_MS = 2_000;

export type RunnerError =
  | MediatorError
  | { readonly kind: "journal"; readonly error: FolderError }
  /** The project was closed meanwhile. */
  | { readonly kind: "closed" };

type Submitted = Result<void, RunnerError>;

export interface MediatorRunner {
  state(): MediatorState;
  ticket(ticketId: TicketId): Ticket | undefined;
  submit(input: MediatorInput): Promise<Submitted>;
  /** Called after every change of state, with what happened. */
  readonly onEvents: Set<(events: readonly MediatorEvent[]) => void>;
  /** Called when the project closes: nothing will happen any more. */
  readonly onClose: Set<() => void>;
  /** Takes nothing more; resolves when what was taken is on disk. */
  close(): Promise<void>;
}

export interface RunnerOptions {
  readonly projectId: ProjectId;
  readonly folder: Folder;
  readonly clock: Clock;
  readonly events: Events;
  readonly carryOut: (effect: MediatorEffect) => void;
  readonly onDefect: (error: unknown) => void;
}

/** Refused as a whole when they cannot be written, which their caller is told. */
const COMMANDS: ReadonlySet<MediatorInput["kind"]> = new Set([
  "enqueue",
  "cancel",
  "replied",
  "editQueued",
  "moveQueued",
  "removeQueued",
  "redeliver",
]);

interface Waiting {
  readonly input: MediatorInput;
  readonly answer: (submitted: Submitted) => void;
  readonly fail: (defect: unknown) => void;
}

/**
 * Receipts that a replay can do without: a task whose typing had begun is offered again, whatever the program made of it
 * before the crash. They wait for the next append, so that nobody waits for theirs.
 */
const CAN_WAIT: ReadonlySet<TicketEvent["kind"]> = new Set(["ticketDelivered", "ticketAccepted"]);
/** And no longer than this: whoever reads the journal wants to see them. */
const RECEIPTS_WAIT_MS = 100;

/** What one input caused. */
interface Step extends Waiting {
  readonly submitted: Submitted;
  readonly events: readonly MediatorEvent[];
  readonly after: MediatorState;
}

/** Replays the journal; the caller submits "recovered" once it can carry out effects. */
export async function openMediatorRunner(options: RunnerOptions): Promise<Result<MediatorRunner, FolderError>> {
  const { folder, clock, carryOut } = options;
  const replayed = await readJournal(options);
  if (!replayed.ok) return replayed;
  let state = replayed.value;
  const queue: Waiting[] = [];
  /** What has happened and is not on disk: receipts that can wait, and all else since the disk refuses. */
  let unwritten: readonly TicketEvent[] = [];
  let diskRefuses = false;
  let held: readonly MediatorEffect[] = [];
  let rewriteTimer: Disposable | undefined;
  let working: Promise<void> = Promise.resolve();
  let isBusy = false;
  let isClosed = false;
  const onEvents = new Set<(events: readonly MediatorEvent[]) => void>();
  const onClose = new Set<() => void>();

  function submit(input: MediatorInput): Promise<Submitted> {
    if (isClosed) return Promise.resolve(err({ kind: "closed" }));
    const { promise, resolve, reject } = Promise.withResolvers<Submitted>();
    queue.push({ input, answer: resolve, fail: reject });
    if (!isBusy) working = work();
    return promise;
  }

  async function work(): Promise<void> {
    isBusy = true;
    while (queue.length > 0) {
      const batch = queue.splice(0);
      const steps = decideAll(state, batch, clock.nowMs());
      const lines = steps.flatMap(({ events }) => events.filter(isJournalled));
      if (lines.every(({ kind }) => CAN_WAIT.has(kind))) {
        writeLater(lines);
        follow(steps);
      } else {
        const written = await write([...unwritten, ...lines]);
        if (written.ok) follow(steps);
        else followWithout(batch, written.error);
      }
    }
    isBusy = false;
  }

  async function write(events: readonly TicketEvent[]): Promise<Result<void, FolderError>> {
    try {
      // One append for all of them: one fsync.
      const written = await folder.appendLine(JOURNAL_PATH, events.map(formatTicketEvent).join("\n"));
      if (written.ok) release();
      return written;
    } catch (cause) {
      return err({ kind: "io", path: JOURNAL_PATH, code: "thrown", cause });
    }
  }

  /** All that has happened is on disk: what waited for that is done, if it is still wanted. */
  function release(): void {
    const effects = held;
    held = [];
    unwritten = [];
    diskRefuses = false;
    rewriteTimer?.[Symbol.dispose]();
    rewriteTimer = undefined;
    for (const effect of effects) {
      if (effect.kind !== "typeTask" || slotOf(state, effect.agentId).typing?.no === effect.typingNo) carryOut(effect);
    }
  }

  function follow(steps: readonly Step[]): void {
    for (const { events, after, submitted, answer } of steps) {
      state = after;
      if (events.length > 0) {
        publish(options, events, after);
        tell(events);
        for (const effect of planEffects(events, after)) carryOutWhenWritten(effect);
      }
      answer(submitted);
    }
  }

  function tell(events: readonly MediatorEvent[]): void {
    for (const listener of [...onEvents]) {
      try {
        listener(events);
      } catch (error) {
        options.onDefect(error);
      }
    }
  }

  function carryOutWhenWritten(effect: MediatorEffect): void {
    if (effect.kind === "typeTask" && diskRefuses) held = [...held, effect];
    else carryOut(effect);
  }

  /** The disk refuses: commands are refused with it, and what is told of agents holds all the same. */
  function followWithout(batch: readonly Waiting[], error: FolderError): void {
    const commands = batch.filter(({ input }) => COMMANDS.has(input.kind));
    const steps = decideAll(state, batch.filter(({ input }) => !COMMANDS.has(input.kind)), clock.nowMs());
    diskRefuses = true;
    writeLater([
      ...steps.flatMap(({ events }) => events.filter(isJournalled)),
      // The line may have reached the disk for all its refusal, and must not come back as a task after a restart.
      ...commands.flatMap(({ input }) => input.kind === "enqueue" ? [refused(input.ticketId, clock.nowMs())] : []),
    ]);
    follow(steps);
    for (const { answer } of commands) answer(err({ kind: "journal", error }));
  }

  function writeLater(events: readonly TicketEvent[]): void {
    unwritten = [...unwritten, ...events];
    if (unwritten.length === 0) return;
    rewriteTimer ??= clock.startTimer(diskRefuses ? RETRY_MS : RECEIPTS_WAIT_MS, () => {
      rewriteTimer = undefined;
      if (isClosed) return;
      if (isBusy) writeLater([]);
      else working = rewrite();
    });
  }

  async function rewrite(): Promise<void> {
    isBusy = true;
    const written = await write(unwritten);
    isBusy = false;
    if (!written.ok) {
      diskRefuses = true;
      writeLater([]);
    }
    if (queue.length > 0) await work();
  }

  return ok({
    state: () => state,
    ticket: (ticketId: TicketId) => ticketOf(state, ticketId),
    submit,
    onEvents,
    onClose,
    async close() {
      isClosed = true;
      for (const listener of [...onClose]) listener();
      await working;
      rewriteTimer?.[Symbol.dispose]();
      held = [];
      if (unwritten.length === 0) return;
      const written = await write(unwritten);
      if (!written.ok) options.onDefect(written.error);
    },
  });
}

async function readJournal(options: RunnerOptions): Promise<Result<MediatorState, FolderError>> {
  const { folder, clock } = options;
  const read = await folder.readLines(JOURNAL_PATH);
  if (!read.ok) return read;
  const { lines } = read.value;
  const { state, warnings } = replayJournal(lines);
  // Lines of a newer version are kept as they are.
  if (warnings.length > 0) options.onDefect({ kind: "journalLinesSkipped", path: JOURNAL_PATH, warnings });
  else if (lines.length > COMPACT_ABOVE_LINES) {
    const written = await folder.writeText(JOURNAL_PATH, compactJournal(state, clock.nowMs()));
    // It is as good as it was: only longer.
    if (!written.ok) options.onDefect(written.error);
  }
  return ok(state);
}

/** Each input on the state that the ones before it make. */
function decideAll(before: MediatorState, inputs: readonly Waiting[], nowMs: number): readonly Step[] {
  let state = before;
  return inputs.map((waiting): Step => {
    const decided = decideOrFail(state, waiting, nowMs);
    if (!decided.ok) return { ...waiting, submitted: decided, events: [], after: state };
    state = evolveAll(state, decided.value);
    return { ...waiting, submitted: ok(), events: decided.value, after: state };
  });
}

/** A bug in the rules is the caller's to hear of, and no reason to stop all others. */
function decideOrFail(state: MediatorState, { input, fail }: Waiting, nowMs: number): ReturnType<typeof decide> {
  try {
    return decide(state, input, nowMs);
  } catch (defect) {
    fail(defect);
    return ok([]);
  }
}

function refused(ticketId: TicketId, atMs: number): TicketEvent {
  return { kind: "ticketCancelled", atMs, ticketId, cancellation: "byCaller" };
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
