/**
 * The layouts of open projects: read as the file has them, repaired; changed by operations, each written before it is
 * told. What can be undone is kept while the project is open.
 *
 * Sessions that ended are no longer shown, whatever the file says; the file forgets them with its next change.
 */
import type { Events } from "../events.ts";
import { createId, type LayoutId, type ProjectId, type SessionId } from "../ids.ts";
import { dropSessions } from "../layout/bind.ts";
import {
  activateLayout,
  addLayout,
  findLayout,
  type LayoutsError,
  mapTrees,
  operateLayout,
  placeAgent,
  type Placement,
  removeLayout,
  renameLayout,
  repairLayouts,
  withTree,
} from "../layout/edit_layouts.ts";
import { type LayoutHistory, NO_HISTORY, recordStep, redo, undo } from "../layout/history.ts";
import type { Layout, LayoutsDocument } from "../layout/layouts_document.ts";
import { type Leaf, leavesOf } from "../layout/tree.ts";
import { isBinding, type LayoutCommand } from "../layout/operation.ts";
import type { Entropy } from "../ports/entropy.ts";
import { err, ok, type Result } from "../result.ts";
import type { LayoutAppError, Layouts as LayoutsDoor, LayoutView } from "./app.ts";
import type { DocumentError } from "./documents.ts";
import type { OpenProject, Projects } from "./projects.ts";

export interface Layouts extends LayoutsDoor {
  /** Of all layouts, the active one's first; none of a project that is not open. */
  cells(projectId: ProjectId): readonly Leaf[];
  /** An agent was started, moved to a cell, or has ended. */
  place(projectId: ProjectId, placement: Placement): Promise<Result<void, LayoutAppError>>;
}

export interface LayoutsOptions {
  readonly projects: Pick<Projects, "opened" | "whileOpen">;
  readonly entropy: Entropy;
  readonly events: Events;
  /** Whether there still is such a session, running or ended but readable. */
  readonly isLive: (sessionId: SessionId) => boolean;
}

type Histories = Map<LayoutId, LayoutHistory>;

/** A document and, when it is another one, what may be undone after it. */
interface Change {
  readonly document: LayoutsDocument;
  readonly layoutId: LayoutId;
  readonly history?: LayoutHistory;
}

export function createLayouts({ projects, entropy, events, isLive }: LayoutsOptions): Layouts {
  const historiesByProject = new Map<ProjectId, Histories>();
  projects.whileOpen((project) => {
    historiesByProject.set(project.id, new Map());
    const forget = () => Promise.resolve(void historiesByProject.delete(project.id));
    return Promise.resolve({ [Symbol.asyncDispose]: forget });
  });

  const shown = (document: LayoutsDocument) =>
    mapTrees(repairLayouts(document), ({ tree }) => dropSessions(tree, (sessionId) => !isLive(sessionId)));

  const view = (project: OpenProject, layout: Layout): LayoutView => {
    const history = historiesByProject.get(project.id)?.get(layout.id) ?? NO_HISTORY;
    return {
      layoutId: layout.id,
      name: layout.name,
      kind: layout.kind,
      active: repairLayouts(project.layouts.value()).activeId === layout.id,
      tree: layout.tree,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
    };
  };

  /** Writes what change makes of the document, if it makes anything of it. */
  const update = async (
    project: OpenProject,
    change: (document: LayoutsDocument) => Result<Change, LayoutsError>,
  ): Promise<Result<LayoutId, LayoutAppError>> => {
    let made: Change | undefined;
    const before = project.layouts.value();
    const updated = await project.layouts.update((current) => {
      const base = shown(current);
      const changed = change(base);
      if (!changed.ok) return changed;
      made = changed.value;
      return ok(made.document === base ? current : made.document);
    });
    if (!updated.ok) return err(toLayoutError(updated.error));
    if (made === undefined) throw new Error("an update without an edit");
    if (made.history !== undefined) historiesByProject.get(project.id)?.set(made.layoutId, made.history);
    if (updated.value !== before) events.publish({ kind: "layoutChanged", projectId: project.id });
    return ok(made.layoutId);
  };

  const change = (project: OpenProject, layoutId: LayoutId, command: LayoutCommand) => {
    const ids = { freshId: entropy.newId(), secondId: entropy.newId() };
    const history = historiesByProject.get(project.id)?.get(layoutId) ?? NO_HISTORY;
    return (document: LayoutsDocument) => changeLayouts({ document, layoutId, command, ids, history, isLive });
  };

  return {
    list(projectId) {
      const project = projects.opened(projectId);
      if (project === undefined) return err({ kind: "projectNotOpen", projectId });
      return ok(shown(project.layouts.value()).layouts.map((layout) => view(project, layout)));
    },

    async operate(projectId, layoutId, command) {
      const project = projects.opened(projectId);
      if (project === undefined) return err({ kind: "projectNotOpen", projectId });
      const updated = await update(project, change(project, layoutId, command));
      if (!updated.ok) return updated;
      const layout = findLayout(shown(project.layouts.value()), updated.value);
      return layout === undefined ? err({ kind: "layoutNotFound", layoutId }) : ok(view(project, layout));
    },

    cells(projectId) {
      const project = projects.opened(projectId);
      if (project === undefined) return [];
      const { activeId, layouts } = shown(project.layouts.value());
      const [active, others] = [
        layouts.filter(({ id }) => id === activeId),
        layouts.filter(({ id }) => id !== activeId),
      ];
      return [...active, ...others].flatMap(({ tree }) => leavesOf(tree));
    },

    async place(projectId, placement) {
      const project = projects.opened(projectId);
      if (project === undefined) return err({ kind: "projectNotOpen", projectId });
      const placed = await update(
        project,
        (document) => ok({ document: placeAgent(document, placement), layoutId: document.activeId }),
      );
      return placed.ok ? ok() : placed;
    },
  };
}

interface CommandedChange {
  readonly document: LayoutsDocument;
  readonly layoutId: LayoutId;
  readonly command: LayoutCommand;
  readonly ids: { readonly freshId: string; readonly secondId: string };
  readonly history: LayoutHistory;
  readonly isLive: (sessionId: SessionId) => boolean;
}

function changeLayouts(
  { document, layoutId, command, ids, history, isLive }: CommandedChange,
): Result<Change, LayoutsError> {
  const layout = findLayout(document, layoutId);
  if (layout === undefined) return err({ kind: "layoutNotFound", layoutId });
  switch (command.op) {
    case "undo":
    case "redo": {
      const go = command.op === "undo" ? undo : redo;
      const step = go({ history, present: layout.tree, isLive });
      if (step === undefined) return ok({ document, layoutId });
      // A cell that comes back may show what another layout has taken over since.
      const undone = repairLayouts(withTree(document, { layoutId, tree: step.tree }));
      return ok({ document: undone, layoutId, history: step.history });
    }
    case "activate":
      return withLayoutId(activateLayout(document, layoutId), layoutId);
    case "rename":
      return withLayoutId(renameLayout(document, layoutId, command.name), layoutId);
    case "add": {
      const added = { id: createId("layout", ids.freshId), name: command.name, kind: command.kind };
      const cellId = createId("cell", ids.secondId);
      return withLayoutId(addLayout(document, { after: layoutId, layout: added, cellId }), added.id);
    }
    case "remove": {
      const removed = removeLayout(document, layoutId);
      return removed.ok ? ok({ document: removed.value, layoutId: removed.value.activeId }) : removed;
    }
    default: {
      const operated = operateLayout(document, { layoutId, operation: command, freshId: ids.freshId });
      if (!operated.ok) return operated;
      const isStep = operated.value !== document && !isBinding(command);
      const recorded = isStep ? { history: recordStep(history, layout.tree) } : {};
      return ok({ document: operated.value, layoutId, ...recorded });
    }
  }
}

function withLayoutId(edited: Result<LayoutsDocument, LayoutsError>, layoutId: LayoutId): Result<Change, LayoutsError> {
  return edited.ok ? ok({ document: edited.value, layoutId }) : edited;
}

function toLayoutError(error: LayoutsError | DocumentError): LayoutAppError {
  switch (error.kind) {
    case "layoutNotFound":
    case "cellNotFound":
    case "storage":
      return error;
    default:
      return { kind: "layoutRefused", reason: error.kind };
  }
}
