/**
 * Credits: how much output a viewer may have that it has not drawn yet. Pure bookkeeping; whoever sends asks.
 *
 * 1. A viewer above HIGH_WATER_BYTES gets no more stream until it is below LOW_WATER_BYTES.
 * 2. A session is throttled only when every viewer that looks at it is blocked: the fastest one sets the pace, so a
 *    slow or stopped viewer never slows another, and a session that nobody looks at runs freely.
 * 3. It is throttled as well while the server's own copy of the screen lags behind by more than BACKLOG_HIGH_BYTES.
 */

/** As measured (platform.md): throughput is that of no limit, and an interrupted flood is off the screen at once. */
export const HIGH_WATER_BYTES = 512 * 1024;
export const LOW_WATER_BYTES = 256 * 1024;
export const BACKLOG_HIGH_BYTES = 8 * 1024 * 1024;
/** A viewer that is further behind gets a snapshot: it is shorter than what was missed. */
export const CATCH_UP_LIMIT_BYTES = 1024 * 1024;

export interface Credit {
  unacknowledgedBytes: number;
  blocked: boolean;
}

export function createCredit(): Credit {
  return { unacknowledgedBytes: 0, blocked: false };
}

/** Counts sent bytes; the viewer may be blocked afterwards. */
export function takeCredit(credit: Credit, bytes: number): void {
  credit.unacknowledgedBytes += bytes;
  if (credit.unacknowledgedBytes > HIGH_WATER_BYTES) credit.blocked = true;
}

/** Counts drawn bytes; true when the viewer was blocked and may have stream again. A viewer cannot earn credit ahead. */
export function giveCredit(credit: Credit, bytes: number): boolean {
  credit.unacknowledgedBytes = Math.max(0, credit.unacknowledgedBytes - bytes);
  if (!credit.blocked || credit.unacknowledgedBytes >= LOW_WATER_BYTES) return false;
  credit.blocked = false;
  return true;
}

export interface PaceOfViewer {
  readonly visible: boolean;
  readonly credit: Readonly<Credit>;
}

export function shouldThrottle(viewers: Iterable<PaceOfViewer>, backlogBytes: number): boolean {
  if (backlogBytes > BACKLOG_HIGH_BYTES) return true;
  let watched = false;
  for (const viewer of viewers) {
    if (!viewer.visible) continue;
    if (!viewer.credit.blocked) return false;
    watched = true;
  }
  return watched;
}
