/** Fresh ids and secrets from the machine's random source. */
import type { Entropy } from "../../core/ports/entropy.ts";

const SECRET_BYTES = 32;

export function createEntropy(): Entropy {
  return {
    newId: () => crypto.randomUUID(),
    newSecret: () => toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
    random: () => Math.random(),
  };
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
