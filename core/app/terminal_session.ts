/**
 * One live session: a program in a pseudo-terminal, the state of its screen, its viewers and its listeners.
 *
 * 1. Output is taken by the state first, then given to the viewers, then told to the listeners, all in the same call.
 * 2. The pseudo-terminal is paused exactly while all who look at it are behind, or the state is (core/terminals/flow).
 * 3. The size of the program, of the state and of the viewers is one; it changes in stream order.
 */
import type { IdeaEvent } from "../events.ts";
import type { AgentId, ProjectId, SessionId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { createCommandEndFinder } from "../terminals/command_end.ts";
import { framePaste } from "../terminals/paste.ts";
import { BACKLOG_HIGH_BYTES } from "../terminals/flow.ts";
import type { Clock } from "../ports/clock.ts";
import type { Pty, PtyExit, PtyProcess, PtySize, PtySpawnError, PtyWriteError } from "../ports/pty.ts";
import type { TerminalColors, TerminalSignal, TerminalStates, TerminalText } from "../ports/terminal_state.ts";
import { createForegroundWatch } from "./foreground_watch.ts";
import { createInputGate } from "./input_gate.ts";
import { createViewers, isSameSize } from "./terminal_viewers.ts";
import type { Attachment, InputSource, SessionListener, TerminalInfo, Viewer } from "./terminals.ts";
import { createThrottle } from "./throttle.ts";

/** A program that rings or renames itself without end must not flood every door with events. */
const BELL_INTERVAL_MS = 1000;
const TITLE_INTERVAL_MS = 200;

export interface SessionPorts {
  readonly pty: Pty;
  readonly states: TerminalStates;
  readonly clock: Clock;
  readonly publish: (event: IdeaEvent) => void;
  readonly onDefect: (error: unknown) => void;
}

export interface SessionOptions {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly agentId?: AgentId;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: PtySize;
  readonly title: string;
  readonly scrollback: number;
  readonly colors: TerminalColors | undefined;
}

export interface Session {
  readonly info: () => TerminalInfo;
  /** Bytes of output so far. */
  readonly offset: () => number;
  /** After close() there is nothing to read. */
  readonly closed: () => boolean;
  write(input: Uint8Array | string, source: InputSource): Result<void, PtyWriteError>;
  hold(): Disposable;
  paste(text: string, source: InputSource): Result<void, PtyWriteError>;
  resize(size: PtySize): Result<void, { readonly kind: "invalidSize" }>;
  read(scrollbackLines: number): Promise<TerminalText>;
  attach(viewer: Viewer): Attachment;
  listen(listener: SessionListener): Disposable;
  setColors(colors: TerminalColors): void;
  close(graceMs: number): Promise<PtyExit>;
}

export function openSession(ports: SessionPorts, options: SessionOptions): Result<Session, PtySpawnError> {
  const { clock, publish } = ports;
  const { sessionId, projectId } = options;
  const startedAtMs = clock.nowMs();
  const listeners = new Set<SessionListener>();
  let process: PtyProcess | undefined = undefined;
  let size = options.size;
  let title = options.title;
  let folder: string | undefined;
  let exit: PtyExit | undefined;
  let bracketedPaste = false;
  let paused = false;
  let digesting = false;
  let closing = false;
  let closed = false;
  let outputTold = true;
  /** The shell marks its prompts and commands (OSC 133). */
  let hasMarks = false;
  const commandEnds = createCommandEndFinder();

  const titled = createThrottle(clock, TITLE_INTERVAL_MS, () => {
    publish({ kind: "sessionTitled", projectId, sessionId, title });
  });
  const rang = createThrottle(clock, BELL_INTERVAL_MS, () => publish({ kind: "sessionRang", projectId, sessionId }));

  const state = ports.states.create({
    size,
    scrollback: options.scrollback,
    // A program that does not read its answers loses them, as on any terminal.
    answer: (reply) => void process?.write(reply),
    onSignal,
  });
  if (options.colors !== undefined) state.setColors(options.colors);

  const viewers = createViewers({
    state,
    size: () => size,
    onSizeWanted: (wanted) => void resize(wanted),
    onPaceChanged: updatePace,
    onDefect: ports.onDefect,
  });

  const foreground = createForegroundWatch({
    clock,
    process: () => process,
    offset: () => state.offset(),
    isPaused: () => paused,
    onShellBack: clearStaleModes,
  });

  function onSignal(signal: TerminalSignal): void {
    if (signal.kind === "title" && signal.title !== title) {
      title = signal.title === "" ? options.title : signal.title;
      titled.request();
    } else if (signal.kind === "folder") folder = signal.path;
    else if (signal.kind === "bell") rang.request();
    else if (signal.kind === "mark") hasMarks = true;
    else if (signal.kind === "mode" && signal.mode === "bracketedPaste") bracketedPaste = signal.on;
    tell((listener) => listener.onSignal?.(signal));
  }

  function onData(bytes: Uint8Array): void {
    // An agent's program is its own shell; in a plain one, programs come and go.
    if (options.agentId !== undefined) takeOutput(bytes);
    else if (hasMarks) takeCommandEnds(bytes);
    else {
      takeOutput(bytes);
      foreground.outputTaken();
    }
    if (state.backlogBytes() > BACKLOG_HIGH_BYTES) updatePace();
    if (!outputTold || listeners.size === 0) return;
    outputTold = false;
    // Several reads of one turn are told once, after the last of them.
    Promise.resolve().then(tellOutput);
  }

  function takeOutput(bytes: Uint8Array): void {
    state.write(bytes);
    viewers.output(bytes);
  }

  /** What a program left switched on is cleared where its command ends, before the shell sets what its prompt needs. */
  function takeCommandEnds(bytes: Uint8Array): void {
    let from = 0;
    for (let to = commandEnds.next(bytes, 0); to !== -1; to = commandEnds.next(bytes, to)) {
      takeOutput(bytes.subarray(from, to));
      from = to;
      clearStaleModes(Infinity);
    }
    if (from < bytes.length) takeOutput(bytes.subarray(from));
  }

  function clearStaleModes(upToOffset: number): void {
    if (hasMarks && upToOffset !== Infinity) return;
    const cleared = state.clearStaleModes(upToOffset);
    if (cleared.length > 0) viewers.output(cleared);
  }

  function tellOutput(): void {
    outputTold = true;
    tell((listener) => listener.onOutput?.());
  }

  function tell(notify: (listener: SessionListener) => void): void {
    for (const listener of [...listeners]) {
      try {
        notify(listener);
      } catch (error) {
        ports.onDefect(error);
      }
    }
  }

  function updatePace(): void {
    const backlogBytes = state.backlogBytes();
    const wanted = !closing && exit === undefined && viewers.shouldThrottle(backlogBytes);
    if (backlogBytes > BACKLOG_HIGH_BYTES && !digesting) {
      digesting = true;
      state.digested().then(() => {
        digesting = false;
        updatePace();
      }).catch(ports.onDefect);
    }
    if (wanted === paused) return;
    paused = wanted;
    if (paused) process?.pause();
    else process?.resume();
  }

  function resize(wanted: PtySize): Result<void, { readonly kind: "invalidSize" }> {
    if (isSameSize(wanted, size)) return ok();
    if (exit === undefined && process !== undefined) {
      const resized = process.resize(wanted);
      if (!resized.ok) return err({ kind: "invalidSize" });
    }
    size = wanted;
    state.resize(wanted);
    viewers.resized(wanted);
    return ok();
  }

  function send(input: Uint8Array | string, source: InputSource): Result<void, PtyWriteError> {
    if (process === undefined || exit !== undefined) return err({ kind: "closed" });
    const written = process.write(input);
    if (written.ok) tell((listener) => listener.onInput?.(source, input));
    return written;
  }

  const { write, hold } = createInputGate(send);

  function onExit(reported: PtyExit): void {
    exit = reported;
    viewers.exited(reported);
    tell((listener) => listener.onExit?.(reported));
    publish({ kind: "sessionExited", projectId, sessionId, exit: reported });
  }

  const { argv, cwd, env } = options;
  const spawned = ports.pty.spawn({ argv, cwd, env, size, onData, onExit });
  if (!spawned.ok) {
    state[Symbol.dispose]();
    return spawned;
  }
  process = spawned.value;
  const { pid } = process;

  return ok({
    info: () => ({
      sessionId,
      projectId,
      ...(options.agentId !== undefined && { agentId: options.agentId }),
      pid,
      title,
      ...(folder !== undefined && { folder }),
      size,
      startedAtMs,
      ...(exit !== undefined && { exit }),
    }),
    offset: () => state.offset(),
    closed: () => closed,
    write,
    hold,
    paste: (text, source) => write(framePaste(text, bracketedPaste), source),
    resize,
    read: (scrollbackLines) => state.read(scrollbackLines),
    attach: (viewer) => viewers.attach(viewer),
    listen(listener) {
      const own = { ...listener };
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
    setColors: (colors) => state.setColors(colors),
    async close(graceMs) {
      closing = true;
      updatePace();
      const reported = await spawned.value.close(graceMs);
      closed = true;
      titled[Symbol.dispose]();
      rang[Symbol.dispose]();
      foreground[Symbol.dispose]();
      viewers.close();
      listeners.clear();
      state[Symbol.dispose]();
      return reported;
    },
  });
}
