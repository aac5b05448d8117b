/** Who talks to whom: the person, an agent, or a program outside any agent that holds the person's token. */
import type { AgentId } from "./ids.ts";

export type Party =
  | { readonly kind: "human" }
  | { readonly kind: "agent"; readonly agentId: AgentId }
  | { readonly kind: "external"; readonly name: string };

export function isSameParty(a: Party, b: Party): boolean {
  return partyKey(a) === partyKey(b);
}

/** A text that is equal for equal parties, for maps and for the key of a conversation. */
export function partyKey(party: Party): string {
  switch (party.kind) {
    case "human":
      return "human";
    case "agent":
      return `agent:${party.agentId}`;
    case "external":
      return `external:${party.name}`;
  }
}
