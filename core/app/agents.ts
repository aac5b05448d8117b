/**
 * The life of agents: launch, stop, crash, change of profile, resume; one live session per agent, enforced here and
 * nowhere else.
 */
import {
  addAgent,
  type ManifestError,
  planContextPath,
  removeAgent,
  renameAgent,
  setProfile,
} from "../agents/edit_manifest.ts";
import { type AgentEntry, type AgentsManifest, findAgent } from "../agents/manifest.ts";
import type { Events } from "../events.ts";
import {
  type AgentId,
  type CellId,
  createId,
  type ProfileId,
  type ProjectId,
  type SessionId,
  type SkillId,
  type TicketId,
} from "../ids.ts";
import type { AgentStateKind } from "../orchestration/commands.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { FolderError } from "../ports/folder.ts";
import type { PtySize } from "../ports/pty.ts";
import { err, ok, type Result } from "../result.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { AgentLifecycle } from "./agent_lifecycle.ts";
import { explainAgent, viewAgent, type ViewPorts } from "./agent_views.ts";
import type { DocumentError } from "./documents.ts";
import type { LimitWatch } from "./limits.ts";
import type { ProjectRuntime, Runtimes } from "./project_runtime.ts";
import type { OpenTerminalError } from "./terminals.ts";

/** An agent as a window or a script sees it. */
export interface AgentView {
  readonly agentId: AgentId;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly profileId: ProfileId;
  /** Undefined: the project names a profile that this person does not have: "choose a profile". */
  readonly profileName?: string;
  readonly skills: readonly SkillId[];
  readonly state: AgentStateKind;
  readonly stateSinceMs: number;
  readonly sessionId?: SessionId;
  /** The cell that hosts the live session. */
  readonly cellId?: CellId;
  readonly worksOn?: { readonly ticketId: TicketId; readonly from: string; readonly summary: string };
  readonly queueLength: number;
  readonly limit?: AgentLimit;
}

/** A usage limit that holds the agent; when its source is "suspected", one that may be there and holds nothing yet. */
export interface AgentLimit {
  readonly source: "structured" | "screen" | "suspected" | "person";
  readonly sinceMs: number;
  /** What the CLI wrote; empty when a person said it. */
  readonly detail: string;
  /** Absent: nothing told when it ends, and only a person can. */
  readonly resetsAtMs?: number;
  /** When the agent goes on by itself. Absent: the end is not known, or a person cancelled it. */
  readonly resumesAtMs?: number;
}

/** Why an agent is in its state: the answer of `idea explain`. */
export interface AgentExplanation {
  readonly agent: AgentView;
  /** Which kind of signal has the say for this session: programStatus, hooks or screen. */
  readonly authority: string;
  /** The signals that changed the state, newest first. */
  readonly signals: readonly { readonly atMs: number; readonly signal: string; readonly state: AgentStateKind }[];
  /** What the first ticket of the queue waits for; empty when nothing is queued. */
  readonly waitsFor: readonly string[];
  readonly queue: readonly Ticket[];
}

export interface LaunchOptions {
  readonly size?: PtySize;
  readonly cellId?: CellId;
  /** false: a fresh conversation with the provider even if one could be resumed. */
  readonly resume?: boolean;
}

export type AgentError =
  | { readonly kind: "projectNotOpen"; readonly projectId: ProjectId }
  | { readonly kind: "agentNotFound"; readonly agentId: AgentId }
  | { readonly kind: "agentNameTaken"; readonly name: string }
  | { readonly kind: "invalidName"; readonly name: string; readonly reason: string }
  | { readonly kind: "unknownProfile"; readonly profileId: ProfileId }
  | { readonly kind: "agentAlreadyRunning"; readonly agentId: AgentId; readonly nodeId: CellId | undefined }
  | { readonly kind: "agentNotRunning"; readonly agentId: AgentId }
  | {
    readonly kind: "programNotFound";
    readonly agentId: AgentId;
    readonly program: string;
    readonly profile: string;
  }
  | {
    readonly kind: "contextTooLong";
    readonly agentId: AgentId;
    readonly profile: string;
    readonly bytes: number;
    readonly limitBytes: number;
  }
  | { readonly kind: "spawnFailed"; readonly agentId: AgentId; readonly error: OpenTerminalError }
  /** agents.json is of a newer version, or corrupt: nothing is written into it. */
  | { readonly kind: "manifestUnusable"; readonly path: string; readonly reason: "newerVersion" | "corrupt" }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface Agents {
  list(projectId: ProjectId): Result<readonly AgentView[], AgentError>;
  get(projectId: ProjectId, agentId: AgentId): Result<AgentView, AgentError>;
  create(
    projectId: ProjectId,
    agent: { readonly name: string; readonly profileId: ProfileId; readonly context?: string },
  ): Promise<Result<AgentView, AgentError>>;
  rename(projectId: ProjectId, agentId: AgentId, name: string): Promise<Result<AgentView, AgentError>>;
  /** Stops it, cancels its queue and takes it out of the manifest; its context file is kept. */
  remove(projectId: ProjectId, agentId: AgentId): Promise<Result<void, AgentError>>;
  readContext(projectId: ProjectId, agentId: AgentId): Promise<Result<string, AgentError>>;
  writeContext(projectId: ProjectId, agentId: AgentId, content: string): Promise<Result<void, AgentError>>;
  launch(projectId: ProjectId, agentId: AgentId, options: LaunchOptions): Promise<Result<AgentView, AgentError>>;
  /** Binds the live session to another cell. */
  moveToCell(projectId: ProjectId, agentId: AgentId, cellId: CellId): Promise<Result<AgentView, AgentError>>;
  stop(projectId: ProjectId, agentId: AgentId): Promise<Result<void, AgentError>>;
  /** Esc, or the profile's key: preempts the turn in work. */
  interrupt(projectId: ProjectId, agentId: AgentId): Promise<Result<void, AgentError>>;
  changeProfile(projectId: ProjectId, agentId: AgentId, profileId: ProfileId): Promise<Result<AgentView, AgentError>>;
  explain(projectId: ProjectId, agentId: AgentId): Result<AgentExplanation, AgentError>;
}

export interface AgentsPorts extends ViewPorts {
  readonly runtimes: Runtimes;
  readonly lifecycle: AgentLifecycle;
  readonly history: AgentHistory;
  readonly entropy: Entropy;
  readonly events: Events;
  readonly limits: Pick<LimitWatch, "forget" | "limitOf">;
}

interface Found {
  readonly runtime: ProjectRuntime;
  readonly entry: AgentEntry;
}

export function createAgents(ports: AgentsPorts): Agents {
  const { runtimes, lifecycle, history } = ports;

  function open(projectId: ProjectId): Result<ProjectRuntime, AgentError> {
    const runtime = runtimes.get(projectId);
    return runtime === undefined ? err({ kind: "projectNotOpen", projectId }) : ok(runtime);
  }

  function find(projectId: ProjectId, agentId: AgentId): Result<Found, AgentError> {
    const runtime = open(projectId);
    if (!runtime.ok) return runtime;
    const entry = findAgent(runtime.value.project.manifest(), agentId);
    return entry === undefined ? err({ kind: "agentNotFound", agentId }) : ok({ runtime: runtime.value, entry });
  }

  /** The view after an edit of the manifest. */
  async function edit(
    projectId: ProjectId,
    agentId: AgentId,
    change: (manifest: AgentsManifest) => Result<AgentsManifest, ManifestError>,
  ): Promise<Result<AgentView, AgentError>> {
    const runtime = open(projectId);
    if (!runtime.ok) return runtime;
    const edited = await runtime.value.project.updateManifest(change);
    if (!edited.ok) return err(toAgentError(edited.error));
    return view(projectId, agentId);
  }

  function view(projectId: ProjectId, agentId: AgentId): Result<AgentView, AgentError> {
    const found = find(projectId, agentId);
    return found.ok ? ok(viewAgent(ports, found.value.runtime, found.value.entry)) : found;
  }

  return {
    list(projectId) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      return ok(runtime.value.agents().map((entry) => viewAgent(ports, runtime.value, entry)));
    },
    get: view,
    async create(projectId, { name, profileId, context }) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const { project } = runtime.value;
      const agentId = createId("agent", ports.entropy.newId());
      const existing = await project.folder.list("agents");
      if (!existing.ok) return err({ kind: "storage", error: existing.error });
      const mdPath = planContextPath(project.manifest(), name, existing.value.map((entry) => entry.name));
      const checked = addAgent(project.manifest(), { agentId, name, mdPath, profileId });
      if (!checked.ok) return err(toAgentError(checked.error));
      // First the context, then the manifest: an agent that is listed has one.
      const text = context ?? `# ${name.trim()}\n`;
      const written = await project.folder.writeText(mdPath, text, { expectedHash: null });
      if (!written.ok) return err({ kind: "storage", error: written.error });
      const added = await edit(
        projectId,
        agentId,
        (manifest) => addAgent(manifest, { agentId, name, mdPath, profileId }),
      );
      // Nobody's context.
      if (!added.ok) await project.folder.remove(mdPath);
      return added;
    },
    rename: (projectId, agentId, name) => edit(projectId, agentId, (manifest) => renameAgent(manifest, agentId, name)),
    async remove(projectId, agentId) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      const { runtime } = found.value;
      const removed = await runtime.project.updateManifest((manifest) => removeAgent(manifest, agentId));
      if (!removed.ok) return err(toAgentError(removed.error));
      await lifecycle.end(runtime, agentId);
      ports.limits.forget(projectId, agentId);
      await runtime.runner.submit({ kind: "agentRemoved", agentId });
      ports.events.publish({ kind: "agentStopped", projectId, agentId, crashed: false });
      return ok();
    },
    async readContext(projectId, agentId) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      const read = await found.value.runtime.project.folder.readText(found.value.entry.mdPath);
      return read.ok ? ok(read.value?.text ?? "") : err({ kind: "storage", error: read.error });
    },
    async writeContext(projectId, agentId, content) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      const written = await found.value.runtime.project.folder.writeText(found.value.entry.mdPath, content);
      return written.ok ? ok() : err({ kind: "storage", error: written.error });
    },
    async launch(projectId, agentId, options) {
      const launched = await lifecycle.launch(projectId, agentId, options);
      return launched.ok ? view(projectId, agentId) : launched;
    },
    moveToCell(projectId, agentId, cellId) {
      const moved = lifecycle.move(projectId, agentId, cellId);
      return Promise.resolve(moved.ok ? view(projectId, agentId) : moved);
    },
    stop: lifecycle.stop,
    async interrupt(projectId, agentId) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      const session = found.value.runtime.live.get(agentId);
      if (session === undefined) return err({ kind: "agentNotRunning", agentId });
      // The keys are before whatever is typed next, and the turn is over before it can end for want of an answer.
      const sent = session.typing.interrupt();
      await found.value.runtime.runner.submit({ kind: "interrupted", agentId });
      await sent;
      return ok();
    },
    async changeProfile(projectId, agentId, profileId) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      const { runtime, entry } = found.value;
      if (ports.profile(profileId) === undefined) return err({ kind: "unknownProfile", profileId });
      if (entry.profileId === profileId) return view(projectId, agentId);
      // First: when it cannot be written, the old program goes on.
      const edited = await edit(projectId, agentId, (manifest) => setProfile(manifest, agentId, profileId));
      if (!edited.ok) return edited;
      // Before the old one is asked: from now on nothing is typed there but that.
      await runtime.runner.submit({ kind: "agentSwapped", agentId });
      const farewell = await lifecycle.askForHandoff(runtime, agentId);
      const former = await lifecycle.end(runtime, agentId);
      if (farewell !== undefined) await history.keepHandoff(projectId, agentId, farewell);
      // What the new program resumes from is the handoff: the provider's conversation belongs to the old one.
      await history.keepProviderSession(projectId, agentId, { profileId: entry.profileId, id: undefined });
      ports.limits.forget(projectId, agentId);
      if (former === undefined) return edited;
      const replaced = await lifecycle.launch(projectId, agentId, { resume: false, ...former });
      return replaced.ok ? view(projectId, agentId) : replaced;
    },
    explain(projectId, agentId) {
      const found = find(projectId, agentId);
      return found.ok ? ok(explainAgent(ports, found.value.runtime, found.value.entry)) : found;
    },
  };
}

function toAgentError(error: ManifestError | DocumentError): AgentError {
  switch (error.kind) {
    case "invalidName":
      return { kind: "invalidName", name: error.name, reason: error.reason };
    case "agentNameTaken":
    case "agentNotFound":
    case "storage":
      return error;
    case "newerVersion":
    case "corrupt":
      return { kind: "manifestUnusable", path: error.path, reason: error.kind };
  }
}
