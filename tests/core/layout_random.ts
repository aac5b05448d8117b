/** Random layouts and operations on them, for the property tests. */
import { createId } from "../../core/ids.ts";
import type { LayoutOperation } from "../../core/layout/operation.ts";
import { type LayoutNode, type LayoutTree, leavesOf, walkNodes } from "../../core/layout/tree.ts";
import { fakeId } from "../fakes/entropy.ts";
import type { Random } from "../helpers/random.ts";

const SIDES = ["left", "right", "above", "below"] as const;

export function oneCell(): LayoutTree {
  return { root: { type: "leaf", node: { id: createId("cell", "root") } } };
}

/** Mostly such that can be done; now and then one about what is not there. */
export function randomOperation(tree: LayoutTree, random: Random): LayoutOperation {
  const cells = leavesOf(tree).map(({ id }) => id);
  const cellId = random.int(50) === 0 ? createId("cell", "nowhere") : random.pick(cells);
  const other = random.pick(cells);
  const sessionId = random.int(4) === 0 ? null : createId("session", fakeId(1_000 + random.int(12)));
  const agentId = random.int(4) === 0 ? null : createId("agent", fakeId(2_000 + random.int(8)));
  const axis = random.pick(["row", "col"] as const);
  const operations: readonly (() => LayoutOperation)[] = [
    () => ({ op: "split", cellId, side: random.pick(SIDES) }),
    () => ({ op: "split", cellId, side: random.pick(SIDES) }),
    () => ({ op: "close", cellId }),
    () => ({ op: "move", cellId, targetId: other, place: random.pick([...SIDES, "swap", "replace"] as const) }),
    () => ({ op: "merge", cellId, otherId: other }),
    () => ({ op: "unmerge", cellId }),
    () => ({ op: "insertTrack", cellId, axis, where: random.pick(["before", "after"] as const) }),
    () => ({ op: "deleteTrack", cellId, axis }),
    () => ({ op: "setSession", cellId, sessionId }),
    () => ({ op: "setAgent", cellId, agentId }),
    () => ({ op: "setRunning", cellId, running: random.int(2) === 0 }),
    () => resize(random.pick(walkNodes(tree.root)), random),
  ];
  return random.pick(operations)();
}

function resize(node: LayoutNode, random: Random): LayoutOperation {
  const weights = (count: number) => Array.from({ length: count }, () => 10 ** (random.next() * 4 - 2));
  if (node.type === "grid") {
    const axis = random.pick(["row", "col"] as const);
    const count = axis === "row" ? node.node.rowWeights.length : node.node.colWeights.length;
    return { op: "resizeGrid", gridId: node.node.id, axis, weights: weights(count) };
  }
  return {
    op: "resize",
    splitId: node.node.id,
    weights: weights(node.type === "split" ? node.node.children.length : 2),
  };
}

export interface PlacedCell {
  readonly id: string;
  /** Left, top, right, bottom as fractions of the whole, rounded so that equal places are equal. */
  readonly rect: string;
}

/** Where the cells of a tree stand, computed another way than the code under test does. */
export function placesOf(tree: LayoutTree): readonly PlacedCell[] {
  const places: PlacedCell[] = [];
  const visit = (node: LayoutNode, [x, y, width, height]: readonly [number, number, number, number]) => {
    if (node.type === "leaf") {
      const rect = [x, y, x + width, y + height].map((value) => value.toFixed(6)).join(" ");
      places.push({ id: node.node.id, rect });
    } else if (node.type === "split") {
      const { direction, children } = node.node;
      const total = children.reduce((sum, { weight }) => sum + weight, 0);
      let done = 0;
      for (const child of children) {
        const [from, share] = [done / total, child.weight / total];
        done += child.weight;
        const rect = direction === "row"
          ? [x + width * from, y, width * share, height] as const
          : [x, y + height * from, width, height * share] as const;
        visit(child.node, rect);
      }
    } else {
      const { colWeights, rowWeights, cells } = node.node;
      const fraction = (weights: readonly number[], from: number, to: number) =>
        weights.slice(from, to).reduce((a, b) => a + b, 0) / weights.reduce((a, b) => a + b, 0);
      for (const { node: inner, row, col, rowSpan, colSpan } of cells) {
        visit(inner, [
          x + width * fraction(colWeights, 0, col),
          y + height * fraction(rowWeights, 0, row),
          width * fraction(colWeights, col, col + colSpan),
          height * fraction(rowWeights, row, row + rowSpan),
        ]);
      }
    }
  };
  visit(tree.root, [0, 0, 1, 1]);
  return places.sort((a, b) => (a.id < b.id ? -1 : 1));
}
