/**
 * The servers that bench:terminal compares, behind one face: ours as it is served from source, and the peers
 * (peer_server.mjs), whose packages are installed into a cache folder of their own. One client program drives them all.
 */
import { startServer } from "../helpers/server.ts";

export type ServerName = "ours" | "raw peer" | "state peer";

export interface BenchServer extends AsyncDisposable {
  readonly name: ServerName;
  open(argv: readonly [string, ...string[]]): Promise<string>;
  close(sessionId: string): Promise<void>;
  /** Runs the client (ws_client.c) to its end and gives what it printed. */
  client(...args: readonly (string | number)[]): Promise<string>;
  cpuSeconds(): Promise<number>;
  residentBytes(): Promise<number>;
}

export interface Tools {
  /** The compiled client. */
  readonly client: string;
  /** Holds the node_modules of the peers. */
  readonly modules: string;
}

const PEER_PACKAGES = ["@lydell/node-pty@1.1.0", "ws@8.23.0", "@xterm/headless@6.0.0", "@xterm/addon-serialize@0.14.0"];
/** The kernel counts CPU time in these, on every Linux that Deno runs on. */
const TICKS_PER_SECOND = 100;
const CLIENT_MS = 400_000;

/** The tools, or what is missing on this machine. */
export async function prepareTools(folder: string): Promise<Tools | string> {
  if (Deno.build.os !== "linux") return "needs Linux";
  const client = `${folder}/ws_client`;
  const source = new URL("ws_client.c", import.meta.url).pathname;
  if (!await run("gcc", "-O2", "-Wall", "-Wextra", "-o", client, source)) return "needs gcc (apt-get install gcc)";
  if (!await run("node", "--version")) return "needs Node for the peers";
  const modules = `${cacheFolder()}/idea-bench/peer-${PEER_PACKAGES.join("_").replaceAll(/[^\w.-]/g, "-")}`;
  await Deno.mkdir(modules, { recursive: true });
  // Does nothing when all is there.
  const installed = await run("npm", "install", "--prefix", modules, "--no-audit", "--no-fund", ...PEER_PACKAGES);
  return installed ? { client, modules } : "npm could not install the peers";
}

export function startBenchServer(name: ServerName, tools: Tools): Promise<BenchServer> {
  return name === "ours" ? startOurs(tools) : startPeer(name, tools);
}

async function startOurs({ client }: Tools): Promise<BenchServer> {
  const server = await startServer();
  const { pid, url, token } = server.server();
  const project = await server.api.call("POST /api/projects", { body: { root: server.project } });
  if (!project.ok) throw new Error(JSON.stringify(project.error));
  const { projectId } = project.value;
  return {
    name: "ours",
    async open([program, ...args]) {
      const opened = await server.api.call("POST /api/projects/{projectId}/terminals", {
        params: { projectId },
        body: { argv: [program, ...args], size: { cols: 120, rows: 40 } },
      });
      if (!opened.ok) throw new Error(JSON.stringify(opened.error));
      return opened.value.sessionId;
    },
    async close(sessionId) {
      const path = `/api/projects/${projectId}/terminals/${sessionId}`;
      await (await server.request(path, { method: "DELETE" })).body?.cancel();
    },
    client: (...args) => runClient(client, "idea", new URL(url).port, token, ...args),
    ...measuresOf(pid),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startPeer(name: ServerName, { client, modules }: Tools): Promise<BenchServer> {
  const program = new URL("peer_server.mjs", import.meta.url).pathname;
  const child = new Deno.Command("node", {
    args: ["--max-old-space-size=8192", program, modules, name === "state peer" ? "state" : "raw"],
    stdout: "piped",
    stdin: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = (await reader.read()).value?.trim();
  if (port === undefined) throw new Error("the peer ended");
  const sessions = `http://127.0.0.1:${port}/sessions`;
  return {
    name,
    async open(argv) {
      const opened = await fetch(sessions, { method: "POST", body: JSON.stringify({ argv }) });
      const { sessionId }: { readonly sessionId: string } = await opened.json();
      return sessionId;
    },
    async close(sessionId) {
      await (await fetch(`${sessions}/${sessionId}`, { method: "DELETE" })).body?.cancel();
    },
    client: (...args) => runClient(client, "peer", port, "-", ...args),
    ...measuresOf(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
    },
  };
}

async function runClient(client: string, ...args: readonly (string | number)[]): Promise<string> {
  const command = new Deno.Command(client, {
    args: args.map(String),
    stderr: "inherit",
    signal: AbortSignal.timeout(CLIENT_MS),
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`the client failed: ${args.slice(3).join(" ")}`);
  return new TextDecoder().decode(stdout);
}

function measuresOf(pid: number): Pick<BenchServer, "cpuSeconds" | "residentBytes"> {
  return {
    async cpuSeconds() {
      const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
      const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    async residentBytes() {
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
  };
}

async function run(program: string, ...args: string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(program, { args, stdout: "null", stderr: "inherit" }).output();
    return success;
  } catch {
    return false;
  }
}

function cacheFolder(): string {
  return Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;
}
