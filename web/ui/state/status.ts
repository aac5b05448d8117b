/** The state of many agents at a glance: which one to show when there is room for one. */
import type { AgentState, AgentView } from "./views.ts";

/** The first that any agent is in wins: what needs a person stands before what only goes on. */
const order: readonly AgentState[] = ["blocked", "error", "limited", "working", "starting", "done", "idle", "stopped"];

export function summariseStates(agents: readonly Pick<AgentView, "state">[]): AgentState {
  return order.find((state) => agents.some((agent) => agent.state === state)) ?? "stopped";
}

export function isRunning(agent: Pick<AgentView, "state" | "sessionId">): boolean {
  // A limit outlives its session.
  if (agent.state === "limited") return agent.sessionId !== undefined;
  return agent.state !== "stopped" && agent.state !== "error";
}
