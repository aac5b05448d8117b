/** The machine's clock. */
import type { Clock } from "../../core/ports/clock.ts";

// setTimeout keeps its delay in 32 bits and fires at once for more: a longer wait is made of several.
const MAX_DELAY_MS = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    startTimer(delayMs, onElapsed) {
      const dueMs = performance.now() + delayMs;
      let handle: ReturnType<typeof setTimeout> | undefined;
      const arm = (leftMs: number) => {
        handle = setTimeout(
          () => {
            const stillMs = dueMs - performance.now();
            if (leftMs > MAX_DELAY_MS && stillMs > 0) arm(stillMs);
            else onElapsed();
          },
          Math.min(Math.max(leftMs, 0), MAX_DELAY_MS),
        );
      };
      arm(delayMs);
      return { [Symbol.dispose]: () => clearTimeout(handle) };
    },
  };
}
