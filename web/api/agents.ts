/** Agents: the manifest, their life, their context, and why they are in their state. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { TerminalTextSchema } from "./terminals.ts";
import { TicketSchema } from "./tickets.ts";
import {
  AgentIdSchema,
  AgentParams,
  AtMs,
  CellIdSchema,
  pageOf,
  PageQuery,
  ProfileIdSchema,
  ProjectIdSchema,
  ProjectParams,
  PtySizeSchema,
  SessionIdSchema,
  SkillIdSchema,
  TicketIdSchema,
} from "./values.ts";

const Name = z.string().trim().min(1).max(80);
/** Markdown; the same bound as the commands of the orchestrator. */
const Context = z.string().max(1_048_576);
const CONTEXT_BODY_BYTES = 8 * 1_048_576;

export const AgentStateSchema = z.enum([
  "stopped",
  "starting",
  "idle",
  "working",
  "blocked",
  "done",
  "error",
  "limited",
]);

/** A usage limit; with the source "suspected" one that may be there, and holds nothing yet. */
export const AgentLimitSchema = z.object({
  source: z.enum(["structured", "screen", "suspected", "person"]),
  sinceMs: AtMs,
  /** What the CLI wrote; empty when a person said it. */
  detail: z.string(),
  /** Absent: nothing told when it ends. */
  resetsAtMs: AtMs.exactOptional(),
  /** When the agent goes on by itself. Absent: the end is not known, or a person cancelled it. */
  resumesAtMs: AtMs.exactOptional(),
}).meta({ id: "AgentLimit" });

export const AgentViewSchema = z.object({
  agentId: AgentIdSchema,
  projectId: ProjectIdSchema,
  name: z.string(),
  profileId: ProfileIdSchema,
  /** Absent: the project names a profile that this person does not have; ask for another one. */
  profileName: z.string().exactOptional(),
  skills: z.array(SkillIdSchema).readonly(),
  state: AgentStateSchema,
  stateSinceMs: AtMs,
  sessionId: SessionIdSchema.exactOptional(),
  /** The cell that hosts the live session. */
  cellId: CellIdSchema.exactOptional(),
  worksOn: z.object({ ticketId: TicketIdSchema, from: z.string(), summary: z.string() }).exactOptional(),
  queueLength: z.number().int(),
  limit: AgentLimitSchema.exactOptional(),
}).meta({ id: "Agent" });

export const AgentExplanationSchema = z.object({
  agent: AgentViewSchema,
  authority: z.string(),
  signals: z.array(z.object({ atMs: AtMs, signal: z.string(), state: AgentStateSchema })).readonly(),
  waitsFor: z.array(z.string()).readonly(),
  queue: z.array(TicketSchema).readonly(),
});

const manifest = {
  list: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents",
    tag: "agents",
    id: "listAgents",
    summary: "Lists the agents of a project in the order of its manifest",
    params: ProjectParams,
    query: PageQuery,
    output: pageOf(AgentViewSchema),
  }),
  create: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents",
    tag: "agents",
    id: "createAgent",
    summary: "Adds an agent",
    params: ProjectParams,
    body: z.strictObject({ name: Name, profileId: ProfileIdSchema, context: Context.exactOptional() }),
    output: AgentViewSchema,
    status: 201,
    maxBodyBytes: CONTEXT_BODY_BYTES,
  }),
  get: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents/{agentId}",
    tag: "agents",
    id: "getAgent",
    summary: "One agent",
    params: AgentParams,
    output: AgentViewSchema,
  }),
  rename: endpoint({
    method: "patch",
    path: "/api/projects/{projectId}/agents/{agentId}",
    tag: "agents",
    id: "renameAgent",
    summary: "Gives an agent another name",
    params: AgentParams,
    body: z.strictObject({ name: Name }),
    output: AgentViewSchema,
  }),
  remove: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}/agents/{agentId}",
    tag: "agents",
    id: "removeAgent",
    summary: "Stops an agent, cancels its queue and takes it out of the manifest; its context file is kept",
    params: AgentParams,
  }),
  readContext: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents/{agentId}/context",
    tag: "agents",
    id: "readAgentContext",
    summary: "The Markdown that says who the agent is",
    params: AgentParams,
    output: z.object({ content: z.string() }),
  }),
  writeContext: endpoint({
    method: "put",
    path: "/api/projects/{projectId}/agents/{agentId}/context",
    tag: "agents",
    id: "writeAgentContext",
    summary: "Replaces the agent's context; a live session has it from its next launch",
    params: AgentParams,
    body: z.strictObject({ content: Context }),
    maxBodyBytes: CONTEXT_BODY_BYTES,
  }),
  changeProfile: endpoint({
    method: "put",
    path: "/api/projects/{projectId}/agents/{agentId}/profile",
    tag: "agents",
    id: "changeAgentProfile",
    summary: "Moves the agent to another CLI: context, memory, history and queue stay, a live session is replaced",
    params: AgentParams,
    body: z.strictObject({ profileId: ProfileIdSchema }),
    output: AgentViewSchema,
  }),
};

const life = {
  launch: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents/{agentId}/launch",
    tag: "agents",
    id: "launchAgent",
    summary: "Starts the agent's session; AGENT_ALREADY_RUNNING names the cell where it lives elsewhere",
    params: AgentParams,
    body: z.strictObject({
      cellId: CellIdSchema.exactOptional(),
      /** false: a fresh conversation even if one could be resumed. */
      resume: z.boolean().exactOptional(),
      size: PtySizeSchema.exactOptional(),
    }),
    output: AgentViewSchema,
  }),
  moveToCell: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents/{agentId}/cell",
    tag: "agents",
    id: "moveAgentToCell",
    summary: "Binds the live session to another cell",
    params: AgentParams,
    body: z.strictObject({ cellId: CellIdSchema }),
    output: AgentViewSchema,
  }),
  stop: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents/{agentId}/stop",
    tag: "agents",
    id: "stopAgent",
    summary: "Ends the agent's session",
    params: AgentParams,
  }),
  interrupt: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents/{agentId}/interrupt",
    tag: "agents",
    id: "interruptAgent",
    summary: "Preempts the turn in work with the profile's key",
    params: AgentParams,
  }),
  explain: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents/{agentId}/explain",
    tag: "agents",
    id: "explainAgent",
    summary: "Why the agent is in its state, since when, which signal said so, and what its queue waits for",
    params: AgentParams,
    output: AgentExplanationSchema,
  }),
  screen: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents/{agentId}/screen",
    tag: "agents",
    id: "readAgentScreen",
    summary: "What the agent's terminal shows, as text",
    params: AgentParams,
    query: z.object({ scrollback: z.coerce.number<number>().int().min(0).max(100_000).exactOptional() }),
    output: TerminalTextSchema,
  }),
};

const limit = {
  setLimit: endpoint({
    method: "put",
    path: "/api/projects/{projectId}/agents/{agentId}/limit",
    tag: "agents",
    id: "setAgentLimit",
    summary: "Says until when the agent's usage limit lasts, also where nothing saw one; it goes on by itself after it",
    params: AgentParams,
    body: z.strictObject({ resetsAtMs: AtMs.int().min(0) }),
    output: AgentViewSchema,
  }),
  liftLimit: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}/agents/{agentId}/limit",
    tag: "agents",
    id: "liftAgentLimit",
    summary: "Says that the agent has no usage limit, or none any more: what waits goes on now",
    params: AgentParams,
    output: AgentViewSchema,
  }),
  cancelResume: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}/agents/{agentId}/limit/resume",
    tag: "agents",
    id: "cancelAgentResume",
    summary: "Keeps the agent from going on by itself when its usage limit is over",
    params: AgentParams,
    output: AgentViewSchema,
  }),
};

export const agentEndpoints = { ...manifest, ...life, ...limit };
