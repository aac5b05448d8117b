/** Every change of a layout as data: what a window, a script or an agent sends, checked once and applied by one function. */
import { z } from "zod";
import { err, ok, type Result } from "../result.ts";
import { idSchema } from "../workspace/id_schema.ts";
import { closeCell, moveCell, resizeSplit, splitCell } from "./arrange.ts";
import { deleteTrackAt, insertTrackAt, mergeCellsAt, resizeGrid, unmergeAt } from "./arrange_grid.ts";
import { setAgent, setRunning, setSession } from "./bind.ts";
import type { LayoutError } from "./errors.ts";
import { createFreshIds } from "./fresh_ids.ts";
import { normalizeTree } from "./normalize.ts";
import { depthOf, type LayoutTree, leavesOf } from "./tree.ts";

/** More terminals than fit any screen. */
export const MAX_CELLS = 100;
export const MAX_DEPTH = 32;

const CellId = idSchema("cell");
const NodeId = z.string().min(1).max(128);
const Weights = z.array(z.number().positive().max(1e6)).min(1).max(200).readonly();
const Side = z.enum(["left", "right", "above", "below"]);
const Axis = z.enum(["row", "col"]);

const ARRANGEMENTS = [
  z.strictObject({ op: z.literal("split"), cellId: CellId, side: Side }),
  z.strictObject({ op: z.literal("close"), cellId: CellId }),
  z.strictObject({ op: z.literal("resize"), splitId: NodeId, weights: Weights }),
  z.strictObject({ op: z.literal("resizeGrid"), gridId: NodeId, axis: Axis, weights: Weights }),
  z.strictObject({
    op: z.literal("move"),
    cellId: CellId,
    targetId: CellId,
    place: z.enum(["left", "right", "above", "below", "swap", "replace"]),
  }),
  z.strictObject({ op: z.literal("merge"), cellId: CellId, otherId: CellId }),
  z.strictObject({ op: z.literal("unmerge"), cellId: CellId }),
  z.strictObject({ op: z.literal("insertTrack"), cellId: CellId, axis: Axis, where: z.enum(["before", "after"]) }),
  z.strictObject({ op: z.literal("deleteTrack"), cellId: CellId, axis: Axis }),
] as const;

const BINDINGS = [
  z.strictObject({ op: z.literal("setSession"), cellId: CellId, sessionId: idSchema("session").nullable() }),
  z.strictObject({ op: z.literal("setAgent"), cellId: CellId, agentId: idSchema("agent").nullable() }),
] as const;

/** Known to IdeA alone. */
const RunningSchema = z.strictObject({ op: z.literal("setRunning"), cellId: CellId, running: z.boolean() });

/** What is done to the tree of a layout. */
export const LayoutOperationSchema = z.discriminatedUnion("op", [...ARRANGEMENTS, ...BINDINGS, RunningSchema]);

export type LayoutOperation = z.output<typeof LayoutOperationSchema>;

const Name = z.string().trim().min(1).max(80);

/** What a door may ask for: operations on the tree of a layout, and on the list that it is in. */
export const LayoutCommandSchema = z.discriminatedUnion("op", [
  ...ARRANGEMENTS,
  ...BINDINGS,
  z.strictObject({ op: z.literal("undo") }),
  z.strictObject({ op: z.literal("redo") }),
  z.strictObject({ op: z.literal("activate") }),
  z.strictObject({ op: z.literal("rename"), name: Name }),
  /** A new one behind this one, which becomes the active one. */
  z.strictObject({ op: z.literal("add"), name: Name, kind: z.enum(["terminal", "gitGraph"]) }),
  /** The last one cannot be removed. Sessions that it showed live on. */
  z.strictObject({ op: z.literal("remove") }),
]);

export type LayoutCommand = z.output<typeof LayoutCommandSchema>;

/** Operations that say what cells show, and leave the arrangement as it is: they are facts, which nobody undoes. */
export function isBinding(operation: LayoutOperation): boolean {
  return operation.op === "setSession" || operation.op === "setAgent" || operation.op === "setRunning";
}

export interface AppliedOperation {
  readonly tree: LayoutTree;
  readonly operation: LayoutOperation;
  /** Never used before: the id of the first node that is made, and the origin of those of the others. */
  readonly freshId: string;
}

/** Keeps the invariants of tree.ts. Gives the very same tree back when the operation has no effect. */
export function applyOperation({ tree, operation, freshId }: AppliedOperation): Result<LayoutTree, LayoutError> {
  const edited = edit({ tree, operation, freshId });
  if (!edited.ok) return edited;
  const normal = normalizeTree(edited.value);
  const cells = leavesOf(normal).length;
  if (cells > MAX_CELLS && cells > leavesOf(tree).length) return err({ kind: "tooManyCells", limit: MAX_CELLS });
  if (depthOf(normal.root) > MAX_DEPTH) return err({ kind: "tooDeep", limit: MAX_DEPTH });
  return ok(normal);
}

function edit({ tree, operation, freshId }: AppliedOperation): Result<LayoutTree, LayoutError> {
  const ids = createFreshIds(freshId);
  switch (operation.op) {
    case "split":
      return splitCell(tree, { ...operation, ids });
    case "close":
      return closeCell(tree, operation.cellId);
    case "resize":
      return resizeSplit(tree, operation.splitId, operation.weights);
    case "resizeGrid":
      return resizeGrid(tree, operation);
    case "move":
      return moveCell(tree, { ...operation, ids });
    case "merge":
      return mergeCellsAt(tree, { ...operation, ids });
    case "unmerge":
      return unmergeAt(tree, { ...operation, ids });
    case "insertTrack":
      return insertTrackAt(tree, { ...operation, ids });
    case "deleteTrack":
      return deleteTrackAt(tree, { ...operation, ids });
    case "setSession":
      return setSession(tree, operation.cellId, operation.sessionId);
    case "setAgent":
      return setAgent(tree, operation.cellId, operation.agentId);
    case "setRunning":
      return setRunning(tree, operation.cellId, operation.running);
  }
}
