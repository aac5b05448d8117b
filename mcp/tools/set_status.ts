import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { doing, until } = commandSchemas.setStatus.shape;

export const setStatus = commandTool({
  name: "idea_set_status",
  title: "Say what you are doing",
  description: "Tells the person and your colleagues in one sentence what you are working on.",
  input: z.object({
    doing: doing.describe("One sentence"),
    until: until.describe("When it will be done, if you know"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  command: (input) => ({ name: "setStatus", input }),
  kinds: ["done"],
  answer: done,
});
