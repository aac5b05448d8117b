/** What has been seen since the screen was last touched, on the way to a blank sync point. */
import { type LineCounters, TOUCHED } from "./line_counters.ts";

export interface Cursor {
  readonly col: number;
  readonly row: number;
}

export interface Blankness {
  /** The screen holds nothing, not even a background colour. */
  erased: boolean;
  /** Nor does the scrollback. */
  emptied: boolean;
  /** Where the cursor was placed. */
  cursor: Cursor | undefined;
}

export interface BlanknessWatch {
  /** What still holds; whoever finds out more changes it. */
  current(): Blankness;
  /** As in a fresh terminal. */
  fresh(): void;
}

export function createBlankness(counters: LineCounters): BlanknessWatch {
  const blankness: Blankness = { erased: true, emptied: true, cursor: { col: 0, row: 0 } };
  return {
    current() {
      if (counters.touched & TOUCHED) {
        blankness.erased = false;
        blankness.emptied = false;
        blankness.cursor = undefined;
        counters.touched &= ~TOUCHED;
      }
      return blankness;
    },
    fresh() {
      Object.assign(blankness, { erased: true, emptied: true, cursor: { col: 0, row: 0 } });
      counters.touched &= ~TOUCHED;
    },
  };
}
