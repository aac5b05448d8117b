/**
 * Grids: cells at a row and a column, each over one or more tracks. Rows and columns obey the same rules, so each
 * function takes the axis it works along. A line is a border of tracks: line 0 is before the first, line n after the
 * last of n tracks.
 */
import type { Grid, GridCell, LayoutNode } from "./tree.ts";
import { sumOf } from "./weights.ts";

export type Axis = "row" | "col";

const FIELDS = {
  row: { start: "row", span: "rowSpan", weights: "rowWeights" },
  col: { start: "col", span: "colSpan", weights: "colWeights" },
} as const;

export function otherAxis(axis: Axis): Axis {
  return axis === "row" ? "col" : "row";
}

export function startOf(cell: GridCell, axis: Axis): number {
  return cell[FIELDS[axis].start];
}

export function endOf(cell: GridCell, axis: Axis): number {
  return cell[FIELDS[axis].start] + cell[FIELDS[axis].span];
}

export function weightsOf(grid: Grid, axis: Axis): readonly number[] {
  return grid[FIELDS[axis].weights];
}

export function withWeights(grid: Grid, axis: Axis, weights: readonly number[]): Grid {
  return { ...grid, [FIELDS[axis].weights]: weights };
}

function withRange(cell: GridCell, axis: Axis, { start, end }: { start: number; end: number }): GridCell {
  return { ...cell, [FIELDS[axis].start]: start, [FIELDS[axis].span]: end - start };
}

/**
 * A new track at a line. Cells that reach over the line grow over it, elsewhere along it new cells are made; its weight
 * is the mean, so that it takes an equal share.
 */
export function insertTrack(
  grid: Grid,
  { axis, line, createNode }: { readonly axis: Axis; readonly line: number; readonly createNode: () => LayoutNode },
): Grid {
  const weights = weightsOf(grid, axis);
  const cells = grid.cells.map((cell) => {
    const [start, end] = [startOf(cell, axis), endOf(cell, axis)];
    if (end <= line) return cell;
    return withRange(cell, axis, start >= line ? { start: start + 1, end: end + 1 } : { start, end: end + 1 });
  });
  const across = otherAxis(axis);
  const covered = (at: number) =>
    cells.some((cell) =>
      startOf(cell, axis) <= line && line < endOf(cell, axis) && startOf(cell, across) <= at && at < endOf(cell, across)
    );
  const fresh = weightsOf(grid, across).flatMap((_, at): GridCell[] => {
    if (covered(at)) return [];
    const place = axis === "row" ? { row: line, col: at } : { row: at, col: line };
    return [{ node: createNode(), ...place, rowSpan: 1, colSpan: 1 }];
  });
  const mean = sumOf(weights) / weights.length;
  return { ...withWeights(grid, axis, weights.toSpliced(line, 0, mean)), cells: inReadingOrder([...cells, ...fresh]) };
}

/** Without one track: cells of that track alone go, larger ones shrink. undefined when it is the only one. */
export function deleteTrack(
  grid: Grid,
  { axis, track }: { readonly axis: Axis; readonly track: number },
): Grid | undefined {
  const weights = weightsOf(grid, axis);
  if (weights.length <= 1) return undefined;
  const cells = grid.cells.flatMap((cell) => {
    const [start, end] = [startOf(cell, axis), endOf(cell, axis)];
    if (start === track && end === track + 1) return [];
    if (end <= track) return [cell];
    return [withRange(cell, axis, { start: start > track ? start - 1 : start, end: end - 1 })];
  });
  return { ...withWeights(grid, axis, weights.toSpliced(track, 1)), cells };
}

/**
 * Without a cell: those along one whole side of it grow into its place. undefined when no side has such cells, as in
 * the middle of a pinwheel.
 */
export function removeCell(grid: Grid, cell: GridCell): Grid | undefined {
  const sides = [
    { axis: "col", side: "before" },
    { axis: "row", side: "before" },
    { axis: "col", side: "after" },
    { axis: "row", side: "after" },
  ] as const;
  for (const side of sides) {
    const heirs = heirsOf(grid, cell, side);
    if (heirs === undefined) continue;
    const { axis } = side;
    const grow = (heir: GridCell) =>
      side.side === "before"
        ? withRange(heir, axis, { start: startOf(heir, axis), end: endOf(cell, axis) })
        : withRange(heir, axis, { start: startOf(cell, axis), end: endOf(heir, axis) });
    const cells = grid.cells.filter((other) => other !== cell);
    return { ...grid, cells: inReadingOrder(cells.map((other) => (heirs.includes(other) ? grow(other) : other))) };
  }
  return undefined;
}

/** The cells that touch that side and end exactly where it ends. */
function heirsOf(
  grid: Grid,
  cell: GridCell,
  { axis, side }: { readonly axis: Axis; readonly side: "before" | "after" },
): readonly GridCell[] | undefined {
  const across = otherAxis(axis);
  const touching = grid.cells.filter((other) =>
    (side === "before" ? endOf(other, axis) === startOf(cell, axis) : startOf(other, axis) === endOf(cell, axis)) &&
    startOf(other, across) < endOf(cell, across) && endOf(other, across) > startOf(cell, across)
  );
  const isExact = touching.every((other) =>
    startOf(other, across) >= startOf(cell, across) && endOf(other, across) <= endOf(cell, across)
  );
  return touching.length > 0 && isExact ? touching : undefined;
}

/** The smallest block that holds both cells becomes the first one's; undefined when it would cut a third cell. */
export function mergeCells(grid: Grid, kept: GridCell, other: GridCell): Grid | undefined {
  const range = (axis: Axis) => ({
    start: Math.min(startOf(kept, axis), startOf(other, axis)),
    end: Math.max(endOf(kept, axis), endOf(other, axis)),
  });
  const [rows, cols] = [range("row"), range("col")];
  const isIn = (cell: GridCell, axis: Axis, { start, end }: { start: number; end: number }) =>
    startOf(cell, axis) >= start && endOf(cell, axis) <= end;
  const touches = (cell: GridCell, axis: Axis, { start, end }: { start: number; end: number }) =>
    startOf(cell, axis) < end && endOf(cell, axis) > start;
  const inBlock = grid.cells.filter((cell) => touches(cell, "row", rows) && touches(cell, "col", cols));
  if (!inBlock.every((cell) => isIn(cell, "row", rows) && isIn(cell, "col", cols))) return undefined;
  const merged = withRange(withRange(kept, "row", rows), "col", cols);
  return { ...grid, cells: inReadingOrder([...grid.cells.filter((cell) => !inBlock.includes(cell)), merged]) };
}

/** The cell keeps its first track in both directions, the rest of its block gets new cells. */
export function unmergeCell(grid: Grid, cell: GridCell, createNode: () => LayoutNode): Grid | undefined {
  if (cell.rowSpan === 1 && cell.colSpan === 1) return undefined;
  const fresh: GridCell[] = [];
  for (let row = cell.row; row < endOf(cell, "row"); row++) {
    for (let col = cell.col; col < endOf(cell, "col"); col++) {
      const node = row === cell.row && col === cell.col ? cell.node : createNode();
      fresh.push({ ...cell, node, row, col, rowSpan: 1, colSpan: 1 });
    }
  }
  return { ...grid, cells: inReadingOrder([...grid.cells.filter((other) => other !== cell), ...fresh]) };
}

/** Tracks between lines at which no cell ends become one track; the very same grid when there are none. */
export function dropUnusedLines(grid: Grid): Grid {
  return dropAlong(dropAlong(grid, "row"), "col");
}

function dropAlong(grid: Grid, axis: Axis): Grid {
  const weights = weightsOf(grid, axis);
  const used = new Set([0, weights.length, ...grid.cells.map((cell) => endOf(cell, axis))]);
  if (used.size === weights.length + 1) return grid;
  const lines = [...used].sort((a, b) => a - b);
  const joined = lines.slice(1).map((line, at) => sumOf(weights.slice(lines[at] ?? 0, line)));
  const cells = grid.cells.map((cell) =>
    withRange(cell, axis, { start: lines.indexOf(startOf(cell, axis)), end: lines.indexOf(endOf(cell, axis)) })
  );
  return { ...withWeights(grid, axis, joined), cells };
}

/** Row by row, so that a change of the arrangement moves as few lines of the file as possible. */
export function inReadingOrder(cells: readonly GridCell[]): readonly GridCell[] {
  return [...cells].sort((a, b) => a.row - b.row || a.col - b.col);
}

/** Every place covered by exactly one cell, nothing outside. */
export function isCovered({ rowWeights, colWeights, cells }: Grid): boolean {
  const taken = new Set<number>();
  for (const cell of cells) {
    const isPlaced = [cell.row, cell.col, cell.rowSpan, cell.colSpan].every(Number.isInteger) && cell.row >= 0 &&
      cell.col >= 0 && cell.rowSpan >= 1 && cell.colSpan >= 1;
    if (!isPlaced || endOf(cell, "row") > rowWeights.length || endOf(cell, "col") > colWeights.length) return false;
    for (let row = cell.row; row < endOf(cell, "row"); row++) {
      for (let col = cell.col; col < endOf(cell, "col"); col++) {
        const place = row * colWeights.length + col;
        if (taken.has(place)) return false;
        taken.add(place);
      }
    }
  }
  return taken.size === rowWeights.length * colWeights.length;
}
