/**
 * Restores the invariants of a tree that a file brought: older versions could name an agent or a session twice, people
 * and merges can break anything. What is seen first in reading order is kept, the rest is cleared; no cell is lost.
 */
import { createId } from "../ids.ts";
import { deriveUuid } from "../workspace/derived_id.ts";
import { isCovered } from "./grid.ts";
import { normalizeTree } from "./normalize.ts";
import { type Grid, type LayoutNode, type LayoutTree, type Leaf, mapChildren } from "./tree.ts";
import { repairWeights } from "./weights.ts";

/** What was met so far: several trees share it when they may not name the same things. */
export interface Seen {
  readonly ids: Set<string>;
  readonly sessions: Set<string>;
  readonly agents: Set<string>;
}

export function nothingSeen(): Seen {
  return { ids: new Set(), sessions: new Set(), agents: new Set() };
}

/** Gives the very same tree back when nothing is wrong with it. */
export function repairTree(tree: LayoutTree, seen: Seen = nothingSeen()): LayoutTree {
  const root = repairBindings(repairShape(tree.root), seen);
  return normalizeTree(root === tree.root ? tree : { ...tree, root });
}

function repairShape(node: LayoutNode): LayoutNode {
  const inner = mapChildren(node, repairShape);
  switch (inner.type) {
    case "leaf":
      return inner;
    case "split": {
      const weights = inner.node.children.map(({ weight }) => weight);
      const repaired = repairWeights(weights);
      if (repaired === weights) return inner;
      const children = inner.node.children.map((child, at) => ({ ...child, weight: repaired[at] ?? 1 }));
      return { ...inner, node: { ...inner.node, children } };
    }
    case "grid":
      return repairGrid(inner.node, inner);
  }
}

/** Cells that do not cover their grid are stacked instead: nobody knows how they were meant. */
function repairGrid(grid: Grid, same: LayoutNode): LayoutNode {
  if (!isCovered(grid)) {
    const children = grid.cells.map(({ node }) => ({ node, weight: 1 }));
    return { type: "split", node: { id: grid.id, direction: "column", children } };
  }
  const colWeights = repairWeights(grid.colWeights);
  const rowWeights = repairWeights(grid.rowWeights);
  if (colWeights === grid.colWeights && rowWeights === grid.rowWeights) return same;
  return { type: "grid", node: { ...grid, colWeights, rowWeights } };
}

function repairBindings(node: LayoutNode, seen: Seen): LayoutNode {
  const id = takeId(node.node.id, seen);
  if (node.type === "leaf") {
    const leaf = repairLeaf(node.node, seen);
    return leaf === node.node && id === leaf.id ? node : { ...node, node: { ...leaf, id: createId("cell", id) } };
  }
  const inner = mapChildren(node, (child) => repairBindings(child, seen));
  if (id === inner.node.id) return inner;
  return inner.type === "split"
    ? { ...inner, node: { ...inner.node, id } }
    : inner.type === "grid"
    ? { ...inner, node: { ...inner.node, id } }
    : inner;
}

/** A repeated id gives way to one that is the same each time the file is opened. */
function takeId(id: string, { ids }: Seen): string {
  let own = id;
  while (ids.has(own)) own = deriveUuid(`repeated ${own}`);
  ids.add(own);
  return own;
}

function repairLeaf(leaf: Leaf, { sessions, agents }: Seen): Leaf {
  let repaired = leaf;
  if (leaf.session !== undefined && !isFirst(leaf.session, sessions)) {
    const { session: _, ...rest } = repaired;
    repaired = rest;
  }
  if (leaf.agent !== undefined && !isFirst(leaf.agent, agents)) {
    const { agent: _agent, agentWasRunning: _running, conversationId: _conversation, ...rest } = repaired;
    repaired = rest;
  }
  if (repaired.agent === undefined && repaired.agentWasRunning === true) {
    const { agentWasRunning: _, ...rest } = repaired;
    repaired = rest;
  }
  return repaired;
}

function isFirst(item: string, seen: Set<string>): boolean {
  if (seen.has(item)) return false;
  seen.add(item);
  return true;
}
