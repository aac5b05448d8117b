/**
 * Finds the escape sequences in terminal output without drawing anything. The state machine is the one of DEC's VT500
 * parser as xterm.js 6 applies it (https://vt100.net/emu/dec_ansi_parser), so a sequence means here what it means in
 * the page: C0 controls inside a sequence run, ESC restarts, U+0080..U+009F are C1 controls.
 *
 * What must stay true: the calls to the sink depend on the bytes alone, never on how they were cut into chunks; no
 * string is ever buffered beyond its bound (a longer one is none).
 */
import { continueCharacter, createCharacterReader, startCharacter } from "./character_reader.ts";
import { createCsiParams, type CsiParams } from "./csi_params.ts";
import { type LineCounters, TOUCHED, TOUCHED_AND_DRAWN } from "./line_counters.ts";
import { formatOpenSequence } from "./open_sequence.ts";
import {
  CSI_ENTRY,
  CSI_IGNORE,
  CSI_INTERMEDIATE,
  CSI_PARAM,
  DCS_ENTRY,
  DCS_IGNORE,
  DCS_INTERMEDIATE,
  DCS_PARAM,
  DCS_PASSTHROUGH,
  ESCAPE,
  ESCAPE_INTERMEDIATE,
  GROUND,
  IGNORED_STRING,
  OSC_STRING,
} from "./parser_states.ts";
import { createPendingSgr } from "./pending_sgr.ts";
import { createStringBuffer } from "./string_buffer.ts";
import { incompleteTailLength } from "./utf8.ts";

export type StringEnd = "bel" | "st";

export interface EscapeSink {
  /** BEL, BS, HT, LF, VT, FF, CR, SO, SI and the C1 controls IND, NEL, HTS; not what the counters already have. */
  control(code: number): void;
  /** ident: intermediate bytes and final byte, 8 bits each. */
  escape(ident: number): void;
  /** ident: prefix, intermediates and final byte, 8 bits each; params are only valid during the call. */
  csi(ident: number, params: CsiParams): void;
  osc(id: number, payload: string, end: StringEnd): void;
  dcs(ident: number, payload: string): void;
  /** Kept by the scanner for what is too frequent for calls: plain text, line feeds, carriage returns. */
  readonly counters: LineCounters;
  /** A plain line feed has put the cursor at the start of the bottom row, behind counters.nextPointOffset. */
  lineStarted(offset: number): void;
}

export interface EscapeScanner {
  /** Scans the next bytes of the stream; offset is where they begin in it. */
  scan(bytes: Uint8Array, offset: number): void;
  /** In a call to the sink: the offset just behind what it is about. */
  position(): number;
  /** No sequence is open. */
  isBetweenSequences(): boolean;
  /** What brings a fresh terminal into the sequence and character that are open; empty when none is. */
  openSequence(): Uint8Array<ArrayBuffer>;
  /**
   * The number of the string that is open, if it has no effect whatever comes until it ends; undefined otherwise, and
   * where a character is cut in two.
   */
  ignoredString(): number | undefined;
}

/** 1 for the bytes that end a run of printable bytes in the ground state; 0xC2 may begin a C1 control. */
const STOPS = new Uint8Array(256);
STOPS.fill(1, 0, 0x20);
STOPS[0x7f] = 1;
STOPS[0xc2] = 1;

/** 1 for digits, ";" and ":". */
const PARAMETER = new Uint8Array(256);
PARAMETER.fill(1, 0x30, 0x3c);

const SGR = 0x6d;

export function createEscapeScanner(sink: EscapeSink): EscapeScanner {
  const params = createCsiParams();
  const text = createStringBuffer();
  let state = GROUND;
  let collected = 0;
  let dcsIdent = 0;
  let position = 0;
  /** Strings that were begun. */
  let strings = 0;
  const character = createCharacterReader();

  function clear(): void {
    params.clear();
    collected = 0;
  }

  function execute(code: number): void {
    if (code >= 0x07 && code <= 0x0f) sink.control(code);
    else if (code === 0x84 || code === 0x85 || code === 0x88) sink.control(code);
  }

  function endOsc(end: StringEnd): void {
    const content = text.text();
    text.clear();
    if (content === undefined) return;
    const split = content.indexOf(";");
    const number = split < 0 ? content : content.slice(0, split);
    if (!/^[0-9]{1,9}$/.test(number)) return;
    sink.osc(Number(number), split < 0 ? "" : content.slice(split + 1), end);
  }

  function endDcs(): void {
    const content = text.text();
    text.clear();
    if (content !== undefined) sink.dcs(dcsIdent, content);
  }

  function beginString(kind: number): void {
    text.clear();
    strings++;
    state = kind;
  }

  /** What is the same in every state: C1 controls, CAN, SUB, ESC. Says whether the code was one of them. */
  function anywhere(code: number): boolean {
    if (code === 0x1b) {
      if (state === OSC_STRING) endOsc("st");
      else if (state === DCS_PASSTHROUGH) endDcs();
      clear();
      state = ESCAPE;
      return true;
    }
    if (code === 0x18 || code === 0x1a) {
      state = GROUND;
      return true;
    }
    if (code < 0x80 || code > 0x9f) return false;
    if (code === 0x9c) {
      if (state === OSC_STRING) endOsc("st");
      else if (state === DCS_PASSTHROUGH) endDcs();
      state = GROUND;
    } else if (code === 0x9b) {
      clear();
      state = CSI_ENTRY;
    } else if (code === 0x9d) {
      beginString(OSC_STRING);
    } else if (code === 0x90) {
      clear();
      state = DCS_ENTRY;
    } else if (code === 0x98 || code === 0x9e || code === 0x9f) {
      beginString(IGNORED_STRING);
    } else {
      state = GROUND;
      execute(code);
    }
    return true;
  }

  function escapeState(code: number): void {
    if (code < 0x20) return execute(code);
    if (code === 0x7f) return;
    if (code < 0x30) {
      collected = (collected << 8) | code;
      state = ESCAPE_INTERMEDIATE;
    } else if (state === ESCAPE && code === 0x5b) {
      clear();
      state = CSI_ENTRY;
    } else if (state === ESCAPE && code === 0x5d) {
      beginString(OSC_STRING);
    } else if (state === ESCAPE && code === 0x50) {
      clear();
      state = DCS_ENTRY;
    } else if (state === ESCAPE && (code === 0x58 || code === 0x5e || code === 0x5f)) {
      beginString(IGNORED_STRING);
    } else {
      state = GROUND;
      sink.escape((collected << 8) | code);
    }
  }

  function csiState(code: number): void {
    if (code < 0x20) return execute(code);
    if (code === 0x7f) return;
    if (code >= 0x40) {
      const known = state !== CSI_IGNORE;
      state = GROUND;
      if (known) sink.csi((collected << 8) | code, params);
    } else if (state === CSI_IGNORE) {
      return;
    } else if (code < 0x30) {
      collected = (collected << 8) | code;
      state = CSI_INTERMEDIATE;
    } else if (state === CSI_INTERMEDIATE) {
      state = CSI_IGNORE;
    } else if (code < 0x3c) {
      params.push(code);
      state = CSI_PARAM;
    } else if (state === CSI_ENTRY) {
      collected = (collected << 8) | code;
      state = CSI_PARAM;
    } else {
      state = CSI_IGNORE;
    }
  }

  function dcsHeaderState(code: number): void {
    if (code < 0x20 || code === 0x7f) return;
    if (code >= 0x40) {
      dcsIdent = (collected << 8) | code;
      beginString(DCS_PASSTHROUGH);
    } else if (code < 0x30) {
      collected = (collected << 8) | code;
      state = DCS_INTERMEDIATE;
    } else if (state === DCS_INTERMEDIATE) {
      state = DCS_IGNORE;
    } else if (code < 0x3c) {
      state = DCS_PARAM;
    } else if (state === DCS_ENTRY) {
      collected = (collected << 8) | code;
      state = DCS_PARAM;
    } else {
      state = DCS_IGNORE;
    }
  }

  /** One ASCII byte or C1 control in a state other than ground. */
  function step(code: number): void {
    if (state === OSC_STRING && code === 0x07) {
      endOsc("bel");
      state = GROUND;
    } else if (!anywhere(code)) {
      if (state === OSC_STRING) {
        if (code >= 0x20) text.push(code);
      } else if (state === DCS_PASSTHROUGH) {
        if (code !== 0x7f) text.push(code);
      } else if (state <= ESCAPE_INTERMEDIATE) escapeState(code);
      else if (state <= CSI_IGNORE) csiState(code);
      else if (state !== IGNORED_STRING && state !== DCS_IGNORE) dcsHeaderState(code);
    }
  }

  /** One whole character above U+009F in a state other than ground. */
  function stepCharacter(): void {
    if (state === OSC_STRING || state === DCS_PASSTHROUGH) {
      const { encoded, length } = character;
      for (let shift = (length - 1) * 8; shift >= 0; shift -= 8) text.push((encoded >>> shift) & 0xff);
    } else if (state === GROUND) {
      printed();
    } else if (state !== CSI_IGNORE && state !== DCS_IGNORE) {
      state = GROUND;
    }
  }

  /** The last bytes: in the ground state characters are passed over, and only the end of the output cuts one in two. */
  let recent = 0;

  function cutCharacter(): { readonly encoded: number; readonly count: number } {
    const { missing, length, encoded } = character;
    if (missing > 0) return { encoded, count: length - missing };
    if (state !== GROUND) return { encoded: 0, count: 0 };
    const tail = new Uint8Array([recent >>> 16, recent >>> 8, recent]);
    return { encoded: recent, count: incompleteTailLength(tail) };
  }

  function printed(): void {
    sink.counters.atLineStart = false;
    sink.counters.touched = TOUCHED_AND_DRAWN;
  }

  /** One byte that is not plain text: outside the ground state, a control, or where a C1 control may hide. */
  function stepByte(byte: number): void {
    if (character.missing > 0) {
      if ((byte & 0xc0) === 0x80) {
        if (!continueCharacter(character, byte)) return;
        // C1 controls are characters of two bytes.
        return character.codePoint < 0xa0 ? step(character.codePoint) : stepCharacter();
      }
      character.missing = 0;
    }
    if (byte >= 0x80) startCharacter(character, byte);
    else if (state !== GROUND) step(byte);
    else if (byte >= 0x20) printed();
    else if (!anywhere(byte)) execute(byte);
  }

  const pendingSgr = createPendingSgr((bytes, from, to) => {
    clear();
    for (let at = from; at < to; at++) params.push(bytes[at] ?? 0);
    sink.csi(SGR, params);
  });

  function isIgnoring(): boolean {
    if (character.missing > 0) return false;
    return state === IGNORED_STRING || ((state === OSC_STRING || state === DCS_PASSTHROUGH) && text.isLost());
  }

  /** What is nothing but content of the string that is open; returns where it ends. */
  function takeContent(bytes: Uint8Array, from: number): number {
    const isKept = state === OSC_STRING || state === DCS_PASSTHROUGH;
    if (!isKept && state !== IGNORED_STRING) return from;
    let at = from;
    for (let byte = bytes[at] ?? 0; byte < 0x80 && STOPS[byte] === 0 && at < bytes.length; byte = bytes[at] ?? 0) at++;
    if (isKept && at > from) text.append(bytes, from, at);
    return at;
  }

  /** Bytes outside plain text, until the ground state is reached again; returns where. */
  function scanSequence(bytes: Uint8Array, from: number, offset: number): number {
    pendingSgr.apply(bytes);
    let at = from;
    do {
      if (character.missing === 0 && state >= IGNORED_STRING) {
        at = takeContent(bytes, at);
        if (at === bytes.length) return at;
      }
      const byte = bytes[at++] ?? 0;
      position = offset + at;
      stepByte(byte);
    } while ((state !== GROUND || character.missing > 0) && at < bytes.length);
    return at;
  }

  /** A control sequence that is whole in this chunk, from behind "ESC [" on; returns where it ends, or 0. */
  function scanCsi(bytes: Uint8Array, from: number, offset: number): number {
    let at = from;
    let byte = bytes[at] ?? 0;
    clear();
    if (byte >= 0x3c && byte <= 0x3f) {
      collected = byte;
      byte = bytes[++at] ?? 0;
    }
    while (PARAMETER[byte] === 1) {
      params.push(byte);
      byte = bytes[++at] ?? 0;
    }
    if (byte < 0x40 || byte > 0x7e) return 0;
    position = offset + at + 1;
    sink.csi((collected << 8) | byte, params);
    return at + 1;
  }

  /** Counts a line of plain text that is longer than a row, wherever in a row it began. */
  function countWraps(columns: number): void {
    const { counters } = sink;
    if (!counters.isPlain || !counters.autowrap) return;
    const wraps = Math.floor((columns - 1) / counters.cols);
    const down = Math.min(wraps, counters.bottomRow - counters.lowestRow);
    counters.lowestRow += down;
    counters.scrolls += wraps - down;
  }

  return {
    scan(bytes, offset) {
      const { counters } = sink;
      const length = bytes.length;
      let at = state === GROUND && character.missing === 0 ? 0 : scanSequence(bytes, 0, offset);
      // ASCII characters since the cursor was last moved: each takes a column for certain.
      let columns = 0;
      let { atLineStart, touched } = counters;
      while (at < length) {
        let byte = bytes[at] ?? 0;
        if (STOPS[byte] === 0) {
          const from = at;
          let all = 0;
          do {
            all |= byte;
            at++;
            if (at === length) break;
            byte = bytes[at] ?? 0;
          } while (STOPS[byte] === 0);
          if (all < 0x80) columns += at - from;
          atLineStart = false;
          touched = TOUCHED_AND_DRAWN;
          if (at === length) break;
        }
        if (byte === 0x1b && at + 2 < length && bytes[at + 1] === 0x5b) {
          let end = at + 2;
          let final = bytes[end] ?? 0;
          while (final >= 0x30 && final < 0x3c && end + 1 < length) final = bytes[++end] ?? 0;
          if (final === 0x6d) {
            pendingSgr.note(bytes, at + 2, end);
            at = end + 1;
            continue;
          }
          if (final === 0x4b) {
            touched |= TOUCHED;
            at = end + 1;
            continue;
          }
        }
        if (columns > counters.cols) countWraps(columns);
        columns = 0;
        if (byte === 0x0d) {
          at++;
          atLineStart = true;
          touched |= TOUCHED;
        } else if (byte === 0x0a && counters.isPlain) {
          at++;
          touched = TOUCHED_AND_DRAWN;
          if (counters.lowestRow < counters.bottomRow) {
            counters.lowestRow++;
          } else {
            counters.scrolls++;
            counters.lineFeeds++;
            if (atLineStart && offset + at >= counters.nextPointOffset) {
              pendingSgr.apply(bytes);
              sink.lineStarted(offset + at);
            }
          }
        } else {
          pendingSgr.apply(bytes);
          counters.touched = touched;
          counters.atLineStart = atLineStart;
          const end = byte === 0x1b && bytes[at + 1] === 0x5b ? scanCsi(bytes, at + 2, offset) : 0;
          at = end > 0 ? end : scanSequence(bytes, at, offset);
          ({ atLineStart, touched } = counters);
        }
      }
      if (columns > counters.cols) countWraps(columns);
      counters.touched = touched;
      counters.atLineStart = atLineStart;
      pendingSgr.apply(bytes);
      position = offset + length;
      for (let index = Math.max(0, length - 3); index < length; index++) recent = (recent << 8) | (bytes[index] ?? 0);
    },
    position: () => position,
    isBetweenSequences: () => state === GROUND && character.missing === 0,
    openSequence() {
      return formatOpenSequence({ state, collected, params, dcsIdent, string: text, character: cutCharacter() });
    },
    ignoredString: () => isIgnoring() ? strings : undefined,
  };
}
