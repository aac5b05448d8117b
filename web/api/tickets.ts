/** Tickets and queues: messages to an agent, delegations, and what a person may do with those that wait. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import {
  AgentIdSchema,
  AgentParams,
  AtMs,
  pageOf,
  PageQuery,
  ProjectIdSchema,
  ProjectParams,
  TicketIdSchema,
} from "./values.ts";

/** 1 MiB of text: the bound of the commands, with room for what JSON escapes. */
const Task = z.string().min(1).max(1_048_576);
const TASK_BODY_BYTES = 8 * 1_048_576;
const TicketParams = z.object({ projectId: ProjectIdSchema, ticketId: TicketIdSchema });

export const PartySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("human") }),
  z.object({ kind: z.literal("agent"), agentId: AgentIdSchema }),
  z.object({ kind: z.literal("external"), name: z.string() }),
]).meta({ id: "Party" });

export const TicketStateSchema = z.enum([
  "queued",
  "delivering",
  "delivered",
  "accepted",
  "answered",
  "cancelled",
  "failed",
]);

const FailureSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("agentStopped") }),
  z.object({ kind: z.literal("agentCrashed"), detail: z.string() }),
  z.object({ kind: z.literal("launchFailed"), detail: z.string() }),
  z.object({ kind: z.literal("noReply") }),
]);

export const TicketSchema = z.object({
  id: TicketIdSchema,
  from: PartySchema,
  to: AgentIdSchema,
  kind: z.enum(["delegation", "message"]),
  task: z.string(),
  state: TicketStateSchema,
  receipts: z.array(z.object({ state: TicketStateSchema, atMs: AtMs, cause: z.string() })).readonly(),
  repeat: z.number().int(),
  needsAttention: z.boolean(),
  reminded: z.boolean(),
  reply: z.object({ text: z.string(), atMs: AtMs, source: z.enum(["reply", "lastAnswer"]) }).exactOptional(),
  failure: FailureSchema.exactOptional(),
  cancellation: z.enum(["callerGone", "byCaller", "byPerson", "agentRemoved"]).exactOptional(),
}).meta({ id: "Ticket" });

/** What a person may do with a ticket that waits; position 0 is the next one. */
export const QueueEditSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("move"), ticketId: TicketIdSchema, position: z.number().int().min(0).max(10_000) }),
  z.strictObject({ op: z.literal("edit"), ticketId: TicketIdSchema, task: Task }),
  z.strictObject({ op: z.literal("remove"), ticketId: TicketIdSchema }),
]);

const QueueSchema = z.object({ items: z.array(TicketSchema).readonly() });

export const AskAnswerSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    ticket: TicketIdSchema,
    text: z.string(),
    source: z.enum(["reply", "lastAnswer"]),
  }),
  z.object({ kind: z.literal("pending"), ticket: TicketIdSchema, state: z.string(), position: z.number().int() }),
]);

export const ticketEndpoints = {
  input: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/agents/{agentId}/input",
    tag: "tickets",
    id: "sendToAgent",
    summary: "Queues a message of the person to an agent; it is typed when the agent is free",
    params: AgentParams,
    body: z.strictObject({ text: Task }),
    output: TicketSchema,
    status: 202,
    maxBodyBytes: TASK_BODY_BYTES,
  }),
  queue: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/agents/{agentId}/queue",
    tag: "tickets",
    id: "readQueue",
    summary: "The ticket in work, if any, then those that wait in their order",
    params: AgentParams,
    output: QueueSchema,
  }),
  editQueue: endpoint({
    method: "patch",
    path: "/api/projects/{projectId}/agents/{agentId}/queue",
    tag: "tickets",
    id: "editQueue",
    summary: "Moves, edits or removes a ticket that waits",
    params: AgentParams,
    body: QueueEditSchema,
    output: QueueSchema,
    maxBodyBytes: TASK_BODY_BYTES,
  }),
  list: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/tickets",
    tag: "tickets",
    id: "listTickets",
    summary: "Lists the tickets of a project, the newest first",
    params: ProjectParams,
    query: PageQuery,
    output: pageOf(TicketSchema),
  }),
  get: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/tickets/{ticketId}",
    tag: "tickets",
    id: "getTicket",
    summary: "One ticket with its receipts",
    params: TicketParams,
    output: TicketSchema,
  }),
  cancel: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}/tickets/{ticketId}",
    tag: "tickets",
    id: "cancelTicket",
    summary: "Cancels a ticket: it leaves the queue, the agent is free, the asker gets a typed error",
    params: TicketParams,
  }),
  redeliver: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/tickets/{ticketId}/redeliver",
    tag: "tickets",
    id: "redeliverTicket",
    summary: "Types a ticket that needs attention once more, marked as a repeat; any other open one stays as it is",
    params: TicketParams,
    output: TicketSchema,
  }),
  ask: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/ask",
    tag: "tickets",
    id: "askAgent",
    summary: "Asks an agent as a party outside and waits for the reply; when the wait ends first, a ticket to wait on",
    params: ProjectParams,
    body: z.strictObject({
      /** Name or id. */
      target: z.string().trim().min(1).max(128),
      task: Task,
      waitSeconds: z.number().int().min(0).max(86_400).exactOptional(),
      /** What the asker is called in the conversation; "external" when left out. */
      from: z.string().trim().min(1).max(64).exactOptional(),
    }),
    output: AskAnswerSchema,
    maxBodyBytes: TASK_BODY_BYTES,
  }),
};
