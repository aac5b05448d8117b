/** Edits of the manifest: each gives a manifest that keeps the invariants of manifest.ts, or says why not. */
import type { AgentId, ProfileId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { formatSlug, type InvalidName, isSameName, parseName } from "../workspace/names.ts";
import { type AgentEntry, type AgentsManifest, type AssignedSkill, findAgent } from "./manifest.ts";

export type ManifestError =
  | InvalidName
  | { readonly kind: "agentNameTaken"; readonly name: string }
  | { readonly kind: "agentNotFound"; readonly agentId: AgentId };

export interface NewAgent {
  readonly agentId: AgentId;
  readonly name: string;
  /** As planContextPath gave it. */
  readonly mdPath: string;
  readonly profileId: ProfileId;
}

export function addAgent(
  manifest: AgentsManifest,
  { agentId, name, mdPath, profileId }: NewAgent,
): Result<AgentsManifest, ManifestError> {
  const free = parseFreeName(manifest, name);
  if (!free.ok) return free;
  const entry: AgentEntry = { agentId, name: free.value, mdPath, profileId, synchronized: false };
  return ok({ ...manifest, agents: [...manifest.agents, entry] });
}

/** Its context stays where it is: the name of that file is no part of who the agent is. */
export function renameAgent(
  manifest: AgentsManifest,
  agentId: AgentId,
  name: string,
): Result<AgentsManifest, ManifestError> {
  const free = parseFreeName(manifest, name, agentId);
  return free.ok ? editAgent(manifest, agentId, (agent) => ({ ...agent, name: free.value })) : free;
}

export function removeAgent(manifest: AgentsManifest, agentId: AgentId): Result<AgentsManifest, ManifestError> {
  if (findAgent(manifest, agentId) === undefined) return err({ kind: "agentNotFound", agentId });
  return ok({ ...manifest, agents: manifest.agents.filter((agent) => agent.agentId !== agentId) });
}

export function setProfile(
  manifest: AgentsManifest,
  agentId: AgentId,
  profileId: ProfileId,
): Result<AgentsManifest, ManifestError> {
  return editAgent(manifest, agentId, (agent) => ({ ...agent, profileId }));
}

export function setSkills(
  manifest: AgentsManifest,
  agentId: AgentId,
  skills: readonly AssignedSkill[],
): Result<AgentsManifest, ManifestError> {
  return editAgent(manifest, agentId, (agent) => ({ ...agent, skills }));
}

/**
 * Where a new agent's context goes: `agents/<slug>.md`, numbered when an agent has that path or `existing` (names in
 * `agents/`) holds such a file, since the context of a removed agent is kept.
 */
export function planContextPath(manifest: AgentsManifest, name: string, existing: readonly string[]): string {
  const taken = new Set([
    ...manifest.agents.map(({ mdPath }) => mdPath.toLowerCase()),
    ...existing.map((file) => `agents/${file.toLowerCase()}`),
  ]);
  const slug = formatSlug(name, "agent");
  for (let count = 1;; count++) {
    const path = `agents/${count === 1 ? slug : `${slug}-${count}`}.md`;
    if (!taken.has(path)) return path;
  }
}

function editAgent(
  manifest: AgentsManifest,
  agentId: AgentId,
  edit: (agent: AgentEntry) => AgentEntry,
): Result<AgentsManifest, ManifestError> {
  if (findAgent(manifest, agentId) === undefined) return err({ kind: "agentNotFound", agentId });
  return ok({ ...manifest, agents: manifest.agents.map((agent) => agent.agentId === agentId ? edit(agent) : agent) });
}

function parseFreeName(manifest: AgentsManifest, text: string, except?: AgentId): Result<string, ManifestError> {
  const name = parseName(text);
  if (!name.ok) return name;
  const isTaken = manifest.agents.some((agent) => agent.agentId !== except && isSameName(agent.name, name.value));
  return isTaken ? err({ kind: "agentNameTaken", name: name.value }) : name;
}
