/**
 * Undo and redo of one layout's arrangement. What cells show is no part of it: a session that came since stays in its
 * cell, one that ended does not come back.
 */
import type { SessionId } from "../ids.ts";
import { mapTree, withoutAgent, withoutSession, withSession } from "./bind.ts";
import { findLeaf, type LayoutTree, type Leaf, leavesOf } from "./tree.ts";

const MAX_STEPS = 100;

export interface LayoutHistory {
  /** The newest last. */
  readonly past: readonly LayoutTree[];
  /** The next to redo last. */
  readonly future: readonly LayoutTree[];
}

export const NO_HISTORY: LayoutHistory = { past: [], future: [] };

/** Before an arrangement is changed: it can be gone back to, and what was undone is over. */
export function recordStep(history: LayoutHistory, before: LayoutTree): LayoutHistory {
  return { past: [...history.past, before].slice(-MAX_STEPS), future: [] };
}

export interface Step {
  readonly history: LayoutHistory;
  readonly tree: LayoutTree;
}

export interface StepOptions {
  readonly history: LayoutHistory;
  readonly present: LayoutTree;
  readonly isLive: (sessionId: SessionId) => boolean;
}

/** undefined when there is nothing to undo. */
export function undo({ history, present, isLive }: StepOptions): Step | undefined {
  const before = history.past.at(-1);
  if (before === undefined) return undefined;
  return {
    tree: withBindingsOf({ tree: before, present, isLive }),
    history: { past: history.past.slice(0, -1), future: [...history.future, present] },
  };
}

export function redo({ history, present, isLive }: StepOptions): Step | undefined {
  const after = history.future.at(-1);
  if (after === undefined) return undefined;
  return {
    tree: withBindingsOf({ tree: after, present, isLive }),
    history: { past: [...history.past, present], future: history.future.slice(0, -1) },
  };
}

/** The arrangement of tree with what the cells show at present. A cell that comes back shows what nobody else shows. */
function withBindingsOf(
  { tree, present, isLive }: {
    readonly tree: LayoutTree;
    readonly present: LayoutTree;
    readonly isLive: (sessionId: SessionId) => boolean;
  },
): LayoutTree {
  const shown = leavesOf(present);
  const bind = (leaf: Leaf): Leaf => {
    const now = findLeaf(present, leaf.id);
    if (now !== undefined) return now;
    const { session, agent } = leaf;
    const isSessionFree = session !== undefined && isLive(session) && shown.every((other) => other.session !== session);
    const isAgentFree = agent !== undefined && shown.every((other) => other.agent !== agent);
    const back = isAgentFree ? leaf : withoutAgent(leaf);
    return isSessionFree && session !== undefined ? withSession(back, session) : withoutSession(back);
  };
  return mapTree(tree, bind);
}
