/** The output that brings a fresh terminal into the state at a sync point. */
import { COLOR_KIND, formatAttributes } from "./attributes.ts";
import { formatCharsets } from "./charsets.ts";
import {
  formatInputModes,
  formatKittyStack,
  formatPen,
  formatPosition,
  formatSave,
  formatSurroundings,
  formatTabs,
  type SavedCursor,
} from "./known_state.ts";
import type { SyncPoint } from "./sync_points.ts";

interface Place {
  readonly col: number;
  readonly line: number;
}

/** The place of a saved cursor that has to be set: undefined when it is as in a fresh terminal, or not known. */
function placeToSet(saved: SavedCursor): Place | undefined {
  const { fg, bg, charset, place } = saved;
  if (place.kind === "unknown") return undefined;
  const isFresh = place.col === 0 && place.line === 0 && fg === 0 && bg === 0 && charset === "";
  return isFresh ? undefined : place;
}

function formatAlternate({ state, size }: SyncPoint): string {
  const place = placeToSet(state.savedAlternate);
  const saved = place === undefined
    ? ""
    : formatSave(state.savedAlternate, { col: place.col, row: place.line, cols: size.cols });
  const inside = saved + formatKittyStack(state.modes.kittyAlternate);
  return inside === "" ? "" : `\x1b[?47h${inside}\x1b[?47l`;
}

/** Fills so many lines of scrollback, and saves the cursor on the way, when its line is on the screen. */
function formatScrolls({ state, size }: SyncPoint, scrolls: number): string {
  const bottom = formatPosition(0, size.rows - 1);
  const place = placeToSet(state.savedNormal);
  if (place === undefined) return bottom + "\n".repeat(scrolls);
  const before = Math.max(0, place.line - (size.rows - 1));
  return bottom + "\n".repeat(before) +
    formatSave(state.savedNormal, { col: place.col, row: place.line - before, cols: size.cols }) +
    bottom + "\x1b[2K" + "\n".repeat(Math.max(0, scrolls - before));
}

/**
 * scrollback "full": as it was, so that all that follows is exact once the lines before the point have scrolled out;
 * "empty": for a screen that is known a little later, when the lines until then are to be taken away. A blank point has
 * no scrollback and takes either.
 */
export function formatPointPrefix(
  point: SyncPoint,
  scrollback: { readonly kind: "full"; readonly lines: number } | { readonly kind: "empty" },
): string {
  const { state, cursor } = point;
  let text = formatSurroundings(state) + formatAlternate(point) + formatTabs(state.tabs);
  if (point.kind === "blank") {
    text += formatScrolls(point, 0) + "\x1b[3J\x1b[H\x1b[2J";
  } else if (scrollback.kind === "full") {
    text += formatScrolls(point, scrollback.lines);
  }
  text += formatPosition(cursor.col, cursor.row);
  // The row scrolled in with the background of the pen.
  if (point.kind === "lineStart" && (state.attributes.bg & COLOR_KIND) !== 0) {
    text += formatAttributes(state.attributes) + "\n";
  }
  return text + formatCharsets(state.charsets) + formatPen(state) + formatInputModes(state.modes) +
    formatKittyStack(state.modes.kittyNormal);
}

/** Whether all that formatPointPrefix needs is known. */
export function isPlaced({ state }: SyncPoint): boolean {
  return state.savedNormal.place.kind === "known" && state.savedAlternate.place.kind === "known";
}

/** A cursor that was saved when the terminal was larger can be where none can be saved now. */
export function isReachable({ state, size }: SyncPoint, scrollback: number): boolean {
  const isWithin = ({ place }: SavedCursor, lines: number) =>
    place.kind === "unknown" || (place.col <= size.cols && place.line < lines + size.rows);
  return isWithin(state.savedNormal, scrollback) && isWithin(state.savedAlternate, 0);
}
