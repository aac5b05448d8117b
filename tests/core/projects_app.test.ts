import assert from "node:assert/strict";
import { createEvents, type IdeaEvent } from "../../core/events.ts";
import { createProjects, type Projects } from "../../core/app/projects.ts";
import { createId } from "../../core/ids.ts";
import { ok } from "../../core/result.ts";
import { error, value } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeEntropy, fakeId } from "../fakes/entropy.ts";
import { createFakeDisk } from "../fakes/folder.ts";

const NOW_MS = 1_800_000_000_000;

async function setup() {
  const clock = createFakeClock(NOW_MS);
  const disk = createFakeDisk(clock);
  const entropy = createFakeEntropy();
  const seen: IdeaEvent[] = [];
  const start = async () => {
    const events = createEvents((thrown) => assert.fail(String(thrown)));
    events.subscribe((event) => seen.push(event));
    const dataFolder = value(await disk.folders.open("/data"));
    return await createProjects({ folders: disk.folders, clock, entropy, events, dataFolder });
  };
  disk.makeFolder("/work/shop");
  return { disk, clock, seen, start, projects: await start() };
}

const openedId = async (projects: Projects, root: string) => value(await projects.open({ root })).projectId;

Deno.test("projects: a new folder becomes a project, and nothing but .ideai/ is touched", async () => {
  const { disk, projects, seen } = await setup();
  disk.write("/work/shop/index.html", "<p>");
  const view = value(await projects.open({ root: "/work/shop" }));
  const projectId = createId("project", fakeId(1));
  assert.deepEqual(view, {
    projectId,
    name: "shop",
    root: "/work/shop",
    open: true,
    createdAtMs: NOW_MS,
    lastOpenedAtMs: NOW_MS,
    problems: [],
  });
  assert.deepEqual(disk.files(), [
    "/data/projects.json",
    "/work/shop/.ideai/.gitignore",
    "/work/shop/.ideai/CONTEXT.md",
    "/work/shop/.ideai/project.json",
    "/work/shop/index.html",
  ]);
  const project = { version: 1, id: projectId, name: "shop", remote: { kind: "local" }, createdAt: NOW_MS };
  assert.deepEqual(JSON.parse(disk.read("/work/shop/.ideai/project.json") ?? ""), project);
  const ignored = ["state", "requests", "run", "worktrees", "memory/.index"].map((folder) => `/${folder}/`);
  assert.deepEqual(disk.read("/work/shop/.ideai/.gitignore")?.split("\n").slice(0, 5), ignored);
  assert.deepEqual(seen, [{ kind: "projectOpened", projectId, root: "/work/shop" }]);
  assert.deepEqual(projects.list(), [view]);
  assert.deepEqual(projects.get(projectId), ok(view));
  assert.equal(projects.opened(projectId)?.layouts.value().layouts.length, 1);
});

Deno.test("projects: opening what is open gives it as it is; a root that is none is refused", async () => {
  const { disk, projects } = await setup();
  const [a, b] = await Promise.all([projects.open({ root: "/work/shop" }), projects.open({ root: "/work/shop" })]);
  assert.deepEqual(value(a), value(b));
  assert.deepEqual(error(await projects.open({ root: "/work/none" })), { kind: "rootNotFound", path: "/work/none" });
  disk.write("/work/file", "x");
  assert.equal(error(await projects.open({ root: "/work/file" })).kind, "rootNotFound");
});

Deno.test("projects: closed ones stay known, across a restart, until they are forgotten", async () => {
  const { disk, clock, projects, start, seen } = await setup();
  const id = value(await projects.open({ root: "/work/shop", name: "Shop" })).projectId;
  value(await projects.close(id, { forget: false }));
  assert.deepEqual(error(await projects.close(id, { forget: false })), { kind: "projectNotOpen", projectId: id });
  assert.equal(projects.opened(id), undefined);
  clock.advance(5);
  disk.crash();
  const again = await start();
  assert.deepEqual(again.list().map(({ name, open }) => [name, open]), [["Shop", false]]);
  assert.equal(await openedId(again, "/work/shop"), id);
  assert.equal(again.list()[0]?.lastOpenedAtMs, NOW_MS + 5);
  value(await again.close(id, { forget: true }));
  assert.deepEqual(again.list(), []);
  assert.deepEqual(error(again.get(id)), { kind: "projectNotFound", projectId: id });
  assert.deepEqual(error(await again.close(id, { forget: true })), { kind: "projectNotFound", projectId: id });
  assert.equal(seen.filter(({ kind }) => kind === "projectClosed").length, 2);
  assert.ok(disk.read("/work/shop/.ideai/project.json") !== undefined);
});

Deno.test("projects: a project that another process has open is refused and named", async () => {
  const { disk, projects } = await setup();
  await using _other = value(await disk.folders.open("/work/shop/.ideai", { within: "/work/shop" }));
  const refused = error(await projects.open({ root: "/work/shop" }));
  assert.ok(refused.kind === "locked" && refused.path === "/work/shop");
  assert.deepEqual(projects.list(), []);
});

Deno.test("projects: a clone is a project of its own; a moved folder keeps its id", async () => {
  const { disk, projects, start } = await setup();
  const id = await openedId(projects, "/work/shop");
  const document = disk.read("/work/shop/.ideai/project.json") ?? "";
  disk.write("/work/clone/.ideai/project.json", document);
  const cloneId = await openedId(projects, "/work/clone");
  assert.notEqual(cloneId, id);
  assert.equal(disk.read("/work/clone/.ideai/project.json"), document);
  disk.crash();
  disk.remove("/work/shop");
  disk.write("/work/moved/.ideai/project.json", document);
  const again = await start();
  assert.equal(await openedId(again, "/work/clone"), cloneId);
  assert.equal(await openedId(again, "/work/moved"), id);
  assert.deepEqual(again.list().map(({ root }) => root).sort(), ["/work/clone", "/work/moved"]);
});

Deno.test("projects: corrupt and newer files are problems of the project, which opens", async () => {
  const { disk, projects, clock } = await setup();
  disk.write("/work/shop/.ideai/project.json", '{"version":7,"id":"p7","name":"Future","createdAt":1}');
  disk.write("/work/shop/.ideai/agents.json", "{half");
  disk.write("/work/shop/.ideai/layouts.json", "[]");
  const view = value(await projects.open({ root: "/work/shop" }));
  assert.equal(view.name, "Future");
  assert.equal(view.projectId, "p7");
  assert.deepEqual(view.problems.map(({ path, code }) => [path, code]), [
    ["project.json", "newerVersion"],
    [`agents.json.corrupt-${clock.nowMs()}`, "corrupt"],
    [`layouts.json.corrupt-${clock.nowMs()}`, "corrupt"],
  ]);
  assert.equal(disk.read(`/work/shop/.ideai/agents.json.corrupt-${clock.nowMs()}`), "{half");
  assert.match(disk.read("/work/shop/.ideai/project.json") ?? "", /"version":7/);
});

Deno.test("projects: a corrupt project.json gets the id back that it was known by", async () => {
  const { disk, projects, start } = await setup();
  const id = await openedId(projects, "/work/shop");
  disk.crash();
  disk.write("/work/shop/.ideai/project.json", "");
  const again = await start();
  assert.equal(await openedId(again, "/work/shop"), id);
  assert.equal(JSON.parse(disk.read("/work/shop/.ideai/project.json") ?? "{}").id, id);
});

Deno.test("projects: a full disk is a typed error, and the folder is free again", async () => {
  const { disk, projects } = await setup();
  disk.failWrites("diskFull");
  const refused = error(await projects.open({ root: "/work/shop" }));
  assert.ok(refused.kind === "storage" && refused.error.kind === "diskFull");
  disk.failWrites(undefined);
  value(await projects.open({ root: "/work/shop" }));
});

Deno.test("projects: an edit outside is read and told; one of ours does not lose it", async () => {
  const { disk, projects, seen } = await setup();
  const id = await openedId(projects, "/work/shop");
  const project = projects.opened(id);
  assert.ok(project !== undefined);
  const agent = (name: string) => ({
    agentId: createId("agent", name),
    name,
    mdPath: `agents/${name}.md`,
    profileId: createId("profile", "p"),
    synchronized: false,
  });
  disk.write("/work/shop/.ideai/agents.json", JSON.stringify({ version: 1, agents: [agent("theirs")] }));
  disk.write("/work/shop/.ideai/memory/x.md", "note");
  // Not read yet: the report is on its way.
  value(await project.updateManifest((manifest) => ok({ ...manifest, agents: [...manifest.agents, agent("ours")] })));
  assert.deepEqual(project.manifest().agents.map(({ name }) => name), ["theirs", "ours"]);
  await projects.close(id, { forget: false });
  const told = seen.filter((event) => event.kind === "projectChanged").map(({ what }) => what);
  assert.deepEqual(told.sort(), [["agents.json"], ["agents.json", "memory/x.md"]]);
});

Deno.test("projects: parts run while a project is open, and end before its folder closes", async () => {
  const { projects, seen } = await setup();
  const said: string[] = [];
  for (const part of ["a", "b"]) {
    projects.whileOpen(async (project) => {
      said.push(`${part} starts, ${seen.length} events`);
      value(await project.folder.writeText(`state/${part}`, ""));
      return {
        async [Symbol.asyncDispose]() {
          said.push(`${part} ends`);
          value(await project.folder.writeText(`state/${part}`, "ended"));
        },
      };
    });
  }
  const id = await openedId(projects, "/work/shop");
  await projects[Symbol.asyncDispose]();
  assert.deepEqual(said, ["a starts, 0 events", "b starts, 0 events", "b ends", "a ends"]);
  assert.equal(projects.opened(id), undefined);
});

Deno.test("projects: an older project gets its .gitignore with the first file that git must not see", async () => {
  const { disk, projects } = await setup();
  disk.write("/work/old/.ideai/project.json", '{"version":1,"id":"old","name":"Old","createdAt":1}');
  const before = disk.files().filter((path) => path.startsWith("/work/old"));
  const project = projects.opened(await openedId(projects, "/work/old"));
  assert.deepEqual(disk.files().filter((path) => path.startsWith("/work/old")), before);
  value(await project?.folder.writeText("CONTEXT.md", "x") ?? error(ok()));
  assert.equal(disk.read("/work/old/.ideai/.gitignore"), undefined);
  value(await project?.folder.appendLine("state/tickets.jsonl", "{}") ?? error(ok()));
  assert.ok(disk.read("/work/old/.ideai/.gitignore") !== undefined);
});
