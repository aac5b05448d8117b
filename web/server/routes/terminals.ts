/** Terminals over HTTP. A session is reached under its own project only. */
import type { Hono } from "hono";
import { isAbsolute, resolve } from "node:path";
import type { App } from "../../../core/app/app.ts";
import type { SessionNotFound, TerminalInfo } from "../../../core/app/terminals.ts";
import type { ProjectId, SessionId } from "../../../core/ids.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { terminalEndpoints } from "../../api/terminals.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

const DEFAULT_SIZE = { cols: 80, rows: 24 } as const;
const DEFAULT_WAIT_MS = 30_000;

export function registerTerminals(router: Hono, { projects, terminals }: App): void {
  function sessionOf(params: { readonly projectId: ProjectId; readonly sessionId: SessionId }) {
    const info = terminals.get(params.sessionId);
    const found: Result<TerminalInfo, SessionNotFound> = info?.projectId === params.projectId
      ? ok(info)
      : err({ kind: "sessionNotFound", sessionId: params.sessionId });
    return found;
  }

  register(router, terminalEndpoints.list, ({ params, query }) => {
    const project = projects.get(params.projectId);
    return project.ok ? paginate(terminals.list(params.projectId), query, (terminal) => terminal.sessionId) : project;
  });
  register(router, terminalEndpoints.open, async ({ params, body }) => {
    const project = projects.get(params.projectId);
    if (!project.ok) return project;
    if (!project.value.open) return err({ kind: "projectNotOpen", projectId: params.projectId });
    const { cwd = ".", size = DEFAULT_SIZE, ...rest } = body;
    const folder = isAbsolute(cwd) ? cwd : resolve(project.value.root, cwd);
    return await terminals.open({ ...rest, projectId: params.projectId, cwd: folder, size });
  });
  register(router, terminalEndpoints.close, async ({ params }) => {
    const session = sessionOf(params);
    if (!session.ok) return session;
    const exit = await terminals.close(params.sessionId);
    return exit.ok ? ok({ exit: exit.value }) : exit;
  });
  register(router, terminalEndpoints.input, ({ params, body }) => {
    const session = sessionOf(params);
    if (!session.ok) return session;
    if ("base64" in body) return terminals.write(params.sessionId, Uint8Array.fromBase64(body.base64), "script");
    return body.paste
      ? terminals.paste(params.sessionId, body.text, "script")
      : terminals.write(params.sessionId, body.text, "script");
  });
  register(router, terminalEndpoints.resize, ({ params, body }) => {
    const session = sessionOf(params);
    return session.ok ? terminals.resize(params.sessionId, body) : session;
  });
  register(router, terminalEndpoints.screen, ({ params, query }) => {
    const session = sessionOf(params);
    return session.ok ? terminals.read(params.sessionId, query.scrollback ?? 0) : session;
  });
  register(router, terminalEndpoints.wait, ({ params, query }) => {
    const session = sessionOf(params);
    if (!session.ok) return session;
    const { pattern, timeoutMs = DEFAULT_WAIT_MS } = query;
    return terminals.waitText(params.sessionId, { pattern, timeoutMs });
  });
}
