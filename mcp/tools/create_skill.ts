import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { name, content, scope } = commandSchemas.createSkill.shape;

export const createSkill = commandTool({
  name: "idea_create_skill",
  title: "Save a skill",
  description:
    "Saves a reusable way of working as a skill, in Markdown; one of the same name is replaced. People assign " +
    "skills to agents.",
  input: z.object({
    name: name.describe("A short name"),
    content: content.describe("When to use it, and the steps"),
    scope: scope.describe("project (default), or global for all projects of the person"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  command: (input) => ({ name: "createSkill", input }),
  kinds: ["done"],
  answer: done,
});
