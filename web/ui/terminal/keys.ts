/**
 * Keys as bytes in the two protocols a program can ask for beyond the old one: the kitty keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/) and xterm's modifyOtherKeys
 * (https://invisible-island.net/xterm/modified-keys.html). Pure; undefined leaves the key to xterm.js, which speaks the
 * old protocol and knows input methods, so nothing of these is sent to a program that did not ask.
 */

export interface Key {
  readonly type: "press" | "repeat" | "release";
  /** KeyboardEvent.key and .code. */
  readonly key: string;
  readonly code: string;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly capsLock: boolean;
  readonly numLock: boolean;
  /** What the key gives alone on the person's keyboard, when the browser tells. */
  readonly unshifted?: string;
}

/** Progressive enhancements of the kitty protocol. */
const DISAMBIGUATE = 1;
const EVENT_TYPES = 2;
const ALTERNATE_KEYS = 4;
const ALL_KEYS = 8;
const ASSOCIATED_TEXT = 16;

interface Functional {
  readonly number: number;
  readonly final: string;
}

const csi = (number: number, final = "u"): Functional => ({ number, final });

const functional: Readonly<Record<string, Functional>> = {
  Escape: csi(27),
  Enter: csi(13),
  Tab: csi(9),
  Backspace: csi(127),
  Insert: csi(2, "~"),
  Delete: csi(3, "~"),
  ArrowLeft: csi(1, "D"),
  ArrowRight: csi(1, "C"),
  ArrowUp: csi(1, "A"),
  ArrowDown: csi(1, "B"),
  PageUp: csi(5, "~"),
  PageDown: csi(6, "~"),
  Home: csi(1, "H"),
  End: csi(1, "F"),
  F1: csi(1, "P"),
  F2: csi(1, "Q"),
  F3: csi(13, "~"),
  F4: csi(1, "S"),
  F5: csi(15, "~"),
  F6: csi(17, "~"),
  F7: csi(18, "~"),
  F8: csi(19, "~"),
  F9: csi(20, "~"),
  F10: csi(21, "~"),
  F11: csi(23, "~"),
  F12: csi(24, "~"),
  ScrollLock: csi(57359),
  PrintScreen: csi(57361),
  Pause: csi(57362),
  ContextMenu: csi(57363),
};

/** Reported only when all keys are: by code, which tells left from right. */
const modifierKeys: Readonly<Record<string, number>> = {
  CapsLock: 57358,
  NumLock: 57360,
  ShiftLeft: 57441,
  ControlLeft: 57442,
  AltLeft: 57443,
  MetaLeft: 57444,
  ShiftRight: 57447,
  ControlRight: 57448,
  AltRight: 57449,
  MetaRight: 57450,
};

const keypad: Readonly<Record<string, number>> = {
  Numpad0: 57399,
  Numpad1: 57400,
  Numpad2: 57401,
  Numpad3: 57402,
  Numpad4: 57403,
  Numpad5: 57404,
  Numpad6: 57405,
  Numpad7: 57406,
  Numpad8: 57407,
  Numpad9: 57408,
  NumpadDecimal: 57409,
  NumpadDivide: 57410,
  NumpadMultiply: 57411,
  NumpadSubtract: 57412,
  NumpadAdd: 57413,
  NumpadEnter: 57414,
  NumpadEqual: 57415,
};

/** What the keys of the US layout give alone, by code: the protocol's "base layout". */
function baseLayoutKey(code: string): string | undefined {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase();
  if (/^Digit[0-9]$/.test(code)) return code.slice(5);
  return punctuation[code];
}

const punctuation: Readonly<Record<string, string>> = {
  Space: " ",
  Minus: "-",
  Equal: "=",
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  Semicolon: ";",
  Quote: "'",
  Backquote: "`",
  Comma: ",",
  Period: ".",
  Slash: "/",
};

/** One character, as KeyboardEvent.key has it for keys that give text. */
function isText(key: string): boolean {
  return [...key].length === 1;
}

export function encodeKittyKey(key: Key, flags: number): string | undefined {
  if (flags === 0 || key.type === "release" && (flags & EVENT_TYPES) === 0) return undefined;
  const allKeys = (flags & ALL_KEYS) !== 0;
  const found = findKittyKey(key, flags);
  if (found === undefined) return undefined;
  const modifiers = modifierBits(key) + (allKeys ? lockBits(key) : 0);
  const isEditing = key.key === "Enter" || key.key === "Tab" || key.key === "Backspace";
  if (!allKeys && isEditing) {
    // So that a person can still type and run a command when a program died and left the protocol on.
    if (key.type === "release") return undefined;
    if (modifiers === 0) return legacyEditing[key.key];
  }
  const event = (flags & EVENT_TYPES) === 0 || key.type === "press" ? "" : key.type === "repeat" ? ":2" : ":3";
  const alternates = (flags & ALTERNATE_KEYS) === 0 ? "" : alternateKeys(key, found);
  const text = (flags & ASSOCIATED_TEXT) !== 0 && allKeys ? associatedText(key) : "";
  const second = modifiers > 0 || event !== "" || text !== ""
    ? `;${modifiers > 0 || event !== "" ? modifiers + 1 : ""}${event}`
    : "";
  const first = found.number === 1 && second === "" ? "" : `${found.number}${alternates}`;
  return `\x1b[${first}${second}${text}${found.final}`;
}

const legacyEditing: Readonly<Record<string, string>> = { Enter: "\r", Tab: "\t", Backspace: "\x7f" };

function findKittyKey(key: Key, flags: number): Functional | undefined {
  const allKeys = (flags & ALL_KEYS) !== 0;
  const modifier = modifierKeys[key.code];
  if (modifier !== undefined) return allKeys ? csi(modifier) : undefined;
  const pad = keypad[key.code];
  if (
    pad !== undefined &&
    (allKeys ? isText(key.key) || key.key === "Enter" : key.key === "Enter" && modifierBits(key) > 0)
  ) return csi(pad);
  const named = functional[key.key];
  if (named !== undefined) return named;
  if (!isText(key.key)) return undefined;
  if (!allKeys) {
    // A key that gives text is text, and its release says nothing.
    if (!key.ctrl && !key.alt && !key.meta) return undefined;
    if ((flags & DISAMBIGUATE) === 0) return undefined;
  }
  return csi(unshiftedKey(key).codePointAt(0) ?? 0);
}

/** The protocol numbers a key by what it gives without Shift. */
function unshiftedKey(key: Key): string {
  if (key.unshifted !== undefined && isText(key.unshifted)) return key.unshifted.toLowerCase();
  const lower = key.key.toLowerCase();
  if (lower !== key.key.toUpperCase() && isText(lower)) return lower;
  return key.shift ? baseLayoutKey(key.code) ?? key.key : key.key;
}

function alternateKeys(key: Key, found: Functional): string {
  if (found.final !== "u" || !isText(key.key)) return "";
  const number = found.number;
  const shifted = key.shift ? key.key.codePointAt(0) : undefined;
  const base = baseLayoutKey(key.code)?.codePointAt(0);
  const shiftedPart = shifted !== undefined && shifted !== number ? `${shifted}` : "";
  const basePart = base !== undefined && base !== number ? `:${base}` : "";
  return shiftedPart === "" && basePart === "" ? "" : `:${shiftedPart}${basePart}`;
}

function associatedText(key: Key): string {
  if (key.type === "release" || !isText(key.key) || key.ctrl || key.alt || key.meta) return "";
  return `;${key.key.codePointAt(0) ?? 0}`;
}

function modifierBits(key: Key): number {
  return (key.shift ? 1 : 0) | (key.alt ? 2 : 0) | (key.ctrl ? 4 : 0) | (key.meta ? 8 : 0);
}

function lockBits(key: Key): number {
  return (key.capsLock ? 64 : 0) | (key.numLock ? 128 : 0);
}

/** level 1: keys that the old protocol cannot tell apart; level 2: every key with Ctrl or Alt. */
export function encodeModifiedKey(key: Key, level: number): string | undefined {
  if (level === 0 || key.type === "release") return undefined;
  const modifiers = modifierBits({ ...key, meta: false });
  if (modifiers === 0) return undefined;
  const special = otherKeys[key.key];
  if (special !== undefined) {
    // Shift+Tab has a sequence of its own.
    if (key.key === "Tab" && modifiers === 1) return undefined;
    return other(modifiers, special);
  }
  if (!isText(key.key)) return undefined;
  const code = key.key.codePointAt(0) ?? 0;
  if (!key.ctrl && !key.alt) return level >= 2 && key.key === " " ? other(modifiers, code) : undefined;
  return level >= 2 || key.ctrl && !hasControlCode(key.key) ? other(modifiers, code) : undefined;
}

const otherKeys: Readonly<Record<string, number>> = { Enter: 13, Tab: 9, Backspace: 127, Escape: 27 };

function other(modifiers: number, code: number): string {
  return `\x1b[27;${modifiers + 1};${code}~`;
}

/** Ctrl with these gives a control character of the old protocol. */
function hasControlCode(key: string): boolean {
  return /^[a-zA-Z@[\\\]^_? ]$/.test(key);
}
