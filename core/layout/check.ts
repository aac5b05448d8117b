/** The invariants of tree.ts, as a list of what breaks them: empty for every tree that an operation gives. */
import { dropUnusedLines, isCovered } from "./grid.ts";
import { type LayoutNode, type LayoutTree, leavesOf, walkNodes } from "./tree.ts";
import { isWeight } from "./weights.ts";

export type Violation =
  | { readonly kind: "badWeight"; readonly nodeId: string }
  | { readonly kind: "notCovered"; readonly gridId: string }
  | { readonly kind: "idTwice"; readonly id: string }
  | { readonly kind: "sessionTwice"; readonly sessionId: string }
  | { readonly kind: "agentTwice"; readonly agentId: string }
  | { readonly kind: "runningWithoutAgent"; readonly cellId: string }
  /** Not the one form of its arrangement: see normalize.ts. */
  | { readonly kind: "notNormal"; readonly nodeId: string };

export function findViolations(tree: LayoutTree): readonly Violation[] {
  const nodes = walkNodes(tree.root);
  const leaves = leavesOf(tree);
  return [
    ...nodes.flatMap(violationsOf),
    ...repeated(nodes.map(({ node }) => node.id)).map((id) => ({ kind: "idTwice", id } as const)),
    ...repeated(leaves.flatMap(({ session }) => session ?? [])).map((sessionId) =>
      ({ kind: "sessionTwice", sessionId }) as const
    ),
    ...repeated(leaves.flatMap(({ agent }) => agent ?? [])).map((
      agentId,
    ) => ({ kind: "agentTwice", agentId } as const)),
    ...leaves.filter(({ agent, agentWasRunning }) => agentWasRunning === true && agent === undefined)
      .map(({ id }) => ({ kind: "runningWithoutAgent", cellId: id } as const)),
  ];
}

function violationsOf(node: LayoutNode): readonly Violation[] {
  switch (node.type) {
    case "leaf":
      return [];
    case "split": {
      const { id, direction, children } = node.node;
      const isNormal = children.length >= 2 &&
        children.every((child) => child.node.type !== "split" || child.node.node.direction !== direction);
      return [
        ...(children.every(({ weight }) => isWeight(weight)) ? [] : [{ kind: "badWeight", nodeId: id } as const]),
        ...(isNormal ? [] : [{ kind: "notNormal", nodeId: id } as const]),
      ];
    }
    case "grid": {
      const grid = node.node;
      if (!isCovered(grid)) return [{ kind: "notCovered", gridId: grid.id }];
      const isNormal = grid.cells.length >= 2 && dropUnusedLines(grid) === grid;
      const hasWeights = [...grid.colWeights, ...grid.rowWeights].every(isWeight);
      return [
        ...(hasWeights ? [] : [{ kind: "badWeight", nodeId: grid.id } as const]),
        ...(isNormal ? [] : [{ kind: "notNormal", nodeId: grid.id } as const]),
      ];
    }
  }
}

export function repeated<T>(items: readonly T[]): readonly T[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}
