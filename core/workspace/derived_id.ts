/**
 * Ids that everybody who knows the same facts computes alike, so that two processes agree without asking each other.
 * FNV-1a with 128 bits (Fowler, Noll, Vo; parameters of RFC 9923) over the UTF-16 units, written as a UUID of the free
 * form, version 8 (RFC 9562). Not for secrets: anyone can find a text with a given id.
 */
const PRIME = 0x1000000000000000000013bn;
const OFFSET = 0x6c62272e07bb014262b821756295c58dn;
const MASK = (1n << 128n) - 1n;

export function deriveUuid(text: string): string {
  let hash = OFFSET;
  const absorb = (byte: number) => {
    hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    absorb(unit & 0xff);
    absorb(unit >>> 8);
  }
  const hex = hash.toString(16).padStart(32, "0");
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}
