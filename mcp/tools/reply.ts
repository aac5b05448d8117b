import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { result, ticket } = commandSchemas.reply.shape;

export const reply = commandTool({
  name: "idea_reply",
  title: "Answer the task",
  description:
    "Answers the task you are working on; the one who asked gets the result. Answer every task exactly once, " +
    "also when it could not be done: then say why.",
  input: z.object({
    result: result.describe("The answer, complete: the asker sees nothing else of your work"),
    ticket: ticket.describe("Which task, if it is not the one in work"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  command: (input) => ({ name: "reply", input }),
  kinds: ["done"],
  answer: done,
});
