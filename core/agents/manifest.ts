/**
 * The agents of a project, as `agents.json` lists them: who they are, not what they do at the moment.
 *
 * Invariants, checked when the file is read and kept by every edit:
 *  1. An agent's id and the path of its context are unique; the path lies inside `.ideai/`.
 *  2. An agent that follows a template names the template and the version it last took over.
 * Names are unique for every edit of ours; a file that repeats one is still read, so that a merge of two branches opens.
 */
import { z } from "zod";
import type { AgentId, ProfileId, SkillId, TemplateId } from "../ids.ts";
import { isSameName } from "../workspace/names.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";

export interface AssignedSkill {
  readonly skillId: SkillId;
  readonly scope: "project" | "global";
}

export interface AgentEntry {
  readonly agentId: AgentId;
  readonly name: string;
  /** Relative to `.ideai/`. */
  readonly mdPath: string;
  readonly profileId: ProfileId;
  /** Its context follows its template. */
  readonly synchronized: boolean;
  readonly templateId?: TemplateId;
  readonly syncedTemplateVersion?: number;
  readonly skills?: readonly AssignedSkill[];
  /** worktree: works in a git worktree of its own. Left out: shared. */
  readonly workspace?: "shared" | "worktree";
}

export interface AgentsManifest {
  readonly version: number;
  readonly agents: readonly AgentEntry[];
}

const ScopeSchema = z.enum(["project", "global"]);

const EntrySchema = z.looseObject({
  agentId: idSchema("agent"),
  name: z.string().min(1).max(200),
  mdPath: z.string().refine(isInsidePath, "not a path inside .ideai/"),
  profileId: idSchema("profile"),
  synchronized: z.boolean().default(false),
  templateId: idSchema("template").exactOptional(),
  syncedTemplateVersion: z.number().int().nonnegative().exactOptional(),
  skills: z.array(z.looseObject({ skillId: idSchema("skill"), scope: ScopeSchema })).exactOptional(),
  workspace: z.enum(["shared", "worktree"]).exactOptional(),
}).refine(
  ({ synchronized, templateId, syncedTemplateVersion }) =>
    !synchronized || (templateId !== undefined && syncedTemplateVersion !== undefined),
  "synchronized without templateId and syncedTemplateVersion",
);

const ManifestSchema = z.looseObject({
  version: z.number().int().positive().default(1),
  agents: z.array(EntrySchema)
    .refine((agents) => isUnique(agents.map(({ agentId }) => agentId)), "an agentId is there twice")
    .refine((agents) => isUnique(agents.map(({ mdPath }) => mdPath.toLowerCase())), "a mdPath is there twice"),
});

export const manifestFormat: DocumentFormat<AgentsManifest> = { version: 1, schema: ManifestSchema };

export const EMPTY_MANIFEST: AgentsManifest = { version: 1, agents: [] };

export function findAgent(manifest: AgentsManifest, agentId: AgentId): AgentEntry | undefined {
  return manifest.agents.find((agent) => agent.agentId === agentId);
}

/** Who is meant by an id or a name: exactly one agent, or none, or several of one name. */
export function findAgentsByTarget(manifest: AgentsManifest, target: string): readonly AgentEntry[] {
  const byId = manifest.agents.filter(({ agentId }) => agentId === target);
  if (byId.length > 0) return byId;
  const exact = manifest.agents.filter(({ name }) => name === target);
  return exact.length > 0 ? exact : manifest.agents.filter(({ name }) => isSameName(name, target));
}

/** No absolute path, no way up, no name that only some systems can hold. */
function isInsidePath(path: string): boolean {
  // deno-lint-ignore no-control-regex -- refusing them is the purpose
  const unusable = /[\u0000-\u001f\u007f\\:]/;
  return path.split("/").every((name) => !["", ".", ".."].includes(name) && !unusable.test(name));
}

function isUnique(items: readonly string[]): boolean {
  return new Set(items).size === items.length;
}
