import type { Timers } from "../timers.ts";

/** Time, as the app sees it: core reads no clock of its own, so tests can move it. */
export interface Clock extends Timers {
  /** Wall clock, epoch milliseconds. It may jump; durations are measured with monotonicMs. */
  nowMs(): number;
}
