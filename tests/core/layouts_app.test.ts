import assert from "node:assert/strict";
import { createLayouts } from "../../core/app/layouts.ts";
import { createProjects } from "../../core/app/projects.ts";
import { createEvents, type IdeaEvent } from "../../core/events.ts";
import { type CellId, createId, type LayoutId, type SessionId } from "../../core/ids.ts";
import type { LayoutCommand } from "../../core/layout/operation.ts";
import { leavesOf } from "../../core/layout/tree.ts";
import { error, value } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeEntropy } from "../fakes/entropy.ts";
import { createFakeDisk } from "../fakes/folder.ts";

const FILE = "/work/shop/.ideai/layouts.json";
const agentId = createId("agent", "main");
const session = (name: string) => createId("session", name);

async function setup(file?: unknown) {
  const clock = createFakeClock();
  const disk = createFakeDisk(clock);
  disk.makeFolder("/work/shop");
  if (file !== undefined) disk.write(FILE, JSON.stringify(file));
  const entropy = createFakeEntropy();
  const seen: IdeaEvent[] = [];
  const events = createEvents((thrown) => assert.fail(String(thrown)));
  events.subscribe((event) => seen.push(event));
  const dataFolder = value(await disk.folders.open("/data"));
  const projects = await createProjects({ folders: disk.folders, clock, entropy, events, dataFolder });
  const live = new Set<SessionId>();
  const layouts = createLayouts({ projects, entropy, events, isLive: (id) => live.has(id) });
  const { projectId } = value(await projects.open({ root: "/work/shop" }));
  const list = () => value(layouts.list(projectId));
  const [first] = list();
  assert.ok(first !== undefined);
  const operate = (command: LayoutCommand, layoutId: LayoutId = first.layoutId) =>
    layouts.operate(projectId, layoutId, command);
  const saved = () => JSON.parse(disk.read(FILE) ?? "null");
  const changes = () => seen.filter(({ kind }) => kind === "layoutChanged").length;
  return { disk, projects, layouts, projectId, list, first, operate, live, saved, changes };
}

function cellsOf(view: { readonly tree: Parameters<typeof leavesOf>[0] }): readonly CellId[] {
  return leavesOf(view.tree).map(({ id }) => id);
}

Deno.test("layouts: an operation is on disk and told when it resolves; one without effect is neither", async () => {
  const { disk, first, operate, saved, changes, list } = await setup();
  const [root] = cellsOf(first);
  assert.ok(root !== undefined);
  assert.equal(disk.read(FILE), undefined);
  const split = value(await operate({ op: "split", cellId: root, side: "right" }));
  assert.equal(cellsOf(split).length, 2);
  assert.deepEqual([split.canUndo, split.canRedo, split.active], [true, false, true]);
  assert.deepEqual(saved().layouts[0].tree, split.tree);
  assert.deepEqual(list(), [split]);
  assert.equal(changes(), 1);
  value(await operate({ op: "setSession", cellId: root, sessionId: null }));
  value(await operate({ op: "redo" }));
  assert.equal(changes(), 1);
});

Deno.test("layouts: undo and redo walk the steps of one layout", async () => {
  const { first, operate } = await setup();
  const [root] = cellsOf(first);
  assert.ok(root !== undefined);
  const one = value(await operate({ op: "split", cellId: root, side: "right" }));
  const two = value(await operate({ op: "split", cellId: root, side: "below" }));
  assert.deepEqual(value(await operate({ op: "undo" })).tree, one.tree);
  const back = value(await operate({ op: "undo" }));
  assert.deepEqual(back.tree, first.tree);
  assert.deepEqual([back.canUndo, back.canRedo], [false, true]);
  value(await operate({ op: "redo" }));
  assert.deepEqual(value(await operate({ op: "redo" })).tree, two.tree);
});

Deno.test("layouts: refusals are typed, and nothing changes", async () => {
  const { first, operate, disk, changes, layouts } = await setup();
  const [root] = cellsOf(first);
  assert.ok(root !== undefined);
  const nowhere = createId("cell", "nowhere");
  assert.deepEqual(error(await operate({ op: "close", cellId: nowhere })), { kind: "cellNotFound", cellId: nowhere });
  const move = { op: "move", cellId: root, targetId: root, place: "swap" } as const;
  assert.deepEqual(error(await operate(move)), { kind: "layoutRefused", reason: "sameCell" });
  assert.deepEqual(error(await operate({ op: "remove" })), { kind: "layoutRefused", reason: "lastLayout" });
  const unknown = createId("layout", "unknown");
  assert.deepEqual(error(await operate({ op: "undo" }, unknown)), { kind: "layoutNotFound", layoutId: unknown });
  const closed = createId("project", "closed");
  assert.deepEqual(error(layouts.list(closed)), { kind: "projectNotOpen", projectId: closed });
  disk.failWrites("diskFull");
  const refused = error(await operate({ op: "split", cellId: root, side: "right" }));
  assert.deepEqual(refused, { kind: "storage", error: { kind: "diskFull", path: "layouts.json" } });
  assert.equal(changes(), 0);
});

Deno.test("layouts: layouts are added, renamed, activated and removed", async () => {
  const { first, operate, list } = await setup();
  const graph = value(await operate({ op: "add", name: "Graph", kind: "gitGraph" }));
  assert.deepEqual(list().map(({ name, kind, active }) => [name, kind, active]), [
    ["Default", "terminal", false],
    ["Graph", "gitGraph", true],
  ]);
  value(await operate({ op: "activate" }));
  value(await operate({ op: "rename", name: "Main" }));
  assert.deepEqual(list().map(({ name, active }) => [name, active]), [["Main", true], ["Graph", false]]);
  assert.equal(value(await operate({ op: "remove" }, graph.layoutId)).layoutId, first.layoutId);
  assert.deepEqual(list().map(({ name }) => name), ["Main"]);
});

Deno.test("layouts: an agent is placed in one cell of all layouts, and is remembered as running", async () => {
  const { layouts, projectId, first, operate, list, live, saved } = await setup();
  const [root] = cellsOf(first);
  assert.ok(root !== undefined);
  const second = value(await operate({ op: "add", name: "Second", kind: "terminal" }));
  const [other] = cellsOf(second);
  assert.ok(other !== undefined);
  live.add(session("s1"));
  value(await layouts.place(projectId, { agentId, cellId: root, sessionId: session("s1") }));
  const leaves = () => list().flatMap(({ tree }) => leavesOf(tree));
  const shown = { agent: agentId, session: "s1", agentWasRunning: true };
  assert.deepEqual(leaves(), [{ id: root, ...shown }, { id: other }]);
  value(await layouts.place(projectId, { agentId, cellId: other, sessionId: session("s1") }));
  assert.deepEqual(leaves(), [{ id: root }, { id: other, ...shown, agentWasRunning: true }]);
  // Launched without a cell: it is shown where it was.
  live.add(session("s2"));
  value(await layouts.place(projectId, { agentId, sessionId: session("s2") }));
  assert.deepEqual(leaves()[1], { id: other, ...shown, session: "s2" });
  value(await layouts.place(projectId, { agentId, sessionId: null }));
  assert.deepEqual(leaves()[1], { id: other, agent: agentId, session: "s2" });
  live.clear();
  assert.deepEqual(leaves()[1], { id: other, agent: agentId });
  assert.equal(saved().layouts[1].tree.root.node.session, "s2");
  const nobody = createId("agent", "nobody");
  value(await layouts.place(projectId, { agentId: nobody, sessionId: session("s3") }));
  assert.deepEqual(leaves()[1], { id: other, agent: agentId });
});

Deno.test("layouts: an old file is shown repaired, and written only when something is done", async () => {
  const leaf = (id: string, more: object = {}) => ({ type: "leaf", node: { id, ...more } });
  const running = { agent: "main", agentWasRunning: true, session: "old" };
  const file = {
    version: 1,
    activeId: "l2",
    layouts: [
      { id: "l1", name: "One", kind: "terminal", tree: { root: leaf("a", running) }, color: "red" },
      { id: "l2", name: "Two", kind: "terminal", tree: { root: leaf("b", running) } },
    ],
  };
  const { list, disk, operate } = await setup(file);
  assert.deepEqual(list().map(({ tree }) => leavesOf(tree)[0]), [
    { id: "a" },
    { id: "b", agent: "main", agentWasRunning: true },
  ]);
  assert.equal(disk.read(FILE), JSON.stringify(file));
  value(await operate({ op: "rename", name: "First" }));
  const { layouts: [one, two] } = JSON.parse(disk.read(FILE) ?? "");
  assert.deepEqual(one, { ...file.layouts[0], name: "First", tree: { root: leaf("a") } });
  assert.deepEqual(two.tree.root.node, { id: "b", agent: "main", agentWasRunning: true });
});

Deno.test("layouts: an outside edit and an operation at the same time are both kept", async () => {
  const { first, operate, disk, saved } = await setup();
  const [root] = cellsOf(first);
  assert.ok(root !== undefined);
  value(await operate({ op: "rename", name: "Ours" }));
  const theirs = saved();
  theirs.layouts[0].note = "theirs";
  disk.write(FILE, JSON.stringify(theirs));
  value(await operate({ op: "split", cellId: root, side: "right" }));
  assert.equal(saved().layouts[0].note, "theirs");
  assert.equal(saved().layouts[0].name, "Ours");
});

Deno.test("layouts: a file of a newer version is shown and not changed", async () => {
  const file = {
    version: 2,
    activeId: "l1",
    layouts: [{ id: "l1", name: "One", tree: { root: { type: "leaf", node: { id: "a" } } } }],
  };
  const { operate, disk, list } = await setup(file);
  assert.equal(list().length, 1);
  const refused = error(await operate({ op: "rename", name: "x" }));
  assert.deepEqual(refused, { kind: "layoutRefused", reason: "newerVersion" });
  assert.equal(disk.read(FILE), JSON.stringify(file));
});
