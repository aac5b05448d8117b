/**
 * One open project as the window knows it: signals that are read again when an event says that they may have changed.
 * What is shown stays until the new reading is there, so nothing jumps.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import type { AgentId, CellId, ConversationId, ProjectId } from "../../../core/ids.ts";
import type { Result } from "../../../core/result.ts";
import type { PageEvent, Subject } from "./events.ts";
import { type Geometry, placeCells } from "./geometry.ts";
import { readPages } from "./paging.ts";
import { createRefresher, type Refresher } from "./refresher.ts";
import type { AgentView, ConversationView, LayoutView, ProjectView, TerminalInfo, Ticket } from "./views.ts";

/** Older tickets are history: conversations have them. */
const MAX_TICKETS = 500;

export interface ProjectState {
  readonly id: ProjectId;
  readonly view: Signal<ProjectView>;
  readonly agents: Signal<readonly AgentView[]>;
  readonly tickets: Signal<readonly Ticket[]>;
  readonly terminals: Signal<readonly TerminalInfo[]>;
  readonly conversations: Signal<readonly ConversationView[]>;
  readonly layouts: Signal<readonly LayoutView[]>;
  readonly activeLayout: ReadonlySignal<LayoutView | undefined>;
  readonly geometry: ReadonlySignal<Geometry>;
  /** The cell that keys and the palette act on; always one of the active layout. */
  readonly focusedCell: ReadonlySignal<CellId | undefined>;
  readonly maximisedCell: ReadonlySignal<CellId | undefined>;
  /** Counts what conversations grew, so that an open thread knows when to read again. */
  readonly grown: Signal<{ readonly conversationId: ConversationId | undefined; readonly count: number }>;
  /** Becomes true with the first whole reading. */
  readonly loaded: Signal<boolean>;
  focusCell(cellId: CellId | undefined): void;
  maximise(cellId: CellId | undefined): void;
  refresh(subjects?: readonly Subject[]): Promise<void>;
  apply(event: Extract<PageEvent, { readonly projectId: ProjectId }>): void;
  agent(agentId: AgentId | undefined): AgentView | undefined;
}

/** The layouts that are grids of cells; a git graph is none. */
export function terminalLayouts(project: ProjectState): readonly LayoutView[] {
  return project.layouts.value.filter((layout) => layout.kind === "terminal");
}

export interface ProjectOptions {
  readonly api: ApiClient;
  readonly view: ProjectView;
  readonly onError: (error: ApiError) => void;
}

export function createProjectState({ api, view, onError }: ProjectOptions): ProjectState {
  const params = { projectId: view.projectId };
  const agents = signal<readonly AgentView[]>([]);
  const tickets = signal<readonly Ticket[]>([]);
  const terminals = signal<readonly TerminalInfo[]>([]);
  const conversations = signal<readonly ConversationView[]>([]);
  const layouts = signal<readonly LayoutView[]>([]);
  const grown = signal<{ readonly conversationId: ConversationId | undefined; readonly count: number }>({
    conversationId: undefined,
    count: 0,
  });
  const loaded = signal(false);
  const wantedFocus = signal<CellId | undefined>(undefined);
  const wantedMaximised = signal<CellId | undefined>(undefined);

  const activeLayout = computed(() => layouts.value.find((layout) => layout.active) ?? layouts.value[0]);
  const geometry = computed(() => {
    const layout = activeLayout.value;
    return layout === undefined ? { cells: [], borders: [] } : placeCells(layout.tree);
  });
  const has = (cellId: CellId | undefined) => geometry.value.cells.some(({ leaf }) => leaf.id === cellId);

  const reading = <T>(target: Signal<readonly T[]>, read: () => Promise<Result<readonly T[], ApiError>>): Refresher =>
    createRefresher(async () => {
      const result = await read();
      if (result.ok) target.value = result.value;
      else onError(result.error);
    });
  const readings: Readonly<Record<Subject, Refresher>> = {
    agents: reading(
      agents,
      () => readPages((query) => api.call("GET /api/projects/{projectId}/agents", { params, query })),
    ),
    tickets: reading(
      tickets,
      () => readPages((query) => api.call("GET /api/projects/{projectId}/tickets", { params, query }), MAX_TICKETS),
    ),
    terminals: reading(
      terminals,
      () => readPages((query) => api.call("GET /api/projects/{projectId}/terminals", { params, query })),
    ),
    layouts: reading(
      layouts,
      () => readPages((query) => api.call("GET /api/projects/{projectId}/layouts", { params, query })),
    ),
    conversations: reading(
      conversations,
      () => readPages((query) => api.call("GET /api/projects/{projectId}/conversations", { params, query })),
    ),
  };
  const everything: readonly Subject[] = ["agents", "terminals", "layouts", "tickets", "conversations"];

  const refresh = async (subjects: readonly Subject[] = everything) => {
    await Promise.all(subjects.map((subject) => readings[subject].refresh()));
    if (subjects === everything) loaded.value = true;
  };

  return {
    id: view.projectId,
    view: signal(view),
    agents,
    tickets,
    terminals,
    conversations,
    layouts,
    activeLayout,
    geometry,
    focusedCell: computed(() => has(wantedFocus.value) ? wantedFocus.value : geometry.value.cells[0]?.leaf.id),
    maximisedCell: computed(() => has(wantedMaximised.value) ? wantedMaximised.value : undefined),
    grown,
    loaded,
    focusCell(cellId) {
      batch(() => {
        wantedFocus.value = cellId;
        if (wantedMaximised.value !== undefined && cellId !== undefined) wantedMaximised.value = cellId;
      });
    },
    maximise(cellId) {
      wantedMaximised.value = cellId;
    },
    refresh,
    apply(event) {
      switch (event.kind) {
        case "changed":
          return void refresh(event.subjects);
        case "conversation":
          grown.value = { conversationId: event.conversationId, count: grown.value.count + 1 };
          return void refresh(["conversations"]);
      }
    },
    agent: (agentId) => agents.value.find((agent) => agent.agentId === agentId),
  };
}
