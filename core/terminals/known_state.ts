/**
 * All of a terminal's state besides the cells and the cursor, as it is known from the escape sequences alone, and the
 * sequences that set it in a fresh terminal.
 */
import { type Attributes, BG_EXTENDED, FG_UNDERLINE, formatAttributes, formatLink } from "./attributes.ts";
import type { Charsets } from "./charsets.ts";
import type { ModeState } from "./modes.ts";

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** DECSC: where, and with what colours and character set. */
export interface SavedCursor {
  readonly fg: number;
  readonly bg: number;
  readonly charset: string;
  /** When. */
  readonly offset: number;
  /** Unknown until someone has looked; line 0 is the oldest line of the scrollback. */
  place: { readonly kind: "known"; readonly col: number; readonly line: number } | { readonly kind: "unknown" };
}

export const NEVER_SAVED: SavedCursor = {
  fg: 0,
  bg: 0,
  charset: "",
  offset: 0,
  place: { kind: "known", col: 0, line: 0 },
};

export interface KnownState {
  readonly modes: ModeState;
  readonly attributes: Attributes;
  readonly charsets: Charsets;
  readonly savedNormal: SavedCursor;
  readonly savedAlternate: SavedCursor;
  /** Columns of the tab stops; undefined: every eighth. */
  readonly tabs: readonly number[] | undefined;
  readonly title: string;
  /** The sequences that set the colours which programs changed. */
  readonly colors: string;
}

/** CUP, 0-based. */
export function formatPosition(col: number, row: number): string {
  return `\x1b[${row + 1};${col + 1}H`;
}

/**
 * Saves the cursor in a place of the screen, as it was saved with colours and character set. Leaves the cursor there;
 * behind the last column it only gets by printing into it, so nothing may be on the screen yet that is to stay.
 */
export function formatSave(
  saved: SavedCursor,
  place: { readonly col: number; readonly row: number; readonly cols: number },
): string {
  const { fg, bg, charset } = saved;
  const underlined = (fg & FG_UNDERLINE) !== 0;
  const attributes = { fg, bg, underlineStyle: underlined ? 1 : 0, underlineColor: 0, link: "" };
  // Only a link makes the extended mark without an underline.
  const linked = !underlined && (bg & BG_EXTENDED) !== 0;
  return formatPosition(Math.min(place.col, place.cols - 1), place.row) + (place.col >= place.cols ? " " : "") +
    formatAttributes(attributes) + (linked ? formatLink(";x:") : "") + `\x1b(${charset || "B"}\x1b7\x1b(B\x1b[m` +
    (linked ? formatLink("") : "");
}

/** What needs no place and moves nothing: to be set before the screen is drawn. */
export function formatSurroundings(state: KnownState): string {
  let text = state.colors;
  if (state.title !== "") text += `\x1b]2;${state.title}\x1b\\`;
  return text;
}

/** Tab stops; leaves the cursor in column 0. */
export function formatTabs(tabs: readonly number[] | undefined): string {
  if (tabs === undefined) return "";
  return "\x1b[3g" + tabs.map((col) => `\x1b[${col + 1}G\x1bH`).join("") + "\r";
}

/** Modes and attributes that act on what is printed: to be set after the screen is drawn. */
export function formatPen(state: KnownState): string {
  const link = state.attributes.link === "" ? "" : formatLink(state.attributes.link);
  return link + formatAttributes(state.attributes) + formatPenModes(state.modes);
}

export function formatPenModes(modes: ModeState): string {
  let text = "";
  if (modes.insert) text += "\x1b[4h";
  if (modes.lineFeedReturns) text += "\x1b[20h";
  if (!modes.wraparound) text += "\x1b[?7l";
  if (modes.reverseWraparound) text += "\x1b[?45h";
  return text;
}

/** Modes that act on input and on the cursor's looks. */
export function formatInputModes(modes: ModeState): string {
  let text = "";
  if (modes.applicationCursorKeys) text += "\x1b[?1h";
  if (modes.cursorBlinks) text += "\x1b[?12h";
  if (!modes.cursorVisible) text += "\x1b[?25l";
  if (modes.applicationKeypad) text += "\x1b=";
  if (modes.mouseProtocol !== 0) text += `\x1b[?${modes.mouseProtocol}h`;
  if (modes.mouseEncoding !== 0) text += `\x1b[?${modes.mouseEncoding}h`;
  if (modes.focusEvents) text += "\x1b[?1004h";
  if (modes.bracketedPaste) text += "\x1b[?2004h";
  if (modes.colorSchemeEvents) text += "\x1b[?2031h";
  if (modes.modifyOtherKeys !== 0) text += `\x1b[>4;${modes.modifyOtherKeys}m`;
  if (modes.cursorStyle !== 0) text += `\x1b[${modes.cursorStyle} q`;
  return text;
}

/** The keyboard flags of one screen, which must be the one in use. */
export function formatKittyStack(stack: readonly number[]): string {
  // The first entry is what was in force before anything was pushed.
  return stack.map((flags, index) => index === 0 ? (flags === 0 ? "" : `\x1b[=${flags};1u`) : `\x1b[>${flags}u`).join(
    "",
  );
}
