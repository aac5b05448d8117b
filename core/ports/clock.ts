/** Time, as the app sees it: core reads no clock of its own, so tests can move it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. It may jump; durations are measured with monotonicMs. */
  nowMs(): number;
  monotonicMs(): number;
  /** Calls back once after delayMs unless disposed before. A negative delay counts as 0. */
  startTimer(delayMs: number, onElapsed: () => void): Disposable;
}
