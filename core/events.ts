/**
 * What happened, in the past tense: published after the state changed. Every door (SSE, WebSocket, MCP) and every part
 * of the app that follows another one listens here.
 */
import type { AgentId, CellId, ConversationId, ProjectId, SessionId, TicketId } from "./ids.ts";
import type { AgentStateKind, Door } from "./orchestration/commands.ts";
import type { TicketState } from "./orchestration/ticket.ts";
import type { PtyExit } from "./ports/pty.ts";

export type IdeaEvent =
  | { readonly kind: "projectOpened"; readonly projectId: ProjectId; readonly root: string }
  | { readonly kind: "projectClosed"; readonly projectId: ProjectId }
  /** Files under `.ideai/` changed outside, or by another part of the app: what was read of them is read again. */
  | { readonly kind: "projectChanged"; readonly projectId: ProjectId; readonly what: readonly string[] }
  | { readonly kind: "layoutChanged"; readonly projectId: ProjectId }
  | { readonly kind: "profilesChanged" }
  | {
    readonly kind: "sessionOpened";
    readonly projectId: ProjectId;
    readonly sessionId: SessionId;
    readonly agentId?: AgentId;
  }
  | {
    readonly kind: "sessionExited";
    readonly projectId: ProjectId;
    readonly sessionId: SessionId;
    readonly exit: PtyExit;
  }
  | { readonly kind: "sessionClosed"; readonly projectId: ProjectId; readonly sessionId: SessionId }
  | {
    readonly kind: "sessionTitled";
    readonly projectId: ProjectId;
    readonly sessionId: SessionId;
    readonly title: string;
  }
  | { readonly kind: "sessionRang"; readonly projectId: ProjectId; readonly sessionId: SessionId }
  | {
    readonly kind: "agentLaunched";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly sessionId: SessionId;
    readonly cellId?: CellId;
    readonly resumed: boolean;
  }
  | {
    readonly kind: "agentStateChanged";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly state: AgentStateKind;
    /** Which signal said so. */
    readonly signal: string;
    readonly atMs: number;
  }
  | {
    readonly kind: "agentStopped";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly crashed: boolean;
  }
  | {
    readonly kind: "ticketChanged";
    readonly projectId: ProjectId;
    readonly ticketId: TicketId;
    readonly to: AgentId;
    readonly state: TicketState;
  }
  | { readonly kind: "queueChanged"; readonly projectId: ProjectId; readonly agentId: AgentId }
  | { readonly kind: "conversationGrew"; readonly projectId: ProjectId; readonly conversationId: ConversationId }
  | { readonly kind: "liveStateChanged"; readonly projectId: ProjectId }
  | {
    readonly kind: "orchestratorRequestProcessed";
    readonly projectId: ProjectId;
    /** An agent's id, "human" or "external". */
    readonly requesterId: string;
    readonly action: string;
    readonly source: Door;
    readonly ok: boolean;
  }
  | {
    readonly kind: "agentRateLimited";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly resetsAtMs?: number;
  }
  | {
    readonly kind: "agentRateLimitSuspected";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly resetsAtMs?: number;
  }
  | {
    readonly kind: "agentResumeScheduled";
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly fireAtMs: number;
  }
  | { readonly kind: "agentResumeCancelled"; readonly projectId: ProjectId; readonly agentId: AgentId }
  | { readonly kind: "agentResumed"; readonly projectId: ProjectId; readonly agentId: AgentId };

export type EventKind = IdeaEvent["kind"];

export interface Events {
  publish(event: IdeaEvent): void;
  /** Listeners are called in the order they came; one that throws harms no other. */
  subscribe(listener: (event: IdeaEvent) => void): Disposable;
}

/** onListenerError hears what a listener threw: the log, since the publisher cannot help it. */
export function createEvents(onListenerError: (error: unknown, event: IdeaEvent) => void): Events {
  const listeners = new Set<(event: IdeaEvent) => void>();
  return {
    publish(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (error) {
          onListenerError(error, event);
        }
      }
    },
    subscribe(listener) {
      const own = (event: IdeaEvent) => listener(event);
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
  };
}
