/**
 * The secret of each live agent: it proves to the MCP door who calls, is valid while the agent lives, and for nothing
 * but this agent in this project.
 */
import type { AgentId, ProjectId } from "../ids.ts";
import type { Entropy } from "../ports/entropy.ts";
import { isSameSecret } from "../secrets.ts";

export interface AgentIdentity {
  readonly projectId: ProjectId;
  readonly agentId: AgentId;
}

export interface AgentSecrets {
  /** A new secret; the agent's former one ends. */
  issue(identity: AgentIdentity): string;
  revoke(identity: AgentIdentity): void;
  identify(secret: string): AgentIdentity | undefined;
}

export function createAgentSecrets(entropy: Entropy): AgentSecrets {
  const issued = new Map<string, { readonly secret: string; readonly identity: AgentIdentity }>();
  const keyOf = (identity: AgentIdentity) => `${identity.projectId}/${identity.agentId}`;
  return {
    issue(identity) {
      const secret = entropy.newSecret();
      issued.set(keyOf(identity), { secret, identity });
      return secret;
    },
    revoke: (identity) => void issued.delete(keyOf(identity)),
    identify(secret) {
      let found: AgentIdentity | undefined;
      // All are compared, so that the time does not tell which agent came close.
      for (const one of issued.values()) if (isSameSecret(secret, one.secret)) found = one.identity;
      return found;
    },
  };
}
