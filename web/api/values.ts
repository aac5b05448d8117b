/** Schemas that several nouns of the API share: ids, pages, sizes, and the problem that every error is. */
import { z } from "zod";
import { idSchema } from "../../core/workspace/id_schema.ts";

export const AgentIdSchema = idSchema("agent");
export const CellIdSchema = idSchema("cell");
export const ConversationIdSchema = idSchema("conversation");
export const LayoutIdSchema = idSchema("layout");
export const MessageIdSchema = idSchema("message");
export const ProfileIdSchema = idSchema("profile");
export const ProjectIdSchema = idSchema("project");
export const SessionIdSchema = idSchema("session");
export const SkillIdSchema = idSchema("skill");
export const TicketIdSchema = idSchema("ticket");

export const ProjectParams = z.object({ projectId: ProjectIdSchema });
export const AgentParams = z.object({ projectId: ProjectIdSchema, agentId: AgentIdSchema });

/** Epoch milliseconds. */
export const AtMs = z.number();

export const PtySizeSchema = z.strictObject({
  cols: z.number().int().min(1).max(1_000),
  rows: z.number().int().min(1).max(1_000),
}).meta({ id: "PtySize" });

export const PageQuery = z.object({
  limit: z.coerce.number<number>().int().min(1).max(1_000).exactOptional(),
  /** nextCursor of the page before. */
  cursor: z.string().min(1).max(512).exactOptional(),
});

/** A page of a list; no nextCursor: it is the last one. */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item).readonly(), nextCursor: z.string().exactOptional() });
}

export const ErrorCodes = [
  "INVALID",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "NAME_TAKEN",
  "CONFLICT",
  "UNKNOWN_PROFILE",
  "AGENT_ALREADY_RUNNING",
  "AGENT_NOT_RUNNING",
  "CYCLE",
  "BUSY",
  "TICKET_CLOSED",
  "TARGET_FAILED",
  "CANCELLED",
  "TIMEOUT",
  "TOO_LARGE",
  "PROGRAM_NOT_FOUND",
  "LAUNCH_FAILED",
  "LOCKED",
  "NEWER_VERSION",
  "CORRUPT",
  "STORAGE",
  "UNSUPPORTED",
  "REMOTE",
  "INTERNAL",
] as const;

/** RFC 9457 problem details; `code` is stable, the texts are for people. */
export const ProblemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(ErrorCodes),
  /** What to do about it. */
  hint: z.string().exactOptional(),
}).meta({ id: "Problem" });

export type ErrorCode = (typeof ErrorCodes)[number];
export type Problem = z.output<typeof ProblemSchema>;
