/**
 * A ticket is one task in an agent's queue, from a person, an agent or a program outside, with at most one reply.
 *
 * Invariants, kept by mediator.ts and checked by its property tests:
 *  1. A ticket is in exactly one state; answered, cancelled and failed are final.
 *  2. Of one agent at most one ticket is in work (delivering, delivered or accepted).
 *  3. Tickets of one agent are delivered in the order of its queue; only a person reorders it.
 *  4. Every change of state has a receipt with its time and cause.
 *  5. A ticket that is delivered again after a crash says so (`repeat`).
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { Party } from "../parties.ts";

export type TicketState =
  | "queued"
  /** Being typed into the terminal. */
  | "delivering"
  /** The terminal has it and the program showed that it took it. */
  | "delivered"
  /** The agent fetched it or began its turn on it. */
  | "accepted"
  | "answered"
  | "cancelled"
  | "failed";

export type TicketFailure =
  | { readonly kind: "agentStopped" }
  | { readonly kind: "agentCrashed"; readonly detail: string }
  | { readonly kind: "launchFailed"; readonly detail: string }
  /** The turn ended, and a reminder too, without a reply or a last answer to take for one. */
  | { readonly kind: "noReply" };

export type TicketCancellation = "callerGone" | "byCaller" | "byPerson" | "agentRemoved";

/** A receipt: when the ticket came into this state, and why. */
export interface Receipt {
  readonly state: TicketState;
  readonly atMs: number;
  readonly cause: string;
}

export interface Reply {
  readonly text: string;
  readonly atMs: number;
  /** reply: through idea_reply. lastAnswer: the last answer of a turn that ended without one. */
  readonly source: "reply" | "lastAnswer";
}

export interface Ticket {
  readonly id: TicketId;
  readonly from: Party;
  readonly to: AgentId;
  /** delegation: asks for a reply. message: what a person typed into the composer, or a resume; the turn is the answer. */
  readonly kind: "delegation" | "message";
  readonly task: string;
  readonly state: TicketState;
  readonly receipts: readonly Receipt[];
  /** How many times it was delivered again because IdeA or the agent went down in the middle. */
  readonly repeat: number;
  /** Typed twice and not confirmed: a person should look. */
  readonly needsAttention: boolean;
  readonly reminded: boolean;
  readonly reply?: Reply;
  readonly failure?: TicketFailure;
  readonly cancellation?: TicketCancellation;
}
