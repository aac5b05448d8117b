/**
 * Records what a person and an agent said to each other, with the thinking, from the CLI's own transcript. What passes
 * through tickets is recorded from the tickets, so turns that IdeA typed for another agent are passed over here.
 */
import type { Clock } from "../ports/clock.ts";
import type { TranscriptTurn } from "../ports/agent_cli.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { LiveSession } from "./project_runtime.ts";

export interface Transcripts {
  follow(session: LiveSession, conversation: { readonly id: string; readonly transcriptPath?: string }): void;
  /** Reads what is new; one reading at a time for each session. */
  collect(session: LiveSession): void;
}

export interface TranscriptPorts {
  readonly clock: Clock;
  readonly history: AgentHistory;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  readonly onDefect: (error: unknown) => void;
}

interface Following {
  readonly conversationId: string;
  path: string | undefined;
  offset: number;
  /** The turn that is read on is one that IdeA typed for a ticket. */
  ticketTurn: boolean;
  reading: Promise<void>;
}

/** The CLI writes the last answer at about the time it says that the turn ended. */
const WRITE_GRACE_MS = 500;
const TYPED_BY_IDEA = /^\s*\[IdeA ·/;

export function createTranscripts(ports: TranscriptPorts): Transcripts {
  const followed = new WeakMap<LiveSession, Following>();

  async function read(session: LiveSession, following: Following): Promise<void> {
    following.path ??= await session.cli.findTranscript(following.conversationId, await ports.environment());
    if (following.path === undefined) return;
    const chunk = await session.cli.readTranscript(following.path, following.offset);
    following.offset = chunk.nextOffset;
    for (const turn of chunk.turns) {
      if (turn.role === "prompt") following.ticketTurn = TYPED_BY_IDEA.test(turn.text);
      if (!following.ticketTurn) await record(session, turn);
    }
  }

  async function record({ projectId, agent }: LiveSession, turn: TranscriptTurn): Promise<void> {
    const human = { kind: "human" } as const;
    const self = { kind: "agent", agentId: agent.agentId } as const;
    await ports.history.record(projectId, {
      from: turn.role === "prompt" ? human : self,
      to: turn.role === "prompt" ? self : human,
      role: turn.role,
      text: turn.text,
      ...(turn.thinking === undefined ? {} : { thinking: turn.thinking }),
      key: turn.key,
      atMs: turn.atMs,
    });
  }

  return {
    follow(session, { id, transcriptPath }) {
      const former = followed.get(session);
      if (former?.conversationId === id && (transcriptPath === undefined || former.path === transcriptPath)) return;
      followed.set(session, {
        conversationId: id,
        path: transcriptPath,
        offset: 0,
        ticketTurn: false,
        reading: Promise.resolve(),
      });
    },
    collect(session) {
      const following = followed.get(session);
      if (following === undefined) return;
      ports.clock.startTimer(WRITE_GRACE_MS, () => {
        following.reading = following.reading.then(() => read(session, following)).catch(ports.onDefect);
      });
    },
  };
}
