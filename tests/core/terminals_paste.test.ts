import assert from "node:assert/strict";
import { framePaste, removePasteEnd } from "../../core/terminals/paste.ts";
import { createRandom } from "../helpers/random.ts";

const END = "\x1b[201~";

Deno.test("text is framed only when the program asked for it, and its line ends become Enter", () => {
  assert.equal(framePaste("a\nb\r\nc\rd", false), "a\rb\rc\rd");
  assert.equal(framePaste("a\nb", true), "\x1b[200~a\rb\x1b[201~");
});

Deno.test("pasted text cannot leave its frame", () => {
  assert.equal(removePasteEnd(`a${END}rm -rf ~\n`), "arm -rf ~\n");
  assert.equal(removePasteEnd("a\x9b201~b"), "ab");
  // What closes up behind a removed marker is a marker too.
  assert.equal(removePasteEnd(`a\x1b[20${END}1~b`), "ab");
  assert.equal(removePasteEnd(`\x1b\x9b201~[201~`), "");
  assert.equal(removePasteEnd("\x9b2\x1b[201~01~"), "");
  assert.equal(removePasteEnd("201~ costs 201~"), "201~ costs 201~");
});

Deno.test("no marker is left, and nothing but markers is taken, whatever they are made of", () => {
  const pieces = ["\x1b", "[", "\x9b", "2", "0", "1", "~", "201~", "[201~", "\x1b[20", "x", END];
  for (let seed = 1; seed <= 3000; seed++) {
    const random = createRandom(seed);
    const text = Array.from({ length: random.int(14) }, () => random.pick(pieces)).join("");
    const clean = removePasteEnd(text);
    assert.ok(!clean.includes(END) && !clean.includes("\x9b201~"), `seed ${seed}`);
    if (!text.includes(END) && !text.includes("\x9b201~")) assert.equal(clean, text, `seed ${seed}`);
  }
});

Deno.test("a long text full of markers takes linear time", () => {
  const text = "\x1b[20".repeat(200_000) + "1~".repeat(200_000);
  assert.equal(removePasteEnd(text), "");
});
