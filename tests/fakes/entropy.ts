/** Ids and secrets that a test can foretell: counted up, each of them used once. */
import type { Entropy } from "../../core/ports/entropy.ts";
import { createRandom } from "../helpers/random.ts";

export function createFakeEntropy(seed = 1): Entropy {
  let ids = 0;
  let secrets = 0;
  const random = createRandom(seed);
  return {
    newId: () => fakeId(++ids),
    newSecret: () => `secret-${String(++secrets).padStart(40, "0")}`,
    random: () => random.next(),
  };
}

/** The id that newId gives the count-th time. */
export function fakeId(count: number): string {
  return `00000000-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
}
