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

const MB = 1024 * 1024;
const encoder = new TextEncoder();

/** A state whose long work is counted. */
function open(scrollback = 10_000): { readonly state: TerminalState; readonly jobs: () => number } {
  const queue = createJobQueue();
  let started = 0;
  const jobs: JobQueue = {
    start(steps) {
      started++;
      return queue.start(steps);
    },
  };
  const state = createTerminalState({ size: { cols: 80, rows: 24 }, scrollback, answer() {}, onSignal() {} }, {
    limits: DEFAULT_LIMITS,
    blocks: createBlockPool(),
    cache: { use() {}, remove() {} },
    jobs,
  });
  return { state, jobs: () => started };
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
    if (sent % MB < piece.length) most = Math.max(most, bytesOf(await state.snapshot(Infinity)));
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
