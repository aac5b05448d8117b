/**
 * Follows what escape sequences do to the screen as far as that is known without drawing it: the lowest row the cursor
 * can be in, how often the screen has scrolled for certain, margins, saved cursors, pen. From this it finds the sync
 * points.
 *
 * What must stay true: everything here is a lower bound or exact. Where an operation is not understood in full, the
 * cursor's row becomes 0 and unknown points are dropped; it is never guessed.
 */
import {
  applySgr,
  type Attributes,
  BG_PROTECTED,
  COLOR_KIND,
  createAttributes,
  resetAttributes,
  setLink,
} from "./attributes.ts";
import { createBlankness } from "./blankness.ts";
import { createCharsets, designate, designateDefaults, resetCharsets, selectDefault, shiftTo } from "./charsets.ts";
import type { CsiParams } from "./csi_params.ts";
import { createCursorRow } from "./cursor_row.ts";
import type { KnownState, TerminalSize } from "./known_state.ts";
import { createLineCounters, type LineCounters, TOUCHED, TOUCHED_AND_DRAWN } from "./line_counters.ts";
import { createMargins, type Margins } from "./margins.ts";
import type { ModeState } from "./modes.ts";
import { createPointFinder } from "./point_finder.ts";
import { createSavedCursors } from "./saved_cursors.ts";
import { createSyncPoints, type Progress, type SyncPoints } from "./sync_points.ts";

interface SwitchedAt {
  readonly offset: number;
  readonly wasAlternate: boolean;
}

export interface ScreenTracker {
  readonly counters: LineCounters;
  readonly points: SyncPoints;
  readonly attributes: Attributes;
  progress(): Progress;
  margins(): Margins;
  known(): KnownState;
  /** Since when the alternate buffer is in use, and so nothing happens to the normal one; undefined: it is not. */
  alternateSince(): number | undefined;
  /** How often tab stops were changed: what was looked up before the last change is no longer true. */
  tabChanges(): number;
  /** The tab stops have been looked up. */
  learnTabs(tabs: readonly number[] | undefined): void;
  /** Plain line feed, cursor at the start of the bottom row, no sequence open. */
  lineStarted(offset: number): void;
  control(code: number): void;
  escape(ident: number, offset: number): void;
  csi(ident: number, params: CsiParams, offset: number): void;
  /** The mode has been switched; wasAlternate: the alternate buffer was in use before that. */
  privateMode(mode: number, on: boolean, at: SwitchedAt): void;
  /** OSC 8 */
  link(payload: string): void;
  resized(size: TerminalSize): void;
}

export interface ScreenTrackerOptions {
  readonly size: TerminalSize;
  readonly scrollback: number;
  /** Output between two points at the start of lines. */
  readonly pointDistanceBytes: number;
  readonly modes: ModeState;
  /** A cursor that was saved at this offset has been restored. */
  readonly onRestored: (savedOffset: number, mayHaveScrolled: boolean) => void;
  readonly title: () => string;
  readonly colors: () => string;
}

const SGR = 0x6d;
const SOFT_RESET = 0x2170;
const PROTECT = 0x2271;
const SET_PRIVATE = 0x3f68;
const RESET_PRIVATE = 0x3f6c;
/** DECALN */
const FILL_SCREEN = 0x2338;

type CsiHandler = (params: CsiParams, offset: number) => void;

function byFinal<T>(handlers: Readonly<Record<string, T>>): ReadonlyMap<number, T> {
  const entries = Object.entries(handlers);
  return new Map(entries.flatMap(([finals, handler]) => [...finals].map((final) => [final.charCodeAt(0), handler])));
}

export function createScreenTracker(options: ScreenTrackerOptions): ScreenTracker {
  const { modes, scrollback, pointDistanceBytes } = options;
  const attributes = createAttributes();
  const charsets = createCharsets();
  const points = createSyncPoints();
  const counters = createLineCounters(options.size);
  const blankness = createBlankness(counters);
  const isAlternate = () => modes.alternateScreen !== 0;
  const margins = createMargins(options.size.rows, isAlternate);
  const row = createCursorRow(counters, modes);
  const { touch } = row;
  let size = options.size;
  let alternateSince: number | undefined;

  const saved = createSavedCursors({
    attributes,
    charsets,
    counters,
    isAlternate,
    onRestored(savedOffset, mayHaveScrolled) {
      points.restored(savedOffset, mayHaveScrolled);
      options.onRestored(savedOffset, mayHaveScrolled);
    },
  });
  const progress = (): Progress => ({ scrolls: counters.scrolls, lineFeeds: counters.lineFeeds, size, scrollback });
  const finder = createPointFinder({
    attributes,
    charsets,
    modes,
    saved,
    counters,
    blankness,
    points,
    progress,
    pointDistanceBytes,
    title: options.title,
    colors: options.colors,
  });

  function updatePlain(): void {
    const { top, bottom } = margins.current();
    counters.isPlain = !isAlternate() && top === 0 && bottom === size.rows - 1 && !modes.origin &&
      !modes.lineFeedReturns && !modes.reverseWraparound;
    counters.autowrap = modes.wraparound;
  }

  function linesMoveDown(): void {
    if (!isAlternate()) points.breakUnknown(progress());
    touch();
  }

  /** The cursor is placed by row and column. */
  function place(col: number, to: number, offset: number): void {
    const blank = blankness.current();
    row.moveTo(to);
    counters.atLineStart = col === 0;
    counters.touched &= ~TOUCHED;
    blank.cursor = modes.origin ? undefined : { col: Math.min(col, size.cols - 1), row: Math.min(to, size.rows - 1) };
    finder.addBlank(offset);
  }

  function erase(what: number, offset: number): void {
    const blank = blankness.current();
    const fromTop = blank.cursor?.col === 0 && blank.cursor.row === 0;
    if (what === 2 || (what === 0 && fromTop)) {
      // Erased cells take the background colour, which a blank point does not say.
      blank.erased = (attributes.bg & COLOR_KIND) === 0;
    } else if (what === 3) {
      // No point is found in the alternate buffer, and the way back touches the screen.
      blank.emptied = true;
      if (!isAlternate()) finder.unfilled();
    }
    finder.addBlank(offset);
  }

  function setMargins(params: CsiParams, offset: number): void {
    if (!margins.set(params)) return;
    updatePlain();
    place(0, 0, offset);
  }

  function save(offset: number): void {
    saved.save(offset, isAlternate());
  }

  function restore(): void {
    saved.restore();
    row.unknown();
  }

  function resetPen(): void {
    setLink(attributes, "");
    resetAttributes(attributes);
    resetCharsets(charsets);
  }

  function resetSoftly(offset: number): void {
    margins.clearCurrent();
    resetPen();
    // xterm.js puts the saved cursor into the first row of the screen.
    save(offset);
    updatePlain();
    touch();
  }

  function resetFully(offset: number): void {
    resetPen();
    margins.clear();
    saved.reset();
    alternateSince = undefined;
    finder.resetTabs();
    finder.unfilled();
    updatePlain();
    blankness.fresh();
    counters.lowestRow = 0;
    counters.atLineStart = true;
    finder.addBlank(offset);
  }

  function switchBuffer(mode: number, on: boolean, { offset, wasAlternate }: SwitchedAt): void {
    if (on && !wasAlternate) saved.entered();
    if (!on) alternateSince = undefined;
    else if (!wasAlternate) alternateSince = offset;
    if (on && mode === 1049) saved.save(offset, wasAlternate);
    row.unknown();
    if (on) return;
    if (wasAlternate) saved.left();
    margins.clearAlternate();
    if (mode === 1049) restore();
  }

  function designateBy(ident: number): void {
    const between = String.fromCharCode(ident >>> 8);
    const final = String.fromCharCode(ident & 0xff);
    if (between === "%" && (final === "@" || final === "G")) selectDefault(charsets);
    else if (ident === FILL_SCREEN) {
      linesMoveDown();
      row.unknown();
    } else designate(charsets, between, final);
  }

  const escapes = byFinal<(offset: number) => void>({
    "7": save,
    "8": restore,
    D: row.index,
    E: row.nextLine,
    H: finder.tabsUnknown,
    M() {
      linesMoveDown();
      row.moveUp(1);
    },
    c: resetFully,
    "n}": () => shiftTo(charsets, 2),
    "o|": () => shiftTo(charsets, 3),
    "~": () => shiftTo(charsets, 1),
  });

  function column(isFirst: (params: CsiParams) => boolean): CsiHandler {
    return (params) => {
      counters.atLineStart = isFirst(params);
      touch();
    };
  }

  const sequences = byFinal<CsiHandler>({
    A: (params) => row.moveUp(params.at(0)),
    F(params) {
      row.moveUp(params.at(0));
      counters.atLineStart = true;
    },
    E: column(() => true),
    "G`": column((params) => params.at(0) <= 1),
    CDIZa: column(() => false),
    Hf: (params, offset) => place(params.count >= 2 ? (params.at(1) || 1) - 1 : 0, (params.at(0) || 1) - 1, offset),
    d: (params) => row.moveTo((params.at(0) || 1) - 1),
    J: (params, offset) => erase(params.at(0), offset),
    L() {
      linesMoveDown();
      // Outside the margins nothing happens, also not to the cursor.
      counters.atLineStart = counters.isPlain;
    },
    M: column(() => counters.isPlain),
    T: linesMoveDown,
    b() {
      // Repeats what stands left of the cursor, which may be unknown.
      linesMoveDown();
      counters.atLineStart = false;
      counters.touched = TOUCHED_AND_DRAWN;
    },
    r: setMargins,
    s: (_, offset) => save(offset),
    u: restore,
    g: finder.tabsUnknown,
    hl: updatePlain,
    cntq() {},
  });

  /** With prefix or intermediates. */
  function markedCsi(ident: number, params: CsiParams, offset: number): void {
    const first = params.at(0);
    if (ident === SOFT_RESET) resetSoftly(offset);
    else if (ident === PROTECT) {
      // DECSCA, whose flag is part of the background there.
      if (first === 1) attributes.bg |= BG_PROTECTED;
      else if (first === 0 || first === 2) attributes.bg &= ~BG_PROTECTED;
    } else if (ident !== SET_PRIVATE && ident !== RESET_PRIVATE) touch();
  }

  finder.addBlank(0);

  return {
    counters,
    points,
    attributes,
    progress,
    margins: margins.current,
    known: finder.known,
    alternateSince: () => alternateSince,
    tabChanges: finder.tabChanges,
    learnTabs: finder.learnTabs,
    lineStarted: finder.lineStarted,
    control(code) {
      if (code === 0x0a || code === 0x0b || code === 0x0c) row.lineFeed();
      else if (code === 0x84) row.index();
      else if (code === 0x85) row.nextLine();
      else if (code === 0x0d || code === 0x09) {
        counters.atLineStart = code === 0x0d;
        touch();
      } else if (code === 0x08) {
        if (modes.reverseWraparound) row.unknown();
        touch();
      } else if (code === 0x0e || code === 0x0f) shiftTo(charsets, code === 0x0e ? 1 : 0);
      else if (code === 0x88) finder.tabsUnknown();
    },
    escape(ident, offset) {
      if (ident > 0xff) designateBy(ident);
      else escapes.get(ident)?.(offset);
    },
    csi(ident, params, offset) {
      if (ident === SGR) return applySgr(attributes, params);
      if (ident > 0xff) return markedCsi(ident, params, offset);
      const handler = sequences.get(ident);
      if (handler === undefined) touch();
      else handler(params, offset);
    },
    privateMode(mode, on, at) {
      if (mode === 6) {
        updatePlain();
        place(0, 0, at.offset);
      } else if (mode === 47 || mode === 1047 || mode === 1049) {
        switchBuffer(mode, on, at);
      } else if (mode === 1048) {
        if (on) save(at.offset);
        else restore();
      } else if (mode === 2 && on) designateDefaults(charsets);
      updatePlain();
    },
    link(payload) {
      const split = payload.indexOf(";");
      if (split < 0) return;
      // Parameters without an address are not the end of a link, and not the begin of one.
      if (payload.length > split + 1) setLink(attributes, payload);
      else if (payload.slice(0, split).trim() === "") setLink(attributes, "");
    },
    resized(next) {
      points.resized(progress(), next);
      size = next;
      margins.resized(size.rows);
      finder.resizedTabs();
      counters.cols = size.cols;
      counters.bottomRow = size.rows - 1;
      finder.unfilled();
      saved.resized();
      counters.touched = TOUCHED_AND_DRAWN;
      updatePlain();
      row.unknown();
    },
  };
}
