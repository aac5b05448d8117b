/** What is kept of an agent's conversations for its next launch, its colleagues, and the record. */
import type { AgentId, ProfileId, ProjectId, TicketId } from "../ids.ts";
import type { Party } from "../parties.ts";

export interface HistoryEntry {
  readonly from: Party;
  readonly to: Party;
  readonly role: "prompt" | "response";
  readonly text: string;
  readonly thinking?: string;
  readonly ticket?: TicketId;
  /** The same key is recorded once, however often it is given. */
  readonly key: string;
  readonly atMs: number;
  /** It is in the journal too, from where it is recorded again after a crash of the machine: nobody waits for the disk. */
  readonly journalled?: boolean;
}

export interface AgentHistory {
  /** The provider's conversation of this agent with this profile, if one can be resumed. */
  providerSession(projectId: ProjectId, agentId: AgentId, profileId: ProfileId): Promise<string | undefined>;
  /** undefined forgets it: after a change of profile, or when it cannot be resumed. */
  keepProviderSession(
    projectId: ProjectId,
    agentId: AgentId,
    kept: { readonly profileId: ProfileId; readonly id: string | undefined },
  ): Promise<void>;
  /** The handoffs of the agent's conversations, the latest first, within the bound. */
  handoff(projectId: ProjectId, agentId: AgentId): Promise<string | undefined>;
  /** What the agent itself wrote for its successor, in place of what rules made of its latest conversation. */
  keepHandoff(projectId: ProjectId, agentId: AgentId, content: string): Promise<void>;
  /** The last exchanges of two parties in short. */
  soFar(projectId: ProjectId, from: Party, to: AgentId): Promise<string>;
  /** false: it could not be written, and is to be given again. */
  record(projectId: ProjectId, entry: HistoryEntry): Promise<boolean>;
}
