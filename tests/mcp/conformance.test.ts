/**
 * The public conformance suite (@modelcontextprotocol/conformance, pinned in deno.json), against our server on a real
 * port. The suite wants tools of its own; scenarios that need none run against IdeA's contents too.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createMcpEndpoint } from "../../mcp/http_endpoint.ts";
import type { McpContents } from "../../mcp/contents.ts";
import { createIdeaContents, mayReadOwnScreen } from "../../mcp/idea_contents.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { listen } from "../../web/server/listen.ts";
import { createServer } from "../../web/server/server.ts";
import { createClock } from "../../adapters/clock/mod.ts";
import { createFakeApp, projectId } from "../fakes/app.ts";
import { conformanceContents } from "./conformance_contents.ts";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");
const SUITE = "npm:@modelcontextprotocol/conformance@0.1.16";
const TOKEN = "conformance";
const LIMIT_MS = 240_000;

/** Scenarios that do not apply, and why. One that passes all the same must leave this list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "tools-call-sampling": "IdeA never asks a client's model: its agents are models with their own",
  "tools-call-elicitation": "IdeA asks its people in its own window, never through an MCP client",
  "elicitation-sep1034-defaults": "as tools-call-elicitation",
  "elicitation-sep1330-enums": "as tools-call-elicitation",
};

const WITH_OWN_CONTENTS = [
  "server-initialize",
  "ping",
  "logging-set-level",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

/** The suite has no credentials, so they are added on the way in; Host and Origin stay as the suite sent them. */
function start(contentsFor: (app: ReturnType<typeof createFakeApp>) => McpContents) {
  const clock = createClock();
  const app = createFakeApp(clock);
  const errors: unknown[] = [];
  const mcp = createMcpEndpoint({
    app,
    clock,
    contentsFor: () => contentsFor(app),
    newSessionId: () => crypto.randomUUID(),
    version: "1.0.0",
    onError: (error) => void errors.push(error),
  });
  const listening = listen({
    createFetch({ hosts }) {
      const server = createServer(app, {
        newSecret: createEntropy().newSecret,
        facts: { version: "1.0.0", pid: Deno.pid, startedAtMs: 0 },
        token: TOKEN,
        hosts,
        identifyAgent: () => undefined,
        eventLog: createEventLog(app.events, { serverId: "run", capacity: 10 }),
        clock,
        assets: new Map(),
        mcp: mcp.handle,
        onError: (error) => void errors.push(error),
      });
      return (request) => {
        const headers = new Headers(request.headers);
        headers.set("authorization", `Bearer ${TOKEN}`);
        return server.fetch(new Request(request, { headers }));
      };
    },
  });
  return {
    url: `${listening.address.url}/mcp`,
    errors,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}

/** Runs all server scenarios; gives the names of those that failed. */
async function run(
  url: string,
): Promise<{ readonly failed: readonly string[]; readonly ran: readonly string[]; readonly output: string }> {
  const folder = await Deno.makeTempDir({ prefix: "idea-conformance-" });
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", SUITE, "server", "--url", url, "--suite", "all", "--output-dir", folder],
      cwd: ROOT,
      stdin: "null",
      signal: AbortSignal.timeout(LIMIT_MS),
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { ...readSummary(output), output };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** "✓ ping: 1 passed, 0 failed" */
function readSummary(output: string) {
  const lines = [...output.matchAll(/^([✓✗]) ([\w-]+): \d+ passed, \d+ failed/gm)];
  return {
    ran: lines.map(([, , name = ""]) => name),
    failed: lines.filter(([, mark]) => mark === "✗").map(([, , name = ""]) => name),
  };
}

Deno.test("conformance: every server scenario that applies", async () => {
  await using server = start(() => conformanceContents);
  const { failed, ran, output } = await run(server.url);
  assert.ok(ran.length >= 32, `only ${ran.length} scenarios ran:\n${output}`);
  assert.deepEqual(failed.toSorted(), Object.keys(EXCEPTIONS).toSorted(), output);
});

Deno.test("conformance: scenarios without tools of their own, against IdeA's contents", async () => {
  await using server = start((app) =>
    createIdeaContents({
      app,
      clock: createClock(),
      requester: () => ({ projectId, party: { kind: "external", name: "conformance" }, door: "mcp" }),
      mayReadScreen: mayReadOwnScreen,
    })
  );
  const { failed, ran, output } = await run(server.url);
  for (const name of WITH_OWN_CONTENTS) assert.ok(ran.includes(name) && !failed.includes(name), `${name}:\n${output}`);
});
