/**
 * The HTTP door: one handler for the page, the API, the event stream, the socket and MCP. It owns no port and no file;
 * listen.ts runs it, tests call it. Nothing is answered before access.ts has let it pass, but what is not answered is
 * not told apart: an unknown path without a token is 401 too.
 */
import { Hono } from "hono";
import type { AgentIdentity } from "../../core/app/agent_secrets.ts";
import type { App } from "../../core/app/app.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { ok } from "../../core/result.ts";
import { type Access, type Caller, createAccess } from "./access.ts";
import { type Assets, createAssetServer } from "./assets.ts";
import { readJson } from "./body.ts";
import { renderDocsPage } from "./docs_page.ts";
import { type DoorError, problemResponse } from "./errors.ts";
import type { EventLog } from "./event_log.ts";
import { createEventStreams } from "./event_stream.ts";
import { createOpeningCodes, type OpeningCodes } from "./opening_codes.ts";
import { createOpenApiDocument, listEndpoints } from "./openapi.ts";
import { registerAgents } from "./routes/agents.ts";
import { registerConversations } from "./routes/conversations.ts";
import { registerFiles } from "./routes/files.ts";
import { registerHealth, type ServerFacts } from "./routes/health.ts";
import { registerLayouts } from "./routes/layouts.ts";
import { registerOpening } from "./routes/opening.ts";
import { registerProfiles } from "./routes/profiles.ts";
import { registerProjects } from "./routes/projects.ts";
import { registerSettings } from "./routes/settings.ts";
import { registerTerminals } from "./routes/terminals.ts";
import { registerTickets } from "./routes/tickets.ts";
import { securityHeaders } from "./security_headers.ts";
import { signInPage } from "./sign_in_page.ts";

const MAX_HEADER_BYTES = 32_768;
const MAX_URL_CHARS = 8_192;
/** A task of 1 MiB may be six times as long in JSON, where control characters are written out. */
const MAX_MCP_BODY_BYTES = 8 * 1_048_576;

export interface ServerOptions {
  readonly facts: ServerFacts;
  /** The person's token. */
  readonly token: string;
  /** Values of Host that are us: hostsOf() of access.ts. */
  readonly hosts: readonly string[];
  readonly identifyAgent: (secret: string) => AgentIdentity | undefined;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  /** Of 256 bits, as URL-safe text. */
  readonly newSecret: () => string;
  readonly assets: Assets;
  /** Upgrades the request and hands its socket to the socket handler. Left out: there is no socket (tests). */
  readonly openSocket?: (request: Request) => Response;
  /** MCP, for a caller whose bearer was checked; body: the JSON of a POST. */
  readonly mcp?: (request: Request, caller: Caller, body: unknown) => Promise<Response>;
  /** Hears of bugs: a handler that threw. */
  readonly onError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
}

export interface Server extends Disposable {
  fetch(request: Request): Promise<Response>;
}

export function createServer(app: App, options: ServerOptions): Server {
  const access = createAccess(options);
  const headers = securityHeaders(options.hosts);
  const streams = createEventStreams(options);
  const codes = createOpeningCodes(options);
  const router = new Hono();
  router.onError((error, context) => {
    options.onError(error, { method: context.req.method, path: context.req.path });
    return problemResponse({ kind: "unexpected" });
  });

  registerApi(router, app, options);
  registerOpening(router, codes);
  router.get("/api/events", (context) => streams.open(context.req.raw));
  router.get(
    "/api/socket",
    ({ req }) =>
      options.openSocket !== undefined && req.header("upgrade")?.toLowerCase() === "websocket"
        ? options.openSocket(req.raw)
        : problemResponse({ kind: "notAnUpgrade" }),
  );
  registerDocuments(router, options.facts.version);
  registerWrongMethods(router);
  const assets = createAssetServer(options.assets);
  router.get("*", ({ req }) => assets.serve(req.raw) ?? problemResponse({ kind: "noSuchRoute", path: req.path }));
  router.all("*", ({ req }) => problemResponse({ kind: "noSuchRoute", path: req.path }));

  async function handle(request: Request): Promise<Response> {
    const refused = refuse(access, request);
    if (refused !== undefined) return refused;
    const url = new URL(request.url);
    if (url.pathname === "/mcp" && options.mcp !== undefined) {
      const caller = access.checkBearer(request);
      if (!caller.ok) return unauthorized(caller.error);
      const body = request.method === "POST" ? await readJson(request, MAX_MCP_BODY_BYTES) : ok(undefined);
      return body.ok ? await options.mcp(request, caller.value, body.value) : problemResponse(body.error);
    }
    const person = access.checkPerson(request);
    const key = url.pathname === "/" ? openingKey(url.searchParams) : undefined;
    if (key !== undefined) return signIn({ access, codes, key, query: url.searchParams, isIn: person.ok });
    if (person.ok) return await router.fetch(request);
    const isPage = !url.pathname.startsWith("/api/") && request.headers.get("accept")?.includes("text/html");
    return isPage ? signInPage() : unauthorized(person.error);
  }

  return {
    async fetch(request) {
      const response = await handle(request);
      // The answer to an upgrade is the runtime's own and takes no headers.
      return response.status === 101 ? response : withHeaders(response, headers);
    },
    [Symbol.dispose]: () => streams[Symbol.dispose](),
  };
}

function refuse(access: Access, request: Request): Response | undefined {
  if (request.url.length > MAX_URL_CHARS) return problemResponse({ kind: "urlTooLong", limitChars: MAX_URL_CHARS });
  let headerBytes = 0;
  for (const [name, value] of request.headers) headerBytes += name.length + value.length + 4;
  if (headerBytes > MAX_HEADER_BYTES) return problemResponse({ kind: "headersTooLarge", limitBytes: MAX_HEADER_BYTES });
  for (const checked of [access.checkHost(request), access.checkOrigin(request)]) {
    if (!checked.ok) return problemResponse(checked.error);
  }
  return undefined;
}

type OpeningKey = "code" | "token";

function openingKey(query: URLSearchParams): OpeningKey | undefined {
  if (query.has("code")) return "code";
  return query.has("token") ? "token" : undefined;
}

interface SigningIn {
  readonly access: Access;
  readonly codes: OpeningCodes;
  readonly key: OpeningKey;
  readonly query: URLSearchParams;
  /** By a cookie that it has already. */
  readonly isIn: boolean;
}

/** Takes the key out of the address at once: it must not stay in the history. */
function signIn({ access, codes, key, query, isIn }: SigningIn): Response {
  const given = query.get(key) ?? "";
  const fits = key === "code" ? codes.redeem(given) : access.isToken(given);
  // A browser that restores its windows comes back with a code that was given already, and with its cookie.
  if (!fits && !(isIn && key === "code")) return key === "code" ? signInPage() : unauthorized({ kind: "wrongToken" });
  query.delete(key);
  const location = query.size === 0 ? "/" : `/?${query}`;
  const cookie = fits ? { "set-cookie": access.sessionCookie() } : undefined;
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store", ...cookie } });
}

function unauthorized(error: DoorError): Response {
  return problemResponse(error, error.kind === "agentSecretRefused" ? {} : { "www-authenticate": "Bearer" });
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const all = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(response.body, { status: response.status, headers: all });
}

function registerApi(router: Hono, app: App, options: ServerOptions): void {
  registerHealth(router, app, options.facts);
  registerProjects(router, app);
  registerFiles(router, app);
  registerProfiles(router, app);
  registerAgents(router, app);
  registerTickets(router, app);
  registerTerminals(router, app);
  registerLayouts(router, app);
  registerConversations(router, app);
  registerSettings(router, app);
}

function registerDocuments(router: Hono, version: string): void {
  let cached: { readonly json: string; readonly page: string } | undefined;
  const documents = () => {
    if (cached === undefined) {
      const document = createOpenApiDocument(version);
      cached = { json: JSON.stringify(document), page: renderDocsPage(document) };
    }
    return cached;
  };
  router.get(
    "/api/openapi.json",
    (context) =>
      context.body(documents().json, 200, { "content-type": "application/json", "cache-control": "no-store" }),
  );
  router.get("/api/docs", (context) => context.html(documents().page, 200, { "cache-control": "no-store" }));
}

/** After all endpoints: what comes here has a known path and an unknown method. */
function registerWrongMethods(router: Hono): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of listEndpoints()) {
    methods.set(path, [...methods.get(path) ?? [], method.toUpperCase()]);
  }
  for (const [path, allowed] of methods) {
    router.all(
      path.replace(/\{(\w+)\}/g, ":$1"),
      ({ req }) =>
        problemResponse({ kind: "methodNotAllowed", method: req.method, allowed }, { allow: allowed.join(", ") }),
    );
  }
}
