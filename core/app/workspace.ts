/**
 * `workspace.json` in the data folder: which projects were open when IdeA ended, so that it comes back as it was left.
 * Windows share one list of tabs; the order is that in which they were opened.
 */
import { z } from "zod";
import type { ProjectId } from "../ids.ts";
import type { Folder } from "../ports/folder.ts";
import { ok } from "../result.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";
import type { App } from "./app.ts";
import { openDocument, type StoredDocument } from "./documents.ts";

interface WorkspaceDocument {
  readonly version: number;
  readonly windows: readonly { readonly tabs: readonly ProjectId[] }[];
}

const workspaceFormat: DocumentFormat<WorkspaceDocument> = {
  version: 1,
  schema: z.looseObject({
    version: z.number().int().positive().default(1),
    windows: z.array(z.looseObject({ tabs: z.array(idSchema("project")) })),
  }),
};

export interface Workspace {
  /** Opens what was open; a project that is gone or in use elsewhere is left out and stays known. */
  reopen(): Promise<void>;
  /** Keeps the list up to date until disposed: before projects close because IdeA ends. */
  follow(onDefect: (error: unknown) => void): Disposable;
}

export async function createWorkspace(
  app: Pick<App, "projects" | "events">,
  dataFolder: Folder,
): Promise<Workspace> {
  const initial: WorkspaceDocument = { version: 1, windows: [] };
  const document = await openDocument({
    folder: dataFolder,
    path: "workspace.json",
    format: workspaceFormat,
    initial,
  });
  return {
    async reopen() {
      for (const projectId of tabsOf(document.value())) {
        const known = app.projects.get(projectId);
        if (known.ok && !known.value.open) await app.projects.open({ root: known.value.root });
      }
    },
    follow: (onDefect) =>
      app.events.subscribe((event) => {
        if (event.kind !== "projectOpened" && event.kind !== "projectClosed") return;
        const isOpen = event.kind === "projectOpened";
        void setTab(document, event.projectId, isOpen).then((saved) => {
          if (!saved.ok) onDefect(saved.error);
        });
      }),
  };
}

function tabsOf({ windows }: WorkspaceDocument): readonly ProjectId[] {
  return [...new Set(windows.flatMap(({ tabs }) => tabs))];
}

function setTab(document: StoredDocument<WorkspaceDocument>, projectId: ProjectId, isOpen: boolean) {
  return document.update((current) => {
    const isThere = tabsOf(current).includes(projectId);
    if (isThere === isOpen) return ok(current);
    const [first = { tabs: [] }, ...others] = current.windows;
    const windows = isOpen
      ? [{ ...first, tabs: [...first.tabs, projectId] }, ...others]
      : current.windows.map((window) => ({ ...window, tabs: window.tabs.filter((tab) => tab !== projectId) }));
    return ok({ ...current, windows });
  });
}
