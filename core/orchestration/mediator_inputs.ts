/**
 * What the mediator is told, and what it refuses. Signals of a session that was replaced must not be passed on: the
 * mediator knows agents, not sessions.
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { Party } from "../parties.ts";
import type { Ticket, TicketState } from "./ticket.ts";

export type MediatorInput =
  // Askers and persons
  | {
    readonly kind: "enqueue";
    /** Fresh. */
    readonly ticketId: TicketId;
    readonly from: Party;
    readonly to: AgentId;
    readonly ticketKind: Ticket["kind"];
    readonly task: string;
    /** The caller waits for the answer from now on. */
    readonly wait: boolean;
    /** A resume: before what is queued, since it goes on with a turn that was cut. */
    readonly first?: boolean;
  }
  /** Waits (again) for a ticket of one's own. A closed ticket gives no event: its outcome is in the state. */
  | { readonly kind: "wait"; readonly ticketId: TicketId; readonly by: Party }
  /** The caller's patience ended: the ticket lives on. */
  | { readonly kind: "stopWaiting"; readonly ticketId: TicketId }
  /** The caller's connection or request is gone: with the last waiter the ticket is cancelled. */
  | { readonly kind: "callerGone"; readonly ticketId: TicketId }
  | { readonly kind: "cancel"; readonly ticketId: TicketId; readonly by: Party }
  | { readonly kind: "replied"; readonly by: AgentId; readonly ticketId?: TicketId; readonly text: string }
  /** idea_get_task by the agent that works on it; without ticketId the one in work. */
  | { readonly kind: "taskFetched"; readonly by: AgentId; readonly ticketId?: TicketId }
  | { readonly kind: "editQueued"; readonly ticketId: TicketId; readonly task: string }
  /** toIndex is clamped to the queue. */
  | { readonly kind: "moveQueued"; readonly ticketId: TicketId; readonly toIndex: number }
  | { readonly kind: "removeQueued"; readonly ticketId: TicketId }
  /** A person wants a delivery that needs attention to be typed again. */
  | { readonly kind: "redeliver"; readonly ticketId: TicketId }
  /** A person preempts the turn: the ticket in work is cancelled, the agent is free when its turn ends. */
  | { readonly kind: "interrupted"; readonly agentId: AgentId }
  // The agent's life
  | { readonly kind: "agentStarting"; readonly agentId: AgentId }
  | {
    readonly kind: "agentReady";
    readonly agentId: AgentId;
    readonly signal: string;
    readonly reportsTurnEnd: boolean;
  }
  | { readonly kind: "agentStopped"; readonly agentId: AgentId }
  | { readonly kind: "agentCrashed"; readonly agentId: AgentId; readonly detail: string }
  | { readonly kind: "launchFailed"; readonly agentId: AgentId; readonly detail: string }
  /** Its profile changed; when it was there, the app starts the new program now. */
  | { readonly kind: "agentSwapped"; readonly agentId: AgentId }
  | { readonly kind: "agentRemoved"; readonly agentId: AgentId }
  | { readonly kind: "recovered" }
  // Signals of its authority: changes of state only, in order
  | { readonly kind: "agentBusy"; readonly agentId: AgentId; readonly signal: string }
  /**
   * A turn ended. lastAnswer: the last answer of that turn by its transcript. An authority that may miss a short turn
   * sends it after the program was quiet for a while since the delivery.
   */
  | { readonly kind: "agentIdle"; readonly agentId: AgentId; readonly signal: string; readonly lastAnswer?: string }
  | { readonly kind: "agentBlocked"; readonly agentId: AgentId; readonly signal: string }
  | { readonly kind: "agentLimited"; readonly agentId: AgentId; readonly resetsAtMs?: number }
  | { readonly kind: "agentUnlimited"; readonly agentId: AgentId }
  | { readonly kind: "personTyping"; readonly agentId: AgentId; readonly typing: boolean }
  // Reports of the one who types. Every typing ends with confirmed, unconfirmed or deferred.
  | { readonly kind: "deliverySubmitted"; readonly agentId: AgentId; readonly typingNo: number }
  | {
    readonly kind: "deliveryConfirmed";
    readonly agentId: AgentId;
    readonly typingNo: number;
    readonly signal: string;
  }
  /** typed: its text went into the terminal, so that pressing submit once more may do. */
  | {
    readonly kind: "deliveryUnconfirmed";
    readonly agentId: AgentId;
    readonly typingNo: number;
    readonly typed: boolean;
  }
  /** Nothing was typed, because a person began to type or a dialog opened just before. */
  | {
    readonly kind: "deliveryDeferred";
    readonly agentId: AgentId;
    readonly typingNo: number;
    readonly because: "personTyping" | "blocked";
  };

export type MediatorError =
  | { readonly kind: "cycle"; readonly path: readonly AgentId[] }
  | { readonly kind: "queueFull"; readonly agentId: AgentId; readonly limit: number }
  | { readonly kind: "ticketNotFound"; readonly ticketId: TicketId }
  | { readonly kind: "ticketNotYours"; readonly ticketId: TicketId }
  | { readonly kind: "ticketClosed"; readonly ticketId: TicketId; readonly state: TicketState }
  /** It is in the queue of the one who replies, who has never seen it. */
  | { readonly kind: "ticketNotDelivered"; readonly ticketId: TicketId }
  | { readonly kind: "ticketNotQueued"; readonly ticketId: TicketId; readonly state: TicketState }
  | { readonly kind: "nothingInWork"; readonly agentId: AgentId };
