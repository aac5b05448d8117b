import assert from "node:assert/strict";
import type { SessionId } from "../../core/ids.ts";
import { error, fake, makeProfile, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

const CLEAR = "\u0015";

function sessionOf({ app, projectId, agent }: World, name: string): SessionId {
  const { sessionId } = value(app.agents.get(projectId, agent(name)));
  assert.ok(sessionId !== undefined);
  return sessionId;
}

const type = (world: World, name: string, keys: string) =>
  value(world.app.terminals.write(sessionOf(world, name), keys, "person"));
const waitsFor = ({ app, projectId, agent }: World, name: string) =>
  value(app.agents.explain(projectId, agent(name))).waitsFor;
const queue = async (world: World, task: string, target = "Ben") =>
  ticketIdOf(await world.result(world.ask("@test", target, task, { waitSeconds: 0 })));

Deno.test("delivery: one line, pasted when the program asked for it, and Enter apart from it", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const ticket = await queue(world, "hello");
  await world.until("the text", () => ben.draft() !== "");
  assert.deepEqual([ben.lines, world.ticket(ticket).state], [[], "delivering"]);
  await world.until("the line", () => ben.lines.length === 1);
  const line = `[IdeA · task from test · ticket ${ticket}] hello Answer with the tool idea_reply (ticket ${ticket}).`;
  assert.equal(ben.program.input(), `\u001b[200~${line}\u001b[201~\r`);
  await world.until("the receipt", () => world.ticket(ticket).state === "accepted");
});

Deno.test("delivery: an Enter that the program missed is pressed once more", async () => {
  let enters = 0;
  await using world = await setup({ programs: { fake: { takesEnter: () => ++enters > 1 } } });
  const ticket = await queue(world, "hello");
  await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
  assert.equal(enters, 2);
  assert.equal(world.cli("Ben").lines.length, 1);
  assert.deepEqual(world.ticket(ticket).receipts.map(({ state, cause }) => `${state}: ${cause}`), [
    "queued: asked",
    "delivering: first",
    "delivered: OSC 7501 working",
    "accepted: OSC 7501 working",
  ]);
});

Deno.test("delivery: one that is never taken needs a person, holds the queue, and leaves no line behind", async () => {
  let takesEnter = false;
  await using world = await setup({ programs: { fake: { takesEnter: () => takesEnter } } });
  const first = await queue(world, "one");
  const second = await queue(world, "two");
  await world.until("somebody to be needed", () => world.ticket(first).needsAttention);
  const ben = world.cli("Ben");
  assert.deepEqual(waitsFor(world, "Ben"), [
    `a person to look at its terminal: ticket ${first} was typed and not taken`,
    `the end of its work on ticket ${first} of test`,
  ]);
  const wait = { name: "waitReply", input: { ticket: first, waitSeconds: 0 } } as const;
  const pending = value(await world.result(world.send("@test", wait)));
  assert.ok(pending.kind === "pending");
  assert.equal(pending.state, "Ben did not take the task; a person should look at its terminal");
  await world.pass(60_000);
  assert.equal(ben.lines.length, 0);

  takesEnter = true;
  value(await world.app.orchestrator.cancel(world.projectId, first));
  await world.until("the next", () => world.ticket(second).state === "accepted");
  assert.ok(ben.program.input().includes(`${CLEAR}\u001b[200~[IdeA · task from test · ticket ${second}]`));
  assert.equal(ben.lines.length, 1);
});

Deno.test("delivery: a person who presses Enter on a line that was given up on delivers it", async () => {
  let takesEnter = false;
  await using world = await setup({ programs: { fake: { takesEnter: () => takesEnter } } });
  const ticket = await queue(world, "one");
  await world.until("somebody to be needed", () => world.ticket(ticket).needsAttention);
  takesEnter = true;
  type(world, "Ben", "\r");
  await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
  assert.equal(world.ticket(ticket).needsAttention, false);
  value(await world.reply("Ben", "done"));
  assert.equal(world.ticket(ticket).state, "answered");
});

Deno.test("delivery: a person has one that was never taken typed again, once, and it is marked as a repeat", async () => {
  let takesEnter = false;
  await using world = await setup({ programs: { fake: { takesEnter: () => takesEnter } } });
  const ticket = await queue(world, "one");
  const { redeliver } = world.app.orchestrator;
  assert.equal(value(await redeliver(world.projectId, ticket)).state, world.ticket(ticket).state);
  await world.until("somebody to be needed", () => world.ticket(ticket).needsAttention);
  takesEnter = true;
  const again = value(await world.result(redeliver(world.projectId, ticket)));
  assert.equal(again.needsAttention, false);
  await world.until("it to be taken", () => world.ticket(ticket).state === "accepted");
  const ben = world.cli("Ben");
  assert.equal(ben.lines.length, 1);
  assert.ok(ben.lines[0]?.includes("(again) one"));
  assert.equal(world.ticket(ticket).repeat, 1);
  value(await world.reply("Ben", "done"));
  const closed = await redeliver(world.projectId, ticket);
  assert.equal(error(closed).kind, "ticketClosed");
});

Deno.test("delivery: what a person types stays theirs; nothing is typed into it, however long", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  type(world, "Ben", "my own tho");
  const ticket = await queue(world, "hello");
  await world.pass(3_600_000);
  assert.deepEqual([ben.draft(), ben.lines], ["my own tho", []]);
  assert.deepEqual(waitsFor(world, "Ben"), ["the person who types in its terminal"]);
  type(world, "Ben", "ught\r");
  await world.until("their turn", () => ben.lines.length === 1);
  await world.pass(60_000);
  assert.deepEqual(ben.lines, ["my own thought"]);
  assert.deepEqual(waitsFor(world, "Ben"), ["the end of a turn that a person began in its terminal"]);
  ben.says("idle");
  await world.until("the task", () => world.ticket(ticket).state === "accepted");
  assert.equal(ben.lines.length, 2);
});

Deno.test("delivery: a draft that is taken back lets the task in, and a menu key alone for a moment only", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  type(world, "Ben", "ab\u007f\u007f\u001b[A");
  const ticket = await queue(world, "hello");
  await world.settle();
  assert.equal(world.ticket(ticket).state, "queued");
  await world.until("the task", () => world.ticket(ticket).state === "accepted", 5_000);
  assert.ok(ben.lines[0]?.endsWith(`(ticket ${ticket}).`));
});

Deno.test("delivery: a key that answers a dialog leaves no draft behind", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  ben.says("working");
  ben.says("blocked");
  const ticket = await queue(world, "hello");
  type(world, "Ben", "1");
  ben.says("working");
  ben.says("idle");
  await world.until("the task", () => world.ticket(ticket).state !== "queued", 5_000);
});

Deno.test("delivery: keys that come while a line is typed are read after it", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const ticket = await queue(world, "hello");
  await world.until("the text", () => ben.draft() !== "");
  type(world, "Ben", "x");
  type(world, "Ben", "y");
  await world.until("the line", () => ben.lines.length === 1);
  assert.ok(ben.lines[0]?.endsWith(`(ticket ${ticket}).`));
  assert.equal(ben.draft(), "xy");
  assert.ok(ben.program.input().endsWith("\u001b[201~\rxy"));
});

Deno.test("delivery: a program that waits for a person is not typed into", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  ben.says("blocked");
  await world.settle();
  const ticket = await queue(world, "hello");
  await world.pass(600_000);
  assert.deepEqual([ben.program.input(), world.ticket(ticket).state], ["", "queued"]);
  assert.deepEqual(waitsFor(world, "Ben"), ["a person to answer what the program asks (OSC 7501 blocked)"]);
  ben.says("idle");
  await world.until("the task", () => world.ticket(ticket).state === "accepted");
});

Deno.test("delivery: a dialog that opens under the text is not answered by a second Enter", async () => {
  await using world = await setup({ programs: { fake: { takesEnter: () => false } } });
  const ticket = await queue(world, "hello");
  const ben = await world.untilReady("Ben");
  await world.until("the text", () => ben.draft() !== "");
  ben.says("blocked");
  await world.until("somebody to be needed", () => world.ticket(ticket).needsAttention);
  assert.equal([...ben.program.input()].filter((key) => key === "\r").length, 1);
});

Deno.test("delivery: a ticket that is taken back under the keys is not submitted, and its text is cleared away", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const first = await queue(world, "one");
  await world.until("the text", () => ben.draft() !== "");
  value(await world.app.orchestrator.cancel(world.projectId, first));
  const second = await queue(world, "two");
  await world.until("the next", () => world.ticket(second).state === "accepted");
  assert.equal(ben.lines.length, 1);
  assert.ok(ben.lines[0]?.includes(second));
});

Deno.test("delivery: waits for the tools of a program that would not wait for them itself", async () => {
  const slow = makeProfile({ ...fake, id: "slow", command: "slow", mcp: { ...fake.mcp, waitForToolsList: true } });
  await using world = await setup({ agents: { Ben: "slow" }, profiles: [slow] });
  const ticket = await queue(world, "hello");
  const identity = { projectId: world.projectId, agentId: world.agent("Ben") };
  await world.pass(60_000);
  assert.deepEqual(waitsFor(world, "Ben"), ["its agent's program to start"]);
  world.running.mcpClients.onReady(identity, "initialized");
  await world.pass(60_000);
  assert.equal(world.cli("Ben").program.input(), "");
  world.running.mcpClients.onReady(identity, "toolsListed");
  await world.until("the task", () => world.ticket(ticket).state === "accepted");
});

Deno.test("delivery: a program that says nothing of itself is ready when quiet, and has a line when it wrote", async () => {
  let answers = true;
  await using world = await setup({
    agents: { Ben: "mute" },
    profiles: [makeProfile({ id: "mute" })],
    programs: {
      mute: { start: (cli) => cli.print("loading\n> "), line: (cli) => answers && cli.print("working on it\n") },
    },
  });
  const first = await queue(world, "one");
  await world.until("it to be taken", () => world.ticket(first).state === "delivered");
  assert.equal(world.ticket(first).receipts.at(-1)?.cause, "output");
  answers = false;
  value(await world.reply("Ben", "done", first));
  const second = await queue(world, "two");
  await world.until("somebody to be needed", () => world.ticket(second).needsAttention);
});

Deno.test("delivery: what a person sends from the composer is typed as they wrote it, in its turn", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  await queue(world, "one");
  const text = "first\n  second 😀\u001b[201~\u0003";
  const sent = value(await world.app.orchestrator.enqueueMessage(world.projectId, world.agent("Ben"), text));
  assert.deepEqual([sent.kind, sent.from, sent.state], ["message", { kind: "human" }, "queued"]);
  await world.until("the task", () => ben.lines.length === 1);
  value(await world.reply("Ben", "done"));
  ben.says("idle");
  await world.until("the message", () => ben.lines.length === 2);
  assert.equal(ben.lines[1], "first\n  second 😀");
  ben.says("idle");
  await world.until("its end", () => world.ticket(sent.id).state === "answered");
});

Deno.test("queue: a person moves, edits and removes what waits, and nothing else", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const [first, second, third, fourth] = [
    await queue(world, "one"),
    await queue(world, "two"),
    await queue(world, "three"),
    await queue(world, "four"),
  ];
  const { orchestrator } = world.app;
  const edit = (change: Parameters<typeof orchestrator.editQueue>[2]) =>
    orchestrator.editQueue(world.projectId, world.agent("Ben"), change);
  value(await edit({ op: "move", ticketId: fourth, position: 0 }));
  value(await edit({ op: "edit", ticketId: second, task: "two, better" }));
  const left = value(await edit({ op: "remove", ticketId: third }));
  assert.deepEqual(left.map(({ task }) => task), ["one", "four", "two, better"]);
  assert.deepEqual(error(await edit({ op: "edit", ticketId: first, task: "x" })), {
    kind: "ticketClosed",
    ticket: first,
    state: "delivering",
  });
  assert.deepEqual(
    error(await orchestrator.editQueue(world.projectId, world.agent("Ada"), { op: "remove", ticketId: second })),
    {
      kind: "ticketNotFound",
      ticket: second,
    },
  );
  for (let count = 1; count <= 3; count++) {
    await world.until(`line ${count}`, () => ben.lines.length === count);
    value(await world.reply("Ben", "done"));
    ben.says("idle");
  }
  assert.deepEqual(ben.lines.map((line) => /\] (.*) Answer/.exec(line)?.[1]), ["one", "four", "two, better"]);
  assert.equal(world.ticket(third).cancellation, "byPerson");
});

Deno.test("interrupt: Esc, the task is cancelled, and the next comes when the program is at its prompt", async () => {
  await using world = await setup({ programs: { fake: { interrupt: (cli) => cli.says("idle") } } });
  const asking = world.ask("Ada", "Ben", "one");
  const next = await queue(world, "two");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => ben.lines.length === 1);
  await world.settle();
  value(await world.result(world.app.agents.interrupt(world.projectId, world.agent("Ben"))));
  assert.equal(ben.interrupts(), 1);
  const cancelled = error(await world.result(asking));
  assert.ok(cancelled.kind === "ticketCancelled");
  assert.equal(cancelled.by, "byPerson");
  await world.until("the next", () => world.ticket(next).state === "accepted");
  // Between the keys and the next task the input was emptied, and nothing was asked again.
  assert.ok(
    ben.program.input().includes(`\r\u001b${CLEAR.repeat(20)}\u001b[200~[IdeA · task from test · ticket ${next}]`),
  );
  const ada = world.agent("Ada");
  assert.deepEqual(error(await world.app.agents.interrupt(world.projectId, ada)), {
    kind: "agentNotRunning",
    agentId: ada,
  });
});

const echoing = makeProfile({ ...fake, id: "echoing", command: "echoing", input: { echoTimeoutMs: 5_000 } });

Deno.test("delivery: what a program throws away while it starts is typed again, and submitted once", async () => {
  let takesInput = false;
  await using world = await setup({
    agents: { Ben: "echoing" },
    profiles: [echoing],
    programs: { echoing: { takesInput: () => takesInput } },
  });
  const ticket = await queue(world, "hello");
  const ben = await world.untilReady("Ben");
  await world.pass(4_000);
  assert.deepEqual([ben.program.input().includes("hello"), ben.lines], [true, []]);
  takesInput = true;
  await world.until("the receipt", () => world.ticket(ticket).state === "accepted");
  assert.equal(ben.lines.length, 1);
  assert.match(ben.program.input(), /^\u001b\[200~[^\r]*\u0015\u001b\[200~[^\r]*\r$/);
});

Deno.test("delivery: a program that shows nothing of what is typed gets no Enter, and needs a person", async () => {
  await using world = await setup({
    agents: { Ben: "echoing" },
    profiles: [echoing],
    programs: { echoing: { echo: false } },
  });
  const ticket = await queue(world, "hello");
  await world.until("somebody to be needed", () => world.ticket(ticket).needsAttention);
  const ben = world.cli("Ben");
  assert.deepEqual([ben.lines, ben.draft(), ben.program.input().includes("\r")], [[], "", false]);
});
