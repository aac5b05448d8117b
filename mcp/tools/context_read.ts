import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { textOr, TextSchema } from "../done_answer.ts";

export const contextRead = commandTool({
  name: "idea_context_read",
  title: "Read a context",
  description: "Returns the rules that every agent of this project follows, or, with target, the context of one agent.",
  input: z.object({
    target: commandSchemas.contextRead.shape.target.describe("Name or id of an agent; left out: the project's rules"),
  }),
  output: TextSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  command: (input) => ({ name: "contextRead", input }),
  kinds: ["text"],
  answer: textOr("There is nothing in it yet."),
});
