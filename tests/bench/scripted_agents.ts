/**
 * A real server with many agents. Their programs are scripted_cli.pl in real terminals; what their models would call by
 * MCP is called from here, with the secret that each agent was given, on one connection an agent.
 *
 * What must stay true: nothing but IdeA stands between a call and a line that was read. The profile waits for nothing
 * (submitDelayMs 0): the pause before Enter is what some CLIs need, not what IdeA costs.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createId } from "../../core/ids.ts";
import { startServer, type TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

const PROGRAM = fileURLToPath(new URL("scripted_cli.pl", import.meta.url));
const PROFILE_ID = createId("profile", "scripted");
const START_MS = 60_000;
/** Launched at the same time. */
const LAUNCHES = 5;

export interface ScriptedAgent {
  readonly name: string;
  /** Calls a tool of IdeA's; the text of its result. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  /** The next line that its program reads. One caller at a time. */
  nextLine(): Promise<{ readonly line: string; readonly readAtMs: number }>;
  endTurn(): Promise<void>;
}

export interface ScriptedAgents extends AsyncDisposable {
  readonly server: TestServer;
  readonly agents: readonly ScriptedAgent[];
}

export async function startScriptedAgents(count: number): Promise<ScriptedAgents> {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startServer());
  const programs = listenToPrograms();
  parts.use(programs);
  const projectId = await prepareProject(server, programs.port);
  const names = Array.from({ length: count }, (_, index) => `Agent ${index + 1}`);
  const agents: ScriptedAgent[] = [];
  for (let at = 0; at < count; at += LAUNCHES) {
    const some = names.slice(at, at + LAUNCHES).map((name) => startAgent({ server, programs, projectId, name }));
    for (const { agent, close } of await Promise.all(some)) {
      agents.push(agent);
      parts.defer(close);
    }
  }
  const own = parts.move();
  return { server, agents, [Symbol.asyncDispose]: () => own.disposeAsync() };
}

async function prepareProject({ api, project }: TestServer, port: number) {
  const body = {
    name: "Scripted",
    command: "perl",
    args: [PROGRAM, String(port), "{runDir}"],
    env: {},
    cwd: "{projectRoot}" as const,
    programStatus: true,
    input: { submit: "\r", paste: "bracketed" as const, submitDelayMs: 0, interrupt: "\u001b" },
    mcp: { config: { strategy: "configFile" as const, target: "mcp.json" }, transport: "http" as const },
  };
  valueOf(await api.call("PUT /api/profiles/{profileId}", { params: { profileId: PROFILE_ID }, body }));
  return valueOf(await api.call("POST /api/projects", { body: { root: project } })).projectId;
}

interface AgentStart {
  readonly server: TestServer;
  readonly programs: Programs;
  readonly projectId: Awaited<ReturnType<typeof prepareProject>>;
  readonly name: string;
}

async function startAgent({ server, programs, projectId, name }: AgentStart) {
  const { api } = server;
  const { agentId } = valueOf(
    await api.call("POST /api/projects/{projectId}/agents", {
      params: { projectId },
      body: { name, profileId: PROFILE_ID },
    }),
  );
  const params = { projectId, agentId };
  valueOf(await api.call("POST /api/projects/{projectId}/agents/{agentId}/launch", { params, body: {} }));
  const program = await programs.of(agentId);
  const isIdle = async () =>
    valueOf(await api.call("GET /api/projects/{projectId}/agents/{agentId}", { params })).state === "idle";
  await waitFor(`${name} is idle`, isIdle, START_MS);
  const secret = await Deno.readTextFile(join(server.project, ".ideai", "run", agentId, "secret"));
  const { call, close } = await connect(server, secret);
  const agent: ScriptedAgent = { name, call, ...program };
  return { agent, close };
}

async function connect(server: TestServer, secret: string) {
  const client = new Client({ name: "scripted", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.server().url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
  });
  // The SDK's own type does not say that its session's id may be undefined.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
      const { content } = await client.callTool({ name, arguments: args });
      const [first] = Array.isArray(content) ? content : [];
      return first?.type === "text" ? first.text : "";
    },
    close: () => client.close(),
  };
}

type Program = Pick<ScriptedAgent, "nextLine" | "endTurn">;

interface Programs extends AsyncDisposable {
  readonly port: number;
  /** Resolves when the agent's program has said who it is. */
  of(agentId: string): Promise<Program>;
}

/** The programs find us here, and say in their first line whose they are. */
function listenToPrograms(): Programs {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const programs = new Map<string, Program>();
  const connections: Deno.TcpConn[] = [];

  async function greet(connection: Deno.TcpConn): Promise<void> {
    connection.setNoDelay(true);
    const lines = readLines(connection);
    const { value: runFolder } = await lines.next();
    const waiting: ((line: Awaited<ReturnType<Program["nextLine"]>>) => void)[] = [];
    programs.set(runFolder?.split("/").at(-1) ?? "", {
      nextLine: () => new Promise((resolve) => waiting.push(resolve)),
      endTurn: async () => void await connection.write(new Uint8Array(1)),
    });
    for await (const line of lines) {
      const readAtMs = performance.now();
      const take = waiting.shift();
      if (take === undefined) throw new Error(`a line that nobody waits for: ${line}`);
      take({ line, readAtMs });
    }
  }

  const accepting = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      void greet(connection);
    }
  })();
  return {
    port: listener.addr.port,
    async of(agentId) {
      await waitFor(`the program of ${agentId}`, () => programs.has(agentId), START_MS);
      const program = programs.get(agentId);
      if (program === undefined) throw new Error("waited for");
      return program;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const connection of connections) connection.close();
    },
  };
}

async function* readLines(connection: Deno.TcpConn): AsyncGenerator<string, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of connection.readable) {
      const lines = (text + decoder.decode(bytes, { stream: true })).split("\n");
      text = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    // Closed by us, or its program was ended.
    const { BadResource, ConnectionReset, Interrupted } = Deno.errors;
    if (![BadResource, ConnectionReset, Interrupted].some((kind) => error instanceof kind)) throw error;
  }
}

function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
