import assert from "node:assert/strict";
import type { CallContext } from "../../core/orchestration/commands.ts";
import type { FakeCli } from "../fakes/agent_cli.ts";
import { error, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

/** A caller that can go away, and hears how its wait goes on. */
function caller() {
  const listeners = new Set<() => void>();
  const progress: string[] = [];
  const context: CallContext = {
    onGone(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    onProgress: ({ message, elapsedMs }) => void progress.push(`${elapsedMs}: ${message}`),
  };
  return { context, progress, leave: () => [...listeners].forEach((listener) => listener()) };
}

async function untilTyped(world: World, name: string, count = 1): Promise<FakeCli> {
  const cli = await world.untilReady(name);
  await world.until(`line ${count} of ${name}`, () => cli.lines.length >= count);
  await world.until(
    `${name} to have it`,
    () => value(world.app.agents.get(world.projectId, world.agent(name))).state === "working",
  );
  return cli;
}

/** Tasks in the order in which they were typed. */
const tasksOf = (cli: FakeCli) => cli.lines.map((line) => /\] (.*) Answer with/.exec(line)?.[1]);

Deno.test("ask: a cold target is started, and its reply comes inline", async () => {
  await using world = await setup();
  const { context, progress } = caller();
  const asking = world.ask("Ada", "ben", "what time is it?", { context });
  const ben = await untilTyped(world, "Ben");
  const { id: ticket } = world.inWork("Ben");
  assert.deepEqual(ben.lines, [
    `[IdeA · task from Ada · ticket ${ticket}] what time is it? Answer with the tool idea_reply (ticket ${ticket}).`,
  ]);
  const { worksOn, queueLength } = value(world.app.agents.get(world.projectId, world.agent("Ben")));
  assert.deepEqual([worksOn, queueLength], [{ ticketId: ticket, from: "Ada", summary: "what time is it?" }, 0]);
  await world.pass(5_000);
  assert.deepEqual(progress, ["5000: Ben works on it"]);
  assert.deepEqual(await world.reply("Ben", "noon"), {
    ok: true,
    value: { kind: "done", detail: "Your answer was delivered." },
  });
  const answer = { kind: "reply", ticket, text: "noon", source: "reply" } as const;
  assert.deepEqual(value(await world.result(asking)), answer);
  const { receipts, ...rest } = world.ticket(ticket);
  assert.deepEqual(receipts.map(({ state, cause }) => [state, cause]), [
    ["queued", "asked"],
    ["delivering", "first"],
    ["delivered", "OSC 7501 working"],
    ["accepted", "OSC 7501 working"],
    ["answered", "reply"],
  ]);
  assert.deepEqual(rest, {
    id: ticket,
    from: { kind: "agent", agentId: world.agent("Ada") },
    to: world.agent("Ben"),
    kind: "delegation",
    task: "what time is it?",
    state: "answered",
    repeat: 0,
    needsAttention: false,
    reminded: false,
    reply: { text: "noon", atMs: receipts.at(-1)?.atMs, source: "reply" },
  });
  assert.deepEqual(value(await world.send("Ada", { name: "waitReply", input: { ticket } })), answer);
});

Deno.test("ask: three askers of one agent are answered in their order, one task at a time", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const askers = ["Ada", "Cleo", "@script"];
  const asks = askers.map((who) => world.ask(who, "Ben", `for ${who}`));
  for (const [index, who] of askers.entries()) {
    await untilTyped(world, "Ben", index + 1);
    await world.pass(5_000);
    assert.deepEqual(tasksOf(ben), askers.slice(0, index + 1).map((each) => `for ${each}`));
    const queue = value(world.app.orchestrator.queue(world.projectId, world.agent("Ben")));
    assert.deepEqual(queue.map(({ task, state }) => [task, state]), [
      [`for ${who}`, "accepted"],
      ...askers.slice(index + 1).map((each) => [`for ${each}`, "queued"]),
    ]);
    value(await world.reply("Ben", `to ${who}`));
    // Its turn goes on: nothing is typed into it.
    await world.pass(5_000);
    assert.equal(ben.lines.length, index + 1);
    ben.says("idle");
  }
  const answers = await world.result(Promise.all(asks));
  assert.deepEqual(answers.map((answer) => value(answer)).map((each) => each.kind === "reply" && each.text), [
    "to Ada",
    "to Cleo",
    "to @script",
  ]);
});

Deno.test("ask: a circle is refused at once with the names, and harms nobody in it", async () => {
  await using world = await setup();
  void world.ask("Ada", "Ben", "one");
  await untilTyped(world, "Ben");
  const second = world.ask("Ben", "Cleo", "two");
  await untilTyped(world, "Cleo");
  assert.deepEqual(error(await world.ask("Cleo", "Ada", "three")), {
    kind: "cycle",
    path: ["Cleo", "Ada", "Ben", "Cleo"],
  });
  assert.deepEqual(error(await world.ask("Ada", "Ada", "me", { waitSeconds: 0 })), {
    kind: "cycle",
    path: ["Ada", "Ada"],
  });
  assert.equal(world.tickets().length, 2);
  value(await world.reply("Cleo", "done"));
  assert.equal(value(await world.result(second)).kind, "reply");
  // Nobody waits for Cleo any more.
  void world.ask("Cleo", "Ben", "four");
  await world.settle();
  assert.equal(world.tickets().length, 3);
});

Deno.test("ask: an asker that goes away leaves a free agent, from the queue and from work", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const [first, second] = [caller(), caller()];
  const asks = [
    world.ask("Ada", "Ben", "one", { context: first.context }),
    world.ask("Cleo", "Ben", "two", { context: second.context }),
    world.ask("@script", "Ben", "three"),
  ];
  await untilTyped(world, "Ben");
  second.leave();
  first.leave();
  const gone = await world.result(Promise.all(asks.slice(0, 2)));
  assert.deepEqual(gone.map((each) => error(each)).map((each) => each.kind === "ticketCancelled" && each.by), [
    "callerGone",
    "callerGone",
  ]);
  assert.equal(ben.lines.length, 1);
  // What was begun for somebody who left is still the program's turn.
  ben.says("idle");
  await untilTyped(world, "Ben", 2);
  assert.deepEqual(tasksOf(ben), ["one", "three"]);
  value(await world.reply("Ben", "done"));
  assert.equal(value(await world.result(asks[2] ?? Promise.reject())).kind, "reply");
});

Deno.test("ask: an asker whose program ends takes its question back", async () => {
  await using world = await setup();
  const ada = await world.launch("Ada");
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await untilTyped(world, "Ben");
  ada.program.die(9);
  assert.equal(error(await world.result(asking)).kind, "ticketCancelled");
  ben.says("idle");
  await world.settle();
  assert.deepEqual(value(world.app.orchestrator.queue(world.projectId, world.agent("Ben"))), []);
});

Deno.test("ask: when the wait ends first there is a ticket to wait on, and the task goes on", async () => {
  await using world = await setup();
  const asked = value(await world.result(world.ask("Ada", "Ben", "one", { waitSeconds: 30 })));
  const ticket = world.inWork("Ben").id;
  assert.deepEqual(asked, { kind: "pending", ticket, state: "Ben works on it", position: 0 });
  const queued = value(await world.result(world.ask("Cleo", "Ben", "two", { waitSeconds: 0 })));
  assert.ok(queued.kind === "pending");
  assert.deepEqual([queued.state, queued.position], ["next in the queue of Ben", 1]);

  const waits = [1, 2].map(() => world.send("Ada", { name: "waitReply", input: { ticket } }));
  const late = world.send("Ada", { name: "waitReply", input: { ticket, waitSeconds: 2 } });
  assert.equal(value(await world.result(late)).kind, "pending");
  value(await world.reply("Ben", "done"));
  for (const wait of waits) assert.equal(value(await world.result(wait)).kind, "reply");

  const foreign = await world.send("Cleo", { name: "waitReply", input: { ticket } });
  assert.deepEqual(error(foreign), { kind: "ticketNotYours", ticket });
  assert.deepEqual(error(await world.send("Ada", { name: "waitReply", input: { ticket: "no such" } })), {
    kind: "ticketNotFound",
    ticket: "no such",
  });
});

Deno.test("ask: an agent waits as long as its program lets a call last, others within a minute", async () => {
  await using world = await setup();
  await world.launch("Ada");
  const startMs = world.clock.monotonicMs();
  const waited = async (who: string) => {
    assert.equal(value(await world.ask(who, "Ben", "one")).kind, "pending");
    return world.clock.monotonicMs() - startMs;
  };
  const both = Promise.all([waited("@script"), waited("Ada")]);
  await world.pass(600_000);
  assert.deepEqual(await both, [55_000, 585_000]);
});

Deno.test("ask: while one waits, every other call of it is answered", async () => {
  await using world = await setup();
  void world.ask("Ada", "Ben", "one");
  await untilTyped(world, "Ben");
  const listed = value(await world.send("Ada", { name: "list", input: {} }));
  assert.ok(listed.kind === "agents");
  assert.deepEqual(
    listed.agents.map(({ name, profile, state, worksOn, queueLength }) => ({
      name,
      profile,
      state,
      worksOn,
      queueLength,
    })),
    [
      { name: "Ada", profile: "Fake", state: "stopped", worksOn: undefined, queueLength: 0 },
      { name: "Ben", profile: "Fake", state: "working", worksOn: "one", queueLength: 0 },
      { name: "Cleo", profile: "Fake", state: "stopped", worksOn: undefined, queueLength: 0 },
    ],
  );
});

Deno.test("ask: a target that is nobody, or several, is named", async () => {
  await using world = await setup();
  assert.deepEqual(error(await world.ask("Ada", "Zoe", "one")), {
    kind: "agentNotFound",
    target: "Zoe",
    known: ["Ada", "Ben", "Cleo"],
  });
  assert.deepEqual(world.started(), []);
});

Deno.test("reply: only the one that works on a task answers it, and once", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  await untilTyped(world, "Ben");
  const ticket = world.inWork("Ben").id;
  const queued = ticketIdOf(await world.result(world.ask("Ada", "Ben", "two", { waitSeconds: 0 })));
  assert.deepEqual(error(await world.reply("Cleo", "mine", ticket)), { kind: "ticketNotYours", ticket });
  assert.deepEqual(error(await world.reply("Cleo", "mine")), { kind: "nothingInWork" });
  assert.deepEqual(error(await world.reply("Ben", "early", queued)), {
    kind: "ticketClosed",
    ticket: queued,
    state: "not delivered yet",
  });
  assert.deepEqual(error(await world.reply("Ben", "x", "none")), { kind: "ticketNotFound", ticket: "none" });
  assert.equal(error(await world.send("", { name: "reply", input: { result: "x", ticket } })).kind, "forbidden");
  value(await world.reply("Ben", "done", ticket));
  assert.deepEqual(error(await world.reply("Ben", "again", ticket)), {
    kind: "ticketClosed",
    ticket,
    state: "answered",
  });
  const answer = value(await world.result(asking));
  assert.ok(answer.kind === "reply");
  assert.equal(answer.text, "done");
});

Deno.test("task: a long one is fetched by the one that has it, and may be read by the one that gave it", async () => {
  await using world = await setup();
  const task = `first line\nsecond "line" \u001b[201~ 😀\n${"x".repeat(50_000)}`;
  void world.ask("Ada", "Ben", task);
  const ben = await world.untilReady("Ben");
  await world.until("the line", () => ben.lines.length === 1);
  const [{ id: ticket } = { id: "" }] = world.tickets();
  assert.deepEqual(ben.lines, [
    `[IdeA · task from Ada · ticket ${ticket}] Fetch the task with the tool idea_get_task, then do it. ` +
    `Answer with the tool idea_reply (ticket ${ticket}).`,
  ]);
  const fetched = { kind: "task", ticket, from: "Ada", task, state: "accepted", repeat: false } as const;
  const { conversation: _, ...own } = {
    conversation: "",
    ...value(await world.send("Ben", { name: "getTask", input: {} })),
  };
  assert.deepEqual(own, fetched);
  const { conversation: __, ...asked } = {
    conversation: "",
    ...value(await world.send("Ada", { name: "getTask", input: { ticket } })),
  };
  assert.deepEqual(asked, fetched);
  assert.deepEqual(error(await world.send("Cleo", { name: "getTask", input: { ticket } })), {
    kind: "ticketNotYours",
    ticket,
  });
  assert.deepEqual(error(await world.send("Cleo", { name: "getTask", input: {} })), { kind: "nothingInWork" });
  assert.deepEqual(error(await world.send("", { name: "getTask", input: {} })), { kind: "nothingInWork" });
});

Deno.test("dispatch: every command is told of once, with who asked by which door and how it ended", async () => {
  await using world = await setup();
  await world.send("Ada", { name: "list", input: {} });
  await world.send("", { name: "stop", input: { target: "Ben" } });
  await world.send("@script", { name: "contextRead", input: {} });
  const processed = world.events.flatMap((event) =>
    event.kind === "orchestratorRequestProcessed" ? [[event.requesterId, event.action, event.source, event.ok]] : []
  );
  assert.deepEqual(processed, [
    [world.agent("Ada"), "list", "mcp", true],
    ["human", "stop", "ui", false],
    ["external", "contextRead", "ui", true],
  ]);
});
