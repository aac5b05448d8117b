/** Opening, closing and forgetting projects, and walking through folders to find them. */
import type { ProjectId } from "../../../core/ids.ts";
import { leavesOf } from "../../../core/layout/tree.ts";
import { agentsToResume, type ResumableAgent } from "../state/cells.ts";
import type { ProjectState } from "../state/project.ts";
import type { Store } from "../state/store.ts";
import type { FolderListing } from "../state/views.ts";
import { launchAgent } from "./agents.ts";

/** Opens a folder as a project (made into one if it is new) and shows it. True when it is open. */
export async function openProject(store: Store, root: string): Promise<boolean> {
  const result = await store.api.call("POST /api/projects", { body: { root } });
  if (!result.ok) {
    store.report(result.error);
    return false;
  }
  const { projectId, problems } = result.value;
  store.projects.activate(projectId);
  await store.projects.refresh();
  for (const problem of problems) {
    store.toasts.error({ title: problem.path, detail: problem.detail });
  }
  return true;
}

export async function closeProject(
  store: Store,
  projectId: ProjectId,
  { forget = false }: { readonly forget?: boolean } = {},
): Promise<void> {
  const result = await store.api.call("DELETE /api/projects/{projectId}", {
    params: { projectId },
    query: forget ? { forget: "true" } : {},
  });
  if (!result.ok) store.report(result.error);
  await store.projects.refresh();
}

/** Without path, the home folder. */
export async function listFolder(store: Store, path: string | undefined): Promise<FolderListing | undefined> {
  const result = await store.api.call("GET /api/folders", { query: path === undefined ? {} : { path } });
  if (result.ok) return result.value;
  store.report(result.error);
  return undefined;
}

export function switchProject(store: Store, step: 1 | -1): void {
  const tabs = store.projects.tabs.value;
  const at = tabs.findIndex((tab) => tab === store.projects.active.value);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (next !== undefined) store.projects.activate(next.id);
}

export function resumableIn(project: ProjectState): readonly ResumableAgent[] {
  const leaves = project.layouts.value.flatMap((layout) => leavesOf(layout.tree));
  return agentsToResume(leaves, project.agents.value);
}

/** One after the other, so that ten CLIs do not start in the same second. */
export async function resumeAgents(
  store: Store,
  project: ProjectState,
  chosen: readonly ResumableAgent[],
): Promise<void> {
  for (const { agent, cellId } of chosen) {
    await launchAgent({ store, project, agentId: agent.agentId }, { cellId, resume: true });
  }
}
