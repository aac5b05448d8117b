/**
 * What is known of a terminal from its escape sequences alone: modes, title, folder, colours. Reports signals and
 * answers queries while the output passes, in stream order and each once, whatever the chunks were.
 */
import {
  changeKittyFlags,
  createModeState,
  formatStaleModesOff,
  kittyFlags,
  type ModeState,
  popKittyFlags,
  pushKittyFlags,
  reportAnsiMode,
  reportPrivateMode,
  resetFully,
  resetSoftly,
  setAnsiMode,
  setKeyOption,
  setPrivateMode,
  type StaleMode,
  staleModeOf,
} from "./modes.ts";
import type { CsiParams } from "./csi_params.ts";
import type { EscapeSink, StringEnd } from "./escape_scanner.ts";
import {
  createColorTable,
  DEVICE_ATTRIBUTES,
  formatCursorReport,
  formatModeReport,
  formatWindowReport,
  NAME_AND_VERSION,
  STATUS_OK,
  type TerminalColors,
} from "./queries.ts";
import type { TerminalSize } from "./known_state.ts";
import { createScreenTracker, type ScreenTracker } from "./screen_tracker.ts";
import { parseOscSignal, parseTitle, type TerminalSignal } from "./signals.ts";

const MAX_TITLES = 10;

export interface TerminalFactsOptions {
  readonly onSignal: (signal: TerminalSignal) => void;
  readonly answer: (reply: string) => void;
  /** The cursor at the point the output has reached: the one question that needs the screen. */
  readonly cursor: () => { readonly col: number; readonly row: number };
  /** The offset the output has reached. */
  readonly position: () => number;
  /** A cursor that was saved at this offset has been restored. */
  readonly onRestored: (savedOffset: number, mayHaveScrolled: boolean) => void;
  readonly size: TerminalSize;
  /** Lines kept above the screen. */
  readonly scrollback: number;
  /** Output between two sync points. */
  readonly pointDistanceBytes: number;
}

export interface TerminalFacts extends EscapeSink {
  readonly modes: ModeState;
  readonly tracker: ScreenTracker;
  title(): string;
  folder(): string | undefined;
  /** Where the program began to hold back the screen (DEC mode 2026); undefined: it does not. */
  heldBackSince(): number | undefined;
  setColors(colors: TerminalColors): void;
  /** The sequences that switch off what was switched on up to that offset, and is still on. */
  staleModesOff(upToOffset: number): string;
  /** A new call of write begins: a bell is told once in each. */
  beginWrite(): void;
  resized(size: TerminalSize): void;
}

/** The number of a sequence: prefix and intermediates, then the final byte. */
function id(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at++) value = (value << 8) | text.charCodeAt(at);
  return value;
}

const CSI = {
  attributes: id("m"),
  setAnsi: id("h"),
  resetAnsi: id("l"),
  setPrivate: id("?h"),
  resetPrivate: id("?l"),
  softReset: id("!p"),
  cursorStyle: id(" q"),
  primaryAttributes: id("c"),
  secondaryAttributes: id(">c"),
  tertiaryAttributes: id("=c"),
  status: id("n"),
  privateStatus: id("?n"),
  requestAnsi: id("$p"),
  requestPrivate: id("?$p"),
  version: id(">q"),
  kittyQuery: id("?u"),
  kittyPush: id(">u"),
  kittyPop: id("<u"),
  kittySet: id("=u"),
  keyOption: id(">m"),
  keyOptionOff: id(">n"),
  window: id("t"),
} as const;

const ESC = { fullReset: id("c"), applicationKeypad: id("="), numericKeypad: id(">") } as const;
const DCS = { requestStatus: id("$q"), requestCapability: id("+q") } as const;

export function createTerminalFacts(options: TerminalFactsOptions): TerminalFacts {
  const { onSignal, answer } = options;
  const modes = createModeState();
  const colors = createColorTable();
  let title = "";
  let titles: string[] = [];
  let folder: string | undefined;
  let rang = false;
  let heldBackAt = 0;
  /** Where each was last switched on. */
  const switchedOnAt = new Map<StaleMode, number>();
  let size = options.size;
  const tracker = createScreenTracker({
    size,
    scrollback: options.scrollback,
    pointDistanceBytes: options.pointDistanceBytes,
    onRestored: options.onRestored,
    modes,
    title: () => title,
    colors: () => colors.formatChanges(),
  });

  function setTitle(next: string): void {
    if (next === title) return;
    title = next;
    onSignal({ kind: "title", title });
  }

  /** Runs a change and tells of the modes that others wait for. */
  function changeModes(change: () => void): void {
    const paste = modes.bracketedPaste;
    const alternate = modes.alternateScreen !== 0;
    change();
    if (modes.bracketedPaste !== paste) {
      onSignal({ kind: "mode", mode: "bracketedPaste", on: modes.bracketedPaste });
    }
    if ((modes.alternateScreen !== 0) !== alternate) {
      onSignal({ kind: "mode", mode: "alternateScreen", on: modes.alternateScreen !== 0 });
    }
  }

  function noteSwitchedOn(mode: StaleMode | undefined): void {
    if (mode !== undefined) switchedOnAt.set(mode, options.position());
  }

  function setPrivateModes(params: CsiParams, on: boolean): void {
    changeModes(() => {
      for (let index = 0; index < params.count; index++) {
        const mode = params.at(index);
        const wasAlternate = modes.alternateScreen !== 0;
        setPrivateMode(modes, mode, on);
        if (mode === 2026 && on) heldBackAt = options.position();
        noteSwitchedOn(staleModeOf(mode, on));
        tracker.privateMode(mode, on, { offset: options.position(), wasAlternate });
      }
    });
  }

  function setAnsiModes(params: CsiParams, on: boolean): void {
    for (let index = 0; index < params.count; index++) setAnsiMode(modes, params.at(index), on);
  }

  function reportStatus(request: number, isPrivate: boolean): void {
    if (request === 6) answer(formatCursorReport(options.cursor(), isPrivate));
    else if (request === 5 && !isPrivate) answer(STATUS_OK);
    else if (request === 996 && isPrivate) answer(`\x1b[?997;${colors.isDark() ? 1 : 2}n`);
  }

  function changeTitles(action: number, what: number): void {
    if (what !== 0 && what !== 2) return;
    if (action === 22) {
      titles.push(title);
      if (titles.length > MAX_TITLES) titles.shift();
    } else {
      const last = titles.pop();
      if (last !== undefined) setTitle(last);
    }
  }

  function windowOperation(operation: number, what: number): void {
    if (operation === 22 || operation === 23) return changeTitles(operation, what);
    const report = formatWindowReport(operation, size);
    if (report !== undefined) answer(report);
  }

  /** DECRQSS: settings a program can ask for; cursor style and margins are what programs do ask. */
  function reportSetting(request: string): void {
    if (request === "m") return answer("\x1bP1$r0m\x1b\\");
    if (request === " q") return answer(`\x1bP1$r${modes.cursorStyle} q\x1b\\`);
    if (request === '"p') return answer('\x1bP1$r61;1"p\x1b\\');
    if (request !== "r") return answer("\x1bP0$r\x1b\\");
    const { top, bottom } = tracker.margins();
    answer(`\x1bP1$r${top + 1};${bottom + 1}r\x1b\\`);
  }

  function setOrReportColors(osc: number, payload: string, end: StringEnd): void {
    const replies = colors.setOrReport(osc, payload, end);
    if (replies !== "") answer(replies);
  }

  function setModesOf(ident: number, params: CsiParams): void {
    if (ident === CSI.setAnsi || ident === CSI.resetAnsi) setAnsiModes(params, ident === CSI.setAnsi);
    else if (ident === CSI.setPrivate || ident === CSI.resetPrivate) setPrivateModes(params, ident === CSI.setPrivate);
    else if (ident === CSI.softReset) changeModes(() => resetSoftly(modes));
    else if (ident === CSI.keyOption || ident === CSI.keyOptionOff) {
      setKeyOption(modes, params.at(0), ident === CSI.keyOption ? params.at(1) : 0);
      noteSwitchedOn("modifyOtherKeys");
    } else if (ident === CSI.cursorStyle && params.at(0) <= 6) modes.cursorStyle = params.at(0);
  }

  return {
    modes,
    tracker,
    counters: tracker.counters,
    lineStarted: (offset) => tracker.lineStarted(offset),
    resized(next) {
      size = next;
      tracker.resized(next);
    },
    title: () => title,
    folder: () => folder,
    heldBackSince: () => modes.synchronizedOutput ? heldBackAt : undefined,
    setColors: (next) => colors.setColors(next),
    staleModesOff: (upToOffset) => formatStaleModesOff(modes, (mode) => (switchedOnAt.get(mode) ?? 0) <= upToOffset),
    beginWrite() {
      rang = false;
    },
    control(code) {
      if (code !== 0x07) return tracker.control(code);
      if (rang) return;
      rang = true;
      onSignal({ kind: "bell" });
    },
    escape(ident) {
      if (ident === ESC.applicationKeypad) {
        modes.applicationKeypad = true;
        noteSwitchedOn("applicationKeypad");
      } else if (ident === ESC.numericKeypad) modes.applicationKeypad = false;
      else if (ident === ESC.fullReset) {
        changeModes(() => resetFully(modes));
        colors.reset();
        titles = [];
      }
      tracker.escape(ident, options.position());
    },
    csi(ident, params) {
      if (ident === CSI.attributes) return tracker.csi(ident, params, 0);
      setModesOf(ident, params);
      tracker.csi(ident, params, options.position());
      const first = params.at(0);
      switch (ident) {
        case CSI.primaryAttributes:
          return first > 0 ? undefined : answer(DEVICE_ATTRIBUTES.primary);
        case CSI.secondaryAttributes:
          return first > 0 ? undefined : answer(DEVICE_ATTRIBUTES.secondary);
        case CSI.tertiaryAttributes:
          return first > 0 ? undefined : answer(DEVICE_ATTRIBUTES.tertiary);
        case CSI.status:
          return reportStatus(first, false);
        case CSI.privateStatus:
          return reportStatus(first, true);
        case CSI.requestAnsi:
          return answer(formatModeReport(first, reportAnsiMode(modes, first), false));
        case CSI.requestPrivate:
          return answer(formatModeReport(first, reportPrivateMode(modes, first), true));
        case CSI.version:
          return first > 0 ? undefined : answer(NAME_AND_VERSION);
        case CSI.kittyQuery:
          return answer(`\x1b[?${kittyFlags(modes)}u`);
        case CSI.kittyPush:
          noteSwitchedOn("kittyKeyboard");
          return pushKittyFlags(modes, first);
        case CSI.kittyPop:
          return popKittyFlags(modes, first);
        case CSI.kittySet:
          noteSwitchedOn("kittyKeyboard");
          return changeKittyFlags(modes, first, params.at(1));
        case CSI.window:
          return windowOperation(first, params.at(1));
      }
    },
    osc(number, payload, end) {
      if (number === 0 || number === 2) setTitle(parseTitle(payload));
      else if (number === 8) tracker.link(payload);
      else if (number === 4 || (number >= 10 && number <= 12)) setOrReportColors(number, payload, end);
      else if (number === 104 || (number >= 110 && number <= 112)) colors.restore(number, payload);
      else if (number === 7501 && payload === "?") {
        answer(end === "bel" ? "\x1b]7501;?\x07" : "\x1b]7501;?\x1b\\");
      } else {
        const signal = parseOscSignal(number, payload);
        if (signal?.kind === "folder") folder = signal.path;
        if (signal) onSignal(signal);
      }
    },
    dcs(ident, payload) {
      if (ident === DCS.requestStatus) reportSetting(payload);
      // Only digits are given back: an answer is input of the program, which must not choose what is typed into it.
      else if (ident === DCS.requestCapability && /^[\da-f;]{0,256}$/i.test(payload)) {
        answer(`\x1bP0+r${payload}\x1b\\`);
      }
    },
  };
}
