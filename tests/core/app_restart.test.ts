import assert from "node:assert/strict";
import type { FakeCli } from "../fakes/agent_cli.ts";
import { error, fake, IDEAI, makeProfile, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

const JOURNAL = `${IDEAI}/state/tickets.jsonl`;
const other = makeProfile({ ...fake, id: "other", name: "Other", command: "other" });

/** Answers each task of that agent until it has answered so many. */
async function answerAll(world: World, name: string, count: number): Promise<readonly string[]> {
  const tasks: string[] = [];
  while (tasks.length < count) {
    const cli = world.cli(name);
    await world.until(`task ${tasks.length + 1}`, () => world.cli(name).lines.length > lines(tasks, cli));
    await world.until("it to be taken", () => worksOn(world, name) !== undefined);
    const { task } = world.inWork(name);
    value(await world.reply(name, `did ${task}`));
    tasks.push(task);
    cli.says("idle");
    await world.settle();
  }
  return tasks;
}

const lines = (tasks: readonly string[], cli: FakeCli) => Math.min(tasks.length, cli.lines.length);
const worksOn = ({ app, projectId, agent }: World, name: string) =>
  value(app.agents.get(projectId, agent(name))).worksOn;

async function oneInWorkAndQueued(world: World, count: number) {
  const tickets: string[] = [];
  for (let at = 0; at <= count; at++) {
    tickets.push(ticketIdOf(await world.result(world.ask("Ada", "Ben", `task ${at}`, { waitSeconds: 0 }))));
  }
  await world.until("the first to be taken", () => world.ticket(tickets[0] ?? "").state === "accepted");
  return tickets;
}

Deno.test("restart: after a kill, what was queued and what was in work end well, each once", async () => {
  await using world = await setup();
  const tickets = await oneInWorkAndQueued(world, 5);
  await world.restart();
  const ben = await world.untilReady("Ben");
  const done = await answerAll(world, "Ben", 6);
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5].map((at) => `task ${at}`));
  assert.deepEqual(
    ben.lines.map((line) => /\](.*) Answer/.exec(line)?.[1]),
    [" (again, after a restart: go on with it) task 0", " task 1", " task 2", " task 3", " task 4", " task 5"],
  );
  for (const [at, ticket] of tickets.entries()) {
    const answer = value(await world.send("Ada", { name: "waitReply", input: { ticket } }));
    assert.deepEqual(answer, { kind: "reply", ticket, text: `did task ${at}`, source: "reply" });
    assert.equal(world.ticket(ticket).repeat, at === 0 ? 1 : 0);
  }
});

Deno.test("restart: an answer that came is kept for the asker that comes back", async () => {
  await using world = await setup();
  void world.ask("Ada", "Ben", "one");
  await world.untilReady("Ben");
  await world.until("the task", () => worksOn(world, "Ben") !== undefined);
  const { id: ticket } = world.inWork("Ben");
  value(await world.reply("Ben", "noon"));
  await world.restart();
  const answer = value(await world.send("Ada", { name: "waitReply", input: { ticket } }));
  assert.deepEqual(answer, { kind: "reply", ticket, text: "noon", source: "reply" });
  assert.deepEqual(world.started(), []);
});

Deno.test("restart: killed at any line of the journal, every ticket is there and ends", async () => {
  await using script = await setup();
  await oneInWorkAndQueued(script, 2);
  await answerAll(script, "Ben", 3);
  const journal = (script.disk.read(JOURNAL) ?? "").split("\n").filter((line) => line !== "");
  assert.ok(journal.length > 10);
  for (let count = 1; count <= journal.length; count++) {
    const kept = journal.slice(0, count);
    await using world = await setup();
    // The same project: ids follow from the order in which they are made.
    world.disk.write(JOURNAL, kept.map((line) => `${line}\n`).join(""));
    await world.restart();
    const known = new Set(kept.map((line) => JSON.parse(line).ticketId));
    assert.deepEqual(new Set(world.tickets().map(({ id }) => id)), known);
    const open = world.tickets().filter(({ state }) => state !== "answered");
    await world.settle();
    if (open.length === 0) continue;
    await world.untilReady("Ben");
    await answerAll(world, "Ben", open.length);
    assert.ok(world.tickets().every(({ state }) => state === "answered"));
  }
});

Deno.test("restart: lines of the journal that nobody understands are named and kept", async () => {
  const strange = `{"v":9,"kind":"ticketSold","ticketId":"t1"}\nnot json\n`;
  await using world = await setup({ expectsDefects: true, prepare: (disk) => disk.write(JOURNAL, strange) });
  await world.restart();
  assert.deepEqual(world.defects.slice(0, 1), [{
    kind: "journalLinesSkipped",
    path: "state/tickets.jsonl",
    warnings: [
      { lineNumber: 1, kind: "newerVersion", detail: "version 9" },
      { lineNumber: 2, kind: "notJson", detail: "not json" },
    ],
  }]);
  await world.result(world.ask("Ada", "Ben", "one", { waitSeconds: 0 }));
  assert.ok(world.disk.read(JOURNAL)?.startsWith(strange));
});

Deno.test("restart: a long journal is made short, and says the same", async () => {
  await using script = await setup();
  await oneInWorkAndQueued(script, 3);
  const journal = script.disk.read(JOURNAL) ?? "";
  const [queued = ""] = journal.split("\n");
  const { ticketId, ...rest }: { ticketId: string } = JSON.parse(queued);
  const old = Array.from({ length: 1_100 }, (_, at) => {
    const id = `old-${at}`;
    return [{ ...rest, ticketId: id }, {
      v: 1,
      kind: "ticketCancelled",
      atMs: 1,
      ticketId: id,
      cancellation: "byCaller",
    }]
      .map((event) => `${JSON.stringify(event)}\n`).join("");
  }).join("");
  assert.ok(ticketId !== "");
  await using world = await setup();
  world.disk.write(JOURNAL, old + journal);
  await world.restart();
  const short = (world.disk.read(JOURNAL) ?? "").split("\n").length;
  assert.ok(short < 1_100, String(short));
  assert.equal(world.tickets().filter(({ state }) => state !== "cancelled").length, 4);
  await world.untilReady("Ben");
  await answerAll(world, "Ben", 4);
});

Deno.test("swap: what is queued is answered by the new program, in the same cell, with the handoff", async () => {
  await using world = await setup({ profiles: [fake, other] });
  await oneInWorkAndQueued(world, 3);
  const { app, projectId } = world;
  const ben = world.agent("Ben");
  const old = world.cli("Ben");
  const size = { cols: 77, rows: 20 };
  const { sessionId } = value(app.agents.get(projectId, ben));
  assert.ok(sessionId !== undefined);
  value(app.terminals.resize(sessionId, size));
  const view = value(await world.result(app.agents.changeProfile(projectId, ben, other.id)));
  assert.equal(view.profileName, "Other");
  assert.ok(old.program.hasEnded());
  const cli = await world.untilReady("Ben");
  assert.equal(cli.program.argv[0], "/bin/other");
  assert.equal(cli.program.argv[1], "--session");
  assert.deepEqual(cli.program.size(), size);
  const context = world.disk.read(`${IDEAI}/run/${ben}/context.md`) ?? "";
  assert.ok(context.includes("## Where the work stands (handoff)"));
  assert.ok(context.includes("task 0"));
  assert.deepEqual(await answerAll(world, "Ben", 4), ["task 0", "task 1", "task 2", "task 3"]);
  assert.ok(cli.lines[0]?.includes("(again, for the agent's new program) task 0"));
  // The conversation of the old program is no longer resumed.
  value(await world.result(app.agents.changeProfile(projectId, ben, fake.id)));
  assert.equal((await world.untilReady("Ben")).program.argv[1], "--session");
});

Deno.test("swap: one that cannot be written, or to a profile that nobody has, leaves the old program at work", async () => {
  await using world = await setup({ profiles: [fake, other] });
  const { app, projectId } = world;
  const ben = await world.launch("Ben");
  const agentId = world.agent("Ben");
  world.disk.failWrites("diskFull");
  assert.equal(error(await world.result(app.agents.changeProfile(projectId, agentId, other.id))).kind, "storage");
  world.disk.failWrites(undefined);
  const unknown = makeProfile({ id: "nobodys" }).id;
  assert.deepEqual(error(await app.agents.changeProfile(projectId, agentId, unknown)), {
    kind: "unknownProfile",
    profileId: unknown,
  });
  assert.equal(ben.program.hasEnded(), false);
  const asked = ticketIdOf(await world.result(world.ask("Ada", "Ben", "one", { waitSeconds: 0 })));
  await world.until("the task", () => world.ticket(asked).state === "accepted");
  assert.equal(world.started().length, 1);
});

Deno.test("swap: of an agent that does not run only changes the next launch", async () => {
  await using world = await setup({ profiles: [fake, other] });
  value(await world.result(world.app.agents.changeProfile(world.projectId, world.agent("Ben"), other.id)));
  assert.deepEqual(world.started(), []);
  assert.equal((await world.launch("Ben")).program.argv[0], "/bin/other");
});
