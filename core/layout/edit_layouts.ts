/**
 * Changes of a project's list of layouts. What holds for one tree holds across them: a session and an agent are in one
 * cell of one layout, so what is bound in one layout leaves the others.
 */
import type { AgentId, CellId, LayoutId, SessionId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { mapTree, withoutAgent, withoutSession } from "./bind.ts";
import type { LayoutError } from "./errors.ts";
import type { Layout, LayoutsDocument } from "./layouts_document.ts";
import { applyOperation, type LayoutOperation } from "./operation.ts";
import { nothingSeen, repairTree } from "./repair.ts";
import { findLeaf, type LayoutTree, type Leaf, leavesOf } from "./tree.ts";

export type LayoutsError =
  | LayoutError
  | { readonly kind: "layoutNotFound"; readonly layoutId: LayoutId }
  | { readonly kind: "lastLayout"; readonly layoutId: LayoutId };

type Edited = Result<LayoutsDocument, LayoutsError>;

export function findLayout(document: LayoutsDocument, layoutId: LayoutId): Layout | undefined {
  return document.layouts.find(({ id }) => id === layoutId);
}

/** The same document when nothing is wrong with it. Of what is there twice, the layout that is shown keeps it. */
export function repairLayouts(document: LayoutsDocument): LayoutsDocument {
  const isActive = ({ id }: Layout) => id === document.activeId;
  const seen = nothingSeen();
  const repaired = new Map<Layout, Layout>();
  for (const layout of [...document.layouts.filter(isActive), ...document.layouts.filter((each) => !isActive(each))]) {
    // Ids of nodes are unique in their tree only.
    const tree = repairTree(layout.tree, { ...seen, ids: new Set() });
    repaired.set(layout, tree === layout.tree ? layout : { ...layout, tree });
  }
  const layouts = document.layouts.map((layout) => repaired.get(layout) ?? layout);
  const [first] = layouts;
  const activeId = layouts.some(isActive) || first === undefined ? document.activeId : first.id;
  const isSame = activeId === document.activeId && layouts.every((layout, at) => layout === document.layouts[at]);
  return isSame ? document : { ...document, activeId, layouts };
}

export interface LayoutEdit {
  readonly layoutId: LayoutId;
  readonly operation: LayoutOperation;
  readonly freshId: string;
}

export function operateLayout(document: LayoutsDocument, { layoutId, operation, freshId }: LayoutEdit): Edited {
  const layout = findLayout(document, layoutId);
  if (layout === undefined) return err({ kind: "layoutNotFound", layoutId });
  const applied = applyOperation({ tree: layout.tree, operation, freshId });
  if (!applied.ok) return applied;
  return ok(withTree(document, { layoutId, tree: applied.value, bound: operation }));
}

/** The document with that tree; with bound, what that operation binds leaves the other layouts. */
export function withTree(
  document: LayoutsDocument,
  { layoutId, tree, bound }: {
    readonly layoutId: LayoutId;
    readonly tree: LayoutTree;
    readonly bound?: LayoutOperation;
  },
): LayoutsDocument {
  const free = (leaf: Leaf): Leaf => {
    if (bound?.op === "setSession" && leaf.session === bound.sessionId) return withoutSession(leaf);
    return bound?.op === "setAgent" && leaf.agent === bound.agentId ? withoutAgent(leaf) : leaf;
  };
  return mapTrees(document, (layout) => (layout.id === layoutId ? tree : mapTree(layout.tree, free)));
}

export interface Placement {
  readonly agentId: AgentId;
  /** Left out: the cell that already is the agent's, if there is one. */
  readonly cellId?: CellId;
  /** null: the agent has no live session any more. */
  readonly sessionId: SessionId | null;
}

/** Where an agent runs, or that it no longer does. The cell keeps showing what is left of an ended session. */
export function placeAgent(document: LayoutsDocument, { agentId, cellId, sessionId }: Placement): LayoutsDocument {
  const isHost = (leaf: Leaf) => (cellId === undefined ? leaf.agent === agentId : leaf.id === cellId);
  const layout = document.layouts.find(({ tree }) => leavesOf(tree).some(isHost));
  const host = layout === undefined ? undefined : leavesOf(layout.tree).find(isHost);
  if (layout === undefined || host === undefined) return document;
  if (sessionId === null && host.agent !== agentId) return document;
  const bindings: readonly LayoutOperation[] = sessionId === null ? [] : [
    { op: "setAgent", cellId: host.id, agentId },
    { op: "setSession", cellId: host.id, sessionId },
  ];
  const operations: readonly LayoutOperation[] = [
    ...bindings,
    { op: "setRunning", cellId: host.id, running: sessionId !== null },
  ];
  return operations.reduce((current, operation) => {
    // Nothing is made by these, so the id is never used.
    const placed = operateLayout(current, { layoutId: layout.id, operation, freshId: layout.id });
    return placed.ok ? placed.value : current;
  }, document);
}

export function renameLayout(document: LayoutsDocument, layoutId: LayoutId, name: string): Edited {
  return editLayout(document, layoutId, (layout) => (layout.name === name ? layout : { ...layout, name }));
}

export function activateLayout(document: LayoutsDocument, layoutId: LayoutId): Edited {
  if (findLayout(document, layoutId) === undefined) return err({ kind: "layoutNotFound", layoutId });
  return ok(document.activeId === layoutId ? document : { ...document, activeId: layoutId });
}

/** Behind that one, with one empty cell; it becomes the active one. */
export function addLayout(
  document: LayoutsDocument,
  { after, layout, cellId }: {
    readonly after: LayoutId;
    readonly layout: Omit<Layout, "tree">;
    readonly cellId: CellId;
  },
): Edited {
  const at = document.layouts.findIndex(({ id }) => id === after);
  if (at === -1) return err({ kind: "layoutNotFound", layoutId: after });
  const tree: LayoutTree = { root: { type: "leaf", node: { id: cellId } } };
  const layouts = document.layouts.toSpliced(at + 1, 0, { ...layout, tree });
  return ok({ ...document, activeId: layout.id, layouts });
}

export function removeLayout(document: LayoutsDocument, layoutId: LayoutId): Edited {
  const at = document.layouts.findIndex(({ id }) => id === layoutId);
  if (at === -1) return err({ kind: "layoutNotFound", layoutId });
  const layouts = document.layouts.toSpliced(at, 1);
  const next = layouts[Math.max(0, at - 1)];
  if (next === undefined) return err({ kind: "lastLayout", layoutId });
  return ok({ ...document, activeId: document.activeId === layoutId ? next.id : document.activeId, layouts });
}

/** The layout that has that cell. */
export function layoutOfCell(document: LayoutsDocument, cellId: CellId): Layout | undefined {
  return document.layouts.find(({ tree }) => findLeaf(tree, cellId) !== undefined);
}

export function mapTrees(document: LayoutsDocument, edit: (layout: Layout) => LayoutTree): LayoutsDocument {
  const layouts = document.layouts.map((layout) => {
    const tree = edit(layout);
    return tree === layout.tree ? layout : { ...layout, tree };
  });
  return layouts.every((layout, at) => layout === document.layouts[at]) ? document : { ...document, layouts };
}

function editLayout(document: LayoutsDocument, layoutId: LayoutId, edit: (layout: Layout) => Layout): Edited {
  const layout = findLayout(document, layoutId);
  if (layout === undefined) return err({ kind: "layoutNotFound", layoutId });
  const edited = edit(layout);
  if (edited === layout) return ok(document);
  return ok({ ...document, layouts: document.layouts.map((each) => (each === layout ? edited : each)) });
}
