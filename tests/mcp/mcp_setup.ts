/** The MCP door behind the HTTP door on the fake app, with the SDK's own client, without a port. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createId } from "../../core/ids.ts";
import { createMcpEndpoint } from "../../mcp/http_endpoint.ts";
import { createIdeaContents, mayReadOwnScreen } from "../../mcp/idea_contents.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { createServer } from "../../web/server/server.ts";
import { createFakeApp, projectId } from "../fakes/app.ts";
import { createFakeClock } from "../fakes/clock.ts";

export const token = "the-token-of-the-person";
export const secrets: Readonly<Record<string, string>> = { "secret-of-ada": "ada", "secret-of-bob": "bob" };
const origin = "http://127.0.0.1:4711";

export function setup() {
  const clock = createFakeClock();
  const app = createFakeApp(clock);
  const errors: unknown[] = [];
  const heard: string[] = [];
  const revoked = new Set<string>();
  let sessionCount = 0;
  const mcp = createMcpEndpoint({
    app,
    clock,
    newSessionId: () => `session-${++sessionCount}`,
    version: "1.0.0",
    contentsFor: (requester) => createIdeaContents({ app, clock, requester, mayReadScreen: mayReadOwnScreen }),
    hooks: {
      onInitialized: ({ agentId }) => void heard.push(`${agentId} initialized`),
      onToolsListed: ({ agentId }) => void heard.push(`${agentId} listed`),
      onToolCall: ({ agentId }, { tool, meta }) => void heard.push(`${agentId} ${tool} ${JSON.stringify(meta)}`),
    },
    onError: (error) => void errors.push(error),
  });
  const server = createServer(app, {
    newSecret: createEntropy().newSecret,
    facts: { version: "1.0.0", pid: 1, startedAtMs: 0 },
    token,
    hosts: ["127.0.0.1:4711"],
    identifyAgent(secret) {
      const agent = secrets[secret];
      return agent === undefined || revoked.has(secret) ? undefined : { projectId, agentId: createId("agent", agent) };
    },
    eventLog: createEventLog(app.events, { serverId: "run", capacity: 10 }),
    clock,
    assets: new Map(),
    mcp: mcp.handle,
    onError: (error) => void errors.push(error),
  });

  const send = (secret: string, init: RequestInit & { readonly query?: string }): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("host", "127.0.0.1:4711");
    headers.set("authorization", `Bearer ${secret}`);
    return server.fetch(new Request(`${origin}/mcp${init.query ?? ""}`, { ...init, headers }));
  };

  const clients: Client[] = [];
  async function connect(secret: string, options: { readonly name?: string; readonly query?: string } = {}) {
    const client = new Client({ name: options.name ?? "test client", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      // This client comes back for every answer that is an error, on a timer that close() does not stop.
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
      fetch: (_url, init) =>
        send(secret, { ...init, ...(options.query === undefined ? {} : { query: options.query }) }),
    });
    // The SDK's own types are not written for exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    clients.push(client);
    return { client, transport };
  }

  return {
    app,
    clock,
    mcp,
    errors,
    heard,
    revoked,
    send,
    connect,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close();
      await mcp[Symbol.asyncDispose]();
      server[Symbol.dispose]();
    },
  };
}

export async function until(what: string, condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !condition(); turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  if (!condition()) throw new Error(`it did not happen: ${what}`);
}

export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join("\n");
}
