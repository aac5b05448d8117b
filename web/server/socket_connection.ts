/**
 * One connection of a window, from open to closed. It owns the attachments of its channels; when it ends, for whatever
 * reason, they end with it.
 */
import type { Attachment, Terminals } from "../../core/app/terminals.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { createLane } from "../../core/terminals/flow.ts";
import { type ClientFrame, decodeClientFrame, encodeServerFrame } from "../../core/terminals/wire.ts";
import {
  type ClientMessage,
  ClientMessageSchema,
  DEAD_AFTER_MS,
  PING_INTERVAL_MS,
  type ServerMessage,
} from "../api/socket_messages.ts";
import { createSessionInput, type SessionInput } from "./session_input.ts";
import type { EventLog, LoggedEvent } from "./event_log.ts";
import type { InputLedger } from "./input_ledger.ts";

export type WindowSocket = Pick<
  WebSocket,
  "send" | "close" | "readyState" | "bufferedAmount" | "binaryType" | "addEventListener"
>;

export interface ConnectionOptions {
  readonly socket: WindowSocket;
  readonly viewerId: string;
  readonly terminals: Terminals;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly ledger: InputLedger;
  readonly onDefect: (error: unknown) => void;
}

export interface Connection {
  sessionClosed(sessionId: SessionId): void;
  close(code: number, reason: string): void;
}

interface Channel {
  readonly sessionId: SessionId;
  readonly attachment: Attachment;
}

const MAX_CHANNELS = 256;
const MAX_TEXT_CHARS = 65_536;
/** Terminals are bounded by their credits; this bounds the rest, for a window that does not read. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
const OPEN = 1;

const POLICY = 1008;
const INTERNAL = 1011;
const TRY_AGAIN = 1013;

export function createConnection(options: ConnectionOptions, onEnded: () => void): Connection {
  const { socket, viewerId, terminals, eventLog, clock, ledger } = options;
  const channels = new Map<number, Channel>();
  const lane = createLane(clock);
  /** One a session, not one a channel: a window that shows a session twice still counts its input once. */
  const inputs = new Map<SessionId, SessionInput>();
  let highestChannel = -1;
  let heardAtMs = clock.monotonicMs();
  let following: Disposable | undefined;
  let pinging: Disposable | undefined;
  let ended = false;

  function start(): void {
    if (ended || pinging !== undefined) return;
    heardAtMs = clock.monotonicMs();
    schedulePing();
    say({ type: "welcome", serverId: eventLog.serverId, lastEventId: eventLog.lastId() });
  }

  function schedulePing(): void {
    pinging = clock.startTimer(PING_INTERVAL_MS, () => {
      if (clock.monotonicMs() - heardAtMs >= DEAD_AFTER_MS) return close(4001, "silent");
      say({ type: "ping" });
      for (const input of inputs.values()) input.confirm();
      if (!ended) schedulePing();
    });
  }

  function end(): void {
    if (ended) return;
    ended = true;
    pinging?.[Symbol.dispose]();
    following?.[Symbol.dispose]();
    for (const { attachment } of channels.values()) attachment[Symbol.dispose]();
    for (const input of inputs.values()) input[Symbol.dispose]();
    channels.clear();
    inputs.clear();
    onEnded();
  }

  function close(code: number, reason: string): void {
    end();
    try {
      socket.close(code, reason);
    } catch {
      // Not open yet, or gone: there is nobody to tell.
    }
  }

  function transmit(data: string | Uint8Array<ArrayBuffer>): void {
    if (ended || socket.readyState !== OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return close(TRY_AGAIN, "tooSlow");
    try {
      socket.send(data);
    } catch {
      end();
    }
  }

  function say(message: ServerMessage): void {
    transmit(JSON.stringify(message));
  }

  function take(data: unknown): void {
    if (ended) return;
    heardAtMs = clock.monotonicMs();
    if (data instanceof ArrayBuffer) {
      const frame = decodeClientFrame(new Uint8Array(data));
      if (!frame.ok) return close(POLICY, frame.error.kind);
      takeFrame(frame.value);
    } else if (typeof data === "string") {
      const message = parseMessage(data);
      if (message === undefined) return close(POLICY, "invalidMessage");
      takeMessage(message);
    } else close(POLICY, "invalidMessage");
  }

  function takeFrame(frame: ClientFrame): void {
    const channel = channels.get(frame.channel);
    if (channel === undefined) {
      // A session may have closed while the frame was under way; a channel that never was is a mistake.
      if (frame.channel > highestChannel) close(POLICY, "unknownChannel");
      return;
    }
    const { attachment, sessionId } = channel;
    switch (frame.kind) {
      case "input": {
        lane.noteKey();
        const taken = inputOf(sessionId).take(frame.sequence, frame.bytes);
        if (!taken.ok) close(POLICY, taken.error.kind);
        return;
      }
      case "acknowledge":
        return attachment.acknowledge(frame.bytes);
      case "resize":
        return attachment.setSize(frame.size);
      case "focus":
        return attachment.setFocused(frame.focused);
      case "visibility":
        return attachment.setVisible(frame.visible);
      case "history":
        return attachment.requestHistory();
    }
  }

  function takeMessage(message: ClientMessage): void {
    switch (message.type) {
      case "hello":
        return followEvents(message.lastEvent);
      case "attach":
        return attach(message);
      case "detach": {
        channels.get(message.channel)?.attachment[Symbol.dispose]();
        channels.delete(message.channel);
        return;
      }
      case "colors":
        return terminals.setColors(message.colors);
      case "ping":
        return say({ type: "pong" });
      case "pong":
        return;
    }
  }

  function followEvents(last: { readonly serverId: string; readonly id: number } | undefined): void {
    if (following !== undefined) return close(POLICY, "helloTwice");
    const tell = ({ id, event }: LoggedEvent) => say({ type: "event", id, event });
    following = eventLog.subscribe(tell);
    if (last === undefined) return;
    const missed = last.serverId === eventLog.serverId ? eventLog.since(last.id) : undefined;
    if (missed === undefined) say({ type: "eventsMissed" });
    else missed.forEach(tell);
  }

  function attach(message: Extract<ClientMessage, { type: "attach" }>): void {
    const { channel, sessionId } = message;
    if (channel <= highestChannel) return close(POLICY, "channelUsed");
    highestChannel = channel;
    if (channels.size >= MAX_CHANNELS) {
      return say({ type: "attachFailed", channel, error: { kind: "tooManyChannels", limit: MAX_CHANNELS } });
    }
    const attached = terminals.attach(sessionId, {
      channel,
      send: transmit,
      visible: message.visible,
      lane,
      ...(message.from !== undefined && { from: message.from }),
    });
    const info = terminals.get(sessionId);
    if (!attached.ok || info === undefined) {
      return say({ type: "attachFailed", channel, error: { kind: "sessionNotFound" } });
    }
    const attachment = attached.value;
    channels.set(channel, { sessionId, attachment });
    say({ type: "attached", channel, info, inputSequence: ledger.sequence(viewerId, sessionId) });
    if (message.size !== undefined) attachment.setSize(message.size);
    if (message.focused) attachment.setFocused(true);
  }

  function inputOf(sessionId: SessionId): SessionInput {
    const known = inputs.get(sessionId);
    if (known !== undefined) return known;
    const input = createSessionInput({
      clock,
      confirmed: ledger.sequence(viewerId, sessionId),
      write: (bytes) => terminals.write(sessionId, bytes, "person"),
      onWritten: (sequence) => ledger.record(viewerId, sessionId, sequence),
      onConfirm(sequence) {
        for (const [channel, { sessionId: other }] of channels) {
          if (other === sessionId) return transmit(encodeServerFrame({ kind: "inputAccepted", channel, sequence }));
        }
      },
    });
    inputs.set(sessionId, input);
    return input;
  }

  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", start);
  socket.addEventListener("message", (message) => {
    try {
      take(message.data);
    } catch (error) {
      // Thrown out of a listener it would end the process.
      options.onDefect(error);
      close(INTERNAL, "internalError");
    }
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  if (socket.readyState === OPEN) start();

  return {
    sessionClosed(sessionId) {
      for (const [number, channel] of channels) {
        if (channel.sessionId !== sessionId) continue;
        channels.delete(number);
        channel.attachment[Symbol.dispose]();
      }
      inputs.get(sessionId)?.[Symbol.dispose]();
      inputs.delete(sessionId);
    },
    close,
  };
}

function parseMessage(text: string): ClientMessage | undefined {
  if (text.length > MAX_TEXT_CHARS) return undefined;
  try {
    const parsed = ClientMessageSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
