/**
 * Random output from seeds, in chunks of random length, with random changes of size: whoever attaches sees what one
 * attached from the start sees, also later, and reading gives the same. Terminals and limits are tiny, so that
 * everything scrolls out, is forgotten, is written down and is rebuilt all the time.
 */
import assert from "node:assert/strict";
import { DEFAULT_LIMITS, type Limits } from "../../adapters/terminal_state/limits.ts";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import type { TerminalState } from "../../core/ports/terminal_state.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { createReference, firstDifferences, type Reference } from "../helpers/terminal_screen.ts";
import { randomChunks, randomStream, type StreamKind, type StreamSize } from "../helpers/terminal_stream.ts";
import { createReplayingViewer, type ReplayingViewer } from "../helpers/terminal_viewer.ts";

const encoder = new TextEncoder();
const COLS = [4, 5, 10, 20, 37];
const ROWS = [1, 2, 4, 7];

interface Plan {
  readonly kind: StreamKind;
  readonly seed: number;
  readonly resizes: boolean;
  /** With an emulator that writes the state down all the time, or by sync points alone. */
  readonly writesDown: boolean;
}

function limitsOf({ writesDown }: Plan): Limits {
  return {
    ...DEFAULT_LIMITS,
    pointDistanceBytes: 20,
    trimDistanceBytes: 50,
    keepRawBytes: 0,
    smallSnapshotBytes: 0,
    gatherBytes: writesDown ? 600 : Infinity,
    gatherAlternateBytes: writesDown ? 100 : Infinity,
    gatherLimitBytes: writesDown ? 600 : Infinity,
    screens: 2,
  };
}

/**
 * One piece of output. With changes of size, programs on the alternate screen save the cursor themselves: one saved in
 * a larger screen long ago is the one thing that is not kept.
 */
function outputOf(random: Random, plan: Plan, size: StreamSize): string {
  const pieces = randomStream(random, { kind: plan.kind, count: 1 + random.int(20), size }).join("");
  // deno-lint-ignore no-control-regex
  return plan.resizes ? pieces.replaceAll(/\x1b\[\?(1049|1047|47)h/g, (enter) => `${enter}\x1b7`) : pieces;
}

async function checkFresh(
  state: TerminalState,
  reference: Reference,
  lines: number,
  scrollback: number,
): Promise<string> {
  using viewer = createReplayingViewer(await state.snapshot(lines), scrollback);
  const differences = firstDifferences(viewer.terminal.dump(lines), reference.dump(lines));
  if (differences !== "" || lines === Infinity) return differences;
  const { screen, scrollback: above, cursor } = await state.read(lines);
  assert.deepEqual([screen, above, cursor], reference.text(lines));
  return "";
}

/** The first thing that is not as it should be, or "". */
async function run(plan: Plan): Promise<string> {
  const random = createRandom(plan.seed);
  let size = { cols: random.pick(COLS), rows: random.pick(ROWS) };
  const scrollback = random.pick(plan.resizes ? [5, 30] : [0, 5, 30]);
  using state = createTerminalStates(limitsOf(plan)).create({ size, scrollback, answer() {}, onSignal() {} });
  using reference = createReference(size, scrollback);
  let old: ReplayingViewer = createReplayingViewer(await state.snapshot(Infinity), scrollback);
  const steps = 30 + random.int(30);
  for (let step = 0; step < steps; step++) {
    for (const chunk of randomChunks(random, encoder.encode(outputOf(random, plan, size)), random.pick([1, 7, 100]))) {
      state.write(chunk);
      reference.write(chunk);
    }
    if (plan.resizes && random.int(6) === 0) {
      size = { cols: random.pick(COLS), rows: random.pick(ROWS) };
      state.resize(size);
      reference.resize(size);
    }
    if (random.int(3) === 0) await state.digested();
    for (const lines of [Infinity, random.int(4)]) {
      if (random.int(2) === 0) continue;
      const differences = await checkFresh(state, reference, lines, scrollback);
      if (differences !== "") return `step ${step}, ${lines} lines:\n${differences}`;
    }
    const missed = state.since(old.offset());
    if (missed !== undefined) old.catchUp(missed);
    const differences = missed === undefined ? "" : firstDifferences(old.terminal.dump(), reference.dump());
    if (differences !== "") return `step ${step}, attached before:\n${differences}`;
    if (missed === undefined || random.int(8) === 0) {
      old[Symbol.dispose]();
      old = createReplayingViewer(await state.snapshot(Infinity), scrollback);
    }
  }
  old[Symbol.dispose]();
  return "";
}

/** Seeds that once failed, and some more. */
const SEEDS: Readonly<Record<StreamKind, readonly number[]>> = {
  calm: [1, 2, 8, 16],
  screen: [2, 3, 4, 5, 9, 18, 26, 31, 55, 579, 635, 1006, 1036, 1094, 2165],
  wild: [1, 11, 13, 14, 16, 24, 32, 42, 45, 53, 79, 170, 343, 1010, 1066, 2025, 2197],
};
const FRESH_SEEDS = 12;

for (const kind of ["calm", "screen", "wild"] as const) {
  for (const resizes of [false, true]) {
    for (const writesDown of [false, true]) {
      const how = `${resizes ? "size changes" : "one size"}, ${writesDown ? "written down" : "by sync points"}`;
      Deno.test(`terminal state, random: ${kind} output, ${how}`, async () => {
        const fresh = Array.from({ length: FRESH_SEEDS }, (_, index) => 100_000 + index);
        for (const seed of [...SEEDS[kind], ...fresh]) {
          const plan: Plan = { kind, seed, resizes, writesDown };
          assert.equal(await run(plan), "", `seed ${seed}`);
        }
      });
    }
  }
}
