/** The commands that run or show the server: open, serve, mcp. What they run is handed in by main.ts. */
import { join, resolve } from "node:path";
import { SECRET_FILE } from "../adapters/profiles/base_plan.ts";
import { runInForeground } from "../adapters/process/foreground.ts";
import { thisProgram } from "../adapters/process/self_command.ts";
import { openWindow } from "../adapters/webview/open.ts";
import { err, ok, type Result } from "../core/result.ts";
import { codeUrl, openingUrl, type RunningServer } from "../web/server/instance.ts";
import { type Parsed, readNumber } from "./arguments.ts";
import { chooseProject, findAgent, listAgents } from "./choose.ts";
import { argument, contextOf, during, optionText, printTo } from "./context.ts";
import type { Failure } from "./failure.ts";
import { findOrStartServer, findServer } from "./server.ts";
import { readOrMakeToken } from "./token_file.ts";
import { isNetPermitted, widerCommand } from "./wider_network.ts";
import type { World } from "./world.ts";

export interface ServeOptions {
  /** Absolute; made when missing. */
  readonly dataFolder: string;
  /** The loopback when left out. */
  readonly hostname?: string;
  /** Any free one when left out. */
  readonly port?: number;
  /** The person's token; a fresh one, or the one of the server before, when left out. */
  readonly token?: string;
  /** Called once requests are answered. warning: what a person has to know about the address. */
  readonly onReady: (server: RunningServer, warning: string | undefined) => void | Promise<void>;
}

export type ServeError = Extract<
  Failure,
  { kind: "dataFolderInUse" | "addressNotFree" | "addressNotPermitted" | "serverFailed" }
>;

/** Runs the server until it is told to stop by a signal. */
export type Serve = (options: ServeOptions) => Promise<Result<void, ServeError>>;

export async function open(parsed: Parsed, world: World, serve: Serve): Promise<Result<void, Failure>> {
  const folder = parsed.args.length === 0 ? undefined : resolve(world.cwd, argument(parsed, 0));
  const running = await findServer(world.dataFolder);
  if (running !== undefined) return await openFolderAndShow(running, { parsed, world, folder });
  let failed: Failure | undefined;
  const served = await serve({
    dataFolder: world.dataFolder,
    async onReady(server) {
      sayWhere(server, { parsed, world });
      const shown = await openFolderAndShow(server, { parsed, world, folder });
      if (!shown.ok) failed = shown.error;
      // The server goes on: its window is there, and says what is wrong.
      if (failed !== undefined) world.err(`idea: could not open ${folder}`);
    },
  });
  return served.ok && failed !== undefined ? err(failed) : served;
}

interface Shown {
  readonly parsed: Parsed;
  readonly world: World;
  readonly folder: string | undefined;
}

async function openFolderAndShow(
  server: RunningServer,
  { parsed, world, folder }: Shown,
): Promise<Result<void, Failure>> {
  const context = contextOf(server, { parsed, world });
  if (folder !== undefined) {
    const opened = during(
      `open ${folder} as a project`,
      await context.api.call("POST /api/projects", { body: { root: folder } }),
    );
    if (!opened.ok) return opened;
    context.print(opened.value, `${opened.value.name} is open`);
  }
  await show(server, { parsed, world });
  return ok();
}

/** Opens the window, or says where the page is when there is nowhere to open one. */
async function show(server: RunningServer, { parsed, world }: Pick<Shown, "parsed" | "world">): Promise<void> {
  const issued = await contextOf(server, { parsed, world }).api.call("POST /api/opening-codes");
  const shown = issued.ok && await openWindow(codeUrl(server, issued.value.code), join(world.dataFolder, "window"));
  if (shown === false || shown.kind === "nothing") world.err(`Open ${openingUrl(server)}`);
}

function sayWhere(server: RunningServer, { parsed, world }: Pick<Shown, "parsed" | "world">): void {
  const json = parsed.options["json"] === true;
  printTo(world, { json, value: { url: server.url, pid: server.pid }, text: `IdeA runs at ${server.url}` });
}

export async function serveCommand(parsed: Parsed, world: World, serve: Serve): Promise<Result<number, Failure>> {
  const port = readNumber(parsed, "port", { min: 0, max: 65_535 });
  if (!port.ok) return port;
  const hostname = optionText(parsed, "host");
  if (hostname !== undefined && !await isNetPermitted(hostname)) {
    const wider = widerCommand(thisProgram(), hostname);
    if (wider === undefined) return err({ kind: "addressNotPermitted", hostname });
    return ok(await runInForeground([...wider.argv, ...Deno.args], wider.env));
  }
  const tokenFile = optionText(parsed, "token-file");
  const token = tokenFile === undefined ? ok(undefined) : await readOrMakeToken(resolve(world.cwd, tokenFile));
  if (!token.ok) return token;
  const served = await serve({
    dataFolder: world.dataFolder,
    ...(hostname !== undefined && { hostname }),
    ...(port.value !== undefined && { port: port.value }),
    ...(token.value !== undefined && { token: token.value }),
    async onReady(server, warning) {
      if (warning !== undefined) world.err(warning);
      sayWhere(server, { parsed, world });
      if (parsed.options["no-open"] === true) world.err(`Open ${openingUrl(server)}`);
      else await show(server, { parsed, world });
    },
  });
  return served.ok ? ok(0) : served;
}

export interface BridgeOptions {
  /** http://127.0.0.1:4711/mcp, for the person's token with the project in its query. */
  readonly url: string;
  /** An agent's secret, or the person's token: the bearer. */
  readonly secret: string;
  /** Where it is now, after a restart; starts a server only when mayStart. */
  readonly renew?: (mayStart: boolean) => Promise<BridgeOptions | undefined>;
}

/** Speaks MCP over standard input and output until the client is gone. */
export type Bridge = (options: BridgeOptions) => Promise<Result<void, Failure>>;

export async function mcp(parsed: Parsed, world: World, bridge: Bridge): Promise<Result<void, Failure>> {
  const target = await bridgeTarget(parsed, world);
  if (!target.ok) return target;
  return await bridge({
    ...target.value,
    async renew(mayStart) {
      if (!mayStart && await findServer(world.dataFolder) === undefined) return undefined;
      const now = await bridgeTarget(parsed, world);
      return now.ok ? now.value : undefined;
    },
  });
}

async function bridgeTarget(parsed: Parsed, world: World): Promise<Result<BridgeOptions, Failure>> {
  // An agent's own bridge: its launcher has put both into its environment.
  const { IDEA_MCP_URL: url, IDEA_MCP_SECRET: given, IDEA_MCP_SECRET_FILE: file } = world.env;
  if (url && given) return ok({ url, secret: given });
  if (url && file) return await withSecretOf(file, url);
  const server = await findOrStartServer(world.dataFolder);
  if (!server.ok) return server;
  const endpoint = `${server.value.url}/mcp`;
  const context = contextOf(server.value, { parsed, world });
  const project = await chooseProject(context);
  const agentName = optionText(parsed, "agent");
  if (agentName === undefined) {
    // Without a project the client is told by the server which ones there are, in words that its person sees.
    const query = project.ok ? `?project=${project.value.projectId}` : "";
    return ok({ url: endpoint + query, secret: server.value.token });
  }
  if (!project.ok) return project;
  const agents = await listAgents(context, project.value.projectId);
  if (!agents.ok) return agents;
  const agent = findAgent(agents.value, agentName);
  if (!agent.ok) return agent;
  if (agent.value.sessionId === undefined) return err({ kind: "agentNotRunning", agent: agent.value.name });
  return await withSecretOf(join(project.value.root, ".ideai", "run", agent.value.agentId, SECRET_FILE), endpoint);
}

async function withSecretOf(path: string, url: string): Promise<Result<BridgeOptions, Failure>> {
  try {
    return ok({ url, secret: (await Deno.readTextFile(path)).trim() });
  } catch (error) {
    return err({ kind: "file", doing: "read the agent's secret from", path, reason: String(error) });
  }
}
