/** Where cells stand: splitting, closing, moving, swapping, and the sizes of splits. */
import { err, ok, type Result } from "../result.ts";
import type { LayoutError } from "./errors.ts";
import type { FreshIds } from "./fresh_ids.ts";
import { removeCell } from "./grid.ts";
import {
  type Direction,
  findLeaf,
  type LayoutNode,
  type LayoutTree,
  type Leaf,
  mapChildren,
  pathTo,
  replaceNode,
  type Split,
} from "./tree.ts";
import { isWeight } from "./weights.ts";

export type Side = "left" | "right" | "above" | "below";
type Edited = Result<LayoutTree, LayoutError>;

/** A new empty cell beside that one, which gives half of its place. Its id is the first fresh one. */
export function splitCell(
  tree: LayoutTree,
  { cellId, side, ids }: { cellId: string; side: Side; ids: FreshIds },
): Edited {
  if (findLeaf(tree, cellId) === undefined) return err({ kind: "cellNotFound", cellId });
  return ok(insertBeside(tree, { node: ids.emptyLeaf(), targetId: cellId, side, ids }));
}

/** The neighbour takes its place. The last cell of a tree stays, empty. */
export function closeCell(tree: LayoutTree, cellId: string): Edited {
  const path = pathTo(tree.root, cellId);
  const [node, parent] = [path.at(-1), path.at(-2)];
  if (node?.type !== "leaf") return err({ kind: "cellNotFound", cellId });
  if (parent === undefined) return ok({ ...tree, root: { type: "leaf", node: { id: node.node.id } } });
  const shrunk = withoutChild(parent, node);
  if (shrunk === undefined) return err({ kind: "cannotClose", cellId });
  return ok({ ...tree, root: replaceNode(tree.root, parent.node.id, () => shrunk) });
}

export interface Move {
  readonly cellId: string;
  readonly targetId: string;
  /** replace: the target's cell is closed and this one stands there. */
  readonly place: Side | "swap" | "replace";
  readonly ids: FreshIds;
}

export function moveCell(tree: LayoutTree, { cellId, targetId, place, ids }: Move): Edited {
  const [leaf, target] = [findLeaf(tree, cellId), findLeaf(tree, targetId)];
  if (leaf === undefined) return err({ kind: "cellNotFound", cellId });
  if (target === undefined) return err({ kind: "cellNotFound", cellId: targetId });
  if (cellId === targetId) return err({ kind: "sameCell", cellId });
  if (place === "swap") return ok(swapLeaves(tree, leaf, target));
  // In place of the target: the two change places, and the one that then stands where this one stood is closed.
  if (place === "replace") return closeCell(swapLeaves(tree, leaf, target), targetId);
  const taken = closeCell(tree, cellId);
  if (!taken.ok) return taken;
  return ok(insertBeside(taken.value, { node: { type: "leaf", node: leaf }, targetId, side: place, ids }));
}

export function resizeSplit(tree: LayoutTree, splitId: string, weights: readonly number[]): Edited {
  const split = pathTo(tree.root, splitId).at(-1);
  if (split?.type !== "split") return err({ kind: "nodeNotFound", nodeId: splitId });
  const { children } = split.node;
  if (weights.length !== children.length || !weights.every(isWeight)) {
    return err({ kind: "invalidWeights", expected: children.length, actual: weights.length });
  }
  const resized = children.map((child, at) => ({ ...child, weight: weights[at] ?? child.weight }));
  const node: Split = { ...split.node, children: resized };
  return ok({ ...tree, root: replaceNode(tree.root, splitId, () => ({ ...split, node })) });
}

function swapLeaves(tree: LayoutTree, a: Leaf, b: Leaf): LayoutTree {
  const swap = (node: LayoutNode): LayoutNode => ({ type: "leaf", node: node.node.id === a.id ? b : a });
  const place = (node: LayoutNode): LayoutNode => {
    if (node.node.id === a.id || node.node.id === b.id) return swap(node);
    return mapChildren(node, place);
  };
  return { ...tree, root: place(tree.root) };
}

interface Insertion {
  readonly node: LayoutNode;
  readonly targetId: string;
  readonly side: Side;
  readonly ids: FreshIds;
}

function insertBeside(tree: LayoutTree, { node, targetId, side, ids }: Insertion): LayoutTree {
  const direction: Direction = side === "left" || side === "right" ? "row" : "column";
  const isBefore = side === "left" || side === "above";
  const parent = pathTo(tree.root, targetId).at(-2);
  if (parent?.type === "split" && parent.node.direction === direction) {
    const children = parent.node.children.flatMap((child) => {
      if (child.node.node.id !== targetId) return [child];
      const half = child.weight / 2;
      const [old, fresh] = [{ ...child, weight: half }, { node, weight: half }];
      return isBefore ? [fresh, old] : [old, fresh];
    });
    const grown: LayoutNode = { ...parent, node: { ...parent.node, children } };
    return { ...tree, root: replaceNode(tree.root, parent.node.id, () => grown) };
  }
  const splitId = ids.nodeId();
  const wrap = (target: LayoutNode): LayoutNode => {
    const children = (isBefore ? [node, target] : [target, node]).map((child) => ({ node: child, weight: 1 }));
    return { type: "split", node: { id: splitId, direction, children } };
  };
  return { ...tree, root: replaceNode(tree.root, targetId, wrap) };
}

/** undefined when nobody in a grid can take the child's place. */
function withoutChild(parent: LayoutNode, child: LayoutNode): LayoutNode | undefined {
  switch (parent.type) {
    case "leaf":
      return undefined;
    case "split": {
      const { children } = parent.node;
      const at = children.findIndex(({ node }) => node === child);
      const freed = children[at]?.weight ?? 0;
      // The sum stays: closing and splitting for years must not wear the weights down.
      const heir = at > 0 ? at - 1 : at + 1;
      const grown = children.map((other, index) => index === heir ? { ...other, weight: other.weight + freed } : other);
      return { ...parent, node: { ...parent.node, children: grown.toSpliced(at, 1) } };
    }
    case "grid": {
      const cell = parent.node.cells.find(({ node }) => node === child);
      const grid = cell === undefined ? undefined : removeCell(parent.node, cell);
      return grid === undefined ? undefined : { type: "grid", node: grid };
    }
  }
}
