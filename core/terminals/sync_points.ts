/**
 * Offsets of the output at which the whole state of the terminal is known without what came before, except for lines
 * that will have left by the time it matters. Played from there, with a short prefix that sets the state, the rest of
 * the output gives the same screen as if it were played from the beginning.
 *
 * A point at the start of a line: the cursor is for certain in column 0 of the bottom row, all of the screen scrolls,
 * and what stands above is unknown. The unknown lines only ever move up (an operation that moves lines down while there
 * are unknown ones on the screen removes the point), so after `rows` scrolls the screen is known, and after
 * `scrollback + rows` scrolls the scrollback is too.
 *
 * A blank point: the program has erased screen and scrollback and has placed the cursor, or has reset the terminal.
 */
import type { KnownState, TerminalSize } from "./known_state.ts";

export interface SyncPoint {
  readonly kind: "lineStart" | "blank";
  readonly offset: number;
  /** Scrolls that had happened for certain, and those of them that were line feeds. */
  readonly scrolls: number;
  readonly lineFeeds: number;
  readonly size: TerminalSize;
  readonly cursor: { readonly col: number; readonly row: number };
  readonly state: KnownState;
  /** The scrollback was full, so that what came before is only lines, and lines leave one by one. */
  readonly saturated: boolean;
}

/** The counters at the time of asking. */
export interface Progress {
  readonly scrolls: number;
  readonly lineFeeds: number;
  readonly size: TerminalSize;
  readonly scrollback: number;
}

export interface SyncPoints {
  add(point: SyncPoint): void;
  /** Lines moved down: points whose screen is not known yet are no points any more. */
  breakUnknown(progress: Progress): void;
  /** progress: as it was until now; size: the new one. */
  resized(progress: Progress, size: TerminalSize): void;
  /**
   * The latest point up to an offset from which everything that is still kept can be rebuilt: all before it can be
   * forgotten.
   */
  complete(progress: Progress, upToOffset: number): SyncPoint | undefined;
  /** Where to start for a screen with at least so many known lines above it, and where its screen is known. */
  forScreen(lines: number, progress: Progress): { readonly start: SyncPoint; readonly known: SyncPoint } | undefined;
  /**
   * A cursor that was saved then has been restored: points after that do not know where it was. Where it is now depends
   * on how full the scrollback is, if the screen has scrolled since: only blank points before know that.
   */
  restored(savedOffset: number, mayHaveScrolled: boolean): void;
  /** Forgets the points before an offset. */
  forgetBefore(offset: number): void;
}

/** A point with the number of size changes before it. */
interface Entry {
  readonly point: SyncPoint;
  readonly era: number;
  /** What came after it needs something that only a full replay knows. */
  needsAll: boolean;
}

const MAX_POINTS = 192;

/** Whether a screen started from this point is wrong after a restore. */
export function isLost(point: SyncPoint, savedOffset: number, mayHaveScrolled: boolean): boolean {
  return point.offset > savedOffset || (mayHaveScrolled && point.kind === "lineStart");
}

export function createSyncPoints(): SyncPoints {
  let entries: Entry[] = [];
  /** Per size change since the beginning: the line feeds until then, and the rows from then on. */
  const changes: { readonly lineFeeds: number; readonly rows: number }[] = [];

  /** The recent half stays dense, for screens; of the older half every other one goes. */
  function thinOut(): void {
    const half = entries.length >> 1;
    entries = entries.filter(({ point }, index) => index >= half || index % 2 === 0 || point.kind === "blank");
  }

  function screenIsKnown({ point, era }: Entry, progress: Progress): boolean {
    // Points of an earlier size are only kept when their screen was known then.
    return point.kind === "blank" || era < changes.length || progress.scrolls - point.scrolls >= progress.size.rows;
  }

  /**
   * Whether a screen known at this point stays right through the size changes after it. Each line feed begins a line
   * that has a row of its own at any width, so with enough of them above, no change of width or height brings back a
   * row from before the point.
   */
  function survivesChanges({ point, era }: Entry, lines: number): boolean {
    const first = changes[era];
    if (first === undefined) return true;
    let rows = point.size.rows;
    for (let index = era; index < changes.length; index++) rows = Math.max(rows, changes[index]?.rows ?? 0);
    return first.lineFeeds - point.lineFeeds >= lines + 2 * rows + 2;
  }

  function breakUnknown(progress: Progress): void {
    for (let last = entries.at(-1); last !== undefined && !screenIsKnown(last, progress); last = entries.at(-1)) {
      entries.pop();
    }
  }

  return {
    add(point) {
      entries.push({ point, era: changes.length, needsAll: false });
      if (entries.length > MAX_POINTS) thinOut();
    },
    breakUnknown,
    resized(progress, size) {
      breakUnknown(progress);
      changes.push({ lineFeeds: progress.lineFeeds, rows: size.rows });
    },
    complete(progress, upToOffset) {
      for (let index = entries.length - 1; index >= 0; index--) {
        const entry = entries[index];
        if (entry === undefined || entry.point.offset > upToOffset) continue;
        const { point, era } = entry;
        if (point.kind === "blank") return point;
        if (era < changes.length || !point.saturated) continue;
        if (progress.scrolls - point.scrolls >= progress.scrollback + progress.size.rows) return point;
      }
      return undefined;
    },
    forScreen(lines, progress) {
      let known: Entry | undefined;
      for (let index = entries.length - 1; index >= 0; index--) {
        const entry = entries[index];
        if (entry === undefined || entry.needsAll) continue;
        // Nothing is above a blank point, so all lines there are come after it.
        if (entry.point.kind === "blank") return { start: entry.point, known: known?.point ?? entry.point };
        if (known !== undefined && known.era === entry.era) {
          if (known.point.scrolls - entry.point.scrolls >= known.point.size.rows) {
            return { start: entry.point, known: known.point };
          }
        } else if (progress.scrolls - entry.point.scrolls >= lines && survivesChanges(entry, lines)) {
          known = entry;
        }
      }
      return undefined;
    },
    restored(savedOffset, mayHaveScrolled) {
      for (const entry of entries) {
        if (isLost(entry.point, savedOffset, mayHaveScrolled)) entry.needsAll = true;
      }
    },
    forgetBefore(offset) {
      entries = entries.filter(({ point }) => point.offset >= offset);
    },
  };
}
