import assert from "node:assert/strict";
import { type Draft, isReport, NO_DRAFT, trackDraft } from "../../core/orchestration/draft.ts";

function after(...inputs: string[]): Draft {
  return inputs.reduce(trackDraft, NO_DRAFT);
}

Deno.test("draft: text stays a draft until Enter, Ctrl+C or Ctrl+U", () => {
  assert.deepEqual(after("hel", "lo"), { length: 5, pasting: false });
  for (const key of ["\r", "\u0003", "\u0015", "\u001b[13u"]) assert.deepEqual(after("hello", key), NO_DRAFT);
});

Deno.test("draft: keys that only move, mouse and focus reports write nothing", () => {
  assert.deepEqual(after("\u001b[A\u001b[1;5C\u001bOP\u001b[<0;10;10M\u001b[I\u001b[O"), NO_DRAFT);
  assert.deepEqual(after("\u001b"), NO_DRAFT);
});

Deno.test("draft: backspace takes one away and never goes below none", () => {
  assert.deepEqual(after("ab", "\u007f"), { length: 1, pasting: false });
  assert.deepEqual(after("ab", "\u007f\u007f\u007f"), NO_DRAFT);
});

Deno.test("draft: Enter inside a paste is text, also when the paste comes in pieces", () => {
  assert.equal(after("\u001b[200~a\r", "b\r\u001b[201~").length, 4);
  assert.deepEqual(after("\u001b[200~a\rb\u001b[201~", "\r"), NO_DRAFT);
});

Deno.test("draft: Alt+Enter adds a line and does not send", () => {
  assert.deepEqual(after("ab", "\u001b\r"), { length: 3, pasting: false });
});

Deno.test("draft: after a word was deleted something may be left, so it stays a draft", () => {
  assert.equal(after("ab cd", "\u0017").length > 0, true);
  assert.deepEqual(after("\u0017"), NO_DRAFT);
});

Deno.test("draft: reports of the terminal are told from keys", () => {
  assert.equal(isReport("\u001b[I"), true);
  assert.equal(isReport("\u001b[<0;10;10M\u001b[<0;10;10m"), true);
  for (const keys of ["\u001b[A", "x", "\u001b", "\u001b[Ix", ""]) {
    assert.equal(isReport(keys), false, JSON.stringify(keys));
  }
});
