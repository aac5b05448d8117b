/**
 * The executable that `deno task build --mode sfx` makes, as a person gets it: one file, an empty home, no Deno, no
 * network. What its launcher does by itself is in tests/packaging/launcher.test.ts.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { hostTarget } from "../../packaging/target.ts";
import { parseServerFile } from "../../web/server/instance.ts";
import { ROOT, startServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

/** No deno, no node: what the executable does not bring is not there. */
const PATH = "/usr/bin:/bin";
const BUILD_MS = 180_000;
const RUN_MS = 60_000;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

async function run(argv: readonly [string, ...string[]], { env, stdin = "" }: RunOptions): Promise<Ran> {
  const [program, ...args] = argv;
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(RUN_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function build(folder: string): Promise<string> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(ROOT, "build.ts"), "--mode=sfx", `--out=${folder}`],
    signal: AbortSignal.timeout(BUILD_MS),
  }).spawn().status;
  assert.equal(code, 0);
  return join(folder, `idea-${hostTarget()}`);
}

Deno.test({
  name: "executable",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    const folder = await Deno.makeTempDir({ prefix: "idea-exe-" });
    // Unpacked once for all steps but those about the first start.
    const env = { PATH, XDG_CACHE_HOME: join(folder, "cache") };
    try {
      const executable = await build(folder);

      await t.step("runs on a machine without network", async () => {
        // A network namespace of its own, where even the loopback is down; not every machine lets us make one.
        const isolated = (await run(["unshare", "-rn", "true"], { env })).code === 0 ? ["unshare", "-rn"] : [];
        if (isolated.length === 0) console.log("not isolated: this machine makes no network namespaces");
        const [program = executable, ...args] = [...isolated, executable, "version"];
        const ran = await run([program, ...args], { env: { PATH, HOME: join(folder, "home") } });
        assert.deepEqual({ code: ran.code, stderr: ran.stderr }, { code: 0, stderr: "" });
        assert.match(ran.stdout, /^idea \d+\.\d+\.\d+\n$/);
      });

      await t.step("serves the page and drives a terminal in an empty home", async () => {
        await using idea = await startServer({ command: [executable], env });
        const page = await (await idea.request("/")).text();
        const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? assert.fail(page);
        const asset = await idea.request(script);
        assert.equal(asset.headers.get("content-type"), "text/javascript; charset=utf-8");
        assert.ok((await asset.text()).length > 10_000);

        const opened = await idea.api.call("POST /api/projects", { body: { root: idea.project } });
        assert.ok(opened.ok);
        const { projectId } = opened.value;
        const terminal = await idea.api.call("POST /api/projects/{projectId}/terminals", {
          params: { projectId },
          body: { argv: ["/bin/sh"], size: { cols: 100, rows: 30 } },
        });
        assert.ok(terminal.ok);
        const params = { projectId, sessionId: terminal.value.sessionId };
        const type = (text: string) =>
          idea.api.call("POST /api/projects/{projectId}/terminals/{sessionId}/input", { params, body: { text } });
        const waitForLine = async (pattern: string) => {
          const query = { pattern, timeoutMs: 20_000 };
          const found = await idea.api.call("GET /api/projects/{projectId}/terminals/{sessionId}/wait", {
            params,
            query,
          });
          assert.ok(found.ok && found.value.kind === "found", `${pattern}: ${JSON.stringify(found)}`);
          return found.value.line;
        };
        await type("stty size; echo $((17 * 23)) is it\r");
        assert.equal(await waitForLine("^391 is it"), "391 is it");
        assert.equal(await waitForLine("^30 100"), "30 100");
        // Of the launcher's variables nothing reaches what the person runs.
        await type("env | grep -c -E '^(IDEA_SELF|IDEA_USER_DENO_DIR|DENO_)' | sed 's/^/ours: /'\r");
        assert.equal(await waitForLine("^ours: "), "ours: 0");
        const closed = await idea.api.call("DELETE /api/projects/{projectId}/terminals/{sessionId}", { params });
        assert.ok(closed.ok);
      });

      await t.step("ends well when told to, and is one a data folder", async () => {
        await using idea = await startServer({ command: [executable], env });
        const second = await run([executable, "serve", "--no-open"], { env: idea.env });
        assert.equal(second.code, 5, second.stderr);
        assert.match(second.stderr, /^idea: a server runs already/);
        const listed = await run([executable, "agents"], { env: idea.env });
        assert.equal(listed.code, 4, listed.stderr);
        assert.equal(await idea.stop(), 0);
        await assert.rejects(Deno.stat(join(idea.dataFolder, "server.json")), Deno.errors.NotFound);
      });

      await t.step("speaks MCP on its very first start, and nothing but MCP", async () => {
        const home = join(folder, "mcp-home");
        const dataFolder = join(folder, "mcp-data");
        await Deno.mkdir(home);
        const initialize = {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        };
        const messages = [
          { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
          { jsonrpc: "2.0", method: "notifications/initialized" },
          { jsonrpc: "2.0", id: 2, method: "ping" },
        ];
        await using _server = stopServerOf(dataFolder);
        const ran = await run([executable, "mcp"], {
          env: { PATH, HOME: home, IDEA_HOME: dataFolder },
          stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
        });
        assert.equal(ran.code, 0, ran.stderr);
        const answers = ran.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
        assert.deepEqual(answers.map(({ id }) => id), [1, 2]);
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** The bridge starts a server that outlives it: it ends with the test. */
function stopServerOf(dataFolder: string): AsyncDisposable {
  const read = async () => parseServerFile(await Deno.readTextFile(join(dataFolder, "server.json")).catch(() => ""));
  return {
    async [Symbol.asyncDispose]() {
      const server = await read();
      if (server === undefined) return;
      Deno.kill(server.pid, "SIGTERM");
      await waitFor("the server of the bridge ends", async () => (await read()) === undefined, RUN_MS);
    },
  };
}
