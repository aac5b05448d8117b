/** Whatever is done to a layout, its invariants hold and nothing is lost but what was closed. */
import assert from "node:assert/strict";
import { findViolations } from "../../core/layout/check.ts";
import { initialLayouts, layoutsFormat } from "../../core/layout/layouts_document.ts";
import { applyOperation, isBinding, type LayoutOperation, MAX_CELLS } from "../../core/layout/operation.ts";
import { type LayoutHistory, NO_HISTORY, recordStep, redo, undo } from "../../core/layout/history.ts";
import { repairTree } from "../../core/layout/repair.ts";
import { toGrid } from "../../core/layout/to_grid.ts";
import { type LayoutTree, leavesOf, walkNodes } from "../../core/layout/tree.ts";
import { sumOf } from "../../core/layout/weights.ts";
import { formatDocument, parseDocument } from "../../core/workspace/document.ts";
import { createId } from "../../core/ids.ts";
import { value } from "../contracts/folder.ts";
import { fakeId } from "../fakes/entropy.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { oneCell, placesOf, randomOperation } from "./layout_random.ts";

const SEEDS = Array.from({ length: 100 }, (_, at) => at + 1);
const OPERATIONS = 100;

interface Walked {
  readonly before: LayoutTree;
  readonly after: LayoutTree;
  readonly operation: LayoutOperation;
}

/** Applies random operations, and shows each that was accepted. */
function walk(seed: number, look: (step: Walked, random: Random) => void): { tree: LayoutTree; accepted: number } {
  const random = createRandom(seed);
  let tree = oneCell();
  let accepted = 0;
  for (let count = 1; count <= OPERATIONS; count++) {
    const operation = randomOperation(tree, random);
    const applied = applyOperation({ tree, operation, freshId: fakeId(seed * 1_000 + count) });
    if (!applied.ok) continue;
    accepted++;
    look({ before: tree, after: applied.value, operation }, random);
    tree = applied.value;
  }
  return { tree, accepted };
}

const where = (seed: number, { before, operation }: Walked) =>
  `seed ${seed}: ${JSON.stringify(operation)} on ${JSON.stringify(before)}`;

Deno.test("layout: 10,000 random operations keep the invariants, and most are accepted", () => {
  let accepted = 0;
  for (const seed of SEEDS) {
    accepted += walk(seed, (step) => {
      assert.deepEqual(findViolations(step.after), [], where(seed, step));
      assert.ok(leavesOf(step.after).length <= MAX_CELLS);
    }).accepted;
  }
  assert.ok(accepted > SEEDS.length * OPERATIONS * 0.6, `${accepted} accepted`);
});

Deno.test("layout: only closing, merging and deleting take cells away, and only binding changes what the others show", () => {
  for (const seed of SEEDS) {
    walk(seed, (step) => {
      const { before, after, operation } = step;
      const takesAway = ["close", "merge", "deleteTrack"].includes(operation.op) ||
        (operation.op === "move" && operation.place === "replace");
      const left = new Map(leavesOf(after).map((leaf) => [leaf.id, leaf]));
      for (const leaf of leavesOf(before)) {
        const now = left.get(leaf.id);
        assert.ok(now !== undefined || takesAway, where(seed, step));
        const isClosed = operation.op === "close" && operation.cellId === leaf.id;
        if (now !== undefined && !isBinding(operation) && !isClosed) assert.deepEqual(now, leaf, where(seed, step));
      }
    });
  }
});

Deno.test("layout: moving, swapping and binding leave the other cells where they stood", () => {
  for (const seed of SEEDS) {
    walk(seed, (step) => {
      const { before, after, operation } = step;
      const rects = (tree: LayoutTree) => placesOf(tree).map(({ rect }) => rect).sort();
      if (isBinding(operation)) assert.deepEqual(placesOf(after), placesOf(before), where(seed, step));
      if (operation.op !== "move" || operation.place !== "swap") return;
      assert.deepEqual(rects(after), rects(before), where(seed, step));
      const others = (tree: LayoutTree) =>
        placesOf(tree).filter(({ id }) => id !== operation.cellId && id !== operation.targetId);
      assert.deepEqual(others(after), others(before), where(seed, step));
    });
  }
});

Deno.test("layout: closing what was just split off gives the same picture back", () => {
  let compared = 0;
  for (const seed of SEEDS) {
    walk(seed, (step) => {
      const { before, after, operation } = step;
      if (operation.op !== "split") return;
      const known = new Set<string>(leavesOf(before).map(({ id }) => id));
      const fresh = leavesOf(after).filter(({ id }) => !known.has(id));
      const [cell] = fresh;
      assert.ok(fresh.length === 1 && cell !== undefined, where(seed, step));
      // The neighbour before takes the place: that is the cell it came from only when it was put behind it.
      if (operation.side === "left" || operation.side === "above") return;
      // Raised to the least share, see weights.ts: nothing that could be seen.
      if (sharesOf(after).some((share) => share < 1e-5)) return;
      compared++;
      const closed = value(applyOperation({ tree: after, operation: { op: "close", cellId: cell.id }, freshId: "x" }));
      assert.deepEqual(placesOf(closed), placesOf(before), where(seed, step));
    });
  }
  assert.ok(compared > 500, `${compared} compared`);
});

function sharesOf(tree: LayoutTree): readonly number[] {
  const share = (weights: readonly number[]) => weights.map((weight) => weight / sumOf(weights));
  return walkNodes(tree.root).flatMap((node) => {
    if (node.type === "split") return share(node.node.children.map(({ weight }) => weight));
    return node.type === "grid" ? [...share(node.node.colWeights), ...share(node.node.rowWeights)] : [];
  });
}

Deno.test("layout: any arrangement as a grid looks the same", () => {
  let compared = 0;
  for (const seed of SEEDS) {
    const { tree } = walk(seed, () => {});
    const grid = toGrid(tree.root, "grid");
    if (grid === undefined) continue;
    compared++;
    const asGrid: LayoutTree = { root: { type: "grid", node: grid } };
    assert.deepEqual(placesOf(asGrid), placesOf(tree), `seed ${seed}`);
  }
  assert.ok(compared > SEEDS.length * 0.8, `${compared} compared`);
});

Deno.test("layout: undo goes back to the first picture, redo forth to the last", () => {
  const isLive = () => true;
  for (const seed of SEEDS.slice(0, 50)) {
    let history: LayoutHistory = NO_HISTORY;
    const { tree: last } = walk(seed, ({ before, after, operation }) => {
      if (after !== before && !isBinding(operation)) history = recordStep(history, before);
    });
    let present = last;
    for (let step = undo({ history, present, isLive }); step !== undefined; step = undo({ history, present, isLive })) {
      ({ tree: present, history } = step);
      assert.deepEqual(findViolations(present), [], `seed ${seed}`);
    }
    assert.deepEqual(placesOf(present), placesOf(oneCell()), `seed ${seed}`);
    for (let step = redo({ history, present, isLive }); step !== undefined; step = redo({ history, present, isLive })) {
      ({ tree: present, history } = step);
      assert.deepEqual(findViolations(present), [], `seed ${seed}`);
    }
    assert.deepEqual(placesOf(present), placesOf(last), `seed ${seed}`);
  }
});

Deno.test("layout: every tree survives the file unchanged and needs no repair", () => {
  const initial = initialLayouts(createId("project", "p"));
  for (const seed of SEEDS) {
    const { tree } = walk(seed, () => {});
    const document = { ...initial, layouts: initial.layouts.map((layout) => ({ ...layout, tree })) };
    const read = value(parseDocument(layoutsFormat, formatDocument(document)));
    assert.deepEqual(read, document);
    assert.equal(repairTree(tree), tree, `seed ${seed}`);
  }
});

Deno.test("layout: trees that are broken at random are repaired, and then in order", () => {
  for (const seed of SEEDS) {
    const { tree } = walk(seed, () => {});
    const random = createRandom(seed * 7);
    const broken = JSON.parse(JSON.stringify(tree), (key, item: unknown) => {
      if (typeof item === "number" && random.int(6) === 0) {
        const isPlace = ["row", "col", "rowSpan", "colSpan"].includes(key);
        return isPlace ? random.int(5) - 1 : random.pick([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 1e-308]);
      }
      if (key === "id" && random.int(6) === 0) return "repeated";
      if (key === "agent" && random.int(3) === 0) return fakeId(2_000);
      if (key === "session" && random.int(3) === 0) return fakeId(1_000);
      return item;
    }) as LayoutTree;
    const repaired = repairTree(broken);
    assert.deepEqual(findViolations(repaired), [], `seed ${seed}`);
    assert.equal(leavesOf(repaired).length, leavesOf(tree).length, `seed ${seed}`);
    assert.deepEqual(repairTree(broken), repaired, "the same each time");
  }
});
