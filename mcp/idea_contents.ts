/** What IdeA offers to one requester over MCP. */
import type { App } from "../core/app/app.ts";
import type { AgentId } from "../core/ids.ts";
import type { Requester } from "../core/orchestration/commands.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { McpContents } from "./contents.ts";
import { createIdeaPrompts } from "./idea_prompts.ts";
import { createIdeaResources, type MayReadScreen } from "./idea_resources.ts";
import { ideaTools } from "./idea_tools.ts";

export interface IdeaContentsOptions {
  readonly app: App;
  readonly clock: Clock;
  /** Read at each call: what an outside client is called is known only after it introduced itself. */
  readonly requester: () => Requester;
  readonly mayReadScreen: MayReadScreen;
}

const FOR_AGENTS = `You are an agent of a project run by IdeA, with colleagues you can talk to.
- A line [IdeA · task from NAME · ticket ID] in your terminal is a task for you. If it says so, fetch the text with idea_get_task. Answer exactly once with idea_reply.
- idea_ask_agent gives a task to a colleague and returns the answer. If it returns a ticket, call idea_wait_reply.
- idea_list_agents shows who is there. Somebody who waits for you cannot be asked.`;

const FOR_OTHERS =
  `IdeA runs AI agents in a project. idea_list_agents shows them; idea_ask_agent gives one a task and returns its answer, or a ticket for idea_wait_reply. Rules, notes, handoffs and screens are resources; skills are prompts.`;

export function createIdeaContents(options: IdeaContentsOptions): McpContents {
  const { app, clock, mayReadScreen } = options;
  const requester = options.requester();
  const isAgent = requester.party.kind === "agent";
  return {
    instructions: isAgent ? FOR_AGENTS : FOR_OTHERS,
    tools: ideaTools.map((tool) =>
      tool((command, context) => app.orchestrator.dispatch(command, options.requester(), context))
    ),
    resources: createIdeaResources({ app, clock, requester, mayReadScreen }),
    prompts: createIdeaPrompts(app, requester.projectId),
  };
}

/** Until a project says otherwise: an agent sees its own screen; the person's programs see all. */
export function mayReadOwnScreen(requester: Requester, agentId: AgentId): boolean {
  return requester.party.kind !== "agent" || requester.party.agentId === agentId;
}
