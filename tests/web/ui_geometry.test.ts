/** Where cells stand, and how borders and directions find them. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import type { LayoutNode, LayoutTree } from "../../core/layout/tree.ts";
import {
  borderOf,
  dropAt,
  moveBorder,
  neighbourOf,
  placeCells,
  type Rect,
  withBorder,
} from "../../web/ui/state/geometry.ts";
import { createRandom } from "../helpers/random.ts";

const leaf = (id: string): LayoutNode => ({ type: "leaf", node: { id: createId("cell", id) } });

function split(direction: "row" | "column", ...children: readonly (readonly [LayoutNode, number])[]): LayoutNode {
  const id = `${direction}-${children.map(([node]) => node.node.id).join("-")}`;
  return { type: "split", node: { id, direction, children: children.map(([node, weight]) => ({ node, weight })) } };
}

/** a | b over c */
const three = split("row", [leaf("a"), 1], [split("column", [leaf("b"), 3], [leaf("c"), 1]), 1]);

Deno.test("cells stand where their weights say", () => {
  const { cells } = placeCells({ root: three });
  const rects = Object.fromEntries(cells.map(({ leaf: { id }, rect }) => [id, rect]));
  assert.deepEqual(rects, {
    a: { x: 0, y: 0, width: 0.5, height: 1 },
    b: { x: 0.5, y: 0, width: 0.5, height: 0.75 },
    c: { x: 0.5, y: 0.75, width: 0.5, height: 0.25 },
  });
});

Deno.test("a grid's cell covers its spans", () => {
  const cell = (id: string, row: number, col: number, rowSpan: number, colSpan: number) => //
  ({ node: leaf(id), row, col, rowSpan, colSpan });
  const root: LayoutNode = {
    type: "grid",
    node: {
      id: "g",
      colWeights: [1, 1, 2],
      rowWeights: [1, 1],
      cells: [cell("wide", 0, 0, 1, 2), cell("tall", 0, 2, 2, 1), cell("x", 1, 0, 1, 1), cell("y", 1, 1, 1, 1)],
    },
  };
  const rects = Object.fromEntries(placeCells({ root }).cells.map(({ leaf: { id }, rect }) => [id, rect]));
  assert.deepEqual(rects, {
    wide: { x: 0, y: 0, width: 0.5, height: 0.5 },
    tall: { x: 0.5, y: 0, width: 0.5, height: 1 },
    x: { x: 0, y: 0.5, width: 0.25, height: 0.5 },
    y: { x: 0.25, y: 0.5, width: 0.25, height: 0.5 },
  });
});

Deno.test("a grid has a border at each line, in the pieces that merged cells leave of it, and gives it other weights", () => {
  const cell = (id: string, row: number, col: number, rowSpan: number, colSpan: number) => //
  ({ node: leaf(id), row, col, rowSpan, colSpan });
  const cells = [
    cell("a", 0, 0, 1, 1),
    cell("b", 0, 1, 1, 1),
    cell("wide", 1, 0, 1, 2),
    cell("c", 2, 0, 1, 1),
    cell("d", 2, 1, 1, 1),
  ];
  const tree: LayoutTree = {
    root: { type: "grid", node: { id: "g", colWeights: [1, 3], rowWeights: [1, 1, 2], cells } },
  };
  const geometry = placeCells(tree);
  const lines = geometry.borders.map(({ of, index, direction, at, area: { x, y, width, height } }) =>
    [of.kind === "grid" && of.axis, index, direction, at, x, y, width, height] as const
  );
  assert.deepEqual(lines, [
    ["col", 0, "row", 0.25, 0, 0, 1, 0.25],
    ["col", 0, "row", 0.25, 0, 0.5, 1, 0.5],
    ["row", 0, "column", 0.25, 0, 0, 1, 1],
    ["row", 1, "column", 0.5, 0, 0, 1, 1],
  ]);
  assert.deepEqual(geometry.cells.filter(({ merged }) => merged).map(({ leaf: { id } }) => id), ["wide"]);
  const a = geometry.cells.find((box) => box.leaf.id === "a");
  const border = a && borderOf(geometry, a.rect, "right");
  assert.ok(border !== undefined);
  const wider = withBorder(tree, border.of, moveBorder(border, { by: 0.25, minFraction: 0.1 }));
  assert.equal(placeCells(wider).cells[0]?.rect.width, 0.5);
  assert.equal(withBorder(tree, border.of, [1]), tree);
});

Deno.test("the cells of any tree cover the whole without overlap", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    let next = 0;
    const grow = (depth: number): LayoutNode => {
      if (depth === 0 || random.next() < 0.3) return leaf(`c${next++}`);
      const children = Array.from(
        { length: 2 + Math.floor(random.next() * 3) },
        () => [grow(depth - 1), 0.05 + random.next()] as const,
      );
      return split(depth % 2 === 0 ? "row" : "column", ...children);
    };
    const { cells } = placeCells({ root: grow(3) });
    const area = cells.reduce((sum, { rect }) => sum + rect.width * rect.height, 0);
    assert.ok(Math.abs(area - 1) < 1e-9, `seed ${seed}: area ${area}`);
    for (const a of cells) {
      for (const b of cells) assert.ok(a === b || !overlaps(a.rect, b.rect), `seed ${seed}: ${a.leaf.id} ${b.leaf.id}`);
    }
  }
});

function overlaps(a: Rect, b: Rect): boolean {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 1e-9 && high > 1e-9;
}

Deno.test("a border takes from one neighbour what it gives the other, down to the least", () => {
  const border = { weights: [1, 1, 2], index: 0 };
  assert.deepEqual(moveBorder(border, { by: 0.125, minFraction: 0.0625 }), [1.5, 0.5, 2]);
  assert.deepEqual(moveBorder(border, { by: 0.9, minFraction: 0.0625 }), [1.75, 0.25, 2]);
  assert.deepEqual(moveBorder(border, { by: -0.9, minFraction: 0.0625 }), [0.25, 1.75, 2]);
});

Deno.test("two neighbours that are too small already stay as they are", () => {
  assert.deepEqual(moveBorder({ weights: [0.01, 0.03, 10], index: 0 }, { by: 0.5, minFraction: 0.1 }), [
    0.02,
    0.02,
    10,
  ]);
});

Deno.test("focus goes to the cell that touches most of the side", () => {
  const { cells } = placeCells({ root: three });
  const go = (from: string, direction: "left" | "right" | "up" | "down") => {
    const box = cells.find((cell) => cell.leaf.id === from);
    assert.ok(box !== undefined);
    return neighbourOf(cells, box.rect, direction)?.leaf.id;
  };
  assert.equal(go("a", "right"), "b");
  assert.equal(go("b", "down"), "c");
  assert.equal(go("c", "left"), "a");
  assert.equal(go("c", "up"), "b");
  assert.equal(go("a", "left"), undefined);
  assert.equal(go("a", "down"), undefined);
});

Deno.test("the arrow keys move the border after a cell, or the one before the last", () => {
  const geometry = placeCells({ root: split("row", [leaf("a"), 1], [leaf("b"), 1], [leaf("c"), 1]) });
  const borderAt = (id: string, direction: "left" | "right" | "up") => {
    const box = geometry.cells.find((cell) => cell.leaf.id === id);
    assert.ok(box !== undefined);
    return borderOf(geometry, box.rect, direction)?.index;
  };
  assert.equal(borderAt("a", "right"), 0);
  assert.equal(borderAt("b", "left"), 1);
  assert.equal(borderAt("c", "right"), 1);
  assert.equal(borderAt("a", "up"), undefined);
});

Deno.test("a cell that is let go near an edge goes there, in the middle it swaps, over itself it stays", () => {
  const { cells } = placeCells({ root: three });
  const a = createId("cell", "a");
  const at = (x: number, y: number) => {
    const drop = dropAt(cells, a, { x, y });
    return drop && [drop.targetId, drop.place];
  };
  assert.deepEqual(at(0.55, 0.4), ["b", "left"]);
  assert.deepEqual(at(0.75, 0.7), ["b", "below"]);
  assert.deepEqual(at(0.75, 0.38), ["b", "swap"]);
  assert.deepEqual(at(0.99, 0.9), ["c", "right"]);
  assert.equal(at(0.2, 0.2), undefined);
  assert.equal(at(1.2, 0.2), undefined);
  assert.deepEqual(dropAt(cells, a, { x: 0.75, y: 0.05 })?.rect, { x: 0.5, y: 0, width: 0.5, height: 0.375 });
});
