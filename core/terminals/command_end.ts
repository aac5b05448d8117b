/**
 * Finds where a shell says that its command has ended (OSC 133;D), across reads: what the command left switched on is
 * cleared exactly there, before the shell switches on what it wants for its own prompt.
 */

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
/** After ESC. */
const MARK = [0x5d, 0x31, 0x33, 0x33, 0x3b, 0x44];
/** A mark is short; more than this is none, and the output goes on. */
const MAX_MARK_BYTES = 256;

export interface CommandEndFinder {
  /**
   * The index after the first mark that ends at or after `from`, or -1. Bytes have to be given in order: after an index
   * was returned the search goes on from there, after -1 with the next bytes.
   */
  next(bytes: Uint8Array, from: number): number;
}

export function createCommandEndFinder(): CommandEndFinder {
  /** Bytes of ESC and MARK that have matched; all of them: within the mark. */
  let matched = 0;
  let markBytes = 0;
  let previousByte: number | undefined;

  return {
    next(bytes, from) {
      for (let at = from; at < bytes.length; at++) {
        if (matched === 0) {
          // Nearly all bytes are passed over here, by the engine.
          at = bytes.indexOf(ESC, at);
          if (at === -1) return -1;
          matched = 1;
          continue;
        }
        const byte = bytes[at];
        if (matched > MARK.length) {
          const isEnd = byte === BEL || byte === BACKSLASH && previousByte === ESC;
          previousByte = byte;
          if (isEnd || ++markBytes > MAX_MARK_BYTES) matched = markBytes = 0;
          if (isEnd) return at + 1;
        } else if (byte === MARK[matched - 1]) matched++;
        else matched = byte === ESC ? 1 : 0;
      }
      return -1;
    },
  };
}
