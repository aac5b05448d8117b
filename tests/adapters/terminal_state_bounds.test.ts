/**
 * What the state keeps has a bound, whatever a program sends and for as long as it does. Output is fed at once, as a
 * PTY gives it; nothing here looks at a clock.
 */
import assert from "node:assert/strict";
import { createJobQueue, type JobQueue } from "../../adapters/terminal_state/job_queue.ts";
import { DEFAULT_LIMITS } from "../../adapters/terminal_state/limits.ts";
import { createBlockPool } from "../../adapters/terminal_state/output_log.ts";
import { createTerminalState } from "../../adapters/terminal_state/state.ts";
import type { TerminalSnapshot, TerminalState } from "../../core/ports/terminal_state.ts";
import { STRING_LIMIT_BYTES } from "../../core/terminals/string_buffer.ts";
import { createReference, firstDifferences } from "../helpers/terminal_screen.ts";
import { createReplayingViewer } from "../helpers/terminal_viewer.ts";

const MB = 1024 * 1024;
const encoder = new TextEncoder();

interface Opened {
  readonly state: TerminalState;
  readonly jobs: () => number;
  /** How many steps each job has taken. */
  readonly steps: readonly number[];
}

/** A state whose long work is counted. */
function open(scrollback = 10_000, limits = DEFAULT_LIMITS): Opened {
  const queue = createJobQueue();
  const steps: number[] = [];
  const jobs: JobQueue = {
    start(work) {
      const job = steps.push(0) - 1;
      return queue.start(function* () {
        for (const step of work()) {
          steps[job] = (steps[job] ?? 0) + 1;
          yield step;
        }
      });
    },
  };
  const state = createTerminalState({ size: { cols: 80, rows: 24 }, scrollback, answer() {}, onSignal() {} }, {
    limits,
    blocks: createBlockPool(),
    cache: { use() {}, remove() {} },
    jobs,
  });
  return { state, jobs: () => steps.length, steps };
}

function bytesOf(snapshot: TerminalSnapshot): number {
  return snapshot.parts.reduce((sum, part) => sum + (part.kind === "bytes" ? part.bytes.length : 0), 0);
}

/** The most that was kept while so many bytes came. */
async function flood(state: TerminalState, piece: Uint8Array, bytes: number): Promise<number> {
  let most = 0;
  for (let sent = 0; sent < bytes; sent += piece.length) {
    state.write(piece);
    // The session pauses the program where more waits than this.
    if (state.backlogBytes() > MB) await state.digested();
    if (sent % (4 * MB) < piece.length) most = Math.max(most, bytesOf(await state.snapshot(Infinity)));
  }
  await state.digested();
  return Math.max(most, bytesOf(await state.snapshot(Infinity)));
}

/** Whole lines of so many bytes each, about 64 KB. */
function linesOf(bytesPerLine: number): Uint8Array {
  const line = `${"x".repeat(bytesPerLine - 2)}\r\n`;
  return encoder.encode(line.repeat(Math.ceil(65_536 / bytesPerLine)));
}

for (const bytesPerLine of [2, 10, 40, 60, 120]) {
  Deno.test(`a flood of lines of ${bytesPerLine} bytes is forgotten by sync points alone`, async () => {
    const { state, jobs } = open();
    using _state = state;
    // The lines that are kept, what viewers may still ask for, and what comes between two looks.
    const { keepRawBytes, trimDistanceBytes, pointDistanceBytes } = DEFAULT_LIMITS;
    const bound = Math.max(keepRawBytes, 10_100 * bytesPerLine) + 2 * trimDistanceBytes + 2 * pointDistanceBytes;
    const most = await flood(state, linesOf(bytesPerLine), 8 * MB);
    assert.ok(most <= bound, `${most} bytes were kept, at most ${bound} are needed`);
    assert.equal(jobs(), 0, "no emulator is needed where lines leave the screen");
  });
}

/** Until the state is written down, and while it is. */
const MAX_BYTES = DEFAULT_LIMITS.gatherBytes + STRING_LIMIT_BYTES + 2 * MB;

/** To have it happen with less output. */
const SOON = { ...DEFAULT_LIMITS, trimDistanceBytes: 64 * 1024, gatherBytes: 256 * 1024 };

/** Sequences that do not end, what of them comes again and again, how much, and what ends them. */
const ENDLESS: readonly (readonly [string, string, string, number, string])[] = [
  ["OSC", "\x1b]2;", "x", 200 * MB, "\x07"],
  ["OSC of characters", "\x1b]8;;", "é", 3 * MB, "\x1b\\"],
  ["DCS", "\x1bPq", "x\n", 3 * MB, "\x1b\\"],
  ["APC", "\x1b_", "x", 16 * MB, "\x1b\\"],
  ["CSI with line feeds in it", "\x1b[3", "\n\r".repeat(200) + "\r".repeat(200_000), 3 * MB, "1m"],
  ["CSI with carriage returns in it", "\x1b[3", "\r", 3 * MB, "1m"],
  ["CSI that is spoiled", "\x1b[1?", "2", 3 * MB, "hx"],
  ["CSI of parameters", "\x1b[1", ";2", 3 * MB, "m"],
  ["escape with intermediates", "\x1b", "#", 3 * MB, "8"],
];

for (const [what, begin, again, bytes, end] of ENDLESS) {
  Deno.test(`an endless ${what} is bounded, and what is seen stays exact`, async () => {
    const scrollback = 50;
    const { state, jobs } = open(scrollback, bytes > 100 * MB ? DEFAULT_LIMITS : SOON);
    using _state = state;
    using reference = createReference({ cols: 80, rows: 24 }, scrollback);
    const before = encoder.encode("\x1b[32mbefore\x1b]2;title\x07é" + begin);
    state.write(before);
    reference.write(before);
    const piece = encoder.encode(again.repeat(Math.ceil(65_536 / again.length)));
    const most = await flood(state, piece, bytes);
    assert.ok(most <= MAX_BYTES, `${most} bytes were kept`);
    assert.ok(jobs() > 0 && jobs() <= 1 + bytes / SOON.gatherBytes, `${jobs()} times`);
    // The reference needs only enough of it for the same to have happened.
    for (let sent = 0; sent < 1.1 * STRING_LIMIT_BYTES; sent += piece.length) reference.write(piece);
    for (const rest of ["", `${end}after\r\n`]) {
      state.write(encoder.encode(rest));
      reference.write(encoder.encode(rest));
      using viewer = createReplayingViewer(await state.snapshot(Infinity), scrollback);
      assert.equal(firstDifferences(viewer.terminal.dump(), reference.dump()), "", `after ${JSON.stringify(rest)}`);
    }
  });
}

Deno.test("an endless string is passed over once it is known to have no effect", async () => {
  const { state, jobs } = open();
  using _state = state;
  state.write(encoder.encode("\x1b]2;"));
  await flood(state, encoder.encode("x".repeat(65_536)), 16 * MB);
  assert.equal(jobs(), 1);
});

Deno.test("strings near the limit, one after the other, are bounded wherever they are looked at", async () => {
  const { state } = open();
  using _state = state;
  const string = encoder.encode(`\x1b]2;${"x".repeat(STRING_LIMIT_BYTES - 100)}\x07`);
  let most = 0;
  for (let count = 0; count < 12; count++) {
    for (let at = 0; at < string.length; at += 65_536) {
      state.write(string.subarray(at, at + 65_536));
      if (state.backlogBytes() > MB) await state.digested();
    }
    most = Math.max(most, bytesOf(await state.snapshot(Infinity)));
  }
  assert.ok(most <= MAX_BYTES, `${most} bytes were kept`);
});

Deno.test("a string longer than the limit has no effect, for viewers too", async () => {
  for (const extra of [-10, 10]) {
    const { state } = open(50);
    using _state = state;
    using reference = createReference({ cols: 80, rows: 24 }, 50);
    const link = `\x1b]8;;https://example.org/${"x".repeat(STRING_LIMIT_BYTES + extra - 24)}\x07linked`;
    const title = `\x1b]2;${"t".repeat(STRING_LIMIT_BYTES + extra - 2)}\x07`;
    for (const output of [link, title, "\r\n".repeat(400_000)]) {
      state.write(encoder.encode(output));
      reference.write(encoder.encode(output));
    }
    const line = reference.dump().find((fact) => fact.startsWith("pen ")) ?? "";
    assert.equal(line.includes("example.org"), extra < 0);
    using viewer = createReplayingViewer(await state.snapshot(Infinity), 50);
    const facts = (dump: readonly string[]) =>
      dump.filter((fact) => !fact.startsWith("title ")).map((fact) => fact.slice(0, 200));
    assert.equal(firstDifferences(facts(viewer.terminal.dump()), facts(reference.dump())), "");
    assert.equal(
      reference.dump().includes("title "),
      extra > 0,
      "the title is the empty one only where it was too long",
    );
  }
});

/** A program on the alternate screen that draws all the time, and uses what a terminal has besides cells. */
const FRAMES = Array.from(
  { length: 24 },
  (_, row) => `\x1b[${row + 1};1H\x1b[3${row % 8}m${"#".repeat(row)} \x1b[m${row}%\x1b[K`,
).join("").repeat(60);

Deno.test("a flood in the alternate screen costs the same whatever the normal one holds", async () => {
  const later: number[] = [];
  for (const lines of [0, 10_000]) {
    const { state, steps } = open();
    using _state = state;
    state.write(encoder.encode(`${"a line of some length\r\n".repeat(lines)}\x1b[?1049h`));
    const most = await flood(state, encoder.encode(FRAMES), 12 * MB);
    // The lines of the normal screen, and little of what was drawn over them.
    assert.ok(most <= lines * 24 + 2 * MB, `${most} bytes were kept`);
    assert.ok(steps.length >= 3, `${steps.length} times`);
    const screen = bytesOf(await state.snapshot(0));
    assert.ok(screen <= 2.5 * DEFAULT_LIMITS.gatherAlternateBytes, `${screen} bytes for the screen alone`);
    later.push(steps.slice(1).reduce((sum, count) => sum + count, 0) / (steps.length - 1));
  }
  const [without = 0, withLines = Infinity] = later;
  assert.ok(withLines <= without * 1.2, `${withLines} steps a time, and ${without} over nothing`);
});

Deno.test("the normal screen comes back as it was, however often the alternate one was written down", async () => {
  const scrollback = 30;
  const limits = {
    ...DEFAULT_LIMITS,
    trimDistanceBytes: 500,
    gatherBytes: 2000,
    gatherAlternateBytes: 500,
    gatherLimitBytes: 2000,
    keepRawBytes: 0,
    smallSnapshotBytes: 0,
  };
  const { state, jobs } = open(scrollback, limits);
  using _state = state;
  using reference = createReference({ cols: 80, rows: 24 }, scrollback);
  const normal = `${"\x1b[32mnormal\x1b[m\r\n".repeat(50)}\x1b[2;9r\x1b[7;7H\x1b[35m\x1b7\x1b[m\x1b[5;5Hx`;
  const inside = ["", "\x1b[3;3H\x1b[31m\x1b7", "\x1b[2;5r\x1b[4;4Habc", "\x1b]2;title\x07\x1b[?2004h\x1b(0q"];
  const steps = [
    normal,
    "\x1b[?1049h",
    ...inside.map((extra) => FRAMES.slice(0, 5000) + extra),
    "\x1b8y\x1b[?1049l",
    "\x1b8z\r\n",
    "\x1b[?47h" + FRAMES.slice(0, 9000),
    "\x1b[?47l\x1b[?47h" + FRAMES.slice(0, 9000),
    "\x1bcreset" + FRAMES.slice(0, 9000),
  ];
  for (const [index, output] of steps.entries()) {
    for (let at = 0; at < output.length; at += 700) {
      const piece = encoder.encode(output.slice(at, at + 700));
      state.write(piece);
      reference.write(piece);
      await state.digested();
    }
    for (const lines of [0, Infinity]) {
      using viewer = createReplayingViewer(await state.snapshot(lines), scrollback);
      assert.equal(firstDifferences(viewer.terminal.dump(lines), reference.dump(lines)), "", `step ${index}, ${lines}`);
    }
  }
  assert.ok(jobs() > 10, `${jobs()} times`);
});
