/** The socket handler on played terminals, and a page's side of a socket that a test drives. */
import assert from "node:assert/strict";
import { createEventLog } from "../../web/server/event_log.ts";
import { createSocketHandler } from "../../web/server/socket.ts";
import type { WindowSocket } from "../../web/server/socket_connection.ts";
import type { ClientMessage, ServerMessage } from "../../web/api/socket_messages.ts";
import { type ClientFrame, decodeServerFrame, encodeClientFrame, type ServerFrame } from "../../core/terminals/wire.ts";
import { setup as setupTerminals, type SetupOptions, size } from "../core/terminals_setup.ts";

export interface PageSocket {
  readonly socket: WindowSocket;
  readonly messages: ServerMessage[];
  readonly frames: ServerFrame[];
  /** What the server closed it with. */
  readonly closed: () => { readonly code: number; readonly reason: string } | undefined;
  /** Output drawn so far, as text. */
  readonly text: () => string;
  bufferedAmount: number;
  say(message: ClientMessage): void;
  sendFrame(frame: ClientFrame): void;
  /** Whatever a broken page sends. */
  sendRaw(data: unknown): void;
  /** The connection ends without a word from the page. */
  drop(): void;
}

export function createPageSocket(): PageSocket {
  const listeners = new Map<string, ((event: { readonly data?: unknown }) => void)[]>();
  const messages: ServerMessage[] = [];
  const frames: ServerFrame[] = [];
  let closed: { readonly code: number; readonly reason: string } | undefined;
  let readyState: 1 | 2 | 3 = 1;
  let text = "";

  const socket: WindowSocket = {
    binaryType: "blob",
    get readyState() {
      return readyState;
    },
    get bufferedAmount() {
      return page.bufferedAmount;
    },
    addEventListener(type: string, listener: unknown) {
      if (typeof listener !== "function") throw new Error("a function listens");
      listeners.set(type, [...listeners.get(type) ?? [], (event) => listener(event)]);
    },
    send(data: unknown) {
      assert.equal(readyState, 1, "nothing is sent to a closed socket");
      if (typeof data === "string") {
        const message: ServerMessage = JSON.parse(data);
        messages.push(message);
        return;
      }
      assert.ok(data instanceof Uint8Array);
      const frame = decodeServerFrame(data.slice());
      assert.ok(frame.ok);
      frames.push(frame.value);
      if (frame.value.kind === "snapshotBegin") text = "";
      if (frame.value.kind === "output") text += new TextDecoder().decode(frame.value.bytes);
    },
    close(code = 1000, reason = "") {
      assert.equal(closed, undefined, "closed once");
      assert.ok(code === 1000 || code === 1001 || code >= 1007 && code <= 1014 || code >= 3000 && code < 5000);
      assert.ok(reason.length < 124);
      closed = { code, reason };
      readyState = 2;
    },
  };
  const fire = (type: string, event: { readonly data?: unknown } = {}) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };

  const page: PageSocket = {
    socket,
    messages,
    frames,
    bufferedAmount: 0,
    closed: () => closed,
    text: () => text,
    say: (message) => fire("message", { data: JSON.stringify(message) }),
    sendFrame: (frame) => fire("message", { data: encodeClientFrame(frame).buffer }),
    sendRaw: (data) => fire("message", { data }),
    drop() {
      readyState = 3;
      fire("close");
    },
  };
  return page;
}

export function setup(options: SetupOptions = {}) {
  const parts = setupTerminals(options);
  const eventLog = createEventLog(parts.events, { serverId: "run-1", capacity: 10 });
  const handler = createSocketHandler({ terminals: parts.terminals, eventLog, clock: parts.clock });
  const connect = (viewerId = "window-1"): PageSocket => {
    const page = createPageSocket();
    handler.handle(page.socket, { viewerId });
    return page;
  };
  return { ...parts, eventLog, handler, connect };
}

type Attach = Extract<ClientMessage, { type: "attach" }>;

export function attachMessage(sessionId: Attach["sessionId"], more: Partial<Attach> = {}): Attach {
  return { type: "attach", channel: 1, sessionId, visible: true, focused: true, size, ...more };
}

export const input = (sequence: number, text: string, channel = 1): ClientFrame => ({
  kind: "input",
  channel,
  sequence,
  bytes: new TextEncoder().encode(text),
});
