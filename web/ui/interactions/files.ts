/** Looks at a file that a program in a terminal has named. */
import type { SessionId } from "../../../core/ids.ts";
import type { Store } from "../state/store.ts";

export interface NamedFile {
  /** The terminal that named it. */
  readonly sessionId: SessionId;
  readonly place: { readonly path: string; readonly line?: number };
}

export async function openFile(store: Store, { sessionId, place }: NamedFile): Promise<void> {
  const project = store.projects.active.value;
  if (project === undefined) return;
  const request = { params: { projectId: project.id }, query: { path: place.path, sessionId } };
  const read = await store.api.call("GET /api/projects/{projectId}/file", request);
  if (read.ok) store.view.dialog.value = { kind: "file", ...read.value, line: place.line };
  else store.report(read.error);
}
