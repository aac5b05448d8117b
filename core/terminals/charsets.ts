/** The character sets that G0 to G3 stand for, as xterm.js 6 has them. */

/** Final bytes of the sets there are; "B" (ASCII) is the default and written as "". */
const KNOWN = "0AB4C5RQKYE6ZH7=";
const LEVEL_OF_INTERMEDIATE: Readonly<Record<string, number>> = { "(": 0, ")": 1, "*": 2, "+": 3, "-": 1, ".": 2 };
const INTERMEDIATE_OF_LEVEL = ["(", ")", "*", "+"] as const;
const SHIFTS = ["\x0f", "\x0e", "\x1bn", "\x1bo"] as const;

export interface Charsets {
  /** What G0 to G3 are. */
  readonly sets: [string, string, string, string];
  level: number;
  /** What is in force: that of the level, except after a restored cursor. */
  current: string;
}

export function createCharsets(): Charsets {
  return { sets: ["", "", "", ""], level: 0, current: "" };
}

export function resetCharsets(charsets: Charsets): void {
  charsets.sets.fill("");
  charsets.level = 0;
  charsets.current = "";
}

export function shiftTo(charsets: Charsets, level: number): void {
  charsets.level = level;
  charsets.current = charsets.sets[level] ?? "";
}

function setLevel(charsets: Charsets, level: number, set: string): void {
  charsets.sets[level] = set;
  if (charsets.level === level) charsets.current = set;
}

/** ESC intermediate final; says whether it chose a set. */
export function designate(charsets: Charsets, intermediate: string, final: string): boolean {
  const level = LEVEL_OF_INTERMEDIATE[intermediate];
  if (level === undefined || !KNOWN.includes(final)) return false;
  setLevel(charsets, level, final === "B" ? "" : final);
  return true;
}

/** ESC % @ and ESC % G */
export function selectDefault(charsets: Charsets): void {
  shiftTo(charsets, 0);
  setLevel(charsets, 0, "");
}

/** CSI ? 2 h */
export function designateDefaults(charsets: Charsets): void {
  for (let level = 0; level < 4; level++) setLevel(charsets, level, "");
}

/** The sequences that make these from the defaults; `current` follows the level. */
export function formatCharsets(charsets: Charsets): string {
  let text = "";
  charsets.sets.forEach((set, level) => {
    if (set !== "") text += `\x1b${INTERMEDIATE_OF_LEVEL[level]}${set}`;
  });
  return charsets.level === 0 ? text : text + SHIFTS[charsets.level];
}

export function isCurrentOfLevel(charsets: Charsets): boolean {
  return charsets.current === charsets.sets[charsets.level];
}
