import { z } from "zod";
import type { AgentSummary } from "../../core/orchestration/commands.ts";
import { commandTool } from "../command_tool.ts";

export const listAgents = commandTool({
  name: "idea_list_agents",
  title: "See the colleagues",
  description:
    "Lists the agents of this project: name, profile, state, what each works on, and how many tasks wait for it.",
  input: z.object({}),
  output: z.object({
    agents: z.array(z.object({
      agentId: z.string(),
      name: z.string(),
      profile: z.string(),
      state: z.string(),
      worksOn: z.string().exactOptional(),
      queueLength: z.number().int(),
    })).readonly(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  command: () => ({ name: "list", input: {} }),
  kinds: ["agents"],
  answer: ({ agents }) => ({
    text: agents.length === 0 ? "There are no agents in this project yet." : agents.map(describe).join("\n"),
    data: { agents },
  }),
});

function describe({ name, profile, state, worksOn, queueLength }: AgentSummary): string {
  const waiting = queueLength === 0 ? "" : `, ${queueLength} waiting`;
  return `- ${name} (${profile}): ${state}${worksOn === undefined ? "" : `, works on: ${worksOn}`}${waiting}`;
}
