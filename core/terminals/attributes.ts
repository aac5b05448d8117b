/**
 * How the next character looks: colours, styles and link, changed by SGR as xterm.js 6 changes them (its quirks
 * included, since the point is to know what the page will show), and written back as the sequences that set them.
 */
import type { CsiParams } from "./csi_params.ts";

/** Bits of `fg` and `bg`, as xterm.js lays them out: colour in the low 24, its kind above, then flags. */
export const COLOR_KIND = 0x3000000;
export const COLOR_16 = 0x1000000;
export const COLOR_256 = 0x2000000;
export const COLOR_RGB = 0x3000000;
export const COLOR_VALUE = 0xffffff;
const COLOR = COLOR_KIND | COLOR_VALUE;

export const FG_INVERSE = 0x4000000;
export const FG_BOLD = 0x8000000;
export const FG_UNDERLINE = 0x10000000;
export const FG_BLINK = 0x20000000;
export const FG_INVISIBLE = 0x40000000;
export const FG_STRIKETHROUGH = 0x80000000 | 0;
export const BG_ITALIC = 0x4000000;
export const BG_DIM = 0x8000000;
export const BG_EXTENDED = 0x10000000;
export const BG_PROTECTED = 0x20000000;
export const BG_OVERLINE = 0x40000000;

export interface Attributes {
  fg: number;
  bg: number;
  /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
  underlineStyle: number;
  /** As the colour bits of fg; 0 is the text's own. */
  underlineColor: number;
  /** What stands behind "8;" of the OSC that opened it: parameters, ";", address; "" when there is none. */
  link: string;
}

export function createAttributes(): Attributes {
  return { fg: 0, bg: 0, underlineStyle: 0, underlineColor: 0, link: "" };
}

/** xterm.js marks cells that have more than fg and bg. */
function updateExtended(attributes: Attributes): void {
  if (attributes.underlineStyle === 0 && attributes.link === "") attributes.bg &= ~BG_EXTENDED;
  else attributes.bg |= BG_EXTENDED;
}

export function setLink(attributes: Attributes, link: string): void {
  attributes.link = link;
  updateExtended(attributes);
}

/** SGR 0: the link stays open. */
export function resetAttributes(attributes: Attributes): void {
  attributes.fg = 0;
  attributes.bg = 0;
  attributes.underlineStyle = 0;
  attributes.underlineColor = 0;
  updateExtended(attributes);
}

function setUnderline(attributes: Attributes, style: number): void {
  const known = style < 0 || style > 5 ? 1 : style;
  attributes.underlineStyle = known;
  if (known === 0) attributes.fg &= ~FG_UNDERLINE;
  else attributes.fg |= FG_UNDERLINE;
  updateExtended(attributes);
}

function mixColor(old: number, kind: number, first: number, second: number, third: number): number {
  if (kind === 2) {
    return (old & ~COLOR) | COLOR_RGB | ((first & 0xff) << 16) | ((second & 0xff) << 8) | (third & 0xff);
  }
  return kind === 5 ? (old & ~COLOR) | COLOR_256 | (first & 0xff) : old;
}

/** SGR 38, 48 and 58, with ";" or ":"; returns how many parameters it took besides its own. */
function applyColor(attributes: Attributes, params: CsiParams, index: number): number {
  // Slots: what, kind, (colour space), then three values. A palette index stands in the first of them.
  const slots = [0, 0, -1, 0, 0, 0];
  let space = 0;
  let taken = 0;
  do {
    slots[taken + space] = params.at(index + taken);
    const subs = params.subParams(index + taken);
    if (subs.length > 0) {
      let sub = 0;
      do {
        if (slots[1] === 5) space = 1;
        slots[taken + sub + 1 + space] = subs[sub] ?? 0;
      } while (++sub < subs.length && sub + taken + 1 + space < slots.length);
      break;
    }
    if ((slots[1] === 5 && taken + space >= 2) || (slots[1] === 2 && taken + space >= 5)) break;
    if (slots[1]) space = 1;
  } while (++taken + index < params.count && taken + space < slots.length);
  const [what = 0, kind = 0, , first = 0, second = 0, third = 0] = slots.map((slot) => slot === -1 ? 0 : slot);
  if (what === 38) attributes.fg = mixColor(attributes.fg, kind, first, second, third);
  else if (what === 48) attributes.bg = mixColor(attributes.bg, kind, first, second, third);
  else if (what === 58) {
    attributes.underlineColor = mixColor(attributes.underlineColor, kind, first, second, third) & COLOR;
  }
  return taken;
}

/** Flags that a number sets or clears in fg. */
const FG_FLAGS = new Map([
  [1, FG_BOLD],
  [5, FG_BLINK],
  [7, FG_INVERSE],
  [8, FG_INVISIBLE],
  [9, FG_STRIKETHROUGH],
]);
const FG_CLEARS = new Map([
  [22, FG_BOLD],
  [25, FG_BLINK],
  [27, FG_INVERSE],
  [28, FG_INVISIBLE],
  [29, FG_STRIKETHROUGH],
]);
const BG_FLAGS = new Map([[2, BG_DIM], [3, BG_ITALIC], [53, BG_OVERLINE]]);
const BG_CLEARS = new Map([[22, BG_DIM], [23, BG_ITALIC], [55, BG_OVERLINE]]);

function applyOne(attributes: Attributes, number: number): void {
  attributes.fg |= FG_FLAGS.get(number) ?? 0;
  attributes.fg &= ~(FG_CLEARS.get(number) ?? 0);
  attributes.bg |= BG_FLAGS.get(number) ?? 0;
  attributes.bg &= ~(BG_CLEARS.get(number) ?? 0);
  if (number === 0) resetAttributes(attributes);
  else if (number === 21) setUnderline(attributes, 2);
  else if (number === 24) setUnderline(attributes, 0);
  else if (number === 39) attributes.fg &= ~COLOR;
  else if (number === 49) attributes.bg &= ~COLOR;
  else if (number === 59) {
    // xterm.js stores -1 here, of which the colour bits stay.
    attributes.underlineColor = COLOR;
    updateExtended(attributes);
  }
}

/** The 16 colours: 30 to 37, 40 to 47, 90 to 97, 100 to 107. */
function applyBasicColor(attributes: Attributes, number: number): boolean {
  const isBright = number >= 90;
  const base = isBright ? number - 60 : number;
  const color = COLOR_16 | (base % 10) | (isBright ? 8 : 0);
  if (base % 10 > 7) return false;
  if (base >= 30 && base <= 37) attributes.fg = (attributes.fg & ~COLOR) | color;
  else if (base >= 40 && base <= 47) attributes.bg = (attributes.bg & ~COLOR) | color;
  else return false;
  return true;
}

export function applySgr(attributes: Attributes, params: CsiParams): void {
  for (let index = 0; index < params.count; index++) {
    const number = params.at(index);
    if (number === 38 || number === 48 || number === 58) index += applyColor(attributes, params, index);
    else if (number === 4) setUnderline(attributes, params.subParams(index)[0] ?? 1);
    else if (!applyBasicColor(attributes, number)) applyOne(attributes, number);
  }
}

function formatColor(color: number, basic: number, extended: number): string {
  const value = color & COLOR_VALUE;
  switch (color & COLOR_KIND) {
    case COLOR_16:
      return `;${value & 8 ? basic + 60 + (value & 7) : basic + (value & 7)}`;
    case COLOR_256:
      return `;${extended};5;${value & 0xff}`;
    case COLOR_RGB:
      return `;${extended};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
    default:
      return "";
  }
}

/** The sequence that sets these from any others; the link is formatLink's. */
export function formatAttributes(attributes: Attributes): string {
  const { fg, bg, underlineStyle, underlineColor } = attributes;
  if (((fg | bg) & ~BG_EXTENDED) === 0 && underlineColor === 0 && underlineStyle === 0) return "\x1b[m";
  let sgr = "0";
  for (const [number, flag] of FG_FLAGS) if (fg & flag) sgr += `;${number}`;
  for (const [number, flag] of BG_FLAGS) if (bg & flag) sgr += `;${number}`;
  if (fg & FG_UNDERLINE) sgr += underlineStyle === 1 ? ";4" : `;4:${underlineStyle}`;
  sgr += formatColor(fg, 30, 38) + formatColor(bg, 40, 48);
  if (underlineColor !== 0) sgr += formatColor(underlineColor, 0, 58);
  return `\x1b[${sgr}m${bg & BG_PROTECTED ? '\x1b[1"q' : ""}`;
}

export function formatLink(link: string): string {
  return link === "" ? "\x1b]8;;\x1b\\" : `\x1b]8;${link}\x1b\\`;
}

/** Restoring a saved cursor can mix fg and bg of then with the rest of now; such a mix no sequence sets directly. */
export function isExpressible(attributes: Attributes): boolean {
  const { fg, bg, underlineStyle, link } = attributes;
  const extended = (bg & BG_EXTENDED) !== 0;
  if (extended !== (underlineStyle !== 0 || link !== "")) return false;
  return ((fg & FG_UNDERLINE) !== 0) === (underlineStyle !== 0);
}
