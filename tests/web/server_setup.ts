/** The HTTP door on the fake app, called without a port. */
import assert from "node:assert/strict";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createApiClient } from "../../web/api/client.ts";
import { createId } from "../../core/ids.ts";
import type { Caller } from "../../web/server/access.ts";
import type { Assets } from "../../web/server/assets.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { listEndpoints } from "../../web/server/openapi.ts";
import { createServer } from "../../web/server/server.ts";
import { createFakeApp, projectId } from "../fakes/app.ts";
import { createFakeClock } from "../fakes/clock.ts";

export const token = "the-token-of-the-person";
export const agentSecret = "the-secret-of-ada";
export const host = "127.0.0.1:4711";
export const origin = `http://${host}`;

const encode = (text: string) => new TextEncoder().encode(text);
export const assets: Assets = new Map([
  ["index.html", { bytes: encode("<!doctype html><title>IdeA</title>"), contentType: "text/html; charset=utf-8" }],
  ["main-ABCD1234.js", { bytes: encode("export {};".repeat(500)), contentType: "text/javascript" }],
]);

export function setup() {
  const clock = createFakeClock();
  const app = createFakeApp(clock);
  const eventLog = createEventLog(app.events, { serverId: "run1", capacity: 5 });
  const bugs: unknown[] = [];
  const server = createServer(app, {
    newSecret: createEntropy().newSecret,
    facts: { version: "1.0.0", pid: 42, startedAtMs: clock.nowMs() },
    token,
    hosts: [host, "localhost:4711"],
    identifyAgent: (secret) => secret === agentSecret ? { projectId, agentId: createId("agent", "ada") } : undefined,
    eventLog,
    clock,
    assets,
    openSocket: () => new Response("a socket"),
    mcp: (_request, caller: Caller, body) => Promise.resolve(Response.json({ caller, body })),
    onError: (error) => void bugs.push(error),
  });

  /** As a program without any credentials would send it. */
  const send = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", host);
    return server.fetch(new Request(`${origin}${path}`, { ...init, headers }));
  };
  /** As a script of the person. */
  const sendAsPerson = (path: string, init: RequestInit = {}) =>
    send(path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) },
    });

  return { app, clock, eventLog, bugs, server, send, sendAsPerson, api: createCheckedClient(sendAsPerson) };
}

/** The typed client; each answer is checked against the schema that the document promises. */
function createCheckedClient(send: (path: string, init: RequestInit) => Promise<Response>) {
  const patterns = listEndpoints().map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return createApiClient({
    baseUrl: "",
    token,
    async fetch(path, init) {
      const response = await send(path, init);
      const pathname = new URL(path, origin).pathname;
      const matches = patterns.filter(({ endpoint, pattern }) =>
        endpoint.method.toUpperCase() === init.method && pattern.test(pathname)
      );
      // "/api/profiles/detected" is also of the form "/api/profiles/{profileId}": the one without parameters is meant.
      const endpoint = (matches.find((match) => match.endpoint.path === pathname) ?? matches[0])?.endpoint;
      assert.ok(endpoint, `${init.method} ${path} is no endpoint`);
      if (response.ok && endpoint.output !== undefined) {
        assert.equal(response.status, endpoint.status ?? 200);
        endpoint.output.parse(await response.clone().json());
      } else if (response.ok) assert.equal(response.status, 204);
      return response;
    },
  });
}

export async function problemOf(response: Response) {
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  const problem = await response.json();
  assert.equal(problem.status, response.status);
  return { status: problem.status, code: problem.code };
}
