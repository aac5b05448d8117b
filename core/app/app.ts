/**
 * What the doors (HTTP, MCP, files) may do: the one thing they are given. Each member is the interface of its noun.
 * The doors know these only, never a port or an adapter; serve.ts puts the real ones together, tests strict fakes.
 */
import type { Events } from "../events.ts";
import type { AgentId, ConversationId, LayoutId, MessageId, ProfileId, ProjectId } from "../ids.ts";
import type { TicketId } from "../ids.ts";
import type { LayoutsError } from "../layout/edit_layouts.ts";
import type { LayoutCommand } from "../layout/operation.ts";
import type { LayoutTree } from "../layout/tree.ts";
import type { CallContext, Command, CommandError, CommandResult, Requester } from "../orchestration/commands.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Party } from "../parties.ts";
import type { FolderError } from "../ports/folder.ts";
import type { FolderBrowser } from "../ports/folder_browser.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import type { Result } from "../result.ts";
import type { Agents } from "./agents.ts";
import type { DocumentError } from "./documents.ts";
import type { Files } from "./files.ts";
import type { Terminals } from "./terminals.ts";

export interface App {
  readonly projects: Projects;
  readonly folders: FolderBrowser;
  readonly files: Files;
  readonly profiles: Profiles;
  readonly agents: Agents;
  readonly limits: Limits;
  readonly terminals: Terminals;
  readonly layouts: Layouts;
  readonly conversations: Conversations;
  readonly liveState: LiveStates;
  readonly settings: Settings;
  readonly orchestrator: Orchestrator;
  readonly skills: Skills;
  readonly events: Events;
}

export interface ProjectView {
  readonly projectId: ProjectId;
  readonly name: string;
  readonly root: string;
  readonly open: boolean;
  readonly createdAtMs: number;
  readonly lastOpenedAtMs?: number;
  /** Files of the project that could not be read; the rest of it works. */
  readonly problems: readonly { readonly path: string; readonly code: string; readonly detail: string }[];
}

export interface ProjectNotOpen {
  readonly kind: "projectNotOpen";
  readonly projectId: ProjectId;
}

export type ProjectError =
  | ProjectNotOpen
  | { readonly kind: "projectNotFound"; readonly projectId: ProjectId }
  | { readonly kind: "rootNotFound"; readonly path: string }
  | { readonly kind: "locked"; readonly path: string; readonly pid: number }
  | { readonly kind: "newerVersion"; readonly path: string; readonly version: number }
  | { readonly kind: "corrupt"; readonly path: string; readonly movedTo: string | undefined }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface Projects {
  /** The last opened first. */
  list(): readonly ProjectView[];
  get(projectId: ProjectId): Result<ProjectView, ProjectError>;
  open(options: { readonly root: string; readonly name?: string }): Promise<Result<ProjectView, ProjectError>>;
  /** Stops its sessions. forget: it leaves the list of known projects too. Its files are kept. */
  close(projectId: ProjectId, options: { readonly forget: boolean }): Promise<Result<void, ProjectError>>;
}

export interface DetectedProfile {
  readonly profile: AgentProfile;
  readonly installed: boolean;
  readonly program?: string;
  readonly version?: string;
  readonly chosen: boolean;
}

export type ProfileError =
  | { readonly kind: "profileNotFound"; readonly profileId: ProfileId }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface Profiles {
  list(): readonly AgentProfile[];
  detect(): Promise<readonly DetectedProfile[]>;
  save(profile: AgentProfile): Promise<Result<AgentProfile, ProfileError>>;
  remove(profileId: ProfileId): Promise<Result<void, ProfileError>>;
}

export type LimitError =
  | ProjectNotOpen
  | { readonly kind: "agentNotFound"; readonly agentId: AgentId }
  | { readonly kind: "noLimit"; readonly agentId: AgentId }
  /** It would not go on by itself anyway. */
  | { readonly kind: "noResumePlanned"; readonly agentId: AgentId };

/**
 * Usage limits of agents, which end by themselves: an agent that has one says so in its view and in the events. What a
 * person may say of them; each resolves when it is on disk.
 */
export interface Limits {
  /** It is not resumed by itself; a person does that, or tells when. */
  cancelResume(projectId: ProjectId, agentId: AgentId): Promise<Result<void, LimitError>>;
  /** There is a limit, and until when: where nothing told it, or told it wrong. Brings a cancelled resume back. */
  setResetTime(projectId: ProjectId, agentId: AgentId, resetsAtMs: number): Promise<Result<void, LimitError>>;
  /** There is none (any more): what waits goes on now. */
  lift(projectId: ProjectId, agentId: AgentId): Promise<Result<void, LimitError>>;
}

export interface LayoutView {
  readonly layoutId: LayoutId;
  readonly name: string;
  readonly kind: "terminal" | "gitGraph";
  readonly active: boolean;
  readonly tree: LayoutTree;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** Why a layout stays as it is; what each means is said in core/layout/errors.ts and edit_layouts.ts. */
export type LayoutRefusal = Exclude<
  (LayoutsError | DocumentError)["kind"],
  "layoutNotFound" | "cellNotFound" | "storage"
>;

export type LayoutAppError =
  | ProjectNotOpen
  | { readonly kind: "layoutNotFound"; readonly layoutId: LayoutId }
  | { readonly kind: "cellNotFound"; readonly cellId: string }
  | { readonly kind: "layoutRefused"; readonly reason: LayoutRefusal }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface Layouts {
  list(projectId: ProjectId): Result<readonly LayoutView[], LayoutAppError>;
  operate(
    projectId: ProjectId,
    layoutId: LayoutId,
    operation: LayoutCommand,
  ): Promise<Result<LayoutView, LayoutAppError>>;
}

export interface ConversationView {
  readonly conversationId: ConversationId;
  readonly parties: readonly { readonly party: Party; readonly name: string }[];
  readonly title?: string;
  readonly messageCount: number;
  readonly lastAtMs?: number;
  readonly hasHandoff: boolean;
}

export interface Message {
  readonly id: MessageId;
  readonly atMs: number;
  readonly source: Party;
  readonly role: "prompt" | "response";
  readonly text: string;
  readonly thinking?: string;
  readonly ticket?: TicketId;
}

export interface Handoff {
  readonly upTo?: string;
  readonly objective?: string;
  readonly content: string;
}

export type ConversationError =
  | ProjectNotOpen
  | { readonly kind: "conversationNotFound"; readonly conversationId: ConversationId }
  | { readonly kind: "handoffNotFound"; readonly conversationId: ConversationId }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface Conversations {
  /** The last active first. */
  list(projectId: ProjectId): Promise<Result<readonly ConversationView[], ConversationError>>;
  /** The whole log, oldest first. */
  read(projectId: ProjectId, conversationId: ConversationId): Promise<Result<readonly Message[], ConversationError>>;
  handoff(projectId: ProjectId, conversationId: ConversationId): Promise<Result<Handoff, ConversationError>>;
}

export interface LiveState {
  readonly agents: readonly {
    readonly agentId: AgentId;
    readonly doing: string;
    readonly sinceMs: number;
    readonly for?: string;
    readonly ticket?: TicketId;
    readonly until?: string;
    readonly lastDelegation?: {
      readonly to: string;
      readonly ticket: TicketId;
      readonly outcome: string;
      readonly atMs: number;
    };
  }[];
  readonly intents: readonly string[];
}

export interface LiveStates {
  read(projectId: ProjectId): Result<LiveState, ProjectNotOpen>;
}

export type SettingsValues = Readonly<Record<string, unknown>>;
export type SettingsError = { readonly kind: "storage"; readonly error: FolderError };

export interface Settings {
  read(): SettingsValues;
  /** Merges one level deep: what is not named stays. */
  change(changes: SettingsValues): Promise<Result<SettingsValues, SettingsError>>;
}

/** Workflows in Markdown; over MCP they are prompts. */
export interface Skills {
  list(
    projectId: ProjectId,
  ): Promise<Result<readonly { readonly name: string; readonly content: string }[], ProjectNotOpen>>;
}

export type QueueEdit =
  | { readonly op: "move"; readonly ticketId: TicketId; readonly position: number }
  | { readonly op: "edit"; readonly ticketId: TicketId; readonly task: string }
  | { readonly op: "remove"; readonly ticketId: TicketId };

export interface Orchestrator {
  dispatch(
    command: Command,
    requester: Requester,
    context?: CallContext,
  ): Promise<Result<CommandResult, CommandError>>;
  /** The newest first. */
  tickets(projectId: ProjectId): Result<readonly Ticket[], ProjectNotOpen>;
  ticket(projectId: ProjectId, ticketId: TicketId): Result<Ticket, CommandError | ProjectNotOpen>;
  /** The ticket in work, if any, then those that wait in their order. */
  queue(projectId: ProjectId, agentId: AgentId): Result<readonly Ticket[], CommandError | ProjectNotOpen>;
  enqueueMessage(
    projectId: ProjectId,
    agentId: AgentId,
    text: string,
  ): Promise<Result<Ticket, CommandError | ProjectNotOpen>>;
  editQueue(
    projectId: ProjectId,
    agentId: AgentId,
    edit: QueueEdit,
  ): Promise<Result<readonly Ticket[], CommandError | ProjectNotOpen>>;
  /** By the person: the asker gets a typed error, the agent is free. */
  cancel(projectId: ProjectId, ticketId: TicketId): Promise<Result<void, CommandError | ProjectNotOpen>>;
  /** Types a ticket that needs attention once more, marked as a repeat; any other open one stays as it is. */
  redeliver(projectId: ProjectId, ticketId: TicketId): Promise<Result<Ticket, CommandError | ProjectNotOpen>>;
}
