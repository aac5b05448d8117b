import assert from "node:assert/strict";
import { type FakeCli, startReady } from "../fakes/agent_cli.ts";
import { error, IDEAI, makeProfile, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

const stateOf = (world: World, name: string) => value(world.app.agents.get(world.projectId, world.agent(name))).state;
const secretOf = (world: World, name: string) => world.disk.read(`${IDEAI}/run/${world.agent(name)}/secret`) ?? "";
const stops = ({ events }: World) =>
  events.flatMap((event) => event.kind === "agentStopped" ? [event.crashed ? "crashed" : "stopped"] : []);

async function untilTyped(world: World, name: string, count = 1): Promise<FakeCli> {
  const cli = await world.untilReady(name);
  await world.until(`a line of ${name}`, () => cli.lines.length >= count);
  return cli;
}

Deno.test("stop: the program ends, its secret too, and who waits is told", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const later = world.ask("Ada", "Ben", "two");
  const forgotten = ticketIdOf(await world.result(world.ask("Cleo", "Ben", "three", { waitSeconds: 0 })));
  const ben = await untilTyped(world, "Ben");
  const secret = secretOf(world, "Ben");
  value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ben"))));

  assert.ok(ben.program.hasEnded());
  assert.equal(world.running.secrets.identify(secret), undefined);
  assert.deepEqual(world.app.terminals.list(), []);
  for (const each of [asking, later]) {
    const refused = error(await world.result(each));
    assert.ok(refused.kind === "targetFailed");
    assert.deepEqual([refused.target, refused.failure], ["Ben", { kind: "agentStopped" }]);
  }
  assert.deepEqual([stateOf(world, "Ben"), stops(world)], ["stopped", ["stopped"]]);
  // Nobody waits for it: it is for the next launch.
  assert.equal(world.ticket(forgotten).state, "queued");
  const again = await world.launch("Ben");
  await world.until("the task that was left", () => again.lines.length === 1);
  assert.ok(again.lines[0]?.includes("three"));
});

Deno.test("stop: what does not run is an error", async () => {
  await using world = await setup();
  const agentId = world.agent("Ben");
  assert.deepEqual(error(await world.app.agents.stop(world.projectId, agentId)), { kind: "agentNotRunning", agentId });
  await world.launch("Ben");
  value(await world.result(world.app.agents.stop(world.projectId, agentId)));
  assert.deepEqual(error(await world.send("Ada", { name: "stop", input: { target: "ben" } })), {
    kind: "agentNotRunning",
    agentId,
  });
});

Deno.test("exit: by its own command is a stop, its screen stays until the next launch", async () => {
  await using world = await setup();
  const ada = await world.launch("Ada");
  ada.print("bye");
  ada.program.exit(0);
  await world.settle();
  assert.deepEqual([stateOf(world, "Ada"), stops(world)], ["stopped", ["stopped"]]);
  const [ended, ...others] = world.app.terminals.list();
  assert.ok(ended !== undefined && others.length === 0);
  assert.deepEqual(ended.exit, { kind: "exited", code: 0 });
  assert.equal(value(await world.app.terminals.read(ended.sessionId, 0)).screen[0], "❯ bye");
  await world.launch("Ada");
  assert.deepEqual(world.app.terminals.list().map(({ exit }) => exit), [undefined]);
});

Deno.test("crash: the task in work fails, the queue goes on with a new program in the same cell", async () => {
  await using world = await setup();
  const first = world.ask("Ada", "Ben", "one");
  const second = world.ask("Cleo", "Ben", "two");
  const ben = await untilTyped(world, "Ben");
  const former = secretOf(world, "Ben");
  ben.program.die(11);
  const refused = error(await world.result(first));
  const detail = "Fake was ended by signal 11";
  assert.ok(refused.kind === "targetFailed");
  assert.deepEqual(refused.failure, { kind: "agentCrashed", detail });
  assert.equal(world.ticket(refused.ticket).state, "failed");
  await world.until("a new program", () => world.started().length === 2);
  const again = await untilTyped(world, "Ben");
  assert.ok(again.lines[0]?.includes("two"));
  value(await world.reply("Ben", "done"));
  assert.equal(value(await world.result(second)).kind, "reply");
  assert.equal(world.running.secrets.identify(former), undefined);
  assert.deepEqual(stops(world), ["crashed"]);
  assert.equal(world.app.terminals.list().length, 1);
});

Deno.test("crash: again and again, and the queue fails with the cause instead of an endless loop", async () => {
  await using world = await setup({
    programs: {
      fake: {
        line: (cli) => cli.program.exit(3),
      },
    },
  });
  const asks = ["one", "two", "three", "four", "five"].map((task) => world.ask("Ada", "Ben", task));
  for (const asking of asks) {
    const refused = error(await world.result(asking));
    assert.ok(refused.kind === "targetFailed");
    assert.deepEqual(refused.failure, { kind: "agentCrashed", detail: "Fake ended with exit code 3" });
  }
  assert.equal(world.started().length, 3);
  assert.equal(stateOf(world, "Ben"), "stopped");
});

Deno.test("resume: the conversation that was assigned is resumed, also after a restart of IdeA", async () => {
  await using world = await setup();
  const first = await world.launch("Ada");
  const conversation = first.program.argv[2] ?? "";
  value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ada"))));
  const second = await world.launch("Ada");
  assert.deepEqual(second.program.argv.slice(1, 3), ["--resume", conversation]);
  await world.restart();
  const third = await world.launch("Ada");
  assert.deepEqual(third.program.argv.slice(1, 3), ["--resume", conversation]);
  value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ada"))));
  value(await world.result(world.app.agents.launch(world.projectId, world.agent("Ada"), { resume: false })));
  const fresh = world.cli("Ada").program.argv.slice(1, 3);
  assert.equal(fresh[0], "--session");
  assert.notEqual(fresh[1], conversation);
  const resumed = world.events.flatMap((event) => event.kind === "agentLaunched" ? [event.resumed] : []);
  assert.deepEqual(resumed, [false, true, true, false]);
});

Deno.test("resume: one that the program refuses becomes a fresh start, and no crash", async () => {
  await using world = await setup({
    programs: {
      fake: {
        start: (cli) => {
          if (!cli.program.argv.includes("--resume")) return startReady(cli);
          cli.print("No conversation found");
          cli.program.exit(1);
        },
      },
    },
  });
  const lost = (await world.launch("Ada")).program.argv[2];
  value(await world.result(world.app.agents.stop(world.projectId, world.agent("Ada"))));
  const size = { cols: 90, rows: 30 };
  value(await world.result(world.app.agents.launch(world.projectId, world.agent("Ada"), { size })));
  await world.until("a fresh start", () => world.started().length === 3);
  const fresh = await world.untilReady("Ada");
  assert.equal(fresh.program.argv[1], "--session");
  assert.notEqual(fresh.program.argv[2], lost);
  assert.deepEqual(fresh.program.size(), size);
  assert.equal(stateOf(world, "Ada"), "idle");
  assert.deepEqual(stops(world), ["stopped"]);
  assert.equal(world.app.terminals.list().length, 1);
});

const byStdin = makeProfile({
  id: "stdin",
  programStatus: true,
  contextInjection: { strategy: "stdin" },
  input: { paste: "bracketed" },
});
const mute = makeProfile({ id: "mute", contextInjection: { strategy: "stdin" } });

for (const profile of [byStdin, mute]) {
  const says = profile.programStatus === true;
  Deno.test(`launch: a context that is typed comes before any task, ${says ? "with" : "without"} a state`, async () => {
    await using world = await setup({
      agents: { Ada: profile.id },
      profiles: [profile],
      programs: {
        [profile.command]: {
          start: (cli) => (says ? startReady(cli) : cli.print("> ")),
          line: (cli) => {
            if (says) {
              cli.says("working");
              cli.says("idle");
            } else cli.print("ok\n> ");
          },
        },
      },
    });
    const asked = world.ask("@test", "Ada", "hello", { waitSeconds: 0 });
    await world.result(asked);
    await world.until("both lines", () => world.cli("Ada").lines.length === 2);
    const [context, task] = world.cli("Ada").lines;
    assert.ok(context?.startsWith("# You are Ada\n\n"));
    assert.ok(task?.startsWith("[IdeA · task from test · ticket "));
  });
}

Deno.test("agents: one that is removed leaves its context, and no ticket behind", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await untilTyped(world, "Ben");
  const benId = world.agent("Ben");
  value(await world.result(world.app.agents.remove(world.projectId, benId)));
  assert.ok(ben.program.hasEnded());
  const refused = error(await world.result(asking));
  assert.ok(refused.kind === "ticketCancelled");
  assert.equal(refused.by, "agentRemoved");
  assert.ok(world.disk.read(`${IDEAI}/agents/ben.md`) !== undefined);
  assert.deepEqual(error(world.app.agents.get(world.projectId, benId)), { kind: "agentNotFound", agentId: benId });
});

Deno.test("agents: one that somebody took out of the file fails its queue when it is to start", async () => {
  await using world = await setup();
  const left = ticketIdOf(await world.result(world.ask("Ada", "Ben", "one", { waitSeconds: 0 })));
  const { agents, ...rest }: { agents: { name: string }[] } = JSON.parse(
    world.disk.read(`${IDEAI}/agents.json`) ?? "",
  );
  world.disk.write(
    `${IDEAI}/agents.json`,
    JSON.stringify({ ...rest, agents: agents.filter(({ name }) => name !== "Ben") }),
  );
  await world.restart();
  await world.until("the end of the ticket", () => world.ticket(left).state === "failed");
  assert.deepEqual(world.ticket(left).failure, {
    kind: "launchFailed",
    detail: "it is no agent of this project any more",
  });
});

Deno.test("close: what a project runs ends without a word to its queue, and goes on when it opens again", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await untilTyped(world, "Ben");
  const starting = world.app.agents.launch(world.projectId, world.agent("Cleo"), {});
  value(await world.result(world.app.projects.close(world.projectId, { forget: false })));
  assert.ok(ben.program.hasEnded());
  await world.result(starting);
  await world.settle();
  assert.deepEqual(world.app.terminals.list(), []);
  assert.ok(world.started().every(({ program }) => program.hasEnded()));
  // At once, and not when its patience ends.
  const closedAtMs = world.clock.monotonicMs();
  const pending = value(await world.result(asking));
  assert.ok(pending.kind === "pending");
  assert.equal(world.clock.monotonicMs(), closedAtMs);
  assert.deepEqual(error(await world.ask("Ada", "Ben", "two")), { kind: "forbidden", what: "the project is not open" });

  value(await world.result(world.app.projects.open({ root: "/home/ann/shop" })));
  const again = await untilTyped(world, "Ben");
  assert.ok(again.lines[0]?.includes("(again, after a restart: go on with it) one"));
  const { state, repeat, receipts } = world.ticket(pending.ticket);
  assert.deepEqual([state, repeat], ["accepted", 1]);
  assert.deepEqual(receipts.map(({ state, cause }) => `${state}: ${cause}`), [
    "queued: asked",
    "delivering: first",
    "delivered: OSC 7501 working",
    "accepted: OSC 7501 working",
    "queued: afterRestart",
    "delivering: afterRestart",
    "delivered: OSC 7501 working",
    "accepted: OSC 7501 working",
  ]);
});

Deno.test("stop of IdeA: the ends of the programs are no crashes", async () => {
  await using world = await setup();
  void world.ask("Ada", "Ben", "one");
  await untilTyped(world, "Ben");
  const { id } = world.inWork("Ben");
  await world.stop();
  await world.start();
  await untilTyped(world, "Ben");
  assert.deepEqual([world.inWork("Ben").id, world.inWork("Ben").repeat], [id, 1]);
  assert.deepEqual(stops(world), []);
});
