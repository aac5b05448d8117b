/**
 * The canonical log of a conversation: one line a message, appended only. Whatever else is known of the conversation
 * (handoff, index) follows from it.
 */
import { z } from "zod";
import { type ConversationId, createId, type MessageId, type TicketId } from "../ids.ts";
import type { Party } from "../parties.ts";
import { idSchema } from "../workspace/id_schema.ts";

/** The answer to a ticket as the ticket has it; the transcript of the one who gave it may have it in pieces. */
export function answerId(ticketId: TicketId): MessageId {
  return createId("message", `${ticketId}-response`);
}

export interface LogEntry {
  readonly id: MessageId;
  readonly conversation: ConversationId;
  readonly atMs: number;
  readonly source: Party;
  readonly role: "prompt" | "response";
  readonly text: string;
  readonly thinking?: string;
  readonly ticket?: TicketId;
}

export const PartySchema = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("human") }),
  z.looseObject({ kind: z.literal("agent"), agentId: idSchema("agent") }),
  z.looseObject({ kind: z.literal("external"), name: z.string().min(1).max(200) }),
]);

const EntrySchema: z.ZodType<LogEntry> = z.looseObject({
  id: idSchema("message"),
  conversation: idSchema("conversation"),
  atMs: z.number(),
  source: PartySchema,
  role: z.enum(["prompt", "response"]),
  text: z.string(),
  thinking: z.string().exactOptional(),
  ticket: idSchema("ticket").exactOptional(),
});

export interface ParsedLog {
  /** In the order of the file, each id once: the first counts. */
  readonly entries: readonly LogEntry[];
  /** Lines that are no messages. They stay in the file. */
  readonly unreadable: number;
}

export function parseLog(lines: readonly string[]): ParsedLog {
  const entries = new Map<MessageId, LogEntry>();
  let unreadable = 0;
  for (const line of lines) {
    const entry = parseLine(line);
    if (entry === undefined) unreadable++;
    else if (!entries.has(entry.id)) entries.set(entry.id, entry);
  }
  return { entries: [...entries.values()], unreadable };
}

export function formatEntry(entry: LogEntry): string {
  return JSON.stringify(entry);
}

function parseLine(line: string): LogEntry | undefined {
  try {
    const parsed = EntrySchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Who spoke, each once, in the order of their first message. */
export function sourcesOf(entries: readonly LogEntry[], keyOf: (party: Party) => string): readonly Party[] {
  const sources = new Map<string, Party>();
  for (const { source } of entries) if (!sources.has(keyOf(source))) sources.set(keyOf(source), source);
  return [...sources.values()];
}
