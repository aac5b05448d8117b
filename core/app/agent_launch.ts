/**
 * The sequence of a launch: profile and context, what the CLI must be told, files of the run folder, the program. A
 * failure before the program runs leaves no session, no secret and no half-written file.
 */
import type { AgentEntry } from "../agents/manifest.ts";
import { composeContext } from "../agents/context.ts";
import type { AgentId, SessionId } from "../ids.ts";
import { NOTES_INDEX_PATH } from "../memory/note.ts";
import type { AgentCli, AgentClis, LaunchPlan } from "../ports/agent_cli.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Folder, FolderError } from "../ports/folder.ts";
import type { Programs } from "../ports/programs.ts";
import type { PtySize } from "../ports/pty.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { err, ok, type Result } from "../result.ts";
import { NO_SKILLS, skillPath, SKILLS_INDEX_PATH, skillsFormat } from "../skills/skills_document.ts";
import { parseDocument } from "../workspace/document.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { AgentSecrets } from "./agent_secrets.ts";
import type { AgentError } from "./agents.ts";
import type { OpenProject } from "./projects.ts";
import type { Terminals } from "./terminals.ts";

/** About 1,500 tokens: what an agent is given of the notes before it asks for more. */
const RECALL_CHARS = 6_000;

export interface LaunchPorts {
  readonly terminals: Terminals;
  readonly clis: AgentClis;
  readonly programs: Programs;
  readonly entropy: Entropy;
  readonly secrets: AgentSecrets;
  readonly history: AgentHistory;
  readonly dataFolder: Folder;
  readonly mcpUrl: () => string;
  readonly mcpBridge: () => readonly [string, ...string[]];
}

export interface LaunchInput {
  readonly project: OpenProject;
  readonly agent: AgentEntry;
  readonly profile: AgentProfile;
  readonly colleagues: readonly { readonly name: string; readonly profile: string }[];
  readonly size: PtySize;
  readonly resume: boolean;
  readonly liveState: string;
}

export interface Launched {
  readonly sessionId: SessionId;
  readonly cli: AgentCli;
  readonly runPath: string;
  readonly resumed: boolean;
  readonly providerSessionId: string | undefined;
  readonly firstInput: string | undefined;
}

export function runPathOf(agentId: AgentId): string {
  return `run/${agentId}`;
}

export async function launchProgram(ports: LaunchPorts, input: LaunchInput): Promise<Result<Launched, AgentError>> {
  const { project, agent, profile } = input;
  const { agentId } = agent;
  const identity = { projectId: project.id, agentId };
  const program = await ports.programs.find(profile.command);
  if (program === undefined) {
    return err({ kind: "programNotFound", agentId, program: profile.command, profile: profile.name });
  }
  const former = input.resume ? await ports.history.providerSession(project.id, agentId, profile.id) : undefined;
  const context = await gatherContext(ports, input, former !== undefined);
  if (!context.ok) return err({ kind: "storage", error: context.error });

  const cli = ports.clis.for(profile);
  const runPath = runPathOf(agentId);
  const planned = cli.planLaunch({
    profile: { ...profile, command: program },
    projectRoot: project.root,
    runDir: `${project.folder.root}/${runPath}`,
    context: context.value,
    mcp: { url: ports.mcpUrl(), secret: ports.secrets.issue(identity), bridge: ports.mcpBridge() },
    conversation: former === undefined
      ? { kind: "new", freshId: ports.entropy.newId() }
      : { kind: "resume", providerSessionId: former },
  });
  const started = planned.ok
    ? await start(ports, input, { plan: planned.value, runPath })
    : err({ ...planned.error, agentId, profile: profile.name });
  if (!started.ok) {
    ports.secrets.revoke(identity);
    await project.folder.remove(runPath);
    return started;
  }
  const plan = planned.ok ? planned.value : undefined;
  return ok({
    sessionId: started.value,
    cli,
    runPath,
    resumed: former !== undefined,
    providerSessionId: plan?.providerSessionId,
    firstInput: plan?.firstInput,
  });
}

async function start(
  ports: LaunchPorts,
  { project, agent, size }: LaunchInput,
  { plan, runPath }: { readonly plan: LaunchPlan; readonly runPath: string },
): Promise<Result<SessionId, AgentError>> {
  const written = await writeRunFolder(project.folder, runPath, plan);
  if (!written.ok) return err({ kind: "storage", error: written.error });
  const opened = await ports.terminals.open({
    projectId: project.id,
    agentId: agent.agentId,
    argv: plan.argv,
    cwd: plan.cwd,
    env: plan.env,
    size,
    title: agent.name,
  });
  if (!opened.ok) return err({ kind: "spawnFailed", agentId: agent.agentId, error: opened.error });
  return ok(opened.value.sessionId);
}

async function writeRunFolder(folder: Folder, runPath: string, plan: LaunchPlan): Promise<Result<void, FolderError>> {
  // What a former run left (hooks, configs of another profile) must not speak for this one.
  const removed = await folder.remove(runPath);
  if (!removed.ok) return removed;
  for (const file of plan.files) {
    // The folder is private as a whole: hooks and contexts tell of the work too.
    const written = await folder.writeText(`${runPath}/${file.path}`, file.text, { secret: true });
    if (!written.ok) return written;
  }
  return ok();
}

async function gatherContext(
  ports: LaunchPorts,
  input: LaunchInput,
  resumed: boolean,
): Promise<Result<string, FolderError>> {
  const { project, agent, profile } = input;
  const persona = await project.folder.readText(agent.mdPath);
  if (!persona.ok) return persona;
  const rules = await project.folder.readText("CONTEXT.md");
  if (!rules.ok) return rules;
  const notes = await project.folder.readText(NOTES_INDEX_PATH);
  // A resumed conversation has it all already.
  const handoff = resumed ? undefined : await ports.history.handoff(project.id, agent.agentId);
  return ok(composeContext({
    agentName: agent.name,
    persona: persona.value?.text ?? "",
    projectName: project.name,
    projectRoot: project.root,
    projectRules: rules.value?.text ?? "",
    skills: await readSkills(ports, input),
    memory: notes.ok && notes.value !== undefined
      ? [{ slug: "MEMORY", content: notes.value.text.slice(0, RECALL_CHARS) }]
      : [],
    ...(handoff === undefined ? {} : { handoff }),
    liveState: input.liveState,
    colleagues: input.colleagues,
    door: profile.mcp === undefined
      ? { kind: "files", requestsFolder: `${project.folder.root}/requests/${agent.agentId}` }
      : { kind: "mcp" },
  }));
}

/** In the order of the manifest; a skill that was deleted is left out. */
async function readSkills(
  ports: LaunchPorts,
  { project, agent }: LaunchInput,
): Promise<readonly { readonly name: string; readonly content: string }[]> {
  const skills: { name: string; content: string }[] = [];
  for (const { skillId, scope } of agent.skills ?? []) {
    const folder = scope === "global" ? ports.dataFolder : project.folder;
    const index = await folder.readText(SKILLS_INDEX_PATH);
    const parsed = index.ok && index.value !== undefined
      ? parseDocument(skillsFormat, index.value.text)
      : ok(NO_SKILLS);
    const entry = parsed.ok ? parsed.value.skills.find((skill) => skill.id === skillId) : undefined;
    const text = entry === undefined ? undefined : await folder.readText(skillPath(entry.id));
    if (entry !== undefined && text?.ok === true && text.value !== undefined) {
      skills.push({ name: entry.name, content: text.value.text });
    }
  }
  return skills;
}
