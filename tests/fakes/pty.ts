/**
 * A strict fake of the pty port. The test plays the programs: each spawned one can emit, exit and look at its input.
 * It refuses what reality refuses, calls nobody back within a call, and spoils the array it handed over, so that who
 * keeps it is found out.
 */
import {
  isPtySize,
  MAX_QUEUED_INPUT_BYTES,
  type Pty,
  type PtyExit,
  type PtyProcess,
  type PtySize,
  type PtySpawnOptions,
} from "../../core/ports/pty.ts";
import { err, ok } from "../../core/result.ts";

export interface FakeProgram {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  size(): PtySize;
  /** Output; text is UTF-8. Throws when the program has ended: dead programs print nothing. */
  emit(output: Uint8Array | string): void;
  /** Reported after everything emitted was handed over. */
  exit(code: number): void;
  die(signal: number): void;
  hasEnded(): boolean;
  /** All that was read so far. */
  input(): string;
  onInput(listener: (bytes: Uint8Array) => void): void;
  onResize(listener: (size: PtySize) => void): void;
  /** Without a listener, SIGHUP ends the program. */
  onHangUp(listener: () => void): void;
  /** Input waits in the queue while the program does not read. */
  setReading(reading: boolean): void;
  /** Whether pause holds its output back now. */
  isPaused(): boolean;
}

export interface FakePty extends Pty {
  /** All that were spawned, in order. */
  readonly programs: readonly FakeProgram[];
  /** A program of that name exists from now on; behave is called, in a later turn, with each one that is spawned. */
  install(name: string, behave?: (program: FakeProgram) => void): void;
  /** The one spawned last; throws when there is none. */
  latest(): FakeProgram;
}

export interface FakePtyOptions {
  readonly programs?: readonly string[];
  /** Left out: every absolute path is a folder. */
  readonly folders?: readonly string[];
  /** Counts the grace of close; real time unless the test brings its own. */
  readonly startTimer?: (delayMs: number, onElapsed: () => void) => Disposable;
}

const SIGHUP = 1;
const SIGKILL = 9;
const EINVAL = 22;

export function createFakePty(options: FakePtyOptions = {}): FakePty {
  const behaviours = new Map<string, (program: FakeProgram) => void>();
  const programs: FakeProgram[] = [];
  const running = new Set<PtyProcess>();
  const startTimer = options.startTimer ?? startRealTimer;
  let isDisposed = false;
  for (const name of options.programs ?? []) behaviours.set(name, () => {});

  return {
    programs,
    install(name, behave = () => {}) {
      behaviours.set(name, behave);
    },
    latest() {
      const program = programs.at(-1);
      if (program === undefined) throw new Error("no program was spawned");
      return program;
    },
    spawn(spawnOptions) {
      if (isDisposed) throw new Error("spawn after dispose");
      const { argv, cwd, env, size } = spawnOptions;
      if (!isPtySize(size)) return err({ kind: "invalidSize", size });
      if (!(options.folders?.includes(cwd) ?? cwd.startsWith("/"))) return err({ kind: "folderNotFound", path: cwd });
      const behave = behaviours.get(argv[0]);
      if (behave === undefined) return err({ kind: "programNotFound", program: argv[0] });
      if ([...argv, ...Object.entries(env).flat()].some((text) => text.includes("\0"))) {
        return err({ kind: "system", call: "posix_spawn", code: EINVAL });
      }
      const { program, process } = startFake({
        ...spawnOptions,
        pid: 1_000 + programs.length,
        startTimer,
        onGone: () => running.delete(process),
      });
      programs.push(program);
      running.add(process);
      queueMicrotask(() => behave(program));
      return ok(process);
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      await Promise.all([...running].map((process) => process.close(0)));
    },
  };
}

interface FakeStart extends PtySpawnOptions {
  readonly pid: number;
  readonly startTimer: (delayMs: number, onElapsed: () => void) => Disposable;
  readonly onGone: () => void;
}

function startFake(start: FakeStart): { program: FakeProgram; process: PtyProcess } {
  const reported = Promise.withResolvers<PtyExit>();
  const output: Uint8Array[] = [];
  const queue: Uint8Array[] = [];
  const taken: Uint8Array[] = [];
  const inputListeners: ((bytes: Uint8Array) => void)[] = [];
  const resizeListeners: ((size: PtySize) => void)[] = [];
  let hangUpListener: (() => void) | undefined;
  let size = start.size;
  let wantedSize: PtySize | undefined;
  let exit: PtyExit | undefined;
  let isReported = false;
  let isPaused = false;
  let isReading = true;
  let isClosing = false;
  let killTimer: Disposable | undefined;

  const queuedBytes = () => queue.reduce((total, bytes) => total + bytes.length, 0);
  const soon = queueMicrotask;

  function end(how: PtyExit): void {
    if (exit !== undefined) throw new Error(`program ${start.pid} has ended already`);
    exit = how;
    queue.length = 0;
    if (isClosing) isPaused = false;
    soon(handOver);
  }

  function handOver(): void {
    while (!isPaused) {
      const bytes = output.shift();
      if (bytes === undefined) break;
      start.onData(bytes);
      bytes.fill(0xee);
    }
    if (exit === undefined || isReported || output.length > 0 || isPaused) return;
    isReported = true;
    killTimer?.[Symbol.dispose]();
    start.onGone();
    start.onExit(exit);
    reported.resolve(exit);
  }

  function read(): void {
    while (isReading && exit === undefined) {
      const bytes = queue.shift();
      if (bytes === undefined) return;
      taken.push(bytes);
      for (const listener of inputListeners) listener(bytes);
    }
  }

  const program: FakeProgram = {
    pid: start.pid,
    argv: start.argv,
    cwd: start.cwd,
    env: start.env,
    size: () => size,
    emit(bytes) {
      if (exit !== undefined) throw new Error(`program ${start.pid} has ended`);
      output.push(copyOf(bytes));
      soon(handOver);
    },
    exit: (code) => end({ kind: "exited", code }),
    die: (signal) => end({ kind: "signalled", signal }),
    hasEnded: () => exit !== undefined,
    input: () => new TextDecoder().decode(joined(taken)),
    onInput: (listener) => void inputListeners.push(listener),
    onResize: (listener) => void resizeListeners.push(listener),
    onHangUp(listener) {
      hangUpListener = listener;
    },
    setReading(reading) {
      isReading = reading;
      soon(read);
    },
    isPaused: () => isPaused,
  };

  const process: PtyProcess = {
    pid: start.pid,
    write(input) {
      if (exit !== undefined) return err({ kind: "closed" });
      const bytes = copyOf(input);
      const queued = queuedBytes();
      if (queued + bytes.length > MAX_QUEUED_INPUT_BYTES) {
        return err({ kind: "inputQueueFull", queuedBytes: queued, limitBytes: MAX_QUEUED_INPUT_BYTES });
      }
      if (bytes.length > 0) queue.push(bytes);
      soon(read);
      return ok();
    },
    queuedInputBytes: queuedBytes,
    foreground: () => exit === undefined ? "itself" : "unknown",
    resize(wanted) {
      if (!isPtySize(wanted)) return err({ kind: "invalidSize", size: wanted });
      if (wantedSize === undefined) soon(applySize);
      wantedSize = wanted;
      return ok();
    },
    pause() {
      if (exit === undefined || !isClosing) isPaused = true;
    },
    resume() {
      isPaused = false;
      soon(handOver);
    },
    close(graceMs) {
      if (isReported) return reported.promise;
      if (!isClosing) soon(hangUp);
      isClosing = true;
      if (exit !== undefined) this.resume();
      killTimer?.[Symbol.dispose]();
      killTimer = start.startTimer(graceMs, () => {
        if (exit === undefined) program.die(SIGKILL);
      });
      return reported.promise;
    },
  };

  function hangUp(): void {
    if (exit !== undefined) return;
    if (hangUpListener === undefined) program.die(SIGHUP);
    else hangUpListener();
  }

  function applySize(): void {
    const wanted = wantedSize;
    wantedSize = undefined;
    if (wanted === undefined || exit !== undefined) return;
    if (wanted.cols === size.cols && wanted.rows === size.rows) return;
    size = wanted;
    for (const listener of resizeListeners) listener(wanted);
  }

  return { program, process };
}

function copyOf(bytes: Uint8Array | string): Uint8Array {
  return typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes.slice();
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function startRealTimer(delayMs: number, onElapsed: () => void): Disposable {
  const timer = setTimeout(onElapsed, delayMs);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
