/**
 * Keys on their way to the program: which protocol it asked for is followed in its output, and a key goes out in the
 * call of its event. What belongs to the browser or to an input method is left alone.
 */
import type { Terminal } from "@xterm/xterm";
import {
  changeKittyFlags,
  createModeState,
  kittyFlags,
  popKittyFlags,
  pushKittyFlags,
  resetFully,
  setPrivateMode,
} from "../../../core/terminals/modes.ts";
import { encodeKittyKey, encodeModifiedKey, type Key } from "./keys.ts";

/** What each key gives alone, where the browser tells (Chromium). */
interface KeyboardLayout {
  get(code: string): string | undefined;
}

let layout: KeyboardLayout | undefined;
void readLayout().then((read) => layout = read);

async function readLayout(): Promise<KeyboardLayout | undefined> {
  if (typeof navigator === "undefined" || !("keyboard" in navigator)) return undefined;
  const { keyboard } = navigator;
  if (typeof keyboard !== "object" || keyboard === null || !("getLayoutMap" in keyboard)) return undefined;
  const { getLayoutMap } = keyboard;
  if (typeof getLayoutMap !== "function") return undefined;
  try {
    const map: unknown = await getLayoutMap.call(keyboard);
    return map instanceof Map || isLayout(map) ? map : undefined;
  } catch {
    return undefined;
  }
}

function isLayout(value: unknown): value is KeyboardLayout {
  return typeof value === "object" && value !== null && "get" in value && typeof value.get === "function";
}

export interface KeyboardOptions {
  readonly send: (input: string) => void;
  /** Keys of the terminal itself, before any program: copy. True: taken. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly isMac: boolean;
}

export function attachKeyboard(terminal: Terminal, options: KeyboardOptions): void {
  const protocols = followProtocols(terminal);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== "keydown" && event.type !== "keyup") return true;
    if (event.type === "keydown" && options.onKeyDown(event)) {
      event.preventDefault();
      return false;
    }
    if (isInputMethod(event) || belongsToBrowser(event, options.isMac)) return true;
    const sequence = protocols.encode(keyOf(event));
    if (sequence === undefined) return true;
    event.preventDefault();
    event.stopPropagation();
    options.send(sequence);
    return false;
  });
}

/** Composition (IME), dead keys, and characters that are typed with AltGr or with Option on a Mac. */
function isInputMethod(event: KeyboardEvent): boolean {
  if (event.isComposing || event.keyCode === 229 || event.key === "Dead" || event.key === "Process") return true;
  if (event.getModifierState("AltGraph")) return true;
  return event.altKey && !event.ctrlKey && event.key.length === 1 && event.key.charCodeAt(0) > 0x7f;
}

/** The clipboard's keys, and everything with Command on a Mac, never reach a program. */
function belongsToBrowser(event: KeyboardEvent, isMac: boolean): boolean {
  if (isMac && event.metaKey) return true;
  if (event.ctrlKey && event.shiftKey && (event.code === "KeyV" || event.code === "KeyC")) return true;
  return event.key === "Insert" && (event.shiftKey || event.ctrlKey);
}

function keyOf(event: KeyboardEvent): Key {
  const unshifted = layout?.get(event.code);
  return {
    type: event.type === "keyup" ? "release" : event.repeat ? "repeat" : "press",
    key: event.key,
    code: event.code,
    shift: event.shiftKey,
    alt: event.altKey,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    capsLock: event.getModifierState("CapsLock"),
    numLock: event.getModifierState("NumLock"),
    ...(unshifted !== undefined && { unshifted }),
  };
}

/** Follows the same sequences with the same rules as the server does, so that both think of the same protocol. */
function followProtocols(terminal: Terminal): { encode(key: Key): string | undefined } {
  const modes = createModeState();
  let modifyOtherKeys = 0;
  const { parser } = terminal;
  const first = (params: readonly (number | number[])[], fallback = 0) => {
    const value = params[0];
    return typeof value === "number" ? value : fallback;
  };
  const setModes = (params: readonly (number | number[])[], on: boolean) => {
    for (const mode of params) if (typeof mode === "number") setPrivateMode(modes, mode, on);
    return false;
  };
  parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) => setModes(params, true));
  parser.registerCsiHandler({ prefix: "?", final: "l" }, (params) => setModes(params, false));
  parser.registerCsiHandler({ prefix: ">", final: "u" }, (params) => {
    pushKittyFlags(modes, first(params));
    return true;
  });
  parser.registerCsiHandler({ prefix: "<", final: "u" }, (params) => {
    popKittyFlags(modes, first(params, 1));
    return true;
  });
  parser.registerCsiHandler({ prefix: "=", final: "u" }, (params) => {
    const how = params[1];
    changeKittyFlags(modes, first(params), typeof how === "number" ? how : 1);
    return true;
  });
  parser.registerCsiHandler({ prefix: ">", final: "m" }, (params) => {
    const level = params[1];
    if (first(params) === 4) modifyOtherKeys = typeof level === "number" ? level : 0;
    return true;
  });
  parser.registerCsiHandler({ prefix: ">", final: "n" }, (params) => {
    if (first(params) === 4) modifyOtherKeys = 0;
    return true;
  });
  parser.registerEscHandler({ final: "c" }, () => {
    resetFully(modes);
    modifyOtherKeys = 0;
    return false;
  });
  return {
    encode(key) {
      const flags = kittyFlags(modes);
      return flags === 0 ? encodeModifiedKey(key, modifyOtherKeys) : encodeKittyKey(key, flags);
    },
  };
}
