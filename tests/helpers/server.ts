/**
 * The real server as a process of its own, in a home and a data folder of its own, for the end-to-end tests: from
 * source, or any other command that takes IdeA's command line (an executable).
 *
 *   await using idea = await startServer();
 *   const projects = await idea.api.call("GET /api/projects");
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ApiClient, createApiClient } from "../../web/api/client.ts";
import { parseServerFile, type RunningServer, SERVER_FILE } from "../../web/server/instance.ts";
import { waitFor } from "./wait_for.ts";

export const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

export interface ServerOptions {
  /** Program and first arguments; left out: from source. */
  readonly command?: readonly [string, ...string[]];
  /** Of `deno run`, from source: `--inspect=...`. */
  readonly denoArgs?: readonly string[];
  /** Added to an environment that has PATH, HOME and IDEA_HOME only. */
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the PATH, so that profiles find their programs there. */
  readonly path?: readonly string[];
  /** For serve, after --no-open. */
  readonly args?: readonly string[];
}

export interface TestServer extends AsyncDisposable {
  /** Holds all the others; gone when the server is disposed. */
  readonly folder: string;
  readonly home: string;
  readonly dataFolder: string;
  /** An empty folder to be opened as a project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of the process that runs now; changes with each start. */
  server(): RunningServer;
  readonly api: ApiClient;
  /** A request with the person's token. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** What the server has written to standard error since the first start. */
  log(): string;
  /** kill -9 of the server alone. */
  kill(): Promise<void>;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number>;
  /** Starts it again on the same folders, after kill or stop. */
  start(): Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 20_000;

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-e2e-" }));
  const [home, dataFolder, project] = ["home", "data", "project"].map((name) => join(folder, name));
  if (home === undefined || dataFolder === undefined || project === undefined) {
    throw new Error("three names, three paths");
  }
  await Promise.all([home, dataFolder, project].map((path) => Deno.mkdir(path)));
  const env = {
    PATH: [...options.path ?? [], Deno.env.get("PATH") ?? ""].join(":"),
    HOME: home,
    IDEA_HOME: dataFolder,
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
    ...(options.command === undefined && { DENO_DIR: denoFolder() }),
    ...options.env,
  };
  const command = options.command ?? [
    Deno.execPath(),
    "run",
    "--quiet",
    ...options.denoArgs ?? [],
    "-P",
    "--no-prompt",
    join(ROOT, "main.ts"),
  ];
  let running: { readonly child: Deno.ChildProcess; readonly said: Promise<void> } | undefined;
  let server: RunningServer | undefined;
  let log = "";

  async function start(): Promise<void> {
    const [program, ...args] = command;
    const child = new Deno.Command(program, {
      args: [...args, "serve", "--no-open", ...options.args ?? []],
      cwd: folder,
      clearEnv: true,
      env,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let saidNow = "";
    running = {
      child,
      said: collect(child.stderr, (text) => {
        log += text;
        saidNow += text;
      }),
    };
    let ended: Deno.CommandStatus | undefined;
    void child.status.then((status) => ended = status);
    await waitFor("the server answers", async () => {
      if (ended !== undefined) throw new Error(`the server ended with ${ended.code}:\n${log}`);
      server = await readServer(join(dataFolder ?? "", SERVER_FILE));
      // It says the address last, when what was open before is open again.
      return server?.pid === child.pid && saidNow.includes(`Open ${server.url}`);
    }, START_MS);
  }

  async function end(signal: Deno.Signal): Promise<number> {
    if (running === undefined) return 0;
    const { child, said } = running;
    running = undefined;
    try {
      child.kill(signal);
    } catch {
      // Ended by itself.
    }
    const killing = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    const { code } = await child.status;
    clearTimeout(killing);
    await said;
    return code;
  }

  const current = (): RunningServer => server ?? fail("the server has never run");
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${current().token}`);
    return fetch(current().url + path, { ...init, headers });
  };

  try {
    await start();
  } catch (error) {
    await end("SIGKILL");
    await Deno.remove(folder, { recursive: true });
    throw error;
  }
  return {
    ...{ folder, home, dataFolder, project, env },
    server: current,
    // The address changes with each start.
    api: createApiClient({ baseUrl: "", fetch: request }),
    request,
    log: () => log,
    kill: async () => void await end("SIGKILL"),
    stop: () => end("SIGTERM"),
    start,
    async [Symbol.asyncDispose]() {
      await end("SIGTERM");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Where Deno keeps the packages: else a server from source would download them into its empty home. */
function denoFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "", ".cache");
  return Deno.env.get("DENO_DIR") || join(cache, "deno");
}

async function readServer(path: string): Promise<RunningServer | undefined> {
  try {
    return parseServerFile(await Deno.readTextFile(path));
  } catch {
    return undefined;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
}

function fail(message: string): never {
  throw new Error(message);
}
