/**
 * What an emulator is needed for to forget output: the places of saved cursors, and, where no sync point comes, the
 * whole state written down. Both in steps, while more output arrives behind.
 */
import type { PtySize } from "../../core/ports/pty.ts";
import type { EscapeScanner } from "../../core/terminals/escape_scanner.ts";
import type { KnownState, SavedCursor } from "../../core/terminals/known_state.ts";
import type { SyncPoint } from "../../core/terminals/sync_points.ts";
import type { TerminalFacts } from "../../core/terminals/terminal_facts.ts";
import { createEmulator, type Emulator, type ScreenBuffer } from "./emulator.ts";
import type { Job, JobQueue } from "./job_queue.ts";
import type { Limits } from "./limits.ts";
import { concat, type OutputLog } from "./output_log.ts";
import { serialize, serializeInSteps, tabsOf } from "./serialize.ts";

const encoder = new TextEncoder();

/** A state that cannot be written down exactly is tried again some output later, so often; then it is taken as it is. */
const RETRIES = 3;
const RETRY_BYTES = 256 * 1024;
/** Lines that leave the screen at this rate bring a sync point by themselves, which costs nothing: it is waited for. */
const BYTES_PER_SCROLL = 512;
const STEP_BYTES = 32 * 1024;

export interface CompactionOptions {
  readonly log: OutputLog;
  readonly facts: TerminalFacts;
  readonly scanner: EscapeScanner;
  readonly scrollback: number;
  readonly limits: Limits;
  readonly jobs: JobQueue;
  /** The log begins later now. */
  readonly onRebased: () => void;
}

export interface Compaction extends Disposable {
  isRunning(): boolean;
  /** Looks up the saved cursors of a point; then calls back. */
  placeCursors(point: SyncPoint, onPlaced: () => void): void;
  /** Nothing has happened to the normal buffer since the base: it is as it is written there. */
  keepsNormal(): boolean;
  /** So much has gathered that the state should be written down. */
  isWanted(): boolean;
  /** Writes the state down as it is at the end of the output. */
  writeDown(): void;
  /** Output that has come while work is going on. */
  backlogBytes(): number;
  finished(): Promise<void>;
  /** The log begins later now, by other means. */
  rebased(): void;
}

/** What is known of the end of the output, to be used when more has come. */
interface Moment {
  readonly offset: number;
  readonly size: PtySize;
  readonly state: KnownState;
  /** What the output stops in the middle of. */
  readonly open: Uint8Array;
  readonly ignoredString: number | undefined;
  /** Nothing has happened to the normal buffer since the base: as it is written there, it stays. */
  readonly keepsNormal: boolean;
  readonly resizes: number;
  readonly tabChanges: number;
}

function placeIn(saved: SavedCursor, buffer: ScreenBuffer): void {
  if (saved.place.kind === "unknown") saved.place = { kind: "known", col: buffer.savedX, line: buffer.savedY };
}

function placeBoth(state: KnownState, emulator: Emulator): void {
  placeIn(state.savedNormal, emulator.normal());
  placeIn(state.savedAlternate, emulator.alternate());
}

function normalScreenOf(emulator: Emulator, state: KnownState): Uint8Array | undefined {
  const { normal, isExact } = serialize({ emulator, state, scrollback: 0 });
  return isExact ? encoder.encode(normal) : undefined;
}

export function createCompaction(options: CompactionOptions): Compaction {
  const { log, facts, scanner, scrollback, limits, jobs, onRebased } = options;
  const { tracker } = facts;
  let job: Job | undefined;
  let startedAt = 0;
  let failures = 0;
  /** Raw output that is to gather before the next attempt, after one that failed. */
  let retryAt = 0;
  let scrollsAtBase = 0;
  /** The string without effect that the base stops in. */
  let ignoredAtBase: number | undefined;

  const gathered = () => log.endOffset() - log.base().offset;

  function keepsNormal(): boolean {
    const { offset, alternateAt, resizes } = log.base();
    const since = tracker.alternateSince();
    return alternateAt !== undefined && since !== undefined && since <= offset && resizes === log.resizeCount();
  }

  /** Full-screen programs: in proportion to what it costs. */
  function isAlternateWanted(bytes: number): boolean {
    const since = tracker.alternateSince();
    if (since === undefined) return false;
    const { bytes: base, alternateAt = 0 } = log.base();
    if (keepsNormal()) return bytes >= Math.max(limits.gatherAlternateBytes, 8 * (base.length - alternateAt));
    return log.endOffset() - since >= Math.max(limits.gatherAlternateBytes, log.keptBytes() / 4);
  }

  /** bytes: what of the base is wanted. */
  function* feed(emulator: Emulator, bytes: Uint8Array, to: number, upToResize: number): Generator<void> {
    const base = log.base();
    const parts = [{ kind: "bytes" as const, bytes }, ...log.slice({ from: base.offset, to, upToResize })];
    for (const part of parts) {
      if (part.kind === "resize") {
        emulator.resize(part.size);
        continue;
      }
      for (let at = 0; at < part.bytes.length; at += STEP_BYTES) {
        emulator.write(part.bytes.subarray(at, at + STEP_BYTES));
        yield;
      }
    }
  }

  function stop(): void {
    job?.[Symbol.dispose]();
    job = undefined;
  }

  function run(steps: () => Generator<void>): void {
    startedAt = log.endOffset();
    const started = jobs.start(steps);
    job = started;
    started.finished.then(() => {
      if (job === started) job = undefined;
    });
  }

  /** A string without effect has been going on since the base: it begins later, and nothing else changes. */
  function skipIgnored(): boolean {
    const string = scanner.ignoredString();
    if (string === undefined || string !== ignoredAtBase || log.base().resizes !== log.resizeCount()) return false;
    log.rebase({ ...log.base(), offset: log.endOffset() });
    onRebased();
    return true;
  }

  function* writeDown(at: Moment): Generator<void> {
    const { offset, size, state, resizes, keepsNormal: alternateOnly } = at;
    const { bytes, alternateAt, normalScreen } = log.base();
    using emulator = createEmulator(log.base().size, scrollback);
    yield* feed(emulator, alternateOnly ? bytes.subarray(alternateAt) : bytes, offset, resizes);
    const { normal, rest, isExact } = yield* serializeInSteps({ emulator, state, scrollback, alternateOnly });
    if (!isExact && failures < RETRIES) {
      failures++;
      retryAt = gathered() + RETRY_BYTES * 2 ** failures;
      return;
    }
    placeIn(state.savedAlternate, emulator.alternate());
    if (!alternateOnly) placeIn(state.savedNormal, emulator.normal());
    if (!alternateOnly && tracker.tabChanges() === at.tabChanges) {
      tracker.learnTabs(tabsOf(emulator.normal(), size.cols));
    }
    failures = 0;
    retryAt = 0;
    scrollsAtBase = tracker.progress().scrolls;
    const inAlternate = emulator.active() === emulator.alternate();
    const before = alternateOnly ? bytes.subarray(0, alternateAt) : encoder.encode(normal);
    log.rebase({
      offset,
      size,
      bytes: concat([before, encoder.encode(rest), at.open]),
      alternateAt: inAlternate ? before.length : undefined,
      normalScreen: alternateOnly ? normalScreen : inAlternate ? normalScreenOf(emulator, state) : undefined,
      resizes,
    });
    ignoredAtBase = at.ignoredString;
    onRebased();
  }

  return {
    isRunning: () => job !== undefined,
    keepsNormal,
    placeCursors(point, onPlaced) {
      run(function* () {
        using emulator = createEmulator(log.base().size, scrollback);
        yield* feed(emulator, log.base().bytes, point.offset, log.resizesBefore(point.offset));
        placeBoth(point.state, emulator);
        // What is called may forget output, and with it the work that is still going on: this is at its end.
        job = undefined;
        onPlaced();
      });
    },
    isWanted() {
      const bytes = gathered();
      if (retryAt > 0) return bytes >= retryAt;
      if (isAlternateWanted(bytes)) return true;
      if (bytes < Math.max(limits.gatherBytes, 2 * log.base().bytes.length)) return false;
      const scrolls = tracker.progress().scrolls - scrollsAtBase;
      return bytes >= limits.gatherLimitBytes || scrolls * BYTES_PER_SCROLL < bytes;
    },
    writeDown() {
      if (skipIgnored()) return;
      const moment: Moment = {
        offset: log.endOffset(),
        size: tracker.progress().size,
        state: tracker.known(),
        open: scanner.openSequence(),
        ignoredString: scanner.ignoredString(),
        keepsNormal: keepsNormal(),
        resizes: log.resizeCount(),
        tabChanges: tracker.tabChanges(),
      };
      run(() => writeDown(moment));
    },
    backlogBytes: () => job === undefined ? 0 : log.endOffset() - startedAt,
    finished: () => job?.finished ?? Promise.resolve(),
    rebased() {
      stop();
      ignoredAtBase = undefined;
      failures = 0;
      retryAt = 0;
      scrollsAtBase = tracker.progress().scrolls;
    },
    [Symbol.dispose]: stop,
  };
}
