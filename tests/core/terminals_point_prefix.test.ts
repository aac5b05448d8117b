/**
 * The output that brings a fresh terminal to a point: read again it gives the same known state, and a terminal that
 * draws it has the same modes, pen, character sets, tab stops, margins and saved cursors.
 */
import assert from "node:assert/strict";
import { createEmulator } from "../../adapters/terminal_state/emulator.ts";
import { tabsOf } from "../../adapters/terminal_state/serialize.ts";
import type { KnownState, SavedCursor } from "../../core/terminals/known_state.ts";
import { formatPointPrefix, isPlaced, isReachable } from "../../core/terminals/point_prefix.ts";
import type { SyncPoint } from "../../core/terminals/sync_points.ts";
import { createReference, firstDifferences } from "../helpers/terminal_screen.ts";
import { trackOutput } from "../helpers/tracked_output.ts";

const encoder = new TextEncoder();
const SIZE = { cols: 20, rows: 4 };
const SCROLLBACK = 10;

const STATES: readonly string[] = [
  "",
  ..."1 2 3 4 5 7 8 9 21 53 4:0 4:2 4:3 4:4 4:5 4:9 1;22 3;23 4;24 5;25 7;27 8;28 9;29 53;55 2;22 1;2;3;4;5;7;8;9;53"
    .split(" ")
    .map((sgr) => `\x1b[${sgr}m`),
  ..."30 37 90 97 40 47 100 107 39 49 31;39 41;49 38;5;200 48;5;200 38:5:200 38;2;1;2;3 48;2;1;2;3 38:2::1:2:3 38:2:1:2:3"
    .split(" ").map((sgr) => `\x1b[${sgr}m`),
  ..."4;58;5;9 4;58:2::1:2:3 4;58;5;9;59 38;5 38;2;1 38;5;1;4 38 48;7;1 31;38;9;4 98 108 38;5;300 4:3;58;2;1;2;3".split(
    " ",
  )
    .map((sgr) => `\x1b[${sgr}m`),
  "\x1b[1;31;42m\x1b[m",
  "\x1b[1;31;42m\x1b[0;4m",
  "\x1b]8;;https://example.org\x1b\\",
  "\x1b]8;id=a;https://example.org\x1b\\\x1b[4:3;31m",
  "\x1b]8;;https://example.org\x1b\\\x1b]8;;\x1b\\",
  "\x1b]8;;https://example.org\x1b\\\x1b]8;id=a;\x1b\\",
  "\x1b]8;;https://example.org\x1b\\\x1b]8;nothing\x1b\\",
  '\x1b[1"q',
  '\x1b[1"q\x1b[2"q',
  '\x1b[1"q\x1b[0"q',
  ...[1, 12, 45, 66, 1000, 1002, 1003, 9, 1004, 1006, 1016, 2004, 2031].map((mode) => `\x1b[?${mode}h`),
  ...[7, 25].map((mode) => `\x1b[?${mode}l`),
  "\x1b[?1003;1006h\x1b[?1000l",
  "\x1b[?1;2004;25h\x1b[?1;2004l",
  "\x1b[4h\x1b[20h",
  "\x1b[4;20h\x1b[4l",
  "\x1b=",
  "\x1b=\x1b>",
  "\x1b[?1;6;45;66;1004;2004h\x1b[4h\x1b[?7;25l\x1b[!p",
  "\x1b[?1;12;45;66;1003;1006;1004;2004;2031h\x1b[4h\x1b[?7;25l\x1bc",
  ...[1, 2, 3, 4, 5, 6].map((style) => `\x1b[${style} q`),
  "\x1b[3 q\x1b[0 q",
  ..."(0 )0 *0 +0 -A .A (B".split(" ").map((set) => `\x1b${set}`),
  ...["\x0e", "\x1bn", "\x1bo", "\x1b|", "\x1b}", "\x1b~", "\x0e\x0f"].map((shift) => `\x1b)0\x1b*A\x1b+4${shift}`),
  "\x1b(0\x1b%G",
  "\x1b)0\x0e\x1b%@",
  "\x1b(0\x1b)0\x1b[?2h",
  "\x1b(0\x1b)0\x0e\x1b[!p",
  "\x1b(J",
  "\x1b[>1u\x1b[>3u",
  "\x1b[=5u",
  "\x1b[>1u\x1b[?47h\x1b[>7u\x1b[?47l",
  "\x1b[>4;2m",
  "\x1b[>4;2m\x1b[>4m",
  "\x1b[>1u\x1b[<u",
  `${"\x1b[>1u".repeat(20)}\x1b[>2u`,
  "\x1b]2;a title\x07",
  "\x1b]4;1;#123456\x07\x1b]11;#ffffff\x07",
  "\x1b[5G\x1bH",
  "\x1b[3g",
  "\x1b[3g\x1b[5G\x1bH\x1b[9G\u0088",
  "\x1b[9G\x1b[g",
  "\x1b[2;3H\x1b7",
  "\x1b[1;31m\x1b(0\x1b[2;3H\x1b7\x1b[m\x1b(B",
  "\x1b[4;31m\x1b[3;3H\x1b7\x1b[m",
  "\x1b]8;;https://example.org\x1b\\\x1b[3;3H\x1b7\x1b]8;;\x1b\\",
  "\x1b[1;20Hxx\x1b[1;20Hx\x1b7",
  "\x1b[?47h\x1b[3;7H\x1b[32m\x1b7\x1b[m\x1b[?47l",
  "\x1b[4;6H\x1b7\x1b[?47h\x1b[2;2H\x1b7\x1b[?47l",
  "\x1b[1;1H\x1b[31m\x1b7\x1b[m",
];

/** What a terminal shows or does besides its cells and where the cursor is. */
const besidesCells = (dump: readonly string[]) =>
  dump.filter((fact) => !/^(normal -?\d|alternate -?\d|cursor |scrolled )/.test(fact));

/** As the emulator of the adapter looks it up. */
function placedState(output: string): KnownState {
  const { tracker } = trackOutput(output, { size: SIZE, scrollback: SCROLLBACK }).facts;
  using emulator = createEmulator(SIZE, SCROLLBACK);
  emulator.write(encoder.encode(output));
  tracker.learnTabs(tabsOf(emulator.normal(), SIZE.cols));
  const state = tracker.known();
  for (
    const [saved, buffer] of [[state.savedNormal, emulator.normal()], [
      state.savedAlternate,
      emulator.alternate(),
    ]] as const
  ) {
    if (saved.place.kind === "unknown") saved.place = { kind: "known", col: buffer.savedX, line: buffer.savedY };
  }
  return state;
}

function pointOf(state: KnownState, changes: Partial<SyncPoint> = {}): SyncPoint {
  const counters = { scrolls: 0, lineFeeds: 0, offset: 0, saturated: false };
  return { kind: "blank", ...counters, size: SIZE, cursor: { col: 0, row: 0 }, state, ...changes };
}

/** Without the offsets, which are other ones. */
function comparable(state: KnownState): object {
  const saved = ({ offset: _, place: __, ...rest }: SavedCursor) => rest;
  // Nothing pushed, or all taken back: both are no flags.
  const flags = (stack: readonly number[]) => stack.join() === "0" ? [] : stack;
  const { kittyNormal, kittyAlternate } = state.modes;
  return {
    ...state,
    modes: { ...state.modes, kittyNormal: flags(kittyNormal), kittyAlternate: flags(kittyAlternate) },
    savedNormal: saved(state.savedNormal),
    savedAlternate: saved(state.savedAlternate),
  };
}

Deno.test("point prefix: sets all that is known, in a terminal and for whoever reads it again", () => {
  for (const output of STATES) {
    const what = JSON.stringify(output);
    const state = placedState(output);
    const prefix = formatPointPrefix(pointOf(state), { kind: "full", lines: 0 });
    using expected = createReference(SIZE, SCROLLBACK);
    using actual = createReference(SIZE, SCROLLBACK);
    expected.write(encoder.encode(output));
    actual.write(encoder.encode(prefix));
    assert.equal(firstDifferences(besidesCells(actual.dump()), besidesCells(expected.dump())), "", what);
    assert.deepEqual(comparable(placedState(prefix)), comparable(state), what);
  }
});

Deno.test("point prefix: a blank point leaves nothing on the screen, whatever it saved, and the cursor in its place", () => {
  for (const output of STATES) {
    const prefix = formatPointPrefix(pointOf(placedState(output), { cursor: { col: 4, row: 2 } }), { kind: "empty" });
    using terminal = createReference(SIZE, SCROLLBACK);
    terminal.write(encoder.encode(prefix));
    const [screen, above, cursor] = terminal.text(Infinity);
    assert.deepEqual([screen.join(""), above, cursor], ["", [], { col: 4, row: 2 }], JSON.stringify(output));
  }
});

/** Output until the start of a line at the bottom, with a full scrollback, and its point. */
function lineStart(before: string): { readonly output: string; readonly point: SyncPoint } {
  const output = `${before}${"\x1b[4;1H\r\n".repeat(SCROLLBACK + SIZE.rows)}`;
  return { output, point: pointOf(placedState(output), { kind: "lineStart", cursor: { col: 0, row: SIZE.rows - 1 } }) };
}

Deno.test("point prefix: what follows a line start gives the same once the lines before it have left", () => {
  for (const before of STATES.filter((output) => !/47h|\?6h/.test(output))) {
    const { output, point } = lineStart(before);
    const rest = `a\x1b8b${"x\r\n".repeat(SCROLLBACK + 2 * SIZE.rows)}\x1b8c`;
    using expected = createReference(SIZE, SCROLLBACK);
    using actual = createReference(SIZE, SCROLLBACK);
    expected.write(encoder.encode(output + rest));
    const prefix = formatPointPrefix(point, { kind: "full", lines: SCROLLBACK });
    actual.write(encoder.encode(prefix + rest));
    assert.equal(firstDifferences(actual.dump(), expected.dump()), "", JSON.stringify(before));
  }
});

Deno.test("point prefix: a row that scrolled in has the background of the pen", () => {
  const { output, point } = lineStart("\x1b[44m");
  using expected = createReference(SIZE, SCROLLBACK);
  using actual = createReference(SIZE, SCROLLBACK);
  expected.write(encoder.encode(output));
  actual.write(encoder.encode(formatPointPrefix(point, { kind: "full", lines: SCROLLBACK })));
  const bottom = (dump: readonly string[]) => dump.filter((fact) => fact.startsWith("normal 3 "));
  assert.deepEqual(bottom(actual.dump()), bottom(expected.dump()));
});

Deno.test("point prefix: how many lines there are above the screen", () => {
  const scrolled = (scrollback: Parameters<typeof formatPointPrefix>[1]) => {
    using terminal = createReference(SIZE, SCROLLBACK);
    terminal.write(encoder.encode(formatPointPrefix(lineStart("").point, scrollback)));
    return terminal.text(Infinity)[1].length;
  };
  assert.equal(scrolled({ kind: "empty" }), 0);
  assert.equal(scrolled({ kind: "full", lines: 7 }), 7);
});

Deno.test("point prefix: a cursor saved in a line far above is set on the way", () => {
  for (const [col, line] of [[5, 0], [5, 2], [5, 3], [5, 4], [5, 9], [5, 13], [20, 2], [20, 13]] as const) {
    const saved = { ...placedState("\x1b[31m\x1b7").savedNormal, place: { kind: "known", col, line } } as const;
    const point = { ...lineStart("").point, state: { ...placedState(""), savedNormal: saved } };
    using terminal = createReference(SIZE, SCROLLBACK);
    terminal.write(encoder.encode(formatPointPrefix(point, { kind: "full", lines: SCROLLBACK })));
    const facts = terminal.dump();
    const fact = facts.find((each) => each.startsWith("saved ")) ?? "";
    assert.ok(fact.startsWith(`saved ${col},${line} 1:1/-/0`), `${line}: ${fact}`);
    assert.ok(facts.includes("normal 3 |-/-/0{}"), `${line}: the row of the cursor is empty`);
    assert.equal(terminal.text(Infinity)[1].length, SCROLLBACK);
  }
});

Deno.test("point prefix: can be written when saved cursors have a place that can be reached", () => {
  const known = (col: number, line: number): SavedCursor => ({
    ...placedState("").savedNormal,
    place: { kind: "known", col, line },
  });
  const unknown: SavedCursor = { ...known(0, 0), place: { kind: "unknown" } };
  const point = (savedNormal: SavedCursor, savedAlternate: SavedCursor) =>
    pointOf({ ...placedState(""), savedNormal, savedAlternate });
  assert.deepEqual(
    [
      isPlaced(point(known(0, 0), known(0, 0))),
      isPlaced(point(unknown, known(0, 0))),
      isPlaced(point(known(0, 0), unknown)),
    ],
    [true, false, false],
  );
  const isWithin = (normal: SavedCursor, alternate = known(0, 0)) => isReachable(point(normal, alternate), SCROLLBACK);
  assert.deepEqual([known(20, 0), known(21, 0), known(0, 13), known(0, 14), unknown].map((saved) => isWithin(saved)), [
    true,
    false,
    true,
    false,
    true,
  ]);
  assert.deepEqual([known(0, 3), known(0, 4), known(21, 0)].map((saved) => isWithin(known(0, 0), saved)), [
    true,
    false,
    false,
  ]);
});
