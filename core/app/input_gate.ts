/**
 * Keeps the keys of a person and the line that IdeA types apart: what comes while the gate is held waits, in its order,
 * until the line is submitted. That is a fraction of a second, so nobody notices, and nothing is ever interleaved.
 */
import type { PtyWriteError } from "../ports/pty.ts";
import { err, ok, type Result } from "../result.ts";
import type { InputSource } from "./terminals.ts";

/** A paste that comes in that moment fits; what would wait beyond it is refused. */
const MAX_WAITING = 1_048_576;

type Send = (input: Uint8Array | string, source: InputSource) => Result<void, PtyWriteError>;

export interface InputGate {
  readonly write: Send;
  /** Until disposed, only deliveries pass. */
  hold(): Disposable;
}

export function createInputGate(send: Send): InputGate {
  const holds = new Set<object>();
  let waiting: { readonly input: Uint8Array | string; readonly source: InputSource }[] = [];
  let waitingSize = 0;

  function release(): void {
    const passing = waiting;
    waiting = [];
    waitingSize = 0;
    for (const { input, source } of passing) send(input, source);
  }

  return {
    write(input, source) {
      if (holds.size === 0 || source === "delivery") return send(input, source);
      if (waitingSize + input.length > MAX_WAITING) {
        return err({ kind: "inputQueueFull", queuedBytes: waitingSize, limitBytes: MAX_WAITING });
      }
      waitingSize += input.length;
      // The array is the caller's again after the call.
      waiting.push({ input: typeof input === "string" ? input : input.slice(), source });
      return ok();
    },
    hold() {
      const own = {};
      holds.add(own);
      return {
        [Symbol.dispose]() {
          if (holds.delete(own) && holds.size === 0) release();
        },
      };
    },
  };
}
