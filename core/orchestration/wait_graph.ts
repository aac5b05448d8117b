/**
 * Who waits for whom: an edge A → B is an open ticket from A to B with a live waiter. An ask that would close a circle
 * can never be answered, so it is refused with the path.
 */
import type { AgentId } from "../ids.ts";
import type { MediatorState } from "./mediator_state.ts";

export function waitEdges(state: MediatorState): ReadonlyMap<AgentId, ReadonlySet<AgentId>> {
  const edges = new Map<AgentId, Set<AgentId>>();
  for (const { ticket, waiters } of state.open.values()) {
    if (waiters === 0 || ticket.from.kind !== "agent") continue;
    const targets = edges.get(ticket.from.agentId) ?? new Set();
    edges.set(ticket.from.agentId, targets.add(ticket.to));
  }
  return edges;
}

/** The shortest circle that a wait of asker for target would close: [asker, target, ..., asker], or undefined. */
export function findCycle(state: MediatorState, asker: AgentId, target: AgentId): readonly AgentId[] | undefined {
  if (asker === target) return [asker, asker];
  const edges = waitEdges(state);
  const cameFrom = new Map<AgentId, AgentId>([[target, asker]]);
  const frontier = [target];
  for (const agentId of frontier) {
    for (const next of edges.get(agentId) ?? []) {
      if (next === asker) return [...pathTo(cameFrom, agentId, asker), asker];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, agentId);
      frontier.push(next);
    }
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<AgentId, AgentId>, last: AgentId, asker: AgentId): readonly AgentId[] {
  const path = [last];
  for (let at = last; at !== asker;) {
    const before = cameFrom.get(at);
    if (before === undefined) break;
    path.unshift(before);
    at = before;
  }
  return path;
}
