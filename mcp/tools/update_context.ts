import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { target, content } = commandSchemas.updateContext.shape;

export const updateContext = commandTool({
  name: "idea_update_context",
  title: "Rewrite an agent's context",
  description:
    "Replaces the Markdown that says who an agent is and how it works. It takes effect when the agent starts next.",
  input: z.object({
    target: target.describe("Name or id of the agent"),
    content: content.describe("The whole new context; read the present one with idea_context_read first"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  command: (input) => ({ name: "updateContext", input }),
  kinds: ["done"],
  answer: done,
});
