/** The command line in a world of its own, against the real HTTP server on a fake app. */
import { join } from "node:path";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { type CommandLineParts, runCommandLine } from "../../cli/command_line.ts";
import type { World } from "../../cli/world.ts";
import type { App } from "../../core/app/app.ts";
import type { Terminals } from "../../core/app/terminals.ts";
import { ok } from "../../core/result.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { createSocketOpener, listen } from "../../web/server/listen.ts";
import { createServer } from "../../web/server/server.ts";
import { createSocketHandler } from "../../web/server/socket.ts";
import type { FakeClock } from "../fakes/clock.ts";
import { assets, token } from "../web/server_setup.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions extends Partial<Omit<CommandLineParts, "world">> {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  /** Hears of output as it comes. */
  readonly onOut?: (text: string) => void;
}

export interface Shell extends AsyncDisposable {
  readonly dataFolder: string;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** A data folder without a server. */
export async function createShell(): Promise<Shell> {
  const dataFolder = await Deno.makeTempDir();
  return {
    dataFolder,
    async run(argv, options = {}) {
      let out = "";
      let err = "";
      const world: World = {
        env: options.env ?? { CI: "true" },
        cwd: options.cwd ?? "/home/me/one",
        dataFolder,
        isTerminal: options.isTerminal ?? false,
        out(chunk) {
          const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
          out += text;
          options.onOut?.(text);
        },
        err: (line) => void (err += `${line}\n`),
        readStdin: () => Promise.resolve(options.stdin ?? ""),
      };
      const { serve = () => Promise.resolve(ok()), bridge = () => Promise.resolve(ok()) } = options;
      return { code: await runCommandLine(argv, { serve, bridge, world }), out, err };
    },
    [Symbol.asyncDispose]: () => Deno.remove(dataFolder, { recursive: true }),
  };
}

export interface Served {
  readonly app: App;
  readonly clock: FakeClock;
  /** Whose output `idea tail` follows; those of the app when left out. */
  readonly terminals?: Terminals;
}

/** A server on that app, announced in the data folder of the shell. */
export async function serve(shell: Shell, { app, clock, terminals = app.terminals }: Served) {
  const eventLog = createEventLog(app.events, { serverId: "run1", capacity: 100 });
  const sockets = createSocketHandler({ terminals, eventLog, clock });
  const listening = listen({
    createFetch({ hosts }) {
      const server = createServer(app, {
        newSecret: createEntropy().newSecret,
        facts: { version: "1.0.0", pid: Deno.pid, startedAtMs: clock.nowMs() },
        ...{ token, hosts, eventLog, clock, assets },
        identifyAgent: () => undefined,
        openSocket: createSocketOpener(sockets),
        onError: (error) => {
          throw error;
        },
      });
      return (request) => server.fetch(request);
    },
  });
  const { url } = listening.address;
  const file = { version: 1, pid: Deno.pid, startedAtMs: clock.nowMs(), url, token };
  await Deno.writeTextFile(join(shell.dataFolder, "server.json"), JSON.stringify(file));
  return {
    url,
    async [Symbol.asyncDispose]() {
      sockets[Symbol.dispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}
