/**
 * Where each cell of a layout tree stands, in fractions of the grid, and the borders that can be dragged.
 *
 * The page draws cells as one flat list of absolutely placed boxes and not as nested ones: splitting, moving and closing
 * cells then moves boxes, and never takes a live terminal out of the document.
 */
import type { CellId } from "../../../core/ids.ts";
import { resizeSplit } from "../../../core/layout/arrange.ts";
import { resizeGrid } from "../../../core/layout/arrange_grid.ts";
import { endOf, otherAxis, startOf, weightsOf } from "../../../core/layout/grid.ts";
import type { Grid, LayoutNode, LayoutTree, Leaf, Split } from "../../../core/layout/tree.ts";
import { sumOf } from "../../../core/layout/weights.ts";

/** Fractions of the grid, 0..1. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CellBox {
  readonly leaf: Leaf;
  readonly rect: Rect;
  /** It stands over several rows or columns of a grid. */
  readonly merged: boolean;
}

/** Whose parts a border parts. */
export type BorderOwner =
  | { readonly kind: "split"; readonly splitId: string }
  | { readonly kind: "grid"; readonly gridId: string; readonly axis: "row" | "col" };

export interface Border {
  readonly of: BorderOwner;
  /** Between the parts index and index + 1. */
  readonly index: number;
  readonly direction: "row" | "column";
  readonly weights: readonly number[];
  /** Along the direction the whole split or grid; across it the border itself, which merged cells may interrupt. */
  readonly area: Rect;
  /** Along the direction, as a fraction of the grid. */
  readonly at: number;
}

export interface Geometry {
  readonly cells: readonly CellBox[];
  readonly borders: readonly Border[];
}

const WHOLE: Rect = { x: 0, y: 0, width: 1, height: 1 };

export function placeCells({ root }: LayoutTree): Geometry {
  const cells: CellBox[] = [];
  const borders: Border[] = [];
  place(root, WHOLE);
  return { cells, borders };

  function place(node: LayoutNode, rect: Rect, merged = false): void {
    switch (node.type) {
      case "leaf":
        cells.push({ leaf: node.node, rect, merged });
        return;
      case "split":
        return placeSplit(node.node, rect);
      case "grid":
        return placeGrid(node.node, rect);
    }
  }

  function placeSplit(split: Split, rect: Rect): void {
    const { id, direction } = split;
    const weights = split.children.map(({ weight }) => weight);
    const edges = edgesOf(weights);
    split.children.forEach((child, index) => {
      const [from, to] = [edges[index] ?? 0, edges[index + 1] ?? 1];
      const part = part1d(rect, { direction, from, to });
      if (index > 0) {
        borders.push({
          of: { kind: "split", splitId: id },
          index: index - 1,
          direction,
          weights,
          area: rect,
          at: edgeAt(rect, direction, from),
        });
      }
      place(child.node, part);
    });
  }

  function placeGrid(grid: Grid, rect: Rect): void {
    const cols = edgesOf(grid.colWeights);
    const rows = edgesOf(grid.rowWeights);
    for (const cell of grid.cells) {
      const across = part1d(rect, {
        direction: "row",
        from: cols[cell.col] ?? 0,
        to: cols[cell.col + cell.colSpan] ?? 1,
      });
      place(
        cell.node,
        part1d(across, { direction: "column", from: rows[cell.row] ?? 0, to: rows[cell.row + cell.rowSpan] ?? 1 }),
        cell.rowSpan > 1 || cell.colSpan > 1,
      );
    }
    borders.push(...gridBorders(grid, rect, "col"), ...gridBorders(grid, rect, "row"));
  }
}

/** The lines between the tracks, each in the pieces that merged cells leave of it. */
function gridBorders(grid: Grid, rect: Rect, axis: "row" | "col"): readonly Border[] {
  const [direction, other] = axis === "col" ? ["row", "column"] as const : ["column", "row"] as const;
  const weights = weightsOf(grid, axis);
  const across = otherAxis(axis);
  const [edges, edgesAcross] = [edgesOf(weights), edgesOf(weightsOf(grid, across))];
  const isCut = (line: number, track: number) =>
    grid.cells.some((cell) =>
      startOf(cell, axis) < line && line < endOf(cell, axis) && startOf(cell, across) <= track &&
      track < endOf(cell, across)
    );
  return weights.slice(1).flatMap((_, index) =>
    runsOf(edgesAcross.length - 1, (track) => !isCut(index + 1, track)).map(([from, to]): Border => ({
      of: { kind: "grid", gridId: grid.id, axis },
      index,
      direction,
      weights,
      area: part1d(rect, { direction: other, from: edgesAcross[from] ?? 0, to: edgesAcross[to] ?? 1 }),
      at: edgeAt(rect, direction, edges[index + 1] ?? 1),
    }))
  );
}

/** Runs of numbers below count that pass, as [first, after the last]. */
function runsOf(count: number, passes: (n: number) => boolean): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let n = 0; n < count; n++) {
    const last = runs.at(-1);
    if (!passes(n)) continue;
    if (last?.[1] === n) last[1] = n + 1;
    else runs.push([n, n + 1]);
  }
  return runs;
}

/** The tree with other weights on both sides of a border; as it was when they do not fit. */
export function withBorder(tree: LayoutTree, of: BorderOwner, weights: readonly number[]): LayoutTree {
  const resized = of.kind === "split"
    ? resizeSplit(tree, of.splitId, weights)
    : resizeGrid(tree, { gridId: of.gridId, axis: of.axis, weights });
  return resized.ok ? resized.value : tree;
}

/** Of weights 1, 3: 0, 0.25, 1. */
function edgesOf(weights: readonly number[]): readonly number[] {
  const total = sumOf(weights);
  let sum = 0;
  return [0, ...weights.map((weight) => (sum += weight) / total)];
}

function part1d(
  rect: Rect,
  { direction, from, to }: { readonly direction: "row" | "column"; readonly from: number; readonly to: number },
): Rect {
  return direction === "row"
    ? { ...rect, x: rect.x + rect.width * from, width: rect.width * (to - from) }
    : { ...rect, y: rect.y + rect.height * from, height: rect.height * (to - from) };
}

function edgeAt(rect: Rect, direction: "row" | "column", fraction: number): number {
  return direction === "row" ? rect.x + rect.width * fraction : rect.y + rect.height * fraction;
}

/**
 * The weights after the border is moved by a fraction of the split. Only its two neighbours change, and neither falls
 * under minFraction of the split, so every cell can still show a prompt.
 */
export function moveBorder(
  border: Pick<Border, "weights" | "index">,
  { by, minFraction }: { readonly by: number; readonly minFraction: number },
): readonly number[] {
  const total = sumOf(border.weights);
  const before = border.weights[border.index];
  const after = border.weights[border.index + 1];
  if (before === undefined || after === undefined) return border.weights;
  const min = Math.min(minFraction * total, (before + after) / 2);
  const moved = Math.min(Math.max(before + by * total, min), before + after - min);
  return border.weights.map((weight, index) => {
    if (index === border.index) return moved;
    return index === border.index + 1 ? before + after - moved : weight;
  });
}

export type Direction = "left" | "right" | "up" | "down";

/** The nearest cell in that direction, as the eye finds it: touching first, then by how much of the side is shared. */
export function neighbourOf(cells: readonly CellBox[], from: Rect, direction: Direction): CellBox | undefined {
  let best: { readonly cell: CellBox; readonly distance: number } | undefined;
  for (const cell of cells) {
    const { rect } = cell;
    const gap = gapTo(from, rect, direction);
    const horizontal = direction === "left" || direction === "right";
    const shared = horizontal
      ? overlap([from.y, from.y + from.height], [rect.y, rect.y + rect.height])
      : overlap([from.x, from.x + from.width], [rect.x, rect.x + rect.width]);
    if (gap < -1e-6 || shared <= 1e-6) continue;
    const distance = gap - shared / 1_000;
    if (best === undefined || distance < best.distance) best = { cell, distance };
  }
  return best?.cell;
}

function gapTo(from: Rect, to: Rect, direction: Direction): number {
  switch (direction) {
    case "left":
      return from.x - (to.x + to.width);
    case "right":
      return to.x - (from.x + from.width);
    case "up":
      return from.y - (to.y + to.height);
    case "down":
      return to.y - (from.y + from.height);
  }
}

function overlap(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
}

/** The border of a cell that the arrow keys move: the one after it, else the one before it. */
export function borderOf(geometry: Geometry, cell: Rect, direction: Direction): Border | undefined {
  const along = direction === "left" || direction === "right" ? "row" : "column";
  const [before, after] = along === "row" ? [cell.x, cell.x + cell.width] : [cell.y, cell.y + cell.height];
  const at = (edge: number) =>
    geometry.borders.find((border) =>
      border.direction === along && Math.abs(border.at - edge) < 1e-6 && touches(border, cell)
    );
  return at(after) ?? at(before);
}

function touches({ direction, area }: Border, cell: Rect): boolean {
  return direction === "row"
    ? overlap([area.y, area.y + area.height], [cell.y, cell.y + cell.height]) > 1e-6
    : overlap([area.x, area.x + area.width], [cell.x, cell.x + cell.width]) > 1e-6;
}

/** For CSS. */
export function percent(fraction: number): string {
  return `${fraction * 100}%`;
}

export type Place = "left" | "right" | "above" | "below" | "swap";

export interface Drop {
  readonly targetId: CellId;
  readonly place: Place;
  /** What the moved cell would cover, as far as it can be said before. */
  readonly rect: Rect;
}

/** The middle of a cell swaps; what is nearer to an edge goes there. */
const MIDDLE = 0.25;

/** Where a cell would go when it is let go at that point (fractions of the grid); undefined over itself or outside. */
export function dropAt(
  cells: readonly CellBox[],
  moved: CellId,
  point: { readonly x: number; readonly y: number },
): Drop | undefined {
  const target = cells.find(({ rect }) => isInside(rect, point));
  if (target === undefined || target.leaf.id === moved) return undefined;
  const { rect, leaf } = target;
  const across = (point.x - rect.x) / rect.width;
  const down = (point.y - rect.y) / rect.height;
  const edges: readonly (readonly [Place, number])[] = [
    ["left", across],
    ["right", 1 - across],
    ["above", down],
    ["below", 1 - down],
  ];
  const [nearest, distance] = edges.reduce((best, edge) => edge[1] < best[1] ? edge : best);
  const place = distance < MIDDLE ? nearest : "swap";
  return { targetId: leaf.id, place, rect: partOf(rect, place) };
}

function isInside(rect: Rect, { x, y }: { readonly x: number; readonly y: number }): boolean {
  return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

function partOf(rect: Rect, place: Place): Rect {
  switch (place) {
    case "left":
      return part1d(rect, { direction: "row", from: 0, to: 0.5 });
    case "right":
      return part1d(rect, { direction: "row", from: 0.5, to: 1 });
    case "above":
      return part1d(rect, { direction: "column", from: 0, to: 0.5 });
    case "below":
      return part1d(rect, { direction: "column", from: 0.5, to: 1 });
    case "swap":
      return rect;
  }
}
