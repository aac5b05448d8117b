/**
 * The projects of this machine: known ones, and those that are open. An open project owns its `.ideai/` until it is
 * closed; opening writes nothing into a folder that is a project already, and closing leaves nothing behind.
 */
import type { AgentsManifest } from "../agents/manifest.ts";
import type { Events } from "../events.ts";
import type { ProjectId } from "../ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Folder, Folders } from "../ports/folder.ts";
import {
  forgetProject,
  type KnownProject,
  knownProjectsFormat,
  NO_KNOWN_PROJECTS,
  rememberProject,
} from "../projects/project.ts";
import { isProjectContent, nameOfRoot } from "../projects/ideai_folder.ts";
import { err, ok, type Result } from "../result.ts";
import { parseName } from "../workspace/names.ts";
import type { ProjectError, Projects as ProjectsDoor, ProjectView } from "./app.ts";
import { type DocumentError, openDocument, type StoredDocument } from "./documents.ts";
import { type LoadedProject, loadProject } from "./project_files.ts";
import type { LayoutsDocument } from "../layout/layouts_document.ts";

export interface OpenProject {
  readonly id: ProjectId;
  readonly name: string;
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** `.ideai/` */
  readonly folder: Folder;
  manifest(): AgentsManifest;
  /** Durable when it resolves; made again on what is there when the file was edited outside meanwhile. */
  updateManifest<E>(
    edit: (manifest: AgentsManifest) => Result<AgentsManifest, E>,
  ): Promise<Result<AgentsManifest, E | DocumentError>>;
  readonly layouts: StoredDocument<LayoutsDocument>;
  /** What could not be read as it is on disk. */
  problems(): readonly DocumentError[];
}

export interface Projects extends ProjectsDoor, AsyncDisposable {
  /** The open project, for the other parts of the app. */
  opened(projectId: ProjectId): OpenProject | undefined;
  openedAll(): readonly OpenProject[];
  /**
   * Runs start for every project that opens from now on, before the event; what it gives is disposed before the
   * project's folder closes. The last registered is disposed first.
   */
  whileOpen(start: (project: OpenProject) => Promise<AsyncDisposable>): void;
}

export interface ProjectsOptions {
  readonly folders: Folders;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly events: Events;
  readonly dataFolder: Folder;
}

interface Running {
  readonly project: OpenProject;
  readonly loaded: LoadedProject;
  readonly parts: AsyncDisposableStack;
}

export async function createProjects(options: ProjectsOptions): Promise<Projects> {
  const { folders, events, dataFolder } = options;
  const known = await openDocument({
    folder: dataFolder,
    path: "projects.json",
    format: knownProjectsFormat,
    initial: NO_KNOWN_PROJECTS,
  });
  const running = new Map<ProjectId, Running>();
  const starters: ((project: OpenProject) => Promise<AsyncDisposable>)[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** Opening and closing are rare and touch shared files: one after the other. */
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const view = (project: KnownProject): ProjectView => {
    const open = running.get(project.id);
    return {
      projectId: project.id,
      name: open?.project.name ?? project.name,
      root: project.root,
      open: open !== undefined,
      createdAtMs: project.createdAt,
      ...(project.lastOpenedAt === undefined ? {} : { lastOpenedAtMs: project.lastOpenedAt }),
      problems: (open?.project.problems() ?? []).map(describeProblem),
    };
  };

  /** Also of a project that could not be written into the list. */
  const viewOf = (projectId: ProjectId): ProjectView | undefined => {
    const project = running.get(projectId)?.loaded.known ?? known.value().projects.find(({ id }) => id === projectId);
    return project === undefined ? undefined : view(project);
  };

  const open = async (root: string, name: string | undefined): Promise<Result<ProjectView, ProjectError>> => {
    const real = await folders.resolve(root);
    if (!real.ok) return err({ kind: "rootNotFound", path: root });
    const already = [...running.values()].find(({ project }) => project.root === real.value);
    if (already !== undefined) return ok(view(already.loaded.known));
    const loaded = await loadProject({
      ...options,
      root: real.value,
      name: chooseName(name, real.value),
      known: known.value(),
    });
    if (!loaded.ok) return loaded;
    // Not fatal: the project works, it is only not remembered; the list's own problem says why.
    await known.update((list) => ok(rememberProject(list, loaded.value.known)));
    const parts = new AsyncDisposableStack();
    parts.defer(() => loaded.value.folder[Symbol.asyncDispose]());
    const project = createOpenProject(loaded.value, events);
    parts.use(followOutsideEdits(loaded.value, events));
    running.set(project.id, { project, loaded: loaded.value, parts });
    for (const start of starters) parts.use(await start(project));
    events.publish({ kind: "projectOpened", projectId: project.id, root: project.root });
    return ok(view(loaded.value.known));
  };

  const close = async (projectId: ProjectId, forget: boolean): Promise<Result<void, ProjectError>> => {
    const open = running.get(projectId);
    if (open === undefined && viewOf(projectId) === undefined) return err({ kind: "projectNotFound", projectId });
    if (open === undefined && !forget) return err({ kind: "projectNotOpen", projectId });
    if (open !== undefined) {
      await open.parts.disposeAsync();
      running.delete(projectId);
      events.publish({ kind: "projectClosed", projectId });
    }
    if (!forget) return ok();
    const forgotten = await known.update((list) => ok(forgetProject(list, projectId)));
    return forgotten.ok ? ok() : err(toProjectError(forgotten.error));
  };

  return {
    list() {
      const open = [...running.values()].map(({ loaded }) => loaded.known);
      const others = known.value().projects.filter(({ id }) => !running.has(id));
      return [...open, ...others].sort((a, b) => (b.lastOpenedAt ?? 0) - (a.lastOpenedAt ?? 0)).map(view);
    },
    get(projectId) {
      const found = viewOf(projectId);
      return found === undefined ? err({ kind: "projectNotFound", projectId }) : ok(found);
    },
    open: ({ root, name }) => inTurn(() => open(root, name)),
    close: (projectId, { forget }) => inTurn(() => close(projectId, forget)),
    opened: (projectId) => running.get(projectId)?.project,
    openedAll: () => [...running.values()].map(({ project }) => project),
    whileOpen(start) {
      starters.push(start);
    },
    [Symbol.asyncDispose]: () =>
      inTurn(async () => {
        for (const projectId of [...running.keys()].reverse()) await close(projectId, false);
      }),
  };
}

function createOpenProject(
  { id, root, folder, document, manifest, layouts }: LoadedProject,
  events: Events,
): OpenProject {
  return {
    id,
    root,
    folder,
    get name() {
      return document.value().name;
    },
    manifest: () => manifest.value(),
    async updateManifest(edit) {
      const before = manifest.value();
      const updated = await manifest.update(edit);
      if (updated.ok && updated.value !== before) {
        events.publish({ kind: "projectChanged", projectId: id, what: [manifest.path] });
      }
      return updated;
    },
    layouts,
    problems: () => [document, manifest, layouts].flatMap((file) => file.problem() ?? []),
  };
}

/** Reads again what others wrote, then tells everybody else. */
function followOutsideEdits(
  { id, folder, document, manifest, layouts }: LoadedProject,
  events: Events,
): AsyncDisposable {
  let last = Promise.resolve();
  const follow = async (paths: readonly string[]) => {
    for (const file of [document, manifest]) if (paths.includes(file.path)) await file.reload();
    const isLayoutChanged = paths.includes(layouts.path) && await layouts.reload();
    events.publish({ kind: "projectChanged", projectId: id, what: paths });
    if (isLayoutChanged) events.publish({ kind: "layoutChanged", projectId: id });
  };
  const watch = folder.watch((changed) => {
    const paths = changed.filter(isProjectContent);
    if (paths.length > 0) last = last.then(() => follow(paths));
  });
  return {
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await last;
    },
  };
}

function chooseName(name: string | undefined, root: string): string {
  for (const candidate of [name ?? "", nameOfRoot(root)]) {
    const parsed = parseName(candidate);
    if (parsed.ok) return parsed.value;
  }
  return "project";
}

function describeProblem(problem: DocumentError): ProjectView["problems"][number] {
  switch (problem.kind) {
    case "newerVersion":
      return { path: problem.path, code: problem.kind, detail: String(problem.version) };
    case "corrupt":
      return { path: problem.movedTo ?? problem.path, code: problem.kind, detail: problem.detail };
    case "storage":
      return { path: problem.error.path, code: problem.error.kind, detail: "" };
  }
}

export function toProjectError(error: DocumentError): ProjectError {
  switch (error.kind) {
    case "newerVersion":
      return { kind: "newerVersion", path: error.path, version: error.version };
    case "corrupt":
      return { kind: "corrupt", path: error.path, movedTo: error.movedTo };
    case "storage":
      return error;
  }
}
