/**
 * The composition of the server: builds the adapters, gives them to the app, opens the doors, and shuts down in reverse
 * when a signal comes.
 */
import { join } from "node:path";
import { createClock } from "./adapters/clock/mod.ts";
import { createFolderBrowser } from "./adapters/folder_picker/mod.ts";
import { createEntropy } from "./adapters/ids/mod.ts";
import { type Log, openLog } from "./adapters/log/mod.ts";
import { createPrograms } from "./adapters/process/programs.ts";
import { selfCommand, thisProgram } from "./adapters/process/self_command.ts";
import { createAgentClis } from "./adapters/profiles/agent_clis.ts";
import { createProjectFiles } from "./adapters/project_files/mod.ts";
import { createPty } from "./adapters/pty/mod.ts";
import { createFolders } from "./adapters/store/mod.ts";
import { createTerminalStates } from "./adapters/terminal_state/mod.ts";
import type { ServeError, ServeOptions } from "./cli/server_commands.ts";
import type { App } from "./core/app/app.ts";
import { type AppPorts, createApp, type RunningApp } from "./core/app/create_app.ts";
import { defaultTerminalsLimits } from "./core/app/terminals.ts";
import type { Clock } from "./core/ports/clock.ts";
import type { Entropy } from "./core/ports/entropy.ts";
import { referenceProfiles } from "./core/profiles/reference.ts";
import { err, ok, type Result } from "./core/result.ts";
import { VERSION } from "./core/version.ts";
import { createMcpEndpoint, type McpEndpoint } from "./mcp/http_endpoint.ts";
import { createIdeaContents, mayReadOwnScreen } from "./mcp/idea_contents.ts";
import type { Assets } from "./web/server/assets.ts";
import { readAssets } from "./web/server/assets_folder.ts";
import { createEventLog } from "./web/server/event_log.ts";
import { announceServer, readLeftServer } from "./web/server/instance.ts";
import { type Address, createSocketOpener, listen, type Listening } from "./web/server/listen.ts";
import { createServer } from "./web/server/server.ts";
import { createSocketHandler } from "./web/server/socket.ts";

/** Events kept for windows and scripts that were away for a moment. */
const EVENTS_KEPT = 5_000;

interface Base {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly onDefect: (error: unknown) => void;
}

/** Runs until a signal ends it. */
export async function serve(options: ServeOptions): Promise<Result<void, ServeError>> {
  await using parts = new AsyncDisposableStack();
  const clock = createClock();
  const entropy = createEntropy();
  const folders = createFolders(clock);
  const opened = await folders.open(options.dataFolder, { createParents: true });
  if (!opened.ok) {
    const { error } = opened;
    return err(
      error.kind === "locked"
        ? { kind: "dataFolderInUse", dataFolder: options.dataFolder, pid: error.pid }
        : { kind: "serverFailed", detail: `${error.kind}: ${error.path}` },
    );
  }
  const dataFolder = parts.use(opened.value);
  const log = parts.use(await openLog(join(options.dataFolder, "logs")));
  const base: Base = { clock, entropy, log, onDefect: (error) => log.error("defect", { error }) };
  // A server that was killed has left its address and token: windows that are still open find this one there.
  const left = await readLeftServer(dataFolder);
  const token = options.token ?? left?.token ?? entropy.newSecret();

  // From now on: whoever reads server.json may end this server, and it must clean up then.
  const ending = untilSignal();
  const known: { app?: App; address?: Address } = {};
  const mcpUrl = () => `${known.address?.url ?? ""}/mcp`;
  // What profiles name may be run, and nothing else; the profiles are known once the app is.
  const commands = () => [...referenceProfiles, ...known.app?.profiles.list() ?? []].map(({ command }) => command);
  const programs = parts.use(createPrograms({ allows: (program) => commands().includes(program) }));
  const running = parts.use(await composeApp(base, { folders, dataFolder, mcpUrl, programs }));
  known.app = running.app;
  const ports = options.port === undefined ? [...portOf(left?.url), 0] : [options.port];
  const doors = await openDoors(base, { running, token, hostname: options.hostname, ports });
  if (!doors.ok) return doors;
  parts.use(doors.value.parts);
  const { address } = doors.value;
  known.address = address;
  const server = { pid: Deno.pid, startedAtMs: clock.nowMs(), url: address.url, token };
  const announced = await announceServer(dataFolder, server);
  if (!announced.ok) return err({ kind: "serverFailed", detail: `${announced.error.kind}: ${announced.error.path}` });
  parts.use(announced.value);

  // After the port is known: agents with queued work start now.
  await running.workspace.reopen();
  log.info("started", { pid: Deno.pid, version: VERSION, url: address.url });
  await options.onReady(server, doors.value.warning);
  await ending;
  log.info("stopping", {});
  return ok();
}

function composeApp(
  { clock, entropy, onDefect }: Base,
  given: Pick<AppPorts, "folders" | "dataFolder" | "mcpUrl" | "programs">,
): Promise<RunningApp> {
  const bridge = selfCommand(thisProgram());
  return createApp({
    ...given,
    clock,
    entropy,
    folderBrowser: createFolderBrowser(),
    projectFiles: createProjectFiles(),
    pty: createPty(),
    states: createTerminalStates(),
    clis: createAgentClis(),
    terminalLimits: { ...defaultTerminalsLimits, platform: platformOf(Deno.build.os) },
    mcpBridge: () => [...bridge, "mcp"],
    localZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    onDefect,
  });
}

function platformOf(os: typeof Deno.build.os): AppPorts["terminalLimits"]["platform"] {
  return os === "windows" || os === "darwin" ? os : "linux";
}

interface Doors {
  readonly address: Address;
  readonly warning: string | undefined;
  readonly parts: AsyncDisposable;
}

async function openDoors(
  { clock, entropy, log, onDefect }: Base,
  { running, token, hostname, ports }: {
    readonly running: RunningApp;
    readonly token: string;
    readonly hostname: string | undefined;
    /** The first that is free. */
    readonly ports: readonly number[];
  },
): Promise<Result<Doors, ServeError>> {
  await using parts = new AsyncDisposableStack();
  const { app, secrets, mcpClients } = running;
  const assets = await loadPage();
  let listening: Listening | undefined;
  // Registered first, so that it ends last: it waits for its requests, and those of streams end with the parts below.
  parts.defer(() => listening?.[Symbol.asyncDispose]());
  const eventLog = parts.use(createEventLog(app.events, { serverId: entropy.newId(), capacity: EVENTS_KEPT }));
  const sockets = parts.use(createSocketHandler({ terminals: app.terminals, eventLog, clock, onDefect }));
  const mcp: McpEndpoint = parts.use(createMcpEndpoint({
    app,
    clock,
    newSessionId: () => entropy.newSecret(),
    version: VERSION,
    contentsFor: (requester) => createIdeaContents({ app, clock, requester, mayReadScreen: mayReadOwnScreen }),
    hooks: {
      onInitialized: (agent) => mcpClients.onReady(agent, "initialized"),
      onToolsListed: (agent) => mcpClients.onReady(agent, "toolsListed"),
      onToolCall: (agent, { meta }) => mcpClients.onCallMeta(agent, meta),
    },
    onError: onDefect,
  }));
  const createFetch = ({ hosts }: Address) => {
    const server = parts.use(createServer(app, {
      facts: { version: VERSION, pid: Deno.pid, startedAtMs: clock.nowMs() },
      token,
      hosts,
      identifyAgent: (secret) => secrets.identify(secret),
      eventLog,
      clock,
      newSecret: () => entropy.newSecret(),
      assets,
      openSocket: createSocketOpener(sockets),
      mcp: (request, caller, body) => mcp.handle(request, caller, body),
      onError: (error, request) => log.error("request failed", { error, ...request }),
    }));
    return (request: Request) => server.fetch(request);
  };
  for (const port of ports) {
    try {
      listening = listen({ ...(hostname === undefined ? {} : { hostname }), port, createFetch });
      return ok({ address: listening.address, warning: listening.warning, parts: parts.move() });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse || error instanceof Deno.errors.AddrNotAvailable)) throw error;
    }
  }
  return err({ kind: "addressNotFree", hostname: hostname ?? "127.0.0.1", port: ports[0] ?? 0 });
}

function portOf(url: string | undefined): readonly number[] {
  const port = url === undefined ? Number.NaN : Number(new URL(url).port);
  return Number.isInteger(port) && port > 0 ? [port] : [];
}

/** An executable has its page beside it; from source it is bundled when it changed. */
async function loadPage(): Promise<Assets> {
  const root = import.meta.dirname ?? ".";
  const packaged = join(root, "ui");
  if (await isFolder(packaged)) return await readAssets(packaged);
  const { bundleUiInto } = await import("./build_ui.ts");
  return await readAssets(await bundleUiInto(join(root, "dist", "page"), { root }));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

function untilSignal(): Promise<void> {
  const signals: readonly Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) Deno.removeSignalListener(signal, stop);
      resolve();
    };
    for (const signal of signals) Deno.addSignalListener(signal, stop);
  });
}
