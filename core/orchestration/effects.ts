/**
 * What the app has to do after a decision, derived from its events alone, in order. The events that are journalled must
 * be on disk before the effects are carried out: else a crash could type a task twice without saying so.
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { MediatorEvent } from "./mediator_events.ts";
import { type MediatorState, type OfferReason, slotOf, ticketOf } from "./mediator_state.ts";

export type MediatorEffect =
  /** Type the task and press submit; report deliverySubmitted, then confirmed, unconfirmed or deferred. */
  | {
    readonly kind: "typeTask";
    readonly agentId: AgentId;
    readonly ticketId: TicketId;
    readonly typingNo: number;
    readonly attempt: 1 | 2;
    readonly reason: OfferReason;
    /** How many times it was offered before. */
    readonly repeat: number;
  }
  | {
    readonly kind: "typeReminder";
    readonly agentId: AgentId;
    readonly ticketId: TicketId;
    readonly typingNo: number;
    readonly attempt: 1 | 2;
  }
  /** The text is in the terminal and nothing confirmed it: press submit once more, then report as for typeTask. */
  | {
    readonly kind: "submitAgain";
    readonly agentId: AgentId;
    readonly ticketId: TicketId;
    readonly typingNo: number;
  }
  /** The ticket was closed while it was typed: stop if submit was not pressed, and report unconfirmed. */
  | { readonly kind: "stopTyping"; readonly agentId: AgentId; readonly typingNo: number }
  /** Empty the program's input line of what IdeA typed, before anything else is typed. */
  | { readonly kind: "clearInput"; readonly agentId: AgentId }
  | {
    readonly kind: "launch";
    readonly agentId: AgentId;
    readonly cause: "queued" | "crashed" | "recovered";
  }
  /** The ticket is closed: whoever waits for it gets its outcome from the state. */
  | { readonly kind: "tellAsker"; readonly ticketId: TicketId };

/** after: the state with all of the events in it. */
export function planEffects(events: readonly MediatorEvent[], after: MediatorState): readonly MediatorEffect[] {
  return events.flatMap((event) => effectsOf(event, after));
}

function effectsOf(event: MediatorEvent, after: MediatorState): readonly MediatorEffect[] {
  switch (event.kind) {
    case "ticketDelivering": {
      const ticket = ticketOf(after, event.ticketId);
      if (ticket === undefined) return [];
      const { typingNo, ticketId, reason } = event;
      const { to: agentId, repeat } = ticket;
      return [{ kind: "typeTask", agentId, ticketId, typingNo, attempt: 1, reason, repeat }];
    }
    case "ticketReminded": {
      const ticket = ticketOf(after, event.ticketId);
      if (ticket === undefined) return [];
      const { typingNo, ticketId } = event;
      return [{ kind: "typeReminder", agentId: ticket.to, ticketId, typingNo, attempt: 1 }];
    }
    case "typingRetried":
      return retry(event.agentId, event.how, after);
    case "inputLeft":
      return [{ kind: "clearInput", agentId: event.agentId }];
    case "launchWanted":
      return [{ kind: "launch", agentId: event.agentId, cause: event.cause }];
    case "ticketAnswered":
    case "ticketCancelled":
    case "ticketFailed":
      return [...stopTyping(event.ticketId, after), { kind: "tellAsker", ticketId: event.ticketId }];
    default:
      return [];
  }
}

function retry(agentId: AgentId, how: "retype" | "submitAgain", after: MediatorState): readonly MediatorEffect[] {
  const { typing } = slotOf(after, agentId);
  if (typing === undefined) return [];
  const { ticketId, no: typingNo } = typing;
  if (how === "submitAgain") return [{ kind: "submitAgain", agentId, ticketId, typingNo }];
  if (typing.what === "reminder") return [{ kind: "typeReminder", agentId, ticketId, typingNo, attempt: 2 }];
  const entry = after.open.get(ticketId);
  if (entry === undefined) return [];
  const reason = entry.offers === 1 ? "first" : entry.nextOffer;
  return [{ kind: "typeTask", agentId, ticketId, typingNo, attempt: 2, reason, repeat: entry.ticket.repeat }];
}

function stopTyping(ticketId: TicketId, after: MediatorState): readonly MediatorEffect[] {
  const ticket = ticketOf(after, ticketId);
  if (ticket === undefined) return [];
  const { typing } = slotOf(after, ticket.to);
  if (typing?.ticketId !== ticketId) return [];
  return [{ kind: "stopTyping", agentId: ticket.to, typingNo: typing.no }];
}
