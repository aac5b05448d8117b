import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { target, content } = commandSchemas.contextPropose.shape;

export const contextPropose = commandTool({
  name: "idea_context_propose",
  title: "Propose a change of a context",
  description:
    "Proposes a new text for the project's rules, or, with target, for an agent's context. The person decides; " +
    "nothing changes before.",
  input: z.object({
    target: target.describe("Name or id of an agent; left out: the project's rules"),
    content: content.describe("The whole new text"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  command: (input) => ({ name: "contextPropose", input }),
  kinds: ["done"],
  answer: done,
});
