import assert from "node:assert/strict";
import type { IdeaEvent } from "../../core/events.ts";
import { createId } from "../../core/ids.ts";
import type { FakeCli } from "../fakes/agent_cli.ts";
import { error, fake, IDEAI, makeProfile, NOW_MS, setup, value, type World } from "../helpers/app.ts";

const HOUR_MS = 3_600_000;
const RESETS_AT_MS = NOW_MS + HOUR_MS;
const NOTICE = "limit reached, resets 1pm (UTC)";
const LIMITS_PATH = `${IDEAI}/state/limits.json`;

const benOf = ({ app, projectId, agent }: World) => value(app.agents.get(projectId, agent("Ben")));
const isOfLimits = ({ kind }: IdeaEvent) => kind.startsWith("agentR");

function told({ events }: World): readonly string[] {
  return events.filter(isOfLimits).map((event) => {
    const known = "resetsAtMs" in event && event.resetsAtMs !== undefined;
    return known ? `${event.kind} until ${new Date(event.resetsAtMs ?? 0).toISOString()}` : event.kind;
  });
}

async function working(world: World): Promise<{ readonly asking: ReturnType<World["ask"]>; readonly ben: FakeCli }> {
  const asking = world.ask("@test", "Ben", "one", { waitSeconds: 86_400 });
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  return { asking, ben };
}

const ways: readonly { readonly by: string; readonly hit: (cli: FakeCli) => void }[] = [
  { by: "what the program says of itself", hit: (cli) => cli.says("error", NOTICE) },
  {
    by: "the screen at the end of a turn",
    hit: (cli) => {
      cli.print(`\n${NOTICE}\n`);
      cli.says("idle");
    },
  },
];

for (const { by, hit } of ways) {
  Deno.test(`limit: seen by ${by}; the queue holds, and goes on by itself after the reset`, async () => {
    await using world = await setup();
    const { asking, ben } = await working(world);
    hit(ben);
    await world.until("the limit", () => benOf(world).state === "limited");
    const next = world.ask("@test", "Ben", "two", { waitSeconds: 86_400 });
    await world.pass(1_000);
    const { state, limit, queueLength } = benOf(world);
    assert.deepEqual([state, limit?.resetsAtMs, queueLength], ["limited", RESETS_AT_MS, 2]);
    assert.ok((limit?.resumesAtMs ?? 0) > RESETS_AT_MS);
    const { waitsFor } = value(world.app.agents.explain(world.projectId, world.agent("Ben")));
    assert.deepEqual(waitsFor, ["the session limit to be over, at 2026-11-30T13:00:00.000Z"]);
    assert.deepEqual(told(world), [
      "agentRateLimited until 2026-11-30T13:00:00.000Z",
      "agentResumeScheduled",
    ]);
    await world.pass(HOUR_MS - 2_000);
    assert.equal(ben.lines.length, 1);
    await world.until("the task again", () => ben.lines.length === 2);
    assert.ok(world.clock.nowMs() > RESETS_AT_MS && world.clock.nowMs() < RESETS_AT_MS + 10 * 60_000);
    assert.ok(ben.lines[1]?.includes("(again: the session limit is over, go on with it) one"));
    value(await world.reply("Ben", "done"));
    assert.equal(value(await world.result(asking)).kind, "reply");
    ben.says("idle");
    await world.until("the next", () => ben.lines.length === 3);
    value(await world.reply("Ben", "done"));
    assert.equal(value(await world.result(next)).kind, "reply");
    assert.equal(told(world).at(-1), "agentResumed");
    assert.equal(world.tickets().every(({ needsAttention }) => !needsAttention), true);
  });
}

Deno.test("limit: one that ends for a person in their own turn is followed by a word to go on", async () => {
  await using world = await setup();
  const ben = await world.launch("Ben");
  const { sessionId } = benOf(world);
  assert.ok(sessionId !== undefined);
  value(world.app.terminals.write(sessionId, "build it\r", "person"));
  await world.until("their turn", () => ben.lines.length === 1);
  await world.pass(3_000);
  ben.says("error", NOTICE);
  await world.pass(2 * HOUR_MS);
  assert.deepEqual(ben.lines, ["build it", "[IdeA · the session limit is over] Go on with what you were doing."]);
});

Deno.test("limit: a resume that is met by the same limit waits longer, and is no second limit", async () => {
  await using world = await setup();
  const { ben } = await working(world);
  ben.says("error", NOTICE);
  await world.until("the task again", () => ben.lines.length === 2, 2 * HOUR_MS);
  ben.says("error", "limit reached, resets 2026-11-30T13:00:00Z");
  await world.until("the limit", () => benOf(world).state === "limited");
  const againAtMs = world.clock.nowMs();
  await world.until("the task again", () => ben.lines.length === 3, 2 * HOUR_MS);
  assert.ok(world.clock.nowMs() - againAtMs >= 60_000);
});

Deno.test("limit: a person cancels the resume, or says when it ends", async () => {
  await using world = await setup();
  const { limits } = world.app;
  const ben = world.agent("Ben");
  const { ben: cli } = await working(world);
  assert.deepEqual(error(await limits.cancelResume(world.projectId, ben)), { kind: "noLimit", agentId: ben });
  cli.says("error", NOTICE);
  await world.until("the limit", () => benOf(world).state === "limited");
  value(await world.result(limits.cancelResume(world.projectId, ben)));
  assert.deepEqual(error(await limits.cancelResume(world.projectId, ben)), { kind: "noResumePlanned", agentId: ben });
  assert.deepEqual([benOf(world).limit?.resetsAtMs, benOf(world).limit?.resumesAtMs], [RESETS_AT_MS, undefined]);
  await world.pass(5 * HOUR_MS);
  assert.equal(cli.lines.length, 1);
  assert.equal(told(world).at(-1), "agentResumeCancelled");
  value(await world.result(limits.setResetTime(world.projectId, ben, world.clock.nowMs() + 60_000)));
  await world.until("the task again", () => cli.lines.length === 2, HOUR_MS);
});

Deno.test("limit: an end that is not told is asked for, never guessed", async () => {
  await using world = await setup();
  const { ben } = await working(world);
  ben.says("error", "limit reached, resets some day");
  await world.until("the limit", () => benOf(world).state === "limited");
  await world.pass(4 * HOUR_MS);
  assert.equal(ben.lines.length, 1);
  assert.deepEqual(told(world), ["agentRateLimited"]);
  assert.deepEqual([benOf(world).limit?.source, benOf(world).limit?.resetsAtMs], ["structured", undefined]);
  const atMs = world.clock.nowMs() + HOUR_MS;
  value(await world.result(world.app.limits.setResetTime(world.projectId, world.agent("Ben"), atMs)));
  assert.equal(benOf(world).limit?.resetsAtMs, atMs);
  await world.until("the task again", () => ben.lines.length === 2, 2 * HOUR_MS);
});

Deno.test("limit: a program that stands still is suspected, and its work is not cut", async () => {
  await using world = await setup();
  const { ben } = await working(world);
  await world.pass(9 * 60_000);
  assert.deepEqual(told(world), []);
  await world.pass(2 * 60_000);
  assert.deepEqual(told(world), ["agentRateLimitSuspected"]);
  assert.equal(world.tickets()[0]?.state, "accepted");
  assert.deepEqual([benOf(world).state, benOf(world).limit?.source], ["working", "suspected"]);
  ben.print(".");
  await world.pass(2 * 60_000);
  assert.deepEqual([told(world).at(-1), benOf(world).limit], ["agentResumed", undefined]);
  value(await world.reply("Ben", "done"));
});

Deno.test("limit: a suspicion is denied once for each silence, or confirmed with a time, which holds the task", async () => {
  await using world = await setup();
  const { ben } = await working(world);
  const who = [world.projectId, world.agent("Ben")] as const;
  await world.pass(11 * 60_000);
  assert.equal(benOf(world).limit?.source, "suspected");
  value(await world.result(world.app.limits.lift(...who)));
  assert.equal(benOf(world).limit, undefined);
  await world.pass(30 * 60_000);
  assert.deepEqual(told(world), ["agentRateLimitSuspected", "agentResumed"]);
  ben.print(".");
  await world.pass(12 * 60_000);
  assert.equal(benOf(world).limit?.source, "suspected");
  const atMs = world.clock.nowMs() + HOUR_MS;
  value(await world.result(world.app.limits.setResetTime(...who, atMs)));
  const { state, limit } = benOf(world);
  assert.deepEqual([state, limit?.source, limit?.resetsAtMs], ["limited", "person", atMs]);
  assert.equal(world.tickets()[0]?.state, "queued");
  await world.until("the task again", () => ben.lines.length === 2, 2 * HOUR_MS);
  assert.ok(world.clock.nowMs() > atMs);
});

Deno.test("limit: a person tells of one in their own turn, and ends it before its time", async () => {
  await using world = await setup();
  const who = [world.projectId, world.agent("Ben")] as const;
  const ben = await world.launch("Ben");
  const { sessionId } = benOf(world);
  assert.ok(sessionId !== undefined);
  value(world.app.terminals.write(sessionId, "build it\r", "person"));
  await world.until("their turn", () => ben.lines.length === 1);
  await world.pass(3_000);
  value(await world.result(world.app.limits.setResetTime(...who, world.clock.nowMs() + HOUR_MS)));
  await world.pass(60_000);
  assert.deepEqual([benOf(world).state, ben.lines.length], ["limited", 1]);
  value(await world.result(world.app.limits.lift(...who)));
  assert.equal(benOf(world).limit, undefined);
  ben.says("idle");
  await world.until("a word to go on", () => ben.lines.length === 2);
  assert.ok(ben.lines[1]?.includes("Go on with what you were doing."));
  const nobody = createId("agent", "nobody");
  const { kind } = error(await world.app.limits.setResetTime(world.projectId, nobody, 1));
  assert.equal(kind, "agentNotFound");
});

Deno.test("limit: the plan survives a kill, and one that was missed is made up for", async () => {
  await using world = await setup();
  const { ben } = await working(world);
  ben.says("error", NOTICE);
  await world.until("the limit", () => benOf(world).state === "limited");
  await world.settle();
  const { version, limits: [limit] } = JSON.parse(world.disk.read(LIMITS_PATH) ?? "");
  assert.deepEqual([version, limit.agentId, limit.resetsAtMs, limit.source, limit.plan.kind], [
    1,
    world.agent("Ben"),
    RESETS_AT_MS,
    "structured",
    "scheduled",
  ]);
  await world.restart();
  await world.until("a new program", () => world.started().length === 1);
  await world.pass(60_000);
  assert.deepEqual([benOf(world).state, world.cli("Ben").lines], ["limited", []]);

  world.clock.jump(3 * HOUR_MS);
  await world.restart();
  await world.until("the task", () => world.started()[0]?.lines.length === 1, 30 * 60_000);
  assert.ok(world.cli("Ben").lines[0]?.includes("one"));
});

Deno.test("limit: of a program that is replaced goes with it", async () => {
  const other = makeProfile({ ...fake, id: "other", name: "Other" });
  await using world = await setup({ profiles: [fake, other] });
  const { ben } = await working(world);
  ben.says("error", NOTICE);
  await world.until("the limit", () => benOf(world).state === "limited");
  value(await world.result(world.app.agents.changeProfile(world.projectId, world.agent("Ben"), other.id)));
  await world.until("the task", () => world.cli("Ben").lines.length === 1);
  assert.equal(benOf(world).state, "working");
  assert.equal(told(world).at(-1), "agentResumeCancelled");
});

Deno.test("limit: a file of plans that is corrupt is set aside, and the project works", async () => {
  await using world = await setup({
    expectsDefects: true,
    prepare: (disk) => disk.write(LIMITS_PATH, "{"),
  });
  await working(world);
  assert.equal(world.disk.read(LIMITS_PATH), undefined);
  assert.deepEqual(world.disk.files().filter((path) => path.startsWith(LIMITS_PATH)), [
    `${LIMITS_PATH}.corrupt-${NOW_MS}`,
  ]);
  assert.deepEqual(world.defects, [{ kind: "corrupt", detail: "not JSON" }]);
});

Deno.test("limit: a dialog that it opened is left before the work goes on, and is not touched when it is gone", async () => {
  const dialog = { screenPattern: "^> 1\\. Keep trying", leave: ["\u001b", "\r"] };
  const asks = makeProfile({ ...fake, id: "asks", command: "asks", rateLimit: { ...fake.rateLimit, dialog } });
  for (const isOpen of [true, false]) {
    await using world = await setup({ agents: { Ben: "asks" }, profiles: [asks] });
    const { ben } = await working(world);
    ben.says("error", NOTICE);
    await world.until("the limit", () => benOf(world).state === "limited");
    if (isOpen) ben.show("> 1. Keep trying\n  2. Stop");
    const before = ben.program.input().length;
    await world.until("the task again", () => ben.lines.some((line) => line.includes("(again: ")), 2 * HOUR_MS);
    const typed = ben.program.input().slice(before);
    assert.equal(typed.indexOf("\u001b\r"), isOpen ? 0 : -1);
  }
});
