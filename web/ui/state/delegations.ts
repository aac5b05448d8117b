/** Delegations as a timeline: who asked whom, what, how long it took, the answer. The newest first. */
import type { TicketId } from "../../../core/ids.ts";
import type { AgentView, Party, Ticket } from "./views.ts";

export interface Delegation {
  readonly ticketId: TicketId;
  readonly ticket: Ticket;
  readonly from: Party;
  readonly fromName: string;
  readonly toName: string;
  readonly askedAtMs: number;
  /** Undefined while it goes on. */
  readonly endedAtMs: number | undefined;
  /** Made while the asker worked on this one: A asked B, who asked C. */
  readonly depth: number;
}

export interface PartyNames {
  readonly agents: readonly AgentView[];
  readonly you: string;
  readonly unknown: string;
}

export function listDelegations(tickets: readonly Ticket[], names: PartyNames): readonly Delegation[] {
  const delegations = tickets.filter((ticket) => ticket.kind === "delegation");
  return delegations
    .map((ticket) => ({
      ticketId: ticket.id,
      ticket,
      from: ticket.from,
      fromName: nameOf(ticket.from, names),
      toName: nameOf({ kind: "agent", agentId: ticket.to }, names),
      askedAtMs: askedAt(ticket),
      endedAtMs: isEnded(ticket) ? ticket.receipts.at(-1)?.atMs : undefined,
      depth: depthOf(ticket, delegations),
    }))
    .sort((a, b) => b.askedAtMs - a.askedAtMs);
}

export function isEnded(ticket: Pick<Ticket, "state">): boolean {
  return ticket.state === "answered" || ticket.state === "cancelled" || ticket.state === "failed";
}

export function nameOf(party: Party, { agents, you, unknown }: PartyNames): string {
  switch (party.kind) {
    case "human":
      return you;
    case "external":
      return party.name;
    case "agent":
      return agents.find(({ agentId }) => agentId === party.agentId)?.name ?? unknown;
  }
}

function askedAt(ticket: Ticket): number {
  return ticket.receipts[0]?.atMs ?? 0;
}

/** Bounded, so that a journal that names itself in a circle cannot hang the page. */
const MAX_DEPTH = 6;

function depthOf(ticket: Ticket, all: readonly Ticket[]): number {
  let depth = 0;
  let current: Ticket | undefined = ticket;
  while (current !== undefined && depth < MAX_DEPTH) {
    current = taskBehind(current, all);
    if (current !== undefined) depth++;
  }
  return depth;
}

/** What the asker worked on when it asked. */
function taskBehind(ticket: Ticket, all: readonly Ticket[]): Ticket | undefined {
  const { from } = ticket;
  if (from.kind !== "agent") return undefined;
  return all.find((other) => other.to === from.agentId && isInWorkAt(other, askedAt(ticket)));
}

function isInWorkAt(ticket: Ticket, atMs: number): boolean {
  const begun = ticket.receipts.find(({ state }) => state === "delivered" || state === "accepted")?.atMs;
  const ended = isEnded(ticket) ? ticket.receipts.at(-1)?.atMs ?? Infinity : Infinity;
  return begun !== undefined && begun <= atMs && atMs <= ended;
}
