/**
 * Defects of xterm.js 6.0 that make what it shows depend on more than the output, or end it. Both sides, the page and
 * the server's own copy of the screen, need the same fixes: they must agree. To be called once for every terminal,
 * headless or not, before anything is written to it; its inside has no types, so it is looked into with care.
 */
import { STRING_LIMIT_BYTES } from "./string_buffer.ts";

interface Params {
  readonly params: readonly number[];
}

interface Line {
  isWrapped: boolean;
  readonly length: number;
  /** Three words a cell; the first has the width above bit 22. */
  readonly _data: Uint32Array;
  resize(cols: number, fill: undefined): boolean;
}

interface LineList {
  readonly length: number;
  maxLength: number;
  get(index: number): Line | undefined;
  set(index: number, line: Line | undefined): void;
}

interface Buffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly lines: LineList;
  readonly tabs: { [col: number]: boolean | undefined };
}

interface OscParser {
  _state: number;
  readonly _id: number;
  reset(): void;
  start(): void;
  put(data: Uint32Array, start: number, end: number): void;
}

interface Inside {
  readonly cols: number;
  readonly buffers: { readonly active: Buffer; readonly normal: Buffer; readonly alt: Buffer };
  readonly _inputHandler: {
    eraseInLine(params: Params, respectProtect: boolean): boolean;
    _resetBufferLine(row: number, respectProtect: boolean): void;
    readonly _parser: { readonly _oscParser: OscParser };
  };
}

interface Terminal {
  readonly parser: {
    registerCsiHandler(
      id: { readonly prefix?: string; readonly final: string },
      handler: (params: readonly (number | number[])[]) => boolean,
    ): unknown;
  };
  onResize(listener: (size: { readonly cols: number; readonly rows: number }) => void): unknown;
}

function isInside(core: unknown): core is Inside {
  return typeof core === "object" && core !== null && "cols" in core && "buffers" in core && "_inputHandler" in core;
}

function eraseAbove(core: Inside, respectProtect: boolean): void {
  const { y, ybase, lines } = core.buffers.active;
  core._inputHandler.eraseInLine({ params: [1] }, respectProtect);
  const line = lines.get(ybase + y);
  if (line) line.isWrapped = false;
  // All of the line is erased, so the next one continues nothing.
  const next = ybase + y + 1 < lines.length ? lines.get(ybase + y + 1) : undefined;
  if (next) next.isWrapped = false;
  for (let row = 0; row < y; row++) core._inputHandler._resetBufferLine(row, respectProtect);
}

/**
 * CSI 1 J with the cursor in the last column throws in the last line there is, after which nothing is drawn any more;
 * elsewhere it changes a line of the scrollback instead of the next one.
 */
function fixEraseAbove(terminal: Terminal, core: Inside): void {
  for (const prefix of ["", "?"]) {
    terminal.parser.registerCsiHandler({ ...(prefix === "" ? {} : { prefix }), final: "J" }, ([what]) => {
      if (what !== 1 || core.buffers.active.x < core.cols - 1) return false;
      eraseAbove(core, prefix === "?");
      return true;
    });
  }
}

const fixedLists = new WeakSet<object>();

/**
 * Lines are kept in a ring. When a full one is made narrower, the rows that no longer fit are written before its
 * beginning, which is its end: over the last lines, depending on how often it has turned.
 */
function fixReflow(core: Inside): void {
  const shared: unknown = Reflect.getPrototypeOf(core.buffers.normal.lines);
  if (typeof shared !== "object" || shared === null || fixedLists.has(shared)) return;
  const set: unknown = Reflect.get(shared, "set");
  if (typeof set !== "function") throw new Error("xterm.js is not the version this is written for");
  fixedLists.add(shared);
  Reflect.set(shared, "set", function (this: LineList, index: number, line: Line | undefined): void {
    if (index >= 0) Reflect.apply(set, this, [index, line]);
  });
}

/**
 * An alternate buffer that is not in use keeps room for the rows the terminal once had, and so gets a scrollback. One
 * that is in use keeps its cells behind the last column, and shows them again when the terminal is made wider.
 */
function fitAlternate({ lines }: Buffer, cols: number, rows: number): void {
  if (lines.length === 0) lines.maxLength = rows;
  for (let row = 0; row < lines.length; row++) {
    const line = lines.get(row);
    if (line === undefined || line.length <= cols) continue;
    line.resize(cols, undefined);
    const last = (cols - 1) * 3;
    // Of a wide character that is cut in two nothing is left.
    if ((line._data[last] ?? 0) >>> 22 === 2) line._data[last] = 1 << 22;
  }
}

/** New columns have a tab stop at every eighth, whatever stops there are, and none is remembered behind the last. */
function fitTabs(tabs: Buffer["tabs"], oldCols: number, cols: number): void {
  for (const col of Object.keys(tabs).map(Number)) if (col >= Math.min(oldCols, cols)) delete tabs[col];
  for (let col = oldCols; col < cols; col++) if (col % 8 === 0) tabs[col] = true;
}

function fixResize(terminal: Terminal, core: Inside): void {
  let oldCols = core.cols;
  terminal.onResize(({ cols, rows }) => {
    fitAlternate(core.buffers.alt, cols, rows);
    fitTabs(core.buffers.normal.tabs, oldCols, cols);
    fitTabs(core.buffers.alt.tabs, oldCols, cols);
    oldCols = cols;
  });
}

const OSC_ABORTED = 3;
/** An inline image shows something, and is no part of the state. */
const OSC_IMAGE = 1337;

function utf8Length(data: Uint32Array, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    const code = data[at] ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** Strings have no effect when they are longer than what the server keeps of them, so both sides agree on all. */
function fixLongStrings(core: Inside): void {
  const parser = core._inputHandler._parser._oscParser;
  const start = parser.start.bind(parser);
  const put = parser.put.bind(parser);
  let length = 0;
  parser.start = () => {
    length = 0;
    start();
  };
  parser.put = (data, from, to) => {
    length += utf8Length(data, from, to);
    if (length <= STRING_LIMIT_BYTES || parser._id === OSC_IMAGE) return put(data, from, to);
    if (parser._state === OSC_ABORTED) return;
    parser.reset();
    parser._state = OSC_ABORTED;
  };
}

export function fixXterm(terminal: Terminal): void {
  const core: unknown = Reflect.get(terminal, "_core");
  if (!isInside(core)) throw new Error("xterm.js is not the version this is written for");
  fixEraseAbove(terminal, core);
  fixReflow(core);
  fixResize(terminal, core);
  fixLongStrings(core);
}
