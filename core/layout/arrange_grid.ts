/**
 * What a spreadsheet does with its cells: rows and columns come and go, blocks are merged and taken apart. Where the
 * cell is in no grid yet, the whole arrangement becomes one first; nothing moves on the screen by that.
 */
import { err, ok, type Result } from "../result.ts";
import type { LayoutError } from "./errors.ts";
import type { FreshIds } from "./fresh_ids.ts";
import {
  type Axis,
  deleteTrack,
  endOf,
  insertTrack,
  mergeCells,
  startOf,
  unmergeCell,
  weightsOf,
  withWeights,
} from "./grid.ts";
import {
  findLeaf,
  type Grid,
  type GridCell,
  type LayoutNode,
  type LayoutTree,
  pathTo,
  replaceNode,
  walkNodes,
} from "./tree.ts";
import { toGrid } from "./to_grid.ts";
import { isWeight } from "./weights.ts";

type Edited = Result<LayoutTree, LayoutError>;

export interface TrackInsertion {
  readonly cellId: string;
  readonly axis: Axis;
  readonly where: "before" | "after";
  readonly ids: FreshIds;
}

export function insertTrackAt(tree: LayoutTree, { cellId, axis, where, ids }: TrackInsertion): Edited {
  return inGridOf(tree, { cellId, ids }, (grid, cell) => {
    const line = where === "before" ? startOf(cell, axis) : endOf(cell, axis);
    return ok(insertTrack(grid, { axis, line, createNode: () => ids.emptyLeaf() }));
  });
}

/** The first row or column that the cell stands in. */
export function deleteTrackAt(
  tree: LayoutTree,
  { cellId, axis, ids }: { readonly cellId: string; readonly axis: Axis; readonly ids: FreshIds },
): Edited {
  return inGridOf(tree, { cellId, ids }, (grid, cell) => {
    const left = deleteTrack(grid, { axis, track: startOf(cell, axis) });
    return left === undefined ? err({ kind: "lastTrack", axis }) : ok(left);
  });
}

/** The smallest block with both cells becomes the first one's; what else was in it is closed. */
export function mergeCellsAt(
  tree: LayoutTree,
  { cellId, otherId, ids }: { readonly cellId: string; readonly otherId: string; readonly ids: FreshIds },
): Edited {
  if (findLeaf(tree, otherId) === undefined) return err({ kind: "cellNotFound", cellId: otherId });
  if (cellId === otherId) return err({ kind: "sameCell", cellId });
  const common = isInSameGrid(tree, cellId, otherId) ? ok(tree) : wholeAsGrid(tree, ids);
  if (!common.ok) return common;
  return inGridOf(common.value, { cellId, ids }, (grid, cell) => {
    const other = cellWith(grid, otherId);
    const merged = other === undefined || other === cell ? undefined : mergeCells(grid, cell, other);
    return merged === undefined ? err({ kind: "cannotMerge", cellIds: [cellId, otherId] }) : ok(merged);
  });
}

export function unmergeAt(
  tree: LayoutTree,
  { cellId, ids }: { readonly cellId: string; readonly ids: FreshIds },
): Edited {
  if (findLeaf(tree, cellId) === undefined) return err({ kind: "cellNotFound", cellId });
  const grid = enclosingGrid(tree, cellId);
  const cell = grid === undefined ? undefined : cellWith(grid, cellId);
  const apart = grid === undefined || cell === undefined ? undefined : unmergeCell(grid, cell, () => ids.emptyLeaf());
  return apart === undefined ? err({ kind: "notMerged", cellId }) : ok(withGrid(tree, apart));
}

export function resizeGrid(
  tree: LayoutTree,
  { gridId, axis, weights }: { readonly gridId: string; readonly axis: Axis; readonly weights: readonly number[] },
): Edited {
  const node = pathTo(tree.root, gridId).at(-1);
  if (node?.type !== "grid") return err({ kind: "nodeNotFound", nodeId: gridId });
  const expected = weightsOf(node.node, axis).length;
  if (weights.length !== expected || !weights.every(isWeight)) {
    return err({ kind: "invalidWeights", expected, actual: weights.length });
  }
  return ok(withGrid(tree, withWeights(node.node, axis, weights)));
}

/** Applies the edit to the nearest grid around the cell, and to the cell of that grid in which it stands. */
function inGridOf(
  tree: LayoutTree,
  { cellId, ids }: { readonly cellId: string; readonly ids: FreshIds },
  edit: (grid: Grid, cell: GridCell) => Result<Grid, LayoutError>,
): Edited {
  if (findLeaf(tree, cellId) === undefined) return err({ kind: "cellNotFound", cellId });
  const gridded = enclosingGrid(tree, cellId) === undefined ? wholeAsGrid(tree, ids) : ok(tree);
  if (!gridded.ok) return gridded;
  const grid = enclosingGrid(gridded.value, cellId);
  const cell = grid === undefined ? undefined : cellWith(grid, cellId);
  if (grid === undefined || cell === undefined) return err({ kind: "cellNotFound", cellId });
  const edited = edit(grid, cell);
  return edited.ok ? ok(withGrid(gridded.value, edited.value)) : edited;
}

function wholeAsGrid(tree: LayoutTree, ids: FreshIds): Edited {
  const grid = toGrid(tree.root, ids.nodeId());
  return grid === undefined ? err({ kind: "tooThin" }) : ok({ ...tree, root: { type: "grid", node: grid } });
}

function withGrid(tree: LayoutTree, grid: Grid): LayoutTree {
  const node: LayoutNode = { type: "grid", node: grid };
  return { ...tree, root: replaceNode(tree.root, grid.id, () => node) };
}

function enclosingGrid(tree: LayoutTree, cellId: string): Grid | undefined {
  const node = pathTo(tree.root, cellId).findLast(({ type }) => type === "grid");
  return node?.type === "grid" ? node.node : undefined;
}

function cellWith(grid: Grid, cellId: string): GridCell | undefined {
  return grid.cells.find(({ node }) => walkNodes(node).some((inner) => inner.node.id === cellId));
}

function isInSameGrid(tree: LayoutTree, cellId: string, otherId: string): boolean {
  const grid = enclosingGrid(tree, cellId);
  return grid !== undefined && grid.id === enclosingGrid(tree, otherId)?.id;
}
