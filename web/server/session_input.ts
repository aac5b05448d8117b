/**
 * Input of one window to one session: in order, each piece once. A program that does not read makes its terminal refuse
 * input; it then waits here, within a bound that a window of the protocol never reaches, since it keeps no more than
 * MAX_UNCONFIRMED_INPUT_BYTES under way.
 */
import type { Clock } from "../../core/ports/clock.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { MAX_INPUT_BYTES } from "../../core/terminals/wire.ts";

export interface SessionInputOptions {
  readonly clock: Clock;
  /** The sequence number that has already arrived. */
  readonly confirmed: number;
  readonly write: (bytes: Uint8Array) => Result<void, { readonly kind: string }>;
  readonly onWritten: (sequence: number) => void;
  /** Tells the window; not for every key, but before it waits for it. */
  readonly onConfirm: (sequence: number) => void;
}

export type InputError = { readonly kind: "inputOutOfOrder" } | { readonly kind: "tooMuchInput" };

export interface SessionInput extends Disposable {
  /** bytes are copied when they have to wait. */
  take(sequence: number, bytes: Uint8Array): Result<void, InputError>;
  /** Confirms what has been written and not confirmed yet. */
  confirm(): void;
}

export const MAX_WAITING_BYTES = 1024 * 1024;
const CONFIRM_EVERY_BYTES = MAX_INPUT_BYTES / 4;
const RETRY_MS = 10;

export function createSessionInput(options: SessionInputOptions): SessionInput {
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let written = options.confirmed;
  let confirmed = options.confirmed;
  let unconfirmedBytes = 0;
  let retry: Disposable | undefined;

  function write(bytes: Uint8Array): boolean {
    const result = options.write(bytes);
    if (!result.ok && result.error.kind === "inputQueueFull") return false;
    // To a program that has ended, input is lost as it is on any terminal: it counts as delivered.
    options.onWritten(++written);
    unconfirmedBytes += bytes.length;
    if (unconfirmedBytes >= CONFIRM_EVERY_BYTES) confirm();
    return true;
  }

  function drain(): void {
    retry = undefined;
    for (let bytes = waiting[0]; bytes !== undefined; bytes = waiting[0]) {
      if (!write(bytes)) {
        retry = options.clock.startTimer(RETRY_MS, drain);
        return;
      }
      waiting.shift();
      waitingBytes -= bytes.length;
    }
    confirm();
  }

  function confirm(): void {
    if (confirmed === written) return;
    confirmed = written;
    unconfirmedBytes = 0;
    options.onConfirm(written);
  }

  return {
    take(sequence, bytes) {
      const next = written + waiting.length + 1;
      if (sequence < next) return ok();
      if (sequence > next) return err({ kind: "inputOutOfOrder" });
      if (waiting.length === 0 && write(bytes)) return ok();
      if (waitingBytes + bytes.length > MAX_WAITING_BYTES) return err({ kind: "tooMuchInput" });
      waiting.push(bytes.slice());
      waitingBytes += bytes.length;
      retry ??= options.clock.startTimer(RETRY_MS, drain);
      return ok();
    },
    confirm,
    [Symbol.dispose]() {
      retry?.[Symbol.dispose]();
      retry = undefined;
    },
  };
}
