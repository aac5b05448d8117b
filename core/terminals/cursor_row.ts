/** Where the cursor is at least, and how often the screen has scrolled: kept in the counters that the scanner shares. */
import { type LineCounters, TOUCHED, TOUCHED_AND_DRAWN } from "./line_counters.ts";
import type { ModeState } from "./modes.ts";

export interface CursorRow {
  /** Something was drawn, erased or moved. */
  touch(): void;
  unknown(): void;
  moveUp(rows: number): void;
  moveTo(row: number): void;
  /** IND: down, whatever the mode of line feeds is. */
  index(): void;
  lineFeed(): void;
  /** NEL */
  nextLine(): void;
}

export function createCursorRow(counters: LineCounters, modes: ModeState): CursorRow {
  function touch(): void {
    counters.touched |= TOUCHED;
  }

  function index(): void {
    if (counters.isPlain) {
      if (counters.lowestRow < counters.bottomRow) counters.lowestRow++;
      else {
        counters.scrolls++;
        counters.lineFeeds++;
      }
    }
    counters.touched = TOUCHED_AND_DRAWN;
  }

  return {
    touch,
    index,
    unknown() {
      counters.lowestRow = 0;
      counters.atLineStart = false;
      touch();
    },
    moveUp(rows) {
      counters.lowestRow = Math.max(0, counters.lowestRow - Math.max(1, rows));
      touch();
    },
    moveTo(row) {
      counters.lowestRow = modes.origin ? 0 : Math.min(row, counters.bottomRow);
      touch();
    },
    lineFeed() {
      index();
      if (modes.lineFeedReturns) counters.atLineStart = true;
    },
    nextLine() {
      index();
      counters.atLineStart = true;
    },
  };
}
