/**
 * Why the first ticket of a queue is not with its agent yet: the answer that `idea explain` gives, so that "it hangs" is
 * never a mystery. It asks the same rule that decides the delivery (typingHolds), so it cannot say something else.
 */
import type { AgentId } from "../ids.ts";
import { type Hold, type MediatorState, slotOf, ticketInWork, type Turn, typingHolds } from "./mediator_state.ts";

export type WaitCause =
  | Hold
  | { readonly kind: "turn"; readonly turn: Exclude<Turn, { readonly kind: "free" }> }
  /** The ticket in work was typed twice and not confirmed: a person has to look. */
  | { readonly kind: "needsAttention"; readonly ticketId: string };

/** Empty when nothing is queued. The first cause is the one to look at. */
export function explainQueue(state: MediatorState, agentId: AgentId): readonly WaitCause[] {
  const slot = slotOf(state, agentId);
  if (slot.queue.length === 0) return [];
  const inWork = ticketInWork(state, agentId)?.ticket;
  const attention: readonly WaitCause[] = inWork?.needsAttention === true
    ? [{ kind: "needsAttention", ticketId: inWork.id }]
    : [];
  const turn: readonly WaitCause[] = slot.turn.kind === "free" ? [] : [{ kind: "turn", turn: slot.turn }];
  return [...attention, ...typingHolds(slot), ...turn];
}

/** In English, to stand after "it waits for". */
export function describeHold(hold: Hold): string {
  switch (hold.kind) {
    case "stopped":
      return "its agent to be started";
    case "starting":
      return "its agent's program to start";
    case "notReady":
      return "its agent's program to be ready (MCP initialize, or its ready sign)";
    case "typing":
      return `what is being typed for ticket ${hold.ticketId} to be taken`;
    case "blocked":
      return `a person to answer what the program asks (${hold.signal})`;
    case "limited":
      return hold.resetsAtMs === undefined
        ? "the session limit to be over, at a time that the program did not tell"
        : `the session limit to be over, at ${new Date(hold.resetsAtMs).toISOString()}`;
    case "personTyping":
      return "the person who types in its terminal";
  }
}
