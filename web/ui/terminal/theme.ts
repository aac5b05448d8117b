/** The terminal's colours from the page's tokens (styles/tokens.css), with a palette of our own for each theme. */
import type { ITheme } from "@xterm/xterm";
import type { TerminalColors } from "../../../core/terminals/queries.ts";

/** Sixteen colours with 4.5:1 on the background of their theme, but for the two that are meant to be faint. */
const dark = [
  "#3a4250",
  "#ff7b7b",
  "#5fd39a",
  "#ffb454",
  "#7aa2ff",
  "#d79bf5",
  "#5cc3ff",
  "#c8ced8",
  "#7d8796",
  "#ff9d9d",
  "#86e5b4",
  "#ffcb85",
  "#a3bdff",
  "#e6bdfb",
  "#8ad5ff",
  "#ffffff",
];
const light = [
  "#181c23",
  "#b3261e",
  "#14713f",
  "#8f5300",
  "#2148c7",
  "#8b2aa8",
  "#0b6b8f",
  "#5c6675",
  "#464f5e",
  "#c4372e",
  "#1a8049",
  "#9c5e06",
  "#3d5fe0",
  "#a03dbf",
  "#0d7ba3",
  "#6a7483",
];

export function readTheme(root: HTMLElement): ITheme {
  const style = getComputedStyle(root);
  const token = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  const isLight = style.colorScheme === "light";
  const palette = isLight ? light : dark;
  const color = (index: number) => palette[index] ?? "#888888";
  const background = token("--terminal-bg", isLight ? "#ffffff" : "#0f1115");
  return {
    background,
    foreground: token("--text-1", isLight ? "#181c23" : "#e8ebf0"),
    cursor: token("--accent", isLight ? "#3d4bd1" : "#8f9dff"),
    cursorAccent: background,
    selectionBackground: isLight ? "#4453e04d" : "#8f9dff4d",
    scrollbarSliderBackground: isLight ? "#181c2326" : "#e8ebf026",
    scrollbarSliderHoverBackground: isLight ? "#181c2340" : "#e8ebf040",
    scrollbarSliderActiveBackground: isLight ? "#181c2359" : "#e8ebf059",
    black: color(0),
    red: color(1),
    green: color(2),
    yellow: color(3),
    blue: color(4),
    magenta: color(5),
    cyan: color(6),
    white: color(7),
    brightBlack: color(8),
    brightRed: color(9),
    brightGreen: color(10),
    brightYellow: color(11),
    brightBlue: color(12),
    brightMagenta: color(13),
    brightCyan: color(14),
    brightWhite: color(15),
  };
}

/** The same for the server, which answers the programs that ask for colours; undefined when a token is no #rrggbb. */
export function colorsOf(theme: ITheme): TerminalColors | undefined {
  const { foreground, background, cursor } = theme;
  const palette = [
    theme.black,
    theme.red,
    theme.green,
    theme.yellow,
    theme.blue,
    theme.magenta,
    theme.cyan,
    theme.white,
    theme.brightBlack,
    theme.brightRed,
    theme.brightGreen,
    theme.brightYellow,
    theme.brightBlue,
    theme.brightMagenta,
    theme.brightCyan,
    theme.brightWhite,
  ];
  if (!isColor(foreground) || !isColor(background) || !isColor(cursor) || !palette.every(isColor)) return undefined;
  return { foreground, background, cursor, palette };
}

function isColor(value: string | undefined): value is string {
  return value !== undefined && /^#[0-9a-f]{6}$/.test(value);
}
