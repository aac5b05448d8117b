/**
 * A strict fake of Windows' kernel as the terminals there use it: consoles, pipes, jobs and the completion port, in
 * memory. It refuses what reality refuses or punishes: closing a handle twice, an operation begun while it is under way,
 * two waits at once, handles left open at the end.
 */
import { err, ok } from "../../core/result.ts";
import type { PtySize } from "../../core/ports/pty.ts";
import type {
  Completion,
  Handle,
  Kernel,
  KernelError,
  Operation,
  StartOptions,
} from "../../adapters/pty/windows/kernel.ts";

export interface FakeConsoleProgram {
  readonly pid: number;
  readonly options: StartOptions;
  size(): PtySize;
  emit(output: Uint8Array | string): void;
  exit(code: number): void;
  onInput(listener: (bytes: Uint8Array) => void): void;
  onResize(listener: () => void): void;
  /** Its console closes. Without a listener, that ends it. */
  onClose(listener: () => void): void;
  setReading(reading: boolean): void;
}

export interface FakeKernel extends Kernel {
  /** Calls of this name fail with that code until it is undefined. */
  fail(call: string, code: number | undefined): void;
  /** Whether jobs report the end of their programs: delivery is not promised. */
  setReporting(reporting: boolean): void;
  openHandles(): number;
}

/** What the end of a program is called whose console was closed: STATUS_CONTROL_C_EXIT. */
export const CONSOLE_CLOSED_CODE = 0xc000_013a;
const KILLED_CODE = 1;
/** A pipe takes this much before its writer waits. */
const PIPE_BYTES = 64 * 1024;

interface PipeState {
  readonly key: number;
  readonly direction: "read" | "write";
  readonly waiting: Uint8Array[];
  pending: Operation | undefined;
  isBroken: boolean;
}

interface ConsoleState {
  size: PtySize;
  readonly input: PipeState;
  readonly output: PipeState;
  readonly programs: Set<ProgramState>;
  isClosed: boolean;
}

interface ProgramState {
  readonly console: ConsoleState;
  readonly key: number;
  readonly pid: number;
  code: number | undefined;
  isReading: boolean;
  onInput: (bytes: Uint8Array) => void;
  onResize: () => void;
  onClose: (() => void) | undefined;
}

export function createFakeKernel(play: (program: FakeConsoleProgram) => void): FakeKernel {
  const handles = new Map<Handle, unknown>();
  const failing = new Map<string, number>();
  const completions: Completion[] = [];
  const underWay = new Set<Operation>();
  let waiter: ((completions: readonly Completion[]) => void) | undefined;
  let nextHandle = 100n;
  let nextPid = 4_000;
  let isReporting = true;

  function open(what: unknown): Handle {
    nextHandle += 4n;
    handles.set(nextHandle, what);
    return nextHandle;
  }

  function release(handle: Handle): void {
    if (!handles.delete(handle)) throw new Error(`handle ${handle} is not open`);
  }

  function report(completion: Completion): void {
    completions.push(completion);
    const wake = waiter;
    if (wake === undefined) return;
    waiter = undefined;
    queueMicrotask(() => wake(completions.splice(0)));
  }

  function failure(call: string): { ok: false; error: KernelError } | undefined {
    const code = failing.get(call);
    return code === undefined ? undefined : { ok: false, error: { call, code } };
  }

  function pipeOf(handle: Handle): PipeState {
    for (const [key, pipe] of pipes) if (key === handle && handles.has(handle)) return pipe;
    throw new Error(`handle ${handle} is no open pipe`);
  }
  const pipes = new Map<Handle, PipeState>();
  const consoles = new Map<Handle, ConsoleState>();
  const programs = new Map<Handle, ProgramState>();

  function settle(pipe: PipeState, bytes: number, failed: boolean): void {
    const operation = pipe.pending;
    if (operation === undefined) return;
    pipe.pending = undefined;
    underWay.delete(operation);
    report({ kind: "transferred", key: pipe.key, operation, bytes, failed });
  }

  /** Gives a read that is under way what waits. */
  function serveRead(pipe: PipeState): void {
    if (pipe.pending === undefined) return;
    const first = pipe.waiting.shift();
    if (first === undefined) {
      if (pipe.isBroken) settle(pipe, 0, true);
      return;
    }
    const count = Math.min(first.length, pipe.pending.bytes.length);
    pipe.pending.bytes.set(first.subarray(0, count));
    if (count < first.length) pipe.waiting.unshift(first.subarray(count));
    settle(pipe, count, false);
  }

  /** Gives programs what was written, and their pipe's writer its completion when there is room. */
  function serveWrite(console: ConsoleState): void {
    const { input } = console;
    const reader = [...console.programs].find((program) => program.isReading && program.code === undefined);
    while (reader !== undefined && reader.code === undefined && input.waiting.length > 0) {
      const bytes = input.waiting.shift();
      if (bytes !== undefined) reader.onInput(bytes);
    }
    const waiting = input.waiting.reduce((total, bytes) => total + bytes.length, 0);
    const { pending } = input;
    if (pending === undefined || waiting >= PIPE_BYTES) return;
    input.waiting.push(pending.bytes.slice());
    settle(input, pending.bytes.length, false);
    queueMicrotask(() => serveWrite(console));
  }

  function end(program: ProgramState, code: number): void {
    if (program.code !== undefined) return;
    program.code = code;
    program.console.programs.delete(program);
    if (isReporting) report({ kind: "processEnded", key: program.key, pid: program.pid });
  }

  function toPlayed(program: ProgramState, options: StartOptions): FakeConsoleProgram {
    const { console } = program;
    return {
      pid: program.pid,
      options,
      size: () => console.size,
      emit(output) {
        if (program.code !== undefined) throw new Error(`program ${program.pid} has ended`);
        if (console.isClosed) return;
        console.output.waiting.push(typeof output === "string" ? new TextEncoder().encode(output) : output.slice());
        serveRead(console.output);
      },
      exit: (code) => end(program, code),
      onInput: (listener) => program.onInput = listener,
      onResize: (listener) => program.onResize = listener,
      onClose: (listener) => program.onClose = listener,
      setReading(reading) {
        program.isReading = reading;
        serveWrite(console);
      },
    };
  }

  function begin(handle: Handle, operation: Operation, direction: PipeState["direction"]): boolean {
    const pipe = pipeOf(handle);
    if (pipe.direction !== direction) throw new Error("a pipe goes one way");
    if (underWay.has(operation) || pipe.pending !== undefined) throw new Error("an operation is under way already");
    if (pipe.isBroken && pipe.waiting.length === 0) return false;
    pipe.pending = operation;
    underWay.add(operation);
    return true;
  }

  return {
    wait() {
      if (waiter !== undefined) throw new Error("already waiting");
      if (completions.length > 0) return Promise.resolve(completions.splice(0));
      return new Promise((resolve) => waiter = resolve);
    },
    wake: () => report({ kind: "woken" }),
    createPipe(direction, key) {
      const failed = failure("CreateNamedPipeW");
      if (failed !== undefined) return failed;
      const pipe: PipeState = { key, direction, waiting: [], pending: undefined, isBroken: false };
      const ours = open("pipe");
      const theirs = open("pipe");
      pipes.set(ours, pipe).set(theirs, pipe);
      return ok({ ours, theirs });
    },
    createConsole(size, { input, output }) {
      const failed = failure("CreatePseudoConsole");
      if (failed !== undefined) return failed;
      const console = open("console");
      const state = { size, input: pipeOf(input), output: pipeOf(output), programs: new Set<ProgramState>() };
      consoles.set(console, { ...state, isClosed: false });
      return ok(console);
    },
    resizeConsole(handle, size) {
      const console = consoles.get(handle);
      if (console === undefined || !handles.has(handle)) throw new Error("no such console");
      console.size = size;
      for (const program of console.programs) program.onResize();
    },
    async closeConsole(handle) {
      release(handle);
      const console = consoles.get(handle);
      if (console === undefined) throw new Error("no such console");
      for (const program of [...console.programs]) {
        queueMicrotask(() => program.onClose === undefined ? end(program, CONSOLE_CLOSED_CODE) : program.onClose());
      }
      console.isClosed = true;
      // An older system's call returns when the output was read.
      while (console.output.waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      console.input.isBroken = true;
      console.output.isBroken = true;
      serveRead(console.output);
    },
    start(options) {
      const failed = failure("CreateProcessW");
      if (failed !== undefined) return failed;
      const console = consoles.get(options.console);
      if (console === undefined) return err({ call: "CreateProcessW", code: 6 });
      const program: ProgramState = {
        console,
        key: options.key,
        pid: nextPid += 4,
        code: undefined,
        isReading: true,
        onInput() {},
        onResize() {},
        onClose: undefined,
      };
      console.programs.add(program);
      const process = open("process");
      const job = open("job");
      programs.set(process, program).set(job, program);
      queueMicrotask(() => play(toPlayed(program, options)));
      return ok({ process, job, pid: program.pid });
    },
    createOperation: (bytes) => ({ bytes, overlapped: new Uint8Array(32) }),
    read(handle, operation) {
      if (!begin(handle, operation, "read")) return false;
      queueMicrotask(() => serveRead(pipeOf(handle)));
      return true;
    },
    write(handle, operation) {
      if (!begin(handle, operation, "write")) return false;
      const pipe = pipeOf(handle);
      const console = [...consoles.values()].find(({ input }) => input === pipe);
      if (console !== undefined) queueMicrotask(() => serveWrite(console));
      return true;
    },
    exitCode(process) {
      const program = programs.get(process);
      if (program === undefined || !handles.has(process)) throw new Error("no such process");
      return program.code;
    },
    endJob(job) {
      const program = programs.get(job);
      if (program === undefined || !handles.has(job)) throw new Error("no such job");
      end(program, KILLED_CODE);
    },
    close(handle) {
      const pipe = pipes.get(handle);
      release(handle);
      if (pipe !== undefined && pipe.pending !== undefined) settle(pipe, 0, true);
    },
    dispose() {
      if (handles.size > 0) throw new Error(`left open: ${[...handles.values()].join(", ")}`);
      if (waiter !== undefined) throw new Error("disposed while parked");
    },
    fail(call, code) {
      if (code === undefined) failing.delete(call);
      else failing.set(call, code);
    },
    setReporting(reporting) {
      isReporting = reporting;
    },
    openHandles: () => handles.size,
  };
}
