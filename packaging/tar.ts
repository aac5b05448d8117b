/** A tar archive (POSIX ustar) that is the same bytes for the same files: what is in it is hashed and cached by hash. */

export interface TarEntry {
  /** With "/", at most 100 bytes. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
/** 2020-01-01, so that no archiver warns of a time in the future or at zero. */
const MTIME_SECONDS = 1_577_836_800;

export function createTar(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parts = sorted.flatMap((entry) => [header(entry), entry.bytes, padding(entry.bytes.length)]);
  return concat([...parts, new Uint8Array(2 * BLOCK_BYTES)]);
}

/** One header block: name, mode, uid, gid, size, mtime, checksum, type and magic at the offsets POSIX gives them. */
function header({ name, bytes, mode }: TarEntry): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const encoder = new TextEncoder();
  const put = (text: string, at: number) => block.set(encoder.encode(text), at);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  if (encoder.encode(name).length > MAX_NAME_BYTES) throw new Error(`too long a name for the archive: ${name}`);
  put(name, 0);
  put(octal(mode, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(bytes.length, 12), 124);
  put(octal(MTIME_SECONDS, 12), 136);
  put(" ".repeat(8), 148);
  put("0", 156);
  put("ustar\x0000", 257);
  put(`${octal(block.reduce((sum, byte) => sum + byte, 0), 7)} `, 148);
  return block;
}

function padding(length: number): Uint8Array {
  return new Uint8Array((BLOCK_BYTES - length % BLOCK_BYTES) % BLOCK_BYTES);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
