/**
 * Which input of which window has reached which session, kept beyond a connection: a window that was cut off sends
 * again what was not confirmed, and what had arrived all the same is recognised.
 */
import type { SessionId } from "../../core/ids.ts";

/** Windows remembered; the one that connected longest ago is forgotten first. */
const MAX_VIEWERS = 1000;

export interface InputLedger {
  /** A window connects, for the first time or again. */
  connect(viewerId: string): void;
  /** The last sequence number that reached the session; 0: none. */
  sequence(viewerId: string, sessionId: SessionId): number;
  record(viewerId: string, sessionId: SessionId, sequence: number): void;
  forgetSession(sessionId: SessionId): void;
}

export function createInputLedger(): InputLedger {
  const viewers = new Map<string, Map<SessionId, number>>();
  return {
    connect(viewerId) {
      const known = viewers.get(viewerId);
      viewers.delete(viewerId);
      viewers.set(viewerId, known ?? new Map());
      const oldest = viewers.keys().next();
      if (viewers.size > MAX_VIEWERS && !oldest.done) viewers.delete(oldest.value);
    },
    sequence: (viewerId, sessionId) => viewers.get(viewerId)?.get(sessionId) ?? 0,
    record(viewerId, sessionId, sequence) {
      viewers.get(viewerId)?.set(sessionId, sequence);
    },
    forgetSession(sessionId) {
      for (const sessions of viewers.values()) sessions.delete(sessionId);
    },
  };
}
