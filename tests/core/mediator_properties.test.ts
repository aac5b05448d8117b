/**
 * Random interleavings of everything that can happen to the mediator. A seed that fails is named in the message; pin it
 * in PINNED for ever.
 */
import assert from "node:assert/strict";
import type { MediatorInput } from "../../core/orchestration/mediator_inputs.ts";
import { createWorld, fairInput, randomInput, type World } from "../helpers/mediator_world.ts";
import { createRandom, type Random } from "../helpers/random.ts";

const SEEDS = 10_000;
const STEPS = 60;
const PINNED: readonly number[] = [];

function run(seed: number): World {
  const random = createRandom(seed);
  const world = createWorld(2 + random.int(4));
  for (let step = 0; step < STEPS; step++) {
    if (random.int(60) === 0) world.restart();
    else world.input(nextInput(world, random));
  }
  drain(world, random);
  return world;
}

/** Half of the steps let the work go on, so that the other half finds it in every stage. */
function nextInput(world: World, random: Random): MediatorInput {
  const fair = random.int(2) > 0 ? fairInput(world, random.pick(world.agents), random) : undefined;
  return fair ?? randomInput(world, random);
}

/** A fair world ends every ticket in a bounded number of steps. */
function drain(world: World, random: Random): void {
  const bound = 200 + world.state().open.size * 60;
  for (let round = 0; round < bound; round++) {
    const inputs = world.agents.flatMap((agentId) => fairInput(world, agentId, random) ?? []);
    const input = inputs[0] === undefined ? undefined : random.pick(inputs);
    if (input === undefined) break;
    assert.equal(world.input(input), undefined, `a fair input was refused: ${JSON.stringify(input)}`);
  }
  assert.equal(world.state().open.size, 0, "a ticket without an end");
  for (const slot of world.state().agents.values()) assert.equal(slot.turn.kind, "free");
}

Deno.test(`the mediator keeps its invariants over ${SEEDS} random histories`, () => {
  for (const seed of [...PINNED, ...Array.from({ length: SEEDS }, (_, index) => index)]) {
    try {
      run(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});
