/**
 * The life of agents: launch, stop, crash, change of profile, resume; one live session per agent, enforced here and
 * nowhere else.
 */
import type { AgentId, CellId, ProfileId, ProjectId, SessionId, SkillId, TicketId } from "../ids.ts";
import type { AgentStateKind } from "../orchestration/commands.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { FolderError } from "../ports/folder.ts";
import type { PtySize } from "../ports/pty.ts";
import type { Result } from "../result.ts";
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
  readonly resetsAtMs?: number;
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
  | { readonly kind: "programNotFound"; readonly program: string; readonly profile: string }
  | { readonly kind: "spawnFailed"; readonly error: OpenTerminalError }
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
