/**
 * The emulator of a session while someone looks at its screen: made from the log when first asked for, fed with what
 * has come since when asked again, and given up when others need the room. Nothing is lost with it but time.
 */
import { formatPointPrefix } from "../../core/terminals/point_prefix.ts";
import { isLost, type SyncPoint } from "../../core/terminals/sync_points.ts";
import type { ScreenTracker } from "../../core/terminals/screen_tracker.ts";
import type { SnapshotPart, TerminalSnapshot } from "../../core/ports/terminal_state.ts";
import { createEmulator, type Emulator } from "./emulator.ts";
import type { OutputLog } from "./output_log.ts";

const encoder = new TextEncoder();

/** What an emulator that was not fed from the base keeps at most: enough for screens of any size, and for reading. */
const PART_SCROLLBACK = 2500;
const PART_LINES = 1000;
const CLEAR_SCROLLBACK = encoder.encode("\x1b[3J");

export interface ScreenCache {
  /** The owner has just been used; the one that has not been for longest is told to give up. */
  use(owner: ScreenOwner): void;
  remove(owner: ScreenOwner): void;
}

export interface ScreenOwner {
  giveUp(): void;
}

export interface Screens extends ScreenOwner {
  /** The screen at an offset, not before any asked for until now, with so many lines above it if there are. */
  at(offset: number, lines: number): Emulator;
  /** The same if there is one that lacks no more than so many bytes. */
  ready(offset: number, lines: number, lackBytes: number): Emulator | undefined;
  /** How to start a fresh terminal that is to have so many lines above its screen; undefined: from the base. */
  shortcut(offset: number, lines: number): TerminalSnapshot | undefined;
  resized(): void;
  /** A cursor saved at this offset has been restored: see SyncPoints.restored. */
  restored(savedOffset: number, mayHaveScrolled: boolean): void;
}

export function play(emulator: Emulator, parts: readonly SnapshotPart[]): void {
  for (const part of parts) {
    if (part.kind === "bytes") emulator.write(part.bytes);
    else emulator.resize(part.size);
  }
}

interface Live {
  readonly emulator: Emulator;
  offset: number;
  resizes: number;
  /** Where it was started, and where its lines begin; undefined: with the oldest there are. */
  readonly from: { readonly start: SyncPoint; readonly known: SyncPoint } | undefined;
}

export interface ScreensOptions {
  readonly log: OutputLog;
  readonly tracker: ScreenTracker;
  /** Output as a viewer gets it that begins with it. */
  readonly output: (from: number, to: number) => readonly SnapshotPart[];
  readonly scrollback: number;
  readonly cache: ScreenCache;
}

export function createScreens({ log, tracker, output, scrollback, cache }: ScreensOptions): Screens {
  let live: Live | undefined;

  function choose(lines: number): { readonly start: SyncPoint; readonly known: SyncPoint } | undefined {
    if (lines >= scrollback) return undefined;
    const chosen = tracker.points.forScreen(lines, tracker.progress());
    if (chosen === undefined || chosen.start.offset <= log.base().offset) return undefined;
    // From a blank point on, all lines are known.
    return chosen.start.kind === "blank" ? { start: chosen.start, known: chosen.start } : chosen;
  }

  function shortcut(offset: number, lines: number): TerminalSnapshot | undefined {
    const chosen = choose(lines);
    if (chosen === undefined) return undefined;
    const { start, known } = chosen;
    const parts: SnapshotPart[] = [{
      kind: "bytes",
      bytes: encoder.encode(formatPointPrefix(start, { kind: "empty" })),
    }];
    if (start !== known) {
      parts.push(...output(start.offset, known.offset));
      // Until here the lines above were not known.
      parts.push({ kind: "bytes", bytes: CLEAR_SCROLLBACK });
    }
    parts.push(...output(known.offset, offset));
    return { size: start.size, parts, offset };
  }

  function open(offset: number, lines: number): Live {
    const resizes = log.resizeCount();
    const short = lines <= PART_LINES ? shortcut(offset, lines) : undefined;
    if (short !== undefined) {
      const emulator = createEmulator(short.size, Math.min(scrollback, PART_SCROLLBACK));
      play(emulator, short.parts);
      return { emulator, offset, resizes, from: choose(lines) };
    }
    const base = log.base();
    const emulator = createEmulator(base.size, scrollback);
    emulator.write(base.bytes);
    play(emulator, log.slice({ from: base.offset, to: offset }));
    return { emulator, offset, resizes, from: undefined };
  }

  function giveUp(): void {
    live?.emulator[Symbol.dispose]();
    live = undefined;
  }

  function hasLines(lines: number): boolean {
    if (live?.from === undefined) return true;
    return lines <= PART_LINES && (live.from.known.kind === "blank" || live.emulator.normal().ybase >= lines);
  }

  /** Whether starting anew is less work than feeding the one there is. */
  function isFarBehind(offset: number, lines: number): boolean {
    const start = choose(lines)?.start;
    return live !== undefined && start !== undefined && start.offset > live.offset && offset - live.offset > 64 * 1024;
  }

  function advance(offset: number): void {
    if (live === undefined) return;
    play(live.emulator, log.slice({ from: live.offset, to: offset, afterResize: live.resizes }));
    live.offset = offset;
    live.resizes = log.resizeCount();
  }

  return {
    at(offset, lines) {
      if (live !== undefined && (live.offset < log.base().offset || !hasLines(lines) || isFarBehind(offset, lines))) {
        giveUp();
      }
      if (live === undefined) live = open(offset, lines);
      else advance(offset);
      cache.use(this);
      return live.emulator;
    },
    ready(offset, lines, lackBytes) {
      if (live === undefined || live.offset < log.base().offset || offset - live.offset > lackBytes) return undefined;
      return hasLines(lines) ? this.at(offset, lines) : undefined;
    },
    shortcut,
    resized() {
      if (live?.from === undefined || live.from.known.kind === "blank") return;
      // As in the points: enough lines that begin with a line feed, and still there, for the rows that come back.
      const { lineFeeds, size } = tracker.progress();
      const rows = Math.max(size.rows, live.emulator.size().rows);
      if (Math.min(lineFeeds - live.from.known.lineFeeds, PART_SCROLLBACK) < 2 * rows + 2) giveUp();
    },
    restored(savedOffset, mayHaveScrolled) {
      if (live?.from !== undefined && isLost(live.from.start, savedOffset, mayHaveScrolled)) giveUp();
    },
    giveUp,
  };
}
