/** Projects (a root folder each), and the picker that finds their folders. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { AtMs, pageOf, PageQuery, ProjectIdSchema, ProjectParams } from "./values.ts";

export const ProjectViewSchema = z.object({
  projectId: ProjectIdSchema,
  name: z.string(),
  root: z.string(),
  open: z.boolean(),
  createdAtMs: AtMs,
  lastOpenedAtMs: AtMs.exactOptional(),
  /** Files of the project that could not be read; the rest of it works. */
  problems: z.array(z.object({ path: z.string(), code: z.string(), detail: z.string() })).readonly(),
}).meta({ id: "Project" });

export const projectEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/projects",
    tag: "projects",
    id: "listProjects",
    summary: "Lists the known projects, the last opened first",
    query: PageQuery,
    output: pageOf(ProjectViewSchema),
  }),
  open: endpoint({
    method: "post",
    path: "/api/projects",
    tag: "projects",
    id: "openProject",
    summary: "Opens a folder as a project, made into one if it is new; opening an open project gives it as it is",
    body: z.strictObject({
      root: z.string().min(1).max(4_096),
      name: z.string().trim().min(1).max(80).exactOptional(),
    }),
    output: ProjectViewSchema,
  }),
  close: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}",
    tag: "projects",
    id: "closeProject",
    summary: "Closes a project and stops its sessions; with forget=true it also leaves the list. Files are kept",
    params: ProjectParams,
    query: z.object({ forget: z.enum(["true", "false"]).exactOptional() }),
  }),
};

export const FolderListingSchema = z.object({
  path: z.string(),
  parent: z.string().exactOptional(),
  home: z.string(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), isProject: z.boolean(), isHidden: z.boolean() }))
    .readonly(),
});

export const folderEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/folders",
    tag: "folders",
    id: "listFolders",
    summary: "Lists the folders inside a folder, for the project picker; without path, the home folder",
    query: z.object({ path: z.string().min(1).max(4_096).exactOptional() }),
    output: FolderListingSchema,
  }),
};
