/**
 * Real programs, recorded: whoever attaches at any offset sees and keeps seeing what one attached from the start sees.
 * Cells with their attributes, cursor, modes, scrollback, in chunks of any length, with size changes in between.
 */
import assert from "node:assert/strict";
import { DEFAULT_LIMITS, type Limits } from "../../adapters/terminal_state/limits.ts";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import type { TerminalSignal, TerminalState } from "../../core/ports/terminal_state.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { readRecordings, type Recording, stretchesOf } from "../helpers/terminal_recordings.ts";
import { createReference, firstDifferences, type Reference } from "../helpers/terminal_screen.ts";
import { randomChunks } from "../helpers/terminal_stream.ts";
import { createReplayingViewer, type ReplayingViewer } from "../helpers/terminal_viewer.ts";

/** So small that a recording goes around every corner: points, forgetting, writing down. */
const TIGHT: Limits = {
  ...DEFAULT_LIMITS,
  pointDistanceBytes: 200,
  trimDistanceBytes: 500,
  keepRawBytes: 0,
  smallSnapshotBytes: 0,
  gatherBytes: 3000,
  gatherAlternateBytes: 1000,
};

interface Attached {
  readonly viewer: ReplayingViewer;
  readonly lines: number;
  readonly at: number;
}

/** Compares a viewer with the reference; a shortened one by what it promises, its screen and so many lines. */
function assertSame({ viewer, lines, at }: Attached, reference: Reference, where: string): void {
  const differences = firstDifferences(viewer.terminal.dump(lines), reference.dump(lines));
  assert.equal(differences, "", `${where}, attached at ${at} with ${lines} lines:\n${differences}`);
}

async function attach(state: TerminalState, lines: number, scrollback: number): Promise<Attached> {
  const snapshot = await state.snapshot(lines);
  return { viewer: createReplayingViewer(snapshot, scrollback), lines, at: snapshot.offset };
}

interface Run {
  readonly recording: Recording;
  readonly limits: Limits;
  readonly scrollback: number;
  readonly random: Random;
  /** A viewer attaches at one of so many chunks. */
  readonly every: number;
}

async function replay({ recording, limits, scrollback, random, every }: Run): Promise<void> {
  const options = { size: recording.size, scrollback, answer() {}, onSignal() {} };
  using state = createTerminalStates(limits).create(options);
  using reference = createReference(recording.size, scrollback);
  const kept: Attached[] = [];
  for (const { bytes, resize } of stretchesOf(recording)) {
    for (const chunk of randomChunks(random, bytes, random.pick([5, 60, 4000]))) {
      state.write(chunk);
      reference.write(chunk);
      if (random.int(4) === 0) await state.digested();
      if (random.int(every) > 0) continue;
      const attached = await attach(state, random.pick([0, 3, Infinity]), scrollback);
      assertSame(attached, reference, "at once");
      if (kept.length < 6 && attached.lines === Infinity) kept.push(attached);
      else attached.viewer[Symbol.dispose]();
    }
    if (resize === undefined) continue;
    state.resize(resize);
    reference.resize(resize);
    for (const lines of [0, Infinity]) {
      const attached = await attach(state, lines, scrollback);
      assertSame(attached, reference, "after a change of size");
      attached.viewer[Symbol.dispose]();
    }
  }
  await state.digested();
  const last = await attach(state, Infinity, scrollback);
  assertSame(last, reference, "at the end");
  for (const attached of kept) {
    const missed = state.since(attached.at);
    if (missed !== undefined) {
      attached.viewer.catchUp(missed);
      assertSame(attached, reference, "caught up");
    }
    attached.viewer[Symbol.dispose]();
  }
  last.viewer[Symbol.dispose]();
}

for (const recording of readRecordings()) {
  Deno.test(`terminal state, recorded: ${recording.name} is the same from any offset`, async () => {
    await replay({ recording, limits: DEFAULT_LIMITS, scrollback: 10_000, random: createRandom(1), every: 40 });
  });

  Deno.test(`terminal state, recorded: ${recording.name} is the same when little is kept`, async () => {
    for (const seed of [2, 3]) {
      await replay({ recording, limits: TIGHT, scrollback: 60, random: createRandom(seed), every: 15 });
    }
  });
}

/** What a recording tells, each kind once in a row. */
function signalsOf(name: string): TerminalSignal[] {
  const recording = readRecordings().find((each) => each.name === name);
  if (recording === undefined) throw new Error(`no recording ${name}`);
  const signals: TerminalSignal[] = [];
  const options = {
    size: recording.size,
    scrollback: 100,
    answer() {},
    onSignal: (signal: TerminalSignal) => void signals.push(signal),
  };
  using state = createTerminalStates().create(options);
  state.write(recording.bytes);
  return signals;
}

Deno.test("terminal state, recorded: agents say what they do", () => {
  for (const name of ["claude", "codex"]) {
    const statuses = signalsOf(name).flatMap((signal) => signal.kind === "programStatus" ? [signal.status] : []);
    assert.ok(statuses.includes("working"), `${name}: ${statuses}`);
    assert.ok(statuses.includes("idle") || statuses.includes("done"), `${name}: ${statuses}`);
  }
});

Deno.test("terminal state, recorded: programs that draw on the whole screen say so", () => {
  for (const name of ["vim", "less", "htop", "tmux", "claude"]) {
    const modes = signalsOf(name).flatMap((signal) =>
      signal.kind === "mode" && signal.mode === "alternateScreen" ? [signal.on] : []
    );
    assert.equal(modes[0], true, name);
    assert.equal(modes.at(-1), false, name);
  }
});
