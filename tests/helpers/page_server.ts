/**
 * The server as the page sees it, for browser tests of the page alone: page_api.ts over HTTP with the page's files and
 * the real security headers, and a socket whose terminals show a fixed text and echo what is typed.
 */
import type { UiAssets } from "../../build_ui.ts";
import { decodeClientFrame, encodeServerFrame } from "../../core/terminals/wire.ts";
import { ClientMessageSchema } from "../../web/api/socket_messages.ts";
import { createAssetServer } from "../../web/server/assets.ts";
import { securityHeaders } from "../../web/server/security_headers.ts";
import { createPageApi, type PageApi, type PageState } from "./page_api.ts";

export interface PageServer extends AsyncDisposable {
  readonly url: string;
  readonly api: PageApi;
  emit(event: unknown): void;
  /** Cuts every socket, as a lost network does; while `refuse` is set there is no new one. */
  dropSockets(options?: { readonly refuse: boolean }): void;
}

const encoder = new TextEncoder();

export function startPageServer(assets: UiAssets, state: PageState): PageServer {
  const api = createPageApi(state);
  const sockets = new Set<WebSocket>();
  const pages = createAssetServer(assets);
  let eventId = 0;
  let refusesSockets = false;

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/api/socket") {
      return refusesSockets ? new Response(null, { status: 503 }) : openSocket(request, { sockets, state });
    }
    if (url.pathname.startsWith("/api/")) return await api.fetch(request);
    const page = pages.serve(request) ?? new Response("not found", { status: 404 });
    for (const [name, value] of Object.entries(securityHeaders([url.host]))) page.headers.set(name, value);
    return page;
  });

  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    api,
    emit(event) {
      eventId++;
      for (const socket of sockets) socket.send(JSON.stringify({ type: "event", id: eventId, event }));
    },
    dropSockets({ refuse } = { refuse: false }) {
      refusesSockets = refuse;
      for (const socket of sockets) socket.close();
    },
    async [Symbol.asyncDispose]() {
      refusesSockets = true;
      for (const socket of sockets) socket.close();
      await server.shutdown();
    },
  };
}

interface SocketContext {
  readonly sockets: Set<WebSocket>;
  readonly state: PageState;
}

function openSocket(request: Request, { sockets, state }: SocketContext): Response {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  sockets.add(socket);
  socket.addEventListener("close", () => sockets.delete(socket));
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") return takeMessage(socket, state, data);
    const frame = decodeClientFrame(new Uint8Array(data));
    if (!frame.ok) throw new Error(`the page sent a bad frame: ${JSON.stringify(frame.error)}`);
    const { channel } = frame.value;
    if (frame.value.kind === "resize") {
      socket.send(encodeServerFrame({ kind: "resize", channel, size: frame.value.size }));
    } else if (frame.value.kind === "input") {
      const { sequence, bytes } = frame.value;
      socket.send(encodeServerFrame({ kind: "output", channel, bytes }));
      socket.send(encodeServerFrame({ kind: "inputAccepted", channel, sequence }));
    }
  });
  return response;
}

function takeMessage(socket: WebSocket, state: PageState, text: string): void {
  const message = ClientMessageSchema.parse(JSON.parse(text));
  if (message.type === "hello") {
    return socket.send(JSON.stringify({ type: "welcome", serverId: "test", lastEventId: 0 }));
  }
  if (message.type === "ping") return socket.send(JSON.stringify({ type: "pong" }));
  if (message.type !== "attach") return;
  const { channel, sessionId } = message;
  const info = state.terminals.find((terminal) => terminal.sessionId === sessionId);
  if (info === undefined) {
    return socket.send(JSON.stringify({ type: "attachFailed", channel, error: { kind: "sessionNotFound" } }));
  }
  const size = message.size ?? info.size;
  socket.send(JSON.stringify({ type: "attached", channel, info, inputSequence: 0 }));
  socket.send(encodeServerFrame({ kind: "snapshotBegin", channel, size, offset: 0, history: true }));
  socket.send(encodeServerFrame({ kind: "output", channel, bytes: encoder.encode(state.screens[sessionId] ?? "$ ") }));
  socket.send(encodeServerFrame({ kind: "snapshotEnd", channel }));
}
