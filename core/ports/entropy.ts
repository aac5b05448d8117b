/** Fresh ids and secrets. */
export interface Entropy {
  /** A random UUID (version 4), lower case. */
  newId(): string;
  /** A secret of at least 256 bits, as URL-safe text. */
  newSecret(): string;
  /** Uniform in [0, 1): for jitter, never for secrets. */
  random(): number;
}
