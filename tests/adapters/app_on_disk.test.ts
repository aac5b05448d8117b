/** The app on this machine's disk: what programs write into `.ideai/` is heard, and what IdeA writes there is private. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { createClock } from "../../adapters/clock/mod.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createAgentClis } from "../../adapters/profiles/agent_clis.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import { createApp } from "../../core/app/create_app.ts";
import { defaultTerminalsLimits } from "../../core/app/terminals.ts";
import type { IdeaEvent } from "../../core/events.ts";
import type { AgentId } from "../../core/ids.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { err } from "../../core/result.ts";
import { type FakeCli, installFakeCli } from "../fakes/agent_cli.ts";
import { createFakePty } from "../fakes/pty.ts";
import { createFakeStates } from "../fakes/terminal_state.ts";
import { fake, value } from "../helpers/app.ts";
import { waitFor } from "../helpers/wait_for.ts";

const claude = referenceProfiles.find(({ name }) => name === "Claude Code") ?? fake;

async function setup() {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-app-" }));
  const root = join(base, "shop");
  const ideai = join(root, ".ideai");
  await Deno.mkdir(root);
  const clock = createClock();
  const folders = createFolders(clock);
  const dataFolder = value(await folders.open(join(base, "data")));
  const pty = createFakePty();
  const clis = installFakeCli(pty, "/bin/claude");
  const defects: unknown[] = [];
  const events: IdeaEvent[] = [];
  const running = await createApp({
    clock,
    entropy: createEntropy(),
    folders,
    dataFolder,
    folderBrowser: { list: () => Promise.resolve(err({ kind: "folderNotFound", path: "/" })) },
    projectFiles: { read: ({ path }) => Promise.resolve(err({ kind: "fileNotFound", path })) },
    programs: {
      find: (program) => Promise.resolve(`/bin/${program}`),
      run: (argv) => Promise.resolve(err({ kind: "notAllowed", program: argv[0] })),
      loginEnvironment: () => Promise.resolve({ HOME: base, PATH: "/bin" }),
    },
    pty,
    states: createFakeStates(),
    clis: createAgentClis(),
    terminalLimits: { ...defaultTerminalsLimits, platform: "linux" },
    mcpUrl: () => "http://127.0.0.1:4000/mcp",
    mcpBridge: () => ["/bin/idea", "mcp"],
    localZone: "UTC",
    onDefect: (error) => defects.push(error),
  });
  const { app } = running;
  app.events.subscribe((event) => events.push(event));
  const { projectId } = value(await app.projects.open({ root }));
  const make = async (name: string) =>
    value(await app.agents.create(projectId, { name, profileId: claude.id })).agentId;
  const [ada, ben] = [await make("Ada"), await make("Ben")];

  /** The program of that agent that lives now. */
  async function ready(agentId: AgentId): Promise<FakeCli> {
    const find = () =>
      clis.find(({ program }) => !program.hasEnded() && program.argv.some((arg) => arg.includes(agentId)));
    await waitFor("a program", () => find() !== undefined);
    running.mcpClients.onReady({ projectId, agentId }, "toolsListed");
    const cli = find();
    assert.ok(cli !== undefined);
    return cli;
  }

  async function write(path: string, text: string, options: Deno.WriteFileOptions = {}): Promise<void> {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, options);
  }

  return {
    app,
    projectId,
    root,
    ideai,
    ada,
    ben,
    events,
    defects,
    ready,
    write,
    requester: (agentId: AgentId) => ({ projectId, party: { kind: "agent", agentId }, door: "mcp" } as const),
    answerAt: async (path: string) => {
      let response: Readonly<Record<string, unknown>> = {};
      await waitFor(`an answer to ${path}`, async () => {
        const text = await Deno.readTextFile(`${path}.response.json`).catch(() => undefined);
        response = text === undefined ? {} : JSON.parse(text);
        return text !== undefined && response["pending"] !== true;
      });
      return response;
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await dataFolder[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
      assert.deepEqual(defects, []);
    },
  };
}

Deno.test("app on disk: a question by file, written in pieces, is answered beside it and then gone", async () => {
  await using world = await setup();
  const { ideai, ada, ben } = world;
  const path = join(ideai, "requests", ada, "q.json");
  const text = JSON.stringify({ type: "agent.message", targetAgent: "Ben", task: "what time is it?" });
  await world.write(path, text.slice(0, 20));
  await world.write(path, text.slice(20), { append: true });
  const cli = await world.ready(ben);
  await waitFor("the task", () => cli.lines.length === 1);
  value(await world.app.orchestrator.dispatch({ name: "reply", input: { result: "noon" } }, world.requester(ben)));
  assert.equal((await world.answerAt(path))["reply"], "noon");
  await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
});

Deno.test("app on disk: a link that leaves the project is refused, and nothing of what it names is told", async () => {
  await using world = await setup();
  const folder = join(world.ideai, "requests", world.ada);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.symlink("/etc/passwd", join(folder, "link.json"));
  const linked = await world.answerAt(join(folder, "link.json"));
  assert.equal(linked["ok"], false);
  assert.ok(!JSON.stringify(linked).includes("root:"));
  assert.ok((await Deno.stat("/etc/passwd")).size > 0);
});

Deno.test({
  name: "app on disk: pipes, folders and links to nowhere stop nobody",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using world = await setup();
    const { app, projectId, root, ideai, ada } = world;
    const folder = join(ideai, "requests", ada);
    value(await app.projects.close(projectId, { forget: false }));
    await Deno.mkdir(join(folder, "a-folder.json"), { recursive: true });
    await Deno.symlink(join(root, "nowhere"), join(folder, "a-link.json"));
    const pipes = ["a1", "a2", "a3", "a4", "a5"].map((name) => join(folder, `${name}.json`));
    assert.ok((await new Deno.Command("mkfifo", { args: pipes }).output()).success);
    const path = join(folder, "good.json");
    await world.write(path, JSON.stringify({ type: "context.read" }));
    value(await app.projects.open({ root }));
    assert.equal((await world.answerAt(path))["ok"], true);
  },
});

Deno.test("app on disk: a line of a hook is heard at once, and is no change of the project", async () => {
  await using world = await setup();
  const { app, projectId, ideai, ben } = world;
  const asking = app.orchestrator.dispatch(
    { name: "ask", input: { target: "Ben", task: "one" } },
    { projectId, party: { kind: "external", name: "test" }, door: "ui" },
  );
  const cli = await world.ready(ben);
  await waitFor("the task", () => cli.lines.length === 1);
  const hooks = join(ideai, "run", ben, "hooks.jsonl");
  const stop = { session_id: "c1", hook_event_name: "PermissionRequest", tool_name: "Bash" };
  await world.write(hooks, `${JSON.stringify(stop)}\n`, { append: true });
  cli.says("idle");
  await world.write(hooks, `${JSON.stringify({ hook_event_name: "Stop", last_assistant_message: "noon" })}\n`, {
    append: true,
  });
  const answer = value(await asking);
  assert.ok(answer.kind === "reply");
  assert.deepEqual([answer.text, answer.source], ["noon", "lastAnswer"]);
  await world.write(join(ideai, "CONTEXT.md"), "# New\n");
  await waitFor("a change that is one", () => world.events.some(({ kind }) => kind === "projectChanged"));
  const changed = world.events.flatMap((event) => event.kind === "projectChanged" ? event.what : []);
  assert.deepEqual(changed.filter((path) => path.startsWith("run/") || path.startsWith("requests/")), []);
});

Deno.test({
  name: "app on disk: what an agent is given is the owner's alone, and hooks may add to it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using world = await setup();
    value(await world.app.agents.launch(world.projectId, world.ada, {}));
    const run = join(world.ideai, "run", world.ada);
    const modes: string[] = [];
    for await (const { name } of Deno.readDir(run)) {
      const { mode } = await Deno.stat(join(run, name));
      modes.push(`${name} ${((mode ?? 0) & 0o777).toString(8)}`);
    }
    const { mode } = await Deno.stat(run);
    assert.equal(((mode ?? 0) & 0o777).toString(8), "700");
    assert.deepEqual(modes.sort(), [
      "context.md 600",
      "hooks.jsonl 600",
      "mcp.json 600",
      "secret 600",
      "settings.json 600",
    ]);
    const ignored = await Deno.readTextFile(join(world.ideai, ".gitignore"));
    for (const folder of ["/run/", "/requests/", "/state/"]) assert.ok(ignored.includes(folder));
  },
});

Deno.test("app on disk: closed and opened again, what was asked is answered", async () => {
  await using world = await setup();
  const { app, projectId, root, ideai, ada, ben } = world;
  const path = join(ideai, "requests", ada, "q.json");
  await world.write(path, JSON.stringify({ type: "agent.message", targetAgent: "Ben", task: "one" }));
  const first = await world.ready(ben);
  await waitFor("the task", () => first.lines.length === 1);
  value(await app.projects.close(projectId, { forget: false }));
  value(await app.projects.open({ root }));
  assert.ok(first.program.hasEnded());
  const second = await world.ready(ben);
  await waitFor("the task again", () => second.lines.length === 1);
  value(await app.orchestrator.dispatch({ name: "reply", input: { result: "noon" } }, world.requester(ben)));
  assert.equal((await world.answerAt(path))["reply"], "noon");
});
