/**
 * The commands of the orchestrator: MCP tools, files and HTTP become one of these, validated here once, and get the
 * same result and the same event. Requesters are proven by the door (a secret, a folder), never taken from the body.
 */
import { z } from "zod";
import type { AgentId, ProjectId, TicketId } from "../ids.ts";
import type { TicketFailure } from "./ticket.ts";

/** An agent's name or id. */
const Target = z.string().trim().min(1).max(128);
/** 1 MiB: longer work belongs in a file that the task names. */
const Task = z.string().min(1).max(1_048_576);
const WaitSeconds = z.number().int().min(0).max(86_400);
const Ticket = z.string().trim().min(1).max(128);

export const commandSchemas = {
  ask: z.strictObject({ target: Target, task: Task, waitSeconds: WaitSeconds.optional() }),
  waitReply: z.strictObject({ ticket: Ticket, waitSeconds: WaitSeconds.optional() }),
  getTask: z.strictObject({ ticket: Ticket.optional() }),
  reply: z.strictObject({ result: z.string().max(1_048_576), ticket: Ticket.optional() }),
  launch: z.strictObject({
    target: Target,
    /** Creates the agent when it does not exist and a profile is named. */
    profile: z.string().trim().min(1).max(128).optional(),
    /** The context of an agent that is created. */
    context: z.string().max(1_048_576).optional(),
    task: Task.optional(),
    visibility: z.enum(["visible", "background"]).optional(),
    node: z.string().trim().min(1).max(128).optional(),
  }),
  stop: z.strictObject({ target: Target }),
  list: z.strictObject({}),
  updateContext: z.strictObject({ target: Target, content: z.string().max(1_048_576) }),
  contextRead: z.strictObject({ target: Target.optional() }),
  contextPropose: z.strictObject({ target: Target.optional(), content: z.string().max(1_048_576) }),
  createSkill: z.strictObject({
    name: z.string().trim().min(1).max(128),
    content: z.string().max(1_048_576),
    scope: z.enum(["project", "global"]).optional(),
  }),
  memoryRead: z.strictObject({ slug: z.string().trim().min(1).max(128).optional() }),
  memoryWrite: z.strictObject({
    slug: z.string().trim().min(1).max(128),
    content: z.string().max(1_048_576),
    description: z.string().max(1_000).optional(),
    type: z.enum(["project", "feedback", "reference", "user"]).optional(),
  }),
  setStatus: z.strictObject({ doing: z.string().trim().min(1).max(500), until: z.string().max(100).optional() }),
} as const;

export type CommandName = keyof typeof commandSchemas;
export type CommandInput<N extends CommandName> = z.infer<(typeof commandSchemas)[N]>;
export type Command = { [N in CommandName]: { readonly name: N; readonly input: CommandInput<N> } }[CommandName];

/** For doors that get the name of the command with its input. */
export const CommandSchema = z.discriminatedUnion("name", [
  z.object({ name: z.literal("ask"), input: commandSchemas.ask }),
  z.object({ name: z.literal("waitReply"), input: commandSchemas.waitReply }),
  z.object({ name: z.literal("getTask"), input: commandSchemas.getTask }),
  z.object({ name: z.literal("reply"), input: commandSchemas.reply }),
  z.object({ name: z.literal("launch"), input: commandSchemas.launch }),
  z.object({ name: z.literal("stop"), input: commandSchemas.stop }),
  z.object({ name: z.literal("list"), input: commandSchemas.list }),
  z.object({ name: z.literal("updateContext"), input: commandSchemas.updateContext }),
  z.object({ name: z.literal("contextRead"), input: commandSchemas.contextRead }),
  z.object({ name: z.literal("contextPropose"), input: commandSchemas.contextPropose }),
  z.object({ name: z.literal("createSkill"), input: commandSchemas.createSkill }),
  z.object({ name: z.literal("memoryRead"), input: commandSchemas.memoryRead }),
  z.object({ name: z.literal("memoryWrite"), input: commandSchemas.memoryWrite }),
  z.object({ name: z.literal("setStatus"), input: commandSchemas.setStatus }),
]);

export type Door = "mcp" | "file" | "ui";

/** Who asks, as the door has proven it. */
export interface Requester {
  readonly projectId: ProjectId;
  readonly party:
    | { readonly kind: "human" }
    | { readonly kind: "agent"; readonly agentId: AgentId }
    | { readonly kind: "external"; readonly name: string };
  readonly door: Door;
}

export interface AgentSummary {
  readonly agentId: AgentId;
  readonly name: string;
  readonly profile: string;
  readonly state: AgentStateKind;
  readonly worksOn?: string;
  readonly queueLength: number;
}

/** not running, starting, or the six states of a session. */
export type AgentStateKind =
  | "stopped"
  | "starting"
  | "idle"
  | "working"
  | "blocked"
  | "done"
  | "error"
  | "limited";

export type CommandResult =
  | {
    readonly kind: "reply";
    readonly ticket: TicketId;
    readonly text: string;
    readonly source: "reply" | "lastAnswer";
  }
  /** The wait ended first: not an error, a ticket to wait on. */
  | { readonly kind: "pending"; readonly ticket: TicketId; readonly state: string; readonly position: number }
  | {
    readonly kind: "task";
    readonly ticket: TicketId;
    readonly from: string;
    readonly task: string;
    readonly state: string;
    readonly repeat: boolean;
    readonly conversation: string;
  }
  | { readonly kind: "agents"; readonly agents: readonly AgentSummary[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "done"; readonly detail: string };

export type CommandError =
  | { readonly kind: "invalid"; readonly issues: readonly { readonly path: string; readonly message: string }[] }
  | { readonly kind: "unknownCommand"; readonly name: string }
  | { readonly kind: "agentNotFound"; readonly target: string; readonly known: readonly string[] }
  | { readonly kind: "ambiguousAgent"; readonly target: string; readonly matches: readonly string[] }
  | { readonly kind: "unknownProfile"; readonly profile: string }
  | { readonly kind: "agentAlreadyRunning"; readonly agentId: AgentId; readonly nodeId: string | undefined }
  | { readonly kind: "agentNotRunning"; readonly agentId: AgentId }
  /** Names, from the one who asked to the one asked: A → B → C → A. */
  | { readonly kind: "cycle"; readonly path: readonly string[] }
  | { readonly kind: "ticketNotFound"; readonly ticket: string }
  | { readonly kind: "ticketNotYours"; readonly ticket: TicketId }
  | { readonly kind: "ticketClosed"; readonly ticket: TicketId; readonly state: string }
  | { readonly kind: "nothingInWork" }
  | { readonly kind: "queueFull"; readonly target: string; readonly limit: number }
  | {
    readonly kind: "targetFailed";
    readonly ticket: TicketId;
    readonly target: string;
    readonly failure: TicketFailure;
  }
  | { readonly kind: "ticketCancelled"; readonly ticket: TicketId; readonly by: string }
  | { readonly kind: "launchFailed"; readonly target: string; readonly detail: string }
  | { readonly kind: "forbidden"; readonly what: string }
  | { readonly kind: "conflict"; readonly what: string }
  | { readonly kind: "storage"; readonly detail: string };

/** The caller of a command: may go away, and may want to hear how a long wait goes on. */
export interface CallContext {
  /** Calls back when the caller is gone (connection lost, request cancelled). */
  onGone?(listener: () => void): Disposable;
  /** Told at least every few seconds while a wait goes on, with what the ticket is doing. */
  readonly onProgress?: (progress: { readonly message: string; readonly elapsedMs: number }) => void;
  /** The id of the ticket that the command makes, from a door that has written it down before. Fresh. */
  readonly newTicket?: TicketId;
  /** Told once the ticket that the command makes is on disk. */
  readonly onQueued?: (ticketId: TicketId) => void;
}
