/** Agents over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { err } from "../../../core/result.ts";
import { agentEndpoints } from "../../api/agents.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerAgents(router: Hono, app: App): void {
  registerManifest(router, app);
  registerLife(router, app);
  registerLimit(router, app);
}

function registerManifest(router: Hono, { agents }: App): void {
  register(router, agentEndpoints.list, ({ params, query }) => {
    const all = agents.list(params.projectId);
    return all.ok ? paginate(all.value, query, (agent) => agent.agentId) : all;
  });
  register(router, agentEndpoints.create, ({ params, body }) => agents.create(params.projectId, body));
  register(router, agentEndpoints.get, ({ params }) => agents.get(params.projectId, params.agentId));
  register(
    router,
    agentEndpoints.rename,
    ({ params, body }) => agents.rename(params.projectId, params.agentId, body.name),
  );
  register(router, agentEndpoints.remove, ({ params }) => agents.remove(params.projectId, params.agentId));
  register(router, agentEndpoints.readContext, async ({ params }) => {
    const content = await agents.readContext(params.projectId, params.agentId);
    return content.ok ? { ok: true, value: { content: content.value } } : content;
  });
  register(
    router,
    agentEndpoints.writeContext,
    ({ params, body }) => agents.writeContext(params.projectId, params.agentId, body.content),
  );
  register(
    router,
    agentEndpoints.changeProfile,
    ({ params, body }) => agents.changeProfile(params.projectId, params.agentId, body.profileId),
  );
}

function registerLife(router: Hono, { agents, terminals }: App): void {
  register(router, agentEndpoints.launch, ({ params, body }) => agents.launch(params.projectId, params.agentId, body));
  register(
    router,
    agentEndpoints.moveToCell,
    ({ params, body }) => agents.moveToCell(params.projectId, params.agentId, body.cellId),
  );
  register(router, agentEndpoints.stop, ({ params }) => agents.stop(params.projectId, params.agentId));
  register(router, agentEndpoints.interrupt, ({ params }) => agents.interrupt(params.projectId, params.agentId));
  register(router, agentEndpoints.explain, ({ params }) => agents.explain(params.projectId, params.agentId));
  register(router, agentEndpoints.screen, async ({ params, query }) => {
    const agent = agents.get(params.projectId, params.agentId);
    if (!agent.ok) return agent;
    if (agent.value.sessionId === undefined) return err({ kind: "agentNotRunning", agentId: params.agentId });
    return await terminals.read(agent.value.sessionId, query.scrollback ?? 0);
  });
}

function registerLimit(router: Hono, { agents, limits }: App): void {
  register(router, agentEndpoints.setLimit, async ({ params: { projectId, agentId }, body }) => {
    const set = await limits.setResetTime(projectId, agentId, body.resetsAtMs);
    return set.ok ? agents.get(projectId, agentId) : set;
  });
  register(router, agentEndpoints.liftLimit, async ({ params: { projectId, agentId } }) => {
    const lifted = await limits.lift(projectId, agentId);
    return lifted.ok ? agents.get(projectId, agentId) : lifted;
  });
  register(router, agentEndpoints.cancelResume, async ({ params: { projectId, agentId } }) => {
    const cancelled = await limits.cancelResume(projectId, agentId);
    return cancelled.ok ? agents.get(projectId, agentId) : cancelled;
  });
}
