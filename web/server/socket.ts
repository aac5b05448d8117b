/**
 * The WebSocket of a window: its terminals as binary frames, events and replies as text. Whoever hands a socket over has
 * authenticated it; what comes through it is parsed strictly all the same, and a message that is not of the protocol
 * closes the connection with 1008 and a reason, nothing else.
 *
 * One connection a window: a window that connects again replaces its old connection, which may be half open.
 */
import type { Terminals } from "../../core/app/terminals.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Connection, createConnection, type WindowSocket } from "./socket_connection.ts";
import type { EventLog } from "./event_log.ts";
import { createInputLedger } from "./input_ledger.ts";

export interface SocketHandlerOptions {
  readonly terminals: Terminals;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  /** A bug that a message of a window has set off: its connection is closed, and the log is told. */
  readonly onDefect?: (error: unknown) => void;
}

export interface SocketHandler extends Disposable {
  /** Takes an upgraded socket, open or about to be. viewerId: made by the page when it loads, kept when it reconnects. */
  handle(socket: WindowSocket, context: { readonly viewerId: string }): void;
  connections(): number;
}

const VIEWER_ID = /^[A-Za-z0-9_-]{1,64}$/;

export function createSocketHandler(options: SocketHandlerOptions): SocketHandler {
  const { terminals, eventLog, clock, onDefect = () => {} } = options;
  const ledger = createInputLedger();
  const connections = new Map<string, Connection>();

  const following = eventLog.subscribe(({ event }) => {
    if (event.kind === "sessionClosed") forget(event.sessionId);
  });

  function forget(sessionId: SessionId): void {
    ledger.forgetSession(sessionId);
    for (const connection of connections.values()) connection.sessionClosed(sessionId);
  }

  return {
    handle(socket, { viewerId }) {
      if (!VIEWER_ID.test(viewerId)) return socket.close(1008, "invalidViewerId");
      connections.get(viewerId)?.close(4000, "replaced");
      ledger.connect(viewerId);
      const connection = createConnection({ socket, viewerId, terminals, eventLog, clock, ledger, onDefect }, () => {
        if (connections.get(viewerId) === connection) connections.delete(viewerId);
      });
      connections.set(viewerId, connection);
    },
    connections: () => connections.size,
    [Symbol.dispose]() {
      following[Symbol.dispose]();
      for (const connection of [...connections.values()]) connection.close(1001, "shuttingDown");
    },
  };
}
