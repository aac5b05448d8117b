/** What needs the person, across all open projects, the most urgent first. */
import type { AgentId, ProjectId, TicketId } from "../../../core/ids.ts";
import type { AgentView, Ticket } from "./views.ts";

export interface AttentionItem {
  readonly kind: "blocked" | "error" | "ticket" | "failed" | "suspected" | "limited" | "profile";
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly sinceMs: number;
  readonly ticketId?: TicketId;
  readonly detail?: string;
  readonly resetsAtMs?: number;
}

export interface AttentionInput {
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly agents: readonly AgentView[];
  readonly tickets: readonly Ticket[];
}

const urgency: readonly AttentionItem["kind"][] = [
  "blocked",
  "error",
  "ticket",
  "suspected",
  "failed",
  "limited",
  "profile",
];

export function collectAttention(projects: readonly AttentionInput[]): readonly AttentionItem[] {
  return projects
    .flatMap((project) => [...agentItems(project), ...ticketItems(project)])
    .sort((a, b) => urgency.indexOf(a.kind) - urgency.indexOf(b.kind) || a.sinceMs - b.sinceMs);
}

function agentItems({ agents, projectId, projectName }: AttentionInput): readonly AttentionItem[] {
  return agents.flatMap((agent): readonly AttentionItem[] => {
    const base = {
      projectId,
      projectName,
      agentId: agent.agentId,
      agentName: agent.name,
      sinceMs: agent.stateSinceMs,
      ...(agent.worksOn === undefined ? {} : { detail: agent.worksOn.summary }),
    };
    if (agent.state === "blocked" || agent.state === "error") return [{ ...base, kind: agent.state }];
    const resetsAtMs = agent.limit?.resetsAtMs;
    const reset = resetsAtMs === undefined ? {} : { resetsAtMs };
    if (agent.state === "limited") return [{ ...base, ...reset, kind: "limited" }];
    if (agent.limit?.source === "suspected" && agent.state !== "stopped") return [{ ...base, kind: "suspected" }];
    return agent.profileName === undefined ? [{ ...base, kind: "profile" }] : [];
  });
}

function ticketItems({ tickets, agents, projectId, projectName }: AttentionInput): readonly AttentionItem[] {
  return tickets.flatMap((ticket): readonly AttentionItem[] => {
    const agent = agents.find(({ agentId }) => agentId === ticket.to);
    const isOpen = ticket.state === "queued" || ticket.state === "delivering" || ticket.state === "delivered";
    // What an agent asked fails into that agent's own terminal; only the person's own tasks are the person's to see to.
    const failedForPerson = ticket.state === "failed" && ticket.from.kind === "human" && ticket.needsAttention;
    if (agent === undefined || !(failedForPerson || (isOpen && ticket.needsAttention))) return [];
    return [{
      kind: failedForPerson ? "failed" : "ticket",
      projectId,
      projectName,
      agentId: agent.agentId,
      agentName: agent.name,
      sinceMs: ticket.receipts.at(-1)?.atMs ?? 0,
      ticketId: ticket.id,
      detail: firstLine(ticket.task),
    }];
  });
}

export function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
