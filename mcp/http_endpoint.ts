/**
 * MCP over Streamable HTTP at one address, for all agents of all projects and for programs outside.
 *
 * 1. Who calls is proven by the bearer of every request, checked before this is reached; a session belongs to whoever
 *    began it, and to anyone else it does not exist.
 * 2. An agent's sessions end with the agent, and a project's with the project.
 * 3. The number of sessions is bounded; those that are not in use go first.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { AgentIdentity } from "../core/app/agent_secrets.ts";
import type { App } from "../core/app/app.ts";
import type { ProjectId } from "../core/ids.ts";
import type { Requester } from "../core/orchestration/commands.ts";
import type { Clock } from "../core/ports/clock.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { McpContents } from "./contents.ts";
import { createResumableTransport, type ResumableTransport } from "./resumable_transport.ts";
import { createMcpServer, type McpServerOptions } from "./server.ts";

/** As the door has proven it: an agent by its secret, or a program that has the person's token. */
export type McpCaller =
  | { readonly kind: "agent"; readonly identity: AgentIdentity }
  | { readonly kind: "person" };

export interface McpHooks {
  /** The agent's client is connected. */
  readonly onInitialized?: (agent: AgentIdentity) => void;
  /** It knows the tools: a task can be delivered. */
  readonly onToolsListed?: (agent: AgentIdentity) => void;
  readonly onToolCall?: (
    agent: AgentIdentity,
    call: { readonly tool: string; readonly meta: Readonly<Record<string, unknown>> },
  ) => void;
}

export interface McpEndpointOptions {
  readonly app: Pick<App, "projects" | "events">;
  readonly clock: Clock;
  /** What a connection offers; requester is to be read at each call, since a client outside names itself late. */
  readonly contentsFor: (requester: () => Requester) => McpContents;
  /** A secret: who knows a session's id still needs its owner's bearer, but should not guess it. */
  readonly newSessionId: () => string;
  readonly version: string;
  readonly hooks?: McpHooks;
  readonly onError: (error: unknown) => void;
}

export interface McpEndpoint extends AsyncDisposable {
  /** body: the parsed JSON of a POST, undefined otherwise. */
  handle(request: Request, caller: McpCaller, body: unknown): Promise<Response>;
  sessions(): number;
}

const MAX_SESSIONS_PER_OWNER = 32;
const MAX_CLIENT_NAME = 64;

interface Session {
  readonly owner: string;
  readonly projectId: ProjectId;
  readonly transport: ResumableTransport;
  readonly server: Server;
  usedAtMs: number;
}

const rpcErrors = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  notInitialized: -32_000,
  sessionNotFound: -32_001,
} as const;

export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { app, clock } = options;
  const sessions = new Map<string, Session>();

  const following = app.events.subscribe((event) => {
    if (event.kind === "agentStopped") closeWhere(({ owner }) => owner === ownerKey(agentCaller(event)));
    if (event.kind === "projectClosed") closeWhere(({ projectId }) => projectId === event.projectId);
  });

  function closeWhere(isMeant: (session: Session) => boolean): void {
    for (const session of sessions.values()) {
      if (isMeant(session)) session.server.close().catch(options.onError);
    }
  }

  function begin(caller: McpCaller, projectId: ProjectId): Session {
    const owner = ownerKey(caller);
    makeRoom(owner);
    const transport = createResumableTransport({
      clock,
      newSessionId: options.newSessionId,
      onSession: (sessionId) => void sessions.set(sessionId, session),
      onError: options.onError,
    });
    let clientName: string | undefined;
    const hooks = hooksFor(caller, options.hooks ?? {});
    const server = createMcpServer({
      contents: options.contentsFor(() => requesterOf(caller, { projectId, clientName })),
      version: options.version,
      onError: options.onError,
      ...hooks,
      onInitialized(client) {
        clientName = client.name;
        hooks.onInitialized?.(client);
      },
    });
    const session: Session = { owner, projectId, transport, server, usedAtMs: clock.monotonicMs() };
    return session;
  }

  function makeRoom(owner: string): void {
    const own = [...sessions.values()].filter((session) => session.owner === owner);
    if (own.length < MAX_SESSIONS_PER_OWNER) return;
    const idle = own.filter(({ transport }) => !transport.isInUse());
    const oldest = (idle.length > 0 ? idle : own).toSorted((a, b) => a.usedAtMs - b.usedAtMs)[0];
    closeWhere((session) => session === oldest);
  }

  async function connect(session: Session): Promise<void> {
    await session.server.connect(session.transport);
    const { onclose } = session.transport;
    session.transport.onclose = () => {
      sessions.delete(session.transport.sessionId);
      onclose?.();
    };
  }

  return {
    sessions: () => sessions.size,
    async handle(request, caller, body) {
      const sessionId = request.headers.get("mcp-session-id");
      if (sessionId !== null) {
        const session = sessions.get(sessionId);
        if (session === undefined || session.owner !== ownerKey(caller)) {
          return rpcError(
            404,
            rpcErrors.sessionNotFound,
            "There is no such session (any more): begin with initialize.",
          );
        }
        session.usedAtMs = clock.monotonicMs();
        return await session.transport.handle(request, body);
      }
      if (!isMethod(body, "initialize")) return refuseOutsideSession(request, body);
      const project = projectOf(app, caller, request);
      if (!project.ok) return rpcError(200, rpcErrors.invalidParams, project.error, idOf(body));
      const session = begin(caller, project.value);
      await connect(session);
      return await session.transport.handle(request, body);
    },
    async [Symbol.asyncDispose]() {
      following[Symbol.dispose]();
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

/** Some clients probe before they begin, with methods of later versions of the protocol: they are told, and begin. */
function refuseOutsideSession(request: Request, body: unknown): Response {
  const id = idOf(body);
  if (request.method === "POST" && id !== undefined && !isMethod(body, "ping")) {
    const method = methodOf(body);
    if (method === "server/discover") return rpcError(200, rpcErrors.methodNotFound, "Method not found", id);
  }
  return rpcError(400, rpcErrors.notInitialized, "This connection has not begun: send initialize first.", id);
}

function projectOf(app: Pick<App, "projects">, caller: McpCaller, request: Request): Result<ProjectId, string> {
  if (caller.kind === "agent") return ok(caller.identity.projectId);
  const open = app.projects.list().filter((project) => project.open);
  const wanted = new URL(request.url).searchParams.get("project");
  const names = open.map(({ name, projectId }) => `${name} (${projectId})`).join(", ");
  if (wanted !== null) {
    const found = open.find(({ projectId, name }) => projectId === wanted || name === wanted);
    return found === undefined
      ? err(`The project ${wanted} is not open in IdeA. Open: ${names || "none"}.`)
      : ok(found.projectId);
  }
  const [only] = open;
  if (only === undefined) return err("No project is open in IdeA. Open one in its window, or run: idea open PATH");
  return open.length === 1 ? ok(only.projectId) : err(
    `Several projects are open in IdeA: ${names}. Say which: ?project=ID in the address, or idea mcp --project ID`,
  );
}

function requesterOf(
  caller: McpCaller,
  { projectId, clientName = "external" }: { readonly projectId: ProjectId; readonly clientName: string | undefined },
): Requester {
  if (caller.kind === "agent") {
    return { projectId, party: { kind: "agent", agentId: caller.identity.agentId }, door: "mcp" };
  }
  const name = clientName.replaceAll(/[^\p{L}\p{N} ._-]/gu, "").trim().slice(0, MAX_CLIENT_NAME) || "external";
  return { projectId, party: { kind: "external", name }, door: "mcp" };
}

function hooksFor(
  caller: McpCaller,
  hooks: McpHooks,
): Pick<McpServerOptions, "onInitialized" | "onToolsListed" | "onToolCall"> {
  if (caller.kind !== "agent") return {};
  const { identity } = caller;
  return {
    onInitialized: () => hooks.onInitialized?.(identity),
    onToolsListed: () => hooks.onToolsListed?.(identity),
    onToolCall: (tool, meta) => hooks.onToolCall?.(identity, { tool, meta }),
  };
}

function agentCaller({ projectId, agentId }: AgentIdentity): McpCaller {
  return { kind: "agent", identity: { projectId, agentId } };
}

function ownerKey(caller: McpCaller): string {
  return caller.kind === "person" ? "person" : `agent:${caller.identity.projectId}/${caller.identity.agentId}`;
}

function methodOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "method" in body && typeof body.method === "string"
    ? body.method
    : undefined;
}

/** A batch may not initialize. */
function isMethod(body: unknown, method: string): boolean {
  return methodOf(body) === method;
}

function idOf(body: unknown): string | number | undefined {
  if (typeof body !== "object" || body === null || !("id" in body)) return undefined;
  return typeof body.id === "string" || typeof body.id === "number" ? body.id : undefined;
}

function rpcError(status: number, code: number, message: string, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}
