import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { textOr, TextSchema } from "../done_answer.ts";

export const memoryRead = commandTool({
  name: "idea_memory_read",
  title: "Read a note",
  description: "Returns a note of the project's memory; without slug, the index with one line a note.",
  input: z.object({ slug: commandSchemas.memoryRead.shape.slug.describe("Which note, as the index names it") }),
  output: TextSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  command: (input) => ({ name: "memoryRead", input }),
  kinds: ["text"],
  answer: textOr("There are no notes yet."),
});
