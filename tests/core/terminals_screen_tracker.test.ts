/**
 * What is known of the screen without drawing it. Two things are checked: that it is never more than is true, against a
 * terminal that draws, and that it is as much as is said here, since too little is right too and makes nothing fail.
 */
import assert from "node:assert/strict";
import { createEmulator, type Emulator } from "../../adapters/terminal_state/emulator.ts";
import { type TrackOptions, trackOutput } from "../helpers/tracked_output.ts";

const encoder = new TextEncoder();
const SIZE = { cols: 10, rows: 4 };

const CONTEXTS: readonly string[] = [
  "",
  "\n\n\n\n\n",
  "ab\r\ncd",
  "\n\n\n\nxxxxxxxxxx",
  "\x1b[2;3r\x1b[3;5H",
  "\x1b[2;3r\x1b[4;1H",
  "\x1b[2;3r\x1b[1;1H",
  "\x1b[1;3r\x1b[3;1H",
  "\x1b[2;4r\x1b[?6h\x1b[2;2H",
  "\x1b[20h\n\n\nab",
  "\x1b[?7l\n\n\nab",
  "\x1b[?45h\n\nab",
  "\x1b[4h\n\n\nab",
  "\x1b[4;3H\x1b7\x1b[2;2H",
  "\n\n\n\x1b7\x1b[?1049h\x1b[4;4H",
  "\x1b[?47h\x1b[4;4H\x1b7\x1b[2;2H",
  "\x1b[?1049h\x1b[2;3r\x1b[?1049l",
];

const OPERATIONS: readonly string[] = [
  ..."\b\t\n\v\f\r\x0e\x0f\x18".split(""),
  ..."\u0084 \u0085 \u0088".split(" "),
  ..."7 8 D E H M c n o | } ~ = >".split(" ").map((final) => `\x1b${final}`),
  "\x1b#8",
  "\x1b(0",
  "\x1b%G",
  ...["", "0", "1", "2", "9"].flatMap((first) =>
    "ABCDEFGHIJKLMPSTXZ@`abdefghlrsu".split("").map((final) => `\x1b[${first}${final}`)
  ),
  ..."1;1H 2;1H 4;4H 9;99H 3;1f ;5H 2;3r 1;4r 3;9r 3;2r 1;1r".split(" ").map((csi) => `\x1b[${csi}`),
  ..."3J ?2J ?1K !p 2'} 2'~ 2 @ 2 A 20h 20l 4h".split(" ").map((csi) => `\x1b[${csi}`),
  ...[1, 2, 6, 7, 45, 47, 1047, 1048, 1049].flatMap((mode) => [`\x1b[?${mode}h`, `\x1b[?${mode}l`]),
  "x",
  "é",
  "日",
  "xxxxxxxxxxx",
  "日本語日本語",
];

/** What follows shows what was wrong. */
const FOLLOWING: readonly string[] = ["\n", "\r\n\n\n", "\x1b8", "\x1b[?1049l\n\n", "\x1bM\n", "xxxxxxxxxxxx\n\n"];

function assertTrue(output: string, emulator: Emulator): void {
  const { facts } = trackOutput(output, { size: SIZE });
  const { lowestRow, atLineStart, scrolls } = facts.tracker.counters;
  const { x, y, scrollTop, scrollBottom } = emulator.active();
  const what = JSON.stringify(output);
  assert.ok(lowestRow <= y, `${what}: row ${y}, said to be ${lowestRow} or below`);
  assert.ok(!atLineStart || x === 0, `${what}: column ${x}, said to be 0`);
  // What was erased had scrolled before.
  const isCounted = !/\x1bc|\x1b\[3J/.test(output);
  assert.ok(!isCounted || scrolls <= emulator.normal().ybase, `${what}: ${scrolls} scrolls`);
  assert.deepEqual(facts.tracker.margins(), { top: scrollTop, bottom: scrollBottom }, what);
  assert.equal(facts.modes.alternateScreen !== 0, emulator.active() === emulator.alternate(), what);
}

Deno.test("screen tracker: nothing that it knows is untrue", () => {
  let turn = 0;
  for (const context of CONTEXTS) {
    for (const operation of OPERATIONS) {
      const following = FOLLOWING[turn++ % FOLLOWING.length] ?? "";
      using emulator = createEmulator(SIZE, 100);
      let output = "";
      for (const piece of [context + operation, following]) {
        output += piece;
        emulator.write(encoder.encode(piece));
        assertTrue(output, emulator);
      }
    }
  }
});

/** Output, then what is known: the lowest row the cursor can be in, scrolls, whether it is in the first column. */
const KNOWN: readonly (readonly [string, number, number, boolean])[] = [
  ["", 0, 0, true],
  ["\n\n", 2, 0, true],
  ["\n\n\n\n\n", 3, 2, true],
  ["\v\f\n\x1bD\u0084", 3, 2, true],
  ["ab\x1bE", 1, 0, true],
  ["ab\u0085", 1, 0, true],
  ["ab\n", 1, 0, false],
  ["ab\r\n", 1, 0, true],
  ["ab\x1b\r7", 0, 0, true],
  ["\x1b[20hab\x1b[31\nm", 0, 0, true],
  ["\x1b[20hab\x1bD", 0, 0, false],
  ["\x1b[20hab\u0084", 0, 0, false],
  ["\x1b[20hab\u0085", 0, 0, true],
  ["\t", 0, 0, false],
  ["\r\t\r", 0, 0, true],
  ["\n\n\b", 2, 0, true],
  ["\x1b[?45h\n\n\b", 0, 0, false],
  ["\n\n\n\x1b[A", 2, 0, true],
  ["\n\n\n\x1b[2A", 1, 0, true],
  ["\n\n\n\x1b[9A", 0, 0, true],
  ["\n\n\nab\x1b[2F", 1, 0, true],
  ["\n\n\n\x1bM", 2, 0, true],
  ["\n\nab\x1b[2E", 2, 0, true],
  ["\n\nab\x1b[2B", 2, 0, false],
  ["\x1b[3;1H", 2, 0, true],
  ["\x1b[3;2H", 2, 0, false],
  ["\x1b[3H", 2, 0, true],
  ["\x1b[;3f", 0, 0, false],
  ["\x1b[99;1H", 3, 0, true],
  ["\x1b[4d", 3, 0, true],
  ["ab\x1b[G", 0, 0, true],
  ["ab\x1b[1`", 0, 0, true],
  ["ab\x1b[2G", 0, 0, false],
  ["\n\n\x1b[C", 2, 0, false],
  ["\n\n\x1b[L", 2, 0, true],
  ["\n\n\x1b[M", 2, 0, true],
  ["\x1b[2;3r", 0, 0, true],
  ["\x1b[2;3r\x1b[4;1H", 3, 0, true],
  ["\x1b[2;3r\n\n\n\n\n", 0, 0, true],
  ["\x1b[2;3r\x1b[r\n\n\n\n\n", 3, 2, true],
  ["\x1b[2;3r\x1b[!p\n\n\n\n\n", 3, 2, true],
  ["\x1b[3;2r\n\n\n\n\n", 3, 2, true],
  ["\x1b[2;3r\x1bc\n\n\n\n\n", 3, 2, true],
  ["\x1b[?6h\n\n\n\n", 0, 0, true],
  ["\x1b[?6h\x1b[3;1H", 0, 0, true],
  ["\x1b[?45h\n\n\n\n\n", 0, 0, true],
  ["\x1b[?6h\x1b[?6l\n\n\n\n\n", 3, 2, true],
  ["\x1b[?1049h\n\n\n\n\n", 0, 0, false],
  ["\x1b[?1049h\x1b[4;1H", 3, 0, true],
  ["\x1b[?1049h\x1b[2;3r\x1b[?1049l\x1b[4;1H\n\n", 3, 2, true],
  ["\x1b[?1049h\x1bc\n\n\n\n\n", 3, 2, true],
  ["\n\n\n\x1b7\x1b8", 0, 0, false],
  ["\n\n\n\x1b[s\x1b[u", 0, 0, false],
  ["\n\n\n\x1b#8", 0, 0, false],
  ["\n\n\n\x1b[2b", 3, 0, false],
  ["\n\n\n\x1b[31m\x1b[2 q\x1b[c\x1b[5n\x1b[18t", 3, 0, true],
  ["\n\n\n\x1b[S\x1b[T\x1b[P\x1b[@\x1b[X", 3, 0, true],
];

Deno.test("screen tracker: what it knows of the cursor", () => {
  for (const [output, lowestRow, scrolls, atLineStart] of KNOWN) {
    const { counters } = trackOutput(output, { size: SIZE }).facts.tracker;
    const known = [counters.lowestRow, counters.scrolls, counters.atLineStart];
    assert.deepEqual(known, [lowestRow, scrolls, atLineStart], JSON.stringify(output));
  }
});

/** The last point there is, once so much has come that every one counts. */
function lastPoint(output: string, options: TrackOptions = {}): string {
  const { facts } = trackOutput(output, { size: SIZE, ...options });
  const progress = { ...facts.tracker.progress(), scrolls: 1e9 };
  const point = facts.tracker.points.complete(progress, Infinity);
  if (point === undefined) return "none";
  return `${point.kind} ${point.offset} ${point.cursor.col},${point.cursor.row}`;
}

const CLEARED = "\x1b[H\x1b[2J\x1b[3J";

const POINTS: readonly (readonly [output: string, point: string])[] = [
  ["", "blank 0 0,0"],
  ["abc", "blank 0 0,0"],
  [`abc${CLEARED}`, "blank 14 0,0"],
  ["abc\x1b[3J\x1b[2J\x1b[H", "blank 14 0,0"],
  ["abc\x1b[2J\x1b[3J\x1b[H", "blank 14 0,0"],
  ["abc\x1b[H\x1b[J\x1b[3J", "blank 13 0,0"],
  ["abc\x1b[2J\x1b[3J\x1b[3;5H", "blank 17 4,2"],
  ["abc\x1b[2J\x1b[3J\x1b[99;99H", "blank 19 9,3"],
  [`abc${CLEARED}\x1b[31m`, "blank 14 0,0"],
  [`\x1b[31m${CLEARED}`, "blank 16 0,0"],
  [`abc\x1b[41m${CLEARED}`, "blank 0 0,0"],
  [`\x1b[41m\x1b[m${CLEARED}`, "blank 19 0,0"],
  ["abc\x1b[2;1H\x1b[J\x1b[3J", "blank 0 0,0"],
  ["abc\x1b[H\x1b[1J\x1b[3J", "blank 0 0,0"],
  ["abc\x1b[H\x1b[2J", "blank 0 0,0"],
  ["abc\x1b[2J\x1b[3J", "blank 0 0,0"],
  ["abc\x1b[2Jx\x1b[3J\x1b[H", "blank 0 0,0"],
  ["abc\x1b[2J\n\x1b[3J\x1b[H", "blank 0 0,0"],
  ["abc\x1b[2J\x1b[3J\x1b[H\x1b[B", "blank 14 0,0"],
  [`abc\x1b[?1049h${CLEARED}`, "blank 0 0,0"],
  ["abc\x1b[?1049h\x1b[H\x1b[2J\x1b[3J\x1b[?1049l\x1b[H", "blank 0 0,0"],
  [`abc\x1b[2;3r${CLEARED}`, "blank 0 0,0"],
  [`abc\x1b[?6h${CLEARED}`, "blank 0 0,0"],
  [`abc\x1bH${CLEARED}`, "blank 0 0,0"],
  [`abc\u0088${CLEARED}`, "blank 0 0,0"],
  [`abc\x1b[3g${CLEARED}`, "blank 0 0,0"],
  [`abc\x1bH\x1bc`, "blank 7 0,0"],
  ["abc\x1bc", "blank 5 0,0"],
  ["abc\x1b[?1049h\x1bc", "blank 13 0,0"],
  [`\x1b[4m\x1b7\x1b[m\x1b8${CLEARED}`, "blank 0 0,0"],
  [`\x0e\x1b)0\x1b7\x0f\x1b8${CLEARED}`, "blank 0 0,0"],
  ["abc\x1b[2;4r\x1b[?6h\x1b[H\x1b[J\x1b[3J\x1b[?6l\x1b[r", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\n", "lineStart 8 0,3"],
  ["\x1bH\r\n\r\n\r\n\r\n", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\nab\ncd", "lineStart 8 0,3"],
  ["\r\n\r\n\r\nab\r\n", "lineStart 10 0,3"],
  ["\r\n\r\n\r\n\r\n\x1bM", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\n\x1b[T", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\n\x1b[L", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\nx\x1b[b", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\n\x1b#8", "blank 0 0,0"],
  ["\r\n\r\n\r\n\r\n\x1b[?1049h\x1bM", "lineStart 8 0,3"],
  ["\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\x1bM", "lineStart 8 0,3"],
];

Deno.test("screen tracker: the points that it finds", () => {
  for (const [output, point] of POINTS) assert.equal(lastPoint(output), point, JSON.stringify(output));
});

Deno.test("screen tracker: points keep their distance", () => {
  const lines = "\r\n".repeat(100);
  const { facts } = trackOutput(lines, { size: SIZE, pointDistanceBytes: 50 });
  const progress = { ...facts.tracker.progress(), scrolls: 1e9 };
  const offsets = new Set(
    Array.from({ length: 200 }, (_, offset) => facts.tracker.points.complete(progress, offset)?.offset),
  );
  assert.deepEqual([...offsets], [0, 50, 100, 150]);
});

Deno.test("screen tracker: a point is saturated once the scrollback has been filled since it was last empty", () => {
  const lines = (count: number) => "\r\n".repeat(count);
  const scrollback = 5;
  const latest = (output: string) => lastPoint(output, { scrollback });
  assert.equal(latest(lines(7)), "blank 0 0,0");
  assert.equal(latest(lines(8)), "lineStart 16 0,3");
  assert.equal(latest(`${lines(20)}\x1b[3J${lines(4)}`), "lineStart 40 0,3");
  assert.equal(latest(`${lines(20)}\x1b[3J${lines(5)}`), "lineStart 54 0,3");
  assert.equal(latest(`${lines(20)}\x1b[?1049h\x1b[3J\x1b[?1049l\x1b[4;1H${lines(1)}`), "lineStart 68 0,3");
});

Deno.test("screen tracker: a change of size makes unknown what moves with the lines", () => {
  const tracked = trackOutput("\r\n\r\n\r\n\r\n\x1b7\x1b[2;3r", { size: SIZE, scrollback: 5 });
  const { tracker } = tracked.facts;
  const before = tracker.tabChanges();
  tracked.facts.resized({ cols: 20, rows: 6 });
  assert.equal(tracker.tabChanges(), before, "tab stops at every eighth stay so");
  assert.deepEqual(tracker.margins(), { top: 0, bottom: 5 });
  assert.deepEqual([tracker.counters.cols, tracker.counters.bottomRow, tracker.counters.lowestRow], [20, 5, 0]);
  assert.equal(tracker.known().savedNormal.place.kind, "unknown");
  assert.equal(tracker.known().savedAlternate.place.kind, "known", "never saved");
  tracked.write("\x1bH");
  tracker.learnTabs([3]);
  tracked.facts.resized({ cols: 30, rows: 6 });
  assert.equal(tracker.tabChanges(), before + 2, "others are looked up again");
  // Six lines are on the screen, and five above are to come.
  tracker.learnTabs([3]);
  tracked.write("\r\n".repeat(9));
  const progress = { ...tracker.progress(), scrolls: 1e9 };
  assert.equal(tracker.points.complete(progress, Infinity)?.kind, "blank");
  tracked.write("\r\n");
  assert.equal(tracker.points.complete(progress, Infinity)?.kind, "lineStart");
});

/** A cursor is restored: where it was saved, and whether the screen may have scrolled since. */
const RESTORED: readonly (readonly [string, readonly (readonly [number, boolean])[]])[] = [
  ["\x1b8", []],
  ["\x1b7\x1b8", [[2, false]]],
  ["\x1b7\x1b[2;2H\x1b[K\x1b8", [[2, false]]],
  ["\x1b7x\x1b8", [[2, true]]],
  ["x\x1b7\x1b8", [[3, false]]],
  ["\x1b7\n\x1b8\x1b7\x1b8", [[2, true], [7, false]]],
  ["\x1b[s\x1b[u", [[3, false]]],
  ["\x1b[?1048h\x1b[?1048l", [[8, false]]],
  ["\x1b[?1049hx\x1b[?1049l", [[8, false]]],
  ["x\x1b[?1049h\x1b[?1049lx\x1b8", [[9, false], [9, true]]],
  ["\x1b7x\x1b[?47h\x1b[?47l\x1b8", [[2, true]]],
  ["\x1b[?47h\x1b7x\x1b8", [[8, false]]],
  ["\x1b[?47h\x1b7\x1b[?47l\x1b8", []],
  ["\x1b7\x1bc\x1b8", []],
  ["\x1b[!p\x1b8", [[4, false]]],
];

Deno.test("screen tracker: restored cursors", () => {
  for (const [output, restored] of RESTORED) {
    assert.deepEqual(trackOutput(output).restored, restored, JSON.stringify(output));
  }
});
