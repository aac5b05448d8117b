/** The part of a clock that times something: what the page's code and pure code need of it. */
export interface Timers {
  /** Milliseconds since some moment; never jumps. */
  monotonicMs(): number;
  /** Calls back once after delayMs unless disposed before. A negative delay counts as 0. */
  startTimer(delayMs: number, onElapsed: () => void): Disposable;
}
