/** A server on a real port with the fake app, and a bridge to it whose lines a test writes and reads. */
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createClock } from "../../adapters/clock/mod.ts";
import { type BridgeOptions, runBridge } from "../../mcp/bridge.ts";
import { createMcpEndpoint } from "../../mcp/http_endpoint.ts";
import { createIdeaContents, mayReadOwnScreen } from "../../mcp/idea_contents.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { listen } from "../../web/server/listen.ts";
import { createServer } from "../../web/server/server.ts";
import { createFakeApp } from "../fakes/app.ts";
import { waitFor } from "../helpers/wait_for.ts";

export function startServer(token: string, port = 0) {
  const clock = createClock();
  const app = createFakeApp(clock);
  const errors: unknown[] = [];
  const mcp = createMcpEndpoint({
    app,
    clock,
    contentsFor: (requester) => createIdeaContents({ app, clock, requester, mayReadScreen: mayReadOwnScreen }),
    newSessionId: () => crypto.randomUUID(),
    version: "1.0.0",
    onError: (error) => void errors.push(error),
  });
  const listening = listen({
    port,
    createFetch: ({ hosts }) => {
      const server = createServer(app, {
        newSecret: createEntropy().newSecret,
        facts: { version: "1.0.0", pid: Deno.pid, startedAtMs: 0 },
        token,
        hosts,
        identifyAgent: () => undefined,
        eventLog: createEventLog(app.events, { serverId: "run", capacity: 10 }),
        clock,
        assets: new Map(),
        mcp: mcp.handle,
        onError: (error) => void errors.push(error),
      });
      return (request) => server.fetch(request);
    },
  });
  return {
    app,
    mcp,
    errors,
    url: `${listening.address.url}/mcp`,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}

interface Line {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: Record<string, unknown>;
}

export function startBridge(options: BridgeOptions) {
  const encoder = new TextEncoder();
  const input = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = input.writable.getWriter();
  const lines: Line[] = [];
  const ended = runBridge({
    ...options,
    input: input.readable,
    write(line) {
      if (!line.endsWith("\n") || line.indexOf("\n") !== line.length - 1) throw new Error(`not one line: ${line}`);
      lines.push(JSON.parse(line));
    },
  });
  const send = (message: unknown) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    return writer.write(encoder.encode(`${text}\n`));
  };
  const answerTo = async (id: number | string): Promise<Line> => {
    let found: Line | undefined;
    await waitFor(`an answer to ${id}`, () => (found = lines.find((line) => line.id === id)) !== undefined);
    if (found === undefined) throw new Error("waited for it");
    return found;
  };
  return {
    lines,
    ended,
    send,
    answerTo,
    async initialize() {
      await send({
        jsonrpc: "2.0",
        id: "init",
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "stdio client", version: "1" } },
      });
      const answer = await answerTo("init");
      await send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return answer;
    },
    async call(id: number, name: string, args: Record<string, unknown>, meta: Record<string, unknown> = {}) {
      await send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } });
    },
    async close() {
      await writer.close();
      return await ended;
    },
  };
}
