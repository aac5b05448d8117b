/** Is the server there. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { ok } from "../../../core/result.ts";
import { healthEndpoints } from "../../api/health.ts";
import { register } from "../register.ts";

/** What the process knows of itself. */
export interface ServerFacts {
  readonly version: string;
  readonly pid: number;
  readonly startedAtMs: number;
}

export function registerHealth(router: Hono, { projects, terminals }: App, facts: ServerFacts): void {
  register(router, healthEndpoints.read, () =>
    ok({
      status: "ok",
      ...facts,
      openProjects: projects.list().filter((project) => project.open).length,
      liveSessions: terminals.list().filter((terminal) => terminal.exit === undefined).length,
    }));
}
