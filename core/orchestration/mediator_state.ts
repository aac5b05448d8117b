/**
 * What the mediator of one project knows: every agent's slot (is it there, may something be typed, whose turn is it) and
 * every ticket. Plain readonly data; changed only by evolve.ts.
 *
 * What must stay true: an open ticket is either in the queue of its agent (state queued) or that agent's turn (in work).
 * Wait edges are not stored: they are the open tickets with a live waiter, so an edge cannot outlive its ticket.
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { Ticket } from "./ticket.ts";

/** Why a ticket is offered; all but first are repeats and say so. */
export type OfferReason = "first" | "afterLimit" | "afterRestart" | "afterSwap" | "byPerson";

export type Turn =
  | { readonly kind: "free" }
  | { readonly kind: "ticket"; readonly ticketId: TicketId; readonly phase: TurnPhase; readonly sinceMs: number }
  /** A person typed something of their own into the terminal. */
  | { readonly kind: "person"; readonly signal: string; readonly sinceMs: number }
  /** The program works, and nobody here asked it to: background work, a subagent, a resumed turn. */
  | { readonly kind: "unknown"; readonly signal: string; readonly sinceMs: number }
  /** The ticket is closed (answered, cancelled, failed) and the program's turn on it still goes on. */
  | { readonly kind: "leftover"; readonly ticketId: TicketId; readonly sinceMs: number };

/**
 * delivering: typed, or being typed, and not confirmed. running: the program works on it. reminderDue: its turn ended
 * without an answer, the reminder waits until something may be typed. reminding: the reminder is typed, not confirmed.
 */
export type TurnPhase = "delivering" | "running" | "reminderDue" | "reminding";

/** Something IdeA is typing into the terminal. While it is there nothing else is typed, whatever became of the ticket. */
export interface Typing {
  /** Grows by one with each typing of this agent: how the app's reports are told from stale ones. */
  readonly no: number;
  readonly ticketId: TicketId;
  readonly what: "task" | "reminder";
  readonly attempt: 1 | 2;
  /** The submit key was pressed. */
  readonly submitted: boolean;
}

export interface AgentSlot {
  readonly presence: "stopped" | "starting" | "live";
  /** Its MCP client said initialize, or its ready signal was seen. */
  readonly ready: boolean;
  /** false: nothing ever tells the end of its turn, so a reply frees it. */
  readonly reportsTurnEnd: boolean;
  readonly turn: Turn;
  readonly blocked: { readonly signal: string; readonly sinceMs: number } | undefined;
  readonly limit: { readonly sinceMs: number; readonly resetsAtMs: number | undefined } | undefined;
  readonly personTyping: boolean;
  /** When a person last typed into the terminal: tells whose turn a busy signal is. */
  readonly personTypedAtMs: number;
  readonly typing: Typing | undefined;
  readonly lastTypingNo: number;
  /** Tickets in state queued, the next one first. */
  readonly queue: readonly TicketId[];
  /** When it was launched again after a crash, the latest last. */
  readonly relaunchedAtMs: readonly number[];
}

export interface OpenTicket {
  readonly ticket: Ticket;
  /** Calls that wait for the answer right now. */
  readonly waiters: number;
  /** How many times it was offered to the agent (typing began). */
  readonly offers: number;
  readonly nextOffer: OfferReason;
}

export interface MediatorState {
  readonly agents: ReadonlyMap<AgentId, AgentSlot>;
  readonly open: ReadonlyMap<TicketId, OpenTicket>;
  /** The latest closed tickets, oldest first, so that an asker that comes back finds its answer. */
  readonly closed: ReadonlyMap<TicketId, Ticket>;
  /** Characters of the closed tickets' texts. */
  readonly closedChars: number;
}

export const EMPTY_SLOT: AgentSlot = {
  presence: "stopped",
  ready: false,
  reportsTurnEnd: false,
  turn: { kind: "free" },
  blocked: undefined,
  limit: undefined,
  personTyping: false,
  personTypedAtMs: Number.NEGATIVE_INFINITY,
  typing: undefined,
  lastTypingNo: 0,
  queue: [],
  relaunchedAtMs: [],
};

export const EMPTY_MEDIATOR: MediatorState = { agents: new Map(), open: new Map(), closed: new Map(), closedChars: 0 };

export function slotOf(state: MediatorState, agentId: AgentId): AgentSlot {
  return state.agents.get(agentId) ?? EMPTY_SLOT;
}

/** Open or among the closed that are kept. */
export function ticketOf(state: MediatorState, ticketId: TicketId): Ticket | undefined {
  return state.open.get(ticketId)?.ticket ?? state.closed.get(ticketId);
}

/** The ticket the agent works on, if any. */
export function ticketInWork(state: MediatorState, agentId: AgentId): OpenTicket | undefined {
  const { turn } = slotOf(state, agentId);
  return turn.kind === "ticket" ? state.open.get(turn.ticketId) : undefined;
}

/** Why nothing may be typed into this agent's terminal now. */
export type Hold =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "notReady" }
  | { readonly kind: "typing"; readonly ticketId: TicketId }
  | { readonly kind: "blocked"; readonly signal: string; readonly sinceMs: number }
  | { readonly kind: "limited"; readonly resetsAtMs: number | undefined }
  | { readonly kind: "personTyping" };

/** Holds whatever is to be typed. A new task also waits for a free turn. */
export function typingHolds(slot: AgentSlot): readonly Hold[] {
  if (slot.presence === "stopped") return [{ kind: "stopped" }];
  const holds: Hold[] = [];
  if (slot.presence === "starting") holds.push({ kind: "starting" });
  else if (!slot.ready) holds.push({ kind: "notReady" });
  if (slot.typing !== undefined) holds.push({ kind: "typing", ticketId: slot.typing.ticketId });
  if (slot.blocked !== undefined) holds.push({ kind: "blocked", ...slot.blocked });
  if (slot.limit !== undefined) holds.push({ kind: "limited", resetsAtMs: slot.limit.resetsAtMs });
  if (slot.personTyping) holds.push({ kind: "personTyping" });
  return holds;
}
