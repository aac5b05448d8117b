/** The projects that the person knows, and those that are open: one tab each. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import type { ProjectId } from "../../../core/ids.ts";
import type { PageEvent } from "./events.ts";
import { readPages } from "./paging.ts";
import { createProjectState, type ProjectState } from "./project.ts";
import { createRefresher } from "./refresher.ts";
import type { ProjectView } from "./views.ts";

export interface Projects {
  /** All known ones, the last opened first. */
  readonly known: Signal<readonly ProjectView[]>;
  readonly tabs: Signal<readonly ProjectState[]>;
  readonly active: ReadonlySignal<ProjectState | undefined>;
  /** Becomes true with the first reading. */
  readonly loaded: Signal<boolean>;
  activate(projectId: ProjectId): void;
  refresh(): Promise<void>;
  /** Reads everything again: after a connection that was lost. */
  refreshAll(): Promise<void>;
  apply(event: PageEvent): void;
}

export interface ProjectsOptions {
  readonly api: ApiClient;
  readonly onError: (error: ApiError) => void;
  /** The tab that was active when this window was last used. */
  readonly lastActive: Signal<string | undefined>;
}

export function createProjects({ api, onError, lastActive }: ProjectsOptions): Projects {
  const known = signal<readonly ProjectView[]>([]);
  const tabs = signal<readonly ProjectState[]>([]);
  const loaded = signal(false);

  const follow = (projects: readonly ProjectView[]) => {
    const open = projects.filter((project) => project.open);
    const kept = tabs.value.filter((tab) => open.some(({ projectId }) => projectId === tab.id));
    for (const tab of kept) {
      const view = open.find(({ projectId }) => projectId === tab.id);
      if (view !== undefined) tab.view.value = view;
    }
    const added = open
      .filter(({ projectId }) => !kept.some((tab) => tab.id === projectId))
      .map((view) => createProjectState({ api, view, onError }));
    batch(() => {
      known.value = projects;
      // Tabs keep their place; the oldest of the new ones stands first.
      if (added.length > 0 || kept.length !== tabs.value.length) tabs.value = [...kept, ...added.reverse()];
      loaded.value = true;
    });
    for (const tab of added) void tab.refresh();
  };
  const reading = createRefresher(async () => {
    const result = await readPages((query) => api.call("GET /api/projects", { query }));
    if (result.ok) follow(result.value);
    else onError(result.error);
  });

  return {
    known,
    tabs,
    active: computed(() => {
      const tabOf = (id: string | undefined) => tabs.value.find((tab) => tab.id === id);
      return tabOf(lastActive.value) ?? tabOf(known.value.find(({ open }) => open)?.projectId);
    }),
    loaded,
    activate(projectId) {
      lastActive.value = projectId;
    },
    refresh: () => reading.refresh(),
    async refreshAll() {
      await reading.refresh();
      await Promise.all(tabs.value.map((tab) => tab.refresh()));
    },
    apply(event) {
      if (event.kind === "projects") return void reading.refresh();
      if (event.kind === "profiles") return tabs.value.forEach((tab) => void tab.refresh(["agents"]));
      tabs.value.find((tab) => tab.id === event.projectId)?.apply(event);
    },
  };
}
