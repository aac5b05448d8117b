/**
 * Delegations as a timeline: who asked whom, what, how long it took, the answer. The newest first; below each what it
 * led to, so that A asked B, who asked C, reads from top to bottom.
 */
import type { TicketId } from "../../../core/ids.ts";
import type { AgentView, Party, Ticket } from "./views.ts";

export interface Delegation {
  readonly ticketId: TicketId;
  readonly ticket: Ticket;
  readonly fromName: string;
  readonly toName: string;
  readonly askedAtMs: number;
  /** Undefined while it goes on. */
  readonly endedAtMs: number | undefined;
  /** How many delegations it stands below. */
  readonly depth: number;
}

export interface PartyNames {
  readonly agents: readonly AgentView[];
  readonly you: string;
  readonly unknown: string;
}

/** Deeper ones are listed without further indent. */
const MAX_DEPTH = 4;

export function listDelegations(tickets: readonly Ticket[], names: PartyNames): readonly Delegation[] {
  const delegations = tickets.filter((ticket) => ticket.kind === "delegation");
  const parents = new Map(delegations.map((ticket) => [ticket, taskBehind(ticket, delegations)]));
  const listed = new Set<Ticket>();
  const withChildren = (ticket: Ticket, depth: number): readonly Delegation[] => {
    // A journal that names itself in a circle must not hang the page.
    if (listed.has(ticket)) return [];
    listed.add(ticket);
    const children = delegations.filter((other) => parents.get(other) === ticket).sort(byTime);
    return [
      describe(ticket, Math.min(depth, MAX_DEPTH), names),
      ...children.flatMap((child) => withChildren(child, depth + 1)),
    ];
  };
  const roots = delegations.filter((ticket) => parents.get(ticket) === undefined).sort(byTime).reverse();
  return [...roots, ...delegations].flatMap((ticket) => withChildren(ticket, 0));
}

function describe(ticket: Ticket, depth: number, names: PartyNames): Delegation {
  return {
    ticketId: ticket.id,
    ticket,
    fromName: nameOf(ticket.from, names),
    toName: nameOf({ kind: "agent", agentId: ticket.to }, names),
    askedAtMs: askedAt(ticket),
    endedAtMs: isEnded(ticket) ? ticket.receipts.at(-1)?.atMs : undefined,
    depth,
  };
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

function byTime(a: Ticket, b: Ticket): number {
  return askedAt(a) - askedAt(b);
}

function askedAt(ticket: Ticket): number {
  return ticket.receipts[0]?.atMs ?? 0;
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
