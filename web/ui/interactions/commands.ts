/** Every action of the window as a command: for the palette, for keys, and so that nothing needs a mouse. */
import { isRunning } from "../state/status.ts";
import { type CommandId, isMacOf, type Shortcut, shortcuts, terminalShortcut } from "../state/shortcuts.ts";
import { type ProjectState, terminalLayouts } from "../state/project.ts";
import type { Store } from "../state/store.ts";
import type { AgentView } from "../state/views.ts";
import { type Direction, neighbourOf } from "../state/geometry.ts";
import type { LayoutCommand } from "../../../core/layout/operation.ts";
import type { Words } from "../words/en.ts";
import { interruptAgent, launchAgent, showAgent, stopAgent } from "./agents.ts";
import { focusCellSoon, toggleComposer } from "./focus.ts";
import {
  changeLayouts,
  closeCell,
  focusByDirection,
  focusedBox,
  mergeCell,
  openTerminal,
  operate,
  resizeByKey,
  splitCell,
  swapCell,
} from "./layout.ts";
import { closeProject, switchProject } from "./projects.ts";
import { type CellContent, contentOf } from "../state/cells.ts";

export type CommandGroup = keyof Words["palette"]["groups"];

export interface Command {
  /** A CommandId, or one made for an agent or a project. */
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly shortcut?: Shortcut;
  readonly run: () => void;
}

/** What can be done now, the most likely first. */
export function listCommands(store: Store): readonly Command[] {
  const project = store.projects.active.value;
  return [
    ...(project === undefined ? [] : [
      ...agentCommands(store, project),
      ...cellCommands(store, project),
      ...tableCommands(store, project),
      ...layoutCommands(store, project),
      ...terminalCommands(store, project),
    ]),
    ...projectCommands(store),
    ...viewCommands(store),
  ];
}

export function runCommand(store: Store, id: CommandId): boolean {
  const command = listCommands(store).find((one) => one.id === id);
  command?.run();
  return command !== undefined;
}

type Maker = (id: CommandId, title: string, run: () => void) => Command;

function maker(group: CommandGroup): Maker {
  return (id, title, run) => {
    const shortcut = shortcuts[id];
    return { id, title, group, run, ...(shortcut === undefined ? {} : { shortcut }) };
  };
}

function agentCommands(store: Store, project: ProjectState): readonly Command[] {
  const words = store.settings.words.value;
  const make = maker("agents");
  const focused = contentInFocus(project);
  return [
    make("newAgent", words.commands.newAgent, () => {
      store.view.dialog.value = { kind: "newAgent", project, cellId: undefined };
    }),
    ...(focused.kind !== "agent" ? [] : [
      make("interrupt", words.commands.interrupt, () => {
        void interruptAgent({ store, project, agentId: focused.agent.agentId });
      }),
    ]),
    ...project.agents.value.flatMap((agent) => commandsOf({ store, project, agent })),
  ];
}

function commandsOf(
  { store, project, agent }: { readonly store: Store; readonly project: ProjectState; readonly agent: AgentView },
): readonly Command[] {
  const { commands } = store.settings.words.value;
  const target = { store, project, agentId: agent.agentId };
  const make = (verb: string, title: string, run: () => void): Command => ({
    id: `${verb}:${agent.agentId}`,
    title,
    group: "agents",
    run,
  });
  const explain = make("explain", commands.explain(agent.name), () => {
    store.view.dialog.value = { kind: "explain", project, agentId: agent.agentId };
  });
  const limit = make("limit", commands.limit(agent.name), () => {
    store.view.dialog.value = { kind: "limit", project, agentId: agent.agentId };
  });
  if (!isRunning(agent)) {
    return [make("launch", commands.launch(agent.name), () => void launchAgent(target)), explain, limit];
  }
  return [
    make("goTo", commands.goTo(agent.name), () => {
      void showAgent(target).then(() => focusCellSoon(project.focusedCell.value));
    }),
    make("stop", commands.stop(agent.name), () => void stopAgent(target)),
    explain,
    limit,
  ];
}

function contentInFocus(project: ProjectState): CellContent {
  const box = focusedBox(project);
  if (box === undefined) return { kind: "empty" };
  return contentOf(box.leaf, { agents: project.agents.value, terminals: project.terminals.value });
}

/** What the terminal of the focused cell can do; its own keys, shown here so that they can be found. */
function terminalCommands(store: Store, project: ProjectState): readonly Command[] {
  const { commands } = store.settings.words.value;
  const content = contentInFocus(project);
  const sessionId = content.kind === "agent" || content.kind === "terminal" ? content.sessionId : undefined;
  const handle = sessionId === undefined ? undefined : store.terminals.get(sessionId);
  if (handle === undefined) return [];
  const isMac = isMacOf(navigator);
  const make = (key: "find" | "previousPrompt" | "nextPrompt", title: string, run: () => void): Command => ({
    id: key,
    title,
    group: "view",
    shortcut: terminalShortcut(key, isMac),
    run,
  });
  return [
    make("find", commands.find, () => handle.openFind()),
    make("previousPrompt", commands.previousPrompt, () => handle.jumpToPrompt("previous")),
    make("nextPrompt", commands.nextPrompt, () => handle.jumpToPrompt("next")),
  ];
}

function cellCommands(store: Store, project: ProjectState): readonly Command[] {
  const { commands } = store.settings.words.value;
  const make = maker("layout");
  const cellId = project.focusedCell.value;
  const moves: readonly (readonly [Direction, CommandId, CommandId, CommandId])[] = [
    ["left", "focusLeft", "growLeft", "moveLeft"],
    ["right", "focusRight", "growRight", "moveRight"],
    ["up", "focusUp", "growUp", "moveUp"],
    ["down", "focusDown", "growDown", "moveDown"],
  ];
  const split = (side: "right" | "below") => {
    if (cellId !== undefined) void splitCell({ store, project, cellId, side }).then(focusCellSoon);
  };
  return [
    make("newTerminal", commands.newTerminal, () => {
      void openTerminal(store, project).then(() => focusCellSoon(project.focusedCell.value));
    }),
    make("splitRight", commands.splitRight, () => split("right")),
    make("splitDown", commands.splitDown, () => split("below")),
    make("maximise", commands.maximise, () => {
      project.maximise(project.maximisedCell.value === undefined ? cellId : undefined);
      focusCellSoon(cellId);
    }),
    make("closeCell", commands.closeCell, () => {
      if (cellId !== undefined) {
        void closeCell(store, project, cellId).then(() => focusCellSoon(project.focusedCell.value));
      }
    }),
    make("composer", commands.composer, () => {
      if (cellId !== undefined) toggleComposer(cellId);
    }),
    ...moves.map(([direction, focus]) =>
      make(focus, commands.focus[direction], () => focusCellSoon(focusByDirection(project, direction)))
    ),
    ...moves.map(([direction, , grow]) =>
      make(grow, commands.grow[direction], () => void resizeByKey(store, project, direction))
    ),
    ...moves.map(([direction, , , move]) =>
      make(move, commands.move[direction], () => {
        void swapCell(store, project, direction).then(() => focusCellSoon(cellId));
      })
    ),
  ];
}

/** As in a spreadsheet: of the focused cell. */
function tableCommands(store: Store, project: ProjectState): readonly Command[] {
  const { commands, layouts } = store.settings.words.value;
  const make = maker("layout");
  const box = focusedBox(project);
  if (box === undefined) return [];
  const cellId = box.leaf.id;
  const { cells } = project.geometry.value;
  const run = (operation: LayoutCommand) => () =>
    void operate({ store, project, operation }).then(() => focusCellSoon(cellId));
  const insert = (axis: "row" | "col", where: "before" | "after") => run({ op: "insertTrack", cellId, axis, where });
  const merges: readonly (readonly [Direction, CommandId])[] = [
    ["right", "mergeRight"],
    ["down", "mergeDown"],
    ["left", "mergeLeft"],
    ["up", "mergeUp"],
  ];
  return [
    ...merges.filter(([direction]) => neighbourOf(cells, box.rect, direction) !== undefined).map(([direction, id]) =>
      make(id, layouts.merge[direction], () => {
        void mergeCell(store, project, direction).then(() => focusCellSoon(cellId));
      })
    ),
    ...(box.merged ? [make("unmerge", layouts.unmerge, run({ op: "unmerge", cellId }))] : []),
    make("rowAbove", layouts.insert.rowAbove, insert("row", "before")),
    make("rowBelow", layouts.insert.rowBelow, insert("row", "after")),
    make("columnLeft", layouts.insert.columnLeft, insert("col", "before")),
    make("columnRight", layouts.insert.columnRight, insert("col", "after")),
    ...(cells.length < 2 ? [] : [
      make("deleteRow", commands.deleteRow, run({ op: "deleteTrack", cellId, axis: "row" })),
      make("deleteColumn", commands.deleteColumn, run({ op: "deleteTrack", cellId, axis: "col" })),
    ]),
  ];
}

function layoutCommands(store: Store, project: ProjectState): readonly Command[] {
  const { commands } = store.settings.words.value;
  const { dialog } = store.view;
  const make = maker("layout");
  const active = project.activeLayout.value;
  if (active === undefined) return [];
  const { layoutId } = active;
  const others = terminalLayouts(project).filter((layout) => layout !== active);
  return [
    make("undoLayout", commands.undoLayout, () => void operate({ store, project, operation: { op: "undo" } })),
    make("redoLayout", commands.redoLayout, () => void operate({ store, project, operation: { op: "redo" } })),
    ...others.map((layout): Command => ({
      id: `layout:${layout.layoutId}`,
      title: commands.layout(layout.name),
      group: "layout",
      run: () => void changeLayouts({ store, project, layoutId: layout.layoutId, operation: { op: "activate" } }),
    })),
    make("newLayout", commands.newLayout, () => {
      dialog.value = { kind: "nameLayout", project, layoutId, isNew: true };
    }),
    make("renameLayout", commands.renameLayout(active.name), () => {
      dialog.value = { kind: "nameLayout", project, layoutId, isNew: false };
    }),
    ...(others.length === 0 ? [] : [
      make("removeLayout", commands.removeLayout(active.name), () => {
        dialog.value = { kind: "removeLayout", project, layoutId };
      }),
    ]),
  ];
}

function projectCommands(store: Store): readonly Command[] {
  const { commands } = store.settings.words.value;
  const make = maker("project");
  const tabs = store.projects.tabs.value;
  const active = store.projects.active.value;
  return [
    make("openProject", commands.openProject, () => {
      store.view.dialog.value = { kind: "picker" };
    }),
    ...tabs.filter((tab) => tab !== active).map((tab): Command => ({
      id: `project:${tab.id}`,
      title: commands.project(tab.view.value.name),
      group: "project",
      run: () => store.projects.activate(tab.id),
    })),
    ...(tabs.length < 2 ? [] : [
      make("nextProject", commands.nextProject, () => switchProject(store, 1)),
      make("previousProject", commands.previousProject, () => switchProject(store, -1)),
    ]),
    ...(active === undefined
      ? []
      : [make("closeProject", commands.closeProject, () => void closeProject(store, active.id))]),
  ];
}

function viewCommands(store: Store): readonly Command[] {
  const { commands } = store.settings.words.value;
  const { view, settings } = store;
  const make = maker("view");
  const makeApp = maker("app");
  return [
    make("needsYou", commands.needsYou, () => {
      view.needsYouOpen.value = !view.needsYouOpen.value;
    }),
    make("agentsPanel", commands.agentsPanel, () => view.showPanel("agents")),
    make("conversationsPanel", commands.conversationsPanel, () => {
      view.conversationTab.value = "threads";
      view.showPanel("conversations");
    }),
    make("delegations", commands.delegations, () => {
      view.conversationTab.value = "delegations";
      view.showPanel("conversations");
    }),
    make("sidebar", commands.sidebar, () => view.toggleSidebar()),
    make("theme", commands.theme, () => {
      void settings.change({ theme: settings.theme.value === "dark" ? "light" : "dark" });
    }),
    makeApp("settings", commands.settings, () => {
      view.dialog.value = { kind: "settings", page: "general" };
    }),
    makeApp("profiles", commands.profiles, () => {
      view.dialog.value = { kind: "settings", page: "profiles" };
    }),
    makeApp("shortcuts", commands.shortcuts, () => {
      view.dialog.value = { kind: "settings", page: "shortcuts" };
    }),
    makeApp("palette", commands.palette, () => {
      view.dialog.value = view.dialog.value?.kind === "palette" ? undefined : { kind: "palette" };
    }),
  ];
}
