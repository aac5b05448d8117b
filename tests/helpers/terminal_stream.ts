/** Random terminal output from a seed: plain logs, full-screen programs, and everything that could go wrong. */
import type { Random } from "./random.ts";

export interface StreamSize {
  readonly cols: number;
  readonly rows: number;
}

const WORDS = [
  "alpha",
  "beta",
  "x",
  "déjà",
  "日本語",
  "wide漢",
  "e\u0301",
  "👨‍👩‍👧",
  "🇫🇷🇩🇪",
  "☺\ufe0f",
  "naïve",
  "──┼",
  "—",
];

function text(random: Random): string {
  const count = 1 + random.int(4);
  return Array.from({ length: count }, () => random.pick(WORDS)).join(random.pick([" ", "", "-"]));
}

function sgr(random: Random): string {
  const one = () =>
    random.pick([
      "0",
      "",
      "1",
      "2",
      "3",
      "7",
      "9",
      "22",
      "39",
      "49",
      `${30 + random.int(8)}`,
      `${40 + random.int(8)}`,
      `${90 + random.int(8)}`,
      `38;5;${random.int(256)}`,
      `48;5;${random.int(256)}`,
      `38;2;${random.int(256)};${random.int(256)};${random.int(256)}`,
      `48:2::${random.int(256)}:${random.int(256)}:${random.int(256)}`,
      "4",
      "4:3",
      "24",
      "58;5;9",
      "59",
      "21",
      "53",
      "0;31",
    ]);
  return `\x1b[${Array.from({ length: 1 + random.int(3) }, one).join(";")}m`;
}

function line(random: Random): string {
  const colored = random.int(3) === 0;
  return (colored ? sgr(random) : "") + text(random) + (colored ? "\x1b[m" : "") + "\r\n";
}

type Piece = (random: Random, size: StreamSize) => string;

const CALM: readonly Piece[] = [
  line,
  line,
  line,
  (random) => text(random),
  (random) => sgr(random) + text(random),
  () => "\r",
  () => "\n",
  () => "\x1b[m",
  () => "\x1b[K",
  () => "\x1b[J",
  (random) => `\x1b]2;title ${random.int(9)}\x07`,
  (random) => "abcdefghij".repeat(1 + random.int(12)) + "\r\n",
];

const SCREEN: readonly Piece[] = [
  ...CALM,
  (random, size) => `\x1b[${1 + random.int(size.rows + 1)};${1 + random.int(size.cols + 1)}H`,
  (random) => `\x1b[${random.int(4)}${random.pick(["A", "B", "C", "D", "E", "F", "G", "d", "X", "P", "@", "I", "Z"])}`,
  (random) => `\x1b[${random.pick(["J", "1J", "2J", "K", "1K", "2K"])}`,
  () => "\x1b[H\x1b[2J",
  () => "\x1b[H\x1b[2J\x1b[3J",
  () => "\x1b[2J\x1b[3J\x1b[H",
  (random) => `\x1b[?1049h${sgr(random)}\x1b[2J\x1b[H${text(random)}`,
  () => "\x1b[?1049l",
  () => "\x1b[?25l",
  () => "\x1b[?25h",
  () => "\b",
  () => "\t",
  () => "\x1b7",
  () => "\x1b8",
];

const WILD: readonly Piece[] = [
  ...SCREEN,
  (random) => `\x1b[${random.int(3)}${random.pick(["L", "M", "S", "T", "b", "e", "a", "`"])}`,
  () => "\x1bM",
  () => "\x1bD",
  () => "\x1bE",
  (random, size) => `\x1b[${1 + random.int(size.rows)};${1 + random.int(size.rows)}r`,
  () => "\x1b[r",
  (random) => `\x1b[?${random.pick(["6", "1", "12", "45", "66", "1000", "1003", "1006", "1004", "2004"])}h`,
  (random) => `\x1b[?${random.pick(["6", "1", "12", "45", "66", "1000", "1003", "1006", "1004", "2004"])}l`,
  (random) => `\x1b[${random.pick(["4h", "4l", "4l", "20h", "20l", "20l"])}`,
  (random) => `\x1b${random.pick(["(0", "(B", ")0", ")B", "n", "o", "(A", "%@"])}`,
  (random) => random.pick(["\x0e", "\x0f", "\x0f"]),
  () => "\x1bH",
  () => "\x1b[3g",
  () => "\x1b[g",
  () => "\x1b[s",
  () => "\x1b[u",
  (random) => `\x1b[?${random.pick(["47h", "47l", "1047h", "1047l", "1048h", "1048l", "1049l"])}`,
  (random) => `\x1b]8;${random.pick(["", "id=a"])};https://example.org/${random.int(3)}\x1b\\`,
  () => "\x1b]8;;\x1b\\",
  (random) => `\x1b]4;${random.int(16)};#${"123456"}\x07`,
  () => "\x1b[!p",
  () => "\x1bc",
  () => "\x1b#8",
  () => "\x1b[3J",
  () => "\u0084",
  () => "\u009b1m",
  () => '\x1b[1"q',
  () => '\x1b[0"q',
  () => "\x1b[?2K",
  (random) => `\x1b[${random.int(3)} ${random.pick(["@", "A"])}`,
  (random) => `\x1b[${random.int(3)}'${random.pick(["}", "~"])}`,
  () => "\x1b[\n1A",
  () => "\x1b[12\x1b[31m",
  () => "\x1bPabc\x1b\\",
  () => "\x1b_ignored\x1b\\",
  (random) => `\x1b[${random.int(7)} q`,
  () => "\x7f\0",
  () => "x\u0301",
  () => "\u0301",
];

const KINDS = { calm: CALM, screen: SCREEN, wild: WILD } as const;
export type StreamKind = keyof typeof KINDS;

/** So many pieces of output; each is whole by itself. */
export function randomStream(
  random: Random,
  options: { readonly kind: StreamKind; readonly count: number; readonly size: StreamSize },
): string[] {
  const pieces = KINDS[options.kind];
  return Array.from({ length: options.count }, () => random.pick(pieces)(random, options.size));
}

/** The same bytes in chunks of random length. */
export function randomChunks(random: Random, bytes: Uint8Array, longest: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + random.int(longest);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
