/** A clock that stands until a test moves it; timers fire in the order of their time, during advance(). */
import type { Clock } from "../../core/ports/clock.ts";

export interface FakeClock extends Clock {
  /** Moves both clocks and fires what falls due, also timers that a fired one starts. */
  advance(ms: number): void;
  /** The wall clock alone jumps: the machine woke up, or somebody set it. */
  jump(ms: number): void;
  /** Timers that are running. */
  pendingTimers(): number;
  /** Until the next of them is due. */
  msToNextTimer(): number | undefined;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly onElapsed: () => void;
}

export function createFakeClock(startMs = 1_800_000_000_000): FakeClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let order = 0;
  const timers = new Set<Timer>();

  const nextDue = (untilMs: number): Timer | undefined =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];

  const moveTo = (toMs: number) => {
    wallMs += toMs - monotonicMs;
    monotonicMs = toMs;
  };

  return {
    nowMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    startTimer(delayMs, onElapsed) {
      if (Number.isNaN(delayMs)) throw new Error("a delay is a number");
      const timer: Timer = { dueMs: monotonicMs + Math.max(0, delayMs), order: order++, onElapsed };
      timers.add(timer);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    advance(ms) {
      if (!(ms >= 0)) throw new Error("time goes forward");
      const untilMs = monotonicMs + ms;
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        timers.delete(timer);
        moveTo(Math.max(monotonicMs, timer.dueMs));
        timer.onElapsed();
      }
      moveTo(untilMs);
    },
    jump(ms) {
      wallMs += ms;
    },
    pendingTimers: () => timers.size,
    msToNextTimer() {
      const next = nextDue(Infinity);
      return next === undefined ? undefined : Math.max(0, next.dueMs - monotonicMs);
    },
  };
}
