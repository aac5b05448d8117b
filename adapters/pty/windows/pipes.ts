/** The two pipes of one console as a reader and a writer: one read and one write under way at most. */
import type { Completion, Handle, Kernel } from "./kernel.ts";
import { createInputQueue, type InputQueue } from "../input_queue.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const READ_BYTES = 64 * 1024;
const WRITE_BYTES = 64 * 1024;

export interface OutputReader {
  setPaused(paused: boolean): void;
  isPaused(): boolean;
  /** True when the completion was this reader's. */
  complete(completion: Extract<Completion, { kind: "transferred" }>): boolean;
  isUnderWay(): boolean;
  /** When output came last, on performance.now(). */
  lastMs(): number;
}

export interface OutputReaderOptions {
  /** The array is used again after the call. */
  readonly onData: (bytes: Bytes) => void;
  /** The console is gone, and all it printed was handed over. */
  readonly onEnd: () => void;
}

export function createOutputReader(kernel: Kernel, pipe: Handle, options: OutputReaderOptions): OutputReader {
  const operation = kernel.createOperation(new Uint8Array(READ_BYTES));
  let state: "idle" | "reading" | "held" | "ended" = "idle";
  let length = 0;
  let paused = false;
  let lastMs = performance.now();

  function goOn(): void {
    if (paused) return;
    if (state === "held") {
      state = "idle";
      try {
        options.onData(operation.bytes.subarray(0, length));
      } catch (error) {
        // A listener's bug must not end every other terminal's loop.
        reportError(error);
      }
    }
    if (state !== "idle" || paused) return;
    if (kernel.read(pipe, operation)) state = "reading";
    else end();
  }

  function end(): void {
    if (state === "ended") return;
    state = "ended";
    options.onEnd();
  }

  // Not from within the caller's spawn: nobody is called back from there.
  queueMicrotask(goOn);

  return {
    setPaused(value) {
      if (paused === value) return;
      paused = value;
      if (!value) queueMicrotask(goOn);
    },
    isPaused: () => paused,
    complete(completion) {
      if (completion.operation !== operation) return false;
      lastMs = performance.now();
      length = completion.bytes;
      if (completion.failed) {
        state = "idle";
        end();
      } else {
        state = "held";
        goOn();
      }
      return true;
    },
    isUnderWay: () => state === "reading",
    lastMs: () => lastMs,
  };
}

export interface InputWriter extends InputQueue {
  /** True when the completion was this writer's. */
  complete(completion: Extract<Completion, { kind: "transferred" }>): boolean;
  isUnderWay(): boolean;
}

export function createInputWriter(kernel: Kernel, pipe: Handle, limitBytes: number): InputWriter {
  let underWay: unknown;
  const queue = createInputQueue({
    limitBytes,
    take(bytes) {
      if (underWay !== undefined) return "full";
      const piece = bytes.slice(0, WRITE_BYTES);
      const operation = kernel.createOperation(piece);
      if (!kernel.write(pipe, operation)) return "broken";
      underWay = operation;
      return piece.length;
    },
    onBlocked() {},
  });
  return {
    ...queue,
    complete({ operation, failed }) {
      if (operation !== underWay) return false;
      underWay = undefined;
      if (failed) queue.clear();
      else queue.flush();
      return true;
    },
    isUnderWay: () => underWay !== undefined,
  };
}
