/**
 * A project is a root folder with its `.ideai/`. `project.json` says who it is, and goes with the folder through git;
 * `projects.json`, in the person's data folder, lists the projects that were opened on this machine.
 *
 * Clones and worktrees of one repository carry one id. On this machine each root is a project of its own, so the second
 * one is known by an id derived from the first and its root; `project.json` is left as it is.
 */
import { z } from "zod";
import { createId, type ProjectId } from "../ids.ts";
import { deriveUuid } from "../workspace/derived_id.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";

/** Where the root is. The kinds' own fields are read by the host they name. */
export interface Remote {
  readonly kind: "local" | "ssh" | "wsl" | "exec";
}

export interface ProjectDocument {
  readonly version: number;
  readonly id: ProjectId;
  readonly name: string;
  readonly remote: Remote;
  /** Epoch ms, as in every file. */
  readonly createdAt: number;
}

export interface KnownProject {
  readonly id: ProjectId;
  readonly name: string;
  /** Absolute, without symbolic links. */
  readonly root: string;
  readonly remote: Remote;
  readonly createdAt: number;
  readonly lastOpenedAt?: number;
}

export interface KnownProjects {
  readonly version: number;
  readonly projects: readonly KnownProject[];
}

const LOCAL: Remote = { kind: "local" };
const RemoteSchema = z.looseObject({ kind: z.enum(["local", "ssh", "wsl", "exec"]) });
const Version = z.number().int().positive().default(1);
const EpochMs = z.number().nonnegative();

export const projectFormat: DocumentFormat<ProjectDocument> = {
  version: 1,
  schema: z.looseObject({
    version: Version,
    id: idSchema("project"),
    name: z.string().min(1).max(200),
    remote: RemoteSchema.default({ kind: "local" }),
    createdAt: EpochMs,
  }),
};

export const knownProjectsFormat: DocumentFormat<KnownProjects> = {
  version: 1,
  schema: z.looseObject({
    version: Version,
    projects: z.array(z.looseObject({
      id: idSchema("project"),
      name: z.string().min(1).max(200),
      root: z.string().min(1),
      remote: RemoteSchema.default({ kind: "local" }),
      createdAt: EpochMs,
      lastOpenedAt: EpochMs.exactOptional(),
    })),
  }),
};

export const NO_KNOWN_PROJECTS: KnownProjects = { version: 1, projects: [] };

export function createProjectDocument(
  { id, name, nowMs }: { readonly id: ProjectId; readonly name: string; readonly nowMs: number },
): ProjectDocument {
  return { version: 1, id, name, remote: LOCAL, createdAt: nowMs };
}

/**
 * The id by which a root is known here. isHolderThere: another root that is known by the same id still is a project;
 * when it is not, the project was moved, and keeps its id.
 */
export function chooseLocalId(
  { known, root, id, isHolderThere }: {
    readonly known: KnownProjects;
    readonly root: string;
    readonly id: ProjectId;
    readonly isHolderThere: boolean;
  },
): ProjectId {
  const cloneId = createId("project", deriveUuid(`${id} ${root}`));
  const before = known.projects.find((project) => project.root === root)?.id;
  // What it was known by stays, unless another project lies there now.
  if (before === id || before === cloneId) return before;
  return isHolderThere ? cloneId : id;
}

/** The list with the project as it was just opened; entries of the same root or id are replaced. */
export function rememberProject(known: KnownProjects, opened: KnownProject): KnownProjects {
  const before = known.projects.find((project) => project.root === opened.root || project.id === opened.id);
  const others = known.projects.filter((project) => project.root !== opened.root && project.id !== opened.id);
  return { ...known, projects: [...others, { ...before, ...opened }] };
}

export function forgetProject(known: KnownProjects, id: ProjectId): KnownProjects {
  return { ...known, projects: known.projects.filter((project) => project.id !== id) };
}
