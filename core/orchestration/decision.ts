/**
 * A decision in the making: the events so far, and the state with them in it, so that each rule sees what the rules
 * before it did. settle() ends every decision: it starts what the new state allows.
 */
import type { AgentId } from "../ids.ts";
import type { Party } from "../parties.ts";
import { applyEvent, mutableCopy } from "./evolve.ts";
import type { MediatorEvent } from "./mediator_events.ts";
import { type MediatorState, type OpenTicket, slotOf, typingHolds } from "./mediator_state.ts";
import type { TicketFailure } from "./ticket.ts";

export interface Decision {
  readonly state: MediatorState;
  readonly events: readonly MediatorEvent[];
  readonly atMs: number;
  emit(event: MediatorEvent): void;
}

export function beginDecision(before: MediatorState, atMs: number): Decision {
  const state = mutableCopy(before);
  const events: MediatorEvent[] = [];
  return {
    state,
    events,
    atMs,
    emit(event) {
      events.push(event);
      applyEvent(state, event);
    },
  };
}

/** Begins the next delivery, or the reminder that is due, of each agent whose terminal may be typed into now. */
export function settle(decision: Decision, agentIds: Iterable<AgentId>): void {
  const { atMs, state } = decision;
  for (const agentId of agentIds) {
    const slot = slotOf(state, agentId);
    if (typingHolds(slot).length > 0) continue;
    const typingNo = slot.lastTypingNo + 1;
    if (slot.turn.kind === "ticket" && slot.turn.phase === "reminderDue") {
      decision.emit({ kind: "ticketReminded", atMs, ticketId: slot.turn.ticketId, typingNo });
      continue;
    }
    const next = slot.queue[0];
    const entry = next === undefined ? undefined : state.open.get(next);
    if (slot.turn.kind !== "free" || next === undefined || entry === undefined) continue;
    const reason = entry.offers === 0 ? "first" : entry.nextOffer;
    decision.emit({ kind: "ticketDelivering", atMs, ticketId: next, typingNo, reason });
  }
}

/** The agents that the events so far may have set free, or given something to do. */
export function touchedAgents(decision: Decision): ReadonlySet<AgentId> {
  const touched = new Set<AgentId>();
  for (const event of decision.events) {
    if ("agentId" in event) touched.add(event.agentId);
    else if (event.kind === "recovered") { for (const agentId of decision.state.agents.keys()) touched.add(agentId); }
    else {
      const ticket = decision.state.open.get(event.ticketId)?.ticket ?? decision.state.closed.get(event.ticketId);
      if (ticket !== undefined) touched.add(ticket.to);
    }
  }
  return touched;
}

export function failTicket(decision: Decision, entry: OpenTicket, failure: TicketFailure): void {
  decision.emit({ kind: "ticketFailed", atMs: decision.atMs, ticketId: entry.ticket.id, failure });
}

/** The tickets in this agent's queue, in its order. */
export function queuedTickets(state: MediatorState, agentId: AgentId): readonly OpenTicket[] {
  return slotOf(state, agentId).queue.flatMap((ticketId) => state.open.get(ticketId) ?? []);
}

/** The agent is gone as an asker: what it waits for right now is cancelled, what it left to be fetched later is not. */
export function cancelWaitsOf(decision: Decision, agentId: AgentId): void {
  for (const { ticket, waiters } of [...decision.state.open.values()]) {
    if (waiters === 0 || !isAgent(ticket.from, agentId)) continue;
    endTicketByCancel(decision, ticket.id, "callerGone");
  }
}

/** Cancels an open ticket; a line of it that lies unsubmitted in the program's input is cleared away. */
export function endTicketByCancel(
  decision: Decision,
  ticketId: OpenTicket["ticket"]["id"],
  cancellation: "callerGone" | "byCaller" | "byPerson" | "agentRemoved",
): void {
  const entry = decision.state.open.get(ticketId);
  if (entry === undefined) return;
  const leftLine = leavesLine(decision.state, entry);
  decision.emit({ kind: "ticketCancelled", atMs: decision.atMs, ticketId, cancellation });
  if (leftLine) decision.emit({ kind: "inputLeft", atMs: decision.atMs, agentId: entry.ticket.to });
}

/** Typed, given up on, and never seen to be taken: its text is probably still in the input line. */
export function leavesLine(state: MediatorState, entry: OpenTicket): boolean {
  const slot = slotOf(state, entry.ticket.to);
  return slot.turn.kind === "ticket" && slot.turn.ticketId === entry.ticket.id && slot.turn.phase === "delivering" &&
    slot.typing === undefined && !slot.personTyping;
}

function isAgent(party: Party, agentId: AgentId): boolean {
  return party.kind === "agent" && party.agentId === agentId;
}
