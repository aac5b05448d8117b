/** Several terminals of one connection: whose output waits while a person types. */
import assert from "node:assert/strict";
import type { Attachment } from "../../core/app/terminals.ts";
import {
  ACKNOWLEDGE_AT_REST_BYTES,
  createLane,
  HIGH_WATER_BYTES,
  type Lane,
  LANE_WINDOW_BYTES,
  OWN_SHARE_BYTES,
  TYPING_MS,
  TYPING_PACE_MS,
  TYPING_WINDOW_BYTES,
} from "../../core/terminals/flow.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createRandom } from "../helpers/random.ts";
import { attach, createWindow, openPlayed, type PlayedProgram, settle, setup, type Window } from "./terminals_setup.ts";

interface Shown {
  readonly program: PlayedProgram;
  readonly window: Window;
  readonly attachment: Attachment;
}

async function show(lane: Lane, count: number): Promise<readonly Shown[]> {
  const parts = setup();
  const all: Shown[] = [];
  for (let channel = 1; channel <= count; channel++) {
    const { sessionId, program } = await openPlayed(parts);
    const window = createWindow(channel, { lane });
    all.push({ program, window, attachment: attach(parts.terminals, sessionId, window) });
  }
  await settle();
  return all;
}

function flood({ program }: Shown, bytes: number): void {
  for (let sent = 0; sent < bytes && !program.paused(); sent += 4096) program.output("x".repeat(4096));
}

const underWay = (all: readonly Shown[]) => all.reduce((sum, { window }) => sum + window.unacknowledged(), 0);
const acknowledge = ({ window, attachment }: Shown) => attachment.acknowledge(window.takeAcknowledgement());

async function lanes(count: number) {
  const clock = createFakeClock();
  const lane = createLane(clock);
  return { clock, lane, all: await show(lane, count) };
}

Deno.test("one terminal alone has all of the credit, several share it", async () => {
  const { all } = await lanes(4);
  const [first, ...others] = all;
  assert.ok(first);
  flood(first, HIGH_WATER_BYTES - 4096);
  assert.equal(first.program.paused(), false);
  for (const each of others) flood(each, 2 * HIGH_WATER_BYTES);
  assert.ok(others.every(({ program }) => program.paused()));
  assert.ok(underWay(all) <= LANE_WINDOW_BYTES + others.length * (OWN_SHARE_BYTES + 4096), String(underWay(all)));
  acknowledge(first);
  // The second has more under way than it may still have when it goes on.
  assert.deepEqual(others.map(({ program }) => program.paused()), [true, false, false]);
});

Deno.test("while a person types, the terminals together have little under way, and a quiet one goes on", async () => {
  const { lane, all } = await lanes(9);
  const [echo, ...floods] = all;
  assert.ok(echo);
  lane.noteKey();
  for (const each of floods) flood(each, HIGH_WATER_BYTES);
  assert.ok(floods.every(({ program }) => program.paused()));
  assert.ok(underWay(all) <= TYPING_WINDOW_BYTES + floods.length * (OWN_SHARE_BYTES + 4096), String(underWay(all)));
  echo.program.output("a");
  assert.equal(echo.window.text(), "a");
  assert.equal(echo.program.paused(), false);
});

Deno.test("what is held back goes on in steps while keys come, and at once when they stop", async () => {
  const { clock, lane, all } = await lanes(1);
  const [one] = all;
  assert.ok(one);
  lane.noteKey();
  flood(one, HIGH_WATER_BYTES);
  const first = one.window.unacknowledged();
  acknowledge(one);
  assert.equal(one.program.paused(), true, "not at once");
  clock.advance(TYPING_PACE_MS);
  assert.equal(one.program.paused(), false);
  lane.noteKey();
  flood(one, HIGH_WATER_BYTES);
  clock.advance(TYPING_MS);
  assert.equal(one.program.paused(), true, "what is under way is acknowledged first");
  acknowledge(one);
  assert.equal(one.program.paused(), false);
  flood(one, 2 * first);
  assert.equal(one.program.paused(), false, "nobody types any more");
  assert.equal(clock.pendingTimers(), 0);
});

Deno.test("while keys come, those that are held back go on one at a time, each in its turn", async () => {
  const { clock, lane, all } = await lanes(4);
  lane.noteKey();
  for (const each of all) flood(each, HIGH_WATER_BYTES);
  for (const each of all) acknowledge(each);
  const goingOn = () => all.map(({ program }) => !program.paused());
  for (let index = 0; index < all.length; index++) {
    clock.advance(TYPING_PACE_MS);
    assert.deepEqual(goingOn(), all.map((_, other) => other <= index));
  }
});

Deno.test("a window that goes makes room for the others of its connection", async () => {
  const { clock, lane, all } = await lanes(2);
  const [one, two] = all;
  assert.ok(one && two);
  lane.noteKey();
  flood(one, HIGH_WATER_BYTES);
  flood(two, HIGH_WATER_BYTES);
  assert.equal(two.program.paused(), true);
  one.attachment[Symbol.dispose]();
  clock.advance(TYPING_PACE_MS);
  assert.equal(two.program.paused(), false);
});

Deno.test("a viewer cannot earn credit ahead", async () => {
  const { lane, all } = await lanes(1);
  const [one] = all;
  assert.ok(one);
  one.attachment.acknowledge(1e9);
  lane.noteKey();
  flood(one, HIGH_WATER_BYTES);
  assert.equal(one.program.paused(), true);
});

Deno.test("nothing waits for ever, whatever comes in which order, when viewers acknowledge as they promise", async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const { clock, lane, all } = await lanes(3);
    const sent = all.map(() => 0);
    for (let step = 0; step < 60; step++) {
      const index = random.int(all.length);
      const each = all[index];
      assert.ok(each);
      const choice = random.int(4);
      if (choice === 0) lane.noteKey();
      else if (choice === 1) clock.advance(random.int(2 * TYPING_PACE_MS));
      else if (choice === 2 && each.window.unacknowledged() >= ACKNOWLEDGE_AT_REST_BYTES) acknowledge(each);
      else if (!each.program.paused()) {
        const bytes = 1 + random.int(60_000);
        each.program.output("y".repeat(bytes));
        sent[index] = (sent[index] ?? 0) + bytes;
      }
    }
    for (let round = 0; round < 30; round++) {
      lane.noteKey();
      for (const each of all) if (each.window.unacknowledged() >= ACKNOWLEDGE_AT_REST_BYTES) acknowledge(each);
      clock.advance(TYPING_PACE_MS);
    }
    assert.deepEqual(all.map(({ window }) => window.text().length), sent, `seed ${seed}`);
    assert.ok(all.every(({ program }) => !program.paused()), `seed ${seed}`);
  }
});
