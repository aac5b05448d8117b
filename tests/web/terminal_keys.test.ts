import assert from "node:assert/strict";
import { encodeKittyKey, encodeModifiedKey, type Key } from "../../web/ui/terminal/keys.ts";

const codes: Readonly<Record<string, string>> = { " ": "Space", ";": "Semicolon", "!": "Digit1", "é": "Digit2" };

function key(name: string, held = "", more: Partial<Key> = {}): Key {
  const code = codes[name] ?? (/^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name);
  return {
    type: "press",
    key: name,
    code,
    shift: held.includes("s"),
    alt: held.includes("a"),
    ctrl: held.includes("c"),
    meta: held.includes("m"),
    capsLock: false,
    numLock: false,
    ...more,
  };
}

Deno.test("kitty: without the protocol nothing is encoded", () => {
  for (const each of [key("Enter", "s"), key("Escape"), key("a", "c"), key("ArrowUp")]) {
    assert.equal(encodeKittyKey(each, 0), undefined);
  }
});

Deno.test("kitty: disambiguated keys (flag 1)", () => {
  const cases: readonly (readonly [Key, string | undefined])[] = [
    [key("Escape"), "\x1b[27u"],
    [key("Enter"), "\r"],
    [key("Tab"), "\t"],
    [key("Backspace"), "\x7f"],
    [key("Enter", "s"), "\x1b[13;2u"],
    [key("Enter", "c"), "\x1b[13;5u"],
    [key("Tab", "s"), "\x1b[9;2u"],
    [key("Backspace", "a"), "\x1b[127;3u"],
    [key("a"), undefined],
    [key("A", "s"), undefined],
    [key("!", "s"), undefined],
    [key("a", "c"), "\x1b[97;5u"],
    [key("A", "cs"), "\x1b[97;6u"],
    [key("a", "a"), "\x1b[97;3u"],
    [key("!", "cs"), "\x1b[49;6u"],
    [key("!", "cs", { unshifted: "&" }), "\x1b[38;6u"],
    [key("é", "c"), "\x1b[233;5u"],
    [key(" ", "c"), "\x1b[32;5u"],
    [key("i", "c"), "\x1b[105;5u"],
    [key("ArrowUp"), "\x1b[A"],
    [key("ArrowUp", "c"), "\x1b[1;5A"],
    [key("Home", "s"), "\x1b[1;2H"],
    [key("Delete"), "\x1b[3~"],
    [key("F1"), "\x1b[P"],
    [key("F3"), "\x1b[13~"],
    [key("F5", "cs"), "\x1b[15;6~"],
    [key("Shift", "s", { code: "ShiftLeft" }), undefined],
    [key("Dead"), undefined],
    [key("Process"), undefined],
    [key("Enter", "s", { code: "NumpadEnter" }), "\x1b[57414;2u"],
    [key("5", "", { code: "Numpad5" }), undefined],
  ];
  for (const [pressed, expected] of cases) assert.equal(encodeKittyKey(pressed, 1), expected, JSON.stringify(pressed));
});

Deno.test("kitty: repeats and releases are told only when asked for (flag 2)", () => {
  const release = (name: string, held = "") => key(name, held, { type: "release" });
  assert.equal(encodeKittyKey(release("Escape"), 1), undefined);
  assert.equal(encodeKittyKey(release("Escape"), 3), "\x1b[27;1:3u");
  assert.equal(encodeKittyKey(key("ArrowUp", "", { type: "repeat" }), 3), "\x1b[1;1:2A");
  assert.equal(encodeKittyKey(key("ArrowUp", "", { type: "repeat" }), 1), "\x1b[A");
  assert.equal(encodeKittyKey(release("a", "c"), 3), "\x1b[97;5:3u");
  assert.equal(encodeKittyKey(release("a"), 3), undefined);
  assert.equal(encodeKittyKey(release("Enter"), 3), undefined);
  assert.equal(encodeKittyKey(release("Enter"), 11), "\x1b[13;1:3u");
});

Deno.test("kitty: alternate keys (flag 4), all keys (flag 8), text (flag 16)", () => {
  assert.equal(encodeKittyKey(key("A", "cs"), 5), "\x1b[97:65;6u");
  assert.equal(encodeKittyKey(key("q", "c", { code: "KeyA" }), 5), "\x1b[113::97;5u");
  assert.equal(encodeKittyKey(key("ArrowUp", "s"), 5), "\x1b[1;2A");
  assert.equal(encodeKittyKey(key("a"), 9), "\x1b[97u");
  assert.equal(encodeKittyKey(key("A", "s"), 9), "\x1b[97;2u");
  assert.equal(encodeKittyKey(key("a", "", { numLock: true }), 9), "\x1b[97;129u");
  assert.equal(encodeKittyKey(key("ArrowUp", "", { numLock: true }), 1), "\x1b[A");
  assert.equal(encodeKittyKey(key("Enter"), 9), "\x1b[13u");
  assert.equal(encodeKittyKey(key("Shift", "s", { code: "ShiftRight" }), 9), "\x1b[57447;2u");
  assert.equal(encodeKittyKey(key("5", "", { code: "Numpad5" }), 9), "\x1b[57404u");
  assert.equal(encodeKittyKey(key("a"), 25), "\x1b[97;;97u");
  assert.equal(encodeKittyKey(key("A", "s"), 25), "\x1b[97;2;65u");
  assert.equal(encodeKittyKey(key("a", "c"), 25), "\x1b[97;5u");
  assert.equal(encodeKittyKey(key("a", "", { type: "release" }), 27), "\x1b[97;1:3u");
});

Deno.test("modifyOtherKeys: only what the level says", () => {
  const cases: readonly (readonly [Key, string | undefined, string | undefined])[] = [
    [key("Enter", "s"), "\x1b[27;2;13~", "\x1b[27;2;13~"],
    [key("Enter"), undefined, undefined],
    [key("Enter", "c"), "\x1b[27;5;13~", "\x1b[27;5;13~"],
    [key("Tab", "s"), undefined, undefined],
    [key("Tab", "c"), "\x1b[27;5;9~", "\x1b[27;5;9~"],
    [key("a", "c"), undefined, "\x1b[27;5;97~"],
    [key("A", "cs"), undefined, "\x1b[27;6;65~"],
    [key(";", "c"), "\x1b[27;5;59~", "\x1b[27;5;59~"],
    [key("a", "a"), undefined, "\x1b[27;3;97~"],
    [key("A", "s"), undefined, undefined],
    [key(" ", "s"), undefined, "\x1b[27;2;32~"],
    [key("ArrowUp", "c"), undefined, undefined],
  ];
  for (const [pressed, first, second] of cases) {
    assert.equal(encodeModifiedKey(pressed, 0), undefined);
    assert.equal(encodeModifiedKey(pressed, 1), first, JSON.stringify(pressed));
    assert.equal(encodeModifiedKey(pressed, 2), second, JSON.stringify(pressed));
    assert.equal(encodeModifiedKey({ ...pressed, type: "release" }, 2), undefined);
  }
});
