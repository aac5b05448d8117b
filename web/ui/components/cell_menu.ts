/** The menu of a cell: what is done to it, to its row and column, and to the whole layout. */
import { focusCellSoon } from "../interactions/focus.ts";
import { closeCell, emptyCell, mergeCell, operate, splitCell } from "../interactions/layout.ts";
import { type Direction, neighbourOf } from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import { shortcuts } from "../state/shortcuts.ts";
import type { Store } from "../state/store.ts";
import type { Leaf } from "../../../core/layout/tree.ts";
import type { LayoutCommand } from "../../../core/layout/operation.ts";
import type { MenuEntry } from "./Menu.tsx";

export interface CellMenuOptions {
  readonly store: Store;
  readonly project: ProjectState;
  readonly leaf: Leaf;
  readonly isEmpty: boolean;
}

export function cellMenu(options: CellMenuOptions): readonly MenuEntry[] {
  return [
    ...splitEntries(options),
    "line",
    ...tableEntries(options),
    "line",
    ...layoutEntries(options),
    "line",
    ...endEntries(options),
  ];
}

function splitEntries({ store, project, leaf }: CellMenuOptions): readonly MenuEntry[] {
  const { layouts } = store.settings.words.value;
  const split = (side: "right" | "below") =>
    void splitCell({ store, project, cellId: leaf.id, side }).then(focusCellSoon);
  return [
    {
      label: layouts.splitRight,
      icon: "splitRight",
      shortcut: shortcuts.splitRight,
      onSelect: () => split("right"),
    },
    {
      label: layouts.splitDown,
      icon: "splitDown",
      shortcut: shortcuts.splitDown,
      onSelect: () => split("below"),
    },
  ];
}

/** As in a spreadsheet; what is not possible here is left out. */
function tableEntries({ store, project, leaf }: CellMenuOptions): readonly MenuEntry[] {
  const { layouts } = store.settings.words.value;
  const { cells } = project.geometry.value;
  const box = cells.find((cell) => cell.leaf.id === leaf.id);
  const cellId = leaf.id;
  const entry = (label: string, operation: LayoutCommand): MenuEntry => ({
    label,
    onSelect: () => void operate({ store, project, operation }).then(() => focusCellSoon(cellId)),
  });
  const merges = (["right", "down"] as const).flatMap((direction: Direction): readonly MenuEntry[] =>
    box === undefined || neighbourOf(cells, box.rect, direction) === undefined ? [] : [{
      label: layouts.merge[direction],
      onSelect: () => {
        project.focusCell(cellId);
        void mergeCell(store, project, direction).then(() => focusCellSoon(cellId));
      },
    }]
  );
  return [
    ...merges,
    ...(box?.merged === true ? [entry(layouts.unmerge, { op: "unmerge", cellId })] : []),
    entry(layouts.insert.rowBelow, { op: "insertTrack", cellId, axis: "row", where: "after" }),
    entry(layouts.insert.columnRight, { op: "insertTrack", cellId, axis: "col", where: "after" }),
    ...(cells.length < 2 ? [] : [
      entry(layouts.deleteRow, { op: "deleteTrack", cellId, axis: "row" }),
      entry(layouts.deleteColumn, { op: "deleteTrack", cellId, axis: "col" }),
    ]),
  ];
}

function layoutEntries({ store, project }: CellMenuOptions): readonly MenuEntry[] {
  const { layouts } = store.settings.words.value;
  const active = project.activeLayout.value;
  return [
    {
      label: layouts.undo,
      icon: "undo",
      disabled: active?.canUndo !== true,
      shortcut: shortcuts.undoLayout,
      onSelect: () => void operate({ store, project, operation: { op: "undo" } }),
    },
    {
      label: layouts.redo,
      icon: "redo",
      disabled: active?.canRedo !== true,
      shortcut: shortcuts.redoLayout,
      onSelect: () => void operate({ store, project, operation: { op: "redo" } }),
    },
    {
      label: layouts.new,
      icon: "plus",
      onSelect: () => {
        if (active === undefined) return;
        store.view.dialog.value = { kind: "nameLayout", project, layoutId: active.layoutId, isNew: true };
      },
    },
  ];
}

function endEntries({ store, project, leaf, isEmpty }: CellMenuOptions): readonly MenuEntry[] {
  const { layouts } = store.settings.words.value;
  return [
    {
      label: layouts.release,
      icon: "minus",
      disabled: isEmpty,
      onSelect: () => void emptyCell(store, project, leaf.id),
    },
    {
      label: layouts.closeCell,
      icon: "close",
      shortcut: shortcuts.closeCell,
      onSelect: () => void closeCell(store, project, leaf.id).then(() => focusCellSoon(project.focusedCell.value)),
    },
  ];
}
