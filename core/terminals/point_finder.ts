/**
 * Decides where there is a sync point: where all of the state besides the lines above is known, and nothing is on the
 * screen, or the cursor is at the start of its bottom row.
 */
import { type Attributes, isExpressible } from "./attributes.ts";
import type { BlanknessWatch } from "./blankness.ts";
import { type Charsets, isCurrentOfLevel } from "./charsets.ts";
import type { KnownState } from "./known_state.ts";
import type { LineCounters } from "./line_counters.ts";
import type { ModeState } from "./modes.ts";
import type { SavedCursors } from "./saved_cursors.ts";
import type { Progress, SyncPoints } from "./sync_points.ts";

export interface PointFinder {
  known(): KnownState;
  /** Adds a blank point, if this is one. */
  addBlank(offset: number): void;
  /** Plain line feed, cursor at the start of the bottom row, no sequence open. */
  lineStarted(offset: number): void;
  /** How often tab stops were changed: what was looked up before the last change is no longer true. */
  tabChanges(): number;
  /** undefined: every eighth. */
  learnTabs(tabs: readonly number[] | undefined): void;
  tabsUnknown(): void;
  /** Every eighth again. */
  resetTabs(): void;
  /** Stops at every eighth stay so; others are to be looked up again. */
  resizedTabs(): void;
  /** The scrollback is empty, or may have shrunk. */
  unfilled(): void;
}

export interface PointFinderOptions {
  readonly attributes: Attributes;
  readonly charsets: Charsets;
  readonly modes: ModeState;
  readonly saved: SavedCursors;
  readonly counters: LineCounters;
  readonly blankness: BlanknessWatch;
  readonly points: SyncPoints;
  readonly progress: () => Progress;
  /** Output between two points. */
  readonly pointDistanceBytes: number;
  readonly title: () => string;
  readonly colors: () => string;
}

export function createPointFinder(options: PointFinderOptions): PointFinder {
  const { attributes, charsets, modes, saved, counters, blankness, points, pointDistanceBytes } = options;
  let tabs: readonly number[] | undefined | "unknown";
  let tabChanges = 0;
  let scrollsWhenUnfilled = 0;

  function known(): KnownState {
    return {
      modes: { ...modes, kittyNormal: [...modes.kittyNormal], kittyAlternate: [...modes.kittyAlternate] },
      attributes: { ...attributes },
      charsets: { ...charsets, sets: [...charsets.sets] },
      savedNormal: saved.normal(),
      savedAlternate: saved.alternate(),
      tabs: tabs === "unknown" ? undefined : tabs,
      title: options.title(),
      colors: options.colors(),
    };
  }

  function isKnowable(): boolean {
    return tabs !== "unknown" && isExpressible(attributes) && isCurrentOfLevel(charsets);
  }

  function countersNow() {
    const { scrolls, lineFeeds, size } = options.progress();
    return { scrolls, lineFeeds, size };
  }

  function changeTabs(next: typeof tabs): void {
    tabs = next;
    tabChanges++;
  }

  return {
    known,
    addBlank(offset) {
      const { erased, emptied, cursor } = blankness.current();
      // Plain lines are only those of the normal buffer.
      if (!erased || !emptied || cursor === undefined || !counters.isPlain || !isKnowable()) return;
      points.add({ kind: "blank", offset, ...countersNow(), cursor, state: known(), saturated: false });
      counters.nextPointOffset = offset + pointDistanceBytes;
    },
    lineStarted(offset) {
      // Tried again only some lines later: what stands against a point seldom goes away at once.
      counters.nextPointOffset = offset + pointDistanceBytes;
      if (!isKnowable()) return;
      const saturated = counters.scrolls - scrollsWhenUnfilled >= options.progress().scrollback;
      const cursor = { col: 0, row: counters.bottomRow };
      points.add({ kind: "lineStart", offset, ...countersNow(), cursor, state: known(), saturated });
    },
    tabChanges: () => tabChanges,
    learnTabs(next) {
      tabs = next;
    },
    tabsUnknown: () => changeTabs("unknown"),
    resetTabs: () => changeTabs(undefined),
    resizedTabs() {
      if (tabs !== undefined) changeTabs("unknown");
    },
    unfilled() {
      scrollsWhenUnfilled = counters.scrolls;
    },
  };
}
