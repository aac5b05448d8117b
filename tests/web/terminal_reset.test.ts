import assert from "node:assert/strict";
import { RESET } from "../../web/ui/terminal/drawing.ts";
import { createRandom } from "../helpers/random.ts";
import { createReference } from "../helpers/terminal_screen.ts";
import { randomStream, type StreamKind } from "../helpers/terminal_stream.ts";

const size = { cols: 40, rows: 12 };
const kinds: readonly StreamKind[] = ["calm", "screen", "wild"];

Deno.test("a terminal that was reset, whatever it was in the middle of, draws as a new one does", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const kind = random.pick(kinds);
    const stream = () => new TextEncoder().encode(randomStream(random, { kind, count: 60, size }).join(""));
    const before = stream();
    const after = stream();
    using used = createReference(size, 200);
    used.write(before.subarray(0, random.int(before.length + 1)));
    used.write(RESET);
    used.write(after);
    using fresh = createReference(size, 200);
    fresh.write(after);
    assert.deepEqual(withoutBlinking(used.dump()), withoutBlinking(fresh.dump()), `seed ${seed}, ${kind}`);
  }
});

/** Blinking is an option of the terminal, and put back as one. */
function withoutBlinking(dump: readonly string[]): readonly string[] {
  return dump.map((line) => line.replace(/^(options \w+) \w+/, "$1"));
}
