import assert from "node:assert/strict";
import { parseLinePattern } from "../../core/terminals/line_pattern.ts";
import { parsePattern } from "../../core/terminals/pattern_program.ts";
import { createPatternSearch } from "../../core/terminals/pattern_search.ts";
import { createRandom, type Random } from "../helpers/random.ts";

function search(pattern: string, text: string): boolean {
  const program = parsePattern(pattern);
  assert.ok(program.ok, pattern);
  return createPatternSearch(program.value)(text);
}

Deno.test("patterns find what RegExp finds", () => {
  const patterns = [
    "",
    "ready",
    "^ready$",
    "a|b|",
    "(a|bc)+d",
    "x{2,3}y",
    "x{2}",
    "x{0}y",
    "(ab)*c",
    "\\bfoo\\b",
    "\\Boo",
    "[a-c]+[^d]",
    "[\\]\\\\-]",
    "[^]",
    ".",
    "\\.",
    "\\d+:\\d\\d",
    "\\p{L}+é",
    "\\u{1F600}",
    "\\u0041",
    "\\x41|\\t",
    "(?:a?){4}a{4}",
    "(?<name>a)b",
    "a*?b+?c??",
    "^$",
    "(^a|b$)",
    "\\$ $",
    "(a*)*b",
    "((a|b)*|c)*d",
    "\\S+\\s\\w",
    "[\\w.]+@\\w+",
  ];
  const texts = [
    "",
    "ready",
    "not ready",
    "a",
    "bcbcd",
    "xxxy",
    "xy",
    "ababc",
    "a foo b",
    "food",
    "oo",
    "cd",
    "]",
    "-",
    "12:30",
    "naïvé",
    "😀",
    "A\t",
    "aaaa",
    "aaaaaaaa",
    "ab",
    "abbc",
    "$ ",
    "b",
    "aab",
    "abcd",
    "é x",
    "me@there",
    "a\u2028b",
  ];
  for (const pattern of patterns) {
    for (const text of texts) {
      assert.equal(
        search(pattern, text),
        new RegExp(pattern, "u").test(text),
        `/${pattern}/ in ${JSON.stringify(text)}`,
      );
    }
  }
});

function randomPattern(random: Random, depth: number): string {
  const atom = () =>
    depth > 0 && random.int(3) === 0
      ? `(${random.pick(["", "?:"])}${randomPattern(random, depth - 1)})`
      : random.pick(["a", "b", "c", ".", "[ab]", "[^a]", "\\w", "\\b", "^", "$", " ", "\\B"]);
  const repeat = (text: string) =>
    /^(\\b|\\B|\^|\$)$/.test(text)
      ? text
      : text + random.pick(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?"]);
  const sequence = () => Array.from({ length: random.int(4) }, () => repeat(atom())).join("");
  return Array.from({ length: 1 + random.int(3) }, sequence).join("|");
}

Deno.test("random patterns find what RegExp finds", () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = createRandom(seed);
    const pattern = randomPattern(random, 2);
    const expression = new RegExp(pattern, "u");
    const found = parsePattern(pattern);
    assert.ok(found.ok, pattern);
    const isIn = createPatternSearch(found.value);
    for (let n = 0; n < 10; n++) {
      const text = Array.from({ length: random.int(9) }, () => random.pick(["a", "b", "c", " "])).join("");
      assert.equal(isIn(text), expression.test(text), `seed ${seed}: /${pattern}/ in "${text}"`);
    }
  }
});

Deno.test("patterns that take the engine's RegExp years take no time", () => {
  const line = `${"a".repeat(4000)}!`;
  const lines = Array.from({ length: 50 }, () => line);
  for (
    const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "a*a*a*a*a*a*b", "(.*a){12}b"]
  ) {
    const started = performance.now();
    const parsed = parseLinePattern(pattern);
    assert.ok(parsed.ok);
    assert.equal(parsed.value.find(lines), undefined);
    assert.ok(performance.now() - started < 5_000, pattern);
  }
});

Deno.test("what cannot be searched in linear time, or is no pattern, is refused by name", () => {
  const kind = (pattern: string) => {
    const parsed = parsePattern(pattern);
    return parsed.ok ? "ok" : parsed.error.kind === "notSupported" ? parsed.error.what : parsed.error.kind;
  };
  assert.equal(kind("(a)\\1"), "reference");
  assert.equal(kind("(?<n>a)\\k<n>"), "reference");
  assert.equal(kind("(?=a)b"), "lookaround");
  assert.equal(kind("(?<!a)b"), "lookaround");
  assert.equal(kind("("), "invalidSyntax");
  assert.equal(kind("a{2000}"), "tooLarge");
  assert.equal(kind("(?:){1000000000}"), "tooLarge");
  assert.equal(kind("(((?:){1000}){1000}){1000}"), "ok");
  assert.equal(kind("((a{50}){50}){50}"), "tooLarge");
});
