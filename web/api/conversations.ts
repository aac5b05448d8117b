/** Conversations per pair of parties, their canonical logs and handoffs, and the live state of a project. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { PartySchema } from "./tickets.ts";
import {
  AgentIdSchema,
  AtMs,
  ConversationIdSchema,
  MessageIdSchema,
  pageOf,
  PageQuery,
  ProjectIdSchema,
  ProjectParams,
  TicketIdSchema,
} from "./values.ts";

const ConversationParams = z.object({ projectId: ProjectIdSchema, conversationId: ConversationIdSchema });

export const ConversationViewSchema = z.object({
  conversationId: ConversationIdSchema,
  /** Usually two. */
  parties: z.array(z.object({ party: PartySchema, name: z.string() })).readonly(),
  title: z.string().exactOptional(),
  messageCount: z.number().int(),
  lastAtMs: AtMs.exactOptional(),
  hasHandoff: z.boolean(),
}).meta({ id: "Conversation" });

export const MessageSchema = z.object({
  id: MessageIdSchema,
  atMs: AtMs,
  source: PartySchema,
  role: z.enum(["prompt", "response"]),
  text: z.string(),
  thinking: z.string().exactOptional(),
  ticket: TicketIdSchema.exactOptional(),
}).meta({ id: "Message" });

export const conversationEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/conversations",
    tag: "conversations",
    id: "listConversations",
    summary: "Lists the conversations of a project, the last active first",
    params: ProjectParams,
    query: PageQuery,
    output: pageOf(ConversationViewSchema),
  }),
  read: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/conversations/{conversationId}",
    tag: "conversations",
    id: "readConversation",
    summary: "A page of the log, the newest messages first",
    params: ConversationParams,
    query: PageQuery,
    output: pageOf(MessageSchema),
  }),
  handoff: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/conversations/{conversationId}/handoff",
    tag: "conversations",
    id: "readHandoff",
    summary: "The summary from which another profile can go on",
    params: ConversationParams,
    output: z.object({ upTo: z.string().exactOptional(), objective: z.string().exactOptional(), content: z.string() }),
  }),
};

export const LiveStateSchema = z.object({
  agents: z.array(z.object({
    agentId: AgentIdSchema,
    doing: z.string(),
    sinceMs: AtMs,
    for: z.string().exactOptional(),
    ticket: TicketIdSchema.exactOptional(),
    until: z.string().exactOptional(),
    lastDelegation: z.object({ to: z.string(), ticket: TicketIdSchema, outcome: z.string(), atMs: AtMs })
      .exactOptional(),
  })).readonly(),
  intents: z.array(z.string()).readonly(),
});

export const liveEndpoints = {
  read: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/live",
    tag: "live",
    id: "readLiveState",
    summary: "Who does what now",
    params: ProjectParams,
    output: LiveStateSchema,
  }),
};
