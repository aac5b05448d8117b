/**
 * The live state of open projects: follows the tickets, and takes what agents say of themselves. Changes that follow
 * from tickets are written together a moment later, and what is pending is written at closing; what an agent says is
 * on disk when it is told so.
 */
import {
  type AgentLiveState,
  beginTask,
  describeLiveState,
  endAgent,
  endTask,
  keepAgents,
  type LiveStateDocument,
  liveStateFormat,
  NO_LIVE_STATE,
  setIntents,
  setLastDelegation,
  setStatus,
} from "../agents/live_state.ts";
import { shorten } from "../conversations/clues.ts";
import type { Events, IdeaEvent } from "../events.ts";
import type { AgentId, ProjectId, TicketId } from "../ids.ts";
import type { CommandError } from "../orchestration/commands.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Party } from "../parties.ts";
import type { Clock } from "../ports/clock.ts";
import type { FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import type { LiveState, LiveStates as LiveStatesDoor, ProjectNotOpen } from "./app.ts";
import { type DocumentError, openDocument, type StoredDocument } from "./documents.ts";
import type { OpenProject, Projects } from "./projects.ts";

const WRITE_DELAY_MS = 500;
const DOING_CHARS = 200;
const PATH = "state/live.json";

export interface LiveStates extends LiveStatesDoor {
  setStatus(
    projectId: ProjectId,
    agentId: AgentId,
    status: { readonly doing: string; readonly until?: string },
  ): Promise<Result<void, CommandError>>;
  setIntents(projectId: ProjectId, intents: readonly string[]): Promise<Result<void, ProjectNotOpen | DocumentError>>;
  /** For an agent that starts; empty when nothing goes on. */
  describe(projectId: ProjectId): string;
}

export interface LiveStatesOptions {
  readonly projects: Pick<Projects, "opened" | "whileOpen">;
  readonly clock: Clock;
  readonly events: Events;
  readonly ticketOf: (projectId: ProjectId, ticketId: TicketId) => Ticket | undefined;
  readonly onStorageError: (error: FolderError) => void;
}

type Edit = (document: LiveStateDocument) => LiveStateDocument;

interface OpenLiveState {
  readonly project: OpenProject;
  readonly document: StoredDocument<LiveStateDocument>;
  /** Edits that are shown and not yet written. */
  readonly pending: Edit[];
  /** The document with the pending edits in it. */
  shown: LiveStateDocument;
  timer: Disposable | undefined;
  writing: Promise<Result<void, DocumentError>>;
}

export function createLiveStates(options: LiveStatesOptions): LiveStates {
  const { projects, clock, events, ticketOf, onStorageError } = options;
  const opened = new Map<ProjectId, OpenLiveState>();

  projects.whileOpen(async (project) => {
    const document = await openDocument({
      folder: project.folder,
      path: PATH,
      format: liveStateFormat,
      initial: NO_LIVE_STATE,
    });
    const own: OpenLiveState = {
      project,
      document,
      pending: [],
      shown: document.value(),
      timer: undefined,
      writing: Promise.resolve(ok()),
    };
    opened.set(project.id, own);
    const follow = events.subscribe((event) => {
      if ("projectId" in event && event.projectId === project.id) onEvent(own, event);
    });
    return {
      async [Symbol.asyncDispose]() {
        follow[Symbol.dispose]();
        opened.delete(project.id);
        own.timer?.[Symbol.dispose]();
        await write(own);
      },
    };
  });

  /** What is written has changed, by us or by others. */
  const showAgain = (own: OpenLiveState): void => {
    own.shown = own.pending.reduce((state, edit) => edit(state), own.document.value());
  };

  /** One writing at a time; what is pending stays shown until it is on disk. */
  const write = (own: OpenLiveState): Promise<Result<void, DocumentError>> => {
    const done = own.writing.then(() => writePending(own));
    own.writing = done;
    return done;
  };

  const writePending = async (own: OpenLiveState): Promise<Result<void, DocumentError>> => {
    const { project, document, pending } = own;
    const edits = [...pending];
    const known = project.manifest().agents.map(({ agentId }) => agentId);
    const written = await document.update((state) =>
      ok(edits.length === 0 ? state : keepAgents(edits.reduce((edited, edit) => edit(edited), state), known))
    );
    if (written.ok) pending.splice(0, edits.length);
    showAgain(own);
    if (written.ok) return ok();
    // Written with the next change.
    if (written.error.kind === "storage") onStorageError(written.error.error);
    return err(written.error);
  };

  const change = (own: OpenLiveState, edit: Edit): void => {
    const after = edit(own.shown);
    if (after === own.shown) return;
    own.shown = after;
    own.pending.push(edit);
    own.timer ??= clock.startTimer(WRITE_DELAY_MS, () => {
      own.timer = undefined;
      void write(own);
    });
    events.publish({ kind: "liveStateChanged", projectId: own.project.id });
  };

  const onEvent = (own: OpenLiveState, event: IdeaEvent): void => {
    switch (event.kind) {
      case "ticketChanged": {
        const ticket = ticketOf(event.projectId, event.ticketId);
        if (ticket !== undefined) onTicket(own, ticket);
        return;
      }
      case "agentStopped": {
        const nowMs = clock.nowMs();
        return change(own, (state) => endAgent(state, event.agentId, nowMs));
      }
      case "projectChanged":
        if (event.what.includes(PATH)) void own.document.reload().then(() => showAgain(own));
        return;
      default:
        return;
    }
  };

  const onTicket = (own: OpenLiveState, ticket: Ticket): void => {
    const nowMs = clock.nowMs();
    const { id, to, from, state } = ticket;
    switch (state) {
      case "queued":
        return change(own, (live) => endTask(live, to, { ticket: id, nowMs }));
      case "delivering":
        return;
      case "delivered":
      case "accepted": {
        const task = { ticket: id, for: partyName(own.project, from), doing: shorten(ticket.task, DOING_CHARS), nowMs };
        return change(own, (live) => beginTask(live, to, task));
      }
      case "answered":
      case "cancelled":
      case "failed": {
        change(own, (live) => endTask(live, to, { ticket: id, nowMs }));
        if (from.kind !== "agent") return;
        const name = partyName(own.project, { kind: "agent", agentId: to });
        const delegation = { to: name, ticket: id, outcome: outcomeOf(ticket), atMs: nowMs };
        return change(own, (live) => setLastDelegation(live, from.agentId, delegation));
      }
    }
  };

  return {
    read(projectId) {
      const own = opened.get(projectId);
      if (own === undefined) return err({ kind: "projectNotOpen", projectId });
      const { agents, intents } = own.shown;
      return ok({ agents: agents.map(viewAgent), intents });
    },
    async setStatus(projectId, agentId, { doing, until }) {
      const own = opened.get(projectId);
      if (own === undefined) return err({ kind: "forbidden", what: "the project is not open" });
      const nowMs = clock.nowMs();
      change(own, (state) => setStatus(state, agentId, { doing, nowMs, ...(until === undefined ? {} : { until }) }));
      const written = await write(own);
      return written.ok ? ok() : err({ kind: "storage", detail: describeError(written.error) });
    },
    async setIntents(projectId, intents) {
      const own = opened.get(projectId);
      if (own === undefined) return err({ kind: "projectNotOpen", projectId });
      change(own, (state) => setIntents(state, intents));
      return await write(own);
    },
    describe(projectId) {
      const own = opened.get(projectId);
      if (own === undefined) return "";
      return describeLiveState(own.shown, (agentId) => partyName(own.project, { kind: "agent", agentId }));
    },
  };
}

function viewAgent(agent: AgentLiveState): LiveState["agents"][number] {
  const { agentId, doing, sinceMs, ticket, until, lastDelegation } = agent;
  return {
    agentId,
    doing,
    sinceMs,
    ...(agent.for === undefined ? {} : { for: agent.for }),
    ...(ticket === undefined ? {} : { ticket }),
    ...(until === undefined ? {} : { until }),
    ...(lastDelegation === undefined ? {} : { lastDelegation }),
  };
}

function outcomeOf({ state, failure, cancellation }: Ticket): string {
  return [state, failure?.kind ?? cancellation].filter((part) => part !== undefined).join(": ");
}

function partyName(project: OpenProject, party: Party): string {
  switch (party.kind) {
    case "human":
      return "the user";
    case "external":
      return party.name;
    case "agent":
      return project.manifest().agents.find(({ agentId }) => agentId === party.agentId)?.name ?? party.agentId;
  }
}

function describeError(error: DocumentError): string {
  return error.kind === "storage" ? `${error.error.path}: ${error.error.kind}` : `${error.path}: ${error.kind}`;
}
