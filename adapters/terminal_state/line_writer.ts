/**
 * Writes rows of cells as the output that draws them: into a blank row, from column 0, with autowrap on, insert mode
 * off and no character set. Cells that no output can draw exactly are reported, never passed over.
 */
import {
  type Attributes,
  BG_EXTENDED,
  COLOR_KIND,
  COLOR_VALUE,
  createAttributes,
  FG_UNDERLINE,
  formatAttributes,
  formatLink,
} from "../../core/terminals/attributes.ts";
import type { BufferLine, Emulator, ExtendedCell } from "./emulator.ts";

const CONTENT = 0x3fffff;
const COMBINED = 0x200000;
const CODE_POINT = 0x1fffff;
const WIDTH_SHIFT = 22;
/** Flags of fg and bg that show on a cell without a character, or that erasing would not give it. */
const FLAGS = ~(COLOR_KIND | COLOR_VALUE);

export interface LineWriter {
  /** Draws the cells of a line into the blank row the cursor is in. */
  line(line: BufferLine): void;
  /** Moves to the next row, scrolling in the last one; wrapped: by running over the end of the line just drawn. */
  advance(line: BufferLine, wrapped: boolean): void;
  /** A cell again, at the place the cursor is in: leaves the cursor behind it. Says whether it has a character. */
  cell(line: BufferLine, col: number): boolean;
  /** The character of a cell, "" when it has none, or when it was not printed with these attributes. */
  character(line: BufferLine, col: number, attributes: Attributes): string;
  /** Sets no colours, styles, link. */
  plainPen(): void;
  /** Anything else; it must leave the pen as it is. */
  raw(text: string): void;
  /** What has been written since the last call. */
  take(): string;
  isExact(): boolean;
  inexact(): void;
}

interface Pen {
  readonly fg: number;
  readonly bg: number;
  readonly extended: ExtendedCell | undefined;
}

const PLAIN: Pen = { fg: 0, bg: 0, extended: undefined };

function samePen(left: Pen, right: Pen): boolean {
  return left.fg === right.fg && left.bg === right.bg && left.extended === right.extended;
}

/** The colour without the bits that xterm.js leaves there from an earlier one. */
function normalColor(word: number): number {
  const kind = word & COLOR_KIND;
  if (kind === 0) return word & FLAGS;
  return kind === COLOR_KIND ? word : word & (FLAGS | COLOR_KIND | 0xff);
}

export function createLineWriter(emulator: Emulator): LineWriter {
  let text = "";
  let exact = true;
  let pen = PLAIN;
  let link = "";
  /** Properties of the last character, as long as the next could join it. */
  let preceding = 0;
  /** Where the cursor is, and where the next cell belongs: the difference is moved when something is written. */
  let col = 0;

  function move(to: number): void {
    if (to === col) return;
    text += to > col ? `\x1b[${to - col}C` : `\x1b[${to + 1}G`;
    col = to;
    preceding = 0;
  }

  function setLinkTo(next: string): void {
    if (next === link) return;
    text += formatLink(next);
    link = next;
    preceding = 0;
  }

  function setPen(next: Pen): void {
    if (samePen(pen, next)) return;
    const { extended } = next;
    const underlineStyle = extended ? (extended._ext >> 26) & 7 : 0;
    if (((next.fg & FG_UNDERLINE) !== 0) !== (underlineStyle !== 0)) exact = false;
    const attributes: Attributes = {
      ...createAttributes(),
      fg: normalColor(next.fg),
      bg: normalColor(next.bg) & ~BG_EXTENDED,
      underlineStyle,
      underlineColor: extended ? normalColor(extended.underlineColor) : 0,
    };
    text += formatAttributes(attributes);
    setLinkTo(extended && extended.urlId !== 0 ? emulator.link(extended.urlId) : "");
    pen = next;
    preceding = 0;
  }

  function penOf(line: BufferLine, at: number): Pen {
    const fg = line._data[at * 3 + 1] ?? 0;
    const bg = line._data[at * 3 + 2] ?? 0;
    return { fg, bg, extended: bg & BG_EXTENDED ? line._extendedAttrs[at] : undefined };
  }

  function stringOf(line: BufferLine, at: number): string {
    const content = line._data[at * 3] ?? 0;
    if (content & COMBINED) return line._combined[at] ?? "";
    const codePoint = content & CODE_POINT;
    return codePoint === 0 ? "" : String.fromCodePoint(codePoint);
  }

  /** Prints a character so that it stays in a cell of its own. */
  function print(character: string, width: number): void {
    const first = character.codePointAt(0) ?? 0;
    // Kinds of characters that join stand above bit 2 of the properties.
    if (first > 0x7e || preceding > 7) {
      if (preceding !== 0 && emulator.join(first, preceding).joins) {
        // NUL does nothing, but what follows it joins nothing before it.
        text += "\0";
        preceding = 0;
      }
      let properties = preceding;
      for (const part of character) properties = emulator.join(part.codePointAt(0) ?? 0, properties).properties;
      preceding = properties;
      // Half a flag, torn apart at the end of a row, does not get its width again.
      if (((properties >> 1) & 3) !== width) exact = false;
    } else preceding = 1;
    text += character;
    col += width;
  }

  /** Null cells with a background take it from an erase; the cursor stays. */
  function erase(from: number, count: number, eraser: Pen): void {
    move(from);
    setPen(eraser);
    text += `\x1b[${count}X`;
    preceding = 0;
  }

  function isSpecialNull(line: BufferLine, at: number): boolean {
    const fg = line._data[at * 3 + 1] ?? 0;
    const bg = line._data[at * 3 + 2] ?? 0;
    return fg !== 0 || (bg & FLAGS) !== 0;
  }

  /**
   * A cell without a character but with more than a background. It comes about when half of a wide character is
   * overwritten: the other half then takes the pen of what overwrites it.
   */
  function drawSpecialNull(line: BufferLine, at: number): void {
    const left = at > 0;
    const neighbour = left ? at - 1 : 1;
    move(left ? at - 1 : 0);
    setPen(PLAIN);
    text += "\0\u4e00";
    col += 2;
    move(neighbour);
    setPen(penOf(line, at));
    text += " ";
    col++;
    preceding = 0;
    // Such cells are drawn from the right, so one on the left has its turn.
    if (!left || !isSpecial(line, neighbour)) redraw(line, neighbour);
  }

  function isSpecial(line: BufferLine, at: number): boolean {
    return ((line._data[at * 3] ?? 0) & CONTENT) === 0 && isSpecialNull(line, at) &&
      (line._data[at * 3] ?? 0) >>> WIDTH_SHIFT === 1;
  }

  /** Puts back the cell that was drawn over. */
  function redraw(line: BufferLine, at: number): void {
    const content = line._data[at * 3] ?? 0;
    if (content & CONTENT) {
      move(at);
      setPen(penOf(line, at));
      print(stringOf(line, at), content >>> WIDTH_SHIFT);
    } else if (content >>> WIDTH_SHIFT === 1) {
      if (isSpecialNull(line, at)) exact = false;
      erase(at, 1, penOf(line, at));
    } else if (at > 0 && (line._data[(at - 1) * 3] ?? 0) >>> WIDTH_SHIFT === 2) redraw(line, at - 1);
    else exact = false;
  }

  function drawText(line: BufferLine, at: number): number {
    const width = (line._data[at * 3] ?? 0) >>> WIDTH_SHIFT;
    move(at);
    setPen(penOf(line, at));
    // With autowrap off a character can stand in the second half of a wide one.
    const isTorn = width === 2 && (line._data[(at + 1) * 3] ?? 1) !== 0;
    if (width === 0 || isTorn) exact = false;
    print(stringOf(line, at), width);
    return Math.max(1, width);
  }

  /** A run of cells without characters; returns its length. */
  function drawNulls(line: BufferLine, at: number): number {
    const data = line._data;
    const content = data[at * 3] ?? 0;
    if (content >>> WIDTH_SHIFT !== 1) exact = false;
    const bg = data[at * 3 + 2] ?? 0;
    let end = at + 1;
    while (end < line.length && data[end * 3] === content && data[end * 3 + 1] === 0 && data[end * 3 + 2] === bg) end++;
    if (bg !== 0) erase(at, end - at, { fg: 0, bg, extended: undefined });
    return end - at;
  }

  return {
    line(line) {
      const specials: number[] = [];
      for (let at = 0; at < line.length;) {
        if ((line._data[at * 3] ?? 0) & CONTENT) at += drawText(line, at);
        else if (isSpecialNull(line, at)) {
          if ((line._data[at * 3] ?? 0) >>> WIDTH_SHIFT !== 1) exact = false;
          specials.push(at++);
        } else at += drawNulls(line, at);
      }
      for (const at of specials.reverse()) drawSpecialNull(line, at);
    },
    advance(line, wrapped) {
      if (!wrapped) {
        // A row that scrolls in takes the background of the pen.
        setPen(PLAIN);
        text += "\r\n";
        col = 0;
        preceding = 0;
        return;
      }
      const last = line.length - 1;
      const drawn = (line._data[last * 3] ?? 0) & CONTENT || (line._data[last * 3] ?? 0) >>> WIDTH_SHIFT === 0;
      if (col !== line.length || !drawn) {
        if (drawn) redraw(line, last);
        else {
          move(last);
          setPen(PLAIN);
          text += " ";
        }
      }
      setPen(PLAIN);
      text += " \r";
      col = 0;
      preceding = 0;
      if (!drawn) {
        if (emulator.size().rows === 1) exact = false;
        text += "\x1b[A";
        if (isSpecialNull(line, last)) {
          erase(last, 1, PLAIN);
          for (let at = last; at >= 0 && isSpecial(line, at); at--) drawSpecialNull(line, at);
        } else erase(last, 1, penOf(line, last));
        move(0);
        text += "\x1b[B";
      }
      // The space that ran over the end.
      erase(0, 1, PLAIN);
    },
    cell(line, at) {
      const content = line._data[at * 3] ?? 0;
      if ((content & CONTENT) === 0) return false;
      setPen(penOf(line, at));
      print(stringOf(line, at), content >>> WIDTH_SHIFT);
      return true;
    },
    character(line, at, attributes) {
      const { fg, bg } = penOf(line, at);
      return normalColor(fg) === attributes.fg && normalColor(bg) === attributes.bg ? stringOf(line, at) : "";
    },
    plainPen() {
      setPen(PLAIN);
    },
    raw(next) {
      text += next;
      preceding = 0;
      col = 0;
    },
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    isExact: () => exact,
    inexact() {
      exact = false;
    },
  };
}
