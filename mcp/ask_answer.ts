/** The answer of the two tools that wait for a colleague. */
import { z } from "zod";
import type { CommandResult } from "../core/orchestration/commands.ts";

export const AnswerSchema = z.object({
  status: z.enum(["answered", "pending"]),
  ticket: z.string(),
  reply: z.string().exactOptional(),
  source: z.enum(["reply", "lastAnswer"]).exactOptional()
    .describe("lastAnswer: the agent ended its turn without replying; this is the last it wrote"),
  state: z.string().exactOptional(),
  position: z.number().int().exactOptional(),
  next: z.string().exactOptional().describe("What to do now"),
});

export function answeredOrPending(result: Extract<CommandResult, { kind: "reply" | "pending" }>): {
  readonly text: string;
  readonly data: z.input<typeof AnswerSchema>;
} {
  if (result.kind === "reply") {
    const { ticket, text: reply, source } = result;
    const note = source === "lastAnswer" ? "(It did not reply; this is the last it wrote.)\n\n" : "";
    return { text: note + reply, data: { status: "answered", ticket, reply, source } };
  }
  const { ticket, state, position } = result;
  const next = `Call idea_wait_reply with ticket ${ticket} to go on waiting, or do something else first.`;
  return { text: `No answer yet: ${state}. ${next}`, data: { status: "pending", ticket, state, position, next } };
}
