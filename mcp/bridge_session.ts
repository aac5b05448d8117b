/**
 * The bridge's connection to the server, which outlives sessions: what the client once agreed on (initialize, its
 * subscriptions, its log level) is agreed on again when the server was restarted, without the client noticing.
 */
import { isResponse, parseRpcMessage, type RpcMessage, stringField } from "./json_rpc.ts";
import { readEvents } from "./sse_reader.ts";

export interface BridgeTarget {
  /** Of the MCP endpoint. */
  readonly url: string;
  /** The bearer. */
  readonly secret: string;
}

export interface BridgeSession {
  /** What it takes to reach the server as this session. */
  request(
    method: "GET" | "POST" | "DELETE",
    extra?: { readonly body?: string; readonly lastEventId?: string },
  ): Promise<
    Response
  >;
  /** The client begins: what was agreed before is over. */
  forget(): void;
  /** Remembers what the server has taken and another one would have to be told again. */
  note(message: RpcMessage): void;
  /** Reads what the server says of the session in its answer to initialize. */
  adopt(response: Response): void;
  agreed(result: unknown): void;
  /** Begins again at the target; false: there is nobody, or it refuses. */
  begin(target: BridgeTarget): Promise<boolean>;
  isBegun(): boolean;
  /** Grows each time it began again. */
  generation(): number;
}

const OWN_ID = "idea-bridge";

export function createBridgeSession(first: BridgeTarget, signal: AbortSignal): BridgeSession {
  let target = first;
  let sessionId: string | undefined;
  let protocolVersion: string | undefined;
  let initialize: RpcMessage | undefined;
  let isInitialized = false;
  let logLevel: RpcMessage | undefined;
  let generation = 0;
  const subscriptions = new Map<string, RpcMessage>();

  function forget(): void {
    sessionId = undefined;
    protocolVersion = undefined;
  }

  function request(
    method: "GET" | "POST" | "DELETE",
    { body, lastEventId }: { readonly body?: string; readonly lastEventId?: string } = {},
  ): Promise<Response> {
    const headers = new Headers({
      authorization: `Bearer ${target.secret}`,
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
    });
    if (body !== undefined) headers.set("content-type", "application/json");
    if (sessionId !== undefined) headers.set("mcp-session-id", sessionId);
    if (protocolVersion !== undefined) headers.set("mcp-protocol-version", protocolVersion);
    if (lastEventId !== undefined) headers.set("last-event-id", lastEventId);
    return fetch(target.url, { method, headers, signal, redirect: "error", ...(body === undefined ? {} : { body }) });
  }

  function adopt(response: Response): void {
    sessionId = response.headers.get("mcp-session-id") ?? undefined;
  }

  function agreed(result: unknown): void {
    protocolVersion = stringField(result, "protocolVersion");
  }

  /** Says a message of the client again, under an id of our own, and keeps the answer to ourselves. */
  async function repeat(message: RpcMessage): Promise<RpcMessage | undefined> {
    const response = await request("POST", { body: JSON.stringify({ ...message, id: OWN_ID }) });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    if (message.method === "initialize") adopt(response);
    return await firstResponse(response);
  }

  return {
    request,
    forget,
    adopt,
    agreed,
    note(message) {
      const uri = stringField(message.params, "uri");
      if (message.method === "initialize") initialize = message;
      else if (message.method === "notifications/initialized") isInitialized = true;
      else if (message.method === "logging/setLevel") logLevel = message;
      else if (message.method === "resources/subscribe" && uri !== undefined) subscriptions.set(uri, message);
      else if (message.method === "resources/unsubscribe" && uri !== undefined) subscriptions.delete(uri);
    },
    async begin(next) {
      target = next;
      forget();
      generation++;
      if (initialize === undefined) return true;
      const answer = await repeat(initialize);
      if (answer?.result === undefined) return false;
      agreed(answer.result);
      if (!isInitialized) return true;
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
      await (await request("POST", { body })).body?.cancel();
      for (const message of [...logLevel === undefined ? [] : [logLevel], ...subscriptions.values()]) {
        await repeat(message);
      }
      return true;
    },
    isBegun: () => sessionId !== undefined,
    generation: () => generation,
  };
}

async function firstResponse(response: Response): Promise<RpcMessage | undefined> {
  if (response.body === null) return undefined;
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    return parseRpcMessage(await response.text());
  }
  for await (const { data } of readEvents(response.body)) {
    const message = parseRpcMessage(data);
    if (message !== undefined && isResponse(message)) return message;
  }
  return undefined;
}
