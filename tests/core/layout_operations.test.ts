/** What each operation does, on small layouts that can be drawn: "a|b" side by side, "a/b" one above the other. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { findViolations } from "../../core/layout/check.ts";
import { applyOperation, type LayoutOperation, LayoutOperationSchema } from "../../core/layout/operation.ts";
import { NO_HISTORY, recordStep, undo } from "../../core/layout/history.ts";
import { repairTree } from "../../core/layout/repair.ts";
import { findLeaf, type LayoutNode, type LayoutTree } from "../../core/layout/tree.ts";
import { repairWeights } from "../../core/layout/weights.ts";
import { error, value } from "../contracts/folder.ts";
import { oneCell } from "./layout_random.ts";

const cell = (name: string) => createId("cell", name);
const agent = (name: string) => createId("agent", name);
const session = (name: string) => createId("session", name);

/** Drawn with weights where they are not 1, grids as rows of "name[rowSpan x colSpan]". */
function draw(node: LayoutNode): string {
  switch (node.type) {
    case "leaf":
      return node.node.id;
    case "split": {
      const parts = node.node.children.map(({ node, weight }) =>
        `${node.type === "leaf" ? draw(node) : `(${draw(node)})`}${weight === 1 ? "" : `:${weight}`}`
      );
      return parts.join(node.node.direction === "row" ? "|" : "/");
    }
    case "grid": {
      const { rowWeights, cells } = node.node;
      const rows = rowWeights.map((_, row) => cells.filter((each) => each.row === row));
      const span = ({ rowSpan, colSpan }: { rowSpan: number; colSpan: number }) =>
        rowSpan === 1 && colSpan === 1 ? "" : `[${rowSpan}x${colSpan}]`;
      return rows.map((row) => row.map((each) => `${draw(each.node)}${span(each)}`).join(" ")).join("; ");
    }
  }
}

/** Applies the operations one after the other; the fresh id of the n-th is "n1", "n2" and so on. */
function run(...operations: readonly LayoutOperation[]): LayoutTree {
  return operations.reduce<LayoutTree>(
    (tree, operation, at) => value(applyOperation({ tree, operation, freshId: `n${at + 1}` })),
    oneCell(),
  );
}

const split = (of: string, side: "left" | "right" | "above" | "below"): LayoutOperation => ({
  op: "split",
  cellId: cell(of),
  side,
});
const close = (of: string): LayoutOperation => ({ op: "close", cellId: cell(of) });
const refuse = (tree: LayoutTree, operation: LayoutOperation) =>
  error(applyOperation({ tree, operation, freshId: "fresh" }));

Deno.test("layout: splitting along the same direction adds to the row, across it nests", () => {
  const drawn = [
    run(split("root", "right")),
    run(split("root", "left")),
    run(split("root", "right"), split("root", "right")),
    run(split("root", "right"), split("n1", "below")),
    run(split("root", "below"), split("n1", "above"), split("n2", "left")),
  ].map(({ root }) => draw(root));
  assert.deepEqual(drawn, ["root|n1", "n1|root", "root:0.5|n2:0.5|n1", "root|(n1/n2)", "root/(n3|n2):0.5/n1:0.5"]);
});

Deno.test("layout: a closed cell's place goes to its neighbour, and what is left alone collapses", () => {
  const three = run(split("root", "right"), split("root", "right"));
  const closed = (tree: LayoutTree, of: string) =>
    draw(value(applyOperation({ tree, operation: close(of), freshId: "x" })).root);
  assert.equal(closed(three, "root"), "n2|n1");
  assert.equal(closed(three, "n2"), "root|n1");
  assert.equal(closed(three, "n1"), "root:0.5|n2:1.5");
  // (a / b) | c, without c: the column alone; then a split inside one of its own direction is flattened.
  const nested = run(split("root", "right"), split("root", "below"), split("n2", "right"));
  assert.equal(draw(nested.root), "(root/(n2|n3))|n1");
  assert.equal(closed(nested, "root"), "n2:0.5|n3:0.5|n1");
  assert.equal(draw(run(close("root")).root), "root");
  const bound = run({ op: "setAgent", cellId: cell("root"), agentId: agent("a") }, close("root"));
  assert.deepEqual(bound, oneCell());
});

Deno.test("layout: a cell moves beside, above, in place of another, or changes places with it", () => {
  const tree = run(split("root", "right"), split("n1", "below"));
  const move = (of: string, to: string, place: "left" | "above" | "swap" | "replace") => {
    const operation = { op: "move", cellId: cell(of), targetId: cell(to), place } as const;
    return draw(value(applyOperation({ tree, operation, freshId: "x" })).root);
  };
  assert.equal(draw(tree.root), "root|(n1/n2)");
  assert.equal(move("root", "n2", "above"), "n1/root:0.5/n2:0.5");
  assert.equal(move("n2", "root", "left"), "n2:0.5|root:0.5|n1");
  assert.equal(move("root", "n2", "swap"), "n2|(n1/root)");
  assert.equal(move("root", "n1", "replace"), "root/n2");
});

Deno.test("layout: sizes are set for all children at once", () => {
  const tree = run(split("root", "right"));
  const splitId = tree.root.node.id;
  const resized = value(applyOperation({
    tree,
    operation: { op: "resize", splitId, weights: [3, 2] },
    freshId: "x",
  }));
  assert.equal(draw(resized.root), "root:3|n1:2");
  assert.deepEqual(refuse(tree, { op: "resize", splitId, weights: [1] }), {
    kind: "invalidWeights",
    expected: 2,
    actual: 1,
  });
  for (const weight of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(refuse(tree, { op: "resize", splitId, weights: [1, weight] }).kind, "invalidWeights");
    assert.ok(!LayoutOperationSchema.safeParse({ op: "resize", splitId, weights: [1, weight] }).success);
  }
});

const insert = (axis: "row" | "col") => (of: string, where: "before" | "after"): LayoutOperation => ({
  op: "insertTrack",
  cellId: cell(of),
  axis,
  where,
});
const [row, column] = [insert("row"), insert("col")];
const merge = (of: string, other: string): LayoutOperation => ({ op: "merge", cellId: cell(of), otherId: cell(other) });
const deleteTrack = (of: string, axis: "row" | "col"): LayoutOperation => ({
  op: "deleteTrack",
  cellId: cell(of),
  axis,
});

/** Ids of a grid's cells are derived: named by where they stand, "r0c1". */
function named(tree: LayoutTree): LayoutTree {
  if (tree.root.type !== "grid") return tree;
  const cells = tree.root.node.cells.map((each) => ({
    ...each,
    node: each.node.type === "leaf"
      ? { type: "leaf" as const, node: { ...each.node.node, id: cell(`r${each.row}c${each.col}`) } }
      : each.node,
  }));
  return { root: { ...tree.root, node: { ...tree.root.node, id: "grid", cells } } };
}

const grid2x2 = () => named(run(column("root", "after"), row("root", "after")));
const apply = (tree: LayoutTree, ...operations: readonly LayoutOperation[]) =>
  operations.reduce((at, operation) => value(applyOperation({ tree: at, operation, freshId: "fresh" })), tree);

Deno.test("layout: rows and columns are inserted through the whole grid, and deleted", () => {
  assert.equal(draw(grid2x2().root), "r0c0 r0c1; r1c0 r1c1");
  assert.equal(draw(apply(grid2x2(), row("r0c1", "before")).root).split("; ").length, 3);
  assert.equal(draw(apply(grid2x2(), deleteTrack("r1c0", "row")).root), "r0c0 r0c1");
  assert.equal(draw(apply(grid2x2(), deleteTrack("r1c0", "row"), deleteTrack("r0c0", "col")).root), "r0c1");
  assert.deepEqual(refuse(oneCell(), deleteTrack("root", "row")), { kind: "lastTrack", axis: "row" });
  const merged = apply(grid2x2(), merge("r0c0", "r1c0"));
  assert.equal(draw(apply(merged, row("r0c1", "after")).root).startsWith("r0c0[3x1] r0c1; "), true);
});

Deno.test("layout: a split arrangement becomes a grid of the same picture when rows are inserted", () => {
  const tree = run(split("root", "right"), split("n1", "below"), row("n1", "after"));
  assert.ok(tree.root.type === "grid");
  assert.equal(draw(tree.root).split(" ")[0], "root[3x1]");
  assert.deepEqual(tree.root.node.colWeights, [0.5, 0.5]);
});

Deno.test("layout: blocks are merged when they cut no other cell, and taken apart again", () => {
  const merged = apply(grid2x2(), merge("r0c1", "r1c1"));
  assert.equal(draw(merged.root), "r0c0 r0c1[2x1]; r1c0");
  const apart = apply(merged, { op: "unmerge", cellId: cell("r0c1") });
  assert.equal(draw(apart.root), "r0c0 r0c1; r1c0 fresh");
  assert.equal(draw(apply(grid2x2(), merge("r0c0", "r1c1")).root), "r0c0");
  const tall = apply(named(apply(grid2x2(), row("r1c0", "after"))), merge("r1c1", "r2c1"));
  assert.equal(draw(tall.root), "r0c0 r0c1; r1c0 r1c1[2x1]; r2c0");
  assert.deepEqual(refuse(tall, merge("r1c0", "r0c1")), { kind: "cannotMerge", cellIds: ["r1c0", "r0c1"] });
  assert.deepEqual(refuse(grid2x2(), { op: "unmerge", cellId: cell("r0c0") }), { kind: "notMerged", cellId: "r0c0" });
  assert.equal(draw(run(split("root", "right"), merge("root", "n1")).root), "root");
});

Deno.test("layout: in a grid, a neighbour that fits takes a closed cell's place; in a pinwheel none does", () => {
  assert.equal(draw(apply(grid2x2(), close("r0c1")).root), "r0c0[1x2]; r1c0 r1c1");
  const place = (name: string, at: readonly [number, number], span: readonly [number, number]) => ({
    node: { type: "leaf", node: { id: cell(name) } } as const,
    row: at[0],
    col: at[1],
    rowSpan: span[0],
    colSpan: span[1],
  });
  const cells = [
    place("a", [0, 0], [1, 2]),
    place("b", [0, 2], [2, 1]),
    place("c", [1, 0], [2, 1]),
    place("mid", [1, 1], [1, 1]),
    place("d", [2, 1], [1, 2]),
  ];
  const weights = [1, 1, 1];
  const pinwheel: LayoutTree = {
    root: { type: "grid", node: { id: "g", colWeights: weights, rowWeights: weights, cells } },
  };
  assert.deepEqual(findViolations(pinwheel), []);
  assert.deepEqual(refuse(pinwheel, close("mid")), { kind: "cannotClose", cellId: "mid" });
  assert.equal(draw(apply(pinwheel, close("a")).root).includes("a"), false);
});

Deno.test("layout: a session and an agent are in one cell; binding moves them", () => {
  const tree = run(
    split("root", "right"),
    { op: "setAgent", cellId: cell("root"), agentId: agent("a") },
    { op: "setSession", cellId: cell("root"), sessionId: session("s") },
    { op: "setRunning", cellId: cell("root"), running: true },
  );
  const moved = apply(
    tree,
    { op: "setAgent", cellId: cell("n1"), agentId: agent("a") },
    { op: "setSession", cellId: cell("n1"), sessionId: session("s") },
  );
  assert.deepEqual(findLeaf(tree, "root"), { id: "root", agent: "a", session: "s", agentWasRunning: true });
  assert.deepEqual(findLeaf(moved, "root"), { id: "root" });
  assert.deepEqual(findLeaf(moved, "n1"), { id: "n1", agent: "a", session: "s", agentWasRunning: true });
  const freed = apply(
    moved,
    { op: "setAgent", cellId: cell("n1"), agentId: null },
    { op: "setSession", cellId: cell("n1"), sessionId: null },
  );
  assert.deepEqual(findLeaf(freed, "n1"), { id: "n1" });
  assert.equal(apply(freed, { op: "setSession", cellId: cell("n1"), sessionId: null }), freed);
});

Deno.test("layout: what cannot be done is refused with the reason", () => {
  const nowhere = cell("nowhere");
  const tree = run(split("root", "right"));
  const notFound = { kind: "cellNotFound", cellId: nowhere } as const;
  for (
    const operation of [
      split("nowhere", "left"),
      close("nowhere"),
      merge("nowhere", "root"),
      merge("root", "nowhere"),
      row("nowhere", "after"),
      deleteTrack("nowhere", "col"),
      { op: "unmerge", cellId: nowhere } as const,
      { op: "move", cellId: nowhere, targetId: cell("root"), place: "left" } as const,
      { op: "move", cellId: cell("root"), targetId: nowhere, place: "left" } as const,
      { op: "setSession", cellId: nowhere, sessionId: null } as const,
    ]
  ) assert.deepEqual(refuse(tree, operation), notFound, JSON.stringify(operation));
  assert.equal(
    refuse(tree, { op: "move", cellId: cell("root"), targetId: cell("root"), place: "swap" }).kind,
    "sameCell",
  );
  assert.equal(refuse(tree, { op: "resize", splitId: "none", weights: [1, 1] }).kind, "nodeNotFound");
  assert.equal(refuse(tree, { op: "resizeGrid", gridId: "none", axis: "row", weights: [1] }).kind, "nodeNotFound");
  let full = oneCell();
  for (let count = 1; count < 100; count++) {
    full = value(applyOperation({ tree: full, operation: split("root", "right"), freshId: `n${count}` }));
  }
  assert.deepEqual(refuse(full, split("root", "right")), { kind: "tooManyCells", limit: 100 });
  let deep = oneCell();
  for (let count = 1; count < 32; count++) {
    const operation = split("root", count % 2 === 0 ? "right" : "below");
    deep = value(applyOperation({ tree: deep, operation, freshId: `n${count}` }));
  }
  assert.deepEqual(refuse(deep, split("root", "right")), { kind: "tooDeep", limit: 32 });
});

Deno.test("layout: undo brings back the place of cells, not what has changed in them since", () => {
  const first = run(split("root", "right"), { op: "setSession", cellId: cell("n1"), sessionId: session("s1") });
  const bound = { op: "setSession", cellId: cell("root"), sessionId: session("s2") } as const;
  const history = recordStep(NO_HISTORY, first);
  const closed = apply(first, close("n1"), bound);
  const step = undo({ history, present: closed, isLive: (id) => id === "s1" });
  assert.ok(step !== undefined);
  assert.deepEqual(findLeaf(step.tree, "root"), { id: "root", session: "s2" });
  assert.deepEqual(findLeaf(step.tree, "n1"), { id: "n1", session: "s1" });
  const dead = undo({ history, present: closed, isLive: () => false });
  assert.ok(dead !== undefined);
  assert.deepEqual(findLeaf(dead.tree, "n1"), { id: "n1" });
  const elsewhere = apply(closed, { ...bound, sessionId: session("s1") });
  const taken = undo({ history, present: elsewhere, isLive: () => true });
  assert.ok(taken !== undefined);
  assert.deepEqual(findLeaf(taken.tree, "n1"), { id: "n1" });
});

Deno.test("layout: files of older versions are repaired: one host for each agent, one cell for each session", () => {
  const leaf = (name: string, more: object) => ({ type: "leaf", node: { id: cell(name), ...more } }) as LayoutNode;
  const broken: LayoutTree = {
    root: {
      type: "split",
      node: {
        id: "s",
        direction: "row",
        children: [
          { node: leaf("a", { agent: "main", agentWasRunning: true, session: "1" }), weight: 1 },
          {
            node: {
              type: "split",
              node: {
                id: "t",
                direction: "row",
                children: [
                  { node: leaf("b", { agent: "main", agentWasRunning: true, session: "2" }), weight: 3 },
                  { node: leaf("a", { session: "1", agentWasRunning: true }), weight: 1 },
                ],
              },
            },
            weight: 2,
          },
        ],
      },
    },
  };
  const repaired = repairTree(broken);
  assert.deepEqual(findViolations(repaired), []);
  assert.ok(repaired.root.type === "split");
  assert.deepEqual(repaired.root.node.children.map(({ weight }) => weight), [1, 1.5, 0.5]);
  const shown = repaired.root.node.children.map(({ node }) => node.node);
  assert.deepEqual(shown[0], { id: "a", agent: "main", agentWasRunning: true, session: "1" });
  assert.deepEqual(shown[1], { id: "b", session: "2" });
  assert.deepEqual(Object.keys(shown[2] ?? {}), ["id"]);
});

Deno.test("layout: what is no weight becomes the mean of the others", () => {
  assert.deepEqual(repairWeights([1, Number.NaN, 1]), [1, 1, 1]);
  assert.deepEqual(repairWeights([0, -2]), [1, 1]);
  assert.deepEqual(repairWeights([1e308, 1e308, 0]), [1, 1, 1]);
});
