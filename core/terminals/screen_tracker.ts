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
  isExpressible,
  resetAttributes,
  setLink,
} from "./attributes.ts";
import {
  createCharsets,
  designate,
  designateDefaults,
  isCurrentOfLevel,
  resetCharsets,
  selectDefault,
  shiftTo,
} from "./charsets.ts";
import type { CsiParams } from "./csi_params.ts";
import { DRAWN, type LineCounters, TOUCHED, TOUCHED_AND_DRAWN } from "./line_counters.ts";
import { type KnownState, NEVER_SAVED, type SavedCursor, type TerminalSize } from "./known_state.ts";
import type { ModeState } from "./modes.ts";
import { createSyncPoints, type Progress, type SyncPoints } from "./sync_points.ts";

export interface ScreenTracker {
  readonly counters: LineCounters;
  readonly points: SyncPoints;
  readonly attributes: Attributes;
  progress(): Progress;
  margins(): { readonly top: number; readonly bottom: number };
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
  privateMode(mode: number, on: boolean, at: { readonly offset: number; readonly wasAlternate: boolean }): void;
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

interface Margins {
  top: number;
  bottom: number;
}

/** What has been seen since the screen was last touched, on the way to a blank point. */
interface Blankness {
  erased: boolean;
  emptied: boolean;
  cursor: { readonly col: number; readonly row: number } | undefined;
}

export function createScreenTracker(options: ScreenTrackerOptions): ScreenTracker {
  const { modes, scrollback, pointDistanceBytes } = options;
  const attributes = createAttributes();
  const charsets = createCharsets();
  const points = createSyncPoints();
  const blankness: Blankness = { erased: true, emptied: true, cursor: { col: 0, row: 0 } };
  let size = options.size;
  let normal: Margins = { top: 0, bottom: size.rows - 1 };
  let alternate: Margins = { top: 0, bottom: size.rows - 1 };
  let savedNormal = NEVER_SAVED;
  let savedAlternate = NEVER_SAVED;
  let alternateSince: number | undefined;
  /** The DRAWN bit of the normal buffer, while the alternate one is in use. */
  let normalDrawn = 0;
  /** undefined: every eighth; "unknown" until someone looks. */
  let tabs: readonly number[] | undefined | "unknown";
  let tabChanges = 0;
  /** Scrolls at the time the scrollback was last empty, or may have shrunk. */
  let scrollsWhenUnfilled = 0;

  const counters: LineCounters = {
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

  const isAlternate = () => modes.alternateScreen !== 0;
  const margins = () => (isAlternate() ? alternate : normal);
  const progress = (): Progress => ({ scrolls: counters.scrolls, lineFeeds: counters.lineFeeds, size, scrollback });

  function updatePlain(): void {
    const { top, bottom } = margins();
    counters.isPlain = !isAlternate() && top === 0 && bottom === size.rows - 1 && !modes.origin &&
      !modes.lineFeedReturns && !modes.reverseWraparound;
    counters.autowrap = modes.wraparound;
  }

  function known(): KnownState {
    return {
      modes: { ...modes, kittyNormal: [...modes.kittyNormal], kittyAlternate: [...modes.kittyAlternate] },
      attributes: { ...attributes },
      charsets: { ...charsets, sets: [...charsets.sets] },
      savedNormal,
      savedAlternate,
      tabs: tabs === "unknown" ? undefined : tabs,
      title: options.title(),
      colors: options.colors(),
    };
  }

  function tabsUnknown(): void {
    tabs = "unknown";
    tabChanges++;
  }

  function isKnowable(): boolean {
    return tabs !== "unknown" && isExpressible(attributes) && isCurrentOfLevel(charsets);
  }

  function rowUnknown(): void {
    counters.lowestRow = 0;
    counters.atLineStart = false;
    touch();
  }

  function touch(): void {
    counters.touched |= TOUCHED;
  }

  function linesMoveDown(): void {
    if (!isAlternate()) points.breakUnknown(progress());
    touch();
  }

  /** The blankness that still holds. */
  function currentBlankness(): Blankness {
    if (counters.touched & TOUCHED) {
      blankness.erased = false;
      blankness.emptied = false;
      blankness.cursor = undefined;
      counters.touched &= ~TOUCHED;
    }
    return blankness;
  }

  function addBlankPoint(offset: number): void {
    const { erased, emptied, cursor } = currentBlankness();
    if (!erased || !emptied || cursor === undefined || isAlternate() || !isKnowable() || !counters.isPlain) return;
    points.add({ kind: "blank", offset, ...countersNow(), cursor, state: known(), saturated: false });
    counters.nextPointOffset = offset + pointDistanceBytes;
  }

  function countersNow() {
    return { scrolls: counters.scrolls, lineFeeds: counters.lineFeeds, size };
  }

  function moveUp(rows: number): void {
    counters.lowestRow = Math.max(0, counters.lowestRow - Math.max(1, rows));
    touch();
  }

  function moveTo(row: number): void {
    counters.lowestRow = modes.origin ? 0 : Math.min(row, size.rows - 1);
    touch();
  }

  /** The cursor is placed by row and column. */
  function place(col: number, row: number, offset: number): void {
    const blank = currentBlankness();
    moveTo(row);
    counters.atLineStart = col === 0;
    counters.touched &= ~TOUCHED;
    blank.cursor = modes.origin ? undefined : { col: Math.min(col, size.cols - 1), row: Math.min(row, size.rows - 1) };
    addBlankPoint(offset);
  }

  function erase(what: number, offset: number): void {
    const blank = currentBlankness();
    const fromTop = blank.cursor?.col === 0 && blank.cursor.row === 0;
    if (what === 2 || (what === 0 && fromTop)) {
      // Erased cells take the background colour, which a blank point does not say.
      blank.erased = (attributes.bg & COLOR_KIND) === 0;
    } else if (what === 3) {
      blank.emptied = !isAlternate();
      if (!isAlternate()) scrollsWhenUnfilled = counters.scrolls;
    }
    addBlankPoint(offset);
  }

  /** IND: down, whatever the mode of line feeds is. */
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

  function lineFeed(): void {
    index();
    if (modes.lineFeedReturns) counters.atLineStart = true;
  }

  function setMargins(params: CsiParams, offset: number): void {
    const top = params.at(0) || 1;
    const asked = params.at(1);
    const bottom = params.count < 2 || asked > size.rows || asked === 0 ? size.rows : asked;
    if (bottom <= top) return;
    const region = margins();
    region.top = top - 1;
    region.bottom = bottom - 1;
    updatePlain();
    place(0, 0, offset);
  }

  function save(offset: number, inAlternate = isAlternate()): void {
    const saved: SavedCursor = {
      fg: attributes.fg,
      bg: attributes.bg,
      charset: charsets.current,
      offset,
      place: { kind: "unknown" },
    };
    if (inAlternate) savedAlternate = saved;
    else {
      savedNormal = saved;
      if (isAlternate()) normalDrawn = 0;
      else counters.touched &= ~DRAWN;
    }
  }

  function restore(): void {
    const saved = isAlternate() ? savedAlternate : savedNormal;
    attributes.fg = saved.fg;
    attributes.bg = saved.bg;
    charsets.current = saved.charset;
    const mayHaveScrolled = !isAlternate() && (counters.touched & DRAWN) !== 0;
    if (saved !== NEVER_SAVED) {
      points.restored(saved.offset, mayHaveScrolled);
      options.onRestored(saved.offset, mayHaveScrolled);
    }
    rowUnknown();
  }

  function resetSoftly(offset: number): void {
    const region = margins();
    region.top = 0;
    region.bottom = size.rows - 1;
    setLink(attributes, "");
    resetAttributes(attributes);
    resetCharsets(charsets);
    // xterm.js puts the saved cursor into the first row of the screen.
    save(offset);
    updatePlain();
    touch();
  }

  function resetFully(offset: number): void {
    setLink(attributes, "");
    resetAttributes(attributes);
    resetCharsets(charsets);
    normal = { top: 0, bottom: size.rows - 1 };
    alternate = { top: 0, bottom: size.rows - 1 };
    savedNormal = NEVER_SAVED;
    savedAlternate = NEVER_SAVED;
    normalDrawn = 0;
    alternateSince = undefined;
    tabs = undefined;
    tabChanges++;
    scrollsWhenUnfilled = counters.scrolls;
    updatePlain();
    Object.assign(blankness, { erased: true, emptied: true, cursor: { col: 0, row: 0 } });
    counters.lowestRow = 0;
    counters.atLineStart = true;
    counters.touched &= ~TOUCHED;
    addBlankPoint(offset);
  }

  function switchBuffer(mode: number, on: boolean, offset: number, wasAlternate: boolean): void {
    if (on && !wasAlternate) normalDrawn = counters.touched & DRAWN;
    if (!on) alternateSince = undefined;
    else if (!wasAlternate) alternateSince = offset;
    if (on && mode === 1049) save(offset, wasAlternate);
    rowUnknown();
    if (on) return;
    if (wasAlternate) counters.touched = TOUCHED | normalDrawn;
    alternate = { top: 0, bottom: size.rows - 1 };
    if (mode === 1049) restore();
  }

  addBlankPoint(0);

  return {
    counters,
    points,
    attributes,
    progress,
    margins: () => ({ top: margins().top, bottom: margins().bottom }),
    known,
    alternateSince: () => alternateSince,
    tabChanges: () => tabChanges,
    learnTabs(next) {
      tabs = next;
    },
    lineStarted(offset) {
      // Tried again only some lines later: what stands against a point seldom goes away at once.
      counters.nextPointOffset = offset + pointDistanceBytes;
      if (!isKnowable()) return;
      const saturated = counters.scrolls - scrollsWhenUnfilled >= scrollback;
      const cursor = { col: 0, row: size.rows - 1 };
      points.add({ kind: "lineStart", offset, ...countersNow(), cursor, state: known(), saturated });
    },
    control(code) {
      if (code === 0x0a || code === 0x0b || code === 0x0c) lineFeed();
      else if (code === 0x84) index();
      else if (code === 0x85) {
        index();
        counters.atLineStart = true;
      } else if (code === 0x0d) {
        counters.atLineStart = true;
        touch();
      } else if (code === 0x09) {
        counters.atLineStart = false;
        touch();
      } else if (code === 0x08) {
        if (modes.reverseWraparound) rowUnknown();
        touch();
      } else if (code === 0x0e) shiftTo(charsets, 1);
      else if (code === 0x0f) shiftTo(charsets, 0);
      else if (code === 0x88) tabsUnknown();
    },
    escape(ident, offset) {
      const final = ident & 0xff;
      const intermediate = ident >>> 8;
      if (intermediate !== 0) {
        const between = String.fromCharCode(intermediate);
        if (between === "%" && (final === 0x40 || final === 0x47)) selectDefault(charsets);
        else if (ident === 0x2338) {
          linesMoveDown();
          rowUnknown();
        } else designate(charsets, between, String.fromCharCode(final));
        return;
      }
      switch (String.fromCharCode(final)) {
        case "7":
          return save(offset);
        case "8":
          return restore();
        case "D":
          return index();
        case "E":
          index();
          counters.atLineStart = true;
          return;
        case "H":
          return tabsUnknown();
        case "M":
          linesMoveDown();
          return moveUp(1);
        case "c":
          return resetFully(offset);
        case "n":
        case "}":
          return shiftTo(charsets, 2);
        case "o":
        case "|":
          return shiftTo(charsets, 3);
        case "~":
          return shiftTo(charsets, 1);
      }
    },
    csi(ident, params, offset) {
      const first = params.at(0);
      if (ident > 0xff) {
        if (ident === 0x2170) resetSoftly(offset);
        else if (ident === 0x2271) {
          // DECSCA, whose flag is part of the background there.
          if (first === 1) attributes.bg |= BG_PROTECTED;
          else if (first === 0 || first === 2) attributes.bg &= ~BG_PROTECTED;
        } else if (ident !== 0x3f68 && ident !== 0x3f6c) touch();
        return;
      }
      switch (String.fromCharCode(ident)) {
        case "m":
          return applySgr(attributes, params);
        case "A":
          return moveUp(first);
        case "F":
          moveUp(first);
          counters.atLineStart = true;
          return;
        case "B":
        case "e":
          return touch();
        case "E":
          counters.atLineStart = true;
          return touch();
        case "G":
        case "`":
          counters.atLineStart = first <= 1;
          return touch();
        case "C":
        case "D":
        case "I":
        case "Z":
        case "a":
          counters.atLineStart = false;
          return touch();
        case "H":
        case "f":
          return place(params.count >= 2 ? (params.at(1) || 1) - 1 : 0, (first || 1) - 1, offset);
        case "d":
          return moveTo((first || 1) - 1);
        case "J":
          return erase(first, offset);
        case "L":
          linesMoveDown();
          // Outside the margins nothing happens, also not to the cursor.
          counters.atLineStart = counters.isPlain;
          return;
        case "M":
          counters.atLineStart = counters.isPlain;
          return touch();
        case "T":
          return linesMoveDown();
        case "b":
          // Repeats what stands left of the cursor, which may be unknown.
          linesMoveDown();
          counters.atLineStart = false;
          counters.touched = TOUCHED_AND_DRAWN;
          return;
        case "r":
          return setMargins(params, offset);
        case "s":
          return save(offset);
        case "u":
          return restore();
        case "g":
          return tabsUnknown();
        case "h":
        case "l":
          return updatePlain();
        case "c":
        case "n":
        case "t":
        case "q":
          return;
        default:
          return touch();
      }
    },
    privateMode(mode, on, { offset, wasAlternate }) {
      if (mode === 6) {
        updatePlain();
        place(0, 0, offset);
      } else if (mode === 47 || mode === 1047 || mode === 1049) {
        switchBuffer(mode, on, offset, wasAlternate);
      } else if (mode === 1048) {
        if (on) save(offset);
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
      // Both buffers lose their margins; the alternate one only when it is there.
      normal = { top: 0, bottom: size.rows - 1 };
      alternate = { top: isAlternate() ? 0 : alternate.top, bottom: size.rows - 1 };
      if (tabs !== undefined) tabsUnknown();
      counters.cols = size.cols;
      counters.bottomRow = size.rows - 1;
      scrollsWhenUnfilled = counters.scrolls;
      // Saved cursors move with the lines, and lines have moved.
      savedNormal = { ...savedNormal, place: { kind: "unknown" } };
      if (savedAlternate !== NEVER_SAVED) savedAlternate = { ...savedAlternate, place: { kind: "unknown" } };
      normalDrawn = DRAWN;
      counters.touched = TOUCHED_AND_DRAWN;
      updatePlain();
      rowUnknown();
    },
  };
}
