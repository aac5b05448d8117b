/**
 * What the one who types into an agent's terminal reports. Every typing ends here, or by the agent's own sign that it
 * arrived, or with the program.
 */
import type { AgentId } from "../ids.ts";
import { type Decision, failTicket } from "./decision.ts";
import type { MediatorInput } from "./mediator_inputs.ts";
import { type AgentSlot, slotOf, type Typing } from "./mediator_state.ts";

type Input<K extends MediatorInput["kind"]> = MediatorInput & { readonly kind: K };

export function decideSubmitted(decision: Decision, { agentId, typingNo }: Input<"deliverySubmitted">): void {
  const typing = typingNow(decision, agentId, typingNo);
  if (typing === undefined || typing.submitted) return;
  decision.emit({ kind: "typingSubmitted", atMs: decision.atMs, agentId });
}

export function decideConfirmed(decision: Decision, input: Input<"deliveryConfirmed">): void {
  if (typingNow(decision, input.agentId, input.typingNo) === undefined) return;
  taken(decision, input.agentId, input.signal);
}

export function decideUnconfirmed(decision: Decision, input: Input<"deliveryUnconfirmed">): void {
  const { agentId, typingNo, typed } = input;
  const { atMs, state } = decision;
  const typing = typingNow(decision, agentId, typingNo);
  if (typing === undefined) return;
  const slot = slotOf(state, agentId);
  const stillWanted = slot.turn.kind === "ticket" && slot.turn.ticketId === typing.ticketId &&
    (slot.turn.phase === "delivering" || slot.turn.phase === "reminding");
  if (stillWanted && typing.attempt === 1 && maySubmit(slot)) {
    return decision.emit({ kind: "typingRetried", atMs, agentId, how: typed ? "submitAgain" : "retype" });
  }
  decision.emit({ kind: "typingEnded", atMs, agentId, taken: false });
  const inWork = stillWanted ? state.open.get(typing.ticketId) : undefined;
  if (inWork !== undefined && typing.what === "task") {
    const cause = maySubmit(slot) ? "notConfirmed" : "terminalInUse";
    return decision.emit({ kind: "ticketNeedsAttention", atMs, ticketId: typing.ticketId, cause });
  }
  if (inWork !== undefined) failTicket(decision, inWork, { kind: "noReply" });
  // Nothing was seen to run since the ticket was closed.
  const { turn } = slotOf(state, agentId);
  if (turn.kind === "leftover" && turn.ticketId === typing.ticketId) {
    decision.emit({ kind: "turnEnded", atMs, agentId, signal: "notConfirmed" });
  }
  if (typed && !slot.personTyping) decision.emit({ kind: "inputLeft", atMs, agentId });
}

export function decideDeferred(decision: Decision, input: Input<"deliveryDeferred">): void {
  const { agentId, typingNo, because } = input;
  const { atMs, state } = decision;
  const typing = typingNow(decision, agentId, typingNo);
  if (typing === undefined) return;
  decision.emit({ kind: "typingEnded", atMs, agentId, taken: false });
  // Recorded first, or the ticket would be offered again at once.
  if (because === "personTyping") decision.emit({ kind: "personTyped", atMs, agentId, typing: true });
  else decision.emit({ kind: "blocked", atMs, agentId, signal: "dialog" });
  const { turn } = slotOf(state, agentId);
  if (turn.kind === "leftover" && turn.ticketId === typing.ticketId) {
    return decision.emit({ kind: "turnEnded", atMs, agentId, signal: "notTyped" });
  }
  if (turn.kind !== "ticket" || turn.ticketId !== typing.ticketId) return;
  if (turn.phase === "delivering") {
    decision.emit({ kind: "ticketReturned", atMs, ticketId: typing.ticketId, cause: because });
  } else if (turn.phase === "reminding") {
    decision.emit({ kind: "reminderDue", atMs, agentId, ticketId: typing.ticketId });
  }
}

/** The program has what was typed: the typing is over, and the ticket (if it is still wanted) is with the agent. */
export function taken(decision: Decision, agentId: AgentId, signal: string): void {
  const { atMs, state } = decision;
  const { turn, typing } = slotOf(state, agentId);
  if (typing === undefined) return;
  decision.emit({ kind: "typingEnded", atMs, agentId, taken: true });
  if (turn.kind !== "ticket" || turn.ticketId !== typing.ticketId) return;
  if (turn.phase === "reminding") {
    return decision.emit({ kind: "turnBegan", atMs, agentId, whose: "ticket", signal });
  }
  if (turn.phase !== "delivering") return;
  const { ticketId } = turn;
  decision.emit({ kind: "ticketDelivered", atMs, ticketId, signal });
  // Nothing will ever tell the end of this turn, and nobody asked for a reply: being taken is all there is to know.
  const isMessage = state.open.get(ticketId)?.ticket.kind === "message";
  if (isMessage && !slotOf(state, agentId).reportsTurnEnd) {
    decision.emit({ kind: "ticketAnswered", atMs, ticketId, text: "", source: "lastAnswer" });
  }
}

/** A second Enter would answer the dialog, or send what the person is writing. */
function maySubmit(slot: AgentSlot): boolean {
  return slot.presence === "live" && slot.blocked === undefined && slot.limit === undefined && !slot.personTyping;
}

function typingNow(decision: Decision, agentId: AgentId, typingNo: number): Typing | undefined {
  const { typing } = slotOf(decision.state, agentId);
  return typing?.no === typingNo ? typing : undefined;
}
