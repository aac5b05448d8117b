/**
 * The app as the doors see it, in memory: one open project with two agents, terminals that are text, an orchestrator
 * whose asks wait until somebody replies. It refuses what the real one refuses: unknown ids, closed projects, foreign
 * tickets, programs that are not there.
 */
import type { AgentView } from "../../core/app/agents.ts";
import type { App, LayoutView, Orchestrator, ProjectView, QueueEdit } from "../../core/app/app.ts";
import type { TerminalInfo, Terminals } from "../../core/app/terminals.ts";
import { createEvents, type Events } from "../../core/events.ts";
import { type AgentId, createId, type ProjectId, type SessionId, type TicketId } from "../../core/ids.ts";
import type {
  CallContext,
  Command,
  CommandError,
  CommandResult,
  Requester,
} from "../../core/orchestration/commands.ts";
import type { Reply, Ticket } from "../../core/orchestration/ticket.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { TerminalText } from "../../core/ports/terminal_state.ts";
import { type AgentProfile, ProfileSchema } from "../../core/profiles/profile.ts";
import { err, ok, type Result } from "../../core/result.ts";

export const projectId = createId("project", "p1");
export const closedProjectId = createId("project", "p2");
export const ada = createId("agent", "ada");
export const bob = createId("agent", "bob");
export const layoutId = createId("layout", "l1");
export const cellId = createId("cell", "c1");
export const conversationId = createId("conversation", "conv1");
export const claude: AgentProfile = {
  ...ProfileSchema.parse({ id: "claude", name: "Claude Code", command: "claude" }),
  id: createId("profile", "claude"),
};

export interface FakeApp extends App {
  /** What reached the orchestrator, oldest first. */
  readonly received: readonly { readonly command: Command; readonly requester: Requester }[];
  /** Input of a session as it came. */
  inputOf(sessionId: SessionId): string;
  /** Tells all who wait for a ticket. */
  progress(message: string): void;
  /** Answers a ticket as its target. */
  reply(ticketId: TicketId, text: string): void;
  ticketsOf(agentId: AgentId): readonly Ticket[];
  /** It was typed twice and not taken. */
  needAttention(ticketId: TicketId): void;
}

export function createFakeApp(clock: Clock): FakeApp {
  const events = createEvents((error) => {
    throw error;
  });
  const terminals = createTextTerminals(clock, events);
  const agents = createAgents(clock, terminals);
  const orchestrator = createOrchestrator(clock, events, agents);
  const profiles = new Map<string, AgentProfile>([[claude.id, claude]]);
  let settings: Readonly<Record<string, unknown>> = { theme: "system" };
  let layout: LayoutView = {
    layoutId,
    name: "Main",
    kind: "terminal",
    active: true,
    tree: { root: { type: "leaf", node: { id: cellId } } },
    canUndo: false,
    canRedo: false,
  };
  const projects: ProjectView[] = [project(projectId, "/home/me/one", true), project(closedProjectId, "/x", false)];

  return {
    events,
    ...orchestrator,
    inputOf: terminals.inputOf,
    terminals: terminals.terminals,
    agents: agents.agents,
    projects: {
      list: () => projects,
      get: (id) => {
        const found = projects.find((one) => one.projectId === id);
        return found === undefined ? err({ kind: "projectNotFound", projectId: id }) : ok(found);
      },
      open: ({ root }) => {
        const known = projects.find((one) => one.root === root);
        return Promise.resolve(known === undefined ? err({ kind: "rootNotFound", path: root }) : ok(known));
      },
      close: (id) =>
        Promise.resolve(
          projects.some((one) => one.projectId === id && one.open)
            ? ok()
            : err({ kind: "projectNotOpen", projectId: id }),
        ),
    },
    limits: agents.limits,
    files: {
      read: (id, { path }) =>
        Promise.resolve(
          id === projectId && path === "src/a.ts"
            ? ok({ path, text: "one\ntwo\n" })
            : err({ kind: "fileNotFound", path }),
        ),
    },
    folders: {
      list: (path = "/home/me") =>
        Promise.resolve(
          path === "/home/me"
            ? ok({
              path,
              parent: "/home",
              home: "/home/me",
              folders: [{ name: "one", path: "/home/me/one", isProject: true, isHidden: false }],
            })
            : err({ kind: "folderNotFound", path }),
        ),
    },
    profiles: {
      list: () => [...profiles.values()],
      detect: () =>
        Promise.resolve([{
          profile: claude,
          installed: true,
          program: "/usr/bin/claude",
          chosen: profiles.has("claude"),
        }]),
      save: (profile) => {
        profiles.set(profile.id, profile);
        return Promise.resolve(ok(profile));
      },
      remove: (id) => Promise.resolve(profiles.delete(id) ? ok() : err({ kind: "profileNotFound", profileId: id })),
    },
    layouts: {
      list: (id) => (id === projectId ? ok([layout]) : err({ kind: "projectNotOpen", projectId: id })),
      operate: (id, which, operation) => {
        if (id !== projectId) return Promise.resolve(err({ kind: "projectNotOpen", projectId: id }));
        if (which !== layoutId) return Promise.resolve(err({ kind: "layoutNotFound", layoutId: which }));
        if (operation.op !== "rename") {
          return Promise.resolve(err({ kind: "layoutRefused", reason: "tooThin" }));
        }
        layout = { ...layout, name: operation.name };
        return Promise.resolve(ok(layout));
      },
    },
    conversations: {
      list: (id) =>
        Promise.resolve(
          id !== projectId ? err({ kind: "projectNotOpen", projectId: id }) : ok([{
            conversationId,
            parties: [{ party: { kind: "human" as const }, name: "You" }, {
              party: { kind: "agent" as const, agentId: ada },
              name: "Ada",
            }],
            messageCount: 3,
            hasHandoff: true,
          }]),
        ),
      read: (id, which) =>
        Promise.resolve(
          id !== projectId || which !== conversationId
            ? err({ kind: "conversationNotFound", conversationId: which })
            : ok(["one", "two", "three"].map((text, index) => ({
              id: createId("message", `m${index + 1}`),
              atMs: clock.nowMs() + index,
              source: { kind: "human" as const },
              role: "prompt" as const,
              text,
            }))),
        ),
      handoff: (id, which) =>
        Promise.resolve(
          id !== projectId || which !== conversationId
            ? err({ kind: "handoffNotFound", conversationId: which })
            : ok({ objective: "Ship it", content: "# Where it stands" }),
        ),
    },
    liveState: {
      read: (id) =>
        id === projectId
          ? ok({ agents: [{ agentId: ada, doing: "tests", sinceMs: clock.nowMs() }], intents: [] })
          : err({ kind: "projectNotOpen", projectId: id }),
    },
    settings: {
      read: () => settings,
      change: (changes) => {
        settings = { ...settings, ...changes };
        return Promise.resolve(ok(settings));
      },
    },
    skills: {
      list: (id) =>
        Promise.resolve(
          id === projectId
            ? ok([{ name: "review", content: "Review the change like a colleague." }])
            : err({ kind: "projectNotOpen", projectId: id }),
        ),
    },
  };
}

function project(id: ProjectId, root: string, open: boolean): ProjectView {
  return { projectId: id, name: root.slice(1), root, open, createdAtMs: 1, problems: [] };
}

function createAgents(clock: Clock, terminals: TextTerminals) {
  const views = new Map<AgentId, AgentView>();
  const contexts = new Map<AgentId, string>();
  const add = (agentId: AgentId, name: string): AgentView => {
    const view: AgentView = {
      agentId,
      projectId,
      name,
      profileId: claude.id,
      profileName: claude.name,
      skills: [],
      state: "stopped",
      stateSinceMs: clock.nowMs(),
      queueLength: 0,
    };
    views.set(agentId, view);
    contexts.set(agentId, `# ${name}`);
    return view;
  };
  add(ada, "Ada");
  add(bob, "Bob");

  const find = (id: ProjectId, agentId: AgentId) => {
    if (id !== projectId) return err({ kind: "projectNotOpen", projectId: id } as const);
    const view = views.get(agentId);
    return view === undefined ? err({ kind: "agentNotFound", agentId } as const) : ok(view);
  };
  const change = (agentId: AgentId, changes: Partial<AgentView>) => {
    const view = views.get(agentId);
    if (view === undefined) throw new Error("changed an agent that is not there");
    const changed = { ...view, ...changes };
    views.set(agentId, changed);
    return changed;
  };

  const agents: App["agents"] = {
    list: (id) => (id === projectId ? ok([...views.values()]) : err({ kind: "projectNotOpen", projectId: id })),
    get: find,
    create(id, { name, context = "" }) {
      if (id !== projectId) return Promise.resolve(err({ kind: "projectNotOpen", projectId: id }));
      if ([...views.values()].some((view) => view.name === name)) {
        return Promise.resolve(err({ kind: "agentNameTaken", name }));
      }
      const view = add(createId("agent", `made-${views.size}`), name);
      contexts.set(view.agentId, context);
      return Promise.resolve(ok(view));
    },
    rename(id, agentId, name) {
      const found = find(id, agentId);
      return Promise.resolve(found.ok ? ok(change(agentId, { name })) : found);
    },
    remove(id, agentId) {
      const found = find(id, agentId);
      if (found.ok) views.delete(agentId);
      return Promise.resolve(found.ok ? ok() : found);
    },
    readContext(id, agentId) {
      const found = find(id, agentId);
      return Promise.resolve(found.ok ? ok(contexts.get(agentId) ?? "") : found);
    },
    writeContext(id, agentId, content) {
      const found = find(id, agentId);
      if (found.ok) contexts.set(agentId, content);
      return Promise.resolve(found.ok ? ok() : found);
    },
    async launch(id, agentId, { cellId: cell, size = { cols: 80, rows: 24 } }) {
      const found = find(id, agentId);
      if (!found.ok) return found;
      if (found.value.sessionId !== undefined) {
        return err({ kind: "agentAlreadyRunning", agentId, nodeId: found.value.cellId });
      }
      const opened = await terminals.terminals.open({ projectId, agentId, cwd: "/", argv: ["claude"], size });
      if (!opened.ok) return err({ kind: "spawnFailed", agentId, error: opened.error });
      const place = cell === undefined ? {} : { cellId: cell };
      return ok(change(agentId, { state: "idle", sessionId: opened.value.sessionId, ...place }));
    },
    moveToCell(id, agentId, cell) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      if (found.value.sessionId === undefined) return Promise.resolve(err({ kind: "agentNotRunning", agentId }));
      return Promise.resolve(ok(change(agentId, { cellId: cell })));
    },
    async stop(id, agentId) {
      const found = find(id, agentId);
      if (!found.ok) return found;
      const { sessionId, cellId: _, ...rest } = found.value;
      if (sessionId === undefined) return err({ kind: "agentNotRunning", agentId });
      await terminals.terminals.close(sessionId);
      views.set(agentId, { ...rest, state: "stopped" });
      return ok();
    },
    interrupt(id, agentId) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      return Promise.resolve(found.value.sessionId === undefined ? err({ kind: "agentNotRunning", agentId }) : ok());
    },
    changeProfile(id, agentId, profileId) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      if (profileId !== claude.id) return Promise.resolve(err({ kind: "unknownProfile", profileId }));
      return Promise.resolve(ok(change(agentId, { profileId })));
    },
    explain(id, agentId) {
      const found = find(id, agentId);
      if (!found.ok) return found;
      return ok({ agent: found.value, authority: "programStatus", signals: [], waitsFor: [], queue: [] });
    },
  };
  const limits: App["limits"] = {
    setResetTime(id, agentId, resetsAtMs) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      const limit = {
        source: "person",
        sinceMs: clock.nowMs(),
        detail: "",
        resetsAtMs,
        resumesAtMs: resetsAtMs,
      } as const;
      change(agentId, { state: "limited", limit });
      return Promise.resolve(ok());
    },
    lift(id, agentId) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      const { limit, ...rest } = found.value;
      if (limit === undefined) return Promise.resolve(err({ kind: "noLimit", agentId }));
      views.set(agentId, { ...rest, state: "idle" });
      return Promise.resolve(ok());
    },
    cancelResume(id, agentId) {
      const found = find(id, agentId);
      if (!found.ok) return Promise.resolve(found);
      if (found.value.limit === undefined) return Promise.resolve(err({ kind: "noLimit", agentId }));
      const { resumesAtMs, ...limit } = found.value.limit;
      if (resumesAtMs === undefined) return Promise.resolve(err({ kind: "noResumePlanned", agentId }));
      change(agentId, { limit });
      return Promise.resolve(ok());
    },
  };
  return { agents, limits, views };
}

interface TextTerminals {
  readonly terminals: Terminals;
  inputOf(sessionId: SessionId): string;
}

function createTextTerminals(clock: Clock, events: Events): TextTerminals {
  const sessions = new Map<SessionId, { info: TerminalInfo; input: string }>();
  let count = 0;
  const missing = (sessionId: SessionId) => err({ kind: "sessionNotFound", sessionId } as const);
  const textOf = (session: { readonly info: TerminalInfo; readonly input: string }): TerminalText => ({
    screen: session.input.split("\n"),
    scrollback: [],
    cursor: { col: 0, row: 0 },
    title: session.info.title,
    size: session.info.size,
    modes: {
      bracketedPaste: false,
      applicationCursorKeys: false,
      alternateScreen: false,
      mouseTracking: false,
      focusEvents: false,
      kittyKeyboard: 0,
    },
    offset: session.input.length,
  });
  const type = (sessionId: SessionId, text: string) => {
    const session = sessions.get(sessionId);
    if (session === undefined) return missing(sessionId);
    session.input += text;
    return ok();
  };
  const unused = () => {
    throw new Error("the HTTP and MCP doors stream no terminals");
  };

  const terminals: Terminals = {
    open({ projectId: owner, agentId, argv = ["/bin/sh"], size, title = "shell" }) {
      if (argv[0] === "missing") return Promise.resolve(err({ kind: "programNotFound", program: "missing" }));
      const sessionId = createId("session", `s${++count}`);
      const info: TerminalInfo = {
        sessionId,
        projectId: owner,
        pid: 1_000 + count,
        title,
        size,
        startedAtMs: clock.nowMs(),
        ...(agentId === undefined ? {} : { agentId }),
      };
      sessions.set(sessionId, { info, input: "" });
      events.publish({ kind: "sessionOpened", projectId: owner, sessionId });
      return Promise.resolve(ok(info));
    },
    list: (owner) =>
      [...sessions.values()].map(({ info }) => info).filter((info) => owner === undefined || info.projectId === owner),
    get: (sessionId) => sessions.get(sessionId)?.info,
    write: (sessionId, input) => type(sessionId, typeof input === "string" ? input : new TextDecoder().decode(input)),
    paste: (sessionId, text) => type(sessionId, `[paste ${text}]`),
    resize(sessionId, size) {
      const session = sessions.get(sessionId);
      if (session === undefined) return missing(sessionId);
      session.info = { ...session.info, size };
      return ok();
    },
    read(sessionId) {
      const session = sessions.get(sessionId);
      return Promise.resolve(session === undefined ? missing(sessionId) : ok(textOf(session)));
    },
    waitText(sessionId, { pattern }) {
      const session = sessions.get(sessionId);
      if (session === undefined) return Promise.resolve(missing(sessionId));
      const text = textOf(session);
      try {
        const line = text.screen.find((one) => new RegExp(pattern, "u").test(one));
        return Promise.resolve(ok(line === undefined ? { kind: "timedOut", text } : { kind: "found", line, text }));
      } catch {
        return Promise.resolve(err({ kind: "invalidPattern", pattern }));
      }
    },
    hold: unused,
    attach: unused,
    listen: unused,
    close(sessionId) {
      if (!sessions.delete(sessionId)) return Promise.resolve(missing(sessionId));
      return Promise.resolve(ok({ kind: "signalled", signal: 1 }));
    },
    setColors: () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { terminals, inputOf: (sessionId) => sessions.get(sessionId)?.input ?? "" };
}

type Answer = Result<CommandResult, CommandError>;

function createOrchestrator(clock: Clock, events: Events, { agents, views }: ReturnType<typeof createAgents>) {
  const tickets = new Map<TicketId, Ticket>();
  const received: { readonly command: Command; readonly requester: Requester }[] = [];
  const waiting = new Set<
    { readonly ticketId: TicketId; readonly end: (answer: Answer) => void; context: CallContext }
  >();
  let count = 0;

  const find = (target: string) => [...views.values()].find((view) => view.agentId === target || view.name === target);
  const notFound = (target: string) =>
    err({ kind: "agentNotFound", target, known: [...views.values()].map((view) => view.name) } as const);

  function add(to: AgentId, ticket: Pick<Ticket, "from" | "kind" | "task">): Ticket {
    const added: Ticket = {
      ...ticket,
      id: createId("ticket", `t${++count}`),
      to,
      state: "queued",
      receipts: [{ state: "queued", atMs: clock.nowMs(), cause: "asked" }],
      repeat: 0,
      needsAttention: false,
      reminded: false,
    };
    tickets.set(added.id, added);
    return added;
  }

  function close(ticketId: TicketId, changes: Partial<Ticket>, answer: Answer): void {
    const ticket = tickets.get(ticketId);
    if (ticket === undefined) throw new Error("closed a ticket that is not there");
    tickets.set(ticketId, { ...ticket, ...changes });
    for (const one of [...waiting]) {
      if (one.ticketId !== ticketId) continue;
      waiting.delete(one);
      one.end(answer);
    }
  }

  function wait(ticketId: TicketId, waitSeconds: number | undefined, context: CallContext): Promise<Answer> {
    const ticket = tickets.get(ticketId);
    if (ticket?.reply !== undefined) {
      return Promise.resolve(ok({ kind: "reply", ticket: ticketId, ...textOf(ticket.reply) }));
    }
    if (waitSeconds === 0) {
      return Promise.resolve(ok({ kind: "pending", ticket: ticketId, state: ticket?.state ?? "queued", position: 0 }));
    }
    return new Promise((resolve) => {
      const gone = context.onGone?.(() =>
        close(
          ticketId,
          { state: "cancelled", cancellation: "callerGone" },
          err({
            kind: "ticketCancelled",
            ticket: ticketId,
            by: "callerGone",
          }),
        )
      );
      const end = (answer: Answer) => {
        gone?.[Symbol.dispose]();
        resolve(answer);
      };
      waiting.add({ ticketId, context, end });
    });
  }

  function answer(ticketId: TicketId, text: string): void {
    close(
      ticketId,
      { state: "answered", reply: { text, atMs: clock.nowMs(), source: "reply" } },
      ok({
        kind: "reply",
        ticket: ticketId,
        text,
        source: "reply",
      }),
    );
  }

  async function run(command: Command, requester: Requester, context: CallContext): Promise<Answer> {
    switch (command.name) {
      case "ask": {
        const { target, task, waitSeconds } = command.input;
        const agent = find(target);
        if (agent === undefined) return notFound(target);
        if (requester.party.kind === "agent" && requester.party.agentId === agent.agentId) {
          return err({ kind: "cycle", path: [agent.name, agent.name] });
        }
        const ticket = add(agent.agentId, { from: requester.party, kind: "delegation", task });
        return await wait(ticket.id, waitSeconds, context);
      }
      case "waitReply": {
        const ticket = tickets.get(createId("ticket", command.input.ticket));
        return ticket === undefined
          ? err({ kind: "ticketNotFound", ticket: command.input.ticket })
          : await wait(ticket.id, command.input.waitSeconds, context);
      }
      case "reply": {
        const mine = [...tickets.values()].find((one) =>
          requester.party.kind === "agent" && one.to === requester.party.agentId && one.state === "queued"
        );
        if (mine === undefined) return err({ kind: "nothingInWork" });
        answer(mine.id, command.input.result);
        return ok({ kind: "done", detail: `The ticket ${mine.id} is answered.` });
      }
      case "getTask": {
        const mine = [...tickets.values()].find((one) =>
          requester.party.kind === "agent" && one.to === requester.party.agentId
        );
        if (mine === undefined) return err({ kind: "nothingInWork" });
        const { id, task, state } = mine;
        return ok({ kind: "task", ticket: id, from: "Ada", task, state, repeat: false, conversation: "" });
      }
      case "list":
        return ok({
          kind: "agents",
          agents: [...views.values()].map(({ agentId, name, state, queueLength }) => ({
            agentId,
            name,
            profile: claude.name,
            state,
            queueLength,
          })),
        });
      case "contextRead":
        return ok({ kind: "text", text: "# Rules" });
      case "memoryRead":
        return ok({ kind: "text", text: command.input.slug === undefined ? "- [[style]]: how we write" : "# Style" });
      case "launch":
      case "stop": {
        const agent = find(command.input.target);
        if (agent === undefined) return notFound(command.input.target);
        if (command.name === "launch") await agents.launch(projectId, agent.agentId, {});
        else await agents.stop(projectId, agent.agentId);
        return ok({ kind: "done", detail: `${agent.name}: ${command.name}` });
      }
      default:
        return ok({ kind: "done", detail: `${command.name} done` });
    }
  }

  const open = (id: ProjectId) => (id === projectId ? ok() : err({ kind: "projectNotOpen", projectId: id } as const));
  const queueOf = (agentId: AgentId) =>
    [...tickets.values()].filter((ticket) => ticket.to === agentId && ticket.state === "queued");

  const orchestrator: Orchestrator = {
    async dispatch(command, requester, context = {}) {
      received.push({ command, requester });
      const result = await run(command, requester, context);
      const { party } = requester;
      events.publish({
        kind: "orchestratorRequestProcessed",
        projectId: requester.projectId,
        requesterId: party.kind === "agent" ? party.agentId : party.kind,
        action: command.name,
        source: requester.door,
        ok: result.ok,
      });
      return result;
    },
    tickets: (id) => {
      const opened = open(id);
      return opened.ok ? ok([...tickets.values()].toReversed()) : opened;
    },
    ticket: (id, ticketId) => {
      const opened = open(id);
      const ticket = tickets.get(ticketId);
      if (!opened.ok) return opened;
      return ticket === undefined ? err({ kind: "ticketNotFound", ticket: ticketId }) : ok(ticket);
    },
    queue: (id, agentId) => {
      const found = agents.get(id, agentId);
      if (found.ok) return ok(queueOf(agentId));
      return found.error.kind === "projectNotOpen" ? err(found.error) : notFound(agentId);
    },
    enqueueMessage: (id, agentId, task) => {
      const opened = open(id);
      if (!opened.ok) return Promise.resolve(opened);
      if (!views.has(agentId)) return Promise.resolve(notFound(agentId));
      return Promise.resolve(ok(add(agentId, { from: { kind: "human" }, kind: "message", task })));
    },
    editQueue: (_id, agentId, edit: QueueEdit) => {
      const ticket = tickets.get(edit.ticketId);
      if (ticket?.to !== agentId) return Promise.resolve(err({ kind: "ticketNotFound", ticket: edit.ticketId }));
      if (edit.op === "edit") tickets.set(ticket.id, { ...ticket, task: edit.task });
      if (edit.op === "remove") {
        close(ticket.id, { state: "cancelled", cancellation: "byPerson" }, cancelled(ticket.id));
      }
      return Promise.resolve(ok(queueOf(agentId)));
    },
    cancel: (_id, ticketId) => {
      if (!tickets.has(ticketId)) return Promise.resolve(err({ kind: "ticketNotFound", ticket: ticketId }));
      close(ticketId, { state: "cancelled", cancellation: "byPerson" }, cancelled(ticketId));
      return Promise.resolve(ok());
    },
    redeliver: (_id, ticketId) => {
      const ticket = tickets.get(ticketId);
      if (ticket === undefined) return Promise.resolve(err({ kind: "ticketNotFound", ticket: ticketId }));
      if (ticket.state === "answered" || ticket.state === "cancelled") {
        return Promise.resolve(err({ kind: "ticketClosed", ticket: ticketId, state: ticket.state }));
      }
      const again = ticket.needsAttention ? { ...ticket, needsAttention: false, state: "queued" as const } : ticket;
      tickets.set(ticketId, again);
      return Promise.resolve(ok(again));
    },
  };

  return {
    orchestrator,
    needAttention(ticketId: TicketId) {
      const ticket = tickets.get(ticketId);
      if (ticket === undefined) throw new Error("a ticket that is not there needs no attention");
      tickets.set(ticketId, { ...ticket, state: "delivering", needsAttention: true });
    },
    received,
    reply: answer,
    progress: (message: string) => {
      for (const { context } of waiting) context.onProgress?.({ message, elapsedMs: 1_000 });
    },
    ticketsOf: (agentId: AgentId) => [...tickets.values()].filter((ticket) => ticket.to === agentId),
  };
}

function textOf({ text, source }: Reply) {
  return { text, source };
}

function cancelled(ticket: TicketId): Answer {
  return err({ kind: "ticketCancelled", ticket, by: "byPerson" });
}
