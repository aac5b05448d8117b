/** Terminals on fakes: programs that a test plays, a state that is its log, and windows that draw what they get. */
import assert from "node:assert/strict";
import { createTerminals, defaultTerminalsLimits, type Terminals, type Viewer } from "../../core/app/terminals.ts";
import { createEvents, type IdeaEvent } from "../../core/events.ts";
import { createId } from "../../core/ids.ts";
import type { Programs } from "../../core/ports/programs.ts";
import {
  isPtySize,
  type Pty,
  type PtyExit,
  type PtyProcess,
  type PtySize,
  type PtySpawnOptions,
} from "../../core/ports/pty.ts";
import type {
  SnapshotPart,
  TerminalSignal,
  TerminalState,
  TerminalStateOptions,
  TerminalStates,
} from "../../core/ports/terminal_state.ts";
import { err, ok } from "../../core/result.ts";
import { createLane, type Lane } from "../../core/terminals/flow.ts";
import { decodeServerFrame, type ServerFrame } from "../../core/terminals/wire.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeEntropy } from "../fakes/entropy.ts";

export const projectId = createId("project", "p1");
export const size: PtySize = { cols: 80, rows: 24 };

export interface PlayedProgram {
  readonly options: PtySpawnOptions;
  readonly input: () => string;
  readonly paused: () => boolean;
  readonly size: () => PtySize;
  output(text: string | Uint8Array): void;
  exit(exit: PtyExit): void;
  /** Input it takes before it reports a full queue. */
  room: number;
  /** Who has the foreground until the exit. */
  foreground: "itself" | "another";
}

export function createPlayedPty(): Pty & { readonly programs: PlayedProgram[] } {
  const programs: PlayedProgram[] = [];
  return {
    programs,
    spawn(options) {
      if (!isPtySize(options.size)) return err({ kind: "invalidSize", size: options.size });
      if (options.argv[0] === "missing") return err({ kind: "programNotFound", program: "missing" });
      let input = "";
      let paused = false;
      let current = options.size;
      let exit: PtyExit | undefined;
      let exited: (exit: PtyExit) => void = () => {};
      const ended = new Promise<PtyExit>((resolve) => exited = resolve);
      const program: PlayedProgram = {
        options,
        room: Infinity,
        foreground: "itself",
        input: () => input,
        paused: () => paused,
        size: () => current,
        output(text) {
          assert.equal(paused, false, "a paused terminal is not read");
          assert.equal(exit, undefined, "no output after the exit");
          const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text.slice();
          options.onData(bytes);
          // The reactor uses its buffer again.
          bytes.fill(0x58);
        },
        exit(reported) {
          assert.equal(exit, undefined, "an exit is reported once");
          exit = reported;
          options.onExit(reported);
          exited(reported);
        },
      };
      programs.push(program);
      const process: PtyProcess = {
        pid: 1000 + programs.length,
        write(written) {
          const text = typeof written === "string" ? written : new TextDecoder().decode(written);
          if (exit !== undefined) return err({ kind: "closed" });
          if (text.length > program.room) {
            return err({ kind: "inputQueueFull", queuedBytes: 0, limitBytes: program.room });
          }
          program.room -= text.length;
          input += text;
          return ok();
        },
        queuedInputBytes: () => 0,
        foreground: () => exit === undefined ? program.foreground : "unknown",
        resize(wanted) {
          if (!isPtySize(wanted)) return err({ kind: "invalidSize", size: wanted });
          current = wanted;
          return ok();
        },
        pause: () => void (paused = true),
        resume: () => void (paused = false),
        close() {
          if (exit === undefined) Promise.resolve().then(() => exit ?? program.exit({ kind: "signalled", signal: 1 }));
          return ended;
        },
      };
      return ok(process);
    },
    async [Symbol.asyncDispose]() {},
  };
}

export interface LogState extends TerminalState {
  readonly log: SnapshotPart[];
  backlog: number;
  /** What the next clearStaleModes gives. */
  staleModes: string;
  /** What clearStaleModes was asked for. */
  readonly clearedUpTo: number[];
  /** Forgets the output before that offset, so that since() cannot go back there. */
  forgetBefore: number;
  signal(signal: TerminalSignal): void;
  /** Snapshots wait until it is called with false. */
  holdSnapshots(hold: boolean): void;
  readonly snapshots: number[];
}

export function createLogStates(): TerminalStates & { readonly states: LogState[] } {
  const states: LogState[] = [];
  return {
    states,
    create(options) {
      const state = createLogState(options);
      states.push(state);
      return state;
    },
  };
}

function createLogState(options: TerminalStateOptions): LogState {
  const log: SnapshotPart[] = [];
  let offset = 0;
  let release: () => void = () => {};
  let held = Promise.resolve();
  let current = options.size;
  let disposed = false;

  function partsAfter(from: number): SnapshotPart[] {
    const parts: SnapshotPart[] = [];
    let at = 0;
    for (const part of log) {
      if (part.kind === "resize") {
        if (at >= from) parts.push(part);
        continue;
      }
      const end = at + part.bytes.length;
      if (end > from) parts.push({ kind: "bytes", bytes: part.bytes.subarray(Math.max(0, from - at)) });
      at = end;
    }
    return parts;
  }

  const state: LogState = {
    log,
    backlog: 0,
    staleModes: "",
    clearedUpTo: [],
    forgetBefore: 0,
    snapshots: [],
    signal: (signal) => options.onSignal(signal),
    holdSnapshots(hold) {
      release();
      if (hold) held = new Promise((resolve) => release = resolve);
    },
    write(bytes) {
      assert.equal(disposed, false);
      log.push({ kind: "bytes", bytes: bytes.slice() });
      offset += bytes.length;
    },
    resize(wanted) {
      assert.ok(isPtySize(wanted));
      current = wanted;
      log.push({ kind: "resize", size: wanted });
    },
    offset: () => offset,
    backlogBytes: () => state.backlog,
    digested: async () => {
      await held;
      state.backlog = 0;
    },
    async read(scrollbackLines) {
      assert.equal(disposed, false);
      await Promise.resolve();
      const text = new TextDecoder().decode(bytesOf(log));
      const lines = text.split(/\r?\n/);
      const screen = lines.slice(-current.rows);
      while (screen.length < current.rows) screen.push("");
      const above = lines.slice(0, -current.rows);
      return {
        screen,
        scrollback: scrollbackLines === 0 ? [] : above.slice(-Math.min(above.length, scrollbackLines)),
        cursor: { col: 0, row: 0 },
        title: "",
        size: current,
        modes: {
          bracketedPaste: false,
          applicationCursorKeys: false,
          alternateScreen: false,
          mouseTracking: false,
          focusEvents: false,
          kittyKeyboard: 0,
        },
        offset,
      };
    },
    async snapshot(scrollbackLines) {
      state.snapshots.push(scrollbackLines);
      await held;
      assert.equal(disposed, false);
      return { size: options.size, parts: [...log], offset };
    },
    since(from) {
      assert.ok(from >= 0 && from <= offset, "an offset that was");
      return from < state.forgetBefore ? undefined : partsAfter(from);
    },
    clearStaleModes(upToOffset) {
      state.clearedUpTo.push(upToOffset);
      const bytes = new TextEncoder().encode(state.staleModes);
      state.staleModes = "";
      if (bytes.length > 0) state.write(bytes);
      return bytes;
    },
    setColors() {},
    [Symbol.dispose]: () => void (disposed = true),
  };
  return state;
}

export function bytesOf(parts: readonly SnapshotPart[]): Uint8Array<ArrayBuffer> {
  const chunks = parts.flatMap((part) => part.kind === "bytes" ? [part.bytes] : []);
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** A window's terminal: draws what it gets, and keeps the rules of the protocol. */
export interface Window {
  readonly viewer: Viewer;
  readonly frames: ServerFrame["kind"][];
  /** All output its terminal has drawn since it began, as text. */
  readonly text: () => string;
  readonly size: () => PtySize | undefined;
  readonly offset: () => number | undefined;
  /** Sent and not yet acknowledged. */
  readonly unacknowledged: () => number;
  readonly exit: () => PtyExit | undefined;
  /** Acknowledges all it has drawn; returns how much that was. */
  takeAcknowledgement(): number;
}

export function createWindow(
  channel = 1,
  attach: { readonly visible?: boolean; readonly continues?: Window; readonly lane?: Lane } = {},
): Window {
  let drawn: SnapshotPart[] = [{ kind: "bytes", bytes: new TextEncoder().encode(attach.continues?.text() ?? "") }];
  let shown = attach.continues?.size();
  let offset = attach.continues?.offset();
  let restoring = false;
  let unacknowledged = 0;
  let exit: PtyExit | undefined;
  const frames: ServerFrame["kind"][] = [];

  function take(bytes: Uint8Array): void {
    const decoded = decodeServerFrame(bytes);
    assert.ok(decoded.ok);
    const frame = decoded.value;
    assert.equal(frame.channel, channel);
    assert.ok(!frames.includes("closed"), "nothing after closed");
    frames.push(frame.kind);
    switch (frame.kind) {
      case "output":
        assert.ok(offset !== undefined || restoring, "output goes on from a snapshot");
        drawn.push({ kind: "bytes", bytes: frame.bytes.slice() });
        if (!restoring && offset !== undefined) offset += frame.bytes.length;
        unacknowledged += frame.bytes.length;
        return;
      case "resize":
        shown = frame.size;
        return;
      case "snapshotBegin":
        assert.equal(restoring, false, "one snapshot at a time");
        restoring = true;
        drawn = [];
        shown = frame.size;
        offset = frame.offset;
        return;
      case "snapshotEnd":
        assert.equal(restoring, true);
        restoring = false;
        return;
      case "exited":
        assert.equal(restoring, false);
        assert.equal(exit, undefined, "an exit is told once");
        exit = frame.exit;
        return;
    }
  }

  const from = attach.continues === undefined || offset === undefined || shown === undefined
    ? undefined
    : { offset, size: shown };
  return {
    viewer: {
      channel,
      send: take,
      lane: attach.lane ?? createLane(createFakeClock()),
      ...(attach.visible !== undefined && { visible: attach.visible }),
      ...(from !== undefined && { from }),
    },
    frames,
    text: () => new TextDecoder().decode(bytesOf(drawn)),
    size: () => shown,
    offset: () => offset,
    unacknowledged: () => unacknowledged,
    exit: () => exit,
    takeAcknowledgement() {
      const bytes = unacknowledged;
      unacknowledged = 0;
      return bytes;
    },
  };
}

export interface SetupOptions {
  readonly maxSessions?: number;
  /** Left out: states that are their logs. */
  readonly states?: TerminalStates;
}

export function setup({ states: given, ...limits }: SetupOptions = {}) {
  const clock = createFakeClock();
  const pty = createPlayedPty();
  const states = createLogStates();
  const published: IdeaEvent[] = [];
  const defects: unknown[] = [];
  const events = createEvents((error) => defects.push(error));
  events.subscribe((event) => published.push(event));
  const programs: Programs = {
    find: () => Promise.resolve(undefined),
    run: (argv) => Promise.resolve(err({ kind: "notAllowed", program: argv[0] })),
    loginEnvironment: () => Promise.resolve({ HOME: "/home/ann", SHELL: "/bin/zsh", TERM: "dumb" }),
  };
  const terminals = createTerminals(
    {
      pty,
      states: given ?? states,
      clock,
      entropy: createFakeEntropy(),
      programs,
      events,
      onDefect: (error) => defects.push(error),
    },
    { ...defaultTerminalsLimits, platform: "linux", ...limits },
  );
  return { terminals, clock, pty, states, events, published, defects };
}

/** Opens a session and gives what a test needs to play it. */
export async function openPlayed(parts: ReturnType<typeof setup>) {
  const opened = await parts.terminals.open({ projectId, cwd: "/home/ann", size });
  assert.ok(opened.ok);
  const program = parts.pty.programs.at(-1);
  const state = parts.states.states.at(-1);
  assert.ok(program !== undefined && state !== undefined);
  return { sessionId: opened.value.sessionId, program, state };
}

export function attach(
  terminals: Terminals,
  sessionId: Parameters<Terminals["attach"]>[0],
  window: Window,
) {
  const attached = terminals.attach(sessionId, window.viewer);
  assert.ok(attached.ok);
  return attached.value;
}

/** Lets every promise that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
