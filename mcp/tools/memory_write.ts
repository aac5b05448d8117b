import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { slug, content, description, type } = commandSchemas.memoryWrite.shape;

export const memoryWrite = commandTool({
  name: "idea_memory_write",
  title: "Write a note",
  description: "Writes a note of durable knowledge into the project's memory; one of the same slug is replaced. For " +
    "decisions, lasting preferences, workflow rules and references; not for logs, passing states or guesses.",
  input: z.object({
    slug: slug.describe("Its name: small letters, digits and hyphens"),
    content: content.describe("Markdown; [[slug]] links to another note"),
    description: description.describe("One line for the index"),
    type: type.describe("project (default), feedback, reference or user"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  command: (input) => ({ name: "memoryWrite", input }),
  kinds: ["done"],
  answer: done,
});
