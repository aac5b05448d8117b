/** What an agent's program tells of its state, by its authority. In doubt the agent stays busy. */
import type { AgentId } from "../ids.ts";
import { taken } from "./decide_typing.ts";
import { type Decision, endTicketByCancel } from "./decision.ts";
import type { MediatorInput } from "./mediator_inputs.ts";
import { type OpenTicket, slotOf, ticketInWork } from "./mediator_state.ts";

/** A turn that begins this soon after a key of a person, with nothing delivered, is theirs. */
const PERSON_TURN_MS = 5_000;

type Input<K extends MediatorInput["kind"]> = MediatorInput & { readonly kind: K };

export function decideBusy(decision: Decision, { agentId, signal }: Input<"agentBusy">): void {
  const { state, atMs } = decision;
  const before = slotOf(state, agentId);
  if (before.presence === "stopped") return;
  const wasLimited = before.limit !== undefined;
  unblock(decision, agentId, signal);
  if (wasLimited) decision.emit({ kind: "unlimited", atMs, agentId, cause: signal });
  if (before.typing?.submitted === true) taken(decision, agentId, signal);

  const { turn, queue, typing } = slotOf(state, agentId);
  switch (turn.kind) {
    case "free": {
      const head = queue[0] === undefined ? undefined : state.open.get(queue[0]);
      const cutByLimit = wasLimited && head !== undefined && head.offers > 0 && head.nextOffer === "afterLimit";
      if (cutByLimit) return decision.emit({ kind: "ticketWentOn", atMs, ticketId: head.ticket.id, signal });
      const isPersons = before.personTyping || atMs - before.personTypedAtMs < PERSON_TURN_MS;
      return decision.emit({ kind: "turnBegan", atMs, agentId, whose: isPersons ? "person" : "unknown", signal });
    }
    case "ticket": {
      if (turn.phase === "reminderDue") {
        return decision.emit({ kind: "turnBegan", atMs, agentId, whose: "ticket", signal });
      }
      const { ticketId } = turn;
      const ticket = state.open.get(ticketId)?.ticket;
      if (turn.phase === "delivering") {
        // Somebody pressed Enter on a line that IdeA had given up on. Still being typed: not this ticket's doing.
        if (typing !== undefined) return;
        decision.emit({ kind: "ticketDelivered", atMs, ticketId, signal });
      }
      if (turn.phase !== "reminding" && ticket?.state !== "accepted") {
        decision.emit({ kind: "ticketAccepted", atMs, ticketId, signal });
      }
      return;
    }
    case "person":
    case "unknown":
    case "leftover":
      return;
  }
}

export function decideIdle(decision: Decision, { agentId, signal, lastAnswer }: Input<"agentIdle">): void {
  const { state, atMs } = decision;
  const before = slotOf(state, agentId);
  if (before.presence === "stopped") return;
  unblock(decision, agentId, signal);
  // The transcript has an answer to what was just submitted: a turn so short that nobody saw it begin.
  if (before.typing?.submitted === true && lastAnswer !== undefined) taken(decision, agentId, signal);

  const { turn } = slotOf(state, agentId);
  if (turn.kind === "ticket") {
    const inWork = state.open.get(turn.ticketId);
    if (turn.phase !== "running" || inWork === undefined) return;
    decision.emit({ kind: "turnEnded", atMs, agentId, signal });
    return afterTurn(decision, inWork, lastAnswer);
  }
  if (turn.kind !== "free" || !before.reportsTurnEnd) decision.emit({ kind: "turnEnded", atMs, agentId, signal });
}

/** A turn ended without idea_reply: its last answer is taken, else the agent is reminded once, else the asker is told. */
function afterTurn(decision: Decision, { ticket }: OpenTicket, lastAnswer: string | undefined): void {
  const { atMs } = decision;
  const answer = lastAnswer?.trim() ?? "";
  if (ticket.kind === "message" || answer !== "") {
    decision.emit({ kind: "ticketAnswered", atMs, ticketId: ticket.id, text: lastAnswer ?? "", source: "lastAnswer" });
  } else if (!ticket.reminded) {
    decision.emit({ kind: "reminderDue", atMs, agentId: ticket.to, ticketId: ticket.id });
  } else {
    decision.emit({ kind: "ticketFailed", atMs, ticketId: ticket.id, failure: { kind: "noReply" } });
  }
}

export function decideBlocked(decision: Decision, { agentId, signal }: Input<"agentBlocked">): void {
  const slot = slotOf(decision.state, agentId);
  if (slot.presence === "stopped" || slot.blocked !== undefined) return;
  decision.emit({ kind: "blocked", atMs: decision.atMs, agentId, signal });
}

/** The limit cut the turn: its ticket is held at the head of the queue, and offered again when the limit is over. */
export function decideLimited(decision: Decision, { agentId, resetsAtMs }: Input<"agentLimited">): void {
  const { state, atMs } = decision;
  const inWork = ticketInWork(state, agentId);
  if (inWork !== undefined) {
    decision.emit({ kind: "ticketRequeued", atMs, ticketId: inWork.ticket.id, reason: "afterLimit" });
  }
  decision.emit({ kind: "limited", atMs, agentId, resetsAtMs });
}

export function decideUnlimited(decision: Decision, { agentId }: Input<"agentUnlimited">): void {
  if (slotOf(decision.state, agentId).limit === undefined) return;
  decision.emit({ kind: "unlimited", atMs: decision.atMs, agentId, cause: "reset" });
}

export function decidePersonTyping(decision: Decision, { agentId, typing }: Input<"personTyping">): void {
  const slot = slotOf(decision.state, agentId);
  if (slot.presence === "stopped" || (slot.personTyping === typing && !typing)) return;
  decision.emit({ kind: "personTyped", atMs: decision.atMs, agentId, typing });
}

export function decideInterrupted(decision: Decision, { agentId }: Input<"interrupted">): void {
  const inWork = ticketInWork(decision.state, agentId);
  if (inWork === undefined) return;
  endTicketByCancel(decision, inWork.ticket.id, "byPerson");
}

function unblock(decision: Decision, agentId: AgentId, signal: string): void {
  if (slotOf(decision.state, agentId).blocked === undefined) return;
  decision.emit({ kind: "unblocked", atMs: decision.atMs, agentId, signal });
}
