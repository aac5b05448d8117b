/** What runs while a project is open: its mediator, and its live agents. */
import type { AgentEntry } from "../agents/manifest.ts";
import type { AgentId, ProjectId } from "../ids.ts";
import type { Party } from "../parties.ts";
import type { AgentCli } from "../ports/agent_cli.ts";
import type { AgentTyping } from "./agent_typing.ts";
import type { LiveAgent } from "./live_agent.ts";
import type { MediatorRunner } from "./mediator_runner.ts";
import type { OpenProject } from "./projects.ts";

export interface LiveSession {
  readonly projectId: ProjectId;
  readonly agent: LiveAgent;
  readonly typing: AgentTyping;
  readonly cli: AgentCli;
  /** Monotonic. */
  readonly startedAtMs: number;
  readonly resumed: boolean;
}

export interface ProjectRuntime {
  readonly projectId: ProjectId;
  readonly project: OpenProject;
  readonly runner: MediatorRunner;
  /** At most one session an agent; put in and taken out by agent_lifecycle.ts only. */
  readonly live: Map<AgentId, LiveSession>;
  agents(): readonly AgentEntry[];
  nameOf(agentId: AgentId): string;
  partyName(party: Party): string;
  /** The last exchanges of two parties in short, for one who takes up a task. */
  conversationSoFar(from: Party, to: AgentId): Promise<string>;
}

export interface Runtimes {
  get(projectId: ProjectId): ProjectRuntime | undefined;
}
