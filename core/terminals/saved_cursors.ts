/**
 * The saved cursors of both buffers: what was saved is known at once, where only when somebody looks. Says when a
 * restored one may stand elsewhere in the screen than where it was saved, since that has scrolled.
 */
import type { Attributes } from "./attributes.ts";
import type { Charsets } from "./charsets.ts";
import { NEVER_SAVED, type SavedCursor } from "./known_state.ts";
import { DRAWN, type LineCounters, TOUCHED } from "./line_counters.ts";

export interface SavedCursors {
  normal(): SavedCursor;
  alternate(): SavedCursor;
  /** The pen and character set of now, in that buffer. */
  save(offset: number, inAlternate: boolean): void;
  /** Takes back what the buffer in use has saved. */
  restore(): void;
  /** The alternate buffer comes into use. */
  entered(): void;
  /** The normal buffer is in use again. */
  left(): void;
  reset(): void;
  /** They move with the lines, and lines have moved. */
  resized(): void;
}

export interface SavedCursorsOptions {
  readonly attributes: Attributes;
  readonly charsets: Charsets;
  readonly counters: LineCounters;
  readonly isAlternate: () => boolean;
  /** A cursor that was saved at this offset has been restored. */
  readonly onRestored: (savedOffset: number, mayHaveScrolled: boolean) => void;
}

export function createSavedCursors(options: SavedCursorsOptions): SavedCursors {
  const { attributes, charsets, counters, isAlternate } = options;
  let normal = NEVER_SAVED;
  let alternate = NEVER_SAVED;
  /** The DRAWN bit of the normal buffer, while the alternate one is in use. */
  let normalDrawn = 0;

  return {
    normal: () => normal,
    alternate: () => alternate,
    save(offset, inAlternate) {
      const { fg, bg } = attributes;
      const saved: SavedCursor = { fg, bg, charset: charsets.current, offset, place: { kind: "unknown" } };
      if (inAlternate) {
        alternate = saved;
        return;
      }
      normal = saved;
      if (isAlternate()) normalDrawn = 0;
      else counters.touched &= ~DRAWN;
    },
    restore() {
      const saved = isAlternate() ? alternate : normal;
      attributes.fg = saved.fg;
      attributes.bg = saved.bg;
      charsets.current = saved.charset;
      const mayHaveScrolled = !isAlternate() && (counters.touched & DRAWN) !== 0;
      if (saved !== NEVER_SAVED) options.onRestored(saved.offset, mayHaveScrolled);
    },
    entered() {
      normalDrawn = counters.touched & DRAWN;
    },
    left() {
      counters.touched = TOUCHED | normalDrawn;
    },
    reset() {
      normal = NEVER_SAVED;
      alternate = NEVER_SAVED;
      normalDrawn = 0;
    },
    resized() {
      normal = { ...normal, place: { kind: "unknown" } };
      if (alternate !== NEVER_SAVED) alternate = { ...alternate, place: { kind: "unknown" } };
      normalDrawn = DRAWN;
    },
  };
}
