/** Escape sequences found in output: which there are, however the output is cut, and what is open at its end. */
import assert from "node:assert/strict";
import { STRING_LIMIT_BYTES } from "../../core/terminals/string_buffer.ts";
import { listen } from "../helpers/escape_events.ts";
import { createRandom } from "../helpers/random.ts";
import { randomStream } from "../helpers/terminal_stream.ts";

const encoder = new TextEncoder();
const bytesOf = (output: string | Uint8Array) => typeof output === "string" ? encoder.encode(output) : output;

function whole(output: string | Uint8Array): string[] {
  const heard = listen();
  heard.scanner.scan(bytesOf(output), 0);
  return heard.take();
}

function byteByByte(output: string | Uint8Array): string[] {
  const heard = listen();
  bytesOf(output).forEach((byte, index) => heard.scanner.scan(new Uint8Array([byte]), index));
  return heard.take();
}

const many = (count: number, text: string) => text.repeat(count);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What it is, the output, the calls. */
const FOUND: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
  ["text is no event", "abc déjà 日本 \x7f\0", []],
  ["controls run", "\x07\b\t\x0b\x0c\x0e\x0f", [7, 8, 9, 11, 12, 14, 15].map((code) => `control ${code}`)],
  ["other controls do not", "\x01\x06\x10\x17\x19\x1c\x1f", []],
  ["C1 controls that move run", "\u0084\u0085\u0088\u008d", ["control 132", "control 133", "control 136"]],
  ["a half of a C1 control is none", new Uint8Array([0xc2, 0x41, 0x84, 0xc2, 0xa0]), []],
  ["escapes", "\x1b7\x1bM\x1b=", ["escape 7", "escape M", "escape ="]],
  ["escapes with intermediates", "\x1b(0\x1b#8\x1b%G\x1b(!A", ["escape (0", "escape #8", "escape %G", "escape (!A"]],
  ["an escape starts anew", "\x1b(\x1b(\x1b7", ["escape 7"]],
  ["controls in an escape run", "\x1b\b7", ["control 8", "escape 7"]],
  ["an escape is ended by a character", "\x1b(é0", []],
  ["a CSI without parameters", "\x1b[H", ["csi 0 H"]],
  ["parameters, empty ones are 0", "\x1b[1;;31H", ["csi 1;0;31 H"]],
  ["sub-parameters, empty ones are -1", "\x1b[4:3;58::5:z", ["csi 4:3;58:-1:5:-1 z"]],
  ["prefixes", "\x1b[?25h\x1b[>c\x1b[=1u\x1b[<u", ["csi 25 ?h", "csi 0 >c", "csi 1 =u", "csi 0 <u"]],
  ["intermediates", "\x1b[2 q\x1b[!p\x1b[?1$p", ["csi 2  q", "csi 0 !p", "csi 1 ?$p"]],
  ["a CSI from C1", "\u009b1A", ["csi 1 A"]],
  ["controls in a CSI run", "\x1b[1\b2A", ["control 8", "csi 12 A"]],
  ["DEL in a CSI is nothing", "\x1b[1\x7f2A", ["csi 12 A"]],
  ["CAN and SUB end a sequence", "\x1b[1\x18A\x1b[1\x1aB\x1b]2;x\x18", []],
  ["a prefix behind a parameter spoils the sequence", "\x1b[1?2hx\x1b[1A", ["csi 1 A"]],
  ["a digit behind an intermediate spoils the sequence", "\x1b[ 1qx", []],
  ["a spoiled sequence takes controls and characters", "\x1b[1?\bé2hx\x1b[1A", ["control 8", "csi 1 A"]],
  ["a character ends a CSI", "\x1b[1é2A", []],
  ["32 parameters, no more", `\x1b[${numbers(40).join(";")}z`, [`csi ${numbers(32).join(";")} z`]],
  ["digits behind too many are not taken", `\x1b[${many(32, ";")}7z`, [`csi ${Array(32).fill(0).join(";")} z`]],
  ["32 sub-parameters, no more", `\x1b[1${many(40, ":2")};3z`, [`csi 1${many(32, ":2")};3 z`]],
  ["values have an end", "\x1b[99999999999;2:99999999999z", ["csi 2147483647;2:2147483647 z"]],
  ["an OSC ends by BEL or ST", "\x1b]2;a\x07\x1b]2;b\x1b\\", ["osc 2 a bel", "osc 2 b st", "escape \\"]],
  ["an OSC from C1 to C1", "\u009d2;a\u009c", ["osc 2 a st"]],
  ["an OSC without content", "\x1b]104\x07", ["osc 104  bel"]],
  ["an OSC keeps what it says", "\x1b]2;a;é\u00a0😀\x7f\x07", ["osc 2 a;é\u00a0😀\x7f bel"]],
  ["controls in an OSC are left out", "\x1b]2;a\n\tb\x07", ["osc 2 ab bel"]],
  ["an OSC without a number is none", "\x1b]a;b\x07\x1b];x\x07\x1b]1a;x\x07\x1b]\x07", []],
  ["a C1 control ends an OSC without it", "\x1b]2;a\u0084b\x07", ["control 132", "control 7"]],
  ["a DCS", "\x1bP$qm\x1b\\", ["dcs $q m", "escape \\"]],
  ["a DCS with parameters and prefix", "\x1bP>1;2|x\x1b\\", ["dcs >| x", "escape \\"]],
  ["a DCS keeps controls and not DEL", "\x1bPqa\nb\x7fc\x1b\\", ["dcs q a\nbc", "escape \\"]],
  ["controls in the head of a DCS do nothing", "\x1bP\b1\b$\bqx\u009c", ["dcs $q x"]],
  ["a DCS that is spoiled", "\x1bP1>qx\x1b\\\x1bP$1qx\x1b\\", ["escape \\", "escape \\"]],
  ["a DCS cancelled", "\x1bPqabc\x18", []],
  ["SOS, PM and APC say nothing", "\x1bXa\x07\x1b\\\x1b^b\x1b\\\x1b_é\n\x1b\\", [
    "escape \\",
    "escape \\",
    "escape \\",
  ]],
  ["strings from C1 take controls", "\u0098\x07\u009c\u009e\x07\u009c\u009f\x07\u009c", []],
  ["SGR is given at the end", "\x1b[1mx\x1b[31m", ["csi 1 m", "csi 31 m"]],
  ["what comes before a reset is left out", "\x1b[1m\x1b[m\x1b[3m\x1b[0;4mx", ["csi 0 m", "csi 0;4 m"]],
  ["a reset alone", "\x1b[1m\x1b[0mx", ["csi 0 m"]],
  ["SGR before other sequences", "\x1b[1m\x1b[2J\x1b[3m\x1b7", ["csi 1 m", "csi 2 J", "csi 3 m", "escape 7"]],
  ["00 and 01 are no resets to leave out", "\x1b[1m\x1b[00mx", ["csi 1 m", "csi 0 m"]],
  ["many SGR", many(50, "\x1b[1m"), Array(50).fill("csi 1 m")],
  ["erasing a line is passed over", "\x1b[K\x1b[1K", []],
  ["characters that are none", new Uint8Array([0xff, 0xf8, 0xed, 0xa0, 0x80, 0xf5, 0x80, 0x80, 0x80]), []],
  ["a cut character in an OSC", new Uint8Array([...bytesOf("\x1b]2;a"), 0xe2, 0x82, ...bytesOf("b\x07")]), [
    "osc 2 ab bel",
  ]],
  ["an overlong character in a CSI", new Uint8Array([0x1b, 0x5b, 0x31, 0xe0, 0x83, 0xa9, 0x41]), ["csi 1 A"]],
  ["a character beyond the last in a CSI", new Uint8Array([0x1b, 0x5b, 0x31, 0xf4, 0x90, 0x80, 0x80, 0x41]), [
    "csi 1 A",
  ]],
  ["a byte order mark in a CSI", "\x1b[1\ufeff2A", ["csi 12 A"]],
  ["a half surrogate in an OSC", new Uint8Array([...bytesOf("\x1b]2;a"), 0xed, 0xa0, 0x80, ...bytesOf("b\x07")]), [
    "osc 2 ab bel",
  ]],
];

/** Byte by byte the shortcuts for sequences within a chunk are not taken: resets hide nothing, erasing is told. */
const IN_ONE_CHUNK = ["what comes before a reset is left out", "a reset alone", "erasing a line is passed over"];

for (const [what, output, expected] of FOUND) {
  Deno.test(`scanner: ${what}`, () => {
    assert.deepEqual(whole(output), expected);
    if (!IN_ONE_CHUNK.includes(what)) assert.deepEqual(byteByByte(output), expected, "byte by byte");
  });
}

Deno.test("scanner: a string up to the limit is told, a longer one is not, and neither hides the next", () => {
  const fill = (length: number) => "x".repeat(length);
  for (const [head, name] of [["\x1b]2;", "osc 2"], ["\x1bPq", "dcs q"]] as const) {
    // The number of an OSC counts, the head of a DCS does not.
    const room = STRING_LIMIT_BYTES - (head === "\x1b]2;" ? 2 : 0);
    const next = "\x1b\\\x1b]2;next\x07";
    const told = whole(head + fill(room) + next)[0] ?? "";
    assert.equal(told.startsWith(`${name} xxx`), true, told.slice(0, 20));
    assert.deepEqual(whole(head + fill(room + 1) + next), ["escape \\", "osc 2 next bel"]);
  }
});

/** Output that stops, and what then is open. */
const OPEN: readonly (readonly [output: string | Uint8Array, open: string | Uint8Array])[] = [
  ["done", ""],
  ["a\x1b[31mb", ""],
  ["\x1b]2;a\x07", ""],
  ["x\x1b", "\x1b"],
  ["x\x1b(", "\x1b("],
  ['\x1b!"#$%&', "\x1b#$%&"],
  ["x\x1b[", "\x1b["],
  ["x\x1b[1;2", "\x1b[1;2"],
  ["x\x1b[?", "\x1b[?0"],
  ["x\x1b[\b>4;2", "\x1b[>4;2"],
  ["x\x1b[;", "\x1b[0;0"],
  ["x\x1b[4:;58::5", "\x1b[4:;58::5"],
  [`\x1b[${many(33, ";")}7`, `\x1b[${Array(32).fill(0).join(";")};`],
  [`\x1b[1${many(40, ":2")}`, `\x1b[1${many(32, ":2")}:`],
  ["x\x1b[2 ", "\x1b[2 "],
  ["x\x1b[?2$", "\x1b[?2$"],
  ["x\x1b[1?2", "\x1b[0<"],
  ["x\x1b_abc", "\x1b_"],
  ["x\x1b]2;a\nb", "\x1b]2;ab"],
  [`\x1b]2;${"x".repeat(STRING_LIMIT_BYTES)}`, "\x1b]x"],
  ["x\x1bP", "\x1bP"],
  ["x\x1bP>1", "\x1bP>0"],
  ["x\x1bP1;2$", "\x1bP$"],
  ["x\x1bP1?", "\x1bP0<"],
  ["x\x1bP1$qab", "\x1bP$qab"],
  [`\x1bPq${"x".repeat(STRING_LIMIT_BYTES + 1)}`, "\x1bPz"],
  [new Uint8Array([0x61, 0xf0, 0x9f, 0x98]), new Uint8Array([0xf0, 0x9f, 0x98])],
  [new Uint8Array([0x61, 0xc2]), new Uint8Array([0xc2])],
  [new Uint8Array([0x1b, 0x5b, 0x31, 0xc2]), new Uint8Array([0x1b, 0x5b, 0x31, 0xc2])],
  [new Uint8Array([0x1b, 0x5d, 0x32, 0x3b, 0xe2, 0x82]), new Uint8Array([0x1b, 0x5d, 0x32, 0x3b, 0xe2, 0x82])],
];

Deno.test("scanner: what is open is written as shortly as can be", () => {
  for (const [output, open] of OPEN) {
    const bytes = bytesOf(output);
    for (const size of bytes.length < 1000 ? [Infinity, 1] : [4000]) {
      const { scanner } = listen();
      for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size), at);
      assert.deepEqual([...scanner.openSequence()], [...bytesOf(open)], JSON.stringify(output).slice(0, 60));
      assert.equal(scanner.isBetweenSequences(), open === "" || (open.length === 3 && open[0] === 0xf0));
    }
  }
});

Deno.test("scanner: what is open leads a fresh scanner to the same, wherever the output is cut", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const pieces = randomStream(random, { kind: "wild", count: 3, size: { cols: 10, rows: 5 } });
    const bytes = bytesOf([...pieces, ...OPEN.slice(0, -8).map(([output]) => String(output).slice(0, 90))].join(""));
    const cut = random.int(bytes.length);
    const first = listen();
    first.scanner.scan(bytes.subarray(0, cut), 0);
    first.take();
    const second = listen();
    second.scanner.scan(first.scanner.openSequence(), 0);
    second.take();
    for (const { scanner } of [first, second]) scanner.scan(bytes.subarray(cut), 0);
    assert.deepEqual(second.take(), first.take(), `seed ${seed}, cut at ${cut}`);
  }
});

Deno.test("scanner: a string without effect has a number until it ends", () => {
  const { scanner } = listen();
  const numbers = ["\x1b_a", "b", "\x1b\\", "\x1b]2;a", "x".repeat(STRING_LIMIT_BYTES), "x", "\x07", "\x1bXb"].map(
    (output) => {
      scanner.scan(bytesOf(output), 0);
      return scanner.ignoredString();
    },
  );
  assert.deepEqual(numbers, [1, 1, undefined, undefined, 2, 2, undefined, 3]);
  scanner.scan(new Uint8Array([0xe2]), 0);
  assert.equal(scanner.ignoredString(), undefined, "a character is cut in two");
});

Deno.test("scanner: position is where a sequence ends", () => {
  const at: number[] = [];
  const heard = listen();
  const { scanner } = heard;
  const bytes = bytesOf("ab\x1b[1;2Hcd\x1b7\x1b]2;x\x07é\x1b[5n");
  scanner.scan(bytes, 100);
  at.push(scanner.position());
  assert.deepEqual(at, [100 + bytes.length]);
});

/** What is counted of lines: output, rows of the screen that are left, the counters. */
const LINES: readonly (readonly [string, string, { lowestRow: number; scrolls: number; lineFeeds: number }])[] = [
  ["line feeds go down, then scroll", "\n\n\n\n\n", { lowestRow: 3, scrolls: 2, lineFeeds: 2 }],
  ["line feeds at the bottom", "a\r\n".repeat(8), { lowestRow: 3, scrolls: 5, lineFeeds: 5 }],
  ["text of a row is no wrap", "x".repeat(10), { lowestRow: 0, scrolls: 0, lineFeeds: 0 }],
  ["text of more than a row", "x".repeat(11), { lowestRow: 1, scrolls: 0, lineFeeds: 0 }],
  ["text of two rows", "x".repeat(20), { lowestRow: 1, scrolls: 0, lineFeeds: 0 }],
  ["text of many rows", "x".repeat(61), { lowestRow: 3, scrolls: 3, lineFeeds: 0 }],
  ["text and colours", "x".repeat(6) + "\x1b[31m" + "x".repeat(5), { lowestRow: 1, scrolls: 0, lineFeeds: 0 }],
  ["text in two rows", "x".repeat(6) + "\r" + "x".repeat(6), { lowestRow: 0, scrolls: 0, lineFeeds: 0 }],
  ["text that may be narrow", "é".repeat(30), { lowestRow: 0, scrolls: 0, lineFeeds: 0 }],
];

for (const [what, output, expected] of LINES) {
  Deno.test(`scanner: ${what}`, () => {
    const { scanner, counters } = listen({ cols: 10, bottomRow: 3 });
    scanner.scan(bytesOf(output), 0);
    const { lowestRow, scrolls, lineFeeds } = counters;
    assert.deepEqual({ lowestRow, scrolls, lineFeeds }, expected);
  });
}

Deno.test("scanner: wraps are counted only where text wraps", () => {
  for (const changes of [{ isPlain: false }, { autowrap: false }]) {
    const { scanner, counters } = listen({ cols: 10, bottomRow: 3, ...changes });
    scanner.scan(bytesOf("x".repeat(61)), 0);
    assert.equal(counters.lowestRow + counters.scrolls, 0);
  }
});

Deno.test("scanner: line feeds that are more than line feeds are given on", () => {
  const heard = listen({ isPlain: false });
  heard.scanner.scan(bytesOf("a\n"), 0);
  assert.deepEqual(heard.take(), ["control 10"]);
});

Deno.test("scanner: a line that starts at the bottom is told where a point is wanted", () => {
  const heard = listen({ bottomRow: 1, nextPointOffset: 6 });
  heard.scanner.scan(bytesOf("\r\n\r\n\r\n\r\nab\ncd\r\n"), 0);
  // At 4 none is wanted; after "ab" the line feed does not go to the first column.
  assert.deepEqual(heard.take(), ["line 6", "line 8", "line 15"]);
});

Deno.test("scanner: a line start is after the colours before it", () => {
  const heard = listen({ bottomRow: 0, nextPointOffset: 0 });
  heard.scanner.scan(bytesOf("\x1b[31mab\r\n"), 0);
  assert.deepEqual(heard.take(), ["csi 31 m", "line 9"]);
});

/** What was drawn, moved or erased, and whether the cursor is in the first column. */
const TOUCHES: readonly (readonly [string, number, boolean])[] = [
  ["", 0, true],
  ["a", 3, false],
  ["é", 3, false],
  ["\u00a0", 3, false],
  ["a\r", 3, true],
  ["\r", 1, true],
  ["\x1b[K", 1, true],
  ["\n", 3, true],
  ["\x1b[31m", 0, true],
  ["\x1b]2;a\x07", 0, true],
];

Deno.test("scanner: text and line feeds draw, other things touch", () => {
  for (const [output, touched, atLineStart] of TOUCHES) {
    const { scanner, counters } = listen();
    scanner.scan(bytesOf(output), 0);
    assert.deepEqual([counters.touched, counters.atLineStart], [touched, atLineStart], JSON.stringify(output));
  }
});
