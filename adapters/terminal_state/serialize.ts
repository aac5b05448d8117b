/**
 * The state of an emulator as output that rebuilds it in a fresh terminal of the same size: both buffers, scrollback,
 * cursors, margins. What the escape sequences alone tell (modes, pen, title) is taken from the KnownState of that
 * offset. Unlike the serialize addon of xterm.js it is meant to be exact: it says so when it could not be.
 */
import type { PtySize } from "../../core/ports/pty.ts";
import { FG_UNDERLINE, formatAttributes, formatLink, isExpressible } from "../../core/terminals/attributes.ts";
import { formatCharsets, isCurrentOfLevel } from "../../core/terminals/charsets.ts";
import {
  formatInputModes,
  formatKittyStack,
  formatPen,
  formatPenModes,
  formatPosition,
  formatSave,
  formatSurroundings,
  formatTabs,
  type KnownState,
  type SavedCursor,
} from "../../core/terminals/known_state.ts";
import type { BufferLine, Emulator, ScreenBuffer } from "./emulator.ts";
import { createLineWriter, type LineWriter } from "./line_writer.ts";

const LINES_PER_STEP = 100;

export interface Serialized {
  /** While the alternate buffer is in use: the normal one, which comes first. */
  readonly normal: string;
  /** All else: this alone gives the alternate buffer. */
  readonly rest: string;
  readonly isExact: boolean;
}

export interface SerializeOptions {
  readonly emulator: Emulator;
  readonly state: KnownState;
  /** Lines above the screen. */
  readonly scrollback: number;
  /** The alternate buffer is in use, and the normal one is not asked for. */
  readonly alternateOnly?: boolean;
}

interface Context {
  readonly writer: LineWriter;
  readonly state: KnownState;
  readonly size: PtySize;
  readonly parts: string[];
}

/** The lines of a buffer from one on, as if typed one after the other; yields now and then. */
function* drawLines(context: Context, buffer: ScreenBuffer, from: number): Generator<void> {
  const { writer, size, parts } = context;
  const { lines } = buffer;
  let line = lines.get(from);
  if (line === undefined) return;
  const continued = line.isWrapped;
  // The first line continues one that is gone: one is put before it, and taken away once it has scrolled out.
  if (continued) {
    writer.raw(" ".repeat(size.cols) + " \r\x1b[X");
  }
  for (let index = from; index < lines.length; index++) {
    if (continued && index - from === size.rows - 1) writer.raw("\x1b[3J");
    // The list is a ring: behind its end comes its beginning.
    const next: BufferLine | undefined = index + 1 < lines.length ? lines.get(index + 1) : undefined;
    writer.line(line);
    if (next === undefined) break;
    writer.advance(line, next.isWrapped);
    line = next;
    if (index % LINES_PER_STEP === 0) {
      parts.push(writer.take());
      yield;
    }
  }
  writer.plainPen();
}

/** Columns of the tab stops; undefined when they are where they always are. */
export function tabsOf(buffer: ScreenBuffer, cols: number): readonly number[] | undefined {
  const tabs: number[] = [];
  let isUsual = true;
  for (let col = 0; col < cols; col++) {
    const isSet = buffer.tabs[col] === true;
    if (isSet) tabs.push(col);
    if (isSet !== (col % 8 === 0)) isUsual = false;
  }
  return isUsual ? undefined : tabs;
}

function isNever(saved: SavedCursor, buffer: ScreenBuffer): boolean {
  return buffer.savedX === 0 && buffer.savedY === 0 && saved.fg === 0 && saved.bg === 0 && saved.charset === "";
}

/**
 * A saved cursor is kept by the line it was in, which may have scrolled far away. Set while the buffer holds nothing,
 * by scrolling so far that the line is on the screen; the lines are then taken away again.
 */
export function formatSaveAtLine(
  saved: SavedCursor,
  at: { readonly col: number; readonly line: number; readonly size: PtySize },
): string {
  const { rows, cols } = at.size;
  const scrolls = Math.max(0, at.line - (rows - 1));
  const text = formatPosition(0, rows - 1) + "\n".repeat(scrolls);
  return text + formatSave(saved, { col: at.col, row: at.line - scrolls, cols }) + "\x1b[3J\x1b[H\x1b[2J";
}

function saveAlternate(state: KnownState, alternate: ScreenBuffer, size: PtySize): string {
  if (isNever(state.savedAlternate, alternate)) return "";
  return formatSave(state.savedAlternate, { col: alternate.savedX, row: alternate.savedY, cols: size.cols }) +
    "\x1b[H\x1b[2J";
}

/** What comes before the normal buffer is drawn. */
function formatBefore(context: Context, emulator: Emulator, isWhole: boolean): string {
  const { state, size } = context;
  const normal = emulator.normal();
  const alternate = emulator.alternate();
  let text = formatTabs(tabsOf(normal, size.cols));
  if (emulator.active() === normal) {
    const inside = saveAlternate(state, alternate, size) + formatKittyStack(state.modes.kittyAlternate);
    if (inside !== "") text += `\x1b[?47h${inside}\x1b[?47l\x1b[H`;
  }
  const { savedX: col, savedY: line } = normal;
  if (isWhole && !isNever(state.savedNormal, normal) && !isSavedLater(normal, size)) {
    text += formatSaveAtLine(state.savedNormal, { col, line, size });
  }
  return text;
}

/** The saved cursor can be set when the screen is drawn: its line is on it, and its column can be gone to. */
function isSavedLater(buffer: ScreenBuffer, size: PtySize): boolean {
  const row = buffer.savedY - buffer.ybase;
  return row >= 0 && row < size.rows && buffer.savedX < size.cols;
}

/** Saved cursor and margins of a buffer; leaves the cursor wherever. */
function formatFrame(buffer: ScreenBuffer, saved: SavedCursor | undefined, size: PtySize): string {
  let text = "";
  if (saved !== undefined && !isNever(saved, buffer) && isSavedLater(buffer, size)) {
    text += formatSave(saved, { col: buffer.savedX, row: buffer.savedY - buffer.ybase, cols: size.cols });
  }
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== size.rows - 1) {
    text += `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
  }
  return text;
}

/**
 * Colours and character set that only came about by restoring a saved cursor: restored again. "" when there is no need;
 * undefined when the saved cursor is another one by now.
 */
function formatRestored(state: KnownState, saved: SavedCursor): string | undefined {
  const { attributes, charsets } = state;
  if (isCurrentOfLevel(charsets) && isExpressible(attributes)) return "";
  if (saved.fg !== attributes.fg || saved.bg !== attributes.bg || saved.charset !== charsets.current) return undefined;
  const fg = attributes.underlineStyle === 0 ? 0 : FG_UNDERLINE;
  const rest = { ...attributes, fg, bg: 0 };
  return formatLink(attributes.link) + formatAttributes(rest) + "\x1b8";
}

/** The last character before the cursor, which is printed again to put the cursor behind it. */
function columnBefore(line: BufferLine, x: number): number {
  let col = x - 1;
  while (col > 0 && (line._data[col * 3] ?? 0) >>> 22 === 0) col--;
  return col;
}

/** The cursor where it is: behind the last column it can only get by printing there. */
function drawCursor(context: Context, emulator: Emulator): void {
  const { writer, state, size } = context;
  const buffer = emulator.active();
  const charsets = formatCharsets(state.charsets);
  const restored = formatRestored(state, buffer === emulator.normal() ? state.savedNormal : state.savedAlternate);
  const pen = (restored === "" ? formatPen(state) : formatPenModes(state.modes)) + formatInputModes(state.modes);
  const isJoinable = emulator.isJoinable();
  const line = buffer.lines.get(buffer.ybase + buffer.y);
  if (restored === undefined || (restored !== "" && isJoinable)) writer.inexact();
  if (state.modes.origin && (buffer.y < buffer.scrollTop || buffer.y > buffer.scrollBottom)) writer.inexact();
  writer.raw(state.modes.origin ? "\x1b[?6h" : "");
  const row = buffer.y - (state.modes.origin ? buffer.scrollTop : 0);
  if (line === undefined || (buffer.x < size.cols && !isJoinable)) {
    writer.raw(charsets + (restored ?? "") + formatPosition(buffer.x, row) + pen);
    return;
  }
  const col = columnBefore(line, buffer.x);
  const character = writer.character(line, col, state.attributes);
  // A character that can still be joined must be the last thing written, any other is followed by the pen.
  if (isJoinable && !state.modes.insert) {
    if (character === "") writer.inexact();
    writer.raw(formatPosition(col, row) + charsets + pen + character);
    return;
  }
  if (isJoinable || restored !== "") writer.inexact();
  writer.raw(formatPosition(col, row));
  if (!writer.cell(line, col)) writer.inexact();
  writer.plainPen();
  writer.raw(charsets + pen);
}

/** What was set when the terminal was larger, and is now outside of it, no output sets. */
function isOutOfReach(emulator: Emulator, { cols, rows }: PtySize): boolean {
  const normal = emulator.normal();
  const alternate = emulator.alternate();
  const isTooLow = normal.savedY > (emulator.terminal.options.scrollback ?? 0) + rows - 1 ||
    alternate.savedY > rows - 1;
  const isTooRight = normal.savedX > cols || alternate.savedX > cols;
  return isTooLow || isTooRight;
}

function takeAll({ writer, parts }: Context): string {
  return parts.splice(0).join("") + writer.take();
}

function* drawNormal(context: Context, emulator: Emulator, scrollback: number): Generator<void> {
  const { writer, state, size } = context;
  const normal = emulator.normal();
  writer.raw(formatBefore(context, emulator, normal.ybase <= scrollback));
  yield* drawLines(context, normal, Math.max(0, normal.ybase - scrollback));
  writer.raw(formatFrame(normal, state.savedNormal, size) + formatKittyStack(state.modes.kittyNormal));
  // A change of size moves the lines of the normal buffer around the row where its cursor was left.
  if (emulator.active() !== normal) writer.raw(formatPosition(Math.min(normal.x, size.cols - 1), normal.y));
}

function* drawAlternate(context: Context, emulator: Emulator): Generator<void> {
  const { writer, state, size } = context;
  const alternate = emulator.alternate();
  writer.raw(`\x1b[?1047h${saveAlternate(state, alternate, size)}${formatTabs(tabsOf(alternate, size.cols))}\x1b[H`);
  yield* drawLines(context, alternate, 0);
  writer.raw(formatFrame(alternate, undefined, size) + formatKittyStack(state.modes.kittyAlternate));
}

/** Yields between pieces of work of a few milliseconds; the emulator must stay as it is meanwhile. */
export function* serializeInSteps(options: SerializeOptions): Generator<void, Serialized> {
  const { emulator, state, scrollback, alternateOnly = false } = options;
  const writer = createLineWriter(emulator);
  const size = emulator.size();
  if (isOutOfReach(emulator, size)) writer.inexact();
  const context: Context = { writer, state, size, parts: [] };
  const inAlternate = emulator.active() === emulator.alternate();
  let normal = "";
  if (!inAlternate) writer.raw(formatSurroundings(state));
  if (!alternateOnly) yield* drawNormal(context, emulator, scrollback);
  if (inAlternate) {
    normal = takeAll(context);
    writer.raw(formatSurroundings(state));
    yield* drawAlternate(context, emulator);
  }
  drawCursor(context, emulator);
  return { normal, rest: takeAll(context), isExact: writer.isExact() };
}

export function serialize(options: SerializeOptions): Serialized {
  const steps = serializeInSteps(options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
