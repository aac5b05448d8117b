/**
 * Sessions on real pseudo-terminals behind a real socket, put together as main.ts does it, without the rest of the
 * server: for tests of what goes over the socket.
 */
import assert from "node:assert/strict";
import { createClock } from "../../adapters/clock/mod.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createPty } from "../../adapters/pty/mod.ts";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import { createTerminals, defaultTerminalsLimits, type Terminals } from "../../core/app/terminals.ts";
import { createEvents } from "../../core/events.ts";
import { createId, type SessionId } from "../../core/ids.ts";
import { err } from "../../core/result.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { createSocketHandler } from "../../web/server/socket.ts";
import { waitFor } from "./wait_for.ts";

export interface TerminalServer extends AsyncDisposable {
  /** http://127.0.0.1:PORT/ */
  readonly url: string;
  readonly socketUrl: string;
  readonly terminals: Terminals;
  readonly defects: readonly unknown[];
  /** bash without anybody's settings, or argv. */
  openSession(argv?: readonly [string, ...string[]]): Promise<SessionId>;
  /** Cuts every connection, as a lost network does. */
  cutConnections(): void;
  connections(): number;
  screen(sessionId: SessionId): Promise<readonly string[]>;
}

/** page: what is served at any path but the socket's. */
export function startTerminalServer(page: (path: string) => Response): TerminalServer {
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => void defects.push(error);
  const events = createEvents(onDefect);
  const clock = createClock();
  const env = {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: "/",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    PS1: "$ ",
  };
  const pty = createPty();
  const terminals = createTerminals({
    pty,
    states: createTerminalStates(),
    clock,
    entropy: createEntropy(),
    programs: {
      find: () => Promise.resolve(undefined),
      run: (argv) => Promise.resolve(err({ kind: "notAllowed", program: argv[0] })),
      loginEnvironment: () => Promise.resolve(env),
    },
    events,
    onDefect,
  }, { ...defaultTerminalsLimits, platform: "linux" });
  const eventLog = createEventLog(events, { serverId: crypto.randomUUID(), capacity: 1000 });
  const sockets = createSocketHandler({ terminals, eventLog, clock, onDefect });
  const live = new Set<WebSocket>();

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    if (url.pathname !== "/api/socket") return page(url.pathname);
    const { socket, response } = Deno.upgradeWebSocket(request);
    live.add(socket);
    socket.addEventListener("close", () => live.delete(socket));
    sockets.handle(socket, { viewerId: url.searchParams.get("viewer") ?? "" });
    return response;
  });
  const address = `127.0.0.1:${server.addr.port}`;

  return {
    url: `http://${address}/`,
    socketUrl: `ws://${address}/api/socket`,
    terminals,
    defects,
    async openSession(argv = ["/bin/bash", "--norc"]) {
      const opened = await terminals.open({
        projectId: createId("project", "p1"),
        cwd: "/",
        size: { cols: 80, rows: 24 },
        argv,
      });
      assert.ok(opened.ok);
      return opened.value.sessionId;
    },
    cutConnections() {
      for (const socket of live) socket.close();
    },
    connections: () => sockets.connections(),
    async screen(sessionId) {
      const text = await terminals.read(sessionId, 0);
      assert.ok(text.ok);
      return text.value.screen;
    },
    async [Symbol.asyncDispose]() {
      sockets[Symbol.dispose]();
      await waitFor("the connections are closed", () => live.size === 0);
      await terminals[Symbol.asyncDispose]();
      await pty[Symbol.asyncDispose]();
      eventLog[Symbol.dispose]();
      await server.shutdown();
    },
  };
}
