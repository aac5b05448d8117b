/**
 * Credits: how much output a viewer may have that it has not drawn yet. Pure bookkeeping; whoever sends asks.
 *
 * 1. A viewer above HIGH_WATER_BYTES gets no more stream until it is below LOW_WATER_BYTES.
 * 2. The terminals of a connection (its lane) together have little under way, and less still while a person types in one
 *    of them, so that the echo of a key does not stand behind what the others print. OWN_SHARE_BYTES of it each terminal
 *    has for itself: with less under way it is never held back, so one that waits has always something to acknowledge.
 * 3. A session is throttled only when every viewer that looks at it is blocked: the fastest one sets the pace, so a
 *    slow or stopped viewer never slows another, and a session that nobody looks at runs freely.
 * 4. It is throttled as well while the server's own copy of the screen lags behind by more than BACKLOG_HIGH_BYTES.
 */
import type { Timers } from "../timers.ts";

/** As measured (platform.md): throughput is that of no limit, and an interrupted flood is off the screen at once. */
export const HIGH_WATER_BYTES = 512 * 1024;
export const LOW_WATER_BYTES = 256 * 1024;
export const BACKLOG_HIGH_BYTES = 8 * 1024 * 1024;
/** A viewer that is further behind gets a snapshot: it is shorter than what was missed. */
export const CATCH_UP_LIMIT_BYTES = 1024 * 1024;

/**
 * All viewers of a connection together: what a busy page has not drawn yet, a key's echo has to wait for. As measured
 * (bench:page, eleven streams): a second of it without a bound, 40 ms with this one; half of it costs throughput.
 */
export const LANE_WINDOW_BYTES = 1024 * 1024;
/** Somebody types: from a key until this long after it. */
export const TYPING_MS = 300;
export const TYPING_WINDOW_BYTES = 64 * 1024;
export const OWN_SHARE_BYTES = 16 * 1024;
/** What is held back goes on in steps so far apart; between them the machine has time for the key and its echo. */
export const TYPING_PACE_MS = 4;
/** A viewer that has drawn all it has acknowledges from this on; far less than its own share, so none waits in vain. */
export const ACKNOWLEDGE_AT_REST_BYTES = 4 * 1024;
/** And one that is busy drawing. */
export const ACKNOWLEDGE_BYTES = 64 * 1024;

export interface Credit extends Disposable {
  isBlocked(): boolean;
  /** Counts sent bytes; the viewer may be blocked afterwards. */
  take(bytes: number): void;
  /** Counts drawn bytes, never more than were sent. Viewers of the lane that may have stream again are told. */
  give(bytes: number): void;
}

/** The credits of one connection. */
export interface Lane {
  noteKey(): void;
  /** onOpened: it was blocked and may have stream again. */
  createCredit(onOpened: () => void): Credit;
}

interface Account {
  unacknowledgedBytes: number;
  readonly onOpened: () => void;
}

export function createLane(timers: Timers): Lane {
  /** Those longest blocked first. */
  const blocked = new Set<Account>();
  let unacknowledgedBytes = 0;
  let typingUntilMs = -Infinity;
  let opening: Disposable | undefined;

  const isTyping = () => timers.monotonicMs() < typingUntilMs;

  function isHeldBack(account: Account): boolean {
    const windowBytes = isTyping() ? TYPING_WINDOW_BYTES : LANE_WINDOW_BYTES;
    return account.unacknowledgedBytes > OWN_SHARE_BYTES && unacknowledgedBytes > windowBytes;
  }

  const mayOpen = (account: Account) => account.unacknowledgedBytes < LOW_WATER_BYTES && !isHeldBack(account);

  function open(account: Account): void {
    if (blocked.delete(account)) account.onOpened();
  }

  function openSome(): void {
    if (blocked.size > 0 && isTyping()) opening ??= timers.startTimer(TYPING_PACE_MS, openNext);
    else {
      opening?.[Symbol.dispose]();
      opening = undefined;
      for (const account of [...blocked]) if (mayOpen(account)) open(account);
    }
  }

  /** One at a time: programs that all go on at once would take the machine from the one that echoes. */
  function openNext(): void {
    opening = undefined;
    const next = isTyping() ? [...blocked].find(mayOpen) : undefined;
    if (next !== undefined) open(next);
    // Without one, the next acknowledgement goes on.
    if (next !== undefined || !isTyping()) openSome();
  }

  function count(account: Account, bytes: number): void {
    account.unacknowledgedBytes -= bytes;
    unacknowledgedBytes -= bytes;
  }

  return {
    noteKey() {
      typingUntilMs = timers.monotonicMs() + TYPING_MS;
    },
    createCredit(onOpened) {
      const account: Account = { unacknowledgedBytes: 0, onOpened };
      return {
        isBlocked: () => blocked.has(account),
        take(bytes) {
          count(account, -bytes);
          if (account.unacknowledgedBytes > HIGH_WATER_BYTES || isHeldBack(account)) blocked.add(account);
        },
        give(bytes) {
          count(account, Math.min(bytes, account.unacknowledgedBytes));
          openSome();
        },
        [Symbol.dispose]() {
          blocked.delete(account);
          count(account, account.unacknowledgedBytes);
          openSome();
        },
      };
    },
  };
}

export interface PaceOfViewer {
  readonly visible: boolean;
  readonly credit: Pick<Credit, "isBlocked">;
}

export function shouldThrottle(viewers: Iterable<PaceOfViewer>, backlogBytes: number): boolean {
  if (backlogBytes > BACKLOG_HIGH_BYTES) return true;
  let watched = false;
  for (const viewer of viewers) {
    if (!viewer.visible) continue;
    if (!viewer.credit.isBlocked()) return false;
    watched = true;
  }
  return watched;
}
