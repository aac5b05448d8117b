import assert from "node:assert/strict";
import { syncScrollbarPerFrame } from "../../web/ui/terminal/scroll_sync.ts";

function setup() {
  const done: string[] = [];
  const frames: (() => void)[] = [];
  const scrollbar = {
    _sync: (...position: readonly (number | undefined)[]) => void done.push(`sync ${position.join()}`.trim()),
    scrollLines: (lines: number) => void done.push(`scroll ${lines}`),
    scrollToLine: (line: number) => void done.push(`to ${line}`),
  };
  syncScrollbarPerFrame({
    _core: { _viewport: scrollbar, _renderService: { addRefreshCallback: (frame: () => void) => frames.push(frame) } },
  });
  return { done, scrollbar, nextFrame: () => frames.splice(0).forEach((frame) => frame()) };
}

Deno.test("lines that scroll move the scrollbar once, in the next frame", () => {
  const { done, scrollbar, nextFrame } = setup();
  for (let line = 0; line < 100; line++) scrollbar._sync();
  assert.deepEqual(done, []);
  nextFrame();
  scrollbar._sync();
  nextFrame();
  assert.deepEqual(done, ["sync", "sync"]);
});

Deno.test("whoever scrolls starts from where the output has moved it", () => {
  const { done, scrollbar, nextFrame } = setup();
  scrollbar._sync();
  scrollbar.scrollLines(-3);
  scrollbar._sync();
  scrollbar.scrollToLine(7);
  nextFrame();
  assert.deepEqual(done, ["sync", "scroll -3", "sync", "to 7"]);
});

Deno.test("a position from a frame is set at once", () => {
  const { done, scrollbar, nextFrame } = setup();
  scrollbar._sync();
  scrollbar._sync(5);
  scrollbar._sync(undefined);
  nextFrame();
  assert.deepEqual(done, ["sync 5", "sync"]);
});

Deno.test("a terminal that is made otherwise stays as it is", () => {
  syncScrollbarPerFrame({});
  syncScrollbarPerFrame({ _core: { _viewport: {} } });
});
