/**
 * One session as one view of this window sees it, across connections: where its output stands, what of it is drawn, and
 * what the view wants of it (size, focus, visibility), said again on every new connection.
 */
import type { SessionId } from "../../../core/ids.ts";
import { ACKNOWLEDGE_AT_REST_BYTES, ACKNOWLEDGE_BYTES } from "../../../core/terminals/flow.ts";
import {
  type ClientFrame,
  encodeClientFrame,
  type FrameExit,
  type FrameSize,
  type ServerFrame,
} from "../../../core/terminals/wire.ts";
import type { AttachError, ClientMessage, ServerMessage } from "../../api/socket_messages.ts";
import type { Outbox } from "./outbox.ts";

export type SessionInfo = Extract<ServerMessage, { type: "attached" }>["info"];

export interface StreamOptions {
  readonly sessionId: SessionId;
  readonly visible: boolean;
  readonly focused: boolean;
  /** What fits the view; left out by a preview, which draws the session at whatever size it has. */
  readonly size?: FrameSize;
}

export interface StreamHandlers {
  readonly onAttached?: (info: SessionInfo) => void;
  readonly onFailed?: (error: AttachError) => void;
  /** The terminal is reset to that size; what follows until onSnapshotEnd rebuilds it. */
  readonly onSnapshotBegin: (snapshot: { readonly size: FrameSize }) => void;
  /** Drawn bytes are acknowledged by the view, in order. */
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onResize: (size: FrameSize) => void;
  /** history: with the scrollback. */
  readonly onSnapshotEnd: (snapshot: { readonly history: boolean }) => void;
  readonly onExit: (exit: FrameExit) => void;
  /** The session is gone. */
  readonly onClosed: () => void;
}

export interface TerminalStream extends Disposable {
  /** Goes out in the same call when there is a connection; false: too much waits already, and nothing was taken. */
  send(input: Uint8Array | string): boolean;
  acknowledge(bytes: number): void;
  setSize(size: FrameSize): void;
  setFocused(focused: boolean): void;
  setVisible(visible: boolean): void;
  requestHistory(): void;
}

export interface Link {
  readonly say: (message: ClientMessage) => void;
  readonly transmit: (frame: Uint8Array<ArrayBuffer>) => void;
}

/** The connection's side of it. */
export interface LinkedStream extends TerminalStream {
  link(channel: number, link: Link): void;
  unlink(): void;
  attached(info: SessionInfo, inputSequence: number): void;
  failed(error: AttachError): void;
  take(frame: ServerFrame): void;
}

const encoder = new TextEncoder();

export function createStream(
  options: StreamOptions & { readonly outbox: Outbox },
  handlers: StreamHandlers,
  onDisposed: () => void,
): LinkedStream {
  const { sessionId, outbox } = options;
  let { visible, focused, size } = options;
  let linked: { readonly channel: number; readonly link: Link; attached: boolean } | undefined;
  let offset: number | undefined;
  let shownSize: FrameSize | undefined;
  let restoring: { readonly history: boolean } | undefined;
  let exited = false;
  let gone = false;
  /** Received and not drawn yet, of this connection; and of earlier ones, whose credit is gone with them. */
  let undrawnBytes = 0;
  let staleBytes = 0;
  /** Drawn and not acknowledged yet. */
  let drawnBytes = 0;

  type FrameBody = ClientFrame extends infer F ? F extends ClientFrame ? Omit<F, "channel"> : never : never;

  function transmit(frame: FrameBody): void {
    if (linked !== undefined) linked.link.transmit(encodeClientFrame({ ...frame, channel: linked.channel }));
  }

  function flush(): void {
    if (linked?.attached !== true) return;
    for (const { sequence, bytes } of outbox.takeSendable()) transmit({ kind: "input", sequence, bytes });
  }

  return {
    link(channel, link) {
      if (gone) return;
      linked = { channel, link, attached: false };
      staleBytes += undrawnBytes;
      undrawnBytes = 0;
      drawnBytes = 0;
      const isContinued = offset !== undefined && shownSize !== undefined && restoring === undefined;
      link.say({
        type: "attach",
        channel,
        sessionId,
        visible,
        focused,
        ...(size !== undefined && { size }),
        ...(isContinued && offset !== undefined && shownSize !== undefined && { from: { offset, size: shownSize } }),
      });
    },
    unlink() {
      linked = undefined;
    },
    attached(info, inputSequence) {
      if (linked === undefined) return;
      linked.attached = true;
      outbox.restart(inputSequence);
      flush();
      handlers.onAttached?.(info);
    },
    failed(error) {
      linked = undefined;
      gone = error.kind === "sessionNotFound";
      handlers.onFailed?.(error);
    },
    take(frame) {
      switch (frame.kind) {
        case "output":
          undrawnBytes += frame.bytes.length;
          if (restoring === undefined && offset !== undefined) offset += frame.bytes.length;
          return handlers.onOutput(frame.bytes);
        case "resize":
          shownSize = frame.size;
          return handlers.onResize(frame.size);
        case "snapshotBegin":
          restoring = frame;
          offset = frame.offset;
          shownSize = frame.size;
          return handlers.onSnapshotBegin(frame);
        case "snapshotEnd": {
          const ended = restoring ?? { history: true };
          restoring = undefined;
          return handlers.onSnapshotEnd(ended);
        }
        case "exited":
          // Told again by every connection that is made after it.
          if (!exited) handlers.onExit(frame.exit);
          exited = true;
          return;
        case "closed":
          gone = true;
          linked = undefined;
          return handlers.onClosed();
        case "inputAccepted":
          outbox.confirm(frame.sequence);
          return flush();
      }
    },
    send(input) {
      const taken = outbox.add(typeof input === "string" ? encoder.encode(input) : input);
      flush();
      return taken;
    },
    acknowledge(bytes) {
      const stale = Math.min(staleBytes, bytes);
      staleBytes -= stale;
      undrawnBytes -= bytes - stale;
      drawnBytes += bytes - stale;
      // In portions: a frame for every few lines would cost more than it frees.
      if (drawnBytes < (undrawnBytes === 0 ? ACKNOWLEDGE_AT_REST_BYTES : ACKNOWLEDGE_BYTES)) return;
      transmit({ kind: "acknowledge", bytes: drawnBytes });
      drawnBytes = 0;
    },
    setSize(wanted) {
      size = wanted;
      transmit({ kind: "resize", size: wanted });
    },
    setFocused(wanted) {
      focused = wanted;
      transmit({ kind: "focus", focused: wanted });
    },
    setVisible(wanted) {
      if (visible === wanted) return;
      visible = wanted;
      transmit({ kind: "visibility", visible: wanted });
    },
    requestHistory: () => transmit({ kind: "history" }),
    [Symbol.dispose]() {
      if (linked !== undefined) linked.link.say({ type: "detach", channel: linked.channel });
      linked = undefined;
      gone = true;
      onDisposed();
    },
  };
}
