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
import type { ExitWatch } from "./exit_watch.ts";
import type { Libc } from "./libc.ts";
import type { OpenLine, Reactor } from "./reactor.ts";
import type { SessionSignals } from "./session_signals.ts";
import { setWindowSize, type Terminal } from "./spawn.ts";

const LINGER_MS = 100;
/** More than the kernel keeps of one terminal's output: a background child that floods must not hold up the end. */
const LAST_OUTPUT_BYTES = 1024 * 1024;
/** A program may close its terminal, and open it again. */
const REARM_MS = 100;

export interface ProcessDeps {
  readonly libc: Libc;
  readonly reactor: Reactor;
  readonly exits: ExitWatch;
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
  readonly gone: Promise<void>;
}

export function createProcess(deps: ProcessDeps, options: ProcessOptions): UnixProcess {
  const { libc, reactor, exits, sessions } = deps;
  const { terminal, pid } = options;
  const encoder = new TextEncoder();
  const reported = Promise.withResolvers<PtyExit>();
  const gone = Promise.withResolvers<void>();
  let exit: PtyExit | undefined;
  let isReported = false;
  let isClosing = false;
  let isKilled = false;
  let size = options.size;
  let wantedSize: PtySize | undefined;
  let rearmTimer: ReturnType<typeof setTimeout> | undefined;
  let lingerTimer: ReturnType<typeof setTimeout> | undefined;
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  let killAtMs = Infinity;
  let foreground: number | undefined;

  const line: OpenLine = reactor.open({
    fd: terminal.master,
    inputLimitBytes: options.inputLimitBytes,
    onData: options.onData,
    onHangUp() {
      if (exit !== undefined) report(exit);
      else rearmTimer = setTimeout(line.rearm, REARM_MS);
    },
  });
  exits.watch(pid, onEnded);

  function onEnded(how: PtyExit): void {
    exit = how;
    line.dropInput();
    // Only now can the terminal hang up, after the last byte.
    libc.symbols.close(terminal.slave);
    clearTimeout(rearmTimer);
    line.rearm();
    if (isClosing) line.setPaused(false);
    linger(how);
  }

  function linger(how: PtyExit): void {
    clearTimeout(lingerTimer);
    lingerTimer = setTimeout(() => {
      // Somebody has stopped the output and will want the rest: resume comes back here.
      if (!line.isPaused()) report(how);
    }, LINGER_MS);
  }

  function report(how: PtyExit): void {
    if (isReported) return;
    isReported = true;
    clearTimeout(lingerTimer);
    line.drain(LAST_OUTPUT_BYTES);
    line.close();
    libc.symbols.close(terminal.master);
    // Others of the session get the rest of their grace, and then the same end.
    const leavesOthers = isClosing && !isKilled && sessions.members(pid).length > 0;
    if (!leavesOthers) {
      clearTimeout(killTimer);
      gone.resolve();
    }
    try {
      options.onExit(how);
    } catch (error) {
      reportError(error);
    }
    reported.resolve(how);
  }

  function kill(): void {
    isKilled = true;
    foreground = isReported ? foreground : sessions.foregroundGroup(terminal.master) ?? foreground;
    sessions.killGroups(pid, foreground === undefined ? [pid] : [pid, foreground], exit !== undefined);
    if (isReported) gone.resolve();
  }

  function killWithin(graceMs: number): void {
    const atMs = performance.now() + graceMs;
    if (atMs >= killAtMs) return;
    killAtMs = atMs;
    clearTimeout(killTimer);
    killTimer = setTimeout(kill, graceMs);
  }

  function applySize(): void {
    const wanted = wantedSize;
    wantedSize = undefined;
    if (wanted === undefined || exit !== undefined) return;
    if (wanted.cols === size.cols && wanted.rows === size.rows) return;
    size = wanted;
    setWindowSize(libc, terminal.master, wanted);
  }

  const process: PtyProcess = {
    pid,
    write(input) {
      if (exit !== undefined) return err({ kind: "closed" });
      const bytes = typeof input === "string" ? encoder.encode(input) : input.slice();
      if (line.write(bytes)) return ok();
      return err({
        kind: "inputQueueFull",
        queuedBytes: line.queuedInputBytes(),
        limitBytes: options.inputLimitBytes,
      });
    },
    queuedInputBytes: () => line.queuedInputBytes(),
    resize(wanted) {
      if (!isPtySize(wanted)) return err({ kind: "invalidSize", size: wanted });
      if (wantedSize === undefined) setTimeout(applySize, 0);
      wantedSize = wanted;
      return ok();
    },
    pause() {
      if (exit === undefined || !isClosing) line.setPaused(true);
    },
    resume() {
      if (isReported) return;
      line.setPaused(false);
      if (exit !== undefined) linger(exit);
    },
    close(graceMs) {
      if (isReported) return reported.promise;
      if (!isClosing) {
        isClosing = true;
        foreground = sessions.foregroundGroup(terminal.master);
        sessions.hangUp(pid);
        if (exit !== undefined) this.resume();
      }
      killWithin(graceMs);
      return reported.promise;
    },
  };
  return { process, gone: gone.promise };
}
