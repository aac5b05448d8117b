/** Projects, the folder picker, and who does what in a project, over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { folderEndpoints, projectEndpoints } from "../../api/projects.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerProjects(router: Hono, { projects, folders }: App): void {
  register(
    router,
    projectEndpoints.list,
    ({ query }) => paginate(projects.list(), query, (project) => project.projectId),
  );
  register(router, projectEndpoints.open, ({ body }) => projects.open(body));
  register(
    router,
    projectEndpoints.close,
    ({ params, query }) => projects.close(params.projectId, { forget: query.forget === "true" }),
  );
  register(router, folderEndpoints.list, ({ query }) => folders.list(query.path));
}
