/**
 * The person's key comes first: while somebody types, terminals that do not have the keyboard draw in small portions, so
 * that the echo of a key never waits behind what twenty others have to draw. They lose nothing: what waits here is not
 * acknowledged, and the server holds the rest back. When nobody types there are no portions.
 */

interface Timers {
  monotonicMs(): number;
  startTimer(delayMs: number, onElapsed: () => void): Disposable;
}

export interface OutputQueue extends Disposable {
  /** Runs it now, or later, but never before what was pushed earlier. bytes: what it draws. */
  push(bytes: number, draw: () => void): void;
}

export interface Priority {
  noteKey(): void;
  /** isFirst: has the keyboard. */
  createQueue(isFirst: () => boolean): OutputQueue;
}

/** Somebody types: from a key until this long after the last one. */
const TYPING_MS = 300;
/** A frame is drawn between two portions, with time left for a key and its echo. */
const PORTION_INTERVAL_MS = 24;
const PORTION_BYTES = 48 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly draw: () => void;
}

export function createPriority(timers: Timers): Priority {
  /** Queues with something in them, the next to be served first. */
  let waiting: Waiting[][] = [];
  let lastKeyMs = -Infinity;
  let timer: Disposable | undefined;

  const isTyping = () => timers.monotonicMs() - lastKeyMs < TYPING_MS;

  function drawPortion(): void {
    timer = undefined;
    let left = isTyping() ? PORTION_BYTES : Infinity;
    while (left > 0) {
      const queue = waiting.shift();
      const next = queue?.shift();
      if (queue === undefined || next === undefined) break;
      if (queue.length > 0) waiting.push(queue);
      left -= next.bytes;
      next.draw();
    }
    if (waiting.length > 0) timer ??= timers.startTimer(PORTION_INTERVAL_MS, drawPortion);
  }

  return {
    noteKey() {
      lastKeyMs = timers.monotonicMs();
    },
    createQueue(isFirst) {
      const queue: Waiting[] = [];
      const drawAll = () => {
        waiting = waiting.filter((other) => other !== queue);
        for (const { draw } of queue.splice(0)) draw();
      };
      return {
        push(bytes, draw) {
          if (isFirst()) drawAll();
          if (isFirst() || queue.length === 0 && !isTyping()) return draw();
          if (queue.length === 0) waiting.push(queue);
          queue.push({ bytes, draw });
          timer ??= timers.startTimer(PORTION_INTERVAL_MS, drawPortion);
        },
        [Symbol.dispose]() {
          queue.length = 0;
          waiting = waiting.filter((other) => other !== queue);
        },
      };
    },
  };
}
