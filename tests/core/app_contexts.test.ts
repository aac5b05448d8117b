import assert from "node:assert/strict";
import type { Command } from "../../core/orchestration/commands.ts";
import { error, IDEAI, NOW_MS, ROOT, setup, value, type World } from "../helpers/app.ts";

const send = (world: World, command: Command) => world.result(world.send("Ada", command));
const text = (content: string) => ({ kind: "text", text: content }) as const;

Deno.test("contexts: an agent's is read and rewritten, the project's is read", async () => {
  await using world = await setup();
  const update = { name: "updateContext", input: { target: "ben", content: "You are quick." } } as const;
  assert.deepEqual(value(await send(world, update)), {
    kind: "done",
    detail: "The context of ben was written; it holds from the next launch.",
  });
  assert.equal(world.disk.read(`${IDEAI}/agents/ben.md`), "You are quick.\n");
  assert.deepEqual(
    value(await send(world, { name: "contextRead", input: { target: "Ben" } })),
    text("You are quick.\n"),
  );
  assert.deepEqual(value(await send(world, { name: "contextRead", input: {} })), text("# shop\n"));
  assert.deepEqual(error(await send(world, { name: "contextRead", input: { target: "Zoe" } })), {
    kind: "agentNotFound",
    target: "Zoe",
    known: ["Ada", "Ben", "Cleo"],
  });
  world.disk.failWrites("diskFull");
  assert.deepEqual(error(await send(world, update)), { kind: "storage", detail: "diskFull: agents/ben.md" });
});

Deno.test("contexts: the project's has one writer, so a proposal waits for the person", async () => {
  await using world = await setup();
  const done = value(await send(world, { name: "contextPropose", input: { content: "Always test." } }));
  const id = done.kind === "done" ? /Proposal (\S+) waits/.exec(done.detail)?.[1] : undefined;
  const { baseHash, ...proposal } = JSON.parse(world.disk.read(`${IDEAI}/proposals/${id}.json`) ?? "");
  assert.match(baseHash, /^[0-9a-f]{64}$/);
  assert.deepEqual(proposal, {
    version: 1,
    id,
    author: `agent:${world.agent("Ada")}`,
    path: "CONTEXT.md",
    content: "Always test.",
    state: "open",
    createdAtMs: NOW_MS,
  });
  assert.equal(world.disk.read(`${IDEAI}/CONTEXT.md`), "# shop\n");
});

Deno.test("skills: one of a name, in the project or for all projects, and both are offered", async () => {
  await using world = await setup();
  const create = (name: string, content: string, scope?: "global") =>
    send(world, { name: "createSkill", input: { name, content, ...(scope === undefined ? {} : { scope }) } });
  assert.deepEqual(value(await create("Review", "Look.")), { kind: "done", detail: "The skill Review was created." });
  assert.deepEqual(value(await create("review", "Look twice.")), {
    kind: "done",
    detail: "The skill review was replaced.",
  });
  value(await create("Release", "Ship.", "global"));
  value(await create("Review", "Hidden by the project's.", "global"));
  assert.deepEqual(value(await world.app.skills.list(world.projectId)), [
    { name: "review", content: "Look twice.\n" },
    { name: "Release", content: "Ship.\n" },
  ]);
  const both = await world.result(Promise.all([create("a", "A"), create("b", "B")]));
  both.forEach(value);
  const { skills } = JSON.parse(world.disk.read(`${IDEAI}/skills/index.json`) ?? "");
  assert.deepEqual(skills.map(({ name }: { name: string }) => name), ["review", "a", "b"]);
});

Deno.test("notes: written with their index, read, and refused under names that are none", async () => {
  await using world = await setup();
  const write = (slug: string, content: string) => send(world, { name: "memoryWrite", input: { slug, content } });
  const read = (slug?: string) => send(world, { name: "memoryRead", input: slug === undefined ? {} : { slug } });
  value(await write("build", "Run make.\nThen wait."));
  assert.deepEqual(
    value(await read("build")),
    text(
      "---\nname: build\ndescription: Run make.\nmetadata:\n  type: project\n---\n\nRun make.\nThen wait.\n",
    ),
  );
  value(await write("build", "Run just."));
  const index = value(await read());
  assert.ok(index.kind === "text");
  assert.equal(index.text.split("\n").filter((line) => line.includes("build.md")).length, 1);
  const many = ["a", "b", "c", "d", "e"];
  (await world.result(Promise.all(many.map((slug) => write(slug, `About ${slug}.`))))).forEach(value);
  const grown = world.disk.read(`${IDEAI}/memory/MEMORY.md`) ?? "";
  for (const slug of many) assert.ok(grown.includes(`- [${slug}](${slug}.md) — About ${slug}.`), grown);
  for (const slug of ["../secret", "A b", "x/y", ".."]) assert.equal(error(await write(slug, "x")).kind, "invalid");
  assert.deepEqual(error(await read("none")), { kind: "conflict", what: "there is no note none" });
});

Deno.test("status: an agent says what it does, for the others and for those that start", async () => {
  await using world = await setup();
  value(await send(world, { name: "setStatus", input: { doing: "the tests", until: "noon" } }));
  assert.deepEqual(value(world.app.liveState.read(world.projectId)).agents, [
    { agentId: world.agent("Ada"), doing: "the tests", sinceMs: NOW_MS, until: "noon" },
  ]);
  await world.launch("Ben");
  const context = world.disk.read(`${IDEAI}/run/${world.agent("Ben")}/context.md`) ?? "";
  assert.ok(context.includes("- Ada: the tests (until noon)"), context);
  const refused = await world.send("", { name: "setStatus", input: { doing: "x" } });
  assert.equal(error(refused).kind, "forbidden");
});

Deno.test("workspace: what was open comes back; what a person closed, or what is gone, does not", async () => {
  await using world = await setup();
  const { app, disk, running } = world;
  for (const root of ["/home/ann/a", "/home/ann/b", "/home/ann/c"]) disk.makeFolder(root);
  const [a, b, c] = [
    value(await app.projects.open({ root: "/home/ann/a" })),
    value(await app.projects.open({ root: "/home/ann/b" })),
    value(await app.projects.open({ root: "/home/ann/c" })),
  ];
  const tabs = () => JSON.parse(disk.read("/data/workspace.json") ?? "").windows[0].tabs;
  assert.deepEqual(tabs(), [world.projectId, a.projectId, b.projectId, c.projectId]);
  value(await app.projects.close(b.projectId, { forget: false }));
  assert.deepEqual(tabs(), [world.projectId, a.projectId, c.projectId]);
  // IdeA ends: that is no wish to close.
  running.workspace.end();
  for (const { projectId } of [a, c]) value(await app.projects.close(projectId, { forget: false }));
  assert.deepEqual(tabs(), [world.projectId, a.projectId, c.projectId]);
  disk.remove("/home/ann/c");

  await running.workspace.reopen();
  const open = app.projects.list().filter((view) => view.open).map(({ root }) => root).sort();
  assert.deepEqual(open, ["/home/ann/a", ROOT].sort());
});
