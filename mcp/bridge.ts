/**
 * MCP over standard input and output, for clients that cannot do HTTP: `idea mcp` carries each line to the running
 * server and its answers back.
 *
 * 1. Standard output has JSON lines and nothing else.
 * 2. A request that waits (an ask) holds back no other line; a cancellation is sent after the request it is about.
 * 3. Every request gets exactly one answer: the server's, or an error that says what happened.
 * 4. A restart of the server is survived: what waited for it to come back is sent then. What was in work when it went
 *    is not sent twice.
 */
import { err, ok, type Result } from "../core/result.ts";
import { type BridgeTarget, createBridgeSession } from "./bridge_session.ts";
import { isRequest, isResponse, parseRpcMessage, type RpcId, type RpcMessage } from "./json_rpc.ts";
import { readLines } from "./line_reader.ts";
import { readEvents } from "./sse_reader.ts";

export interface BridgeOptions extends BridgeTarget {
  /**
   * Where the server is now, after it could not be reached; undefined: nowhere. Left out: where it was. mayStart: a call
   * waits for it, so one may be started; a bridge that only listens must not bring back a server that a person stopped.
   */
  readonly renew?: (mayStart: boolean) => Promise<BridgeTarget | undefined>;
  /** Standard input and output when left out. write gets whole lines. */
  readonly input?: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly write?: (line: string) => void;
  /** How long the server may be away before what waits for it gets an error. */
  readonly patienceMs?: number;
}

export interface BridgeLost {
  readonly kind: "connectionLost";
  readonly reason: string;
}

const PATIENCE_MS = 30_000;
const RETRY_MS = 300;
const MAX_RETRY_MS = 5_000;
/** How the runtime says that it did not even connect. */
const NOT_SENT = /\(Connect\)/;
const MAX_LINE_CHARS = 16 * 1_048_576;
const SERVER_GONE = -32_000;
const PARSE_ERROR = -32_700;

type Posted =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "lost"; readonly reason: string };

/** Ends when the client closes its side. An error: the server could not be reached, to the end. */
export async function runBridge(options: BridgeOptions): Promise<Result<void, BridgeLost>> {
  const bridge = createBridge(options);
  for await (const line of readLines(options.input ?? Deno.stdin.readable, MAX_LINE_CHARS)) bridge.take(line);
  return await bridge.close();
}

interface RunningBridge {
  take(line: string): void;
  /** The client is gone: nobody reads what is still to come. */
  close(): Promise<Result<void, BridgeLost>>;
}

function createBridge(options: BridgeOptions): RunningBridge {
  const write = options.write ?? writeToStdout;
  const stopping = new AbortController();
  const session = createBridgeSession(options, stopping.signal);
  const inWork = new Set<Promise<void>>();
  let sending: Promise<void> = Promise.resolve();
  let lost: BridgeLost | undefined;
  let renewing: Promise<boolean> | undefined;

  const send = (message: RpcMessage) => write(`${JSON.stringify(message)}\n`);
  const fail = (id: RpcId | undefined, code: number, message: string) => {
    if (id !== undefined) send({ jsonrpc: "2.0", id, error: { code, message } });
  };

  function track(work: Promise<void>): void {
    const tracked: Promise<void> = work.catch(() => {}).finally(() => inWork.delete(tracked));
    inWork.add(tracked);
  }

  /** Lines are sent one after another, each until the server has begun to answer it. */
  function take(line: string): void {
    if (line.trim() === "") return;
    const message = parseRpcMessage(line);
    if (message === undefined) return send(parseErrorMessage());
    sending = sending.then(() => forward(message, line)).catch(() => {});
  }

  async function forward(message: RpcMessage, line: string): Promise<void> {
    if (message.method === "initialize") session.forget();
    const posted = await post(line, message.method !== "tools/call");
    const id = isRequest(message) ? message.id : undefined;
    if (posted.kind === "lost") return fail(id, SERVER_GONE, posted.reason);
    const { response } = posted;
    if (message.method === "initialize") session.adopt(response);
    if (response.ok) session.note(message);
    if (message.method === "notifications/initialized" && response.ok) track(listen());
    track(carry(response, message));
  }

  /** mayRepeat: it does no harm if the server gets it twice. */
  async function post(body: string, mayRepeat: boolean): Promise<Posted> {
    const endMs = performance.now() + (options.patienceMs ?? PATIENCE_MS);
    for (;;) {
      const wasBegun = session.isBegun();
      const generation = session.generation();
      const response = await session.request("POST", { body }).catch(reasonOf);
      if (typeof response !== "string") {
        if (!isForgotten(response, wasBegun)) return { kind: "answered", response };
        await response.body?.cancel();
      } else if (!mayRepeat && !NOT_SENT.test(response)) {
        return { kind: "lost", reason: "The connection to IdeA broke; it may have got this, or not." };
      }
      const reason = typeof response === "string" ? "IdeA cannot be reached" : "IdeA has been restarted";
      if (stopping.signal.aborted) return { kind: "lost", reason };
      if (performance.now() > endMs) {
        lost = { kind: "connectionLost", reason };
        return { kind: "lost", reason: `${reason}. Is it running? Start it with: idea` };
      }
      if (!await beginAgain(generation, true)) await pause(RETRY_MS);
    }
  }

  /** One at a time, and not again if another has begun since this caller looked. */
  function beginAgain(seenGeneration: number, mayStart: boolean): Promise<boolean> {
    if (session.generation() !== seenGeneration && renewing === undefined) return Promise.resolve(true);
    renewing ??= (async () => {
      const target = options.renew === undefined ? options : await options.renew(mayStart);
      const begun = target !== undefined && await session.begin(target).catch(() => false);
      if (begun) lost = undefined;
      return begun;
    })().finally(() => renewing = undefined);
    return renewing;
  }

  /** Writes what the server answers, coming back for the rest if the stream breaks. */
  async function carry(response: Response, message: RpcMessage): Promise<void> {
    const id = isRequest(message) ? message.id : undefined;
    if (!isEventStream(response)) {
      const answer = parseRpcMessage(await response.text());
      if (answer !== undefined) return pass(answer, message);
      if (id !== undefined && !response.ok) {
        fail(id, SERVER_GONE, `IdeA refused the request (status ${response.status}).`);
      }
      return;
    }
    let stream: Response | undefined = response;
    let lastEventId: string | undefined;
    while (stream?.body) {
      try {
        for await (const event of readEvents(stream.body)) {
          lastEventId = event.id ?? lastEventId;
          const answer = parseRpcMessage(event.data);
          if (answer === undefined) continue;
          pass(answer, message);
          if (isResponse(answer) && answer.id === id) return;
        }
      } catch {
        // The stream broke: as if it had ended.
      }
      if (stopping.signal.aborted) return;
      stream = lastEventId === undefined ? undefined : await resume(lastEventId);
    }
    fail(
      id,
      SERVER_GONE,
      "IdeA was restarted while this was in work. If it was a task for an agent, it goes on there.",
    );
  }

  async function resume(lastEventId: string): Promise<Response | undefined> {
    await pause(RETRY_MS);
    const response = await session.request("GET", { lastEventId }).catch(() => undefined);
    if (response?.ok) return response;
    await response?.body?.cancel();
    return undefined;
  }

  function pass(answer: RpcMessage, asked: RpcMessage): void {
    if (asked.method === "initialize" && isResponse(answer)) session.agreed(answer.result);
    send(answer);
  }

  /** What the server says by itself: changes of lists and resources. */
  async function listen(): Promise<void> {
    let lastEventId: string | undefined;
    let waitMs = RETRY_MS;
    while (!stopping.signal.aborted) {
      const generation = session.generation();
      const response = await session.request("GET", lastEventId === undefined ? {} : { lastEventId })
        .catch(() => undefined);
      if (response?.status === 405) return await response.body?.cancel();
      if (response?.ok && response.body !== null) {
        waitMs = RETRY_MS;
        try {
          for await (const event of readEvents(response.body)) {
            lastEventId = event.id ?? lastEventId;
            const message = parseRpcMessage(event.data);
            if (message !== undefined) send(message);
          }
        } catch {
          // Broken, as below when it ended: come back.
        }
      } else {
        await response?.body?.cancel();
        lastEventId = undefined;
        const isGone = response === undefined || isForgotten(response, true);
        if (!isGone || !await beginAgain(generation, false)) waitMs = Math.min(waitMs * 2, MAX_RETRY_MS);
      }
      await pause(waitMs);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stopping.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      stopping.signal.addEventListener("abort", done, { once: true });
      if (stopping.signal.aborted) done();
    });
  }

  return {
    take,
    async close() {
      if (session.isBegun()) {
        await session.request("DELETE").then((response) => response.body?.cancel()).catch(() => {});
      }
      stopping.abort();
      await Promise.all([sending, ...inWork]);
      return lost === undefined ? ok() : err(lost);
    },
  };
}

/** A session that the server does not know, or a token of before its restart. */
function isForgotten(response: Response, wasBegun: boolean): boolean {
  return (response.status === 404 || response.status === 401) && wasBegun;
}

/** fetch says why in the cause, and only there. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.cause}` : String(error);
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.includes("text/event-stream") ?? false;
}

function parseErrorMessage(): RpcMessage {
  return { jsonrpc: "2.0", error: { code: PARSE_ERROR, message: "The line is not a JSON-RPC message." } };
}

function writeToStdout(line: string): void {
  let bytes = new TextEncoder().encode(line);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
