/** Puts together the characters of UTF-8 byte by byte, by the rules of xterm.js: what is no character is left out. */

export interface CharacterReader {
  /** The character that is being read lacks so many bytes. */
  missing: number;
  /** It has so many in all. */
  length: number;
  /** Its bytes until now, 8 bits each. */
  encoded: number;
  /** What they say until now. */
  codePoint: number;
}

export function createCharacterReader(): CharacterReader {
  return { missing: 0, length: 0, encoded: 0, codePoint: 0 };
}

/** Takes a byte from 0x80 on, where no character is being read. */
export function startCharacter(reader: CharacterReader, byte: number): void {
  const length = byte >= 0xf8 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
  reader.length = length;
  reader.missing = length === 0 ? 0 : length - 1;
  reader.codePoint = length === 2 ? byte & 0x1f : length === 3 ? byte & 0x0f : byte & 0x07;
  reader.encoded = byte;
}

/** Takes a further byte; says whether there is a whole character now. */
export function continueCharacter(reader: CharacterReader, byte: number): boolean {
  reader.codePoint = (reader.codePoint << 6) | (byte & 0x3f);
  reader.encoded = (reader.encoded << 8) | byte;
  reader.missing--;
  if (reader.missing > 0) return false;
  const { length, codePoint } = reader;
  if (length === 2) return codePoint >= 0x80;
  if (length === 3) return codePoint >= 0x800 && !(codePoint >= 0xd800 && codePoint <= 0xdfff) && codePoint !== 0xfeff;
  return codePoint >= 0x10000 && codePoint <= 0x10ffff;
}
