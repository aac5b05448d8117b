import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { answeredOrPending, AnswerSchema } from "../ask_answer.ts";
import { commandTool } from "../command_tool.ts";

const { ticket, waitSeconds } = commandSchemas.waitReply.shape;

export const waitReply = commandTool({
  name: "idea_wait_reply",
  title: "Wait for an answer",
  description:
    "Goes on waiting for the answer to a task that you gave with idea_ask_agent. An answer that has come in " +
    "the meantime is returned at once.",
  input: z.object({
    ticket: ticket.describe("The ticket that idea_ask_agent returned"),
    wait_seconds: waitSeconds.describe("How long to wait"),
  }),
  output: AnswerSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  command: (input) => ({ name: "waitReply", input: { ticket: input.ticket, waitSeconds: input.wait_seconds } }),
  kinds: ["reply", "pending"],
  answer: answeredOrPending,
});
