/** What cells show. Binding moves: a session or an agent that another cell has leaves that cell. */
import type { AgentId, SessionId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import type { LayoutError } from "./errors.ts";
import { findLeaf, type LayoutNode, type LayoutTree, type Leaf, leavesOf, mapChildren } from "./tree.ts";

type Edited = Result<LayoutTree, LayoutError>;

/** null: the cell shows nothing; the session lives on. */
export function setSession(tree: LayoutTree, cellId: string, sessionId: SessionId | null): Edited {
  return editLeaves(tree, cellId, (leaf) => {
    if (leaf.id === cellId) return sessionId === null ? withoutSession(leaf) : withSession(leaf, sessionId);
    return leaf.session === sessionId ? withoutSession(leaf) : leaf;
  });
}

/** null: the cell is nobody's. An agent that moves brings along that it was running. */
export function setAgent(tree: LayoutTree, cellId: string, agentId: AgentId | null): Edited {
  const wasRunning = leavesOf(tree).some((leaf) => leaf.agent === agentId && leaf.agentWasRunning === true);
  return editLeaves(tree, cellId, (leaf) => {
    if (leaf.id !== cellId) return leaf.agent === agentId ? withoutAgent(leaf) : leaf;
    if (leaf.agent === agentId) return leaf;
    const free = withoutAgent(leaf);
    if (agentId === null) return free;
    return { ...free, agent: agentId, ...(wasRunning ? { agentWasRunning: true } : {}) };
  });
}

/** Whether the agent of that cell has a live session: what is true when IdeA goes down is offered to be resumed. */
export function setRunning(tree: LayoutTree, cellId: string, running: boolean): Edited {
  return editLeaves(tree, cellId, (leaf) => {
    if (leaf.id !== cellId || leaf.agent === undefined) return leaf;
    if (running) return leaf.agentWasRunning === true ? leaf : { ...leaf, agentWasRunning: true };
    return withoutRunning(leaf);
  });
}

/** Sessions that are gone leave their cells; the very same tree when there are none. */
export function dropSessions(tree: LayoutTree, isGone: (sessionId: SessionId) => boolean): LayoutTree {
  return mapTree(tree, (leaf) => (leaf.session !== undefined && isGone(leaf.session) ? withoutSession(leaf) : leaf));
}

export function mapTree(tree: LayoutTree, edit: (leaf: Leaf) => Leaf): LayoutTree {
  const map = (node: LayoutNode): LayoutNode => {
    if (node.type !== "leaf") return mapChildren(node, map);
    const leaf = edit(node.node);
    return leaf === node.node ? node : { ...node, node: leaf };
  };
  const root = map(tree.root);
  return root === tree.root ? tree : { ...tree, root };
}

export function withSession(leaf: Leaf, session: SessionId): Leaf {
  return leaf.session === session ? leaf : { ...leaf, session };
}

export function withoutSession(leaf: Leaf): Leaf {
  if (leaf.session === undefined) return leaf;
  const { session: _, ...rest } = leaf;
  return rest;
}

export function withoutAgent(leaf: Leaf): Leaf {
  if (leaf.agent === undefined) return leaf;
  const { agent: _agent, agentWasRunning: _running, conversationId: _conversation, ...rest } = leaf;
  return rest;
}

function withoutRunning(leaf: Leaf): Leaf {
  if (leaf.agentWasRunning === undefined) return leaf;
  const { agentWasRunning: _, ...rest } = leaf;
  return rest;
}

function editLeaves(tree: LayoutTree, cellId: string, edit: (leaf: Leaf) => Leaf): Edited {
  return findLeaf(tree, cellId) === undefined ? err({ kind: "cellNotFound", cellId }) : ok(mapTree(tree, edit));
}
