/** What a person does with agents: launch, stop, interrupt, go to, bring here, create, change. */
import { codeOf } from "../state/errors.ts";
import type { ProjectState } from "../state/project.ts";
import type { Store } from "../state/store.ts";
import { isRunning } from "../state/status.ts";
import { type AgentId, type CellId, parseId, type ProfileId } from "../../../core/ids.ts";
import type { ApiError } from "../../api/client.ts";
import { findCell } from "./layout.ts";

export interface AgentTarget {
  readonly store: Store;
  readonly project: ProjectState;
  readonly agentId: AgentId;
}

/** Launches it in that cell, or in one that is free. Where it lives already, the person chooses. */
export async function launchAgent(
  target: AgentTarget,
  { cellId: inCell, resume }: { readonly cellId?: CellId; readonly resume?: boolean } = {},
): Promise<boolean> {
  const { store, project, agentId } = target;
  const agent = project.agent(agentId);
  if (agent === undefined) return false;
  if (agent.profileName === undefined) {
    store.view.dialog.value = { kind: "changeProfile", project, agentId };
    return false;
  }
  if (isRunning(agent) && inCell === undefined) return await showAgent(target);
  const cellId = inCell ?? await findCell(store, project);
  if (cellId === undefined) return false;
  project.focusCell(cellId);
  const result = await store.api.call("POST /api/projects/{projectId}/agents/{agentId}/launch", {
    params: { projectId: project.id, agentId },
    body: { cellId, ...(resume === undefined ? {} : { resume }) },
  });
  await project.refresh(["agents", "terminals", "layouts"]);
  if (result.ok) return true;
  if (codeOf(result.error) === "AGENT_ALREADY_RUNNING") {
    const liveIn = cellNamedBy(result.error) ?? project.agent(agentId)?.cellId;
    store.view.dialog.value = { kind: "alreadyRunning", project, agentId, liveIn, wantedIn: cellId };
  } else store.report(result.error);
  return false;
}

/** The cell that the problem details name as the agent's. */
function cellNamedBy(error: ApiError): CellId | undefined {
  const nodeId = error.kind === "problem" ? error.problem.nodeId : undefined;
  if (typeof nodeId !== "string") return undefined;
  const parsed = parseId("cell", nodeId);
  return parsed.ok ? parsed.value : undefined;
}

/** Goes to the cell that shows it; one that lives without a cell gets one. */
export async function showAgent({ store, project, agentId }: AgentTarget): Promise<boolean> {
  const agent = project.agent(agentId);
  if (agent === undefined) return false;
  store.projects.activate(project.id);
  const shownIn = project.geometry.value.cells.find(({ leaf }) => leaf.id === agent.cellId || leaf.agent === agentId);
  if (shownIn !== undefined) {
    project.focusCell(shownIn.leaf.id);
    return true;
  }
  if (!isRunning(agent)) return false;
  const cellId = await findCell(store, project);
  return cellId === undefined ? false : await moveAgent({ store, project, agentId }, cellId);
}

export async function moveAgent({ store, project, agentId }: AgentTarget, cellId: CellId): Promise<boolean> {
  const result = await store.api.call("POST /api/projects/{projectId}/agents/{agentId}/cell", {
    params: { projectId: project.id, agentId },
    body: { cellId },
  });
  await project.refresh(["agents", "layouts"]);
  if (result.ok) project.focusCell(cellId);
  else store.report(result.error);
  return result.ok;
}

export async function stopAgent({ store, project, agentId }: AgentTarget): Promise<void> {
  const result = await store.api.call("POST /api/projects/{projectId}/agents/{agentId}/stop", {
    params: { projectId: project.id, agentId },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["agents", "terminals", "layouts"]);
}

export async function interruptAgent({ store, project, agentId }: AgentTarget): Promise<void> {
  const result = await store.api.call("POST /api/projects/{projectId}/agents/{agentId}/interrupt", {
    params: { projectId: project.id, agentId },
  });
  if (!result.ok) store.report(result.error);
}

export interface NewAgent {
  readonly name: string;
  readonly profileId: ProfileId;
  readonly context: string;
  readonly launch: boolean;
  readonly cellId: CellId | undefined;
}

/** True when it was made: the dialog may close. */
export async function createAgent(store: Store, project: ProjectState, agent: NewAgent): Promise<boolean> {
  const { name, profileId, context, launch, cellId } = agent;
  const result = await store.api.call("POST /api/projects/{projectId}/agents", {
    params: { projectId: project.id },
    body: { name, profileId, ...(context.trim() === "" ? {} : { context }) },
  });
  if (!result.ok) {
    store.report(result.error);
    return false;
  }
  await project.refresh(["agents"]);
  if (launch) {
    const target = { store, project, agentId: result.value.agentId };
    void launchAgent(target, cellId === undefined ? {} : { cellId });
  }
  return true;
}

export async function renameAgent({ store, project, agentId }: AgentTarget, name: string): Promise<boolean> {
  const result = await store.api.call("PATCH /api/projects/{projectId}/agents/{agentId}", {
    params: { projectId: project.id, agentId },
    body: { name },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["agents"]);
  return result.ok;
}

export async function removeAgent({ store, project, agentId }: AgentTarget): Promise<boolean> {
  const result = await store.api.call("DELETE /api/projects/{projectId}/agents/{agentId}", {
    params: { projectId: project.id, agentId },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh();
  return result.ok;
}

export async function changeProfile({ store, project, agentId }: AgentTarget, profileId: ProfileId): Promise<boolean> {
  const result = await store.api.call("PUT /api/projects/{projectId}/agents/{agentId}/profile", {
    params: { projectId: project.id, agentId },
    body: { profileId },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["agents", "terminals", "layouts"]);
  return result.ok;
}

export async function readContext({ store, project, agentId }: AgentTarget): Promise<string | undefined> {
  const result = await store.api.call("GET /api/projects/{projectId}/agents/{agentId}/context", {
    params: { projectId: project.id, agentId },
  });
  if (result.ok) return result.value.content;
  store.report(result.error);
  return undefined;
}

export async function writeContext({ store, project, agentId }: AgentTarget, content: string): Promise<boolean> {
  const result = await store.api.call("PUT /api/projects/{projectId}/agents/{agentId}/context", {
    params: { projectId: project.id, agentId },
    body: { content },
  });
  if (!result.ok) store.report(result.error);
  return result.ok;
}
