/** Takes the folder of a project, makes what a new one needs, and reads the files that every part of the app needs. */
import { type AgentsManifest, EMPTY_MANIFEST, manifestFormat } from "../agents/manifest.ts";
import { createId, type ProjectId } from "../ids.ts";
import { initialLayouts, type LayoutsDocument, layoutsFormat } from "../layout/layouts_document.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Folder, FolderError, Folders } from "../ports/folder.ts";
import { formatGitignore, GITIGNORE_PATH, isIgnored, LOCK_PATH, UNWATCHED_FOLDERS } from "../projects/ideai_folder.ts";
import {
  chooseLocalId,
  createProjectDocument,
  type KnownProject,
  type KnownProjects,
  type ProjectDocument,
  projectFormat,
} from "../projects/project.ts";
import { err, ok, type Result } from "../result.ts";
import type { ProjectError } from "./app.ts";
import { openDocument, type StoredDocument } from "./documents.ts";

export interface LoadedProject {
  readonly id: ProjectId;
  readonly root: string;
  readonly folder: Folder;
  readonly document: StoredDocument<ProjectDocument>;
  readonly manifest: StoredDocument<AgentsManifest>;
  readonly layouts: StoredDocument<LayoutsDocument>;
  readonly known: KnownProject;
}

export interface LoadOptions {
  readonly folders: Folders;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Resolved. */
  readonly root: string;
  /** For a project that is new. */
  readonly name: string;
  readonly known: KnownProjects;
}

export async function loadProject(options: LoadOptions): Promise<Result<LoadedProject, ProjectError>> {
  const { folders, root } = options;
  const opened = await folders.open(`${root}/.ideai`, {
    within: root,
    lockPath: LOCK_PATH,
    unwatched: UNWATCHED_FOLDERS,
  });
  if (!opened.ok) {
    const { error } = opened;
    return err(error.kind === "locked" ? { ...error, path: root } : { kind: "storage", error });
  }
  const folder = withGitignore(opened.value);
  const loaded = await readProject(folder, options);
  if (!loaded.ok) await folder[Symbol.asyncDispose]();
  return loaded;
}

async function readProject(folder: Folder, options: LoadOptions): Promise<Result<LoadedProject, ProjectError>> {
  const { root, clock } = options;
  const document = await openDocument({ folder, path: "project.json", format: projectFormat, initial: fresh(options) });
  if (!document.exists() && document.problem()?.kind !== "storage") {
    const made = await makeProject(folder, document);
    if (!made.ok) return err({ kind: "storage", error: made.error });
  }
  const { name, remote, createdAt, id: sharedId } = document.value();
  const id = await localId(sharedId, options);
  const [manifest, layouts] = await Promise.all([
    openDocument({ folder, path: "agents.json", format: manifestFormat, initial: EMPTY_MANIFEST }),
    openDocument({ folder, path: "layouts.json", format: layoutsFormat, initial: initialLayouts(sharedId) }),
  ]);
  const known = { id, name, root, remote, createdAt, lastOpenedAt: clock.nowMs() };
  return ok({ id, root, folder, document, manifest, layouts, known });
}

/** A root that was known before gets its identity back when its file is gone or corrupt. */
function fresh({ known, root, name, entropy, clock }: LoadOptions): ProjectDocument {
  const before = known.projects.find((project) => project.root === root);
  const id = before?.id ?? createId("project", entropy.newId());
  return createProjectDocument({ id, name: before?.name ?? name, nowMs: before?.createdAt ?? clock.nowMs() });
}

async function makeProject(
  folder: Folder,
  document: StoredDocument<ProjectDocument>,
): Promise<Result<void, FolderError>> {
  const context = `# ${document.value().name}\n`;
  const files = [[GITIGNORE_PATH, formatGitignore()], ["CONTEXT.md", context]] as const;
  for (const [path, text] of files) {
    const written = await folder.writeText(path, text, { expectedHash: null });
    if (!written.ok && written.error.kind !== "changedOutside") return written;
  }
  // Last: a project whose making was interrupted is made again.
  const saved = await document.update((current) => ok({ ...current }));
  return saved.ok || saved.error.kind !== "storage" ? ok() : err(saved.error.error);
}

async function localId(id: ProjectId, { folders, known, root }: LoadOptions): Promise<ProjectId> {
  const holder = known.projects.find((project) => project.id === id && project.root !== root);
  const isHolderThere = holder !== undefined && (await folders.resolve(`${holder.root}/.ideai`)).ok;
  return chooseLocalId({ known, root, id, isHolderThere });
}

/**
 * Projects made by older versions have no .gitignore in `.ideai/`, and opening adds none; it comes with the first file
 * that git must not see.
 */
function withGitignore(folder: Folder): Folder {
  let checked: Promise<unknown> | undefined;
  const check = async (path: string) => {
    if (!isIgnored(path)) return;
    // Its own failure is not the caller's: the write that follows reports what is wrong with the disk.
    checked ??= folder.writeText(GITIGNORE_PATH, formatGitignore(), { expectedHash: null });
    await checked;
  };
  return {
    ...folder,
    async writeText(path, text, options) {
      await check(path);
      return await folder.writeText(path, text, options);
    },
    async appendLine(path, line, options) {
      await check(path);
      return await folder.appendLine(path, line, options);
    },
  };
}
