import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { answeredOrPending, AnswerSchema } from "../ask_answer.ts";

const { target, task, waitSeconds } = commandSchemas.ask.shape;

export const askAgent = commandTool({
  name: "idea_ask_agent",
  title: "Ask a colleague",
  description: "Gives a task to another agent of this project and waits for its answer, which this call returns. The " +
    "agent is started if it is not running; if it is busy, the task waits in its queue. Write the task so that it can " +
    "be done without knowing this conversation. A long wait may end with a ticket instead: then call idea_wait_reply.",
  input: z.object({
    target: target.describe("Name or id of the agent, as idea_list_agents shows it"),
    task: task.describe("What to do, with all that is needed to do it"),
    wait_seconds: waitSeconds.describe("How long to wait for the answer; 0 returns a ticket at once"),
  }),
  output: AnswerSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  command: (input) => ({
    name: "ask",
    input: { target: input.target, task: input.task, waitSeconds: input.wait_seconds },
  }),
  kinds: ["reply", "pending"],
  answer: answeredOrPending,
});
