import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

const { target, profile, task, visibility, node } = commandSchemas.launch.shape;

export const launchAgent = commandTool({
  name: "idea_launch_agent",
  title: "Start a colleague",
  description:
    "Starts an agent without waiting for it, with a task if one is given. With a profile, an agent that does " +
    "not exist yet is made. To get an answer, use idea_ask_agent instead: it starts the agent by itself.",
  input: z.object({
    target: target.describe("Name or id of the agent"),
    profile: profile.describe("Makes the agent with this profile if there is none of that name"),
    task: task.describe("A first task; nobody waits for its answer"),
    visibility: visibility.describe("visible shows it in the window; background does not"),
    node: node.describe("The cell of the window to show it in"),
  }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  command: (input) => ({ name: "launch", input }),
  kinds: ["done"],
  answer: done,
});
