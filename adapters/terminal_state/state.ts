/**
 * The state of one session's terminal: what came in is kept as it came, and read for escape sequences only; a screen is
 * made from it when someone asks.
 *
 * 1. base + log always rebuild the exact state: whatever is forgotten was replaced by what gives the same.
 * 2. What is kept is bounded. In ordinary output a sync point takes over from what came before it, at no cost. Where
 *    there is none for long (full-screen programs), an emulator is fed in steps and its state written down.
 * 3. Answers come in stream order, in the call of write that brought the question.
 */
import type {
  SnapshotPart,
  TerminalSnapshot,
  TerminalState,
  TerminalStateOptions,
  TerminalText,
} from "../../core/ports/terminal_state.ts";
import { createEscapeScanner } from "../../core/terminals/escape_scanner.ts";
import { toTerminalModes } from "../../core/terminals/modes.ts";
import { formatPointPrefix, isPlaced, isReachable } from "../../core/terminals/point_prefix.ts";
import type { SyncPoint } from "../../core/terminals/sync_points.ts";
import { createTerminalFacts } from "../../core/terminals/terminal_facts.ts";
import { createCompaction } from "./compaction.ts";
import type { Emulator } from "./emulator.ts";
import type { JobQueue } from "./job_queue.ts";
import type { Limits } from "./limits.ts";
import { type BlockPool, concat, copyParts, createOutputLog } from "./output_log.ts";
import { createScreens, type ScreenCache } from "./screens.ts";
import { serialize } from "./serialize.ts";

const encoder = new TextEncoder();

const END_SYNCHRONIZED_OUTPUT = encoder.encode("\x1b[?2026l");

export interface StateServices {
  readonly limits: Limits;
  readonly blocks: BlockPool;
  readonly cache: ScreenCache;
  readonly jobs: JobQueue;
}

function readLines(emulator: Emulator, from: number, to: number): string[] {
  const buffer = emulator.terminal.buffer.active;
  const lines: string[] = [];
  for (let row = from; row < to; row++) lines.push(buffer.getLine(row)?.translateToString(true).trimEnd() ?? "");
  return lines;
}

export function createTerminalState(options: TerminalStateOptions, services: StateServices): TerminalState {
  const { scrollback } = options;
  const { limits } = services;
  let size = options.size;
  const log = createOutputLog(size, services.blocks);
  const facts = createTerminalFacts({
    onSignal: options.onSignal,
    answer: options.answer,
    size,
    scrollback,
    pointDistanceBytes: limits.pointDistanceBytes,
    position: () => scanner.position(),
    onRestored: (savedOffset, mayHaveScrolled) => screens.restored(savedOffset, mayHaveScrolled),
    cursor() {
      const { x, y } = screens.at(scanner.position(), 0).active();
      return { col: Math.min(x, size.cols - 1), row: y };
    },
  });
  const { tracker } = facts;
  const scanner = createEscapeScanner(facts);
  const screens = createScreens({ log, tracker, output, scrollback, cache: services.cache });
  const compaction = createCompaction({
    log,
    facts,
    scanner,
    scrollback,
    limits,
    jobs: services.jobs,
    onRebased: forgetPoints,
  });
  /** A program that dies while it holds back the screen must not hold back that of a viewer who comes later. */
  function output(from: number, to: number): readonly SnapshotPart[] {
    const held = facts.heldBackSince();
    if (held === undefined || held <= from || held > to) return log.slice({ from, to });
    const resizes = log.resizesBefore(held);
    const before = log.slice({ from, to: held, upToResize: resizes });
    const release = { kind: "bytes", bytes: END_SYNCHRONIZED_OUTPUT } as const;
    return [...before, release, ...log.slice({ from: held, to, afterResize: resizes })];
  }

  let nextTrimAt = limits.trimDistanceBytes;

  function forgetPoints(): void {
    tracker.points.forgetBefore(log.base().offset);
    nextTrimAt = log.endOffset() + limits.trimDistanceBytes;
  }

  function startFrom(point: SyncPoint): void {
    const bytes = encoder.encode(formatPointPrefix(point, { kind: "full", lines: scrollback }));
    log.rebase({
      offset: point.offset,
      size: point.size,
      bytes,
      alternateAt: undefined,
      normalScreen: undefined,
      resizes: log.resizesBefore(point.offset),
    });
    compaction.rebased();
    forgetPoints();
  }

  function trim(): void {
    nextTrimAt = log.endOffset() + limits.trimDistanceBytes;
    const point = tracker.points.complete(tracker.progress(), log.endOffset() - limits.keepRawBytes);
    if (point !== undefined && point.offset > log.base().offset && isReachable(point, scrollback)) {
      if (isPlaced(point)) startFrom(point);
      else if (!compaction.isRunning()) {
        compaction.placeCursors(point, () => isReachable(point, scrollback) && startFrom(point));
      }
    } else if (!compaction.isRunning() && compaction.isWanted()) compaction.writeDown();
  }

  function write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const offset = log.endOffset();
    log.append(bytes);
    facts.beginWrite();
    scanner.scan(bytes, offset);
    if (log.endOffset() >= nextTrimAt) trim();
  }

  function wholeSnapshot(offset: number): TerminalSnapshot {
    const base = log.base();
    const parts = output(base.offset, offset);
    if (base.bytes.length === 0) return { size: base.size, parts, offset };
    return { size: base.size, parts: [{ kind: "bytes", bytes: base.bytes }, ...parts], offset };
  }

  /** From the screen that someone looks at anyway. */
  function drawnSnapshot(offset: number, lines: number): TerminalSnapshot | undefined {
    if (lines >= scrollback) return undefined;
    const emulator = screens.ready(offset, lines, limits.smallSnapshotBytes);
    if (emulator === undefined) return undefined;
    const { normal, rest, isExact } = serialize({ emulator, state: tracker.known(), scrollback: lines });
    if (!isExact) return undefined;
    const open = { kind: "bytes", bytes: scanner.openSequence() } as const;
    return { size, parts: [{ kind: "bytes", bytes: encoder.encode(normal + rest) }, open], offset };
  }

  /** While the alternate buffer is in use: the normal screen as it was, without the lines above it. */
  function alternateSnapshot(offset: number): TerminalSnapshot | undefined {
    const { size, bytes, alternateAt, normalScreen, offset: from } = log.base();
    if (normalScreen === undefined || !compaction.keepsNormal()) return undefined;
    const start = concat([normalScreen, bytes.subarray(alternateAt)]);
    return { size, parts: [{ kind: "bytes", bytes: start }, ...output(from, offset)], offset };
  }

  function chooseSnapshot(offset: number, lines: number): TerminalSnapshot {
    const whole = log.keptBytes();
    if (whole <= limits.smallSnapshotBytes) return wholeSnapshot(offset);
    const shortcut = (lines === 0 ? alternateSnapshot(offset) : undefined) ?? screens.shortcut(offset, lines);
    if (shortcut !== undefined && bytesOf(shortcut) < whole / 2) return shortcut;
    return drawnSnapshot(offset, lines) ?? shortcut ?? wholeSnapshot(offset);
  }

  return {
    write,
    resize(next) {
      if (next.cols === size.cols && next.rows === size.rows) return;
      trim();
      size = { cols: next.cols, rows: next.rows };
      log.appendResize(size);
      facts.resized(size);
      screens.resized();
    },
    offset: () => log.endOffset(),
    backlogBytes: () => compaction.backlogBytes(),
    digested: () => compaction.finished(),
    read(scrollbackLines) {
      const offset = log.endOffset();
      const emulator = screens.at(offset, Math.min(scrollbackLines, scrollback));
      const { baseY, length, cursorX, cursorY } = emulator.terminal.buffer.active;
      const folder = facts.folder();
      const text: TerminalText = {
        screen: readLines(emulator, baseY, Math.min(length, baseY + size.rows)),
        scrollback: readLines(emulator, Math.max(0, baseY - scrollbackLines), baseY),
        cursor: { col: Math.min(cursorX, size.cols - 1), row: cursorY },
        title: facts.title(),
        ...(folder === undefined ? {} : { folder }),
        size,
        modes: toTerminalModes(facts.modes),
        offset,
      };
      return Promise.resolve(text);
    },
    snapshot(scrollbackLines) {
      const snapshot = chooseSnapshot(log.endOffset(), Math.max(0, scrollbackLines));
      return Promise.resolve({ ...snapshot, parts: copyParts(snapshot.parts) });
    },
    since(offset) {
      if (offset < log.base().offset || offset > log.endOffset()) return undefined;
      return copyParts(log.slice({ from: offset, to: log.endOffset() }));
    },
    clearStaleModes(upToOffset) {
      const off = facts.staleModesOff(upToOffset);
      // What the program was in the middle of saying is cancelled first.
      const bytes = encoder.encode(off !== "" && !scanner.isBetweenSequences() ? `\x18${off}` : off);
      write(bytes);
      return bytes;
    },
    setColors: (colors) => facts.setColors(colors),
    [Symbol.dispose]() {
      compaction[Symbol.dispose]();
      services.cache.remove(screens);
      screens.giveUp();
      log.clear();
    },
  };
}

function bytesOf(snapshot: TerminalSnapshot): number {
  return snapshot.parts.reduce((sum, part) => sum + (part.kind === "bytes" ? part.bytes.length : 0), 0);
}
