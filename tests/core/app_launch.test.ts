import assert from "node:assert/strict";
import { type CellId, createId } from "../../core/ids.ts";
import { leavesOf } from "../../core/layout/tree.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { error, fake, IDEAI, makeProfile, ROOT, setup, value, type World } from "../helpers/app.ts";

const SECRET = `secret-${"1".padStart(40, "0")}`;

function firstCell({ app, projectId }: World): CellId {
  const [layout] = value(app.layouts.list(projectId));
  const cell = layout === undefined ? undefined : leavesOf(layout.tree)[0];
  assert.ok(cell !== undefined);
  return cell.id;
}

/** Kinds of the events of agents and sessions, and what each of them says. */
function told({ events }: World): readonly string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case "agentStateChanged":
        return [`${event.state} (${event.signal})`];
      case "agentLaunched":
        return [event.resumed ? "agentLaunched, resumed" : "agentLaunched"];
      case "agentStopped":
        return [event.crashed ? "agentStopped, crashed" : "agentStopped"];
      case "sessionOpened":
      case "sessionExited":
      case "sessionClosed":
        return [event.kind];
      default:
        return [];
    }
  });
}

const runFiles = ({ disk }: World) => disk.files().filter((path) => path.startsWith(`${IDEAI}/run/`));

Deno.test("launch: the program gets its files, its context and its secret, and is told of in order", async () => {
  await using world = await setup();
  const { disk, running } = world;
  const ada = world.agent("Ada");
  disk.write(`${IDEAI}/agents/ada.md`, "You are careful.\n");
  disk.write(`${IDEAI}/CONTEXT.md`, "Never push.\n");
  disk.write(`${IDEAI}/memory/MEMORY.md`, "- [build](build.md): how to build\n");
  const cli = await world.launch("Ada");

  const run = `${IDEAI}/run/${ada}`;
  assert.deepEqual(runFiles(world), [`${run}/context.md`, `${run}/mcp.json`, `${run}/secret`]);
  for (const path of runFiles(world)) assert.ok(disk.isSecret(path), path);
  const [flag, conversation] = cli.program.argv.slice(1);
  assert.deepEqual(cli.program.argv, [
    "/bin/fake",
    ...[flag, conversation],
    ...["--context", `${run}/context.md`, "--mcp", `${run}/mcp.json`],
  ]);
  assert.equal(flag, "--session");
  assert.equal(cli.program.cwd, ROOT);
  assert.deepEqual([cli.program.env["HOME"], cli.program.env["IDEA_MCP_URL"]], [
    "/home/ann",
    "http://127.0.0.1:4000/mcp",
  ]);
  const secret = disk.read(`${run}/secret`) ?? "";
  assert.deepEqual(running.secrets.identify(secret), { projectId: world.projectId, agentId: ada });
  assert.ok(disk.read(`${run}/mcp.json`)?.includes(secret));
  assert.ok(!cli.program.argv.some((arg) => arg.includes(secret)));

  const context = disk.read(`${run}/context.md`) ?? "";
  assert.deepEqual([...context.matchAll(/^#.*/gm)].map(([line]) => line), [
    "# You are Ada",
    "## Your role",
    "## Rules of this project",
    "## What the project remembers",
    "### MEMORY",
    "## Working with your colleagues",
  ]);
  for (const text of [ROOT, "You are careful.", "Never push.", "how to build", "Ben (Fake), Cleo (Fake)"]) {
    assert.ok(context.includes(text), text);
  }
  assert.deepEqual(told(world), ["sessionOpened", "starting (launched)", "agentLaunched", "idle (OSC 7501 idle)"]);
  const view = value(world.app.agents.get(world.projectId, ada));
  assert.deepEqual([view.state, view.queueLength, view.cellId], ["idle", 0, undefined]);
});

Deno.test("launch: what skills an agent has comes in the manifest's order, without those that were deleted", async () => {
  await using world = await setup();
  for (const name of ["review", "release"]) {
    value(await world.send("", { name: "createSkill", input: { name, content: `How to ${name}.` } }));
  }
  const index: { skills: { id: string; name: string }[] } = JSON.parse(
    world.disk.read(`${IDEAI}/skills/index.json`) ?? "",
  );
  const idOf = (name: string) => index.skills.find((skill) => skill.name === name)?.id;
  const manifest: { agents: Record<string, unknown>[] } = JSON.parse(world.disk.read(`${IDEAI}/agents.json`) ?? "");
  const skills = [idOf("release"), "gone", idOf("review")].map((skillId) => ({ skillId, scope: "project" }));
  const agents = manifest.agents.map((agent) => (agent["name"] === "Ada" ? { ...agent, skills } : agent));
  world.disk.write(`${IDEAI}/agents.json`, JSON.stringify({ ...manifest, agents }));
  await world.settle();
  await world.launch("Ada");
  const context = world.disk.read(`${IDEAI}/run/${world.agent("Ada")}/context.md`) ?? "";
  assert.deepEqual([...context.matchAll(/^## Skill: .*\n\n.*/gm)].map(([text]) => text), [
    "## Skill: release\n\nHow to release.",
    "## Skill: review\n\nHow to review.",
  ]);
});

const codex = referenceProfiles.find(({ name }) => name === "Codex") ?? fake;
const byText = makeProfile({
  id: "bytext",
  programStatus: true,
  contextInjection: { strategy: "flag", flag: "--context", value: "text" },
});

const failures: readonly {
  readonly what: string;
  readonly profile: string;
  readonly arrange?: (world: World) => void;
  readonly kind: string;
}[] = [
  { what: "a program that is not installed", profile: "missing", kind: "programNotFound" },
  { what: "a profile that nobody has", profile: "nobodys", kind: "unknownProfile" },
  {
    what: "a context that the program cannot take",
    profile: codex.id,
    arrange: ({ disk }) => disk.write(`${IDEAI}/agents/ada.md`, "x".repeat(200_000)),
    kind: "contextTooLong",
  },
  {
    what: "a system that does not start it",
    profile: "bytext",
    arrange: ({ disk }) => disk.write(`${IDEAI}/agents/ada.md`, "a\0b"),
    kind: "spawnFailed",
  },
  { what: "a full disk", profile: "fake", arrange: ({ disk }) => disk.failWrites("diskFull"), kind: "storage" },
  {
    what: "a context that is no text",
    profile: "fake",
    arrange: ({ disk }) => disk.write(`${IDEAI}/agents/ada.md`, new Uint8Array([0xff, 0xfe])),
    kind: "storage",
  },
];

for (const { what, profile, arrange, kind } of failures) {
  Deno.test(`launch: ${what} is an error, and leaves nothing`, async () => {
    await using world = await setup({
      agents: { Ada: profile },
      profiles: [fake, byText, codex, makeProfile({ id: "missing", command: "not-there" })],
      missing: ["not-there"],
    });
    arrange?.(world);
    const refused = error(await world.result(world.app.agents.launch(world.projectId, world.agent("Ada"), {})));
    assert.equal(refused.kind, kind);
    world.disk.failWrites(undefined);
    assert.deepEqual(runFiles(world), []);
    assert.deepEqual(world.app.terminals.list(), []);
    assert.equal(world.running.secrets.identify(SECRET), undefined);
    assert.deepEqual(told(world), []);
    assert.equal(value(world.app.agents.get(world.projectId, world.agent("Ada"))).state, "stopped");
  });
}

Deno.test("launch: who waits for an agent that cannot be started is told why", async () => {
  await using world = await setup({
    agents: { Ada: "fake", Ben: "missing" },
    profiles: [fake, makeProfile({ id: "missing", name: "Missing", command: "not-there" })],
    missing: ["not-there"],
  });
  const refused = error(await world.result(world.ask("Ada", "Ben", "hello")));
  const detail = "not-there (profile Missing) is not installed, or not in the PATH of the login shell";
  assert.ok(refused.kind === "targetFailed");
  assert.deepEqual([refused.target, refused.failure], ["Ben", { kind: "launchFailed", detail }]);
});

Deno.test("launch: its own cell again is a re-attach; elsewhere it is running already", async () => {
  await using world = await setup();
  const { app, projectId } = world;
  const ada = world.agent("Ada");
  const cellId = firstCell(world);
  const other = createId("cell", "elsewhere");
  const first = value(await world.result(app.agents.launch(projectId, ada, { cellId })));
  assert.equal(first.cellId, cellId);
  const again = value(await world.result(app.agents.launch(projectId, ada, { cellId })));
  assert.deepEqual([again.sessionId, again.cellId], [first.sessionId, cellId]);
  for (const options of [{ cellId: other }, {}]) {
    assert.deepEqual(error(await app.agents.launch(projectId, ada, options)), {
      kind: "agentAlreadyRunning",
      agentId: ada,
      nodeId: cellId,
    });
  }
  assert.equal(value(await app.agents.moveToCell(projectId, ada, other)).cellId, other);
  assert.equal(world.started().length, 1);
});

Deno.test("launch: two at once are one session", async () => {
  await using world = await setup();
  const { app, projectId } = world;
  const ada = world.agent("Ada");
  const [a, b] = await world.result(Promise.all([
    app.agents.launch(projectId, ada, {}),
    app.agents.launch(projectId, ada, { cellId: firstCell(world) }),
  ]));
  assert.equal(value(a).sessionId, value(b).sessionId);
  await world.settle();
  assert.equal(world.started().length, 1);
  assert.equal(app.terminals.list().length, 1);
});

Deno.test("launch: the layout remembers where an agent runs, and a launch by its queue finds that cell", async () => {
  await using world = await setup();
  const { app, projectId } = world;
  const ben = world.agent("Ben");
  const cellId = firstCell(world);
  value(await world.result(app.agents.launch(projectId, ben, { cellId })));
  value(await world.result(app.agents.stop(projectId, ben)));
  await world.settle();
  void world.ask("Ada", "Ben", "hello");
  await world.untilReady("Ben");
  assert.equal(value(app.agents.get(projectId, ben)).cellId, cellId);
  const [layout] = value(app.layouts.list(projectId));
  const [leaf] = layout === undefined ? [] : leavesOf(layout.tree);
  assert.deepEqual([leaf?.agent, leaf?.agentWasRunning], [ben, true]);
});

Deno.test("launch: by command into a cell, visible, or with what makes the agent", async () => {
  await using world = await setup();
  const launch = (input: object) =>
    world.result(world.send("Ada", { name: "launch", input: { target: "Dora", ...input } }));
  assert.deepEqual(error(await launch({})), {
    kind: "agentNotFound",
    target: "Dora",
    known: ["Ada", "Ben", "Cleo"],
  });
  assert.deepEqual(error(await launch({ profile: "nope" })), { kind: "unknownProfile", profile: "nope" });
  assert.deepEqual(error(await launch({ profile: "fake", node: "nope" })), {
    kind: "conflict",
    what: "there is no cell nope",
  });
  const done = value(await launch({ profile: "Fake", context: "You paint.", visibility: "visible", task: "paint" }));
  assert.deepEqual(done, { kind: "done", detail: "Dora was started." });
  const dora = await world.untilReady("Dora");
  assert.equal(value(world.app.agents.get(world.projectId, world.agent("Dora"))).cellId, firstCell(world));
  assert.equal(world.disk.read(`${IDEAI}/agents/dora.md`), "You paint.");
  await world.until("the task", () => dora.lines.length === 1);
  assert.deepEqual(value(await launch({ task: "more" })), { kind: "done", detail: "Dora has the task." });
  assert.equal(error(await launch({})).kind, "agentAlreadyRunning");
});
