/**
 * One program on its pseudo-console, from the start to the report of its end.
 *
 * running → ended (its console prints the last of it) → console closing (it hands over what it has, and lets go) →
 * reported (once, after the last byte; all handles closed)
 *
 * Closing the console is what SIGHUP is elsewhere: every program on it is told, and ended by the system after a while.
 */
import { err, ok } from "../../../core/result.ts";
import { isPtySize, type PtyExit, type PtyProcess, type PtySize } from "../../../core/ports/pty.ts";
import type { Handle, Kernel, Started } from "./kernel.ts";
import type { CompletionLoop } from "./loop.ts";
import { createInputWriter, createOutputReader } from "./pipes.ts";

/** The console draws at most every 16 ms: after this long without output it has drawn what the program left. */
const QUIET_MS = 50;
/** ... and so long a program in the background may go on printing. */
const QUIET_LIMIT_MS = 300;
/** A console that was closed lets go of its output; if it does not, the end is reported without. */
const LET_GO_MS = 1_000;
/** The system does not promise to deliver a job's reports, so the program is looked at as well. */
const LOOK_MS = 1_000;

export interface WindowsProcessOptions {
  readonly key: number;
  readonly console: Handle;
  /** Our ends. */
  readonly input: Handle;
  readonly output: Handle;
  readonly started: Started;
  readonly size: PtySize;
  readonly inputLimitBytes: number;
  readonly onData: (bytes: Uint8Array) => void;
  readonly onExit: (exit: PtyExit) => void;
}

export interface WindowsProcess {
  readonly process: PtyProcess;
  readonly gone: Promise<unknown>;
}

export function createWindowsProcess(
  { kernel, loop }: { readonly kernel: Kernel; readonly loop: CompletionLoop },
  options: WindowsProcessOptions,
): WindowsProcess {
  const { started, console, input, output } = options;
  const encoder = new TextEncoder();
  const reported = Promise.withResolvers<PtyExit>();
  const gone = Promise.withResolvers<void>();
  let exit: PtyExit | undefined;
  let endedMs = 0;
  let consoleState: "open" | "closing" | "closed" = "open";
  let hasOutputEnded = false;
  let hasWaited = false;
  let isClosing = false;
  let isReported = false;
  let wanted: PtySize | undefined;
  let killAtMs = Infinity;
  const timers: Partial<Record<"quiet" | "kill" | "letGo" | "look", ReturnType<typeof setTimeout>>> = {};

  const reader = createOutputReader(kernel, output, {
    onData: options.onData,
    onEnd() {
      hasOutputEnded = true;
      reportWhenDone();
    },
  });
  const writer = createInputWriter(kernel, input, options.inputLimitBytes);
  const handling = loop.handle(options.key, {
    onTransferred(completion) {
      if (!reader.complete(completion)) writer.complete(completion);
      leaveWhenDone();
    },
    onProcessEnded(pid) {
      if (pid === started.pid) look();
    },
  });
  look();

  function look(): void {
    if (exit !== undefined) return;
    clearTimeout(timers.look);
    const code = kernel.exitCode(started.process);
    if (code === undefined) timers.look = setTimeout(look, LOOK_MS);
    else ended({ kind: "exited", code });
  }

  function ended(how: PtyExit): void {
    exit = how;
    endedMs = performance.now();
    clearTimeout(timers.kill);
    writer.clear();
    closeWhenQuiet();
    reportWhenDone();
  }

  function closeWhenQuiet(): void {
    clearTimeout(timers.quiet);
    if (exit === undefined || consoleState !== "open" || reader.isPaused()) return;
    const nowMs = performance.now();
    const isQuiet = nowMs - Math.max(reader.lastMs(), endedMs) >= QUIET_MS || nowMs - endedMs >= QUIET_LIMIT_MS;
    if (isQuiet) closeConsole();
    else timers.quiet = setTimeout(closeWhenQuiet, QUIET_MS);
  }

  function closeConsole(): void {
    if (consoleState !== "open") return;
    consoleState = "closing";
    clearTimeout(timers.quiet);
    void kernel.closeConsole(console).then(() => {
      consoleState = "closed";
      reportWhenDone();
    });
  }

  function reportWhenDone(): void {
    // Who has stopped the output will want the rest, and then the end: resume comes back here.
    if (exit === undefined || isReported || reader.isPaused()) return;
    if (hasOutputEnded || hasWaited) report(exit);
    else if (consoleState === "closed") {
      timers.letGo ??= setTimeout(() => {
        hasWaited = true;
        reportWhenDone();
      }, LET_GO_MS);
    }
  }

  function report(how: PtyExit): void {
    if (isReported) return;
    isReported = true;
    for (const timer of Object.values(timers)) clearTimeout(timer);
    closeConsole();
    for (const handle of [input, output, started.process, started.job]) kernel.close(handle);
    try {
      options.onExit(how);
    } catch (error) {
      reportError(error);
    }
    reported.resolve(how);
    leaveWhenDone();
  }

  /** The system still writes into what is under way, so the loop goes on until it has reported. */
  function leaveWhenDone(): void {
    if (!isReported || reader.isUnderWay() || writer.isUnderWay()) return;
    handling[Symbol.dispose]();
    gone.resolve();
  }

  function applySize(): void {
    const size = wanted;
    wanted = undefined;
    if (size !== undefined && exit === undefined && consoleState === "open") kernel.resizeConsole(console, size);
  }

  const process: PtyProcess = {
    pid: started.pid,
    write(text) {
      if (exit !== undefined || isClosing) return err({ kind: "closed" });
      if (writer.push(typeof text === "string" ? encoder.encode(text) : text.slice())) return ok();
      const queuedBytes = writer.queuedBytes();
      return err({ kind: "inputQueueFull", queuedBytes, limitBytes: options.inputLimitBytes });
    },
    queuedInputBytes: () => writer.queuedBytes(),
    foreground: () => "unknown",
    resize(size) {
      if (!isPtySize(size)) return err({ kind: "invalidSize", size });
      if (wanted === undefined) setTimeout(applySize, 0);
      wanted = size;
      return ok();
    },
    pause() {
      // An older system's console closes only while its output is read.
      if (!isClosing) reader.setPaused(true);
    },
    resume() {
      reader.setPaused(false);
      // In a later turn, after what was held is handed over.
      queueMicrotask(() => {
        closeWhenQuiet();
        reportWhenDone();
      });
    },
    close(graceMs) {
      isClosing = true;
      if (isReported) return reported.promise;
      reader.setPaused(false);
      if (exit === undefined) closeConsole();
      const atMs = performance.now() + graceMs;
      if (atMs < killAtMs && exit === undefined) {
        killAtMs = atMs;
        clearTimeout(timers.kill);
        timers.kill = setTimeout(() => kernel.endJob(started.job), graceMs);
      }
      return reported.promise;
    },
  };
  return { process, gone: gone.promise };
}
