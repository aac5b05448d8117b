import { z } from "zod";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";
import { done, DoneSchema } from "../done_answer.ts";

export const stopAgent = commandTool({
  name: "idea_stop_agent",
  title: "Stop a colleague",
  description: "Ends the session of an agent. What it was working on fails; what waits in its queue stays.",
  input: z.object({ target: commandSchemas.stop.shape.target.describe("Name or id of the agent") }),
  output: DoneSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  command: (input) => ({ name: "stop", input }),
  kinds: ["done"],
  answer: done,
});
