/** Changing the grid: split, close, resize, move, merge, undo; and putting terminals into cells. */
import { codeOf } from "../state/errors.ts";
import type { LayoutCommand } from "../../../core/layout/operation.ts";
import { leavesOf } from "../../../core/layout/tree.ts";
import { contentOf, planCell } from "../state/cells.ts";
import {
  borderOf,
  type BorderOwner,
  type CellBox,
  type Direction,
  moveBorder,
  neighbourOf,
  withBorder,
} from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import type { Store } from "../state/store.ts";
import type { LayoutView } from "../state/views.ts";
import type { CellId, LayoutId, SessionId } from "../../../core/ids.ts";

/** Of the size of the split: with two cells side by side both keep room for a prompt. */
export const MIN_FRACTION = 0.08;
const KEY_STEP = 0.03;

/** The layout after it, or undefined when the server refused (the person has been told). */
export async function operate(
  { store, project, operation }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly operation: LayoutCommand;
  },
): Promise<LayoutView | undefined> {
  const layout = project.activeLayout.value;
  return layout === undefined ? undefined : await operateOn({ store, project, layout, operation });
}

async function operateOn(
  { store, project, layout, operation }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly layout: LayoutView;
    readonly operation: LayoutCommand;
  },
): Promise<LayoutView | undefined> {
  const result = await store.api.call("POST /api/projects/{projectId}/layouts/{layoutId}/operations", {
    params: { projectId: project.id, layoutId: layout.layoutId },
    body: operation,
  });
  if (result.ok) {
    replaceLayout(project, result.value);
    return result.value;
  }
  store.report(result.error);
  await project.refresh(["layouts"]);
  return undefined;
}

/** What is done to the list of layouts: shown, named, added, removed. True when it is done. */
export async function changeLayouts(
  { store, project, layoutId, operation }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly layoutId: LayoutId;
    readonly operation: Extract<LayoutCommand, { readonly op: "activate" | "rename" | "add" | "remove" }>;
  },
): Promise<boolean> {
  const result = await store.api.call("POST /api/projects/{projectId}/layouts/{layoutId}/operations", {
    params: { projectId: project.id, layoutId },
    body: operation,
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["layouts"]);
  return result.ok;
}

function replaceLayout(project: ProjectState, changed: LayoutView): void {
  project.layouts.value = project.layouts.value.map((layout) =>
    layout.layoutId === changed.layoutId ? changed : layout
  );
}

/** The new cell, focused. */
export async function splitCell(
  { store, project, cellId, side }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly cellId: CellId;
    readonly side: "left" | "right" | "above" | "below";
  },
): Promise<CellId | undefined> {
  const before = new Set(project.geometry.value.cells.map(({ leaf }) => leaf.id));
  project.maximise(undefined);
  const layout = await operate({ store, project, operation: { op: "split", cellId, side } });
  if (layout === undefined) return undefined;
  const added = leavesOf(layout.tree).find(({ id }) => !before.has(id));
  if (added !== undefined) project.focusCell(added.id);
  return added?.id;
}

/** Shown at once; the server has the last word. */
export async function resizeBorder(
  { store, project, of, weights }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly of: BorderOwner;
    readonly weights: readonly number[];
  },
): Promise<void> {
  const layout = project.activeLayout.value;
  if (layout === undefined) return;
  replaceLayout(project, { ...layout, tree: withBorder(layout.tree, of, weights) });
  const operation: LayoutCommand = of.kind === "split"
    ? { op: "resize", splitId: of.splitId, weights: [...weights] }
    : { op: "resizeGrid", gridId: of.gridId, axis: of.axis, weights: [...weights] };
  await operate({ store, project, operation });
}

export async function resizeByKey(store: Store, project: ProjectState, direction: Direction): Promise<void> {
  const cell = focusedBox(project);
  const border = cell && borderOf(project.geometry.value, cell.rect, direction);
  if (border === undefined) return;
  const by = direction === "left" || direction === "up" ? -KEY_STEP : KEY_STEP;
  const weights = moveBorder(border, { by, minFraction: MIN_FRACTION });
  await resizeBorder({ store, project, of: border.of, weights });
}

export function focusByDirection(project: ProjectState, direction: Direction): CellId | undefined {
  const from = focusedBox(project);
  const next = from && neighbourOf(project.geometry.value.cells, from.rect, direction);
  if (next !== undefined) project.focusCell(next.leaf.id);
  return next?.leaf.id;
}

/** Changes places with the neighbour on that side. */
export async function swapCell(store: Store, project: ProjectState, direction: Direction): Promise<void> {
  const from = focusedBox(project);
  const other = from && neighbourOf(project.geometry.value.cells, from.rect, direction);
  if (from === undefined || other === undefined) return;
  const operation = { op: "move", cellId: from.leaf.id, targetId: other.leaf.id, place: "swap" } as const;
  await operate({ store, project, operation });
}

/** The block with both cells becomes the focused one's. */
export async function mergeCell(store: Store, project: ProjectState, direction: Direction): Promise<void> {
  const from = focusedBox(project);
  const other = from && neighbourOf(project.geometry.value.cells, from.rect, direction);
  if (from === undefined || other === undefined) return;
  await operate({ store, project, operation: { op: "merge", cellId: from.leaf.id, otherId: other.leaf.id } });
}

export function focusedBox(project: ProjectState): CellBox | undefined {
  return project.geometry.value.cells.find(({ leaf }) => leaf.id === project.focusedCell.value);
}

/** Closing a cell ends a plain terminal in it; an agent lives on and can be brought back. */
export async function closeCell(store: Store, project: ProjectState, cellId: CellId): Promise<void> {
  const box = project.geometry.value.cells.find(({ leaf }) => leaf.id === cellId);
  if (box === undefined) return;
  const content = contentOf(box.leaf, { agents: project.agents.value, terminals: project.terminals.value });
  const isLast = project.geometry.value.cells.length === 1;
  if (isLast) await emptyCell(store, project, cellId);
  else await operate({ store, project, operation: { op: "close", cellId } });
  if (content.kind === "terminal") await endTerminal(store, project, content.sessionId);
}

/** The cell stays, with nothing in it. */
export async function emptyCell(store: Store, project: ProjectState, cellId: CellId): Promise<void> {
  const leaf = project.geometry.value.cells.find((cell) => cell.leaf.id === cellId)?.leaf;
  if (leaf?.agent !== undefined) {
    await operate({ store, project, operation: { op: "setAgent", cellId, agentId: null } });
  }
  if (leaf?.session !== undefined) {
    await operate({ store, project, operation: { op: "setSession", cellId, sessionId: null } });
  }
}

async function endTerminal(store: Store, project: ProjectState, sessionId: SessionId): Promise<void> {
  const result = await store.api.call("DELETE /api/projects/{projectId}/terminals/{sessionId}", {
    params: { projectId: project.id, sessionId },
  });
  if (!result.ok && codeOf(result.error) !== "NOT_FOUND") store.report(result.error);
  await project.refresh(["terminals"]);
}

/** A cell for something new: an empty one, or a new one made for it. */
export async function findCell(store: Store, project: ProjectState): Promise<CellId | undefined> {
  const things = { agents: project.agents.value, terminals: project.terminals.value };
  const plan = planCell({
    cells: project.geometry.value.cells,
    focused: project.focusedCell.value,
    isEmpty: (leaf) => contentOf(leaf, things).kind === "empty",
    aspect: globalThis.innerWidth / Math.max(1, globalThis.innerHeight),
  });
  if (plan === undefined) return undefined;
  if (plan.kind === "split") return await splitCell({ store, project, cellId: plan.cellId, side: plan.side });
  project.focusCell(plan.cellId);
  return plan.cellId;
}

/** A shell in that cell, or in one that is free. */
export async function openTerminal(store: Store, project: ProjectState, inCell?: CellId): Promise<void> {
  const cellId = inCell ?? await findCell(store, project);
  if (cellId === undefined) return;
  const opened = await store.api.call("POST /api/projects/{projectId}/terminals", {
    params: { projectId: project.id },
    body: {},
  });
  if (!opened.ok) return store.report(opened.error);
  project.terminals.value = [...project.terminals.value, opened.value];
  await showTerminal({ store, project, cellId, sessionId: opened.value.sessionId });
}

export async function showTerminal(
  { store, project, cellId, sessionId }: {
    readonly store: Store;
    readonly project: ProjectState;
    readonly cellId: CellId;
    readonly sessionId: SessionId;
  },
): Promise<void> {
  await operate({ store, project, operation: { op: "setSession", cellId, sessionId } });
  project.focusCell(cellId);
}
