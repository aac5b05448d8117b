/**
 * Long work in short steps, one job at a time over all sessions, so that output, keys and other sessions come between
 * the steps.
 */

const STEP_MS = 6;

export interface Job extends Disposable {
  /** Resolves when the job has run to its end or was disposed. */
  readonly finished: Promise<void>;
}

export interface JobQueue {
  /** Each yield of the steps is a place where they may wait. */
  start(steps: () => Generator<void>): Job;
}

interface Entry {
  readonly steps: () => Generator<void>;
  running: Generator<void> | undefined;
  readonly finish: () => void;
}

export function createJobQueue(): JobQueue {
  const entries: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    if (timer === undefined && entries.length > 0) timer = setTimeout(step, 0);
  }

  function step(): void {
    timer = undefined;
    const entry = entries[0];
    if (entry === undefined) return;
    const until = performance.now() + STEP_MS;
    try {
      entry.running ??= entry.steps();
      do {
        if (entry.running.next().done) {
          end(entry);
          break;
        }
      } while (performance.now() < until);
    } catch (error) {
      end(entry);
      throw error;
    } finally {
      schedule();
    }
  }

  function end(entry: Entry): void {
    const index = entries.indexOf(entry);
    if (index < 0) return;
    entries.splice(index, 1);
    entry.finish();
    if (entries.length === 0 && timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  return {
    start(steps) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry: Entry = { steps, running: undefined, finish: resolve };
      entries.push(entry);
      schedule();
      return {
        finished: promise,
        [Symbol.dispose]() {
          // Runs what the steps have to clean up.
          entry.running?.return(undefined);
          end(entry);
        },
      };
    },
  };
}
