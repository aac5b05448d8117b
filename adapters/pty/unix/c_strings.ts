/** Text as C wants it: zero-terminated UTF-8, and arrays of pointers to such. */

type Bytes = Uint8Array<ArrayBuffer>;

const POINTER_BYTES = 8;
const encoder = new TextEncoder();

export function cString(text: string): Bytes {
  return encoder.encode(`${text}\0`);
}

/**
 * A null-terminated array of pointers, and the strings behind it, in one buffer: who keeps the buffer keeps everything
 * it points to.
 */
export function cStrings(texts: readonly string[]): Bytes {
  const strings = texts.map(cString);
  const headBytes = (texts.length + 1) * POINTER_BYTES;
  const packed = new Uint8Array(strings.reduce((total, string) => total + string.length, headBytes));
  const view = new DataView(packed.buffer);
  const base = Deno.UnsafePointer.value(Deno.UnsafePointer.of(packed));
  let offset = headBytes;
  strings.forEach((string, index) => {
    view.setBigUint64(index * POINTER_BYTES, base + BigInt(offset), true);
    packed.set(string, offset);
    offset += string.length;
  });
  return packed;
}

/** Text up to the first zero byte. */
export function fromCString(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
