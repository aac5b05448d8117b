/** The real project of IdeA 0.2.0 opens: all of it is read, and nothing of it is rewritten. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { createClock } from "../../adapters/clock/mod.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import { createConversations } from "../../core/app/conversations.ts";
import { createLayouts } from "../../core/app/layouts.ts";
import { createLiveStates } from "../../core/app/live_state.ts";
import { createProjects } from "../../core/app/projects.ts";
import { DEFAULT_HANDOFF_CHARS } from "../../core/conversations/handoff.ts";
import { createEvents } from "../../core/events.ts";
import { createId } from "../../core/ids.ts";
import { findViolations } from "../../core/layout/check.ts";
import { leavesOf } from "../../core/layout/tree.ts";
import { parseNote } from "../../core/memory/note.ts";
import { skillPath, SKILLS_INDEX_PATH, skillsFormat } from "../../core/skills/skills_document.ts";
import { parseDocument } from "../../core/workspace/document.ts";
import { error, value } from "../contracts/folder.ts";
import { pathOf, requires, shared } from "../helpers/requires.ts";

const fixture = shared("fixtures/idea-0.2.0");
const AGENTS = ["Main", "Architect", "DevBackend", "DevFrontend", "QA", "Git"];

async function setup() {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-fixture-" }));
  const root = join(base, "project");
  await copy(pathOf(fixture), root);
  const stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(base, { recursive: true }));
  const clock = createClock();
  const folders = createFolders(clock);
  const fail = (thrown: unknown) => assert.fail(JSON.stringify(thrown));
  const events = createEvents(fail);
  const dataFolder = stack.use(value(await folders.open(join(base, "data"))));
  const entropy = createEntropy();
  const projects = stack.use(await createProjects({ folders, clock, entropy, events, dataFolder }));
  const conversations = createConversations({ projects, clock, events, onStorageError: fail });
  const layouts = createLayouts({ projects, entropy, events, isLive: () => false });
  createLiveStates({ projects, clock, events, ticketOf: () => undefined, onStorageError: fail });
  return { root, projects, conversations, layouts, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** The fixture is read-only; its copy is not. */
async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copy(join(from, name), join(to, name));
    else await Deno.writeFile(join(to, name), await Deno.readFile(join(from, name)));
  }
}

/** Every file with its content and time, and every folder. */
async function snapshot(root: string, path = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(root, path))) {
    const inner = path === "" ? name : `${path}/${name}`;
    if (isDirectory) found.push(inner, ...await snapshot(root, inner));
    else {
      const hash = createHash("sha256").update(await Deno.readFile(join(root, inner))).digest("hex");
      found.push(`${inner} ${hash} ${(await Deno.stat(join(root, inner))).mtime?.getTime()}`);
    }
  }
  return found.sort();
}

Deno.test({
  name: "fixture: opening, reading all of it and closing rewrites nothing and leaves nothing behind",
  ...requires(fixture),
  async fn() {
    await using app = await setup();
    const before = await snapshot(app.root);
    const { projectId, name, problems } = value(await app.projects.open({ root: app.root }));
    assert.deepEqual([projectId, name, problems], ["97b49ac2-8376-4aa3-8ea9-bf3ac81d0023", "IdeA", []]);
    const lock = [".ideai/state", ".ideai/state/idea.lock"];
    const whileOpen = (await snapshot(app.root)).filter((line) => !before.includes(line));
    assert.deepEqual(whileOpen.map((line) => line.split(" ")[0]), lock);
    value(app.layouts.list(projectId));
    for (const { conversationId } of value(await app.conversations.list(projectId))) {
      value(await app.conversations.handoff(projectId, conversationId));
    }
    value(await app.projects.close(projectId, { forget: false }));
    assert.deepEqual(await snapshot(app.root), before);
  },
});

Deno.test({
  name: "fixture: the six agents, the layouts, the permissions, skills and notes are read",
  ...requires(fixture),
  async fn() {
    await using app = await setup();
    const { projectId } = value(await app.projects.open({ root: app.root }));
    const project = app.projects.opened(projectId);
    assert.ok(project !== undefined);
    const { agents } = project.manifest();
    assert.deepEqual(agents.map(({ name }) => name), AGENTS);
    for (const { mdPath, profileId } of agents) {
      assert.equal(profileId, "664cc20c-47b8-53ad-9351-dce3c09c0de4");
      assert.ok((value(await project.folder.readText(mdPath))?.text.length ?? 0) > 3_000, mdPath);
    }
    const [terminal, graph] = value(app.layouts.list(projectId));
    assert.ok(terminal !== undefined && graph !== undefined);
    assert.deepEqual([terminal.name, terminal.kind, terminal.active], ["Default", "terminal", true]);
    assert.deepEqual([graph.name, graph.kind, graph.active], ["Git Graph", "gitGraph", false]);
    assert.deepEqual(findViolations(terminal.tree), []);
    const running = leavesOf(terminal.tree).filter(({ agentWasRunning }) => agentWasRunning === true);
    const nameOf = (id: string | undefined) => agents.find(({ agentId }) => agentId === id)?.name;
    assert.deepEqual(running.map(({ agent }) => nameOf(agent)), ["Main", "DevBackend", "Git", "QA"]);
    assert.equal(leavesOf(terminal.tree).length, 5);
    const text = async (path: string) => value(await project.folder.readText(path))?.text ?? "";
    const index = value(parseDocument(skillsFormat, await text(SKILLS_INDEX_PATH)));
    const [skill] = index.skills;
    assert.ok(index.skills.length === 1 && skill?.name === "build-appimage");
    assert.match(await text(skillPath(skill.id)), /^# Build de l'AppImage/);
    const notes = value(await project.folder.list("memory")).filter(({ name }) => name !== "MEMORY.md");
    assert.equal(notes.length, 7);
    for (const { name } of notes) {
      const note = parseNote(name.replace(/\.md$/, ""), await text(`memory/${name}`));
      assert.ok(note.description.length > 20 && note.body.length > 500, name);
    }
    assert.equal(JSON.parse(await text("permissions.json")).projectDefaults.rules.length, 4);
  },
});

Deno.test({
  name: "fixture: the five conversations are found by their parties, with their handoffs",
  ...requires(fixture),
  async fn() {
    await using app = await setup();
    const { projectId } = value(await app.projects.open({ root: app.root }));
    const list = value(await app.conversations.list(projectId));
    const found = list.map(({ conversationId, parties, messageCount, hasHandoff }) => [
      conversationId.slice(0, 8),
      parties.map(({ name }) => name).sort().join(" ↔ "),
      messageCount,
      hasHandoff,
    ]);
    assert.deepEqual(found, [
      ["6bc594e8", "Git ↔ Main", 21, true],
      ["09b15ec3", "DevFrontend ↔ Main", 12, true],
      ["3512c746", "Main ↔ agent 93dc1f5f", 7, true],
      // Only one of them ever spoke here: the other one follows from the id.
      ["dd35eeb0", "DevBackend ↔ QA", 1, true],
      ["6ffc1f69", "Main ↔ agent c932c770", 3, true],
    ]);
    for (const { conversationId } of list) {
      const messages = value(await app.conversations.read(projectId, conversationId));
      const handoff = value(await app.conversations.handoff(projectId, conversationId));
      assert.equal(handoff.upTo, messages.at(-1)?.id);
      assert.ok((handoff.objective?.length ?? 0) > 20 && handoff.content.startsWith("**Objectif :**"));
    }
    const [git, frontend] = list;
    assert.ok(git !== undefined && frontend !== undefined);
    const old = value(await app.conversations.handoff(projectId, git.conversationId));
    assert.ok(old.content.length > 30_000);
    const unknown = createId("conversation", "00000000-0000-0000-0000-000000000000");
    assert.equal(error(await app.conversations.read(projectId, unknown)).kind, "conversationNotFound");
  },
});

Deno.test({
  name: "fixture: a conversation goes on in its old log, and its handoff is bounded from then on",
  ...requires(fixture),
  async fn() {
    await using app = await setup();
    const { projectId } = value(await app.projects.open({ root: app.root }));
    const project = app.projects.opened(projectId);
    const idOf = (name: string) => project?.manifest().agents.find((agent) => agent.name === name)?.agentId;
    const [main, git] = [idOf("Main"), idOf("Git")];
    assert.ok(project !== undefined && main !== undefined && git !== undefined);
    const logPath = join(app.root, ".ideai/conversations/6bc594e8-a37c-0dbd-1de6-6e3b73002cb4/log.jsonl");
    const before = await Deno.readTextFile(logPath);
    await app.conversations.history.record(projectId, {
      from: { kind: "agent", agentId: main },
      to: { kind: "agent", agentId: git },
      role: "prompt",
      text: "LS8 est terminé : commite le fix de test séparément, dans `frontend/src/adapters/mock/mock.test.ts`.",
      key: "new",
      atMs: 1_790_000_000_000,
    });
    const after = await Deno.readTextFile(logPath);
    assert.ok(after.startsWith(before) && after.split("\n").length === before.split("\n").length + 1);
    const conversationId = createId("conversation", "6bc594e8-a37c-0dbd-1de6-6e3b73002cb4");
    const { content, upTo, objective } = value(await app.conversations.handoff(projectId, conversationId));
    assert.ok(content.length <= DEFAULT_HANDOFF_CHARS && content.length > 2_500, `${content.length}`);
    assert.equal(upTo, "new");
    assert.match(objective ?? "", /^LS8 est terminé/);
    for (const part of ["## Decisions", "feature/agent-session-limits", "mock.test.ts", "**Main:** LS8 est terminé"]) {
      assert.ok(content.includes(part), part);
    }
    assert.ok((await project.folder.readText(".gitignore")).ok);
    const handed = await app.conversations.history.handoff(projectId, git);
    assert.match(handed ?? "", /^# With Main/);
  },
});
