/**
 * The conversations of open projects: what is recorded, listed, read, and handed to an agent that takes up the work of
 * another program.
 */
import { conversationIdOf } from "../conversations/pair.ts";
import { DEFAULT_HANDOFF_CHARS, renderHandoff, renderSoFar } from "../conversations/handoff.ts";
import type { LogEntry } from "../conversations/log.ts";
import { withParties, withProviderSession } from "../conversations/meta.ts";
import type { Events } from "../events.ts";
import { type AgentId, type ConversationId, createId, type MessageId, parseId, type ProjectId } from "../ids.ts";
import { type Party, partyKey } from "../parties.ts";
import type { Clock } from "../ports/clock.ts";
import type { FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import { deriveUuid } from "../workspace/derived_id.ts";
import type { AgentHistory, HistoryEntry } from "./agent_history.ts";
import type { ConversationError, Conversations as ConversationsDoor, ConversationView, Message } from "./app.ts";
import { openThread, type Thread } from "./conversation_thread.ts";
import type { OpenProject, Projects } from "./projects.ts";

/** Messages come in bursts; the handoff of a burst is written once. */
const HANDOFF_DELAY_MS = 1_000;
/** Between two of one conversation that goes on and on: it is read when somebody else takes over. */
const HANDOFF_INTERVAL_MS = 10_000;
const SO_FAR_CHARS = 2_000;
/** Shares of the room that an agent's latest conversations have in what it is handed. */
const HANDED_SHARES = [0.5, 0.25, 0.15, 0.1];
/** Below this a handoff says nothing. */
const LEAST_HANDOFF_CHARS = 300;

export interface Conversations extends ConversationsDoor {
  /** Durable when it resolves, unless it is journalled; false: a message of that key was there already. */
  append(projectId: ProjectId, entry: HistoryEntry): Promise<Result<boolean, ConversationError>>;
  readonly history: AgentHistory;
}

export interface ConversationsOptions {
  readonly projects: Pick<Projects, "opened" | "whileOpen">;
  readonly clock: Clock;
  readonly events: Events;
  /** A handoff or a record could not be written, and nobody waits for it. */
  readonly onStorageError: (error: FolderError) => void;
}

interface ProjectThreads {
  readonly project: OpenProject;
  readonly threads: Map<ConversationId, Promise<Result<Thread, FolderError>>>;
  readonly timers: Map<ConversationId, Disposable>;
  /** Monotonic. */
  readonly flushedAtMs: Map<ConversationId, number>;
}

export function createConversations(options: ConversationsOptions): Conversations {
  const { projects, clock, events, onStorageError } = options;
  const opened = new Map<ProjectId, ProjectThreads>();

  projects.whileOpen((project) => {
    const own: ProjectThreads = { project, threads: new Map(), timers: new Map(), flushedAtMs: new Map() };
    opened.set(project.id, own);
    const follow = events.subscribe((event) => {
      if (event.kind === "projectChanged" && event.projectId === project.id) void reloadChanged(own, event.what);
    });
    return Promise.resolve({
      async [Symbol.asyncDispose]() {
        follow[Symbol.dispose]();
        opened.delete(project.id);
        for (const timer of own.timers.values()) timer[Symbol.dispose]();
        for (const thread of await openThreads(own)) report(await thread.flush());
      },
    });
  });

  const report = (result: Result<unknown, FolderError>) => {
    if (!result.ok) onStorageError(result.error);
  };

  const reloadChanged = async ({ threads }: ProjectThreads, paths: readonly string[]) => {
    const changed = new Set(paths.flatMap((path) => /^conversations\/([^/]+)\//.exec(path)?.[1] ?? []));
    for (const [id, opening] of threads) {
      const thread = changed.has(id) ? await opening : undefined;
      if (thread?.ok === true) report(await thread.value.reload());
    }
  };

  const threadOf = ({ project, threads }: ProjectThreads, id: ConversationId): Promise<Result<Thread, FolderError>> => {
    const known = threads.get(id);
    if (known !== undefined) return known;
    const opening = openThread({ folder: project.folder, id, nameOf: (party) => nameOf(project, party, "User") });
    threads.set(id, opening);
    // Another try next time: the disk may be back.
    void opening.then((result) => result.ok || threads.delete(id));
    return opening;
  };

  /** All conversations of the project that have a folder. */
  const allThreads = async (own: ProjectThreads): Promise<Result<readonly Thread[], FolderError>> => {
    const entries = await own.project.folder.list("conversations");
    if (!entries.ok) return entries;
    const threads: Thread[] = [];
    for (const { name, kind } of entries.value) {
      const id = parseId("conversation", name);
      if (kind !== "folder" || !id.ok) continue;
      const thread = await threadOf(own, id.value);
      // One that cannot be read does not hide the others.
      if (thread.ok) threads.push(thread.value);
      else onStorageError(thread.error);
    }
    return ok(threads);
  };

  const scheduleHandoff = ({ timers, flushedAtMs }: ProjectThreads, thread: Thread) => {
    if (timers.has(thread.id)) return;
    const dueAtMs = (flushedAtMs.get(thread.id) ?? -HANDOFF_INTERVAL_MS) + HANDOFF_INTERVAL_MS;
    const timer = clock.startTimer(Math.max(HANDOFF_DELAY_MS, dueAtMs - clock.monotonicMs()), () => {
      timers.delete(thread.id);
      flushedAtMs.set(thread.id, clock.monotonicMs());
      void thread.flush().then(report);
    });
    timers.set(thread.id, timer);
  };

  const append = async (projectId: ProjectId, entry: HistoryEntry): Promise<Result<boolean, ConversationError>> => {
    const own = opened.get(projectId);
    if (own === undefined) return err({ kind: "projectNotOpen", projectId });
    const thread = await threadOf(own, conversationIdOf(entry.from, entry.to));
    if (!thread.ok) return err({ kind: "storage", error: thread.error });
    const logged = toLogEntry(entry, thread.value.id);
    const lasting = entry.journalled !== true;
    const appended = await thread.value.append(logged, { parties: [entry.from, entry.to], lasting });
    if (!appended.ok) return err({ kind: "storage", error: appended.error });
    if (appended.value) {
      if (opened.has(projectId)) scheduleHandoff(own, thread.value);
      events.publish({ kind: "conversationGrew", projectId, conversationId: thread.value.id });
    }
    return appended;
  };

  const find = async (
    projectId: ProjectId,
    conversationId: ConversationId,
  ): Promise<Result<Thread, ConversationError>> => {
    const own = opened.get(projectId);
    if (own === undefined) return err({ kind: "projectNotOpen", projectId });
    const thread = await threadOf(own, conversationId);
    if (!thread.ok) return err({ kind: "storage", error: thread.error });
    if (thread.value.summary().messageCount > 0 || thread.value.meta.exists()) return thread;
    own.threads.delete(conversationId);
    return err({ kind: "conversationNotFound", conversationId });
  };

  return {
    append,
    async list(projectId) {
      const own = opened.get(projectId);
      if (own === undefined) return err({ kind: "projectNotOpen", projectId });
      const threads = await allThreads(own);
      if (!threads.ok) return err({ kind: "storage", error: threads.error });
      const views = threads.value.map((thread) => viewThread(own.project, thread));
      // A conversation that only has a provider's session, and no message yet, is nothing to read.
      return ok(views.filter(({ messageCount }) => messageCount > 0).sort(byLast));
    },
    async read(projectId, conversationId) {
      const thread = await find(projectId, conversationId);
      if (!thread.ok) return thread;
      const entries = await thread.value.messages();
      return entries.ok ? ok(entries.value.map(toMessage)) : err({ kind: "storage", error: entries.error });
    },
    async handoff(projectId, conversationId) {
      const thread = await find(projectId, conversationId);
      if (!thread.ok) return thread;
      const handoff = await thread.value.handoff();
      if (!handoff.ok) return err({ kind: "storage", error: handoff.error });
      return handoff.value === undefined ? err({ kind: "handoffNotFound", conversationId }) : ok(handoff.value);
    },
    history: {
      async providerSession(projectId, agentId, profileId) {
        const own = opened.get(projectId);
        const thread = own === undefined ? undefined : await threadOf(own, homeOf(agentId));
        return thread?.ok === true ? thread.value.meta.value().providerSessions?.[profileId] : undefined;
      },
      async keepProviderSession(projectId, agentId, { profileId, id }) {
        const own = opened.get(projectId);
        const thread = own === undefined ? undefined : await threadOf(own, homeOf(agentId));
        if (thread === undefined) return;
        if (!thread.ok) return onStorageError(thread.error);
        const parties: readonly Party[] = [{ kind: "human" }, { kind: "agent", agentId }];
        const kept = await thread.value.meta.update((meta) =>
          ok(keepSession(meta, { parties, profileId, sessionId: id }))
        );
        if (!kept.ok && kept.error.kind === "storage") onStorageError(kept.error.error);
      },
      async handoff(projectId, agentId) {
        const own = opened.get(projectId);
        const threads = own === undefined ? undefined : await allThreads(own);
        if (own === undefined || threads?.ok !== true) return undefined;
        return composeHandoff(own.project, agentId, threads.value);
      },
      async keepHandoff(projectId, agentId, content) {
        const own = opened.get(projectId);
        const threads = own === undefined ? undefined : await allThreads(own);
        const [latest] = threads?.ok === true ? threadsOf(agentId, threads.value) : [];
        if (latest !== undefined) report(await latest.adopt(content));
      },
      async soFar(projectId, from, to) {
        const own = opened.get(projectId);
        if (own === undefined) return "";
        const thread = await threadOf(own, conversationIdOf(from, { kind: "agent", agentId: to }));
        const name = (party: Party) => nameOf(own.project, party, "User");
        return thread.ok ? renderSoFar(thread.value.state(), { maxChars: SO_FAR_CHARS, nameOf: name }) : "";
      },
      async record(projectId, entry) {
        const appended = await append(projectId, entry);
        if (!appended.ok && appended.error.kind === "storage") onStorageError(appended.error.error);
        return appended.ok;
      },
    },
  };
}

/** What a program keeps is the agent's own, whoever it talks to: it lies with its conversation with the person. */
function homeOf(agentId: AgentId): ConversationId {
  return conversationIdOf({ kind: "human" }, { kind: "agent", agentId });
}

type Meta = ReturnType<Thread["meta"]["value"]>;

function keepSession(
  meta: Meta,
  { parties, profileId, sessionId }: {
    readonly parties: readonly Party[];
    readonly profileId: string;
    readonly sessionId: string | undefined;
  },
): Meta {
  const kept = withProviderSession(meta, profileId, sessionId);
  // Forgetting what was never kept makes no file.
  return kept === meta ? meta : withParties(kept, parties);
}

/** The latest first. */
function threadsOf(agentId: AgentId, threads: readonly Thread[]): readonly Thread[] {
  const self = partyKey({ kind: "agent", agentId });
  return threads.filter((thread) => {
    const { parties, messageCount } = thread.summary();
    return messageCount > 0 && parties.some((party) => partyKey(party) === self);
  }).sort((a, b) => (b.summary().lastAtMs ?? 0) - (a.summary().lastAtMs ?? 0));
}

function composeHandoff(project: OpenProject, agentId: AgentId, threads: readonly Thread[]): string | undefined {
  const self = partyKey({ kind: "agent", agentId });
  const own = threadsOf(agentId, threads).slice(0, HANDED_SHARES.length);
  if (own.length === 0) return undefined;
  const name = (party: Party) => nameOf(project, party, "User");
  const total = HANDED_SHARES.slice(0, own.length).reduce((sum, share) => sum + share, 0);
  const parts = own.flatMap((thread, at) => {
    const room = Math.floor(DEFAULT_HANDOFF_CHARS * ((HANDED_SHARES[at] ?? 0) / total)) - 60;
    if (room < LEAST_HANDOFF_CHARS) return [];
    const others = thread.summary().parties.filter((party) => partyKey(party) !== self).map(name);
    const { content } = renderHandoff(thread.state(), { maxChars: room, nameOf: name });
    return [`# With ${others.join(", ").slice(0, 50)}\n\n${content}`];
  });
  return parts.join("\n\n");
}

async function openThreads({ threads }: ProjectThreads): Promise<readonly Thread[]> {
  const results = await Promise.all(threads.values());
  return results.flatMap((result) => (result.ok ? [result.value] : []));
}

function viewThread(project: OpenProject, thread: Thread): ConversationView {
  const { parties, ...rest } = thread.summary();
  const { title } = thread.meta.value();
  return {
    conversationId: thread.id,
    parties: parties.map((party) => ({ party, name: nameOf(project, party, "You") })),
    ...(title === undefined ? {} : { title }),
    ...rest,
  };
}

function byLast(a: ConversationView, b: ConversationView): number {
  return (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0);
}

function nameOf(project: OpenProject, party: Party, human: string): string {
  switch (party.kind) {
    case "human":
      return human;
    case "external":
      return party.name;
    case "agent": {
      const agent = project.manifest().agents.find(({ agentId }) => agentId === party.agentId);
      // Removed since: its conversations stay.
      return agent?.name ?? `agent ${party.agentId.slice(0, 8)}`;
    }
  }
}

function toLogEntry(entry: HistoryEntry, conversation: ConversationId): LogEntry {
  const { from, role, text, thinking, ticket, key, atMs } = entry;
  return {
    id: messageIdOf(key),
    conversation,
    atMs,
    source: from,
    role,
    text,
    ...(thinking === undefined ? {} : { thinking }),
    ...(ticket === undefined ? {} : { ticket }),
  };
}

/** The key itself when it can be an id, so that the log names what others know by that name. */
function messageIdOf(key: string): MessageId {
  const parsed = parseId("message", key);
  return parsed.ok ? parsed.value : createId("message", deriveUuid(`message ${key}`));
}

function toMessage({ id, atMs, source, role, text, thinking, ticket }: LogEntry): Message {
  return {
    id,
    atMs,
    source,
    role,
    text,
    ...(thinking === undefined ? {} : { thinking }),
    ...(ticket === undefined ? {} : { ticket }),
  };
}
