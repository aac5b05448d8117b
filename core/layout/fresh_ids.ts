/**
 * The ids of what an operation makes. The caller gives one fresh id; the first new node has it, and further ones are
 * derived from it, so that an operation stays a pure function whatever it makes.
 */
import { type CellId, createId } from "../ids.ts";
import { deriveUuid } from "../workspace/derived_id.ts";
import type { LayoutNode, Leaf } from "./tree.ts";

export interface FreshIds {
  nodeId(): string;
  emptyLeaf(): LayoutNode;
}

export function createFreshIds(freshId: string): FreshIds {
  let count = 0;
  const nodeId = () => (count++ === 0 ? freshId : deriveUuid(`${freshId} ${count}`));
  return {
    nodeId,
    emptyLeaf: () => ({ type: "leaf", node: createEmptyLeaf(createId("cell", nodeId())) }),
  };
}

export function createEmptyLeaf(id: CellId): Leaf {
  return { id };
}
