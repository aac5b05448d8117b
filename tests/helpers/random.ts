/**
 * Random values from a seed, for property tests: a seed that failed fails again. The generator is mulberry32 (Tommy
 * Ettinger, public domain): 32 bits of state, good enough to choose test cases.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number, 0 <= n < below. */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick(items) {
      if (items.length === 0) throw new Error("nothing to pick from");
      // Inside the bounds, so it is an item, which may be undefined by its type.
      return items.slice(int(items.length))[0] as (typeof items)[number];
    },
    shuffle(items) {
      const left = [...items];
      const shuffled: (typeof items)[number][] = [];
      while (left.length > 0) shuffled.push(...left.splice(int(left.length), 1));
      return shuffled;
    },
  };
}
