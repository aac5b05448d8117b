import assert from "node:assert/strict";
import { sliceAround } from "../../web/ui/state/file_lines.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1)).join("\n");

Deno.test("a short file is shown whole, whatever ends its lines", () => {
  assert.deepEqual(sliceAround("a\r\nb\n", 2), { lines: ["a", "b"], first: 1, all: 2 });
  assert.deepEqual(sliceAround("", undefined), { lines: [""], first: 1, all: 1 });
});

Deno.test("of a long file the lines around the one that is meant", () => {
  const slice = (line: number | undefined) => {
    const { lines, first, all } = sliceAround(numbers(100), line, 10);
    return [lines.length, lines[0], first, all];
  };
  assert.deepEqual(slice(undefined), [10, "1", 1, 100]);
  assert.deepEqual(slice(3), [10, "1", 1, 100]);
  assert.deepEqual(slice(50), [10, "46", 46, 100]);
  assert.deepEqual(slice(100), [10, "91", 91, 100]);
  assert.deepEqual(slice(5_000), [10, "91", 91, 100]);
});
