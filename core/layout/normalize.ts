/**
 * One form for each arrangement: a split inside a split of its own direction is flattened into it, a split or grid with
 * one child becomes that child, and a line of a grid that no cell ends at is no line. What the cells show, where they
 * stand and how large they are stays.
 */
import { dropUnusedLines } from "./grid.ts";
import type { Grid, LayoutNode, LayoutTree, Split, SplitChild } from "./tree.ts";
import { mapChildren } from "./tree.ts";
import { boundWeights, sumOf } from "./weights.ts";

export function normalizeTree(tree: LayoutTree): LayoutTree {
  const root = normalize(tree.root);
  return root === tree.root ? tree : { ...tree, root };
}

/** Gives the very same node back when it is in form already. */
function normalize(node: LayoutNode): LayoutNode {
  const inner = mapChildren(node, normalize);
  switch (inner.type) {
    case "leaf":
      return inner;
    case "split":
      return normalizeSplit(inner.node, inner);
    case "grid":
      return normalizeGrid(inner.node, inner);
  }
}

function normalizeSplit(split: Split, same: LayoutNode): LayoutNode {
  const children = split.children.flatMap((child) => flatten(child, split.direction));
  const [only] = children;
  if (only !== undefined && children.length === 1) return only.node;
  const weights = children.map(({ weight }) => weight);
  const bounded = boundWeights(weights);
  if (bounded === weights && children.length === split.children.length) return same;
  const weighed = children.map((child, at) => ({ ...child, weight: bounded[at] ?? child.weight }));
  return { type: "split", node: { ...split, children: weighed } };
}

function flatten(child: SplitChild, direction: Split["direction"]): readonly SplitChild[] {
  if (child.node.type !== "split" || child.node.node.direction !== direction) return [child];
  const { children } = child.node.node;
  const total = sumOf(children.map(({ weight }) => weight));
  return children.map((inner) => ({ ...inner, weight: (child.weight * inner.weight) / total }));
}

function normalizeGrid(grid: Grid, same: LayoutNode): LayoutNode {
  const tidy = dropUnusedLines(grid);
  const [only] = tidy.cells;
  if (only !== undefined && tidy.cells.length === 1) return only.node;
  const colWeights = boundWeights(tidy.colWeights);
  const rowWeights = boundWeights(tidy.rowWeights);
  const isSame = tidy === grid && colWeights === grid.colWeights && rowWeights === grid.rowWeights;
  return isSame ? same : { type: "grid", node: { ...tidy, colWeights, rowWeights } };
}
