/** What an OSC or DCS says, while it is read. */
import { decodeUtf8 } from "./utf8.ts";

/**
 * Longest OSC or DCS that means anything; a clipboard write of 700 KB fits in base64. A longer one has no effect, here
 * and in every xterm.js (xterm_fixes.ts): so no output is ever needed to know what it did.
 */
export const STRING_LIMIT_BYTES = 1 << 20;

const FIRST_BYTES = 256;
const KEPT_BYTES = 4096;

export interface StringBuffer {
  clear(): void;
  push(byte: number): void;
  /** Many at once. */
  append(from: Uint8Array, start: number, end: number): void;
  /** It is longer than the limit; what it said is gone. */
  isLost(): boolean;
  /** undefined when it is lost. */
  text(): string | undefined;
  /** Valid until the next call; empty when it is lost. */
  bytes(): Uint8Array;
}

export function createStringBuffer(): StringBuffer {
  let bytes = new Uint8Array(FIRST_BYTES);
  let length = 0;
  let lost = false;

  /** Makes room; when it is more than the limit, all is lost. */
  function hasRoom(count: number): boolean {
    if (lost || length + count > STRING_LIMIT_BYTES) {
      if (!lost) bytes = new Uint8Array(FIRST_BYTES);
      length = 0;
      lost = true;
      return false;
    }
    if (length + count > bytes.length) {
      const larger = new Uint8Array(Math.min(STRING_LIMIT_BYTES, Math.max(bytes.length * 4, length + count)));
      larger.set(bytes);
      bytes = larger;
    }
    return true;
  }

  return {
    clear() {
      if (bytes.length > KEPT_BYTES) bytes = new Uint8Array(FIRST_BYTES);
      length = 0;
      lost = false;
    },
    push(byte) {
      if (hasRoom(1)) bytes[length++] = byte;
    },
    append(from, start, end) {
      if (!hasRoom(end - start)) return;
      bytes.set(from.subarray(start, end), length);
      length += end - start;
    },
    isLost: () => lost,
    text: () => lost ? undefined : decodeUtf8(bytes.subarray(0, length)),
    bytes: () => bytes.subarray(0, length),
  };
}
