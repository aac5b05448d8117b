/**
 * Learns how children ended: one SIGCHLD listener, and a look at every child that is known, never at others, so that
 * Deno.Command keeps its own. Signals merge, hence the look at all; a look costs a microsecond.
 */
import type { PtyExit } from "../../../core/ports/pty.ts";
import type { Libc } from "./libc.ts";

const WNOHANG = 1;

export interface ExitWatch extends Disposable {
  /** Must come before the first child starts: its signal would find nobody. */
  start(): void;
  /** Calls back once, in a later turn; the process is reaped by then. */
  watch(pid: number, onEnded: (exit: PtyExit) => void): void;
}

export function createExitWatch(libc: Libc): ExitWatch {
  const children = new Map<number, (exit: PtyExit) => void>();
  const status = new Int32Array(1);
  const statusBytes = new Uint8Array(status.buffer);
  let isListening = false;

  function lookAtAll(): void {
    for (const [pid, onEnded] of [...children]) {
      const result = libc.symbols.waitpid(pid, statusBytes, WNOHANG);
      if (result === 0) continue;
      children.delete(pid);
      // Negative: somebody else reaped it, and how it ended is lost.
      onEnded(result === pid ? parseWaitStatus(status[0] ?? 0) : { kind: "exited", code: -1 });
    }
  }

  return {
    start() {
      if (isListening) return;
      isListening = true;
      Deno.addSignalListener("SIGCHLD", lookAtAll);
    },
    watch(pid, onEnded) {
      children.set(pid, onEnded);
      // It may have ended before it was known here.
      queueMicrotask(lookAtAll);
    },
    [Symbol.dispose]() {
      if (isListening) Deno.removeSignalListener("SIGCHLD", lookAtAll);
      isListening = false;
    },
  };
}

/** The status of waitpid without WUNTRACED: low seven bits the signal, or 0 and the code in the next eight. */
export function parseWaitStatus(status: number): PtyExit {
  const signal = status & 0x7f;
  return signal === 0 ? { kind: "exited", code: (status >> 8) & 0xff } : { kind: "signalled", signal };
}
