import assert from "node:assert/strict";
import { createCommandEndFinder } from "../../core/terminals/command_end.ts";
import { createRandom } from "../helpers/random.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Offsets after each mark, when the text comes in pieces that end at the cuts. */
function findEnds(text: string, cuts: readonly number[] = []): readonly number[] {
  const finder = createCommandEndFinder();
  const bytes = encode(text);
  const ends: number[] = [];
  const edges = [0, ...cuts, bytes.length];
  for (const [index, start] of edges.entries()) {
    const piece = bytes.subarray(start, edges[index + 1]);
    for (let at = finder.next(piece, 0); at !== -1; at = finder.next(piece, at)) ends.push(start + at);
  }
  return ends;
}

Deno.test("the end of a command is found after its mark, with both terminators", () => {
  assert.deepEqual(findEnds("ls\x1b]133;D;0\x07$ "), [12]);
  assert.deepEqual(findEnds("\x1b]133;D\x1b\\\x1b]133;D;1;aid=3\x07"), [9, 25]);
  assert.deepEqual(findEnds("\x1b\x1b]133;D\x07"), [9]);
});

Deno.test("other marks and sequences are none", () => {
  for (const text of ["\x1b]133;A\x07", "\x1b[31m]133;D\x07", "\x1b]13;D\x07", "]133;D\x07", "\x1b]133;D and no end"]) {
    assert.deepEqual(findEnds(text), []);
  }
});

Deno.test("a mark that never ends does not swallow those after it", () => {
  const text = `\x1b]133;D${"x".repeat(400)}\x1b]133;D;0\x07`;
  assert.deepEqual(findEnds(text), [text.length]);
});

Deno.test("reads cut anywhere find the same ends", () => {
  const pieces = [
    "text ",
    "\x1b",
    "]133;",
    "D",
    ";1",
    "\x07",
    "\x1b\\",
    "\x1b]133;D;0\x07",
    "\x1b]133;A\x07",
    "\x1b[?2004h",
  ];
  for (let seed = 1; seed <= 2000; seed++) {
    const random = createRandom(seed);
    const text = Array.from({ length: random.int(12) }, () => random.pick(pieces)).join("");
    const cuts = Array.from({ length: random.int(4) }, () => random.int(text.length + 1)).sort((a, b) => a - b);
    assert.deepEqual(findEnds(text, cuts), findEnds(text), `seed ${seed}`);
  }
});
