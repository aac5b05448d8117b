/** The life of agents: starting, ready, stopped, crashed, swapped, removed, and IdeA itself started again. */
import type { AgentId } from "../ids.ts";
import { cancelWaitsOf, type Decision, endTicketByCancel, failTicket, queuedTickets } from "./decision.ts";
import type { MediatorInput } from "./mediator_inputs.ts";
import { slotOf, ticketInWork } from "./mediator_state.ts";
import type { TicketFailure } from "./ticket.ts";

/** A program that crashes again and again would take its whole queue with it into an endless loop of launches. */
export const CRASH_RELAUNCHES = 2;
export const CRASH_WINDOW_MS = 60_000;

type Input<K extends MediatorInput["kind"]> = MediatorInput & { readonly kind: K };

export function decideStarting(decision: Decision, { agentId }: Input<"agentStarting">): void {
  // The launch that the mediator itself asked for is reported here too.
  if (slotOf(decision.state, agentId).presence !== "stopped") return;
  decision.emit({ kind: "agentStarting", atMs: decision.atMs, agentId });
}

export function decideReady(decision: Decision, input: Input<"agentReady">): void {
  const { agentId, signal, reportsTurnEnd } = input;
  const slot = slotOf(decision.state, agentId);
  if (slot.ready && (slot.reportsTurnEnd || !reportsTurnEnd)) return;
  decision.emit({ kind: "agentReady", atMs: decision.atMs, agentId, signal, reportsTurnEnd });
}

/** Stopped on purpose: who waits is told at once, what nobody waits for stays for the next launch. */
export function decideStopped(decision: Decision, { agentId }: Input<"agentStopped">): void {
  if (slotOf(decision.state, agentId).presence === "stopped") return;
  const inWork = ticketInWork(decision.state, agentId);
  decision.emit({ kind: "agentGone", atMs: decision.atMs, agentId, cause: "stopped" });
  if (inWork !== undefined) failTicket(decision, inWork, { kind: "agentStopped" });
  for (const entry of queuedTickets(decision.state, agentId)) {
    if (entry.waiters > 0) failTicket(decision, entry, { kind: "agentStopped" });
  }
  cancelWaitsOf(decision, agentId);
}

/** The ticket in work fails, and the program is launched again for the rest, a bounded number of times. */
export function decideCrashed(decision: Decision, { agentId, detail }: Input<"agentCrashed">): void {
  const { state, atMs } = decision;
  const slot = slotOf(state, agentId);
  if (slot.presence === "stopped") return;
  const failure: TicketFailure = { kind: "agentCrashed", detail };
  const inWork = ticketInWork(state, agentId);
  decision.emit({ kind: "agentGone", atMs, agentId, cause: "crashed" });
  if (inWork !== undefined) failTicket(decision, inWork, failure);
  cancelWaitsOf(decision, agentId);
  const rest = queuedTickets(state, agentId);
  if (rest.length === 0) return;
  const recent = slot.relaunchedAtMs.filter((each) => each > atMs - CRASH_WINDOW_MS);
  if (recent.length < CRASH_RELAUNCHES) decision.emit({ kind: "launchWanted", atMs, agentId, cause: "crashed" });
  else for (const entry of rest) failTicket(decision, entry, failure);
}

export function decideLaunchFailed(decision: Decision, { agentId, detail }: Input<"launchFailed">): void {
  if (slotOf(decision.state, agentId).presence !== "starting") return;
  decision.emit({ kind: "agentGone", atMs: decision.atMs, agentId, cause: "launchFailed" });
  for (const entry of queuedTickets(decision.state, agentId)) {
    failTicket(decision, entry, { kind: "launchFailed", detail });
  }
}

export function decideSwapped(decision: Decision, { agentId }: Input<"agentSwapped">): void {
  const { state, atMs } = decision;
  const wasThere = slotOf(state, agentId).presence !== "stopped";
  const inWork = ticketInWork(state, agentId);
  if (inWork !== undefined) {
    decision.emit({ kind: "ticketRequeued", atMs, ticketId: inWork.ticket.id, reason: "afterSwap" });
  }
  decision.emit({ kind: "agentGone", atMs, agentId, cause: "swapped" });
  if (wasThere) decision.emit({ kind: "agentStarting", atMs, agentId });
  cancelWaitsOf(decision, agentId);
}

export function decideRemoved(decision: Decision, { agentId }: Input<"agentRemoved">): void {
  const { state, atMs } = decision;
  const own = [...state.open.values()].filter(({ ticket }) => ticket.to === agentId);
  decision.emit({ kind: "agentGone", atMs, agentId, cause: "stopped" });
  for (const { ticket } of own) endTicketByCancel(decision, ticket.id, "agentRemoved");
  cancelWaitsOf(decision, agentId);
  decision.emit({ kind: "agentRemoved", atMs, agentId });
}

/** No program survived and nobody waits any more; what was in work is offered again, as a repeat. */
export function decideRecovered(decision: Decision): void {
  const { state, atMs } = decision;
  decision.emit({ kind: "recovered", atMs });
  for (const { ticket } of [...state.open.values()].reverse()) {
    if (ticket.state !== "queued") {
      decision.emit({ kind: "ticketRequeued", atMs, ticketId: ticket.id, reason: "afterRestart" });
    }
  }
  for (const agentId of agentsWithQueue(decision)) {
    decision.emit({ kind: "launchWanted", atMs, agentId, cause: "recovered" });
  }
}

function agentsWithQueue(decision: Decision): readonly AgentId[] {
  return [...decision.state.agents].flatMap(([agentId, slot]) => slot.queue.length > 0 ? [agentId] : []);
}
