/** What a program leaves on, and what switches it off. */
import assert from "node:assert/strict";
import { trackOutput } from "../helpers/tracked_output.ts";

const STALE: readonly (readonly [output: string, off: string])[] = [
  ["", ""],
  ["\x1b[?1h", "\x1b[?1l"],
  ["\x1b=", "\x1b>"],
  ["\x1b[?66h", "\x1b>"],
  ["\x1b[?25l", "\x1b[?25h"],
  ["\x1b[?25l\x1b[?25h", ""],
  ["\x1b[?9h", "\x1b[?9l"],
  ["\x1b[?1000;1002;1003;1006h", "\x1b[?1003l\x1b[?1006l"],
  ["\x1b[?1016h", "\x1b[?1016l"],
  ["\x1b[?1004h", "\x1b[?1004l"],
  ["\x1b[?2004h", "\x1b[?2004l"],
  ["\x1b[?2026h", "\x1b[?2026l"],
  ["\x1b[?2031h", "\x1b[?2031l"],
  ["\x1b[?1049h", "\x1b[?1049l"],
  ["\x1b[?47h", "\x1b[?47l"],
  ["\x1b[?1049h\x1b[?47h", "\x1b[?1049l"],
  ["\x1b[?1003;1006;1004;2004;2031;1049h\x1b[>1u\x1bc", ""],
  ["\x1b[>1u\x1b[>3u", "\x1b[<3u"],
  ["\x1b[=1u", "\x1b[<1u"],
  ["\x1b[>1u\x1b[?1049h\x1b[>3u", "\x1b[<2u\x1b[?1049l\x1b[<16u"],
  ["\x1b[>4;2m", "\x1b[>4m"],
  ["\x1b[>4;1m", "\x1b[>4m"],
  ["\x1b[>4;2m\x1b[>4m", ""],
  ["\x1b[>4;2m\x1b[>4;0m", ""],
  ["\x1b[>4;2m\x1b[>4n", ""],
  ["\x1b[>4;2m\x1b[>4;1n", ""],
  ["\x1b[>4;2m\x1b[>1m\x1b[>0n", "\x1b[>4m"],
  ["\x1b[>4;2m\x1bc", ""],
  ["\x1b[>4;2m\x1b[!p", "\x1b[>4m"],
  ["\x1b[?6;7;12;45h\x1b[4h\x1b[3 q", ""],
];

Deno.test("stale modes: each has what switches it off, and then nothing is left", () => {
  for (const [output, off] of STALE) {
    const tracked = trackOutput(output);
    assert.equal(tracked.facts.staleModesOff(Infinity), off, JSON.stringify(output));
    tracked.write(off);
    assert.equal(tracked.facts.staleModesOff(Infinity), "", JSON.stringify(output));
  }
});

Deno.test("stale modes: those that were switched on later stay", () => {
  for (const [output, off] of STALE) {
    if (off === "") continue;
    const tracked = trackOutput(output);
    const before = tracked.offset();
    assert.equal(tracked.facts.staleModesOff(0), "", JSON.stringify(output));
    assert.equal(tracked.facts.staleModesOff(before), off, JSON.stringify(output));
    // Switched on again by somebody else.
    tracked.write(output);
    assert.equal(tracked.facts.staleModesOff(0), "", JSON.stringify(output));
  }
});

Deno.test("stale modes: of a program and of the shell after it, the shell's stay", () => {
  const tracked = trackOutput("\x1b[?1049h\x1b[?1003h\x1b[?2004h\x1b[?1h");
  const program = tracked.offset();
  tracked.write("$ \x1b[?2004h");
  assert.equal(tracked.facts.staleModesOff(program), "\x1b[?1049l\x1b[?1003l\x1b[?1l");
});

Deno.test("stale modes: the alternate screen can be stale without the keyboard flags", () => {
  const tracked = trackOutput("\x1b[>1u\x1b[?1049h");
  const program = tracked.offset();
  tracked.write("\x1b[>3u");
  assert.equal(tracked.facts.staleModesOff(program), "\x1b[?1049l");
});

Deno.test("kitty keyboard: there is a bound to what is pushed", () => {
  const { modes } = trackOutput("\x1b[>1u".repeat(40) + "\x1b[>2u").facts;
  assert.deepEqual([modes.kittyNormal.length, modes.kittyNormal.at(-1)], [16, 2]);
});

Deno.test("known state: the level of modified keys is part of it", () => {
  assert.equal(trackOutput("\x1b[>4;2m").facts.modes.modifyOtherKeys, 2);
  assert.equal(trackOutput("\x1b[>2;2m").facts.modes.modifyOtherKeys, 0);
});
