/**
 * The modes of a terminal that programs switch, as xterm.js 6 knows them, plus the kitty keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/), which the page implements beside it.
 */

/** What decides how keys, mouse and pastes become input. */
export interface TerminalModes {
  readonly bracketedPaste: boolean;
  readonly applicationCursorKeys: boolean;
  readonly alternateScreen: boolean;
  readonly mouseTracking: boolean;
  readonly focusEvents: boolean;
  /** Flags of the kitty keyboard protocol, 0 when off. */
  readonly kittyKeyboard: number;
}

/** DEC private modes that are nothing but a switch. */
const SWITCHES = {
  1: "applicationCursorKeys",
  6: "origin",
  7: "wraparound",
  12: "cursorBlinks",
  25: "cursorVisible",
  45: "reverseWraparound",
  66: "applicationKeypad",
  1004: "focusEvents",
  2004: "bracketedPaste",
  2026: "synchronizedOutput",
  2031: "colorSchemeEvents",
} as const;

type SwitchName = (typeof SWITCHES)[keyof typeof SWITCHES];

const MOUSE_PROTOCOLS: readonly number[] = [9, 1000, 1002, 1003];
const MOUSE_ENCODINGS: readonly number[] = [1006, 1016];
const ALTERNATE_SCREEN: readonly number[] = [47, 1047, 1049];
/** xterm.js knows these and refuses them for good. */
const PERMANENTLY_OFF: readonly number[] = [67, 1005, 1015];
const MAX_KITTY_DEPTH = 16;

export interface ModeState extends Record<SwitchName, boolean> {
  insert: boolean;
  lineFeedReturns: boolean;
  /** 9, 1000, 1002, 1003, or 0. */
  mouseProtocol: number;
  /** 1006, 1016, or 0. */
  mouseEncoding: number;
  /** The mode that switched to the alternate screen (47, 1047, 1049), or 0 on the normal one. */
  alternateScreen: number;
  /** Level of xterm's modifyOtherKeys (CSI > 4 ; level m), 0 when off. */
  modifyOtherKeys: number;
  /** DECSCUSR: 1 to 6, 0 for the viewer's own. */
  cursorStyle: number;
  /** Flags of the screen in use, the last one is in force; empty: off. */
  kittyNormal: number[];
  kittyAlternate: number[];
}

const DEFAULTS = {
  applicationCursorKeys: false,
  origin: false,
  wraparound: true,
  reverseWraparound: false,
  applicationKeypad: false,
  focusEvents: false,
  bracketedPaste: false,
  synchronizedOutput: false,
  insert: false,
  cursorStyle: 0,
};

export function createModeState(): ModeState {
  return {
    ...DEFAULTS,
    cursorBlinks: false,
    cursorVisible: true,
    colorSchemeEvents: false,
    lineFeedReturns: false,
    mouseProtocol: 0,
    mouseEncoding: 0,
    alternateScreen: 0,
    modifyOtherKeys: 0,
    kittyNormal: [],
    kittyAlternate: [],
  };
}

function isSwitch(mode: number): mode is keyof typeof SWITCHES {
  return mode in SWITCHES;
}

/** CSI ? Pm h and l; modes that are not known change nothing. */
export function setPrivateMode(state: ModeState, mode: number, on: boolean): void {
  if (isSwitch(mode)) state[SWITCHES[mode]] = on;
  // A mouse mode that is switched off switches off whichever is on, as in xterm.js.
  else if (MOUSE_PROTOCOLS.includes(mode)) state.mouseProtocol = on ? mode : 0;
  else if (MOUSE_ENCODINGS.includes(mode)) state.mouseEncoding = on ? mode : 0;
  else if (ALTERNATE_SCREEN.includes(mode)) {
    if (!on) state.alternateScreen = 0;
    else if (state.alternateScreen === 0) state.alternateScreen = mode;
  }
}

/** CSI Pm h and l. */
export function setAnsiMode(state: ModeState, mode: number, on: boolean): void {
  if (mode === 4) state.insert = on;
  else if (mode === 20) state.lineFeedReturns = on;
}

/** CSI ! p: what xterm.js resets. */
export function resetSoftly(state: ModeState): void {
  Object.assign(state, DEFAULTS);
  state.cursorVisible = true;
}

/** ESC c: what xterm.js resets; blinking, visibility and line feed mode outlive it there. */
export function resetFully(state: ModeState): void {
  Object.assign(state, DEFAULTS);
  state.mouseProtocol = 0;
  state.mouseEncoding = 0;
  state.alternateScreen = 0;
  state.colorSchemeEvents = false;
  state.modifyOtherKeys = 0;
  state.kittyNormal = [];
  state.kittyAlternate = [];
}

function kittyStack(state: ModeState): number[] {
  return state.alternateScreen === 0 ? state.kittyNormal : state.kittyAlternate;
}

export function kittyFlags(state: ModeState): number {
  return kittyStack(state).at(-1) ?? 0;
}

/** CSI > flags u */
export function pushKittyFlags(state: ModeState, flags: number): void {
  const stack = kittyStack(state);
  // The flags before the first push are 0 and stay at the bottom, unless so many are pushed that they fall out.
  if (stack.length === 0) stack.push(0);
  stack.push(flags & 0x1f);
  if (stack.length > MAX_KITTY_DEPTH) stack.shift();
}

/** CSI < count u */
export function popKittyFlags(state: ModeState, count: number): void {
  const stack = kittyStack(state);
  stack.splice(Math.max(0, stack.length - Math.max(1, count)));
}

/** CSI = flags ; how u: how 1 sets, 2 adds, 3 takes away. */
export function changeKittyFlags(state: ModeState, flags: number, how: number): void {
  const stack = kittyStack(state);
  const old = stack.pop() ?? 0;
  const given = flags & 0x1f;
  stack.push(how === 2 ? old | given : how === 3 ? old & ~given : given);
}

/** The answer to DECRQM: 0 unknown, 1 on, 2 off, 3 always on, 4 always off. */
export function reportPrivateMode(state: ModeState, mode: number): number {
  if (isSwitch(mode)) return state[SWITCHES[mode]] ? 1 : 2;
  if (MOUSE_PROTOCOLS.includes(mode)) return state.mouseProtocol === mode ? 1 : 2;
  if (MOUSE_ENCODINGS.includes(mode)) return state.mouseEncoding === mode ? 1 : 2;
  if (ALTERNATE_SCREEN.includes(mode)) return state.alternateScreen === 0 ? 2 : 1;
  if (mode === 8) return 3;
  if (mode === 1048) return 1;
  return PERMANENTLY_OFF.includes(mode) ? 4 : 0;
}

export function reportAnsiMode(state: ModeState, mode: number): number {
  if (mode === 4) return state.insert ? 1 : 2;
  if (mode === 20) return state.lineFeedReturns ? 1 : 2;
  return mode === 2 ? 4 : mode === 12 ? 3 : 0;
}

export function toTerminalModes(state: ModeState): TerminalModes {
  return {
    bracketedPaste: state.bracketedPaste,
    applicationCursorKeys: state.applicationCursorKeys,
    alternateScreen: state.alternateScreen !== 0,
    mouseTracking: state.mouseProtocol !== 0,
    focusEvents: state.focusEvents,
    kittyKeyboard: kittyFlags(state),
  };
}

/** CSI > Pp ; Pv m: of xterm's key options the page knows one. */
export function setKeyOption(state: ModeState, option: number, level: number): void {
  if (option === 4) state.modifyOtherKeys = level;
}

/** What a program can leave on that turns keys, mouse, pastes or the screen into something else. */
export type StaleMode =
  | "synchronizedOutput"
  | "kittyKeyboard"
  | "alternateScreen"
  | "mouseProtocol"
  | "mouseEncoding"
  | "focusEvents"
  | "bracketedPaste"
  | "colorSchemeEvents"
  | "applicationCursorKeys"
  | "applicationKeypad"
  | "cursorHidden"
  | "modifyOtherKeys";

const STALE_OF_SWITCH: Readonly<Record<number, StaleMode>> = {
  1: "applicationCursorKeys",
  66: "applicationKeypad",
  1004: "focusEvents",
  2004: "bracketedPaste",
  2026: "synchronizedOutput",
  2031: "colorSchemeEvents",
};

/** The one that CSI ? mode h (or l) leaves on. */
export function staleModeOf(mode: number, on: boolean): StaleMode | undefined {
  if (mode === 25) return on ? undefined : "cursorHidden";
  if (!on) return undefined;
  if (MOUSE_PROTOCOLS.includes(mode)) return "mouseProtocol";
  if (MOUSE_ENCODINGS.includes(mode)) return "mouseEncoding";
  return ALTERNATE_SCREEN.includes(mode) ? "alternateScreen" : STALE_OF_SWITCH[mode];
}

/** The sequences that switch off what a program left on, of those that are asked for. */
export function formatStaleModesOff(state: ModeState, isStale: (mode: StaleMode) => boolean = () => true): string {
  const staleKitty = isStale("kittyKeyboard");
  let off = "";
  const add = (mode: StaleMode, isOn: boolean, sequence: string) => {
    if (isOn && isStale(mode)) off += sequence;
  };
  add("synchronizedOutput", state.synchronizedOutput, "\x1b[?2026l");
  // The keyboard flags are per screen: first those of the alternate one.
  add("kittyKeyboard", kittyFlags(state) !== 0, `\x1b[<${Math.max(1, kittyStack(state).length)}u`);
  if (state.alternateScreen !== 0 && isStale("alternateScreen")) {
    off += `\x1b[?${state.alternateScreen}l`;
    if (staleKitty && (state.kittyNormal.at(-1) ?? 0) !== 0) off += `\x1b[<${MAX_KITTY_DEPTH}u`;
  }
  add("mouseProtocol", state.mouseProtocol !== 0, `\x1b[?${state.mouseProtocol}l`);
  add("mouseEncoding", state.mouseEncoding !== 0, `\x1b[?${state.mouseEncoding}l`);
  add("focusEvents", state.focusEvents, "\x1b[?1004l");
  add("bracketedPaste", state.bracketedPaste, "\x1b[?2004l");
  add("colorSchemeEvents", state.colorSchemeEvents, "\x1b[?2031l");
  add("applicationCursorKeys", state.applicationCursorKeys, "\x1b[?1l");
  add("applicationKeypad", state.applicationKeypad, "\x1b>");
  add("cursorHidden", !state.cursorVisible, "\x1b[?25h");
  add("modifyOtherKeys", state.modifyOtherKeys !== 0, "\x1b[>4m");
  return off;
}
