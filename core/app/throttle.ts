/** Runs something at most once per interval: at once the first time, and once more at the end when asked in between. */
import type { Clock } from "../ports/clock.ts";

export interface Throttle extends Disposable {
  request(): void;
}

export function createThrottle(clock: Clock, intervalMs: number, run: () => void): Throttle {
  let timer: Disposable | undefined;
  let asked = false;

  function start(): void {
    timer = clock.startTimer(intervalMs, () => {
      timer = undefined;
      if (!asked) return;
      asked = false;
      start();
      run();
    });
  }

  return {
    request() {
      if (timer !== undefined) {
        asked = true;
        return;
      }
      start();
      run();
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      asked = false;
    },
  };
}
