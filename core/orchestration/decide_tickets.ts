/** What askers, persons and answering agents do with tickets. */
import type { AgentId, TicketId } from "../ids.ts";
import { isSameParty, type Party } from "../parties.ts";
import { err, ok, type Result } from "../result.ts";
import { taken } from "./decide_typing.ts";
import { type Decision, endTicketByCancel, leavesLine } from "./decision.ts";
import type { MediatorError, MediatorInput } from "./mediator_inputs.ts";
import { type MediatorState, type OpenTicket, slotOf } from "./mediator_state.ts";
import { findCycle } from "./wait_graph.ts";

/** Tickets that may wait for one agent. */
export const MAX_QUEUE = 1_000;

type Input<K extends MediatorInput["kind"]> = MediatorInput & { readonly kind: K };
type Decided = Result<void, MediatorError>;

export function decideEnqueue(decision: Decision, input: Input<"enqueue">): Decided {
  const { state, atMs } = decision;
  const { ticketId, from, to } = input;
  if (state.open.has(ticketId) || state.closed.has(ticketId)) throw new Error(`ticket id used twice: ${ticketId}`);
  const asksItself = from.kind === "agent" && from.agentId === to;
  if (from.kind === "agent" && (input.wait || asksItself)) {
    const path = findCycle(state, from.agentId, to);
    if (path !== undefined) return err({ kind: "cycle", path });
  }
  const slot = slotOf(state, to);
  if (slot.queue.length >= MAX_QUEUE) return err({ kind: "queueFull", agentId: to, limit: MAX_QUEUE });
  decision.emit({
    kind: "ticketQueued",
    atMs,
    ticketId,
    from,
    to,
    ticketKind: input.ticketKind,
    task: input.task,
    waiting: input.wait,
    first: input.first === true,
  });
  if (slot.presence === "stopped") decision.emit({ kind: "launchWanted", atMs, agentId: to, cause: "queued" });
  return ok();
}

export function decideWait(decision: Decision, { ticketId, by }: Input<"wait">): Decided {
  const { state, atMs } = decision;
  const found = findTicket(state, ticketId);
  if (!found.ok) return found;
  if (!isSameParty(found.value.from, by)) return err({ kind: "ticketNotYours", ticketId });
  if (!state.open.has(ticketId)) return ok();
  if (by.kind === "agent") {
    const path = findCycle(state, by.agentId, found.value.to);
    if (path !== undefined) return err({ kind: "cycle", path });
  }
  decision.emit({ kind: "waitBegan", atMs, ticketId });
  return ok();
}

export function decideWaitEnd(decision: Decision, input: Input<"stopWaiting"> | Input<"callerGone">): Decided {
  const { state, atMs } = decision;
  const { ticketId } = input;
  const entry = state.open.get(ticketId);
  // The answer and the end of the wait may cross.
  if (entry === undefined || entry.waiters === 0) return ok();
  decision.emit({ kind: "waitEnded", atMs, ticketId });
  if (input.kind === "callerGone" && entry.waiters === 1) endTicketByCancel(decision, ticketId, "callerGone");
  return ok();
}

export function decideCancel(decision: Decision, { ticketId, by }: Input<"cancel">): Decided {
  const entry = findOpen(decision.state, ticketId);
  if (!entry.ok) return entry;
  const mine = isSameParty(entry.value.ticket.from, by);
  if (by.kind !== "human" && !mine) return err({ kind: "ticketNotYours", ticketId });
  endTicketByCancel(decision, ticketId, by.kind === "human" ? "byPerson" : "byCaller");
  return ok();
}

export function decideReply(decision: Decision, { by, ticketId, text }: Input<"replied">): Decided {
  const { state, atMs } = decision;
  const found = ownTicket(state, by, ticketId);
  if (!found.ok) return found;
  const { ticket, offers } = found.value;
  if (ticket.state === "queued" && offers === 0) return err({ kind: "ticketNotDelivered", ticketId: ticket.id });
  const { typing, reportsTurnEnd } = slotOf(state, by);
  // The agent speaks of the ticket, so what was submitted has arrived, and its turn on it goes on.
  if (typing?.ticketId === ticket.id && typing.submitted) {
    if (reportsTurnEnd) taken(decision, by, "idea_reply");
    else decision.emit({ kind: "typingEnded", atMs, agentId: by, taken: true });
  }
  decision.emit({ kind: "ticketAnswered", atMs, ticketId: ticket.id, text, source: "reply" });
  return ok();
}

export function decideTaskFetched(decision: Decision, { by, ticketId }: Input<"taskFetched">): Decided {
  const { state, atMs } = decision;
  const found = ownTicket(state, by, ticketId);
  if (!found.ok) return found;
  const { ticket, offers } = found.value;
  if (ticket.state === "queued") return offers === 0 ? err({ kind: "ticketNotDelivered", ticketId: ticket.id }) : ok();
  const signal = "idea_get_task";
  const typing = slotOf(state, by).typing;
  if (typing?.ticketId === ticket.id && typing.submitted) taken(decision, by, signal);
  const now = state.open.get(ticket.id)?.ticket.state;
  if (now === "delivering") decision.emit({ kind: "ticketDelivered", atMs, ticketId: ticket.id, signal });
  if (now === "delivering" || now === "delivered") {
    decision.emit({ kind: "ticketAccepted", atMs, ticketId: ticket.id, signal });
  }
  return ok();
}

export function decideQueueEdit(
  decision: Decision,
  input: Input<"editQueued"> | Input<"moveQueued"> | Input<"removeQueued">,
): Decided {
  const { state, atMs } = decision;
  const { ticketId } = input;
  const entry = findOpen(state, ticketId);
  if (!entry.ok) return entry;
  const { ticket } = entry.value;
  if (ticket.state !== "queued") return err({ kind: "ticketNotQueued", ticketId, state: ticket.state });
  switch (input.kind) {
    case "editQueued":
      if (input.task !== ticket.task) decision.emit({ kind: "ticketEdited", atMs, ticketId, task: input.task });
      return ok();
    case "removeQueued":
      endTicketByCancel(decision, ticketId, "byPerson");
      return ok();
    case "moveQueued": {
      const { queue } = slotOf(state, ticket.to);
      const toIndex = Math.min(Math.max(0, Math.trunc(input.toIndex)), queue.length - 1);
      if (queue[toIndex] !== ticketId) decision.emit({ kind: "ticketMoved", atMs, ticketId, toIndex });
      return ok();
    }
  }
}

/** Only a typing that was given up on is typed again: else the same task would be in the program twice. */
export function decideRedeliver(decision: Decision, { ticketId }: Input<"redeliver">): Decided {
  const { state, atMs } = decision;
  const entry = findOpen(state, ticketId);
  if (!entry.ok) return entry;
  if (!entry.value.ticket.needsAttention || slotOf(state, entry.value.ticket.to).typing !== undefined) return ok();
  const leftLine = leavesLine(state, entry.value);
  decision.emit({ kind: "ticketRequeued", atMs, ticketId, reason: "byPerson" });
  if (leftLine) decision.emit({ kind: "inputLeft", atMs, agentId: entry.value.ticket.to });
  return ok();
}

function findTicket(
  state: MediatorState,
  ticketId: TicketId,
): Result<{ readonly from: Party; readonly to: AgentId }, MediatorError> {
  const ticket = state.open.get(ticketId)?.ticket ?? state.closed.get(ticketId);
  return ticket === undefined ? err({ kind: "ticketNotFound", ticketId }) : ok(ticket);
}

function findOpen(state: MediatorState, ticketId: TicketId): Result<OpenTicket, MediatorError> {
  const entry = state.open.get(ticketId);
  if (entry !== undefined) return ok(entry);
  const closed = state.closed.get(ticketId);
  return err(
    closed === undefined
      ? { kind: "ticketNotFound", ticketId }
      : { kind: "ticketClosed", ticketId, state: closed.state },
  );
}

/** The ticket that the agent means: the one it names, if it is the agent's, else the one it works on. */
function ownTicket(
  state: MediatorState,
  by: AgentId,
  named: TicketId | undefined,
): Result<OpenTicket, MediatorError> {
  const ticketId = named ?? meantTicket(state, by);
  if (ticketId === undefined) return err({ kind: "nothingInWork", agentId: by });
  const found = findTicket(state, ticketId);
  if (!found.ok) return found;
  if (found.value.to !== by) return err({ kind: "ticketNotYours", ticketId });
  return findOpen(state, ticketId);
}

/** The ticket an agent speaks of when it names none. */
export function meantTicket(state: MediatorState, by: AgentId): TicketId | undefined {
  const { turn, queue } = slotOf(state, by);
  if (turn.kind === "ticket" || turn.kind === "leftover") return turn.ticketId;
  // It was cut in this one (a limit, a restart) and goes on with it before it was offered again.
  const head = queue[0];
  return head !== undefined && (state.open.get(head)?.offers ?? 0) > 0 ? head : undefined;
}
