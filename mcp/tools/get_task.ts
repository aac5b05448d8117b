import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";

export const getTask = commandTool({
  name: "idea_get_task",
  title: "Read the task",
  description:
    "Returns the whole text of the task you are working on, who asks, and the conversation so far in short. " +
    "Call it when a line [IdeA · task from …] in your terminal says so. With ticket: a task that you gave yourself.",
  input: z.object({
    ticket: commandSchemas.getTask.shape.ticket.describe("Only for a task that you gave; else leave it out"),
  }),
  output: z.object({
    ticket: z.string(),
    from: z.string(),
    task: z.string(),
    state: z.string(),
    repeat: z.boolean().describe("It is given to you again: part of it may be done"),
    conversation: z.string(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  command: (input) => ({ name: "getTask", input }),
  kinds: ["task"],
  answer: ({ kind: _, ...data }) => ({
    text: [
      `Task from ${data.from}, ticket ${data.ticket} (${data.state}).`,
      ...(data.repeat ? ["It is given to you again after an interruption: part of it may be done already."] : []),
      "",
      data.task,
      ...(data.conversation === "" ? [] : ["", "Conversation so far:", data.conversation]),
      "",
      "When it is done, or if it cannot be done, call idea_reply once with the result.",
    ].join("\n"),
    data,
  }),
});
