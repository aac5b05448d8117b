/**
 * The live state of a project, `state/live.json`: who does what, since when and for whom, and what the project is after.
 * It is a help for those who start and those who look; nothing depends on it, and what is in work is decided by the
 * tickets alone.
 */
import { z } from "zod";
import type { AgentId, TicketId } from "../ids.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";

export interface LastDelegation {
  /** The name of the one who was asked. */
  readonly to: string;
  readonly ticket: TicketId;
  readonly outcome: string;
  readonly atMs: number;
}

export interface AgentLiveState {
  readonly agentId: AgentId;
  readonly doing: string;
  readonly sinceMs: number;
  /** The name of the one it works for. */
  readonly for?: string;
  readonly ticket?: TicketId;
  /** In the agent's own words. */
  readonly until?: string;
  readonly lastDelegation?: LastDelegation;
}

export interface LiveStateDocument {
  readonly version: number;
  readonly agents: readonly AgentLiveState[];
  readonly intents: readonly string[];
}

export const liveStateFormat: DocumentFormat<LiveStateDocument> = {
  version: 1,
  schema: z.looseObject({
    version: z.number().int().positive().default(1),
    agents: z.array(z.looseObject({
      agentId: idSchema("agent"),
      doing: z.string().max(2_000),
      sinceMs: z.number(),
      for: z.string().exactOptional(),
      ticket: idSchema("ticket").exactOptional(),
      until: z.string().exactOptional(),
      lastDelegation: z.looseObject({
        to: z.string(),
        ticket: idSchema("ticket"),
        outcome: z.string(),
        atMs: z.number(),
      }).exactOptional(),
    })).default([]),
    intents: z.array(z.string()).default([]),
  }),
};

export const NO_LIVE_STATE: LiveStateDocument = { version: 1, agents: [], intents: [] };

/** The agent says itself what it does; the ticket it works on stays its own. */
export function setStatus(
  document: LiveStateDocument,
  agentId: AgentId,
  { doing, until, nowMs }: { readonly doing: string; readonly until?: string; readonly nowMs: number },
): LiveStateDocument {
  return editAgent(document, agentId, (agent) => {
    const { until: _, ...rest } = agent;
    return { ...rest, doing, sinceMs: nowMs, ...(until === undefined ? {} : { until }) };
  });
}

export function beginTask(
  document: LiveStateDocument,
  agentId: AgentId,
  task: { readonly ticket: TicketId; readonly for: string; readonly doing: string; readonly nowMs: number },
): LiveStateDocument {
  return editAgent(document, agentId, (agent) => {
    if (agent.ticket === task.ticket) return agent;
    const { until: _, ...rest } = agent;
    return { ...rest, doing: task.doing, sinceMs: task.nowMs, for: task.for, ticket: task.ticket };
  });
}

/** Whatever it did for that ticket is over; another ticket's work is not. */
export function endTask(
  document: LiveStateDocument,
  agentId: AgentId,
  { ticket, nowMs }: { readonly ticket: TicketId; readonly nowMs: number },
): LiveStateDocument {
  if (document.agents.every((agent) => agent.agentId !== agentId || agent.ticket !== ticket)) return document;
  return editAgent(document, agentId, (agent) => idle(agent, nowMs));
}

/** The agent ended: it does nothing, for nobody. */
export function endAgent(document: LiveStateDocument, agentId: AgentId, nowMs: number): LiveStateDocument {
  if (document.agents.every((agent) => agent.agentId !== agentId || agent.doing === "")) return document;
  return editAgent(document, agentId, (agent) => idle(agent, nowMs));
}

export function setLastDelegation(
  document: LiveStateDocument,
  agentId: AgentId,
  lastDelegation: LastDelegation,
): LiveStateDocument {
  return editAgent(document, agentId, (agent) => ({ ...agent, lastDelegation }));
}

export function setIntents(document: LiveStateDocument, intents: readonly string[]): LiveStateDocument {
  return { ...document, intents };
}

/** Agents that left the project are forgotten. */
export function keepAgents(document: LiveStateDocument, agentIds: readonly AgentId[]): LiveStateDocument {
  const agents = document.agents.filter(({ agentId }) => agentIds.includes(agentId));
  return agents.length === document.agents.length ? document : { ...document, agents };
}

/** What goes on, for an agent that starts: one line each; empty when nothing does. */
export function describeLiveState(document: LiveStateDocument, nameOf: (agentId: AgentId) => string): string {
  const intents = document.intents.map((intent) => `- The project is after: ${intent}`);
  const agents = document.agents.filter(({ doing }) => doing !== "").map((agent) => {
    const forWhom = agent.for === undefined ? "" : `, for ${agent.for}`;
    const until = agent.until === undefined ? "" : ` (until ${agent.until})`;
    return `- ${nameOf(agent.agentId)}: ${agent.doing}${forWhom}${until}`;
  });
  return [...intents, ...agents].join("\n");
}

function idle(
  { for: _for, ticket: _ticket, until: _until, ...rest }: AgentLiveState,
  nowMs: number,
): AgentLiveState {
  return { ...rest, doing: "", sinceMs: nowMs };
}

function editAgent(
  document: LiveStateDocument,
  agentId: AgentId,
  edit: (agent: AgentLiveState) => AgentLiveState,
): LiveStateDocument {
  const known = document.agents.find((agent) => agent.agentId === agentId);
  const edited = edit(known ?? { agentId, doing: "", sinceMs: 0 });
  if (edited === known) return document;
  const agents = known === undefined
    ? [...document.agents, edited]
    : document.agents.map((agent) => (agent === known ? edited : agent));
  return { ...document, agents };
}
