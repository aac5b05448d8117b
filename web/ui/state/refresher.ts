/**
 * Reads something again when it may have changed: at most one reading at a time, and one more after it when asked for
 * meanwhile, so that a burst of events costs two requests and the last one always sees the newest state.
 */
export interface Refresher {
  /** Resolves when a reading that began after this call has ended. */
  refresh(): Promise<void>;
}

export function createRefresher(load: () => Promise<void>): Refresher {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const run = load().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return {
    refresh() {
      if (running === undefined) return start();
      next ??= running.catch(() => undefined).then(() => {
        next = undefined;
        return start();
      });
      return next;
    },
  };
}
