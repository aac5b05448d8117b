/**
 * Records what a person and an agent said to each other, with the thinking, from the CLI's own transcript.
 *
 * What must stay true: a turn is recorded once, also when a transcript is read again from its start (after a resume).
 * What passes through tickets is recorded from the tickets: of a delegation nothing is taken from here, of a person's
 * message from the composer only what the agent answers.
 */
import { isTypedByIdea } from "../orchestration/delivery.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Clock } from "../ports/clock.ts";
import type { TranscriptTurn } from "../ports/agent_cli.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { LiveSession, ProjectRuntime, Runtimes } from "./project_runtime.ts";

export interface Transcripts {
  follow(session: LiveSession, conversation: { readonly id: string; readonly transcriptPath?: string }): void;
  /** Whether what it says is recorded from its transcript: whether there is one that can be read. */
  isRead(session: LiveSession): Promise<boolean>;
  /** What the agent said last since the last prompt, when that prompt came no earlier than this. Wall clock. */
  answer(session: LiveSession, sinceMs: number): Promise<string | undefined>;
  /** Reads what is new, soon; one reading at a time for each session. */
  collect(session: LiveSession): void;
  /** Reads what is left when the program has ended. */
  finish(session: LiveSession): Promise<void>;
  /** Resolves when nothing is being read. */
  idle(): Promise<void>;
}

export interface TranscriptPorts {
  readonly clock: Clock;
  readonly history: AgentHistory;
  readonly runtimes: Runtimes;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  readonly onDefect: (error: unknown) => void;
}

interface Following {
  readonly conversationId: string;
  /** Of a project that is being closed nobody finds it any more, and what was said last is read just then. */
  readonly runtime: ProjectRuntime | undefined;
  path: string | undefined;
  offset: number;
  /** Whose turn is read on. */
  turn: TurnOrigin;
  /** The last of that turn, and when it was asked. */
  answer: string | undefined;
  askedAtMs: number;
  timer: Disposable | undefined;
  reading: Promise<void>;
}

/** A person's own turn, or IdeA's for a ticket. */
type TurnOrigin =
  | { readonly kind: "person" }
  | { readonly kind: "message"; readonly ticket: Ticket | undefined }
  | { readonly kind: "delegation" };

/** The CLI writes the last answer at about the time it says that the turn ended. */
const WRITE_GRACE_MS = 500;
/** Between the typing of a message and its line in the transcript; a slow program takes seconds. */
const TYPED_WITHIN_MS = 120_000;

export function createTranscripts(ports: TranscriptPorts): Transcripts {
  const followed = new WeakMap<LiveSession, Following>();
  const readings = new Set<Promise<void>>();

  function readSoon(session: LiveSession, following: Following): Promise<void> {
    const reading = following.reading.then(() => read(session, following)).catch(ports.onDefect);
    following.reading = reading;
    readings.add(reading);
    return reading.finally(() => readings.delete(reading));
  }

  async function read(session: LiveSession, following: Following): Promise<void> {
    if (!await locate(session, following) || following.path === undefined) return;
    // A long one is given in pieces.
    for (let before = -1; before !== following.offset;) {
      before = following.offset;
      const chunk = await session.cli.readTranscript(following.path, before);
      const turn = await recordAll(session, chunk.turns, following);
      // What could not be written is read again the next time.
      if (turn === undefined) return;
      following.offset = chunk.nextOffset;
      following.turn = turn;
      following.answer = lastAnswer(chunk.turns, following.answer);
      following.askedAtMs = chunk.turns.findLast(({ role }) => role === "prompt")?.atMs ?? following.askedAtMs;
    }
  }

  /** Whose turn it is after these; undefined when one of them could not be recorded. */
  async function recordAll(
    session: LiveSession,
    turns: readonly TranscriptTurn[],
    { turn: before, runtime }: Following,
  ): Promise<TurnOrigin | undefined> {
    let origin = before;
    for (const turn of turns) {
      if (turn.role === "prompt") origin = originOf(session, turn, runtime);
      if (isRecordedHere(origin, turn) && !await record(session, { turn, origin })) return undefined;
    }
    return origin;
  }

  async function locate(session: LiveSession, following: Following): Promise<boolean> {
    if (following.path !== undefined) return true;
    const environment = { ...await ports.environment(), ...session.agent.profile.env };
    following.path ??= await session.cli.findTranscript(following.conversationId, environment);
    return following.path !== undefined;
  }

  function originOf({ agent }: LiveSession, turn: TranscriptTurn, runtime: ProjectRuntime | undefined): TurnOrigin {
    const typed = isTypedByIdea(turn.text);
    if (typed === "delegation") return { kind: "delegation" };
    const state = runtime?.runner.state();
    const tickets = state === undefined
      ? []
      : [...state.closed.values(), ...[...state.open.values()].map(({ ticket }) => ticket)];
    const ticket = tickets.find((each) => each.to === agent.agentId && isMessageOf(each, turn));
    return ticket !== undefined || typed === "other" ? { kind: "message", ticket } : { kind: "person" };
  }

  async function record(
    { projectId, agent }: LiveSession,
    { turn, origin }: { readonly turn: TranscriptTurn; readonly origin: TurnOrigin },
  ): Promise<boolean> {
    const ticket = origin.kind === "message" ? origin.ticket : undefined;
    const human = { kind: "human" } as const;
    const self = { kind: "agent", agentId: agent.agentId } as const;
    return await ports.history.record(projectId, {
      from: turn.role === "prompt" ? human : self,
      to: turn.role === "prompt" ? self : human,
      role: turn.role,
      text: turn.text,
      ...(turn.thinking === undefined ? {} : { thinking: turn.thinking }),
      ...(ticket === undefined ? {} : { ticket: ticket.id }),
      key: turn.key,
      atMs: turn.atMs,
    });
  }

  function collect(session: LiveSession): void {
    const following = followed.get(session);
    if (following === undefined || following.timer !== undefined) return;
    following.timer = ports.clock.startTimer(WRITE_GRACE_MS, () => {
      following.timer = undefined;
      void readSoon(session, following);
    });
  }

  return {
    follow(session, { id, transcriptPath }) {
      const former = followed.get(session);
      if (former?.conversationId === id && (transcriptPath === undefined || former.path === transcriptPath)) return;
      former?.timer?.[Symbol.dispose]();
      followed.set(session, {
        conversationId: id,
        runtime: ports.runtimes.get(session.projectId) ?? former?.runtime,
        path: transcriptPath,
        offset: 0,
        turn: { kind: "person" },
        answer: undefined,
        askedAtMs: Number.NEGATIVE_INFINITY,
        timer: undefined,
        reading: former?.reading ?? Promise.resolve(),
      });
      // Its name may come after the end of the turn that is to be read.
      collect(session);
    },
    async isRead(session) {
      const following = followed.get(session);
      return following !== undefined && await locate(session, following);
    },
    async answer(session, sinceMs) {
      const following = followed.get(session);
      if (following === undefined) return undefined;
      await readSoon(session, following);
      // An earlier one: what was asked since is not written down yet, and that answer is not to this.
      return following.askedAtMs >= sinceMs ? following.answer : undefined;
    },
    collect,
    async finish(session) {
      const following = followed.get(session);
      if (following === undefined) return;
      following.timer?.[Symbol.dispose]();
      following.timer = undefined;
      await readSoon(session, following);
    },
    async idle() {
      await Promise.all(readings);
    },
  };
}

/** Of the turn that is the last after these. */
function lastAnswer(turns: readonly TranscriptTurn[], before: string | undefined): string | undefined {
  return turns.reduce((answer, { role, text }) => role === "prompt" ? undefined : text || answer, before);
}

function isRecordedHere(origin: TurnOrigin, { role }: TranscriptTurn): boolean {
  return origin.kind === "person" || (origin.kind === "message" && role === "response");
}

/** The turn is this message, as it was typed at that time. */
function isMessageOf(ticket: Ticket, turn: TranscriptTurn): boolean {
  if (ticket.kind !== "message" || !isSameText(ticket.task, turn.text)) return false;
  return ticket.receipts.some(({ state, atMs }) =>
    state === "delivering" && turn.atMs >= atMs && turn.atMs - atMs < TYPED_WITHIN_MS
  );
}

/** Programs trim and wrap what was typed. */
function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  return plain(a) === plain(b);
}
