/**
 * The last events with ids, so that a window or a script that was away for a moment gets what it missed. Ids count from
 * 1 in this run of the server; serverId tells one run from the next.
 */
import type { Events, IdeaEvent } from "../../core/events.ts";

export interface LoggedEvent {
  readonly id: number;
  readonly event: IdeaEvent;
}

export interface EventLog extends Disposable {
  readonly serverId: string;
  /** 0 before the first event. */
  lastId(): number;
  /** What came after that id; undefined when some of it is no longer kept, or the id is from the future. */
  since(id: number): readonly LoggedEvent[] | undefined;
  subscribe(listener: (logged: LoggedEvent) => void): Disposable;
}

export function createEventLog(
  events: Events,
  options: { readonly serverId: string; readonly capacity: number },
): EventLog {
  const kept: LoggedEvent[] = [];
  const listeners = new Set<(logged: LoggedEvent) => void>();
  let lastId = 0;
  const source = events.subscribe((event) => {
    const logged = { id: ++lastId, event };
    kept.push(logged);
    if (kept.length > options.capacity) kept.shift();
    for (const listener of [...listeners]) listener(logged);
  });

  return {
    serverId: options.serverId,
    lastId: () => lastId,
    since(id) {
      if (id > lastId || id < lastId - kept.length) return undefined;
      return kept.slice(kept.length - (lastId - id));
    },
    subscribe(listener) {
      const own = (logged: LoggedEvent) => listener(logged);
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  };
}
