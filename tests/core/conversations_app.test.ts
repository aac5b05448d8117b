import assert from "node:assert/strict";
import type { HistoryEntry } from "../../core/app/agent_history.ts";
import { createConversations } from "../../core/app/conversations.ts";
import { createLiveStates } from "../../core/app/live_state.ts";
import { createProjects } from "../../core/app/projects.ts";
import { conversationIdOf } from "../../core/conversations/pair.ts";
import { parseHandoff } from "../../core/conversations/handoff_document.ts";
import { createEvents, type IdeaEvent } from "../../core/events.ts";
import { createId, type TicketId } from "../../core/ids.ts";
import type { Ticket, TicketState } from "../../core/orchestration/ticket.ts";
import type { Party } from "../../core/parties.ts";
import type { FolderError } from "../../core/ports/folder.ts";
import { ok } from "../../core/result.ts";
import { error, value } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeEntropy, fakeId } from "../fakes/entropy.ts";
import { createFakeDisk } from "../fakes/folder.ts";
import { waitFor } from "../helpers/wait_for.ts";

const MAIN = createId("agent", fakeId(0xa1));
const DEV = createId("agent", fakeId(0xb2));
const human: Party = { kind: "human" };
const main: Party = { kind: "agent", agentId: MAIN };
const dev: Party = { kind: "agent", agentId: DEV };
const CLAUDE = createId("profile", "claude");
const pair = conversationIdOf(main, dev);
const at = (file: string) => `/work/shop/.ideai/conversations/${pair}/${file}`;

async function setup(prepare: (disk: ReturnType<typeof createFakeDisk>) => void = () => {}) {
  const clock = createFakeClock();
  const disk = createFakeDisk(clock);
  disk.makeFolder("/work/shop");
  prepare(disk);
  const seen: IdeaEvent[] = [];
  const problems: FolderError[] = [];
  const tickets = new Map<TicketId, Ticket>();
  const entropy = createFakeEntropy();
  const start = async () => {
    const events = createEvents((thrown) => assert.fail(String(thrown)));
    events.subscribe((event) => seen.push(event));
    const dataFolder = value(await disk.folders.open("/data"));
    const projects = await createProjects({ folders: disk.folders, clock, entropy, events, dataFolder });
    const onStorageError = (problem: FolderError) => void problems.push(problem);
    const conversations = createConversations({ projects, clock, events, onStorageError });
    const ticketOf = (_: unknown, ticketId: TicketId) => tickets.get(ticketId);
    const live = createLiveStates({ projects, clock, events, ticketOf, onStorageError });
    const { projectId } = value(await projects.open({ root: "/work/shop" }));
    const project = projects.opened(projectId);
    assert.ok(project !== undefined);
    const agent = (agentId: typeof MAIN, name: string) => ({
      agentId,
      name,
      mdPath: `agents/${name}.md`,
      profileId: CLAUDE,
      synchronized: false,
    });
    if (project.manifest().agents.length === 0) {
      value(await project.updateManifest((now) => ok({ ...now, agents: [agent(MAIN, "Main"), agent(DEV, "Dev")] })));
    }
    return { events, projects, conversations, live, projectId, project };
  };
  return { clock, disk, seen, problems, tickets, start, ...(await start()) };
}

function message(key: string, text: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return { from: main, to: dev, role: "prompt", text, key, atMs: 1, ...more };
}

Deno.test("conversations: a message is on disk and told when it resolves, once for each key", async () => {
  const { conversations, projectId, disk, seen } = await setup();
  const entry = message("t1.prompt", "Do it", { thinking: "hm", ticket: createId("ticket", "t1") });
  const results = await Promise.all(
    [entry, entry, { ...entry, text: "other" }].map((each) => conversations.append(projectId, each)),
  );
  assert.deepEqual(results.map(value), [true, false, false]);
  const lines = (disk.read(at("log.jsonl")) ?? "").trimEnd().split("\n");
  assert.equal(lines.length, 1);
  const [line] = value(await conversations.read(projectId, pair));
  assert.deepEqual(JSON.parse(lines[0] ?? ""), { ...line, conversation: pair });
  assert.deepEqual(line?.source, main);
  assert.deepEqual(JSON.parse(disk.read(at("meta.json")) ?? "").parties, [main, dev]);
  const grown = seen.filter(({ kind }) => kind === "conversationGrew");
  assert.deepEqual(grown, [{ kind: "conversationGrew", projectId, conversationId: pair }]);
});

Deno.test("conversations: a replay after a restart doubles nothing, and pairs are kept apart", async () => {
  const { conversations, projectId, disk, start } = await setup();
  value(await conversations.append(projectId, message("k 1", "one")));
  value(await conversations.append(projectId, message("k 1", "to me", { from: human, to: main })));
  disk.crash();
  const again = await start();
  assert.equal(value(await again.conversations.append(projectId, message("k 1", "one"))), false);
  assert.equal(value(await again.conversations.append(projectId, message("k 2", "two", { atMs: 9 }))), true);
  const list = value(await again.conversations.list(projectId));
  assert.deepEqual(
    list.map(({ parties, messageCount, lastAtMs }) => [parties.map(({ name }) => name), messageCount, lastAtMs]),
    [
      [["Main", "Dev"], 2, 9],
      [["You", "Main"], 1, 1],
    ],
  );
});

Deno.test("handoff: it follows the log a moment later, and at closing", async () => {
  const { conversations, projectId, project, projects, disk, clock } = await setup();
  value(await conversations.append(projectId, message("m1", "Write the parser for reset times, in all forms.")));
  assert.equal(disk.read(at("handoff.md")), undefined);
  clock.advance(1_000);
  await waitFor("the handoff", () => disk.read(at("handoff.md")) !== undefined);
  assert.equal(parseHandoff(disk.read(at("handoff.md")) ?? "").upTo, "m1");
  value(await conversations.append(projectId, message("m1b", "And test it.")));
  clock.advance(9_000);
  // Not for each burst of a conversation that goes on and on.
  assert.equal(parseHandoff(disk.read(at("handoff.md")) ?? "").upTo, "m1");
  clock.advance(1_000);
  await waitFor("the next", () => parseHandoff(disk.read(at("handoff.md")) ?? "").upTo === "m1b");
  value(await conversations.append(projectId, message("m2", "It is done.", { from: dev, to: main, role: "response" })));
  await projects.close(project.id, { forget: false });
  const handoff = parseHandoff(disk.read(at("handoff.md")) ?? "");
  assert.equal(handoff.upTo, "m2");
  assert.match(handoff.content, /\*\*Dev:\*\* It is done\./);
});

Deno.test("handoff: one that somebody wrote is not lost, before or after the log grows", async () => {
  const { conversations, projectId, disk, projects, start } = await setup();
  value(await conversations.append(projectId, message("m1", "Write the parser for reset times, in all its forms.")));
  value(await conversations.handoff(projectId, pair));
  disk.write(at("handoff.md"), "---\nupTo: m1\nobjective: Parse\n---\nMy own words.\n");
  value(
    await conversations.append(projectId, message("m2", "It is green.", { from: dev, to: main, role: "response" })),
  );
  const { content, objective } = value(await conversations.handoff(projectId, pair));
  assert.match(content, /My own words\./);
  assert.match(content, /It is green\./);
  assert.equal(objective, "Parse");
  assert.match(disk.read(at("handoff.md")) ?? "", /My own words\./);
  value(await conversations.append(projectId, message("m2b", "More.")));
  disk.write(at("handoff.md"), "just now", { unnoticed: true });
  assert.match(value(await conversations.handoff(projectId, pair)).content, /just now[\s\S]*More\./);
  await projects[Symbol.asyncDispose]();
  disk.write(at("handoff.md"), "only this");
  disk.crash();
  const again = await start();
  value(await again.conversations.append(projectId, message("m3", "Next: the badge.")));
  assert.match(value(await again.conversations.handoff(projectId, pair)).content, /only this[\s\S]*Next: the badge/);
});

Deno.test("conversations: what git brought in is read", async () => {
  const { conversations, projectId, disk } = await setup();
  value(await conversations.append(projectId, message("m1", "one")));
  const theirs = { ...JSON.parse(disk.read(at("log.jsonl")) ?? ""), id: "m0", text: "theirs" };
  disk.write(at("log.jsonl"), `${JSON.stringify(theirs)}\n${disk.read(at("log.jsonl"))}`);
  const count = async () => value(await conversations.list(projectId))[0]?.messageCount;
  await waitFor("the reload", async () => await count() === 2);
  assert.equal(value(await conversations.append(projectId, message("m0", "theirs"))), false);
});

Deno.test("conversations: what cannot be found or written is a typed error", async () => {
  const { conversations, projectId, disk, problems, clock } = await setup();
  const unknown = createId("conversation", "unknown");
  const missing = { kind: "conversationNotFound", conversationId: unknown };
  assert.deepEqual(error(await conversations.read(projectId, unknown)), missing);
  assert.deepEqual(error(await conversations.handoff(projectId, unknown)), missing);
  const closed = createId("project", "closed");
  assert.deepEqual(error(await conversations.list(closed)), { kind: "projectNotOpen", projectId: closed });
  assert.deepEqual(error(await conversations.append(closed, message("x", "x"))), {
    kind: "projectNotOpen",
    projectId: closed,
  });
  value(await conversations.append(projectId, message("m1", "one")));
  disk.failWrites("diskFull");
  const refused = error(await conversations.append(projectId, message("m2", "two")));
  assert.ok(refused.kind === "storage" && refused.error.kind === "diskFull");
  clock.advance(1_000);
  await waitFor("the report", () => problems.length > 0);
  disk.failWrites(undefined);
  assert.equal(value(await conversations.append(projectId, message("m2", "two"))), true);
});

Deno.test("history: the provider's conversation is kept for each profile, across a restart", async () => {
  const { conversations, projectId, disk, start } = await setup();
  const { history } = conversations;
  assert.equal(await history.providerSession(projectId, MAIN, CLAUDE), undefined);
  await history.keepProviderSession(projectId, MAIN, { profileId: CLAUDE, id: undefined });
  assert.equal(disk.files().some((path) => path.includes("/conversations/")), false);
  await history.keepProviderSession(projectId, MAIN, { profileId: CLAUDE, id: "s1" });
  disk.crash();
  const again = await start();
  assert.equal(await again.conversations.history.providerSession(projectId, MAIN, CLAUDE), "s1");
  assert.equal(await again.conversations.history.providerSession(projectId, DEV, CLAUDE), undefined);
  assert.deepEqual(value(await again.conversations.list(projectId)), []);
  await again.conversations.history.keepProviderSession(projectId, MAIN, { profileId: CLAUDE, id: undefined });
  assert.equal(await again.conversations.history.providerSession(projectId, MAIN, CLAUDE), undefined);
});

Deno.test("history: an agent is handed its conversations, the latest first and most of it, within the bound", async () => {
  const { conversations, projectId } = await setup();
  assert.equal(await conversations.history.handoff(projectId, DEV), undefined);
  const long = "A sentence that was decided and goes on about core/limits/parse.ts for quite a while. ".repeat(40);
  for (let count = 0; count < 12; count++) {
    await conversations.history.record(projectId, message(`a${count}`, long, { atMs: 100 + count }));
    await conversations.history.record(projectId, message(`b${count}`, long, { from: human, atMs: count }));
    await conversations.history.record(projectId, message(`c${count}`, long, { from: human, to: main, atMs: count }));
  }
  const handoff = await conversations.history.handoff(projectId, DEV) ?? "";
  assert.ok(handoff.length <= 4_000 && handoff.length > 2_000, `${handoff.length}`);
  assert.deepEqual([...handoff.matchAll(/^# (.*)$/gm)].map(([, title]) => title), ["With Main", "With User"]);
  const soFar = await conversations.history.soFar(projectId, main, DEV);
  assert.ok(soFar.length <= 2_000 && soFar.startsWith("**Main:** A sentence"), soFar.slice(0, 80));
});

function ticket(id: string, state: TicketState, more: Partial<Ticket> = {}): Ticket {
  return {
    id: createId("ticket", id),
    from: main,
    to: DEV,
    kind: "delegation",
    task: "Fix the\nparser",
    state,
    receipts: [],
    repeat: 0,
    needsAttention: false,
    reminded: false,
    ...more,
  };
}

Deno.test("live state: it follows the tickets, and is on disk a moment later", async () => {
  const { live, projectId, events, tickets, clock, disk, start, projects } = await setup();
  const tell = (now: Ticket) => {
    tickets.set(now.id, now);
    events.publish({ kind: "ticketChanged", projectId, ticketId: now.id, to: DEV, state: now.state });
  };
  const nowMs = clock.nowMs();
  assert.deepEqual(live.read(projectId), ok({ agents: [], intents: [] }));
  tell(ticket("t1", "queued"));
  tell(ticket("t1", "delivered"));
  tell(ticket("t1", "accepted"));
  const working = { agentId: DEV, doing: "Fix the parser", sinceMs: nowMs, for: "Main", ticket: "t1" };
  assert.deepEqual(value(live.read(projectId)).agents, [working]);
  assert.equal(live.describe(projectId), "- Dev: Fix the parser, for Main");
  assert.equal(disk.read("/work/shop/.ideai/state/live.json"), undefined);
  clock.advance(500);
  await waitFor("the file", () => disk.read("/work/shop/.ideai/state/live.json") !== undefined);
  clock.advance(1_000);
  tell(ticket("t1", "failed", { failure: { kind: "noReply" } }));
  const endedMs = clock.nowMs();
  const after = [
    { agentId: DEV, doing: "", sinceMs: endedMs },
    {
      agentId: MAIN,
      doing: "",
      sinceMs: 0,
      lastDelegation: { to: "Dev", ticket: "t1", outcome: "failed: noReply", atMs: endedMs },
    },
  ];
  assert.deepEqual(value(live.read(projectId)).agents, after);
  await projects[Symbol.asyncDispose]();
  disk.crash();
  const again = await start();
  assert.deepEqual(value(again.live.read(projectId)).agents, after);
});

Deno.test("live state: what an agent says of itself is on disk when it is told so", async () => {
  const { live, projectId, disk, events, clock } = await setup();
  const file = () => JSON.parse(disk.read("/work/shop/.ideai/state/live.json") ?? "{}");
  value(await live.setStatus(projectId, MAIN, { doing: "Planning", until: "noon" }));
  value(await live.setIntents(projectId, ["Release 1.0"]));
  assert.deepEqual(file().agents, [{ agentId: MAIN, doing: "Planning", sinceMs: clock.nowMs(), until: "noon" }]);
  assert.equal(live.describe(projectId), "- The project is after: Release 1.0\n- Main: Planning (until noon)");
  const outside = { ...file(), intents: ["Release 2.0"] };
  disk.write("/work/shop/.ideai/state/live.json", JSON.stringify(outside));
  await waitFor("the reload", () => live.describe(projectId).includes("Release 2.0"));
  events.publish({ kind: "agentStopped", projectId, agentId: MAIN, crashed: false });
  assert.equal(live.describe(projectId), "- The project is after: Release 2.0");
  disk.failWrites("diskFull");
  assert.deepEqual(error(await live.setStatus(projectId, MAIN, { doing: "x" })), {
    kind: "storage",
    detail: "state/live.json: diskFull",
  });
  const closed = createId("project", "closed");
  assert.equal(error(live.read(closed)).kind, "projectNotOpen");
});
