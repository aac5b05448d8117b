/** Passes on that something changed at once, and then at most every INTERVAL_MS while it goes on changing. */
import type { Clock } from "../core/ports/clock.ts";

const INTERVAL_MS = 500;

export interface Coalescer extends Disposable {
  readonly notice: () => void;
}

export function createCoalescer(clock: Clock, pass: () => void): Coalescer {
  let resting: Disposable | undefined;
  let changedMeanwhile = false;

  function passOn(): void {
    changedMeanwhile = false;
    resting = clock.startTimer(INTERVAL_MS, () => {
      resting = undefined;
      if (changedMeanwhile) passOn();
    });
    pass();
  }

  return {
    notice() {
      if (resting === undefined) passOn();
      else changedMeanwhile = true;
    },
    [Symbol.dispose]() {
      resting?.[Symbol.dispose]();
      changedMeanwhile = false;
    },
  };
}
