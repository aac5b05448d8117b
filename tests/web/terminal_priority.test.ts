import assert from "node:assert/strict";
import { createPriority } from "../../web/ui/terminal/priority.ts";
import { createFakeClock } from "../fakes/clock.ts";

const KB = 1024;

function setup() {
  const clock = createFakeClock();
  let lateMs = 0;
  const priority = createPriority({
    monotonicMs: () => clock.monotonicMs() + lateMs,
    startTimer: (delayMs, onElapsed) => clock.startTimer(delayMs, onElapsed),
  });
  const FRAME_MS = 16;
  /** busyMs: so long the page was at work meanwhile. */
  const nextFrame = (busyMs = 0) => {
    lateMs += busyMs;
    clock.advance(FRAME_MS);
  };
  const drawn: string[] = [];
  const view = (name: string, isFirst = false) => {
    const state = { isFirst };
    const queue = priority.createQueue(() => state.isFirst);
    let count = 0;
    return {
      push(bytes = 64 * KB) {
        const label = `${name}${++count}`;
        queue.push(bytes, () => drawn.push(label));
      },
      focus: () => void (state.isFirst = true),
      dispose: () => queue[Symbol.dispose](),
    };
  };
  return { clock, priority, drawn, view, nextFrame };
}

Deno.test("when nobody types everything is drawn at once", () => {
  const { drawn, view, clock } = setup();
  const [a, b] = [view("a"), view("b", true)];
  for (let n = 0; n < 2; n++) {
    a.push();
    b.push();
  }
  assert.deepEqual(drawn, ["a1", "b1", "a2", "b2"]);
  clock.advance(16);
  assert.equal(clock.pendingTimers(), 0);
});

Deno.test("only some draw in one frame, each all it has; the others in the next", () => {
  const { drawn, view, nextFrame, clock } = setup();
  const views = Array.from({ length: 7 }, (_, n) => view(`${n}.`));
  for (const each of views) each.push();
  for (const each of views) each.push();
  assert.deepEqual(drawn, ["0.1", "1.1", "2.1", "3.1", "0.2", "1.2", "2.2", "3.2"]);
  nextFrame();
  assert.deepEqual(drawn.slice(8), ["4.1", "4.2", "5.1", "5.2", "6.1", "6.2"]);
  nextFrame();
  assert.equal(clock.pendingTimers(), 0);
});

Deno.test("a frame that comes late halves how many draw, and punctual ones let more draw again", () => {
  const { drawn, view, nextFrame } = setup();
  const views = Array.from({ length: 40 }, (_, n) => view(`${n}.`));
  for (const each of views) each.push();
  const drawnIn = (frame: () => void) => {
    const before = drawn.length;
    frame();
    return drawn.length - before;
  };
  assert.equal(drawn.length, 4);
  assert.deepEqual([0, 40, 40, 40].map((busyMs) => drawnIn(() => nextFrame(busyMs))), [5, 2, 1, 1]);
  assert.deepEqual([10, 0, 0].map((busyMs) => drawnIn(() => nextFrame(busyMs))), [1, 2, 3]);
});

Deno.test("the one with the keyboard draws though the frame is full", () => {
  const { drawn, view } = setup();
  for (let n = 0; n < 6; n++) view(`${n}.`).push();
  view("mine", true).push();
  assert.equal(drawn.at(-1), "mine1");
});

Deno.test("while somebody types the others take turns in portions, and the one with the keyboard does not wait", () => {
  const { drawn, view, clock, priority } = setup();
  const [a, b, mine] = [view("a"), view("b"), view("mine", true)];
  priority.noteKey();
  for (let n = 0; n < 3; n++) {
    a.push();
    b.push();
  }
  mine.push();
  assert.deepEqual(drawn, ["mine1"]);
  clock.advance(24);
  assert.deepEqual(drawn, ["mine1", "a1"]);
  clock.advance(24);
  mine.push();
  assert.deepEqual(drawn, ["mine1", "a1", "b1", "mine2"]);
  clock.advance(24 * 4);
  assert.deepEqual(drawn.slice(4), ["a2", "b2", "a3", "b3"]);
  assert.equal(clock.pendingTimers(), 0);
});

Deno.test("small pieces share a portion", () => {
  const { drawn, view, clock, priority } = setup();
  const a = view("a");
  priority.noteKey();
  for (let n = 0; n < 5; n++) a.push(20 * KB);
  clock.advance(24);
  assert.deepEqual(drawn, ["a1", "a2", "a3"]);
});

Deno.test("when the typing ends all that waits is drawn, in order", () => {
  const { drawn, view, clock, priority } = setup();
  const a = view("a");
  priority.noteKey();
  for (let n = 0; n < 100; n++) a.push();
  clock.advance(330);
  assert.equal(drawn.length, 100);
  assert.deepEqual(drawn, Array.from({ length: 100 }, (_, n) => `a${n + 1}`));
  a.push();
  assert.equal(drawn.at(-1), "a101");
});

Deno.test("a view that gets the keyboard draws what waits before what is new; one that goes draws nothing more", () => {
  const { drawn, view, clock, priority } = setup();
  const [a, b] = [view("a"), view("b")];
  priority.noteKey();
  a.push();
  b.push();
  b.dispose();
  a.focus();
  a.push();
  assert.deepEqual(drawn, ["a1", "a2"]);
  clock.advance(1000);
  assert.deepEqual(drawn, ["a1", "a2"]);
  assert.equal(clock.pendingTimers(), 0);
});
