/**
 * Codes that sign one browser in. A browser is started with its address as an argument, which every user of the machine
 * can read while it runs: so what stands there opens once, for a minute, and nothing after that.
 */
import { isSameSecret } from "../../core/secrets.ts";
import type { Clock } from "../../core/ports/clock.ts";

/** A browser that starts on a busy machine needs some seconds. */
export const OPENING_CODE_MS = 60_000;
/** More are not waited for at once; the oldest goes. */
const MAX_CODES = 16;

export interface OpeningCodes {
  /** A fresh one. */
  issue(): { readonly code: string; readonly expiresInMs: number };
  /** True for a code that was issued, is not too old, and was never given before. */
  redeem(candidate: string): boolean;
}

export interface OpeningCodesPorts {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Of 256 bits, as URL-safe text. */
  readonly newSecret: () => string;
}

export function createOpeningCodes({ clock, newSecret }: OpeningCodesPorts): OpeningCodes {
  let open: readonly { readonly code: string; readonly untilMs: number }[] = [];
  const dropOld = () => {
    const nowMs = clock.monotonicMs();
    open = open.filter(({ untilMs }) => nowMs < untilMs);
  };
  return {
    issue() {
      dropOld();
      const code = newSecret();
      open = [...open, { code, untilMs: clock.monotonicMs() + OPENING_CODE_MS }].slice(-MAX_CODES);
      return { code, expiresInMs: OPENING_CODE_MS };
    },
    redeem(candidate) {
      dropOld();
      // Every one is compared, so that the time says nothing of which it was.
      const kept = open.filter(({ code }) => !isSameSecret(candidate, code));
      const found = kept.length < open.length;
      open = kept;
      return found;
    },
  };
}
