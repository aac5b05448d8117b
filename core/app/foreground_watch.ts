/**
 * Tells when the program that a shell ran has gone, for shells that do not say so themselves (zsh, dash, sh): another
 * job had the terminal's foreground, then the shell has it again, and says no more for a moment.
 *
 * What must stay true: nothing counts as that program's but output read while it had the foreground. What comes later
 * may be the shell's own, which switches on what its prompt needs; and programs that share the shell's process group (a
 * finder opened by a key of the shell) never had it, so they are left alone.
 */
import type { Clock } from "../ports/clock.ts";
import type { PtyProcess } from "../ports/pty.ts";

/** The end of what the program said, and then the prompt, has been read by then. */
const QUIET_MS = 50;

export interface ForegroundWatchOptions {
  readonly clock: Clock;
  readonly process: () => PtyProcess | undefined;
  /** Bytes of output so far. */
  readonly offset: () => number;
  /** Output may wait that has not been read. */
  readonly isPaused: () => boolean;
  /** The shell is back; all output of its programs has come before that offset. */
  readonly onShellBack: (upToOffset: number) => void;
}

export interface ForegroundWatch extends Disposable {
  outputTaken(): void;
}

export function createForegroundWatch(options: ForegroundWatchOptions): ForegroundWatch {
  const { clock, offset } = options;
  /** While another job had the foreground, output had come up to here. */
  let jobUpTo: number | undefined;
  let timer: Disposable | undefined;

  const foreground = () => options.process()?.foreground() ?? "unknown";

  function startTimer(): void {
    const before = offset();
    timer = clock.startTimer(QUIET_MS, () => {
      timer = undefined;
      if (jobUpTo === undefined) return;
      if (offset() > before || options.isPaused()) return startTimer();
      if (foreground() !== "itself") return;
      const upTo = jobUpTo;
      jobUpTo = undefined;
      options.onShellBack(upTo);
    });
  }

  return {
    outputTaken() {
      const owner = foreground();
      if (owner === "another") jobUpTo = offset();
      else if (owner === "itself" && jobUpTo !== undefined && timer === undefined) startTimer();
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      jobUpTo = undefined;
    },
  };
}
