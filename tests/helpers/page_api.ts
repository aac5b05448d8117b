/**
 * The API as the page sees it, in memory: any state can be set, answers can be a test's own, and what the page asked is
 * recorded. Requests and answers are checked against the schemas of web/api, so that it cannot drift from the real one.
 */
import type { z } from "zod";
import { type LayoutHistory, NO_HISTORY, recordStep, redo, undo } from "../../core/layout/history.ts";
import { applyOperation, isBinding, type LayoutCommand, LayoutCommandSchema } from "../../core/layout/operation.ts";
import type { LayoutTree } from "../../core/layout/tree.ts";
import { createId } from "../../core/ids.ts";
import type { AgentViewSchema } from "../../web/api/agents.ts";
import type { ConversationViewSchema, MessageSchema } from "../../web/api/conversations.ts";
import type { EndpointDefinition } from "../../web/api/endpoint.ts";
import { endpoints } from "../../web/api/endpoints.ts";
import type { LayoutViewSchema } from "../../web/api/layouts.ts";
import type { DetectedProfileSchema, ProfileViewSchema } from "../../web/api/profiles.ts";
import type { ProjectViewSchema } from "../../web/api/projects.ts";
import type { SettingsSchema } from "../../web/api/settings.ts";
import type { TerminalInfoSchema } from "../../web/api/terminals.ts";
import type { TicketSchema } from "../../web/api/tickets.ts";

export type Agent = z.output<typeof AgentViewSchema>;
export type Project = z.output<typeof ProjectViewSchema>;
export type Ticket = z.output<typeof TicketSchema>;
export type Terminal = z.output<typeof TerminalInfoSchema>;
export type Layout = Omit<z.output<typeof LayoutViewSchema>, "tree"> & { readonly tree: LayoutTree };
export type Profile = z.output<typeof ProfileViewSchema>;
export type Detected = z.output<typeof DetectedProfileSchema>;
export type Conversation = z.output<typeof ConversationViewSchema>;
export type Message = z.output<typeof MessageSchema>;

export interface PageState {
  projects: readonly Project[];
  /** Of every project. */
  agents: readonly Agent[];
  tickets: readonly Ticket[];
  terminals: readonly Terminal[];
  /** By project. */
  layouts: Readonly<Record<string, readonly Layout[]>>;
  profiles: readonly Profile[];
  detected: readonly Detected[];
  conversations: readonly Conversation[];
  messages: readonly Message[];
  settings: z.output<typeof SettingsSchema>;
  /** What a session's terminal shows. */
  screens: Readonly<Record<string, string>>;
}

export interface PageRequest {
  /** "POST /api/projects/{projectId}/agents" */
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer of a test's own: a problem, or a change of the state with what to give back. */
export type Handler = (request: PageRequest, state: PageState) => unknown;

export interface PageApi {
  readonly state: PageState;
  /** What was asked, oldest first. */
  readonly requests: readonly PageRequest[];
  fetch(request: Request): Promise<Response>;
  /** Takes the place of what is built in. */
  on(key: string, handler: Handler): void;
}

export class PageProblem extends Error {
  constructor(readonly problem: Readonly<Record<string, unknown>> & { readonly status: number }) {
    super("problem");
  }
}

export function createPageApi(state: PageState): PageApi {
  const requests: PageRequest[] = [];
  const handlers = new Map<string, Handler>(Object.entries(builtIn()));
  const routes = listRoutes();
  return {
    state,
    requests,
    on: (key, handler) => void handlers.set(key, handler),
    async fetch(request) {
      const url = new URL(request.url);
      const route = routes.find((one) => one.method === request.method && one.pattern.test(url.pathname));
      if (route === undefined) return problem({ status: 404, code: "NOT_FOUND", title: `no route ${url.pathname}` });
      const { definition, key } = route;
      const params = url.pathname.match(route.pattern)?.groups ?? {};
      const query = Object.fromEntries(url.searchParams);
      const body = definition.body === undefined ? undefined : await request.json();
      definition.params?.parse(params);
      definition.query?.parse(query);
      definition.body?.parse(body);
      const asked = { key, params: { ...query, ...params }, body };
      requests.push(asked);
      const handler = handlers.get(key);
      if (handler === undefined) throw new Error(`no answer for ${key}`);
      try {
        const result = handler(asked, state);
        if (definition.output === undefined) return new Response(null, { status: 204 });
        return Response.json(definition.output.parse(result), { status: definition.status ?? 200 });
      } catch (error) {
        if (error instanceof PageProblem) return problem(error.problem);
        throw error;
      }
    },
  };
}

function problem(body: Readonly<Record<string, unknown>> & { readonly status: number }): Response {
  return Response.json({ type: "about:blank", title: "Problem", detail: "", code: "INVALID", ...body }, {
    status: body.status,
    headers: { "content-type": "application/problem+json" },
  });
}

interface Route {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly definition: EndpointDefinition;
}

/** Paths without parameters stand first: /api/profiles/detected is no profile. */
function listRoutes(): readonly Route[] {
  const definitions: readonly EndpointDefinition[] = Object.values(endpoints).flatMap((noun) => Object.values(noun));
  return definitions
    .map((definition) => ({
      key: `${definition.method.toUpperCase()} ${definition.path}`,
      method: definition.method.toUpperCase(),
      pattern: new RegExp(`^${definition.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
      definition,
    }))
    .sort((a, b) => a.key.split("{").length - b.key.split("{").length);
}

function page<T>(items: readonly T[]): { readonly items: readonly T[] } {
  return { items };
}

interface LayoutChange {
  readonly layouts: readonly Layout[];
  readonly layout: Layout;
  readonly command: LayoutCommand;
  readonly histories: Map<string, LayoutHistory>;
}

function operateLayouts({ layouts, layout, command, histories }: LayoutChange): readonly Layout[] {
  const { layoutId, tree } = layout;
  const put = (change: Partial<Layout>) => layouts.map((one) => (one === layout ? { ...one, ...change } : one));
  const history = histories.get(layoutId) ?? NO_HISTORY;
  const moved = (to: LayoutTree, after: LayoutHistory) => {
    histories.set(layoutId, after);
    return put({ tree: to, canUndo: after.past.length > 0, canRedo: after.future.length > 0 });
  };
  switch (command.op) {
    case "activate":
      return layouts.map((one) => ({ ...one, active: one === layout }));
    case "rename":
      return put({ name: command.name });
    case "add": {
      const root = { type: "leaf", node: { id: createId("cell", crypto.randomUUID()) } } as const;
      const added = {
        ...layout,
        layoutId: createId("layout", crypto.randomUUID()),
        name: command.name,
        tree: { root },
      };
      return [...put({ active: false }), { ...added, active: true, canUndo: false, canRedo: false }];
    }
    case "remove":
      return layouts.filter((one) => one !== layout).map((one, index) => ({ ...one, active: index === 0 }));
    case "undo":
    case "redo": {
      const step = (command.op === "undo" ? undo : redo)({ history, present: tree, isLive: () => true });
      return step === undefined ? layouts : moved(step.tree, step.history);
    }
    default: {
      const applied = applyOperation({ tree, operation: command, freshId: crypto.randomUUID() });
      if (!applied.ok) throw new PageProblem({ status: 409, code: "CONFLICT", title: applied.error.kind });
      return isBinding(command) ? put({ tree: applied.value }) : moved(applied.value, recordStep(history, tree));
    }
  }
}

function builtIn(): Readonly<Record<string, Handler>> {
  const P = "/api/projects/{projectId}";
  const histories = new Map<string, LayoutHistory>();
  const agentOf = ({ params }: PageRequest, state: PageState) => {
    const agent = state.agents.find(({ agentId }) => agentId === params.agentId);
    if (agent === undefined) throw new PageProblem({ status: 404, code: "NOT_FOUND", title: "No such agent" });
    return agent;
  };
  const queueOf = (request: PageRequest, state: PageState) =>
    page(
      state.tickets.filter(({ to, state: at }) =>
        to === request.params.agentId && !["answered", "cancelled", "failed"].includes(at)
      ),
    );
  return {
    "GET /api/health": () => ({
      status: "ok",
      version: "0.0.0-test",
      pid: 1,
      startedAtMs: 1,
      openProjects: 1,
      liveSessions: 0,
    }),
    "GET /api/settings": (_, state) => state.settings,
    "PATCH /api/settings": ({ body }, state) => state.settings = { ...state.settings, ...Object(body) },
    "GET /api/profiles": (_, state) => page(state.profiles),
    "GET /api/profiles/detected": (_, state) => page(state.detected),
    "PUT /api/profiles/{profileId}": ({ params, body }, state) => {
      const saved = { ...Object(body), id: params.profileId };
      state.profiles = [...state.profiles.filter(({ id }) => id !== saved.id), saved];
      return saved;
    },
    "GET /api/projects": (_, state) => page(state.projects),
    "GET /api/folders": ({ params }) => ({
      path: params.path ?? "/home/sam",
      parent: "/home",
      home: "/home/sam",
      folders: ["acme-shop", "blog", "infra", "notes", "playground"].map((name) => ({
        name,
        path: `/home/sam/${name}`,
        isProject: name === "acme-shop",
        isHidden: false,
      })),
    }),
    [`GET ${P}/agents`]: ({ params }, state) =>
      page(state.agents.filter(({ projectId }) => projectId === params.projectId)),
    [`GET ${P}/tickets`]: (_, state) => page(state.tickets),
    [`GET ${P}/terminals`]: ({ params }, state) =>
      page(state.terminals.filter(({ projectId }) => projectId === params.projectId)),
    [`GET ${P}/layouts`]: ({ params }, state) => page(state.layouts[params.projectId ?? ""] ?? []),
    [`GET ${P}/conversations`]: (_, state) => page(state.conversations),
    [`GET ${P}/conversations/{conversationId}`]: (_, state) => page([...state.messages].reverse()),
    [`GET ${P}/conversations/{conversationId}/handoff`]: () => ({ content: "Objective: ship the cart." }),
    [`GET ${P}/agents/{agentId}/queue`]: queueOf,
    [`PATCH ${P}/agents/{agentId}/queue`]: queueOf,
    [`GET ${P}/agents/{agentId}/context`]: () => ({ content: "# Backend\n\nYou own the API." }),
    [`GET ${P}/agents/{agentId}/explain`]: (request, state) => ({
      agent: agentOf(request, state),
      authority: "hooks",
      signals: [
        { atMs: Date.now() - 4_000, signal: "hook UserPromptSubmit", state: "working" },
        { atMs: Date.now() - 64_000, signal: "hook Stop", state: "idle" },
        { atMs: Date.now() - 100_000, signal: "MCP tools/list", state: "idle" },
      ],
      waitsFor: ["the turn in work"],
      queue: [],
    }),
    [`POST ${P}/agents/{agentId}/interrupt`]: () => undefined,
    [`POST ${P}/layouts/{layoutId}/operations`]: ({ body, params }, state) => {
      const command = LayoutCommandSchema.parse(body);
      const projectId = params.projectId ?? "";
      const before = state.layouts[projectId] ?? [];
      const layout = before.find(({ layoutId }) => layoutId === params.layoutId);
      if (layout === undefined) throw new PageProblem({ status: 404, code: "NOT_FOUND", title: "No such layout" });
      const layouts = operateLayouts({ layouts: before, layout, command, histories });
      state.layouts = { ...state.layouts, [projectId]: layouts };
      return layouts.find(({ layoutId }) => layoutId === params.layoutId) ?? layouts.find(({ active }) => active);
    },
    [`POST ${P}/terminals`]: ({ params }, state) => {
      const terminal: Terminal = {
        sessionId: createId("session", crypto.randomUUID()),
        projectId: createId("project", params.projectId ?? ""),
        pid: 1,
        title: "bash",
        size: { cols: 80, rows: 24 },
        startedAtMs: Date.now(),
      };
      state.terminals = [...state.terminals, terminal];
      return terminal;
    },
    [`DELETE ${P}/terminals/{sessionId}`]: ({ params }, state) => {
      state.terminals = state.terminals.filter(({ sessionId }) => sessionId !== params.sessionId);
      return { exit: { kind: "exited", code: 0 } };
    },
  };
}
