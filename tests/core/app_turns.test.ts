import assert from "node:assert/strict";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import {
  error,
  fake,
  IDEAI,
  makeProfile,
  setup,
  type SetupOptions,
  ticketIdOf,
  value,
  type World,
} from "../helpers/app.ts";

const claude = referenceProfiles.find(({ name }) => name === "Claude Code") ?? fake;
const withClaude: SetupOptions = { agents: { Ada: claude.id, Ben: claude.id }, profiles: [claude] };

/** A line that a hook of the CLI appends. */
function hook(world: World, name: string, report: Readonly<Record<string, unknown>>): void {
  const path = `${IDEAI}/run/${world.agent(name)}/hooks.jsonl`;
  world.disk.write(path, `${world.disk.read(path) ?? ""}${JSON.stringify({ session_id: "c1", ...report })}\n`);
}

const stop = (world: World, answer?: string) =>
  hook(world, "Ben", {
    hook_event_name: "Stop",
    ...(answer === undefined ? {} : { last_assistant_message: answer }),
  });

async function working(world: World, task = "one") {
  const asking = world.ask("@test", "Ben", task);
  await world.until("the program", () => world.started().length > 0);
  world.running.mcpClients.onReady({ projectId: world.projectId, agentId: world.agent("Ben") }, "toolsListed");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  return { asking, ben };
}

const lastAnswer = (text: string) => ({ kind: "reply", text, source: "lastAnswer" });

async function answerOf(world: World, asking: ReturnType<World["ask"]>) {
  const { ticket: _, ...answer } = { ticket: "", ...value(await world.result(asking)) };
  return answer;
}

Deno.test("turn: the last answer is taken for the reply, by a hook before the end of the turn", async () => {
  await using world = await setup(withClaude);
  const { asking, ben } = await working(world);
  stop(world, "It is noon.");
  await world.settle();
  ben.says("idle");
  assert.deepEqual(await answerOf(world, asking), lastAnswer("It is noon."));
  const { receipts } = world.ticket(world.tickets()[0]?.id ?? "");
  assert.deepEqual(receipts.at(-1)?.cause, "lastAnswer");
});

Deno.test("turn: the hook may come a moment after the end of the turn", async () => {
  await using world = await setup(withClaude);
  const { asking, ben } = await working(world);
  ben.says("idle");
  await world.pass(1_000);
  assert.equal(world.tickets()[0]?.state, "accepted");
  stop(world, "It is noon.");
  assert.deepEqual(await answerOf(world, asking), lastAnswer("It is noon."));
});

Deno.test("turn: an answer of an earlier turn is not taken for one of this", async () => {
  await using world = await setup(withClaude);
  const { asking, ben } = await working(world);
  value(await world.reply("Ben", "by tool"));
  await world.result(asking);
  ben.says("idle");
  stop(world, "old");
  await world.pass(5_000);
  const next = world.ask("@test", "Ben", "two");
  await world.until("the next", () => ben.lines.length === 2);
  await world.settle();
  ben.says("idle");
  await world.until("the reminder", () => ben.lines.length === 3);
  value(await world.reply("Ben", "new"));
  assert.equal(value(await world.result(next)).kind, "reply");
});

/** Two turns, of which hooks tell in these lines only once the second one runs; its end follows. */
async function lateHooks(profile: typeof claude, lines: (typed: readonly string[]) => readonly unknown[]) {
  const world = await setup({ agents: { Ben: profile.id }, profiles: [profile] });
  const first = world.ask("@test", "Ben", "one");
  await world.until("the program", () => world.started().length > 0);
  world.running.mcpClients.onReady({ projectId: world.projectId, agentId: world.agent("Ben") }, "toolsListed");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => ben.lines.length === 1);
  value(await world.reply("Ben", "by tool"));
  await world.result(first);
  ben.says("idle");
  const second = world.ask("@test", "Ben", "two");
  await world.until("the next", () => world.tickets().some(({ state }) => state === "accepted"));
  await world.settle();
  for (const line of lines(ben.lines)) {
    hook(world, "Ben", { ...Object(line) });
    await world.settle();
  }
  ben.says("idle");
  return { world, ben, second };
}

const started = (id: string, prompt: string | undefined) => ({
  hook_event_name: "UserPromptSubmit",
  prompt_id: id,
  prompt,
});
const ended = (id: string, answer: string) => ({
  hook_event_name: "Stop",
  prompt_id: id,
  last_assistant_message: answer,
});

Deno.test("turn: the end of the one before, heard late, is not taken for its end, by the id of its prompt", async () => {
  const { world, second } = await lateHooks(claude, ([one, two]) => [
    started("p1", one),
    ended("p1", "old"),
    started("p2", two),
    ended("p2", "new"),
    ended("p1", "old"),
  ]);
  await using _ = world;
  assert.deepEqual(await answerOf(world, second), lastAnswer("new"));
});

Deno.test("turn: when only the late end of the one before is heard, the agent is reminded", async () => {
  const { world, ben, second } = await lateHooks(claude, ([one]) => [started("p1", one), ended("p1", "old")]);
  await using _ = world;
  await world.until("the reminder", () => ben.lines.length === 3);
  value(await world.reply("Ben", "new"));
  assert.equal(value(await world.result(second)).kind, "reply");
});

Deno.test("turn: codex's notify of the one before, heard late, is known by what was asked until then", async () => {
  const notify = (id: string, asked: readonly (string | undefined)[], answer: string) => ({
    type: "agent-turn-complete",
    "thread-id": "c1",
    "turn-id": id,
    "input-messages": asked,
    "last-assistant-message": answer,
  });
  const codex = referenceProfiles.find(({ name }) => name === "Codex") ?? fake;
  const { world, second } = await lateHooks(codex, ([one, two]) => [
    notify("t2", [one, two], "new"),
    notify("t1", [one], "old"),
  ]);
  await using _ = world;
  assert.deepEqual(await answerOf(world, second), lastAnswer("new"));
});

Deno.test("turn: what the transcript has from the one before is no answer to this", async () => {
  const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
  try {
    await using world = await setup(withClaude);
    const { asking, ben } = await working(world);
    const row = (type: string, content: unknown) => {
      const timestamp = new Date(world.clock.nowMs()).toISOString();
      return `${JSON.stringify({ type, uuid: type, timestamp, message: { role: type, content } })}\n`;
    };
    await Deno.writeTextFile(transcript, row("user", ben.lines[0]) + row("assistant", [{ type: "text", text: "old" }]));
    hook(world, "Ben", { hook_event_name: "SessionStart", transcript_path: transcript });
    ben.says("idle");
    const answered = () => world.tickets().some(({ state }) => state === "answered");
    for (let tries = 0; tries < 100 && !answered(); tries++) {
      await world.pass(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(await answerOf(world, asking), lastAnswer("old"));
    const next = world.ask("@test", "Ben", "two");
    await world.until("the next", () => ben.lines.length === 2);
    ben.says("idle");
    for (let tries = 0; tries < 100 && ben.lines.length < 3; tries++) {
      await world.pass(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.match(ben.lines[2] ?? "", /reminder/);
    value(await world.reply("Ben", "new"));
    assert.equal(value(await world.result(next)).kind, "reply");
  } finally {
    await Deno.remove(transcript);
  }
});

Deno.test("turn: one that ends without an answer is reminded once, and then an error", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  const { id: ticket } = world.inWork("Ben");
  ben.says("idle");
  await world.until("the reminder", () => ben.lines.length === 2);
  assert.equal(
    ben.lines[1],
    `[IdeA · reminder · ticket ${ticket}] Your turn ended without an answer. Give it now with the tool idea_reply.`,
  );
  await world.pass(20_000);
  assert.deepEqual([world.ticket(ticket).state, world.ticket(ticket).reminded], ["accepted", true]);
  ben.says("idle");
  assert.deepEqual(error(await world.result(asking)), {
    kind: "targetFailed",
    ticket,
    target: "Ben",
    failure: { kind: "noReply" },
  });
});

Deno.test("turn: an answer after the reminder is as good as any", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  ben.says("done");
  await world.until("the reminder", () => ben.lines.length === 2);
  value(await world.reply("Ben", "sorry, noon"));
  assert.equal(value(await world.result(asking)).kind, "reply");
});

Deno.test("turn: a person's message is over with its turn, and keeps the answer", async () => {
  await using world = await setup(withClaude);
  const { asking, ben } = await working(world);
  value(await world.reply("Ben", "done"));
  await world.result(asking);
  ben.says("idle");
  const sent = value(await world.app.orchestrator.enqueueMessage(world.projectId, world.agent("Ben"), "hi"));
  await world.until("the message", () => world.ticket(sent.id).state === "accepted");
  stop(world, "hello");
  ben.says("idle");
  await world.until("its end", () => world.ticket(sent.id).state === "answered");
  assert.deepEqual(world.ticket(sent.id).reply?.text, "hello");
});

const byHooks = makeProfile({
  id: "hooked",
  config: "claude",
  ready: { screenPattern: "^❯" },
  turnEnd: { hook: "Stop" },
  mcp: claude.mcp === undefined ? undefined : { ...claude.mcp, waitForToolsList: false },
});

Deno.test("state: by hooks alone, where the program has no other sign", async () => {
  await using world = await setup({
    agents: { Ben: "hooked" },
    profiles: [byHooks],
    programs: { hooked: { start: (cli) => cli.print("❯ "), line: () => {} } },
  });
  const ticket = ticketIdOf(await world.result(world.ask("@test", "Ben", "one", { waitSeconds: 0 })));
  await world.until("the task", () => world.cli("Ben").lines.length === 1);
  hook(world, "Ben", { hook_event_name: "UserPromptSubmit", prompt: "x" });
  await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
  hook(world, "Ben", { hook_event_name: "PermissionRequest", tool_name: "Bash" });
  await world.settle();
  const { state, queueLength } = value(world.app.agents.get(world.projectId, world.agent("Ben")));
  assert.deepEqual([state, queueLength], ["blocked", 0]);
  stop(world, "noon");
  await world.until("its end", () => world.ticket(ticket).state === "answered");
  assert.deepEqual(world.ticket(ticket).reply?.text, "noon");
  const explained = value(world.app.agents.explain(world.projectId, world.agent("Ben")));
  assert.equal(explained.authority, "hooks");
  assert.deepEqual(explained.signals.map(({ state, signal }) => `${state}: ${signal}`), [
    "done: hook: turn ended",
    "blocked: hook: Bash",
    "working: hook: turn started",
    "starting: launched",
  ]);
});

const byScreen = makeProfile({
  id: "drawn",
  ready: { screenPattern: "^>$" },
  busy: { screenPattern: "esc to interrupt" },
  attention: { screenPattern: "Allow this\\?" },
});

Deno.test("state: by the screen, where a prompt counts once it stays", async () => {
  await using world = await setup({
    agents: { Ben: "drawn" },
    profiles: [byScreen],
    programs: { drawn: { start: (cli) => cli.show("> "), line: (cli) => cli.show("thinking, esc to interrupt") } },
  });
  const ticket = ticketIdOf(await world.result(world.ask("@test", "Ben", "one", { waitSeconds: 0 })));
  await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
  const ben = world.cli("Ben");
  ben.show("Allow this?");
  await world.until("the question", () => stateOf(world) === "blocked");
  ben.show("thinking, esc to interrupt");
  await world.until("the answer to it", () => stateOf(world) === "working");
  // Between two steps of one turn.
  ben.show("> ");
  await world.pass(300);
  ben.show("thinking, esc to interrupt");
  await world.pass(5_000);
  assert.equal(world.ticket(ticket).state, "accepted");
  ben.show("> ");
  await world.until("the reminder", () => ben.lines.length === 2);
});

/** Two tasks; the first is typed, and answered before the screen shows that anybody works on it. */
async function answeredUnseen() {
  const world = await setup({
    agents: { Ben: "drawn" },
    profiles: [byScreen],
    programs: { drawn: { start: (cli) => cli.show("> "), line: () => {} } },
  });
  for (const task of ["one", "two"]) await world.result(world.ask("@test", "Ben", task, { waitSeconds: 0 }));
  await world.until("the first", () => world.started().length > 0 && world.cli("Ben").lines.length === 1);
  value(await world.reply("Ben", "one is done"));
  return world;
}

Deno.test("state: by the screen, an answer before any work was seen does not end the turn", async () => {
  await using world = await answeredUnseen();
  const ben = world.cli("Ben");
  ben.show("thinking, esc to interrupt");
  await world.pass(10_000);
  assert.equal(ben.lines.length, 1);
  ben.show("> ");
  await world.until("the second", () => ben.lines.length === 2);
});

Deno.test("state: by the screen, a turn that was over before anybody looked holds nothing up", async () => {
  await using world = await answeredUnseen();
  const ben = world.cli("Ben");
  await world.pass(1_000);
  assert.equal(ben.lines.length, 1);
  await world.until("the second", () => ben.lines.length === 2);
});

const stateOf = ({ app, projectId, agent }: World) => value(app.agents.get(projectId, agent("Ben"))).state;

const gemini = referenceProfiles.find(({ name }) => name === "Gemini CLI") ?? fake;

Deno.test("state: Gemini CLI by its title, ready with its hook, answers from its transcript", async () => {
  const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
  try {
    await using world = await setup({
      agents: { Ben: gemini.id },
      profiles: [gemini],
      programs: {
        gemini: { start: (cli) => cli.title("◇  Ready (ben)"), line: (cli) => cli.title("✦  Working… (ben)") },
      },
    });
    const ticket = ticketIdOf(await world.result(world.ask("@test", "Ben", "one", { waitSeconds: 0 })));
    await world.until("the program", () => world.started().length > 0);
    const ben = world.cli("Ben");
    world.running.mcpClients.onReady({ projectId: world.projectId, agentId: world.agent("Ben") }, "toolsListed");
    await world.pass(20_000);
    assert.deepEqual([stateOf(world), ben.program.input()], ["idle", ""]);
    hook(world, "Ben", { hook_event_name: "SessionStart", transcript_path: transcript });
    await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
    const row = (type: string, content: unknown) =>
      `${JSON.stringify({ type, id: type, timestamp: new Date(world.clock.nowMs()).toISOString(), content })}\n`;
    await Deno.writeTextFile(transcript, row("user", [{ text: ben.lines[0] }]) + row("gemini", "It is noon."));
    hook(world, "Ben", { hook_event_name: "AfterAgent", prompt_response: "It is noon. noon." });
    await world.settle();
    assert.equal(world.ticket(ticket).state, "accepted");
    ben.title("◇  Ready (ben)");
    for (let tries = 0; tries < 100 && world.ticket(ticket).state !== "answered"; tries++) {
      await world.pass(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(world.ticket(ticket).reply?.text, "It is noon.");
  } finally {
    await Deno.remove(transcript);
  }
});
