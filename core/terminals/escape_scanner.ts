/**
 * Finds the escape sequences in terminal output without drawing anything. The state machine is the one of DEC's VT500
 * parser as xterm.js 6 applies it (https://vt100.net/emu/dec_ansi_parser), so a sequence means here what it means in
 * the page: C0 controls inside a sequence run, ESC restarts, U+0080..U+009F are C1 controls.
 *
 * What must stay true: the calls to the sink depend on the bytes alone, never on how they were cut into chunks; no
 * string is ever buffered beyond its bound (it is then reported as too long, without its text).
 */
import { createCsiParams, type CsiParams } from "./csi_params.ts";
import { decodeUtf8 } from "./utf8.ts";

/** Longest OSC or DCS string that is kept; a clipboard write of 700 KB fits in base64. */
export const STRING_LIMIT_BYTES = 1 << 20;

export type StringEnd = "bel" | "st";

export interface EscapeSink {
  /** BEL, BS, HT, LF, VT, FF, CR, SO, SI and the C1 controls IND, NEL, HTS. */
  control(code: number): void;
  /** ident: intermediate bytes and final byte, 8 bits each. */
  escape(ident: number): void;
  /** ident: prefix, intermediates and final byte, 8 bits each; params are only valid during the call. */
  csi(ident: number, params: CsiParams): void;
  osc(id: number, payload: string, end: StringEnd): void;
  dcs(ident: number, payload: string): void;
  /** Printable characters in a row; how many is not said. */
  printed(): void;
}

export interface EscapeScanner {
  /** Scans the next bytes of the stream; offset is where they begin in it. */
  scan(bytes: Uint8Array, offset: number): void;
  /** In a call to the sink: the offset just behind what it is about. */
  position(): number;
  /** No sequence is open, and no character is cut in two. */
  isBetweenSequences(): boolean;
}

const GROUND = 0;
const ESCAPE = 1;
const ESCAPE_INTERMEDIATE = 2;
const CSI_ENTRY = 3;
const CSI_PARAM = 4;
const CSI_INTERMEDIATE = 5;
const CSI_IGNORE = 6;
const IGNORED_STRING = 7;
const OSC_STRING = 8;
const DCS_ENTRY = 9;
const DCS_PARAM = 10;
const DCS_IGNORE = 11;
const DCS_INTERMEDIATE = 12;
const DCS_PASSTHROUGH = 13;

/** 1 for the bytes that end a run of printable bytes in the ground state; 0xC2 may begin a C1 control. */
const STOPS = new Uint8Array(256);
STOPS.fill(1, 0, 0x20);
STOPS[0x7f] = 1;
STOPS[0xc2] = 1;

/** Bytes of a string, up to the limit. */
function createStringBuffer() {
  let bytes = new Uint8Array(256);
  let length = 0;
  let tooLong = false;
  return {
    clear() {
      if (bytes.length > 4096) bytes = new Uint8Array(256);
      length = 0;
      tooLong = false;
    },
    push(byte: number) {
      if (tooLong) return;
      if (length === STRING_LIMIT_BYTES) {
        tooLong = true;
        length = 0;
        return;
      }
      if (length === bytes.length) {
        const larger = new Uint8Array(bytes.length * 4);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[length++] = byte;
    },
    /** undefined when it was too long. */
    text(): string | undefined {
      return tooLong ? undefined : decodeUtf8(bytes.subarray(0, length));
    },
  };
}

export function createEscapeScanner(sink: EscapeSink): EscapeScanner {
  const params = createCsiParams();
  const text = createStringBuffer();
  let state = GROUND;
  let collected = 0;
  let dcsIdent = 0;
  let position = 0;
  // A character in the making: the bytes still missing, how many it has in all, and its code point so far.
  let missing = 0;
  let sequenceLength = 0;
  let codePoint = 0;

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
      text.clear();
      state = OSC_STRING;
    } else if (code === 0x90) {
      clear();
      state = DCS_ENTRY;
    } else if (code === 0x98 || code === 0x9e || code === 0x9f) {
      state = IGNORED_STRING;
    } else {
      state = GROUND;
      execute(code);
    }
    return true;
  }

  function escapeState(code: number): void {
    if (code < 0x20) return execute(code);
    if (code === 0x7f) return;
    if (code > 0x7f) {
      state = GROUND;
    } else if (code < 0x30) {
      collected = (collected << 8) | code;
      state = ESCAPE_INTERMEDIATE;
    } else if (state === ESCAPE && code === 0x5b) {
      clear();
      state = CSI_ENTRY;
    } else if (state === ESCAPE && code === 0x5d) {
      text.clear();
      state = OSC_STRING;
    } else if (state === ESCAPE && code === 0x50) {
      clear();
      state = DCS_ENTRY;
    } else if (state === ESCAPE && (code === 0x58 || code === 0x5e || code === 0x5f)) {
      state = IGNORED_STRING;
    } else {
      state = GROUND;
      sink.escape((collected << 8) | code);
    }
  }

  function csiState(code: number): void {
    if (code < 0x20) return execute(code);
    if (code === 0x7f) return;
    if (code > 0x7f) {
      if (state !== CSI_IGNORE) state = GROUND;
    } else if (code >= 0x40) {
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
    if (code > 0x7f) {
      state = GROUND;
    } else if (code >= 0x40) {
      dcsIdent = (collected << 8) | code;
      text.clear();
      state = DCS_PASSTHROUGH;
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
  function stepCharacter(bytes: number, length: number): void {
    if (state === OSC_STRING || state === DCS_PASSTHROUGH) {
      for (let shift = (length - 1) * 8; shift >= 0; shift -= 8) text.push((bytes >>> shift) & 0xff);
    } else if (state !== CSI_IGNORE && state !== DCS_IGNORE) {
      state = GROUND;
    }
  }

  let encoded = 0;
  function startCharacter(byte: number): void {
    sequenceLength = byte >= 0xf8 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    missing = sequenceLength === 0 ? 0 : sequenceLength - 1;
    codePoint = sequenceLength === 2 ? byte & 0x1f : sequenceLength === 3 ? byte & 0x0f : byte & 0x07;
    encoded = byte;
  }

  function continueCharacter(byte: number): void {
    codePoint = (codePoint << 6) | (byte & 0x3f);
    encoded = (encoded << 8) | byte;
    missing--;
    if (missing > 0) return;
    if (sequenceLength === 2) {
      if (codePoint >= 0xa0) stepCharacter(encoded, 2);
      else if (codePoint >= 0x80) step(codePoint);
    } else if (sequenceLength === 3) {
      const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
      if (codePoint >= 0x800 && !surrogate && codePoint !== 0xfeff) stepCharacter(encoded, 3);
    } else if (codePoint >= 0x10000 && codePoint <= 0x10ffff) {
      stepCharacter(encoded, 4);
    }
  }

  /** One byte outside the ground state, or where a C1 control may hide. */
  function stepByte(byte: number): void {
    if (missing > 0) {
      if ((byte & 0xc0) === 0x80) return continueCharacter(byte);
      missing = 0;
    }
    if (byte >= 0x80) startCharacter(byte);
    else if (state !== GROUND) step(byte);
    else if (!anywhere(byte)) execute(byte);
  }

  return {
    scan(bytes, offset) {
      const length = bytes.length;
      let at = 0;
      while (at < length) {
        if (state === GROUND && missing === 0) {
          const from = at;
          while (at < length && STOPS[bytes[at] ?? 0] === 0) at++;
          if (at > from) sink.printed();
          if (at === length) break;
        }
        const byte = bytes[at++] ?? 0;
        position = offset + at;
        // Outside ground, a printable byte after an incomplete character is still this byte's own business.
        if (state === GROUND && missing > 0 && byte >= 0x20 && byte < 0x7f) {
          missing = 0;
          sink.printed();
          continue;
        }
        stepByte(byte);
      }
      position = offset + length;
    },
    position: () => position,
    isBetweenSequences: () => state === GROUND && missing === 0,
  };
}
