/**
 * An HTTP server on the loopback that stands for the API of a model. The shapes of each API are in anthropic.ts,
 * openai.ts and gemini.ts; here is what they share: the log that tests look at, the rules, and an orderly end.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { nextStep, type Rule, type Step, type Turn } from "./script.ts";

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Set for requests that ask the model something. */
  turn?: Turn;
  step?: Step;
  /** The client went away before the answer was complete. */
  closedEarly: boolean;
  /** The server has no such endpoint. */
  unhandled: boolean;
}

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, oldest first. */
  log(): readonly LoggedRequest[];
  setScript(rules: readonly Rule[]): void;
  /** Resolves with the first request, past or to come, that fits; rejects when none does in time. */
  waitFor(fits: (request: LoggedRequest) => boolean, timeoutMs: number): Promise<LoggedRequest>;
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Notes what is asked and gives what the script answers. A "hang" has already been waited for. */
  play(turn: Turn): Promise<Step>;
  /** Answers with server-sent events. */
  stream(write: (events: EventStream) => Promise<void>): Response;
}

export interface EventStream {
  send(data: unknown, event?: string): void;
  /** false when the client or the server is gone. */
  isOpen(): boolean;
  /** Half a second, as a slow model takes between two pieces; ends early when nobody listens any more. */
  pause(): Promise<void>;
}

export type ModelApi = (request: ModelRequest) => Promise<Response | undefined>;

const PAUSE_MS = 500;

export async function startModelServer(api: ModelApi): Promise<ModelServer> {
  const entries: LoggedRequest[] = [];
  const changed = new Set<() => void>();
  const closing = new AbortController();
  let rules: readonly Rule[] = [];
  const note = () => {
    for (const listener of [...changed]) listener();
  };

  // Not Deno.serve: it tells a handler that has not answered yet nothing of a client that leaves.
  const server = createServer(async (request, response) => {
    const entry: LoggedRequest = {
      method: request.method ?? "",
      path: new URL(request.url ?? "", "http://model").pathname,
      body: parseBody(await text(request)),
      closedEarly: false,
      unhandled: false,
    };
    entries.push(entry);
    const left = new AbortController();
    response.on("close", () => {
      entry.closedEarly = !response.writableEnded;
      left.abort();
      note();
    });
    const gone = AbortSignal.any([closing.signal, left.signal]);
    const answer = await answerOrSayWhy(api, {
      ...entry,
      async play(turn) {
        const step = nextStep(turn, rules);
        Object.assign(entry, { turn, step });
        note();
        if (step.afterSeconds !== undefined) await pause(step.afterSeconds * 1000, gone);
        if (step.kind === "hang") await pause(step.seconds * 1000, gone);
        return step;
      },
      stream: (write) => streamEvents(write, gone),
    });
    entry.unhandled = answer === undefined;
    note();
    await send(answer ?? Response.json({ error: { message: "no such endpoint" } }, { status: 404 }), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");

  async function close() {
    closing.abort();
    server.closeIdleConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    log: () => entries,
    setScript(next) {
      rules = next;
    },
    waitFor(fits, timeoutMs) {
      const { promise, resolve, reject } = Promise.withResolvers<LoggedRequest>();
      const look = () => {
        const found = entries.find(fits);
        if (found !== undefined) resolve(found);
      };
      const timer = setTimeout(() => reject(new Error(`no such request within ${timeoutMs} ms`)), timeoutMs);
      changed.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        changed.delete(look);
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A request that the scripted model does not understand must not end the tests of everybody else. */
async function answerOrSayWhy(api: ModelApi, request: ModelRequest): Promise<Response | undefined> {
  try {
    return await api(request);
  } catch (error) {
    console.error(`scripted model: ${request.method} ${request.path}:`, error);
    return Response.json({ error: { message: String(error) } }, { status: 500 });
  }
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  // One answer a connection, so that closing the server waits for nobody's idle connection.
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" });
  for await (const piece of answer.body ?? []) response.write(piece);
  response.end();
}

function parseBody(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function streamEvents(write: (events: EventStream) => Promise<void>, gone: AbortSignal): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const isOpen = () => !gone.aborted;
      await write({
        send(data, event) {
          if (!isOpen()) return;
          const text = typeof data === "string" ? data : JSON.stringify(data);
          controller.enqueue(encoder.encode(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`));
        },
        isOpen,
        pause: () => pause(PAUSE_MS, gone),
      });
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (over.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  over.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
