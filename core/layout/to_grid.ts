/** Any arrangement as one flat grid: every border of a cell becomes a line. What is seen does not change. */
import type { Grid, GridCell, LayoutNode, Leaf } from "./tree.ts";
import { sumOf } from "./weights.ts";

/** Fractions of the whole. */
interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Borders nearer than this are one line: the same place, reached by other sums. */
const SAME_LINE = 1e-9;

/** undefined when a cell is so thin that it would lie between two lines that are taken for one. */
export function toGrid(node: LayoutNode, id: string): Grid | undefined {
  const placed = placeLeaves(node, { left: 0, right: 1, top: 0, bottom: 1 });
  const cols = linesOf(placed.flatMap(({ rect }) => [rect.left, rect.right]));
  const rows = linesOf(placed.flatMap(({ rect }) => [rect.top, rect.bottom]));
  const cells = placed.map(({ leaf, rect }): GridCell => {
    const [col, row] = [lineAt(cols, rect.left), lineAt(rows, rect.top)];
    const [colSpan, rowSpan] = [lineAt(cols, rect.right) - col, lineAt(rows, rect.bottom) - row];
    return { node: { type: "leaf", node: leaf }, row, col, rowSpan, colSpan };
  });
  if (cells.some(({ rowSpan, colSpan }) => rowSpan < 1 || colSpan < 1)) return undefined;
  cells.sort((a, b) => a.row - b.row || a.col - b.col);
  return { id, colWeights: gapsOf(cols), rowWeights: gapsOf(rows), cells };
}

interface PlacedLeaf {
  readonly leaf: Leaf;
  readonly rect: Rect;
}

function placeLeaves(node: LayoutNode, rect: Rect): readonly PlacedLeaf[] {
  switch (node.type) {
    case "leaf":
      return [{ leaf: node.node, rect }];
    case "split": {
      const { direction, children } = node.node;
      const edges = edgesOf(children.map(({ weight }) => weight));
      return children.flatMap((child, at) =>
        placeLeaves(child.node, cut(rect, direction === "row", edges, [at, at + 1]))
      );
    }
    case "grid": {
      const [cols, rows] = [edgesOf(node.node.colWeights), edgesOf(node.node.rowWeights)];
      return node.node.cells.flatMap((cell) => {
        const column = cut(rect, true, cols, [cell.col, cell.col + cell.colSpan]);
        return placeLeaves(cell.node, cut(column, false, rows, [cell.row, cell.row + cell.rowSpan]));
      });
    }
  }
}

/** 0, the running sums as fractions, 1. */
function edgesOf(weights: readonly number[]): readonly number[] {
  const total = sumOf(weights);
  let sum = 0;
  const edges = weights.map((weight) => (sum += weight) / total);
  return [0, ...edges.slice(0, -1), 1];
}

function cut(rect: Rect, sideways: boolean, edges: readonly number[], [from, to]: readonly [number, number]): Rect {
  const place = (low: number, high: number, at: number) => low + (high - low) * (edges[at] ?? 1);
  return sideways
    ? { ...rect, left: place(rect.left, rect.right, from), right: place(rect.left, rect.right, to) }
    : { ...rect, top: place(rect.top, rect.bottom, from), bottom: place(rect.top, rect.bottom, to) };
}

function linesOf(positions: readonly number[]): readonly number[] {
  const sorted = [...positions].sort((a, b) => a - b);
  return sorted.filter((position, at) => at === 0 || position - (sorted[at - 1] ?? 0) > SAME_LINE);
}

function lineAt(lines: readonly number[], position: number): number {
  const after = lines.findIndex((line) => line > position + SAME_LINE);
  return (after === -1 ? lines.length : after) - 1;
}

function gapsOf(lines: readonly number[]): readonly number[] {
  return lines.slice(1).map((line, at) => line - (lines[at] ?? 0));
}
