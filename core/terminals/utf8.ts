/** UTF-8 where no TextDecoder is at hand, by the rules of xterm.js: bytes that are no character are left out. */

/** How many bytes the character that begins with this byte has; 0 when none begins with it. */
function characterLength(byte: number): number {
  return byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 0;
}

/**
 * How many bytes at the end belong to a character that is not complete yet. xterm.js 6.0 loses characters that are cut
 * in two (when a cut-off middle byte is 0x80, as in "—"), so whoever feeds it holds these back for the next call.
 */
export function incompleteTailLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

function isValid(codePoint: number, length: number): boolean {
  if (length === 2) return codePoint >= 0x80;
  if (length === 3) {
    return codePoint >= 0x800 && !(codePoint >= 0xd800 && codePoint <= 0xdfff) && codePoint !== 0xfeff;
  }
  return codePoint >= 0x10000 && codePoint <= 0x10ffff;
}

/** Arguments that a call takes without trouble. */
const MAX_RUN = 4096;

/** The end of the ASCII that begins there, or of a good piece of it. */
function asciiEnd(bytes: Uint8Array, from: number): number {
  const end = Math.min(bytes.length, from + MAX_RUN);
  let at = from;
  while (at < end && (bytes[at] ?? 0) < 0x80) at++;
  return at;
}

export function decodeUtf8(bytes: Uint8Array): string {
  const parts: string[] = [];
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const end = asciiEnd(bytes, at);
    if (end > at) {
      parts.push(text, String.fromCharCode(...bytes.subarray(at, end)));
      text = "";
      at = end;
      continue;
    }
    const first = bytes[at++] ?? 0;
    const length = characterLength(first);
    if (length > 1) {
      let codePoint = first & (0xff >> (length + 1));
      let have = 1;
      while (have < length && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) {
        codePoint = (codePoint << 6) | ((bytes[at++] ?? 0) & 0x3f);
        have++;
      }
      if (have === length && isValid(codePoint, length)) text += String.fromCodePoint(codePoint);
    }
    if (text.length > MAX_RUN) {
      parts.push(text);
      text = "";
    }
  }
  return parts.join("") + text;
}
