/** Which project, agent or terminal a person means by what they typed. */
import { isAbsolute, relative, resolve } from "node:path";
import { type AgentId, parseId, type ProjectId, type SessionId } from "../core/ids.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { EndpointResult } from "../web/api/endpoint.ts";
import type { Endpoints } from "../web/api/endpoints.ts";
import { type Context, during, optionText } from "./context.ts";
import type { Failure } from "./failure.ts";

export type Project = EndpointResult<Endpoints["GET /api/projects"]>["items"][number];
export type Agent = EndpointResult<Endpoints["GET /api/projects/{projectId}/agents"]>["items"][number];

/** Most lists are far shorter; a project with more agents than this is listed in part. */
const PAGE = 1_000;

/** The project of --project, else the one of the current folder, opened if it is not. */
export async function chooseProject(context: Context): Promise<Result<Project, Failure>> {
  const { parsed, world, api } = context;
  const listed = during("list the projects", await api.call("GET /api/projects", { query: { limit: PAGE } }));
  if (!listed.ok) return listed;
  const found = findProject(listed.value.items, { given: optionText(parsed, "project"), cwd: world.cwd });
  if (!found.ok || found.value.open) return found;
  const { root, name } = found.value;
  return during(`open the project ${name}`, await api.call("POST /api/projects", { body: { root } }));
}

export function findProject(
  projects: readonly Project[],
  { given, cwd }: { readonly given: string | undefined; readonly cwd: string },
): Result<Project, Failure> {
  const known = projects.map(({ name }) => name);
  if (given !== undefined) {
    const byId = projects.find(({ projectId }) => projectId === given);
    const byName = projects.filter(({ name }) => name === given);
    const byRoot = projects.find(({ root }) => root === resolve(cwd, given));
    const found = byId ?? (byName.length === 1 ? byName[0] : undefined) ?? byRoot;
    return found === undefined ? err({ kind: "noSuchProject", given, known }) : ok(found);
  }
  const around = projects.filter(({ root }) => isInside(root, cwd)).toSorted((a, b) => b.root.length - a.root.length);
  const open = projects.filter((project) => project.open);
  const found = around[0] ?? (open.length === 1 ? open[0] : undefined);
  return found === undefined ? err({ kind: "noProjectHere", folder: cwd, known }) : ok(found);
}

function isInside(root: string, folder: string): boolean {
  const path = relative(root, folder);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
}

export async function listAgents(context: Context, projectId: ProjectId): Promise<Result<readonly Agent[], Failure>> {
  const request = { params: { projectId }, query: { limit: PAGE } };
  const listed = await context.api.call("GET /api/projects/{projectId}/agents", request);
  return listed.ok ? ok(listed.value.items) : during("list the agents", listed);
}

/** By id, by name, or by name without regard to case when that is one agent. */
export function findAgent(agents: readonly Agent[], given: string): Result<Agent, Failure> {
  const exact = agents.find(({ agentId }) => agentId === given) ?? agents.find(({ name }) => name === given);
  if (exact !== undefined) return ok(exact);
  const alike = agents.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  const [only, second] = alike;
  if (second !== undefined) {
    return err({ kind: "ambiguousAgent", given, matches: alike.map(({ name, agentId }) => `${name} (${agentId})`) });
  }
  return only === undefined ? err({ kind: "noSuchAgent", given, known: agents.map(({ name }) => name) }) : ok(only);
}

export interface ChosenAgent {
  readonly agent: Agent;
  readonly params: { readonly projectId: ProjectId; readonly agentId: AgentId };
}

export async function chooseAgent(context: Context, given: string): Promise<Result<ChosenAgent, Failure>> {
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const { projectId } = project.value;
  const agents = await listAgents(context, projectId);
  if (!agents.ok) return agents;
  const agent = findAgent(agents.value, given);
  return agent.ok ? ok({ agent: agent.value, params: { projectId, agentId: agent.value.agentId } }) : agent;
}

export interface ChosenTerminal {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
}

export async function chooseTerminal(context: Context, given: string): Promise<Result<ChosenTerminal, Failure>> {
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const sessionId = parseId("session", given);
  if (!sessionId.ok) return err({ kind: "noSuchTerminal", given });
  return ok({ projectId: project.value.projectId, sessionId: sessionId.value });
}
