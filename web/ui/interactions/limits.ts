/** What a person says of an agent's usage limit. Each is true when the server has taken it. */
import type { Result } from "../../../core/result.ts";
import type { ApiError } from "../../api/client.ts";
import type { AgentTarget } from "./agents.ts";

/** It lasts until then, also where nothing saw one; the agent goes on by itself after it. */
export async function setLimit(target: AgentTarget, resetsAtMs: number): Promise<boolean> {
  const { store, project, agentId } = target;
  const params = { projectId: project.id, agentId };
  return await told(
    target,
    await store.api.call("PUT /api/projects/{projectId}/agents/{agentId}/limit", { params, body: { resetsAtMs } }),
  );
}

/** There is none (any more): what waits goes on now. */
export async function liftLimit(target: AgentTarget): Promise<boolean> {
  const { store, project, agentId } = target;
  const params = { projectId: project.id, agentId };
  return await told(
    target,
    await store.api.call("DELETE /api/projects/{projectId}/agents/{agentId}/limit", { params }),
  );
}

/** It does not go on by itself. */
export async function cancelResume(target: AgentTarget): Promise<boolean> {
  const { store, project, agentId } = target;
  const params = { projectId: project.id, agentId };
  return await told(
    target,
    await store.api.call("DELETE /api/projects/{projectId}/agents/{agentId}/limit/resume", { params }),
  );
}

async function told({ store, project }: AgentTarget, result: Result<unknown, ApiError>): Promise<boolean> {
  if (!result.ok) store.report(result.error);
  await project.refresh(["agents", "tickets"]);
  return result.ok;
}
