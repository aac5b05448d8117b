/**
 * evolve: the state after an event. Total: an event that names a ticket nobody knows changes nothing, so a journal whose
 * older part was lost still opens.
 *
 * A MutableState is a copy that may be written to; it exists so that a decision of many events copies the maps once.
 */
import type { AgentId, TicketId } from "../ids.ts";
import { unreachable } from "../result.ts";
import { slotAfter } from "./evolve_slot.ts";
import type { AgentEvent, MediatorEvent, TicketEvent } from "./mediator_events.ts";
import { type AgentSlot, EMPTY_SLOT, type MediatorState, type OpenTicket, slotOf } from "./mediator_state.ts";
import type { Receipt, Ticket, TicketState } from "./ticket.ts";

/** Closed tickets kept, so that an asker that reconnects finds its answer. */
export const MAX_CLOSED_TICKETS = 1_000;
/** And the bound of their texts together, in characters. */
export const MAX_CLOSED_CHARS = 32 * 1_048_576;
/** A ticket that a limit cuts every few hours for months keeps its first receipts and the latest. */
const MAX_RECEIPTS = 64;

export interface MutableState extends MediatorState {
  readonly agents: Map<AgentId, AgentSlot>;
  readonly open: Map<TicketId, OpenTicket>;
  closed: ReadonlyMap<TicketId, Ticket>;
  /** Closed tickets are many and seldom change: copied when the first is added. */
  ownClosed: Map<TicketId, Ticket> | undefined;
  closedChars: number;
}

export function mutableCopy(state: MediatorState): MutableState {
  return {
    agents: new Map(state.agents),
    open: new Map(state.open),
    closed: state.closed,
    ownClosed: undefined,
    closedChars: state.closedChars,
  };
}

/** The copy as a state; it must not be written to any more. */
export function frozen({ agents, open, closed, closedChars }: MutableState): MediatorState {
  return { agents, open, closed, closedChars };
}

export function evolve(state: MediatorState, event: MediatorEvent): MediatorState {
  return evolveAll(state, [event]);
}

export function evolveAll(state: MediatorState, events: readonly MediatorEvent[]): MediatorState {
  if (events.length === 0) return state;
  const after = mutableCopy(state);
  for (const event of events) applyEvent(after, event);
  return frozen(after);
}

export function applyEvent(state: MutableState, event: MediatorEvent): void {
  switch (event.kind) {
    case "recovered":
      for (const [agentId, slot] of state.agents) state.agents.set(agentId, { ...EMPTY_SLOT, queue: slot.queue });
      for (const [ticketId, entry] of state.open) state.open.set(ticketId, { ...entry, waiters: 0 });
      return;
    case "waitBegan":
    case "waitEnded": {
      const entry = state.open.get(event.ticketId);
      if (entry === undefined) return;
      const waiters = Math.max(0, entry.waiters + (event.kind === "waitBegan" ? 1 : -1));
      state.open.set(event.ticketId, { ...entry, waiters });
      return;
    }
    default:
      if ("agentId" in event) applyAgentEvent(state, event);
      else applyTicketEvent(state, event);
  }
}

function applyAgentEvent(state: MutableState, event: AgentEvent): void {
  if (event.kind === "agentRemoved") {
    state.agents.delete(event.agentId);
    return;
  }
  state.agents.set(event.agentId, slotAfter(slotOf(state, event.agentId), event));
}

function applyTicketEvent(state: MutableState, event: TicketEvent): void {
  if (event.kind === "ticketQueued") return addTicket(state, event);
  if (event.kind === "ticketRestored") return restoreTicket(state, event);
  const entry = state.open.get(event.ticketId);
  if (entry === undefined) return;
  const agentId = entry.ticket.to;
  const setSlot = (change: (slot: AgentSlot) => AgentSlot) => state.agents.set(agentId, change(slotOf(state, agentId)));
  const setEntry = (change: Partial<OpenTicket>) => state.open.set(event.ticketId, { ...entry, ...change });
  const setTicket = (change: Partial<Ticket>) => setEntry({ ticket: { ...entry.ticket, ...change } });

  switch (event.kind) {
    case "ticketDelivering": {
      const offers = entry.offers + 1;
      setEntry({
        offers,
        ticket: { ...moved(entry.ticket, "delivering", event.atMs, event.reason), repeat: offers - 1 },
      });
      setSlot((slot) => ({ ...occupied(slot, event, "delivering"), queue: without(slot.queue, event.ticketId) }));
      return;
    }
    case "ticketReturned": {
      const offers = Math.max(0, entry.offers - 1);
      const ticket = moved(entry.ticket, "queued", event.atMs, event.cause);
      setEntry({ offers, ticket: { ...ticket, repeat: Math.max(0, offers - 1) } });
      setSlot((slot) => backInQueue(slot, event.ticketId));
      return;
    }
    case "ticketRequeued":
      setEntry({
        nextOffer: event.reason,
        ticket: { ...moved(entry.ticket, "queued", event.atMs, event.reason), needsAttention: false, reminded: false },
      });
      setSlot((slot) => backInQueue(slot, event.ticketId));
      return;
    case "ticketWentOn":
      setEntry({ ticket: moved(entry.ticket, "accepted", event.atMs, event.signal) });
      setSlot((slot) => ({ ...running(slot, event), queue: without(slot.queue, event.ticketId) }));
      return;
    case "ticketDelivered":
    case "ticketAccepted": {
      const state = event.kind === "ticketDelivered" ? "delivered" : "accepted";
      setEntry({ ticket: { ...moved(entry.ticket, state, event.atMs, event.signal), needsAttention: false } });
      setSlot((slot) => running(slot, event));
      return;
    }
    case "ticketNeedsAttention":
      return void setTicket({ needsAttention: true });
    case "ticketReminded":
      setTicket({ reminded: true });
      return void setSlot((slot) => occupied(slot, event, "reminding"));
    case "ticketEdited":
      return void setTicket({ task: event.task });
    case "ticketMoved":
      return void setSlot((slot) => {
        const rest = without(slot.queue, event.ticketId);
        return { ...slot, queue: [...rest.slice(0, event.toIndex), event.ticketId, ...rest.slice(event.toIndex)] };
      });
    case "ticketAnswered": {
      const reply = { text: event.text, atMs: event.atMs, source: event.source };
      return close(state, entry, { ...moved(entry.ticket, "answered", event.atMs, event.source), reply });
    }
    case "ticketCancelled": {
      const { cancellation } = event;
      return close(state, entry, { ...moved(entry.ticket, "cancelled", event.atMs, cancellation), cancellation });
    }
    case "ticketFailed": {
      const { failure } = event;
      return close(state, entry, { ...moved(entry.ticket, "failed", event.atMs, failure.kind), failure });
    }
    default:
      return unreachable(event);
  }
}

function addTicket(state: MutableState, event: TicketEvent & { readonly kind: "ticketQueued" }): void {
  const ticket: Ticket = {
    id: event.ticketId,
    from: event.from,
    to: event.to,
    kind: event.ticketKind,
    task: event.task,
    state: "queued",
    receipts: [{ state: "queued", atMs: event.atMs, cause: "asked" }],
    repeat: 0,
    needsAttention: false,
    reminded: false,
  };
  state.open.set(ticket.id, { ticket, waiters: event.waiting ? 1 : 0, offers: 0, nextOffer: "first" });
  const slot = slotOf(state, event.to);
  state.agents.set(event.to, { ...slot, queue: event.first ? [ticket.id, ...slot.queue] : [...slot.queue, ticket.id] });
}

function restoreTicket(state: MutableState, event: TicketEvent & { readonly kind: "ticketRestored" }): void {
  const { ticket, offers, nextOffer } = event;
  const entry: OpenTicket = { ticket, waiters: 0, offers, nextOffer };
  if (isClosed(ticket.state)) return close(state, entry, ticket);
  state.open.set(ticket.id, entry);
  const slot = slotOf(state, ticket.to);
  if (ticket.state === "queued") state.agents.set(ticket.to, { ...slot, queue: [...slot.queue, ticket.id] });
  else state.agents.set(ticket.to, running(slot, event));
}

export function isClosed(state: TicketState): boolean {
  return state === "answered" || state === "cancelled" || state === "failed";
}

function moved(ticket: Ticket, state: TicketState, atMs: number, cause: string): Ticket {
  const receipt: Receipt = { state, atMs, cause };
  const kept = ticket.receipts.length < MAX_RECEIPTS
    ? ticket.receipts
    : [...ticket.receipts.slice(0, 4), ...ticket.receipts.slice(5)];
  return { ...ticket, state, receipts: [...kept, receipt] };
}

function occupied(
  slot: AgentSlot,
  event: TicketEvent & { readonly typingNo: number },
  phase: "delivering" | "reminding",
): AgentSlot {
  return {
    ...slot,
    turn: { kind: "ticket", ticketId: event.ticketId, phase, sinceMs: event.atMs },
    lastTypingNo: event.typingNo,
    typing: {
      no: event.typingNo,
      ticketId: event.ticketId,
      what: phase === "delivering" ? "task" : "reminder",
      attempt: 1,
      submitted: false,
    },
  };
}

function running(slot: AgentSlot, event: TicketEvent): AgentSlot {
  return { ...slot, turn: { kind: "ticket", ticketId: event.ticketId, phase: "running", sinceMs: event.atMs } };
}

function backInQueue(slot: AgentSlot, ticketId: TicketId): AgentSlot {
  const mine = slot.turn.kind === "ticket" && slot.turn.ticketId === ticketId;
  return {
    ...slot,
    turn: mine ? { kind: "free" } : slot.turn,
    queue: [ticketId, ...without(slot.queue, ticketId)],
  };
}

function without(queue: readonly TicketId[], ticketId: TicketId): readonly TicketId[] {
  return queue.filter((each) => each !== ticketId);
}

function close(state: MutableState, entry: OpenTicket, ticket: Ticket): void {
  state.open.delete(ticket.id);
  const closed = state.ownClosed ??= new Map(state.closed);
  state.closed = closed;
  closed.set(ticket.id, ticket);
  state.closedChars += textChars(ticket);
  for (const [oldest, old] of closed) {
    if (closed.size <= MAX_CLOSED_TICKETS && state.closedChars <= MAX_CLOSED_CHARS) break;
    if (oldest === ticket.id) break;
    closed.delete(oldest);
    state.closedChars -= textChars(old);
  }
  const slot = state.agents.get(entry.ticket.to);
  if (slot === undefined) return;
  state.agents.set(entry.ticket.to, {
    ...slot,
    queue: without(slot.queue, ticket.id),
    turn: turnAfterClose(slot, ticket.id, ticket.receipts.at(-1)?.atMs ?? 0),
  });
}

function turnAfterClose(slot: AgentSlot, ticketId: TicketId, atMs: number): AgentSlot["turn"] {
  const { turn } = slot;
  if (turn.kind !== "ticket" || turn.ticketId !== ticketId) return turn;
  const nothingRuns = turn.phase === "reminderDue" || (turn.phase !== "running" && slot.typing === undefined);
  if (nothingRuns || !slot.reportsTurnEnd) return { kind: "free" };
  return { kind: "leftover", ticketId, sinceMs: atMs };
}

function textChars(ticket: Ticket): number {
  return ticket.task.length + (ticket.reply?.text.length ?? 0);
}
