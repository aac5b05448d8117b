/**
 * What happened in the mediator. Ticket events are journalled and rebuild every ticket; agent events say what the running
 * programs do and die with them, so a restart begins with all agents stopped.
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { Party } from "../parties.ts";
import type { OfferReason } from "./mediator_state.ts";
import type { Reply, Ticket, TicketCancellation, TicketFailure } from "./ticket.ts";

export type TicketEvent =
  & { readonly atMs: number; readonly ticketId: TicketId }
  & (
    | {
      readonly kind: "ticketQueued";
      readonly from: Party;
      readonly to: AgentId;
      readonly ticketKind: Ticket["kind"];
      readonly task: string;
      /** The asker waits for the answer. */
      readonly waiting: boolean;
      /** Before what is queued: it goes on with a turn that a limit cut. */
      readonly first: boolean;
    }
    | { readonly kind: "ticketDelivering"; readonly typingNo: number; readonly reason: OfferReason }
    /** Nothing of it was typed: back to the head of the queue as if it had not been offered. */
    | { readonly kind: "ticketReturned"; readonly cause: string }
    /** Its turn was cut: back to the head of the queue, to be offered again as a repeat. */
    | { readonly kind: "ticketRequeued"; readonly reason: OfferReason }
    /** The program went on with it by itself after a limit. */
    | { readonly kind: "ticketWentOn"; readonly signal: string }
    | { readonly kind: "ticketDelivered"; readonly signal: string }
    | { readonly kind: "ticketAccepted"; readonly signal: string }
    | { readonly kind: "ticketNeedsAttention"; readonly cause: string }
    | { readonly kind: "ticketReminded"; readonly typingNo: number }
    | { readonly kind: "ticketAnswered"; readonly text: string; readonly source: Reply["source"] }
    | { readonly kind: "ticketCancelled"; readonly cancellation: TicketCancellation }
    | { readonly kind: "ticketFailed"; readonly failure: TicketFailure }
    | { readonly kind: "ticketEdited"; readonly task: string }
    | { readonly kind: "ticketMoved"; readonly toIndex: number }
    /** Written by compaction in place of the events it stands for. */
    | {
      readonly kind: "ticketRestored";
      readonly ticket: Ticket;
      readonly offers: number;
      readonly nextOffer: OfferReason;
    }
  );

export type AgentEvent =
  & { readonly atMs: number; readonly agentId: AgentId }
  & (
    | { readonly kind: "launchWanted"; readonly cause: "queued" | "crashed" | "recovered" }
    | { readonly kind: "agentStarting" }
    | { readonly kind: "agentReady"; readonly signal: string; readonly reportsTurnEnd: boolean }
    /** Stopped, crashed, or not launched: what was running is gone. */
    | { readonly kind: "agentGone"; readonly cause: "stopped" | "crashed" | "launchFailed" | "swapped" }
    | { readonly kind: "agentRemoved" }
    | { readonly kind: "turnBegan"; readonly whose: "person" | "unknown" | "ticket"; readonly signal: string }
    | { readonly kind: "turnEnded"; readonly signal: string }
    | { readonly kind: "reminderDue"; readonly ticketId: TicketId }
    | { readonly kind: "blocked"; readonly signal: string }
    | { readonly kind: "unblocked"; readonly signal: string }
    | { readonly kind: "limited"; readonly resetsAtMs: number | undefined }
    | { readonly kind: "unlimited"; readonly cause: string }
    | { readonly kind: "personTyped"; readonly typing: boolean }
    | { readonly kind: "typingSubmitted" }
    | { readonly kind: "typingRetried"; readonly how: "retype" | "submitAgain" }
    /** The program has it, or the typing is given up. */
    | { readonly kind: "typingEnded"; readonly taken: boolean }
    /** A line that nobody submitted is in the program's input. */
    | { readonly kind: "inputLeft" }
  );

export type WaitEvent =
  | { readonly kind: "waitBegan" | "waitEnded"; readonly atMs: number; readonly ticketId: TicketId }
  /** IdeA started again: no agent runs, nobody waits. */
  | { readonly kind: "recovered"; readonly atMs: number };

export type MediatorEvent = TicketEvent | AgentEvent | WaitEvent;

const TICKET_EVENTS: ReadonlySet<string> = new Set<TicketEvent["kind"]>([
  "ticketQueued",
  "ticketDelivering",
  "ticketReturned",
  "ticketRequeued",
  "ticketWentOn",
  "ticketDelivered",
  "ticketAccepted",
  "ticketNeedsAttention",
  "ticketReminded",
  "ticketAnswered",
  "ticketCancelled",
  "ticketFailed",
  "ticketEdited",
  "ticketMoved",
  "ticketRestored",
]);

/** Ticket events go to the journal; the others need not outlive the process. */
export function isJournalled(event: MediatorEvent): event is TicketEvent {
  return TICKET_EVENTS.has(event.kind);
}
