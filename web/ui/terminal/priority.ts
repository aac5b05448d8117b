/**
 * Whose output is drawn when there is more of it than the page can draw.
 *
 * 1. The person's key comes first: the terminal that has the keyboard never waits, and while somebody types the others
 *    draw in small portions, so that an echo never waits behind what twenty others have to draw.
 * 2. Every terminal that draws costs a part of the next frame. Only so many draw in one frame as keep it short; the
 *    others have their turn in the next ones. How many that is shows in how late the next frame comes.
 *
 * They lose nothing: what waits here is not acknowledged, and the server holds the rest back.
 */
import type { Timers } from "../../../core/timers.ts";

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
const FRAME_MS = 16;
/** A frame is drawn between two portions, with time left for a key and its echo. */
const PORTION_INTERVAL_MS = 24;
const PORTION_BYTES = 48 * 1024;
/** Terminals that draw in the first frame, and in any. */
const FIRST_SHARE = 4;
const MAX_SHARE = 64;
/** A frame this late was too full; one less late than the other could have been fuller. */
const LATE_MS = 16;
const PUNCTUAL_MS = 4;

interface Waiting {
  readonly bytes: number;
  readonly draw: () => void;
}

export function createPriority(timers: Timers): Priority {
  /** Queues with something in them, the next to be served first. */
  let waiting: Waiting[][] = [];
  /** Queues that have drawn in this frame. */
  const drawn = new Set<Waiting[]>();
  let share = FIRST_SHARE;
  let lastKeyMs = -Infinity;
  let frame: Disposable | undefined;
  let frameDueMs = 0;

  const isTyping = () => timers.monotonicMs() - lastKeyMs < TYPING_MS;
  const hasRoom = (queue: Waiting[]) => drawn.has(queue) || drawn.size < share;

  function scheduleFrame(): void {
    if (frame !== undefined) return;
    const delayMs = isTyping() ? PORTION_INTERVAL_MS : FRAME_MS;
    frameDueMs = timers.monotonicMs() + delayMs;
    frame = timers.startTimer(delayMs, beginFrame);
  }

  function beginFrame(): void {
    frame = undefined;
    const lateMs = timers.monotonicMs() - frameDueMs;
    if (lateMs > LATE_MS) share = Math.max(1, Math.floor(drawn.size / 2));
    else if (lateMs < PUNCTUAL_MS && waiting.length > 0) share = Math.min(MAX_SHARE, share + 1);
    drawn.clear();
    if (isTyping()) drawPortion();
    else drawShare();
    if (waiting.length > 0 || drawn.size > 0) scheduleFrame();
  }

  function drawPortion(): void {
    for (let left = PORTION_BYTES; left > 0;) {
      const queue = waiting.shift();
      const next = queue?.shift();
      if (queue === undefined || next === undefined) break;
      if (queue.length > 0) waiting.push(queue);
      left -= next.bytes;
      next.draw();
    }
  }

  function drawShare(): void {
    for (const queue of waiting.splice(0, share)) drawAll(queue);
  }

  function drawAll(queue: Waiting[]): void {
    waiting = waiting.filter((other) => other !== queue);
    drawn.add(queue);
    for (const { draw } of queue.splice(0)) draw();
  }

  return {
    noteKey() {
      lastKeyMs = timers.monotonicMs();
    },
    createQueue(isFirst) {
      const queue: Waiting[] = [];
      return {
        push(bytes, draw) {
          if (isFirst()) {
            drawAll(queue);
            draw();
          } else if (queue.length === 0 && !isTyping() && hasRoom(queue)) {
            drawn.add(queue);
            draw();
          } else {
            if (queue.length === 0) waiting.push(queue);
            queue.push({ bytes, draw });
          }
          scheduleFrame();
        },
        [Symbol.dispose]() {
          queue.length = 0;
          drawn.delete(queue);
          waiting = waiting.filter((other) => other !== queue);
        },
      };
    },
  };
}
