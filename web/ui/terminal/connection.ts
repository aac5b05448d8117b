/**
 * This window's socket: opened, watched, made again when it breaks, with every session attached again where it was.
 * Views talk to sessions through streams, which outlive connections.
 *
 * 1. There is one connection at a time; what an older one still says is not heard.
 * 2. A connection on which nothing at all is heard for DEAD_AFTER_MS is dead, whatever the browser says of it.
 * 3. Events that came while it was away are sent again by the server, or eventsMissed says that they are lost.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionId } from "../../../core/ids.ts";
import type { TerminalColors } from "../../../core/terminals/queries.ts";
import { decodeServerFrame } from "../../../core/terminals/wire.ts";
import type { Timers } from "../../../core/timers.ts";
import type { ClientMessage, ServerMessage } from "../../api/socket_messages.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import {
  createStream,
  type LinkedStream,
  type StreamHandlers,
  type StreamOptions,
  type TerminalStream,
} from "./stream.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

export type PageSocket = Pick<WebSocket, "binaryType" | "readyState" | "send" | "close" | "addEventListener">;

export interface TerminalConnectionOptions {
  /** ws:// or wss:// address of the socket, without the viewer's id. */
  readonly url: string;
  readonly onEvent?: (event: unknown) => void;
  /** Some events are lost: state that follows them is to be read again. */
  readonly onEventsMissed?: () => void;
  readonly openSocket?: (url: string) => PageSocket;
  readonly timers?: Timers;
  /** Uniform in [0, 1), for the spread of attempts. */
  readonly random?: () => number;
}

export interface TerminalConnection extends Disposable {
  readonly state: ReadonlySignal<ConnectionState>;
  readonly viewerId: string;
  /** Shows a session; the stream is attached as soon as there is a connection, and again after each break. */
  attach(options: StreamOptions, handlers: StreamHandlers): TerminalStream;
  /** The colours of this window's theme, for programs that ask the server for them. */
  setColors(colors: TerminalColors): void;
  /** The machine woke up, or the network is back: looks at once instead of waiting for the next attempt. */
  wake(): void;
}

const DEAD_AFTER_MS = 10_000;
const CHECK_INTERVAL_MS = 2_000;
/** After a wake-up, a connection that lives answers sooner than this. */
const WAKE_ANSWER_MS = 3_000;
const RETRY_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000];
/** A connection that ends sooner than this was none: the next attempt waits longer. */
const STABLE_AFTER_MS = 10_000;
const OPEN = 1;

export const browserTimers: Timers = {
  monotonicMs: () => performance.now(),
  startTimer(delayMs, onElapsed) {
    const timer = setTimeout(onElapsed, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

export function createTerminalConnection(options: TerminalConnectionOptions): TerminalConnection {
  const { openSocket = (url) => new WebSocket(url), timers = browserTimers, random = Math.random } = options;
  const viewerId = crypto.randomUUID();
  const state = signal<ConnectionState>("connecting");
  const streams = new Map<number, LinkedStream>();
  const linked = new Set<LinkedStream>();
  const outboxes = new Map<SessionId, Outbox>();
  let socket: PageSocket | undefined;
  let nextChannel = 0;
  let attempts = 0;
  let openedAtMs = 0;
  let heardAtMs = 0;
  let timer: Disposable | undefined;
  let lastEvent: { serverId: string; id: number } | undefined;
  let serverId = "";
  let colors: TerminalColors | undefined;
  let disposed = false;

  function connect(): void {
    timer?.[Symbol.dispose]();
    const own = openSocket(`${options.url}?viewer=${viewerId}`);
    socket = own;
    own.binaryType = "arraybuffer";
    heardAtMs = timers.monotonicMs();
    own.addEventListener("open", () => socket === own && opened());
    own.addEventListener("message", ({ data }) => socket === own && take(data));
    own.addEventListener("close", () => socket === own && lost());
    watch();
  }

  function opened(): void {
    openedAtMs = heardAtMs = timers.monotonicMs();
    nextChannel = 0;
    say({ type: "hello", ...(lastEvent !== undefined && { lastEvent }) });
    sayColors();
    state.value = "connected";
    for (const stream of linked) link(stream);
  }

  function lost(): void {
    const own = socket;
    socket = undefined;
    streams.clear();
    own?.close();
    for (const stream of linked) stream.unlink();
    if (disposed) return;
    if (state.value === "connected" && timers.monotonicMs() - openedAtMs >= STABLE_AFTER_MS) attempts = 0;
    state.value = "lost";
    const delayMs = RETRY_DELAYS_MS[Math.min(attempts++, RETRY_DELAYS_MS.length - 1)] ?? 0;
    timer?.[Symbol.dispose]();
    timer = timers.startTimer(delayMs * (0.75 + random() / 2), connect);
  }

  function watch(): void {
    timer = timers.startTimer(CHECK_INTERVAL_MS, () => {
      if (timers.monotonicMs() - heardAtMs >= DEAD_AFTER_MS) lost();
      else watch();
    });
  }

  function link(stream: LinkedStream): void {
    const channel = nextChannel++;
    streams.set(channel, stream);
    stream.link(channel, { say, transmit });
  }

  function sayColors(): void {
    if (colors !== undefined) say({ type: "colors", colors: { ...colors, palette: [...colors.palette] } });
  }

  function say(message: ClientMessage): void {
    transmit(JSON.stringify(message));
  }

  function transmit(data: string | Uint8Array<ArrayBuffer>): void {
    if (socket?.readyState === OPEN) socket.send(data);
  }

  function take(data: unknown): void {
    heardAtMs = timers.monotonicMs();
    if (typeof data === "string") return takeMessage(JSON.parse(data));
    if (!(data instanceof ArrayBuffer)) return;
    const frame = decodeServerFrame(new Uint8Array(data));
    // A server of another version: the page is out of date, and a new connection would not help.
    if (!frame.ok) throw new Error(`unexpected frame: ${JSON.stringify(frame.error)}`);
    streams.get(frame.value.channel)?.take(frame.value);
  }

  function takeMessage(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        serverId = message.serverId;
        // Without events seen so far, what comes from here on is what there is to see.
        lastEvent ??= { serverId, id: message.lastEventId };
        return;
      case "event":
        lastEvent = { serverId, id: message.id };
        return options.onEvent?.(message.event);
      case "eventsMissed":
        lastEvent = undefined;
        return options.onEventsMissed?.();
      case "attached":
        return streams.get(message.channel)?.attached(message.info, message.inputSequence);
      case "attachFailed":
        return streams.get(message.channel)?.failed(message.error);
      case "ping":
        return say({ type: "pong" });
    }
  }

  function outboxOf(sessionId: SessionId): Outbox {
    const known = outboxes.get(sessionId);
    if (known !== undefined) return known;
    const outbox = createOutbox();
    outboxes.set(sessionId, outbox);
    return outbox;
  }

  connect();

  return {
    state,
    viewerId,
    attach(streamOptions, handlers) {
      const stream = createStream({ ...streamOptions, outbox: outboxOf(streamOptions.sessionId) }, handlers, () => {
        linked.delete(stream);
        for (const [channel, other] of streams) if (other === stream) streams.delete(channel);
      });
      linked.add(stream);
      if (state.value === "connected") link(stream);
      return stream;
    },
    setColors(next) {
      if (JSON.stringify(next) === JSON.stringify(colors)) return;
      colors = next;
      sayColors();
    },
    wake() {
      if (disposed) return;
      if (socket === undefined) return connect();
      if (state.value !== "connected") return;
      const askedAtMs = timers.monotonicMs();
      say({ type: "ping" });
      const asked = socket;
      timers.startTimer(WAKE_ANSWER_MS, () => {
        if (socket === asked && heardAtMs < askedAtMs) lost();
      });
    },
    [Symbol.dispose]() {
      disposed = true;
      lost();
      timer?.[Symbol.dispose]();
    },
  };
}
