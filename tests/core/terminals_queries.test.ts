/** What the terminal answers, in the words that are expected. */
import assert from "node:assert/strict";
import {
  createColorTable,
  formatCursorReport,
  formatModeReport,
  formatWindowReport,
  parseColor,
} from "../../core/terminals/queries.ts";
import { trackOutput } from "../helpers/tracked_output.ts";

/** The question, the answer; one that is told apart from others by itself alone. */
const ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  ["\x1b[c", "\x1b[?62;4;22;52c"],
  ["\x1b[0c", "\x1b[?62;4;22;52c"],
  ["\x1b[1c", ""],
  ["\x1b[>c", "\x1b[>1;10;0c"],
  ["\x1b[>1c", ""],
  ["\x1b[=c", "\x1bP!|49444541\x1b\\"],
  ["\x1b[=1c", ""],
  ["\x1b[>q", "\x1bP>|IdeA(1)\x1b\\"],
  ["\x1b[>1q", ""],
  ["\x1b[5n", "\x1b[0n"],
  ["\x1b[?5n", ""],
  ["\x1b[7n", ""],
  ["\x1b[6n", "\x1b[3;8R"],
  ["\x1b[?6n", "\x1b[?3;8R"],
  ["\x1b[?996n", "\x1b[?997;1n"],
  ["\x1b[996n", ""],
  ["\x1b]11;#ffffff\x07\x1b[?996n", "\x1b[?997;2n"],
  ["\x1b[4$p", "\x1b[4;2$y"],
  ["\x1b[4h\x1b[4$p", "\x1b[4;1$y"],
  ["\x1b[4h\x1b[4l\x1b[4$p", "\x1b[4;2$y"],
  ["\x1b[20;4h\x1b[20$p", "\x1b[20;1$y"],
  ["\x1b[2$p\x1b[12$p\x1b[3$p", "\x1b[2;4$y\x1b[12;3$y\x1b[3;0$y"],
  ["\x1b[?1$p\x1b[?1h\x1b[?1$p", "\x1b[?1;2$y\x1b[?1;1$y"],
  [
    "\x1b[?7$p\x1b[?25$p\x1b[?8$p\x1b[?1048$p\x1b[?67$p",
    "\x1b[?7;1$y\x1b[?25;1$y\x1b[?8;3$y\x1b[?1048;1$y\x1b[?67;4$y",
  ],
  ["\x1b[?1005$p\x1b[?1015$p\x1b[?9999$p", "\x1b[?1005;4$y\x1b[?1015;4$y\x1b[?9999;0$y"],
  ["\x1b[?1003h\x1b[?1003$p\x1b[?1000$p", "\x1b[?1003;1$y\x1b[?1000;2$y"],
  ["\x1b[?1006h\x1b[?1006$p\x1b[?1016$p", "\x1b[?1006;1$y\x1b[?1016;2$y"],
  ["\x1b[?1003h\x1b[?1000l\x1b[?1003$p", "\x1b[?1003;2$y"],
  ["\x1b[?1049h\x1b[?47$p\x1b[?1049$p\x1b[?1049l\x1b[?1049$p", "\x1b[?47;1$y\x1b[?1049;1$y\x1b[?1049;2$y"],
  ["\x1b[?2026h\x1b[?2026$p\x1b[?2026l\x1b[?2026$p", "\x1b[?2026;1$y\x1b[?2026;2$y"],
  ["\x1b[?u", "\x1b[?0u"],
  ["\x1b[>5u\x1b[?u\x1b[>1u\x1b[?u\x1b[<u\x1b[?u\x1b[<9u\x1b[?u", "\x1b[?5u\x1b[?1u\x1b[?5u\x1b[?0u"],
  ["\x1b[=3u\x1b[?u\x1b[=4;2u\x1b[?u\x1b[=1;3u\x1b[?u\x1b[=8;1u\x1b[?u", "\x1b[?3u\x1b[?7u\x1b[?6u\x1b[?8u"],
  ["\x1b[>255u\x1b[?u", "\x1b[?31u"],
  ["\x1b[>1u\x1b[?1049h\x1b[?u\x1b[>2u\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?2u\x1b[?1u"],
  ["\x1b[>1u\x1bc\x1b[?u", "\x1b[?0u"],
  ["\x1b[11t\x1b[14t\x1b[16t\x1b[18t\x1b[19t", "\x1b[1t\x1b[4;480;800t\x1b[6;20;10t\x1b[8;24;80t\x1b[9;24;80t"],
  ["\x1b[13t\x1b[20t\x1b[21t", ""],
  ["\x1b]7501;?\x07\x1b]7501;?\x1b\\", "\x1b]7501;?\x07\x1b]7501;?\x1b\\"],
  ["\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"],
  ["\x1b[3 q\x1bP$q q\x1b\\", "\x1bP1$r3 q\x1b\\"],
  ["\x1b[7 q\x1bP$q q\x1b\\", "\x1bP1$r0 q\x1b\\"],
  ['\x1bP$q"p\x1b\\', '\x1bP1$r61;1"p\x1b\\'],
  ["\x1b[2;9r\x1bP$qr\x1b\\", "\x1bP1$r2;9r\x1b\\"],
  ["\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\"],
  ["\x1bP+q544e;636f\x1b\\", "\x1bP0+r544e;636f\x1b\\"],
  ["\x1bP+qls\r\x1b\\", ""],
  [`\x1bP+q${"a".repeat(257)}\x1b\\`, ""],
  ["\x1b]10;?\x07\x1b]12;?\x1b\\", "\x1b]10;rgb:d4d4/d4d4/d4d4\x07\x1b]12;rgb:d4d4/d4d4/d4d4\x1b\\"],
  ["\x1b]10;?;?\x07", "\x1b]10;rgb:d4d4/d4d4/d4d4\x07\x1b]11;rgb:1e1e/1e1e/1e1e\x07"],
  ["\x1b]4;1;?\x07", ""],
  ["\x1b]4;256;?;16;?\x07", "\x1b]4;16;rgb:0000/0000/0000\x07"],
];

Deno.test("queries: each has its answer", () => {
  for (const [question, answer] of ANSWERS) {
    const { answers } = trackOutput(question, { size: { cols: 80, rows: 24 }, cursor: { col: 7, row: 2 } });
    assert.equal(answers.join(""), answer, JSON.stringify(question));
  }
});

Deno.test("queries: titles are put aside and taken back, ten of them", () => {
  const push = "\x1b[22;2t";
  const pop = "\x1b[23;0t";
  const titles: readonly (readonly [string, string])[] = [
    [`\x1b]2;a\x07${push}\x1b]2;b\x07${pop}`, "a"],
    [`\x1b]2;a\x07\x1b[22t\x1b]2;b\x07${pop}`, "a"],
    [`\x1b]2;a\x07\x1b[22;1t\x1b]2;b\x07${pop}`, "b"],
    [`\x1b]2;a\x07${push}\x1b]2;b\x07${push}\x1b]2;c\x07${pop}${pop}`, "a"],
    [`\x1b]2;a\x07${push}\x1b]2;b\x07${push.repeat(10)}\x1b]2;c\x07${pop.repeat(11)}`, "b"],
    [`\x1b]2;a\x07${push}\x1bc\x1b]2;b\x07${pop}`, "b"],
    [pop, ""],
  ];
  for (const [output, title] of titles) assert.equal(trackOutput(output).facts.title(), title, JSON.stringify(output));
});

Deno.test("queries: reports count from one", () => {
  assert.equal(formatCursorReport({ col: 0, row: 4 }, false), "\x1b[5;1R");
  assert.equal(formatModeReport(4, 2, false), "\x1b[4;2$y");
  assert.equal(formatModeReport(4, 2, true), "\x1b[?4;2$y");
  assert.equal(formatWindowReport(14, { cols: 10, rows: 2 }), "\x1b[4;40;100t");
  assert.equal(formatWindowReport(18, { cols: 10, rows: 2 }), "\x1b[8;2;10t");
});

const COLORS: readonly (readonly [string, readonly number[] | undefined])[] = [
  ["rgb:1/8/f", [17, 136, 255]],
  ["rgb:12/80/FF", [18, 128, 255]],
  ["rgb:fff/000/800", [255, 0, 128]],
  ["rgb:ffff/0000/8080", [255, 0, 128]],
  ["rgb:1/80/f", undefined],
  ["rgb:1/2", undefined],
  ["rgb:12345/1/1", undefined],
  ["#18f", [16, 128, 240]],
  ["#1280ff", [18, 128, 255]],
  ["#123456789", [18, 69, 120]],
  ["#ffff00008080", [255, 0, 128]],
  ["#12", undefined],
  ["#1234567", undefined],
  ["red", undefined],
  ["", undefined],
];

Deno.test("queries: colours as X11 writes them", () => {
  for (const [text, rgb] of COLORS) assert.deepEqual(parseColor(text), rgb, text);
});

Deno.test("queries: colours of the window, of the program, and those that never change", () => {
  const table = createColorTable();
  const ask = (osc: number, payload: string) => table.setOrReport(osc, payload, "bel");
  const palette = ["#010203", "#040506"];
  table.setColors({ foreground: "#111111", background: "#222222", cursor: "#333333", palette });
  assert.equal(ask(4, "1;?;0;?"), "\x1b]4;1;rgb:0404/0505/0606\x07\x1b]4;0;rgb:0101/0202/0303\x07");
  assert.equal(ask(4, "2;?"), "", "not known");
  assert.equal(
    ask(4, "21;?;231;?;232;?;255;?"),
    [
      "\x1b]4;21;rgb:0000/0000/ffff\x07",
      "\x1b]4;231;rgb:ffff/ffff/ffff\x07",
      "\x1b]4;232;rgb:0808/0808/0808\x07",
      "\x1b]4;255;rgb:eeee/eeee/eeee\x07",
    ].join(""),
  );
  assert.equal(ask(4, "67;?"), "\x1b]4;67;rgb:5f5f/8787/afaf\x07");
  assert.equal(ask(4, "1;#ff0000;1;?"), "\x1b]4;1;rgb:ffff/0000/0000\x07");
  assert.equal(ask(4, "x;?;1"), "");
  assert.equal(ask(10, "#0000ff;#00ff00;#ff0000;#ffffff"), "");
  assert.equal(ask(12, "?"), "\x1b]12;rgb:ffff/0000/0000\x07");
  assert.equal(ask(10, "no colour;?"), "\x1b]11;rgb:0000/ffff/0000\x07");
  assert.equal(
    table.formatChanges(),
    "\x1b]4;1;rgb:ffff/0000/0000\x1b\\\x1b]10;rgb:0000/0000/ffff\x1b\\\x1b]11;rgb:0000/ffff/0000\x1b\\" +
      "\x1b]12;rgb:ffff/0000/0000\x1b\\",
  );
  table.restore(110, "");
  table.restore(112, "");
  assert.equal(
    ask(10, "?;?;?"),
    [
      "\x1b]10;rgb:1111/1111/1111\x07",
      "\x1b]11;rgb:0000/ffff/0000\x07",
      "\x1b]12;rgb:3333/3333/3333\x07",
    ].join(""),
  );
  ask(4, "0;#ff0000;7;#ff0000");
  table.restore(104, "1;x;999");
  assert.equal(ask(4, "1;?;7;?"), "\x1b]4;1;rgb:0404/0505/0606\x07\x1b]4;7;rgb:ffff/0000/0000\x07");
  table.restore(104, "");
  assert.equal(table.formatChanges(), "\x1b]11;rgb:0000/ffff/0000\x1b\\", "the palette alone");
  table.reset();
  assert.equal(table.formatChanges(), "");
});

Deno.test("queries: what is dark", () => {
  for (
    const [background, dark] of [["#000000", true], ["#ffffff", false], ["#ff0000", true], ["#00ff00", false]] as const
  ) {
    const table = createColorTable();
    table.setColors({ foreground: "#808080", background, cursor: "#808080", palette: [] });
    assert.equal(table.isDark(), dark, background);
  }
});
