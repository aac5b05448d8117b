/**
 * One live session of an agent: what its program says of itself becomes the agent's state, and the mediator hears of it.
 * Typing into its terminal is agent_typing.ts.
 *
 * What must stay true: signals of this session end with it (dispose), so a replaced session never speaks for its
 * successor; one authority has the say (orchestration/status.ts).
 */
import type { AgentId, CellId, ProjectId, SessionId } from "../ids.ts";
import { type Draft, isReport, NO_DRAFT, trackDraft } from "../orchestration/draft.ts";
import type { MediatorInput } from "../orchestration/mediator_inputs.ts";
import {
  beginTurn,
  closeTurn,
  hearEnd,
  hearStart,
  NO_TURNS,
  type TurnEnd,
  type WhoseEnd,
} from "../orchestration/program_turns.ts";
import { NEW_SCREEN_WATCH, readScreen, screenPatterns, watchScreen } from "../orchestration/screen_status.ts";
import {
  type Authority,
  createStatus,
  type ProgramState,
  reduceStatus,
  type Status,
  type StatusSignal,
  turnSignal,
} from "../orchestration/status.ts";
import type { AgentCli, CliReport } from "../ports/agent_cli.ts";
import type { Clock } from "../ports/clock.ts";
import type { Folder } from "../ports/folder.ts";
import type { PtyExit } from "../ports/pty.ts";
import type { TerminalSignal, TerminalText } from "../ports/terminal_state.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { followHooks, type HookFeed } from "./hook_feed.ts";
import type { LimitReport } from "./limits.ts";
import type { Terminals } from "./terminals.ts";

/** Reading the screen costs; a person does not see a state change earlier than this. */
const SCREEN_INTERVAL_MS = 120;
/** A person at the keys may be in a menu, where nothing of a draft is seen. */
const PERSON_QUIET_MS = 1_500;
/** The hook that carries the last answer is written by another process than the one that says the turn ended. */
const LAST_ANSWER_GRACE_MS = 1_200;
/** A turn that has shown no sign of work for so long after its answer is over, and was too short to be seen. */
const UNSEEN_TURN_MS = 2_000;
/** A program that shows no sign of working on its first input has had this long for it. */
const FIRST_INPUT_MS = 10_000;
/** A CLI that has no sign of being ready is taken for it when it was quiet for this long after its first output. */
const QUIET_READY_MS = 2_000;

export interface LiveAgentOptions {
  readonly projectId: ProjectId;
  readonly agentId: AgentId;
  readonly sessionId: SessionId;
  readonly profile: AgentProfile;
  readonly cli: AgentCli;
  readonly cellId: CellId | undefined;
  readonly terminals: Terminals;
  readonly clock: Clock;
  readonly folder: Folder;
  /** Of the run folder, relative to `.ideai/`. */
  readonly runPath: string;
  readonly submit: (input: MediatorInput) => void;
  readonly hasTicketInWork: () => boolean;
  /** Its turn goes on, on a ticket that is closed. */
  readonly hasLeftover: () => boolean;
  /** What was typed last for the ticket in work. */
  readonly typedForTicket: () => string | undefined;
  readonly onStatus: (status: Status) => void;
  readonly onConversation: (conversation: { readonly id: string; readonly transcriptPath?: string }) => void;
  readonly onTurnEnded: () => void;
  /** What the agent said last in this turn, by its transcript, where there is one. */
  readonly answerInTranscript: () => Promise<string | undefined>;
  /** What the CLI itself said of a limit, or a screen on which one may be seen. */
  readonly onLimitReport: (report: LimitReport) => void;
  readonly onScreen: (text: TerminalText) => void;
  readonly onExit: (exit: PtyExit) => void;
  /** Types what the program must be told before anything else; it is ready when it has worked on that. */
  readonly typeFirst: (() => void) | undefined;
}

export interface LiveAgent extends Disposable {
  readonly agentId: AgentId;
  readonly sessionId: SessionId;
  readonly profile: AgentProfile;
  readonly runPath: string;
  /** false: nothing ever says whether it works. */
  readonly tellsState: boolean;
  cellId(): CellId | undefined;
  setCell(cellId: CellId | undefined): void;
  status(): Status;
  hasDraft(): boolean;
  /** Wall clock. */
  lastOutputAtMs(): number;
  /** The MCP client of the agent said initialize, and asked for the tools. */
  onMcpReady(step: "initialized" | "toolsListed"): void;
  /** A tools/call came with this metadata: some CLIs name their conversation there. */
  onCallMeta(meta: Readonly<Record<string, unknown>>): void;
  /** The mediator hears nothing more of it; its state is followed all the same. */
  mute(): void;
  /** The ticket in work was answered, or ended otherwise. */
  onTicketClosed(): void;
  /** The app knows more than the program says: a limit, or its end. */
  noteLimit(state: "limited" | "lifted", detail: string): void;
}

export function createLiveAgent(options: LiveAgentOptions): LiveAgent {
  const { agentId, sessionId, profile, cli, terminals, clock } = options;
  const patterns = screenPatterns(profile);
  const allowed = allowedAuthorities(options, patterns.complete);
  const hasReadyMark = patterns.ready.screen !== undefined || patterns.ready.title !== undefined;
  const showsPrompt = profile.programStatus === true || hasReadyMark;
  let status = createStatus(allowed, clock.nowMs());
  let cellId = options.cellId;
  let draft: Draft = NO_DRAFT;
  let personTyping = false;
  let personTimer: Disposable | undefined;
  let screenTimer: Disposable | undefined;
  let quietTimer: Disposable | undefined;
  let idleTimer: Disposable | undefined;
  let screenWatch = NEW_SCREEN_WATCH;
  let firstTimer: Disposable | undefined;
  let unseenTimer: Disposable | undefined;
  let firstInputDue = options.typeFirst !== undefined;
  let promptSeen = false;
  let toolsListed = false;
  let startHeard = profile.ready?.hook === undefined;
  let told = false;
  let lastAnswer: string | undefined;
  let awaitsAnswer = false;
  let endHeard = false;
  let turns = NO_TURNS;
  let lastOutputAtMs = clock.nowMs();
  let disposed = false;
  let isMuted = false;

  function submit(input: MediatorInput): void {
    if (!isMuted) options.submit(input);
  }

  function signal(next: StatusSignal): void {
    if (disposed) return;
    const wasAtRest = isAtRest(status);
    const step = reduceStatus(status, next);
    status = step.status;
    if (!step.changed) return;
    options.onStatus(status);
    const turn = turnSignal(status.state);
    if (turn !== "agentIdle") cancelIdle();
    switch (turn) {
      case "agentBusy":
        lastAnswer = undefined;
        endHeard = false;
        turns = beginTurn(turns, typed());
        return submit({ kind: "agentBusy", agentId, signal: status.signal });
      case "agentBlocked":
        return submit({ kind: "agentBlocked", agentId, signal: status.signal });
      case "agentIdle":
        onPrompt();
        // "done" that becomes "idle" with the next key ends no turn.
        if (wasAtRest && status.state === "idle") return;
        return onIdle();
      case undefined:
        return;
    }
  }

  /** Where hooks have the say, they are heard in their order, and what they say began is what began. */
  const typed = () => status.authority === "hooks" ? undefined : options.typedForTicket();

  const program = (source: Authority, state: ProgramState, detail: string) =>
    signal({ source, state, detail, atMs: clock.nowMs() });

  /**
   * The end of a turn is told with its last answer, which may come a moment later by another way, and after a look for a
   * limit that may have cut it.
   */
  function onIdle(): void {
    cancelIdle();
    if (!options.hasTicketInWork()) {
      if (profile.rateLimit !== undefined) requestScreen(true);
      return tellIdle();
    }
    idleTimer = clock.startTimer(profile.rateLimit === undefined ? 0 : SCREEN_INTERVAL_MS, () => void settleIdle());
  }

  async function settleIdle(): Promise<void> {
    const mine = idleTimer;
    if (profile.rateLimit !== undefined) await lookAtScreen();
    // Another signal came meanwhile.
    if (disposed || idleTimer !== mine) return;
    if (hooks === undefined || endHeard) return void tellAnswered();
    awaitsAnswer = true;
    idleTimer = clock.startTimer(LAST_ANSWER_GRACE_MS, () => void tellAnswered());
    void hooks.refresh();
  }

  async function tellAnswered(): Promise<void> {
    const mine = idleTimer;
    awaitsAnswer = false;
    // What is written where an error cut the turn is no answer.
    if (lastAnswer === undefined && status.state !== "error") {
      const answer = await options.answerInTranscript();
      if (disposed || idleTimer !== mine) return;
      lastAnswer = answer;
    }
    tellIdle();
  }

  function tellIdle(): void {
    cancelIdle();
    const answer = lastAnswer;
    lastAnswer = undefined;
    turns = closeTurn(turns);
    submit({
      kind: "agentIdle",
      agentId,
      signal: status.signal,
      ...(answer === undefined ? {} : { lastAnswer: answer }),
    });
    options.onTurnEnded();
  }

  /** Its state is seen on the screen only now and then: a turn may begin, answer and end between two looks. */
  function onTicketClosed(): void {
    if (disposed || !isAtRest(status) || !options.hasLeftover()) return;
    unseenTimer?.[Symbol.dispose]();
    unseenTimer = clock.startTimer(UNSEEN_TURN_MS, () => {
      if (isAtRest(status) && idleTimer === undefined && options.hasLeftover()) tellIdle();
    });
  }

  function cancelIdle(): void {
    idleTimer?.[Symbol.dispose]();
    idleTimer = undefined;
    awaitsAnswer = false;
  }

  function tellReady(): void {
    const needsTools = profile.mcp?.waitForToolsList === true;
    if (told || !promptSeen || !startHeard || (needsTools && !toolsListed)) return;
    if (firstInputDue) return typeFirst();
    told = true;
    submit({
      kind: "agentReady",
      agentId,
      signal: needsTools ? `${status.signal}, tools/list` : status.signal,
      reportsTurnEnd: allowed.length > 0,
    });
  }

  function typeFirst(): void {
    firstInputDue = false;
    promptSeen = false;
    options.typeFirst?.();
    firstTimer = clock.startTimer(FIRST_INPUT_MS, onPrompt);
  }

  function onSignal(heard: TerminalSignal): void {
    if (heard.kind === "programStatus") {
      const detail = `OSC 7501 ${heard.status}${heard.reason === undefined ? "" : ` (${heard.reason})`}`;
      // First: the mediator must know of the limit before it hears of the turn's end.
      if (heard.status === "error" && heard.message !== undefined) {
        options.onLimitReport({ detail: heard.message, certain: false });
      }
      program("programStatus", heard.status, detail);
    } else if (heard.kind === "title") requestScreen(false);
  }

  function onOutput(): void {
    lastOutputAtMs = clock.nowMs();
    requestScreen(false);
    if (promptSeen || showsPrompt) return;
    quietTimer?.[Symbol.dispose]();
    quietTimer = clock.startTimer(QUIET_READY_MS, onPrompt);
  }

  function onPrompt(): void {
    promptSeen = true;
    tellReady();
  }

  /** evenIfTold: the screen is wanted for other marks than those of the state. */
  function requestScreen(evenIfTold: boolean): void {
    const isAuthority = status.authority === undefined || status.authority === "screen";
    if (disposed || screenTimer !== undefined || !(isAuthority || evenIfTold)) return;
    screenTimer = clock.startTimer(SCREEN_INTERVAL_MS, () => {
      screenTimer = undefined;
      void lookAtScreen();
    });
  }

  async function lookAtScreen(): Promise<void> {
    const read = await terminals.read(sessionId, 0);
    if (disposed || !read.ok) return;
    options.onScreen(read.value);
    const reading = readScreen(patterns, read.value);
    const step = watchScreen(screenWatch, reading, clock.monotonicMs());
    screenWatch = step.watch;
    if (step.signal !== undefined) {
      program("screen", step.signal.state, step.signal.detail);
      // Also where the screen has no say about turns.
      if (step.signal.state === "idle" && !promptSeen) onPrompt();
    }
    if (step.recheckInMs !== undefined && screenTimer === undefined) {
      screenTimer = clock.startTimer(step.recheckInMs, () => {
        screenTimer = undefined;
        void lookAtScreen();
      });
    }
  }

  function onPersonInput(text: string): void {
    if (isReport(text)) return;
    // In a dialog a key chooses; many take it without Enter, and nothing of it is left in the input box.
    if (status.state !== "blocked") draft = trackDraft(draft, text);
    setPersonTyping(true);
    personTimer?.[Symbol.dispose]();
    personTimer = clock.startTimer(PERSON_QUIET_MS, () => {
      // What they have typed and not sent stays theirs, however long.
      if (draft.length === 0) setPersonTyping(false);
    });
  }

  function setPersonTyping(typing: boolean): void {
    if (typing === personTyping && !typing) return;
    personTyping = typing;
    submit({ kind: "personTyping", agentId, typing });
  }

  function onReport(report: CliReport): void {
    switch (report.kind) {
      case "started":
        startHeard = true;
        return tellReady();
      case "conversation":
        return options.onConversation({
          id: report.providerSessionId,
          ...(report.transcriptPath === undefined ? {} : { transcriptPath: report.transcriptPath }),
        });
      case "turnStarted":
        program("hooks", "working", "hook: turn started");
        turns = hearStart(turns, report, typed());
        return;
      case "turnEnded":
        return onTurnEnded(report);
      case "blocked":
        return program("hooks", "blocked", `hook: ${report.detail}`);
      case "limited":
        return options.onLimitReport({ ...report, certain: true });
      case "failed":
        if (whoseEnd(report) !== "otherTurn") program("hooks", "error", `hook: ${report.detail}`);
        return;
    }
  }

  function onTurnEnded(report: Extract<CliReport, { readonly kind: "turnEnded" }>): void {
    const whose = whoseEnd(report);
    // Too late: the end of that turn was told, and this must not pass for the answer of the next one.
    // What that turn said may not have been written down before.
    if (whose === "otherTurn") return options.onTurnEnded();
    if (whose === "thisTurn") {
      lastAnswer = report.lastAnswer ?? lastAnswer;
      endHeard = true;
    }
    program("hooks", "done", "hook: turn ended");
    // The authority has said so already and waits for this.
    if (awaitsAnswer && endHeard) void tellAnswered();
  }

  function whoseEnd(end: TurnEnd): WhoseEnd {
    const heard = hearEnd(turns, end, typed());
    turns = heard.turns;
    const { authority } = status;
    // Where hooks have the say, an end may be all that is heard of a turn.
    if (heard.whose === "noTurn") return authority === undefined || authority === "hooks" ? "thisTurn" : "otherTurn";
    return heard.whose;
  }

  const listening = terminals.listen(sessionId, {
    onSignal,
    onOutput,
    onInput: (source, input) => {
      if (source !== "delivery") onPersonInput(typeof input === "string" ? input : decodeKeys(input));
    },
    onExit: options.onExit,
  });
  const hooks: HookFeed | undefined = cli.hookFile === undefined ? undefined : followHooks({
    folder: options.folder,
    path: `${options.runPath}/${cli.hookFile}`,
    onLine: (line) => cli.parseHookLine(line).forEach(onReport),
  });
  signal({ source: "process", state: "starting", detail: "launched", atMs: clock.nowMs() });

  return {
    agentId,
    sessionId,
    profile,
    runPath: options.runPath,
    tellsState: allowed.length > 0,
    cellId: () => cellId,
    setCell: (next) => cellId = next,
    status: () => status,
    hasDraft: () => draft.length > 0,
    lastOutputAtMs: () => lastOutputAtMs,
    onMcpReady(step) {
      if (step === "toolsListed") toolsListed = true;
      tellReady();
    },
    onCallMeta(meta) {
      const id = cli.conversationOfCall(meta);
      if (id !== undefined) options.onConversation({ id });
    },
    mute() {
      isMuted = true;
    },
    onTicketClosed,
    noteLimit: (state, detail) => signal({ source: "limit", state, detail, atMs: clock.nowMs() }),
    [Symbol.dispose]() {
      disposed = true;
      const timers = [personTimer, screenTimer, quietTimer, idleTimer, firstTimer, unseenTimer];
      for (const timer of timers) timer?.[Symbol.dispose]();
      if (listening.ok) listening.value[Symbol.dispose]();
      hooks?.[Symbol.dispose]();
    },
  };
}

/** No turn goes on, and its end was seen. */
function isAtRest({ state }: Status): boolean {
  return state === "idle" || state === "done" || state === "error";
}

function allowedAuthorities({ profile, cli }: LiveAgentOptions, screenIsComplete: boolean): readonly Authority[] {
  const allowed: Authority[] = [];
  if (profile.programStatus === true) allowed.push("programStatus");
  if (cli.hookFile !== undefined && cli.hooksTellTurns && profile.turnEnd?.hook !== undefined) allowed.push("hooks");
  if (screenIsComplete) allowed.push("screen");
  return allowed;
}

/** Keys as text for the draft: only the ASCII of control sequences matters, so every other byte counts as a character. */
function decodeKeys(bytes: Uint8Array): string {
  let text = "";
  // A UTF-8 continuation byte belongs to the character before it.
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) text += String.fromCharCode(byte);
  return text;
}
