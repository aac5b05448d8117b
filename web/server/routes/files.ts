/** Files of a project over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { fileEndpoints } from "../../api/files.ts";
import { register } from "../register.ts";

export function registerFiles(router: Hono, { files }: App): void {
  register(router, fileEndpoints.read, ({ params, query }) => files.read(params.projectId, query));
}
