/** What the scanner knows of the lines while it passes over plain text; see screen_tracker.ts for what it is good for. */

/** Something was drawn, erased or moved. */
export const TOUCHED = 1;
/** Text or line feeds, which may have made the screen scroll. */
export const DRAWN = 2;
export const TOUCHED_AND_DRAWN = 3;

/** What the scanner's inner loop keeps up to date by itself. */
export interface LineCounters {
  cols: number;
  bottomRow: number;
  /** The cursor is in this row or below. */
  lowestRow: number;
  /** Scrolls of the whole screen into the scrollback that have happened for certain; line feeds among them. */
  scrolls: number;
  lineFeeds: number;
  /** The cursor is in column 0 for certain. */
  atLineStart: boolean;
  /** What happened to the screen since each bit was last cleared. */
  touched: number;
  /** A line feed is nothing but a line feed: whole screen, normal buffer, no mode that changes it. */
  isPlain: boolean;
  autowrap: boolean;
  /** No sync point is wanted before this offset. */
  nextPointOffset: number;
}

/** Of a terminal that is new. */
export function createLineCounters(size: { readonly cols: number; readonly rows: number }): LineCounters {
  return {
    cols: size.cols,
    bottomRow: size.rows - 1,
    lowestRow: 0,
    scrolls: 0,
    lineFeeds: 0,
    atLineStart: true,
    touched: 0,
    isPlain: true,
    autowrap: true,
    nextPointOffset: 0,
  };
}
