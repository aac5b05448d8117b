/**
 * The layout of a window's terminals: a tree whose leaves are cells, as `layouts.json` has it. A cell shows at most one
 * session; it is a view, which may be bound again.
 *
 * Invariants, kept by every operation, checked by check.ts and restored by repair.ts when a file breaks them:
 *  1. Weights are finite and positive.
 *  2. The cells of a grid cover it exactly: no gap, no overlap, nothing outside.
 *  3. Ids are unique in the tree.
 *  4. A session is in one leaf at most.
 *  5. An agent is in one leaf at most: it has one live session, and the cell is where it is shown.
 *  6. A split has two children at least, and none that is a split of its own direction; a grid has two cells at least.
 */
import type { AgentId, CellId, SessionId } from "../ids.ts";

// Type aliases, for only these are assignable to the loose objects that schemas at the doors give.

export type Leaf = {
  readonly id: CellId;
  readonly session?: SessionId;
  readonly agent?: AgentId;
  /** The agent had a live session when the layout was saved: it is offered to be resumed. */
  readonly agentWasRunning?: boolean;
  readonly conversationId?: string;
};

/** row: children side by side; column: one above the other. */
export type Direction = "row" | "column";

export type SplitChild = {
  readonly node: LayoutNode;
  readonly weight: number;
};

export type Split = {
  readonly id: string;
  readonly direction: Direction;
  readonly children: readonly SplitChild[];
};

export type GridCell = {
  readonly node: LayoutNode;
  readonly row: number;
  readonly col: number;
  readonly rowSpan: number;
  readonly colSpan: number;
};

export type Grid = {
  readonly id: string;
  readonly colWeights: readonly number[];
  readonly rowWeights: readonly number[];
  readonly cells: readonly GridCell[];
};

export type LayoutNode =
  | { readonly type: "leaf"; readonly node: Leaf }
  | { readonly type: "split"; readonly node: Split }
  | { readonly type: "grid"; readonly node: Grid };

export type LayoutTree = {
  readonly root: LayoutNode;
};

export function childrenOf(node: LayoutNode): readonly LayoutNode[] {
  switch (node.type) {
    case "leaf":
      return [];
    case "split":
      return node.node.children.map((child) => child.node);
    case "grid":
      return node.node.cells.map((cell) => cell.node);
  }
}

/** The node itself, then all below it, in reading order. */
export function walkNodes(node: LayoutNode): readonly LayoutNode[] {
  return [node, ...childrenOf(node).flatMap(walkNodes)];
}

export function leavesOf(tree: LayoutTree): readonly Leaf[] {
  return walkNodes(tree.root).flatMap((node) => (node.type === "leaf" ? [node.node] : []));
}

export function findLeaf(tree: LayoutTree, cellId: string): Leaf | undefined {
  return leavesOf(tree).find((leaf) => leaf.id === cellId);
}

/** The node with edit applied to each of its children, in order; what edit gives back unchanged is not copied. */
export function mapChildren(node: LayoutNode, edit: (child: LayoutNode) => LayoutNode): LayoutNode {
  const nodes = childrenOf(node);
  const edited = nodes.map(edit);
  if (edited.every((child, at) => child === nodes[at])) return node;
  const childAt = (at: number, before: LayoutNode) => edited[at] ?? before;
  switch (node.type) {
    case "leaf":
      return node;
    case "split": {
      const children = node.node.children.map((child, at) => ({ ...child, node: childAt(at, child.node) }));
      return { ...node, node: { ...node.node, children } };
    }
    case "grid": {
      const cells = node.node.cells.map((cell, at) => ({ ...cell, node: childAt(at, cell.node) }));
      return { ...node, node: { ...node.node, cells } };
    }
  }
}

/** From the root to the node with that id; empty when there is none. */
export function pathTo(root: LayoutNode, id: string): readonly LayoutNode[] {
  if (root.node.id === id) return [root];
  for (const child of childrenOf(root)) {
    const path = pathTo(child, id);
    if (path.length > 0) return [root, ...path];
  }
  return [];
}

/** The tree with another node in place of the one with that id. */
export function replaceNode(node: LayoutNode, id: string, edit: (node: LayoutNode) => LayoutNode): LayoutNode {
  return node.node.id === id ? edit(node) : mapChildren(node, (child) => replaceNode(child, id, edit));
}

export function depthOf(node: LayoutNode): number {
  return 1 + Math.max(0, ...childrenOf(node).map(depthOf));
}
