/**
 * Waiting for a line to appear in a session. Woken by output, never by a clock alone, and with some time between two
 * looks, since a look builds the screen.
 */
import { err, ok, type Result } from "../result.ts";
import { parseLinePattern } from "../terminals/line_pattern.ts";
import type { Clock } from "../ports/clock.ts";
import type { PtyExit } from "../ports/pty.ts";
import type { TerminalText } from "../ports/terminal_state.ts";
import type { Session } from "./terminal_session.ts";
import type { WaitTextResult } from "./terminals.ts";

const LOOK_INTERVAL_MS = 50;

export interface WaitTextOptions {
  readonly pattern: string;
  readonly timeoutMs: number;
}

export async function waitForText(
  session: Session,
  clock: Clock,
  options: WaitTextOptions,
): Promise<Result<WaitTextResult, { readonly kind: "invalidPattern"; readonly pattern: string }>> {
  const pattern = parseLinePattern(options.pattern);
  if (!pattern.ok) return err(pattern.error);

  let wake: () => void = () => {};
  let timedOut = false;
  let exit: PtyExit | undefined = session.info().exit;
  using _listening = session.listen({
    onOutput: () => wake(),
    onExit(reported) {
      exit = reported;
      wake();
    },
  });
  using _timeout = clock.startTimer(options.timeoutMs, () => {
    timedOut = true;
    wake();
  });

  let lookedTo = 0;
  let text: TerminalText | undefined;
  for (;;) {
    if (text !== undefined && exit !== undefined && session.closed()) return ok({ kind: "exited", exit, text });
    // A line takes a byte or more, so no more lines than bytes have come since the last look.
    text = await session.read(text === undefined ? Infinity : session.offset() - lookedTo);
    lookedTo = text.offset;
    const line = pattern.value.find(text.scrollback) ?? pattern.value.find(text.screen);
    if (line !== undefined) return ok({ kind: "found", line, text });
    if (exit !== undefined && session.offset() === lookedTo) return ok({ kind: "exited", exit, text });
    if (timedOut) return ok({ kind: "timedOut", text });
    if (session.offset() === lookedTo) await new Promise<void>((resolve) => wake = resolve);
    wake = () => {};
    if (timedOut || exit !== undefined) continue;
    await pause(clock, LOOK_INTERVAL_MS);
  }
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.startTimer(delayMs, resolve));
}
