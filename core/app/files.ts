/** A file of a project, as a terminal of it names it: where its program was, else from the project's root. */
import type { ProjectId, SessionId } from "../ids.ts";
import type { ProjectFile, ProjectFileError, ProjectFiles } from "../ports/project_files.ts";
import type { Result } from "../result.ts";
import type { ProjectError, Projects } from "./app.ts";
import type { Terminals } from "./terminals.ts";

export interface Files {
  read(
    projectId: ProjectId,
    request: { readonly path: string; readonly sessionId?: SessionId },
  ): Promise<Result<ProjectFile, ProjectFileError | ProjectError>>;
}

export interface FilesPorts {
  readonly projects: Pick<Projects, "get">;
  readonly terminals: Pick<Terminals, "get">;
  readonly projectFiles: ProjectFiles;
}

export function createFiles({ projects, terminals, projectFiles }: FilesPorts): Files {
  return {
    async read(projectId, { path, sessionId }) {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const { root } = project.value;
      const session = sessionId === undefined ? undefined : terminals.get(sessionId);
      const folder = session?.projectId === projectId ? session.folder : undefined;
      const bases = folder === undefined ? [root] : [folder, root];
      return await projectFiles.read({ path, bases, within: root });
    },
  };
}
