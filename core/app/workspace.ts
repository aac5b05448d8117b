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
import { openDocument, type StoredDocument } from "./documents.ts";
import type { Projects } from "./projects.ts";

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
  /** IdeA ends: from now on a project that closes stays in the list. */
  end(): void;
}

export interface WorkspacePorts {
  readonly projects: Pick<Projects, "get" | "open" | "whileOpen">;
  readonly dataFolder: Folder;
  readonly onDefect: (error: unknown) => void;
}

export async function createWorkspace({ projects, dataFolder, onDefect }: WorkspacePorts): Promise<Workspace> {
  const initial: WorkspaceDocument = { version: 1, windows: [] };
  const document = await openDocument({
    folder: dataFolder,
    path: "workspace.json",
    format: workspaceFormat,
    initial,
  });
  let ending = false;
  const keep = async (projectId: ProjectId, isOpen: boolean) => {
    const saved = await setTab(document, projectId, isOpen);
    // A list that cannot be written is no reason to refuse a project.
    if (!saved.ok) onDefect(saved.error);
  };
  // Part of opening: who was told that a project is open finds it open after a crash.
  projects.whileOpen(async ({ id }) => {
    await keep(id, true);
    return { [Symbol.asyncDispose]: () => ending ? Promise.resolve() : keep(id, false) };
  });
  return {
    async reopen() {
      for (const projectId of tabsOf(document.value())) {
        const known = projects.get(projectId);
        if (known.ok && !known.value.open) await projects.open({ root: known.value.root });
      }
    },
    end: () => void (ending = true),
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
