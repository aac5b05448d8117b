/** An agent as a window or a script sees it: the manifest's entry, what runs, and what waits, put together. */
import type { AgentEntry } from "../agents/manifest.ts";
import type { ProfileId } from "../ids.ts";
import { describeHold, explainQueue, type WaitCause } from "../orchestration/explain.ts";
import { type AgentSlot, slotOf, ticketInWork } from "../orchestration/mediator_state.ts";
import type { SessionLimit } from "../limits/limits.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import type { AgentExplanation, AgentLimit, AgentView } from "./agents.ts";
import type { LimitWatch } from "./limits.ts";
import type { ProjectRuntime } from "./project_runtime.ts";

/** Of a task in a list. */
const SUMMARY_CHARS = 120;

export interface ViewPorts {
  readonly profile: (profileId: ProfileId) => AgentProfile | undefined;
  readonly limits: Pick<LimitWatch, "limitOf">;
}

export function viewAgent(ports: ViewPorts, runtime: ProjectRuntime, entry: AgentEntry): AgentView {
  const { agentId, name, profileId } = entry;
  const state = runtime.runner.state();
  const slot = slotOf(state, agentId);
  const live = runtime.live.get(agentId)?.agent;
  const inWork = ticketInWork(state, agentId)?.ticket;
  const profileName = ports.profile(profileId)?.name;
  const cellId = live?.cellId();
  const limit = ports.limits.limitOf(runtime.projectId, agentId);
  return {
    agentId,
    projectId: runtime.projectId,
    name,
    profileId,
    ...(profileName === undefined ? {} : { profileName }),
    skills: (entry.skills ?? []).map(({ skillId }) => skillId),
    state: stateOf(slot, live?.status().state),
    stateSinceMs: live?.status().sinceMs ?? 0,
    ...(live === undefined ? {} : { sessionId: live.sessionId }),
    ...(cellId === undefined ? {} : { cellId }),
    ...(inWork === undefined ? {} : {
      worksOn: {
        ticketId: inWork.id,
        from: runtime.partyName(inWork.from),
        summary: inWork.task.replaceAll(/\s+/g, " ").trim().slice(0, SUMMARY_CHARS),
      },
    }),
    queueLength: slot.queue.length,
    ...(limit === undefined ? {} : { limit: viewLimit(limit) }),
  };
}

function viewLimit({ source, sinceMs, detail, resetsAtMs, plan }: SessionLimit): AgentLimit {
  return {
    source,
    sinceMs,
    detail,
    ...(resetsAtMs === undefined ? {} : { resetsAtMs }),
    ...(plan.kind === "scheduled" ? { resumesAtMs: plan.fireAtMs } : {}),
  };
}

/** The mediator knows of a start before there is a session, and of a limit that outlives one. */
function stateOf(slot: AgentSlot, live: AgentView["state"] | undefined): AgentView["state"] {
  if (slot.limit !== undefined) return "limited";
  return live ?? (slot.presence === "starting" ? "starting" : "stopped");
}

export function explainAgent(ports: ViewPorts, runtime: ProjectRuntime, entry: AgentEntry): AgentExplanation {
  const state = runtime.runner.state();
  const slot = slotOf(state, entry.agentId);
  const status = runtime.live.get(entry.agentId)?.agent.status();
  const inWork = ticketInWork(state, entry.agentId)?.ticket;
  const queued = slot.queue.flatMap((ticketId) => state.open.get(ticketId)?.ticket ?? []);
  return {
    agent: viewAgent(ports, runtime, entry),
    authority: status?.authority ?? "none",
    signals: status?.history ?? [],
    waitsFor: explainQueue(state, entry.agentId).map((cause) => describeCause(runtime, cause)),
    queue: inWork === undefined ? queued : [inWork, ...queued],
  };
}

function describeCause(runtime: ProjectRuntime, cause: WaitCause): string {
  switch (cause.kind) {
    case "turn":
      return describeTurn(runtime, cause.turn);
    case "needsAttention":
      return `a person to look at its terminal: ticket ${cause.ticketId} was typed and not taken`;
    default:
      return describeHold(cause);
  }
}

function describeTurn(runtime: ProjectRuntime, turn: (WaitCause & { readonly kind: "turn" })["turn"]): string {
  switch (turn.kind) {
    case "ticket": {
      const from = runtime.runner.ticket(turn.ticketId)?.from;
      return `the end of its work on ticket ${turn.ticketId}${
        from === undefined ? "" : ` of ${runtime.partyName(from)}`
      }`;
    }
    case "leftover":
      return `the end of the turn on ticket ${turn.ticketId}, which is closed`;
    case "person":
      return "the end of a turn that a person began in its terminal";
    case "unknown":
      return `the end of work that nobody here asked for (${turn.signal})`;
  }
}
