/**
 * Streamable HTTP as the SDK has it, plus what it leaves open when the stream of an answer breaks:
 *
 * 1. The caller has GRACE_MS to come back (Last-Event-ID). Meanwhile nothing is lost: the answer is held.
 * 2. Who does not come back is gone: its calls are cancelled, so that nobody works for nobody, and nobody waits for it.
 * 3. A connection that is closed cancels all its calls at once (the SDK does that).
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../core/ports/clock.ts";
import { createEventStore } from "./event_store.ts";

export interface ResumableTransport extends Transport {
  /** "" before initialize. */
  readonly sessionId: string;
  /** body: the parsed JSON of a POST. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Streams that are open, and calls that wait. */
  isInUse(): boolean;
}

export interface ResumableTransportOptions {
  readonly clock: Clock;
  readonly newSessionId: () => string;
  /** The SDK makes the id when initialize comes. */
  readonly onSession: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

const GRACE_MS = 5_000;
const RETRY_MS = 500;
/** The SDK's name for the stream of what is no answer to a call. */
const STANDALONE_STREAM = "_GET_stream";

/** A tools/call or the like that has not been answered. */
interface Call {
  readonly id: RequestId;
  /** The stream its answer goes to broke, and nobody has come back for it yet. */
  away: boolean;
  held: JSONRPCMessage | undefined;
  leaving: Disposable | undefined;
  streamId: string | undefined;
}

export function createResumableTransport(options: ResumableTransportOptions): ResumableTransport {
  const calls = new Map<RequestId, Call>();
  let openStreams = 0;
  /** Whose message the SDK is storing right now. */
  let storingFor: readonly Call[] = [];
  const events = createEventStore((streamId) => {
    for (const call of storingFor) call.streamId ??= streamId;
  });
  const sdk = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: options.newSessionId,
    onsessioninitialized: options.onSession,
    retryInterval: RETRY_MS,
    eventStore: events,
  });

  const transport: ResumableTransport = {
    get sessionId() {
      return sdk.sessionId ?? "";
    },
    async start() {
      sdk.onmessage = (message, extra) => transport.onmessage?.(message, extra);
      sdk.onerror = options.onError;
      sdk.onclose = () => {
        for (const call of calls.values()) call.leaving?.[Symbol.dispose]();
        calls.clear();
        transport.onclose?.();
      };
      await sdk.start();
    },
    send,
    close: () => sdk.close(),
    handle,
    isInUse: () => openStreams > 0 || calls.size > 0,
  };

  async function send(message: JSONRPCMessage, sendOptions?: TransportSendOptions): Promise<void> {
    const answered = "result" in message || "error" in message ? message.id : undefined;
    const call = calls.get(answered ?? sendOptions?.relatedRequestId ?? "");
    if (call?.away) {
      if (answered !== undefined) call.held = message;
      return;
    }
    if (answered !== undefined) calls.delete(answered);
    storingFor = call === undefined ? [] : [call];
    const sent = sdk.send(message, sendOptions);
    storingFor = [];
    await sent;
  }

  async function handle(request: Request, body: unknown): Promise<Response> {
    const lastEventId = request.method === "GET" ? request.headers.get("last-event-id") : null;
    const resumed = lastEventId === null ? undefined : events.after(lastEventId);
    const back = [...calls.values()].filter((call) =>
      call.streamId !== undefined && call.streamId === resumed?.streamId
    );
    if (resumed !== undefined && isOver(resumed, back)) return new Response(null, { status: 405 });
    const own = request.method === "POST" ? register(body) : [];
    const response = await inTurn(() => {
      storingFor = own;
      return sdk.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    });
    if (!response.ok) {
      for (const call of own) calls.delete(call.id);
      return response;
    }
    for (const call of back) await comeBack(call);
    return watched(response, resumed === undefined ? own : back);
  }

  /** POSTs are taken one after another until each has its stream, so that a stream's first event is known to be its. */
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn(work: () => Promise<Response>): Promise<Response> {
    const done = turn.then(work).finally(() => storingFor = []);
    turn = done.catch(() => {});
    return done;
  }

  function register(body: unknown): readonly Call[] {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const own = messages.flatMap((message) => {
      const id = requestIdOf(message);
      return id === undefined || calls.has(id) ? [] : [id];
    }).map((id): Call => ({ id, away: false, held: undefined, leaving: undefined, streamId: undefined }));
    for (const call of own) calls.set(call.id, call);
    return own;
  }

  function watched(response: Response, own: readonly Call[]): Response {
    if (response.body === null) return response;
    openStreams++;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        openStreams--;
        // Ended before the answer: released on purpose, for the client to come back for it.
        for (const call of own) leave(call);
        controller.close();
      },
      async cancel(reason) {
        openStreams--;
        for (const call of own) leave(call);
        await reader.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return new Response(body, response);
  }

  function leave(call: Call): void {
    if (calls.get(call.id) !== call || call.away) return;
    call.away = true;
    call.leaving = options.clock.startTimer(GRACE_MS, () => {
      calls.delete(call.id);
      const params = { requestId: call.id, reason: "the caller is gone" };
      transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    });
  }

  async function comeBack(call: Call): Promise<void> {
    call.leaving?.[Symbol.dispose]();
    call.leaving = undefined;
    call.away = false;
    const { held } = call;
    call.held = undefined;
    if (held !== undefined) await send(held);
  }

  return transport;
}

/**
 * Clients of the SDK come back for a stream that ended with an error, which they have: what they get would stay open and
 * empty for ever. 405 is to them "no such stream here", and they stop.
 */
function isOver(
  resumed: { readonly streamId: string; readonly hasMessages: boolean },
  pending: readonly Call[],
): boolean {
  return resumed.streamId !== STANDALONE_STREAM && pending.length === 0 && !resumed.hasMessages;
}

function requestIdOf(message: unknown): RequestId | undefined {
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message)) return undefined;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : undefined;
}
