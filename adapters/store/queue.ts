/** Work on one file is done one at a time, in the order it came; work on different files is not held up by it. */
export interface Queue {
  run<T>(path: string, task: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(path, task) {
      const done = (tails.get(path) ?? Promise.resolve()).then(task);
      const tail = done.catch(() => {}).then(() => {
        if (tails.get(path) === tail) tails.delete(path);
      });
      tails.set(path, tail);
      return done;
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
