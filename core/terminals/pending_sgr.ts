/**
 * SGR sequences of a chunk that nobody has looked at yet: a reset makes all before it unimportant, and most output
 * resets often.
 */
const MAX_PENDING = 32;
const ZERO = 0x30;
const SEMICOLON = 0x3b;

export interface PendingSgr {
  /** Takes note of the SGR whose parameters stand there. */
  note(bytes: Uint8Array, from: number, to: number): void;
  /** Gives those that matter, in order; a reset by itself has no parameters. */
  apply(bytes: Uint8Array): void;
}

export function createPendingSgr(give: (bytes: Uint8Array, from: number, to: number) => void): PendingSgr {
  /** Begin and end of the parameters. */
  const pending = new Int32Array(2 * MAX_PENDING);
  let count = 0;
  let hasReset = false;

  function apply(bytes: Uint8Array): void {
    if (hasReset) {
      hasReset = false;
      give(bytes, 0, 0);
    }
    for (let index = 0; index < count; index += 2) give(bytes, pending[index] ?? 0, pending[index + 1] ?? 0);
    count = 0;
  }

  return {
    note(bytes, from, to) {
      if (from === to || (bytes[from] === ZERO && (to === from + 1 || bytes[from + 1] === SEMICOLON))) {
        hasReset = true;
        count = 0;
        if (to <= from + 1) return;
      }
      if (count === 2 * MAX_PENDING) apply(bytes);
      pending[count++] = from;
      pending[count++] = to;
    },
    apply,
  };
}
