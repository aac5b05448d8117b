/** What happens by itself when the window opens: reading, the first-run choice, the offer to resume. */
import { effect } from "@preact/signals";
import type { ProjectState } from "../state/project.ts";
import { remembered } from "../state/memory.ts";
import type { Store } from "../state/store.ts";
import { resumableIn } from "./projects.ts";

export async function startWindow(store: Store): Promise<void> {
  await Promise.all([store.settings.load(), store.profiles.refresh(), store.projects.refresh()]);
  proposeProfiles(store);
  offerResume(store);
}

/** Once: who skips it is not asked again, and finds the same under Settings. */
function proposeProfiles(store: Store): void {
  const asked = remembered(store.memory, "firstRunAsked");
  if (asked.value === "yes" || store.profiles.list.value?.length !== 0) return;
  store.view.dialog.value = { kind: "firstRun" };
  asked.value = "yes";
}

/** Of each project once for each start of the server: a page that is loaded again does not ask again. */
function offerResume(store: Store): void {
  const offered = new Set<ProjectState>();
  let startedAt: Promise<number | undefined> | undefined;
  effect(() => {
    const { dialog } = store.view;
    const project = store.projects.active.value;
    if (project === undefined || !project.loaded.value || dialog.value !== undefined || offered.has(project)) return;
    offered.add(project);
    if (resumableIn(project).length === 0) return;
    startedAt ??= serverStart(store);
    void startedAt.then((atMs) => {
      const asked = remembered(store.memory, `resumeAsked.${project.id}`);
      if (atMs === undefined || asked.value === String(atMs)) return;
      asked.value = String(atMs);
      dialog.value ??= { kind: "resume", project };
    });
  });
}

async function serverStart(store: Store): Promise<number | undefined> {
  const result = await store.api.call("GET /api/health");
  return result.ok ? result.value.startedAtMs : undefined;
}
