/** The two ends of a socket that a test holds in its hands: what is sent waits until the test delivers it. */
import type { WindowSocket } from "../../web/server/socket_connection.ts";
import type { PageSocket } from "../../web/ui/terminal/connection.ts";

type Listener = (event: { readonly data?: unknown }) => void;

interface End {
  readonly queue: unknown[];
  readonly listeners: Map<string, Listener[]>;
  readyState: 0 | 1 | 2 | 3;
}

export interface SocketPair {
  readonly page: PageSocket;
  readonly server: WindowSocket;
  /** The page hears that it is open. */
  open(): void;
  /** Delivers what waits, up to that many messages, in turn from each side. */
  deliver(messages?: number): void;
  /** The wire is cut: what is under way is lost, and both ends hear of it. */
  cut(): void;
  /** The wire is cut, and nobody hears of it: the connection is half open. */
  silence(): void;
  isClosed(): boolean;
}

export function createSocketPair(): SocketPair {
  const page: End = { queue: [], listeners: new Map(), readyState: 0 };
  const server: End = { queue: [], listeners: new Map(), readyState: 1 };
  let silent = false;

  const fire = (end: End, type: string, event: { readonly data?: unknown } = {}) => {
    for (const listener of end.listeners.get(type) ?? []) listener(event);
  };
  const shut = (end: End) => {
    if (end.readyState === 3) return;
    end.readyState = 3;
    fire(end, "close");
  };

  const socketOf = (end: End, other: End) => ({
    binaryType: "blob" as const,
    get readyState() {
      return end.readyState;
    },
    bufferedAmount: 0,
    addEventListener(type: string, listener: unknown) {
      if (typeof listener !== "function") throw new Error("a function listens");
      end.listeners.set(type, [...end.listeners.get(type) ?? [], (event) => listener(event)]);
    },
    send(data: unknown) {
      if (end.readyState === 0) throw new Error("not open yet");
      if (end.readyState !== 1 || silent) return;
      // What is sent is copied: the sender uses its buffer again.
      other.queue.push(data instanceof Uint8Array ? data.slice().buffer : data);
    },
    close() {
      if (end.readyState >= 2) return;
      end.readyState = 2;
      queueMicrotask(() => {
        shut(end);
        if (!silent) shut(other);
      });
    },
  });

  return {
    page: socketOf(page, server),
    server: socketOf(server, page),
    open() {
      if (page.readyState !== 0) return;
      page.readyState = 1;
      fire(page, "open");
    },
    deliver(messages = Infinity) {
      for (let count = 0; count < messages; count++) {
        const from = [page, server].filter(({ queue, readyState }) => queue.length > 0 && readyState === 1);
        const end = from[count % 2] ?? from[0];
        if (end === undefined) return;
        fire(end, "message", { data: end.queue.shift() });
      }
    },
    cut() {
      page.queue.length = 0;
      server.queue.length = 0;
      shut(page);
      shut(server);
    },
    silence() {
      silent = true;
      page.queue.length = 0;
      server.queue.length = 0;
    },
    isClosed: () => page.readyState >= 2,
  };
}
