import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import type { AgentProfile } from "../../core/profiles/profile.ts";
import { fake, IDEAI, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

const named = (name: string): AgentProfile => referenceProfiles.find((profile) => profile.name === name) ?? fake;
const claude = named("Claude Code");
const codex = named("Codex");
const RECORDED = fileURLToPath(new URL("../fixtures/transcripts", import.meta.url));

function hook(world: World, report: Readonly<Record<string, unknown>>): void {
  const path = `${IDEAI}/run/${world.agent("Ben")}/hooks.jsonl`;
  world.disk.write(path, `${world.disk.read(path) ?? ""}${JSON.stringify({ session_id: "c1", ...report })}\n`);
}

async function startClaude(world: World, transcript: string | undefined) {
  const launched = world.app.agents.launch(world.projectId, world.agent("Ben"), {});
  value(await world.result(launched));
  world.running.mcpClients.onReady({ projectId: world.projectId, agentId: world.agent("Ben") }, "toolsListed");
  const ben = await world.untilReady("Ben");
  hook(world, {
    hook_event_name: "SessionStart",
    ...(transcript === undefined ? {} : { transcript_path: transcript }),
  });
  await world.settle();
  return ben;
}

/** What is said between Ben and one other, oldest first: who, what, thinking, and whether of a ticket. */
async function said(world: World, other: string): Promise<readonly (readonly unknown[])[]> {
  const { app, projectId } = world;
  const views = value(await app.conversations.list(projectId));
  const view = views.find(({ parties }) => parties.some(({ name }) => name === other));
  if (view === undefined) return [];
  const messages = value(await app.conversations.read(projectId, view.conversationId));
  return messages.map(({ source, text, thinking, ticket }) => [
    source.kind,
    text,
    ...(thinking === undefined ? [] : [`(${thinking})`]),
    ...(ticket === undefined ? [] : ["ticket"]),
  ]);
}

/** Reads of transcripts are reads of real files, which need real time. */
async function untilSaid(world: World, count: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await said(world, "You")).length >= count) return;
    await world.pass(100);
  }
  throw new Error(`not ${count} messages but ${JSON.stringify(await said(world, "You"))}`);
}

const HUMAN_TURNS = [
  ["human", "How long does it take? Please think about it. [[say About two hours.]]"],
  ["agent", "About two hours.", "(The question is easy, so the answer is short.)"],
  ["human", "Write it down.\nIn two lines. [[say Written.]]"],
  ["agent", "Written."],
];

Deno.test("records: what a person and Claude said comes from its transcript, once, however often it is read", async () => {
  await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
  const transcript = join(RECORDED, "claude-2.1.332.jsonl");
  const interrupted = [
    ["human", "long one [[slow 20 late]]"],
    ["agent", "tick 0 tick 1 tick 2 tick 3 tick 4 tick 5 tick 6"],
  ];
  for (let start = 0; start < 3; start++) {
    const ben = await startClaude(world, transcript);
    ben.says("working");
    await world.settle();
    ben.says("idle");
    await untilSaid(world, 6);
    // The delegation in the middle of it is recorded where it belongs, from its ticket.
    assert.deepEqual(await said(world, "You"), [...HUMAN_TURNS, ...interrupted]);
    if (start === 0) value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ben"))));
    else await world.restart();
  }
});

Deno.test("records: Codex's transcript is found by the conversation that its tool calls name", async () => {
  const home = await Deno.makeTempDir({ prefix: "idea-codex-" });
  const id = "01a22d37-c792-7d50-ac16-a1a9fd060704";
  const day = join(home, "sessions/2026/11/30");
  await Deno.mkdir(day, { recursive: true });
  await Deno.copyFile(join(RECORDED, "codex-0.171.0.jsonl"), join(day, `rollout-2026-11-30T16-09-20-${id}.jsonl`));
  const profile = { ...codex, env: { ...codex.env, CODEX_HOME: home } };
  try {
    await using world = await setup({ agents: { Ben: codex.id }, profiles: [profile] });
    const ben = await world.launch("Ben");
    world.running.mcpClients.onCallMeta({ projectId: world.projectId, agentId: world.agent("Ben") }, { sessionId: id });
    ben.says("working");
    await world.settle();
    ben.says("idle");
    await untilSaid(world, 4);
    assert.deepEqual(await said(world, "You"), HUMAN_TURNS.map(([who, text]) => [who, text]));
    // And it is what the next launch resumes.
    value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ben"))));
    assert.deepEqual((await world.launch("Ben")).program.argv.slice(1, 3), ["resume", id]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

function row(role: "user" | "assistant", more: { id: string; atMs: number; text?: string; thinking?: string }): string {
  const { id, atMs, text, thinking } = more;
  const block = thinking === undefined ? { type: "text", text } : { type: "thinking", thinking };
  return `${
    JSON.stringify({
      type: role,
      uuid: id,
      timestamp: new Date(atMs).toISOString(),
      isSidechain: false,
      message: { role, content: role === "user" ? text : [block] },
    })
  }\n`;
}

Deno.test("records: a message from the composer is recorded once, with the thinking of its answer", async () => {
  const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
  try {
    await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
    const ben = await startClaude(world, transcript);
    const { app, projectId } = world;
    const sent = value(await app.orchestrator.enqueueMessage(projectId, world.agent("Ben"), "hi\n  there"));
    await world.until("the message", () => world.ticket(sent.id).state === "accepted");
    const atMs = world.clock.nowMs();
    const typed = atMs + 60_000;
    const rows = [
      row("user", { id: "r1", atMs, text: "hi\n  there" }),
      row("assistant", { id: "r2", atMs: atMs + 1, thinking: "a greeting" }),
      row("assistant", { id: "r3", atMs: atMs + 2, text: "Hello." }),
      // Later the person types the very same words themselves.
      row("user", { id: "r4", atMs: typed + 300_000, text: "hi there" }),
      row("assistant", { id: "r5", atMs: typed + 300_001, text: "Again?" }),
    ];
    await Deno.writeTextFile(transcript, rows.slice(0, 3).join(""));
    hook(world, { hook_event_name: "Stop", last_assistant_message: "Hello." });
    ben.says("idle");
    await untilSaid(world, 2);
    const first = [["human", "hi\n  there", "ticket"], ["agent", "Hello.", "(a greeting)", "ticket"]];
    assert.deepEqual(await said(world, "You"), first);

    await Deno.writeTextFile(transcript, rows.slice(3).join(""), { append: true });
    ben.says("working");
    await world.settle();
    ben.says("idle");
    await untilSaid(world, 4);
    const all = [...first, ["human", "hi there"], ["agent", "Again?"]];
    assert.deepEqual(await said(world, "You"), all);

    await world.restart();
    const again = await startClaude(world, transcript);
    again.says("working");
    await world.settle();
    again.says("idle");
    await world.pass(5_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await world.pass(5_000);
    assert.deepEqual(await said(world, "You"), all);
  } finally {
    await Deno.remove(transcript);
  }
});

Deno.test("records: a turn whose conversation is named only after its end is recorded without another one", async () => {
  await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
  value(await world.result(world.app.agents.launch(world.projectId, world.agent("Ben"), {})));
  world.running.mcpClients.onReady({ projectId: world.projectId, agentId: world.agent("Ben") }, "toolsListed");
  const ben = await world.untilReady("Ben");
  ben.says("working");
  await world.settle();
  ben.says("idle");
  await world.pass(5_000);
  hook(world, { hook_event_name: "Stop", transcript_path: join(RECORDED, "claude-2.1.332.jsonl") });
  await untilSaid(world, 6);
});

Deno.test("records: a message whose answer is read only when IdeA is ended is recorded once", async () => {
  const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
  try {
    await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
    await startClaude(world, transcript);
    const sent = value(await world.app.orchestrator.enqueueMessage(world.projectId, world.agent("Ben"), "hi"));
    await world.until("the message", () => world.ticket(sent.id).state === "accepted");
    const atMs = world.clock.nowMs();
    const rows = [row("user", { id: "r1", atMs, text: "hi" }), row("assistant", { id: "r2", atMs, text: "Hello." })];
    await Deno.writeTextFile(transcript, rows.join(""));
    await world.stop();
    await world.start();
    await world.settle();
    assert.deepEqual(await said(world, "You"), [["human", "hi", "ticket"], ["agent", "Hello.", "ticket"]]);
  } finally {
    await Deno.remove(transcript);
  }
});

Deno.test("records: without a transcript the answer to a message is what the hook tells", async () => {
  await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
  const ben = await startClaude(world, undefined);
  const sent = value(await world.app.orchestrator.enqueueMessage(world.projectId, world.agent("Ben"), "hi"));
  await world.until("the message", () => world.ticket(sent.id).state === "accepted");
  hook(world, { hook_event_name: "Stop", last_assistant_message: "Hello." });
  ben.says("idle");
  await world.until("its end", () => world.ticket(sent.id).state === "answered");
  await world.settle();
  assert.deepEqual(await said(world, "You"), [["human", "hi", "ticket"], ["agent", "Hello.", "ticket"]]);
});

Deno.test("records: a delegation is in the conversation of its two, as it was given and answered", async () => {
  await using world = await setup();
  const first = world.ask("Ada", "Ben", "one");
  const edited = ticketIdOf(await world.result(world.ask("Ada", "Ben", "two", { waitSeconds: 0 })));
  const taken = ticketIdOf(await world.result(world.ask("Ada", "Ben", "three", { waitSeconds: 0 })));
  const ben = await world.untilReady("Ben");
  const edit = (change: Parameters<World["app"]["orchestrator"]["editQueue"]>[2]) =>
    world.app.orchestrator.editQueue(world.projectId, world.agent("Ben"), change);
  value(await edit({ op: "edit", ticketId: edited, task: "two, better" }));
  value(await edit({ op: "remove", ticketId: taken }));
  for (const answer of ["first", "second"]) {
    await world.until("a task", () => world.tickets().some(({ state }) => state === "accepted"));
    value(await world.reply("Ben", answer));
    ben.says("idle");
    await world.settle();
  }
  assert.equal(value(await world.result(first)).kind, "reply");
  assert.deepEqual(await said(world, "Ada"), [
    ["agent", "one", "ticket"],
    ["agent", "first", "ticket"],
    ["agent", "two, better", "ticket"],
    ["agent", "second", "ticket"],
  ]);
  assert.deepEqual(await said(world, "You"), []);
  // The journal and the log agree after a kill, and nothing is said twice.
  await world.restart();
  await world.settle();
  assert.equal((await said(world, "Ada")).length, 4);
});

Deno.test("records: what was journalled and not yet in the conversation when IdeA was killed is there afterwards", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  await world.untilReady("Ben");
  await world.until("the task", () => world.tickets().some(({ state }) => state === "accepted"));
  value(await world.reply("Ben", "noon"));
  await world.result(asking);
  await world.settle();
  const logs = world.disk.files().filter((path) => path.endsWith("/log.jsonl"));
  assert.equal(logs.length, 1);
  for (const log of logs) world.disk.remove(log);
  await world.restart();
  await world.settle();
  assert.deepEqual(await said(world, "Ada"), [["agent", "one", "ticket"], ["agent", "noon", "ticket"]]);
});

for (const heardFirst of ["the transcript", "the ticket"]) {
  Deno.test(`records: an answer that was recorded from ${heardFirst} is not again from the other after a kill`, async () => {
    const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
    try {
      await using world = await setup({ agents: { Ben: claude.id }, profiles: [claude] });
      const ben = await startClaude(world, heardFirst === "the transcript" ? transcript : undefined);
      const { app, projectId } = world;
      const sent = value(await app.orchestrator.enqueueMessage(projectId, world.agent("Ben"), "hi"));
      await world.until("the message", () => world.ticket(sent.id).state === "accepted");
      const atMs = world.clock.nowMs();
      const rows = [row("user", { id: "r1", atMs, text: "hi" }), row("assistant", { id: "r2", atMs, text: "Hello." })];
      await Deno.writeTextFile(transcript, rows.join(""));
      hook(world, { hook_event_name: "Stop", last_assistant_message: "Hello." });
      ben.says("idle");
      const once = [["human", "hi", "ticket"], ["agent", "Hello.", "ticket"]];
      await untilSaid(world, 2);
      await world.restart();
      const again = await startClaude(world, transcript);
      again.says("working");
      await world.settle();
      again.says("idle");
      for (let reads = 0; reads < 3; reads++) {
        await world.pass(2_000);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      assert.deepEqual(await said(world, "You"), once);
    } finally {
      await Deno.remove(transcript);
    }
  });
}

Deno.test("records: words that IdeA itself types are nobody's", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const { sessionId } = value(world.app.agents.get(world.projectId, world.agent("Ben")));
  assert.ok(sessionId !== undefined);
  value(world.app.terminals.write(sessionId, "build it\r", "person"));
  await world.until("their turn", () => ben.lines.length === 1);
  await world.settle();
  ben.says("error", "limit reached, resets in 5m");
  await world.until("the word to go on", () => ben.lines.length === 2, 3_600_000);
  await world.settle();
  assert.ok(ben.lines[1]?.startsWith("[IdeA · the session limit is over]"));
  assert.deepEqual(await said(world, "You"), []);
});
