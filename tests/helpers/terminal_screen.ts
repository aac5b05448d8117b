/**
 * A reference terminal (a plain headless xterm.js with the page's character widths) and all that it shows and would
 * do, as text that can be compared: cells, wrapping, cursor, margins, tab stops, saved cursors, pen, modes.
 */
import xterm from "@xterm/headless";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import type { SnapshotPart } from "../../core/ports/terminal_state.ts";
import { incompleteTailLength } from "../../core/terminals/utf8.ts";
import { fixXterm } from "../../core/terminals/xterm_fixes.ts";

// deno-lint-ignore no-explicit-any -- the inside of xterm.js has no types, and this is what is compared.
type Inside = any;

export interface Reference extends Disposable {
  play(parts: readonly SnapshotPart[]): void;
  write(bytes: Uint8Array): void;
  resize(size: { cols: number; rows: number }): void;
  /** Everything, one fact a line. lines: only so many of the scrollback. */
  dump(lines?: number): string[];
  /** Screen, so many lines above it, and cursor, as scripts read them. */
  text(lines: number): [string[], string[], { col: number; row: number }];
}

export function createReference(size: { cols: number; rows: number }, scrollback: number): Reference {
  const terminal = new xterm.Terminal({ ...size, scrollback, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  fixXterm(terminal);
  let title = "";
  terminal.onTitleChange((next) => title = next);
  const core: Inside = Reflect.get(terminal, "_core");
  // A link is forgotten there once the line it began in is erased, though other cells still have it.
  core._oscLinkService._removeMarkerFromLink = () => {};
  let held = new Uint8Array(0);
  const self: Reference = {
    write(bytes) {
      const whole = new Uint8Array([...held, ...bytes]);
      const tail = incompleteTailLength(whole);
      held = whole.slice(whole.length - tail);
      if (whole.length > tail) core.writeSync(whole.subarray(0, whole.length - tail));
    },
    resize({ cols, rows }) {
      // Gives memory back later, by a timer that would outlive the test.
      for (const buffer of [core.buffers.normal, core.buffers.alt]) buffer._memoryCleanupQueue.enqueue = () => {};
      terminal.resize(cols, rows);
    },
    play(parts) {
      for (const part of parts) {
        if (part.kind === "bytes") self.write(part.bytes);
        else self.resize(part.size);
      }
    },
    text(lines) {
      const { baseY, cursorX, cursorY } = terminal.buffer.active;
      const row = (index: number) => terminal.buffer.active.getLine(index)?.translateToString(true).trimEnd() ?? "";
      const above = Math.min(lines, baseY);
      return [
        Array.from({ length: terminal.rows }, (_, index) => row(baseY + index)),
        Array.from({ length: above }, (_, index) => row(baseY - above + index)),
        { col: Math.min(cursorX, terminal.cols - 1), row: cursorY },
      ];
    },
    dump: (lines = Infinity) => dump(core, title, lines),
    [Symbol.dispose]: () => terminal.dispose(),
  };
  return self;
}

/** The same of any terminal. */
export function dumpTerminal(terminal: object): string[] {
  return dump(Reflect.get(terminal, "_core"), "", Infinity);
}

function color(word: number): string {
  const kind = word & 0x3000000;
  if (kind === 0) return "-";
  return kind === 0x3000000 ? `#${(word & 0xffffff).toString(16)}` : `${kind >>> 24}:${word & 0xff}`;
}

function penText(core: Inside, fg: number, bg: number, extended: Inside): string {
  const flags = (((fg >>> 26) & 0x3f) << 8) | (((bg & ~0x10000000) >>> 26) & 0x3f);
  let text = `${color(fg)}/${color(bg)}/${flags.toString(16)}`;
  if (bg & 0x10000000 && extended) {
    const link = extended.urlId ? core._oscLinkService.getLinkData(extended.urlId)?.uri : "";
    if (extended.underlineStyle || link) {
      text += `/${extended.underlineStyle}${extended.underlineStyle ? color(extended.underlineColor) : ""}${link}`;
    }
  }
  return text;
}

function lineText(core: Inside, line: Inside): string {
  const cells: string[] = [];
  let last = "";
  let run = "";
  for (let col = 0; col < line.length; col++) {
    const content = line._data[col * 3];
    const width = content >>> 22;
    // The second half of a wide character is drawn with the pen of the first.
    const pen = width === 0 && col > 0
      ? last
      : penText(core, line._data[col * 3 + 1], line._data[col * 3 + 2], line._extendedAttrs[col]);
    const character = content & 0x200000
      ? line._combined[col]
      : content & 0x1fffff
      ? String.fromCodePoint(content & 0x1fffff)
      : "";
    if (pen !== last) {
      if (run !== "") cells.push(`${last}{${run}}`);
      run = "";
      last = pen;
    }
    run += character === "" ? (width === 1 ? "·" : `<${width}>`) : width === 1 ? character : `${character}<${width}>`;
  }
  cells.push(`${last}{${run}}`);
  return `${line.isWrapped ? "~" : "|"}${cells.join(" ").replace(/·+}$/, "}")}`;
}

function bufferText(core: Inside, name: string, buffer: Inside, lines: number): string[] {
  const out: string[] = [];
  const from = Math.max(0, buffer.ybase - lines);
  for (let index = from; index < buffer.lines.length; index++) {
    out.push(`${name} ${index - buffer.ybase} ${lineText(core, buffer.lines.get(index))}`);
  }
  return out;
}

function sortedCharset(charset: Inside): string {
  return charset ? Object.keys(charset).join("") : "";
}

function dump(core: Inside, title: string, lines: number): string[] {
  const { buffers, coreService, coreMouseService, _charsetService: charsets } = core;
  const input = core._inputHandler;
  const active = buffers.active;
  const isAlternate = active === buffers.alt;
  const pen = input._curAttrData;
  const whole = lines === Infinity;
  const { synchronizedOutput: _, ...modes } = coreService.decPrivateModes;
  // What was saved in a larger screen and is now outside, no output can save there again.
  const saved = (buffer: Inside) =>
    `${buffer.savedX},${Math.min(buffer.savedY, core.options.scrollback + core.rows - 1)} ${
      penText(core, buffer.savedCurAttrData.fg, buffer.savedCurAttrData.bg & ~0x10000000, undefined)
    } ${sortedCharset(buffer.savedCharset)}`;
  const out = [
    `size ${core.cols}x${core.rows}`,
    `cursor ${active.x},${active.y} joins ${input._parser.precedingJoinState !== 0}`,
    `pen ${penText(core, pen.fg, pen.bg, pen.extended)} underline ${color(pen.extended.underlineColor)}`,
    `charsets ${[0, 1, 2, 3].map((set) => sortedCharset(charsets._charsets[set])).join("|")} level ${charsets.glevel} ${
      sortedCharset(charsets.charset)
    }`,
    `modes ${JSON.stringify({ ...coreService.modes, ...modes })}`,
    `options ${core.options.convertEol} ${core.options.cursorBlink} hidden ${coreService.isCursorHidden}`,
    `mouse ${coreMouseService.activeProtocol} ${coreMouseService.activeEncoding}`,
    `title ${title}`,
    `parser ${input._parser.currentState}`,
    `${isAlternate ? "alternate" : "normal"} margins ${active.scrollTop},${active.scrollBottom}`,
    `tabs ${Object.keys(active.tabs).filter((col) => active.tabs[col] && Number(col) < core.cols).join(",")}`,
    ...(whole ? [`saved ${saved(buffers.normal)}`] : []),
    ...(whole && isAlternate ? [`saved alternate ${saved(buffers.alt)}`] : []),
    ...(whole ? [`scrolled ${buffers.normal.ybase}`] : []),
    ...(isAlternate ? bufferText(core, "alternate", buffers.alt, 0) : []),
    ...bufferText(core, "normal", buffers.normal, isAlternate && !whole ? 0 : lines),
  ];
  if (isAlternate) {
    out.push(`normal row ${buffers.normal.y} margins ${buffers.normal.scrollTop},${buffers.normal.scrollBottom}`);
  }
  return out;
}

/** The first facts that differ, for a message. */
export function firstDifferences(actual: readonly string[], expected: readonly string[], count = 4): string {
  const lines: string[] = [];
  for (let index = 0; index < Math.max(actual.length, expected.length) && lines.length < count * 2; index++) {
    if (actual[index] === expected[index]) continue;
    lines.push(`  got      ${actual[index] ?? "(nothing)"}`, `  expected ${expected[index] ?? "(nothing)"}`);
  }
  return lines.join("\n");
}
