/**
 * One program on its terminal, from the start to the report of its end.
 *
 * running → ended (reaped; its last output is still to come) → reported (once, after the last byte; descriptors closed)
 *
 * Output ends when the terminal hangs up, or LINGER_MS after the program ended: background children may hold the
 * terminal for ever.
 */
import { err, ok } from "../../../core/result.ts";
import { isPtySize, type PtyExit, type PtyProcess, type PtySize } from "../../../core/ports/pty.ts";
import type { Descriptors } from "./descriptors.ts";
import type { ExitWatch } from "./exit_watch.ts";
import type { OpenLine, Reactor } from "./reactor.ts";
import { createSessionEnd } from "./session_end.ts";
import type { SessionSignals } from "./session_signals.ts";
import type { Terminal } from "./spawn.ts";

const LINGER_MS = 100;
/** More than the kernel keeps of one terminal's output: a background child that floods must not hold up the end. */
const LAST_OUTPUT_BYTES = 1024 * 1024;
/** A program may close its terminal, and open it again. */
const REARM_MS = 100;

export interface ProcessDeps {
  readonly descriptors: Pick<Descriptors, "close" | "setWindowSize" | "foregroundGroup">;
  readonly reactor: Pick<Reactor, "open">;
  readonly exits: Pick<ExitWatch, "watch">;
  readonly sessions: SessionSignals;
}

export interface ProcessOptions {
  readonly terminal: Terminal;
  readonly pid: number;
  readonly size: PtySize;
  readonly inputLimitBytes: number;
  readonly onData: (bytes: Uint8Array) => void;
  readonly onExit: (exit: PtyExit) => void;
}

export interface UnixProcess {
  readonly process: PtyProcess;
  /** The end was reported, and what close was to end has ended. */
  readonly gone: Promise<unknown>;
}

export function createProcess(deps: ProcessDeps, options: ProcessOptions): UnixProcess {
  const { descriptors, reactor, exits, sessions } = deps;
  const { terminal, pid } = options;
  const encoder = new TextEncoder();
  const reported = Promise.withResolvers<PtyExit>();
  const end = createSessionEnd(sessions, { session: pid, terminal: terminal.master });
  const resize = createResizer(options.size, (size) => {
    if (exit === undefined) descriptors.setWindowSize(terminal.master, size);
  });
  let exit: PtyExit | undefined;
  let lastBytes = 0;
  let hasHungUp = false;
  let isReported = false;
  let isClosing = false;
  let rearmTimer: ReturnType<typeof setTimeout> | undefined;
  let lingerTimer: ReturnType<typeof setTimeout> | undefined;

  const line: OpenLine = reactor.open({
    fd: terminal.master,
    inputLimitBytes: options.inputLimitBytes,
    onData(bytes) {
      if (exit !== undefined) lastBytes += bytes.length;
      options.onData(bytes);
    },
    onHangUp() {
      hasHungUp = true;
      if (exit === undefined) rearmTimer = setTimeout(rearm, REARM_MS);
      else finish(exit);
    },
  });
  exits.watch(pid, onEnded);

  function onEnded(how: PtyExit): void {
    exit = how;
    line.dropInput();
    // Only now can the terminal hang up, after the last byte.
    descriptors.close(terminal.slave);
    clearTimeout(rearmTimer);
    rearm();
    if (isClosing) line.setPaused(false);
    end.programReaped();
    linger(how);
  }

  function rearm(): void {
    hasHungUp = false;
    line.rearm();
  }

  function linger(how: PtyExit): void {
    clearTimeout(lingerTimer);
    lingerTimer = setTimeout(() => finish(how), hasHungUp ? 0 : LINGER_MS);
  }

  function finish(how: PtyExit): void {
    // Who has stopped the output will want the rest, and then the end: resume lingers again.
    if (line.isPaused()) return;
    line.drain(Math.max(0, LAST_OUTPUT_BYTES - lastBytes));
    if (!line.isPaused()) report(how);
  }

  function report(how: PtyExit): void {
    if (isReported) return;
    isReported = true;
    clearTimeout(lingerTimer);
    line.close();
    descriptors.close(terminal.master);
    try {
      options.onExit(how);
    } catch (error) {
      reportError(error);
    }
    reported.resolve(how);
  }

  function resume(): void {
    // Asked again and again, it must not put the end off each time.
    if (isReported || !line.isPaused()) return;
    line.setPaused(false);
    if (exit !== undefined) linger(exit);
  }

  const process: PtyProcess = {
    pid,
    write(input) {
      if (exit !== undefined) return err({ kind: "closed" });
      if (line.write(typeof input === "string" ? encoder.encode(input) : input.slice())) return ok();
      const queuedBytes = line.queuedInputBytes();
      return err({ kind: "inputQueueFull", queuedBytes, limitBytes: options.inputLimitBytes });
    },
    queuedInputBytes: () => line.queuedInputBytes(),
    resize,
    foreground() {
      const group = exit === undefined ? descriptors.foregroundGroup(terminal.master) : undefined;
      if (group === undefined) return "unknown";
      // The program leads the session, and so a group of its own.
      return group === pid ? "itself" : "another";
    },
    pause() {
      if (exit === undefined || !isClosing) line.setPaused(true);
    },
    resume,
    close(graceMs) {
      // After the end only when others are still being ended: an ended program's session is nobody's to end.
      if (!isReported || isClosing) end.begin(graceMs);
      isClosing = true;
      if (exit !== undefined) resume();
      return reported.promise;
    },
  };
  return { process, gone: Promise.all([reported.promise, end.done]) };
}

/** Applies the last of several sizes in a later turn; programs redraw everything for each one they hear of. */
function createResizer(initial: PtySize, apply: (size: PtySize) => void): PtyProcess["resize"] {
  let size = initial;
  let wanted: PtySize | undefined;

  function applyWanted(): void {
    const changes = wanted !== undefined && (wanted.cols !== size.cols || wanted.rows !== size.rows);
    size = wanted ?? size;
    wanted = undefined;
    if (changes) apply(size);
  }

  return (size) => {
    if (!isPtySize(size)) return err({ kind: "invalidSize", size });
    if (wanted === undefined) setTimeout(applyWanted, 0);
    wanted = size;
    return ok();
  };
}
