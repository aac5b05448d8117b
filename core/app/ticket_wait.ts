/**
 * Waiting for a ticket: until it is closed, until the caller's patience ends or the project is closed (the ticket lives
 * on), or until the caller is gone. A wait never blocks anything but itself, and always takes its edge out of the wait-for graph.
 */
import type { TicketId } from "../ids.ts";
import type { CallContext } from "../orchestration/commands.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Clock } from "../ports/clock.ts";
import type { MediatorRunner } from "./mediator_runner.ts";

/** MCP clients and proxies take a silent call of a minute for a dead one. */
const PROGRESS_INTERVAL_MS = 5_000;

export interface WaitOptions {
  readonly runner: MediatorRunner;
  readonly clock: Clock;
  readonly ticketId: TicketId;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** What the ticket is doing, for a person who watches the wait. */
  readonly describe: (ticket: Ticket) => string;
}

export type WaitOutcome =
  | { readonly kind: "closed"; readonly ticket: Ticket }
  | { readonly kind: "stillOpen"; readonly ticket: Ticket }
  | { readonly kind: "gone" };

/** The mediator must have been told of this waiter already (enqueue with wait, or wait). */
export function waitForTicket(options: WaitOptions): Promise<WaitOutcome> {
  const { runner, clock, ticketId, context } = options;
  const startedAtMs = clock.monotonicMs();
  return new Promise((resolve) => {
    const disposables: Disposable[] = [];
    let progressTimer: Disposable | undefined;
    let settled = false;

    function settle(outcome: WaitOutcome): void {
      if (settled) return;
      settled = true;
      runner.onEvents.delete(onEvents);
      runner.onClose.delete(onClose);
      progressTimer?.[Symbol.dispose]();
      for (const one of disposables) one[Symbol.dispose]();
      resolve(outcome);
    }

    function onEvents(): void {
      const ticket = runner.ticket(ticketId);
      if (ticket === undefined) settle({ kind: "gone" });
      else if (isClosed(ticket)) settle({ kind: "closed", ticket });
    }

    function tellProgress(): void {
      const ticket = runner.ticket(ticketId);
      if (ticket !== undefined) {
        context.onProgress?.({ message: options.describe(ticket), elapsedMs: clock.monotonicMs() - startedAtMs });
      }
      progressTimer = clock.startTimer(PROGRESS_INTERVAL_MS, tellProgress);
    }

    function onTimeout(): void {
      const ticket = runner.ticket(ticketId);
      if (ticket === undefined || isClosed(ticket)) return onEvents();
      void runner.submit({ kind: "stopWaiting", ticketId });
      settle({ kind: "stillOpen", ticket });
    }

    function onClose(): void {
      const ticket = runner.ticket(ticketId);
      settle(ticket === undefined ? { kind: "gone" } : { kind: "stillOpen", ticket });
    }

    function onGone(): void {
      if (settled) return;
      void runner.submit({ kind: "callerGone", ticketId });
      settle({ kind: "gone" });
    }

    runner.onEvents.add(onEvents);
    runner.onClose.add(onClose);
    disposables.push(clock.startTimer(options.timeoutMs, onTimeout));
    if (context.onProgress !== undefined) progressTimer = clock.startTimer(PROGRESS_INTERVAL_MS, tellProgress);
    const gone = context.onGone?.(onGone);
    if (gone !== undefined) disposables.push(gone);
    // The answer may have come before anybody listened.
    onEvents();
  });
}

export function isClosed(ticket: Ticket): boolean {
  return ticket.state === "answered" || ticket.state === "cancelled" || ticket.state === "failed";
}
