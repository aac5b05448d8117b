/**
 * The terminal's answers to what programs ask. Only the server gives them, so each is given exactly once, with or
 * without a window. What IdeA says it is: a VT220 with colour (22) that takes clipboard writes (52), by name IdeA.
 */
import type { StringEnd } from "./escape_scanner.ts";

export interface TerminalColors {
  /** "#rrggbb" each. */
  readonly foreground: string;
  readonly background: string;
  readonly cursor: string;
  /** 16 entries, or 0 when unknown. */
  readonly palette: readonly string[];
}

/** Assumed until a window says otherwise: programs use it to scale images, never to place text. */
const CELL_WIDTH_PX = 10;
const CELL_HEIGHT_PX = 20;

export const DEVICE_ATTRIBUTES = {
  primary: "\x1b[?62;4;22;52c",
  secondary: "\x1b[>1;10;0c",
  tertiary: "\x1bP!|49444541\x1b\\",
} as const;

export const NAME_AND_VERSION = "\x1bP>|IdeA(1)\x1b\\";

export const STATUS_OK = "\x1b[0n";

export function formatCursorReport(cursor: { col: number; row: number }, extended: boolean): string {
  return `\x1b[${extended ? "?" : ""}${cursor.row + 1};${cursor.col + 1}R`;
}

export function formatModeReport(mode: number, value: number, isPrivate: boolean): string {
  return `\x1b[${isPrivate ? "?" : ""}${mode};${value}$y`;
}

/** CSI Ps t reports; undefined for those that are not answered (position, title: what a program set, it knows). */
export function formatWindowReport(report: number, size: { cols: number; rows: number }): string | undefined {
  if (report === 11) return "\x1b[1t";
  if (report === 14) return `\x1b[4;${size.rows * CELL_HEIGHT_PX};${size.cols * CELL_WIDTH_PX}t`;
  if (report === 16) return `\x1b[6;${CELL_HEIGHT_PX};${CELL_WIDTH_PX}t`;
  if (report === 18) return `\x1b[8;${size.rows};${size.cols}t`;
  if (report === 19) return `\x1b[9;${size.rows};${size.cols}t`;
  return undefined;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** An X11 colour (`rgb:h/h/h` with one to four digits each, `#` with 3, 6, 9 or 12 digits); names are not known. */
export function parseColor(text: string): Rgb | undefined {
  const parts = /^rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})$/i.exec(text);
  if (parts) {
    const [red, green, blue] = [parts[1] ?? "", parts[2] ?? "", parts[3] ?? ""];
    if (red.length !== green.length || green.length !== blue.length) return undefined;
    const scale = (digits: string) => Math.round((parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
    return [scale(red), scale(green), scale(blue)];
  }
  const hash = /^#((?:[\da-f]{3}){1,4})$/i.exec(text)?.[1];
  if (!hash) return undefined;
  const digits = hash.length / 3;
  const channel = (index: number) => {
    const value = parseInt(hash.slice(index * digits, (index + 1) * digits), 16);
    return digits === 1 ? value << 4 : value >> ((digits - 2) * 4);
  };
  return [channel(0), channel(1), channel(2)];
}

function formatRgb(rgb: Rgb): string {
  const channel = (value: number) => value.toString(16).padStart(2, "0").repeat(2);
  return `rgb:${channel(rgb[0])}/${channel(rgb[1])}/${channel(rgb[2])}`;
}

/** The 6 × 6 × 6 cube and the greys, which no theme changes. */
function fixedPaletteColor(index: number): Rgb | undefined {
  if (index < 16 || index > 255) return undefined;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** Colours that programs changed, over the colours of the window. */
export interface ColorTable {
  /** OSC 4, 10, 11, 12: sets colours and gives the answers to "?". */
  setOrReport(osc: number, payload: string, end: StringEnd): string;
  /** OSC 104, 110, 111, 112. */
  restore(osc: number, payload: string): void;
  setColors(colors: TerminalColors): void;
  isDark(): boolean;
  reset(): void;
  /** The sequences that make the changes again, in a terminal that has none. */
  formatChanges(): string;
}

const SPECIAL = ["foreground", "background", "cursor"] as const;

export function createColorTable(): ColorTable {
  /** By palette index, or 256 + 0, 1, 2 for foreground, background, cursor. */
  const changed = new Map<number, Rgb>();
  let colors: TerminalColors = { foreground: "#d4d4d4", background: "#1e1e1e", cursor: "#d4d4d4", palette: [] };

  function current(index: number): Rgb | undefined {
    const own = changed.get(index);
    if (own) return own;
    const special = SPECIAL[index - 256];
    if (special) return parseColor(colors[special]);
    const themed = colors.palette[index];
    return themed === undefined ? fixedPaletteColor(index) : parseColor(themed);
  }

  function one(index: number, spec: string, prefix: string, end: StringEnd): string {
    if (spec === "?") {
      const rgb = current(index);
      return rgb ? `\x1b]${prefix};${formatRgb(rgb)}${end === "bel" ? "\x07" : "\x1b\\"}` : "";
    }
    const rgb = parseColor(spec);
    if (rgb) changed.set(index, rgb);
    return "";
  }

  return {
    setOrReport(osc, payload, end) {
      const fields = payload.split(";", 1024);
      let replies = "";
      if (osc === 4) {
        for (let at = 0; at + 1 < fields.length; at += 2) {
          const index = /^\d{1,3}$/.test(fields[at] ?? "") ? Number(fields[at]) : 256;
          if (index < 256) replies += one(index, fields[at + 1] ?? "", `4;${index}`, end);
        }
        return replies;
      }
      // OSC 10;a;b is 10 and 11, and so on.
      for (let at = 0; at < fields.length && osc + at <= 12; at++) {
        replies += one(246 + osc + at, fields[at] ?? "", `${osc + at}`, end);
      }
      return replies;
    },
    restore(osc, payload) {
      if (osc !== 104) {
        changed.delete(146 + osc);
      } else if (payload === "") {
        for (let index = 0; index < 256; index++) changed.delete(index);
      } else {
        for (const field of payload.split(";", 256)) {
          if (/^\d{1,3}$/.test(field) && Number(field) < 256) changed.delete(Number(field));
        }
      }
    },
    setColors(next) {
      colors = next;
    },
    isDark() {
      const [red, green, blue] = current(257) ?? [0, 0, 0];
      return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
    },
    reset: () => changed.clear(),
    formatChanges() {
      let text = "";
      for (const [index, rgb] of changed) {
        text += `\x1b]${index < 256 ? `4;${index}` : index - 246};${formatRgb(rgb)}\x1b\\`;
      }
      return text;
    },
  };
}
