import assert from "node:assert/strict";
import { error, IDEAI, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

const JOURNAL = `${IDEAI}/state/tickets.jsonl`;
const refused = { kind: "storage", detail: "diskFull: state/tickets.jsonl" } as const;
const queue = async (world: World, task: string) =>
  ticketIdOf(await world.result(world.ask("@test", "Ben", task, { waitSeconds: 0 })));
const kinds = ({ disk }: World) =>
  (disk.read(JOURNAL) ?? "").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).kind);

Deno.test("disk: a task that cannot be written is refused, never worked on, and does not come back", async () => {
  await using world = await setup();
  world.disk.failWrites("diskFull");
  assert.deepEqual(error(await world.ask("Ada", "Ben", "one")), refused);
  assert.deepEqual(
    error(await world.app.orchestrator.enqueueMessage(world.projectId, world.agent("Ben"), "hi")),
    refused,
  );
  await world.pass(60_000);
  assert.deepEqual([world.tickets(), world.started()], [[], []]);
  world.disk.failWrites(undefined);
  await world.pass(10_000);
  // The lines might have been written for all that the disk said.
  assert.deepEqual(kinds(world), ["ticketCancelled", "ticketCancelled"]);
  await world.restart();
  assert.deepEqual([world.tickets(), world.started()], [[], []]);
  value(await world.result(world.ask("Ada", "Ben", "two", { waitSeconds: 0 })));
});

Deno.test("disk: an answer that cannot be written is not taken; it may be given again", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one", { waitSeconds: 3_600 });
  await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  world.disk.failWrites("diskFull");
  assert.deepEqual(error(await world.result(world.reply("Ben", "noon"))), refused);
  assert.equal(world.tickets()[0]?.state, "accepted");
  world.disk.failWrites(undefined);
  value(await world.result(world.reply("Ben", "noon")));
  assert.equal(value(await world.result(asking)).kind, "reply");
});

Deno.test("disk: edits and cancellations that cannot be written change nothing", async () => {
  await using world = await setup();
  const first = await queue(world, "one");
  const second = await queue(world, "two");
  await world.until("the first to be taken", () => world.ticket(first).state === "accepted");
  world.disk.failWrites("notPermitted");
  const storage = { kind: "storage", detail: "notPermitted: state/tickets.jsonl" };
  const { orchestrator } = world.app;
  const ben = world.agent("Ben");
  assert.deepEqual(error(await orchestrator.cancel(world.projectId, first)), storage);
  for (const edit of [{ op: "remove", ticketId: second }, { op: "edit", ticketId: second, task: "x" }] as const) {
    assert.deepEqual(error(await orchestrator.editQueue(world.projectId, ben, edit)), storage);
  }
  world.disk.failWrites(undefined);
  assert.deepEqual(
    value(orchestrator.queue(world.projectId, ben)).map(({ task, state }) => [task, state]),
    [["one", "accepted"], ["two", "queued"]],
  );
});

Deno.test("disk: what happens to agents is true all the same, and written when the disk is back", async () => {
  await using world = await setup();
  const asking = world.ask("Ada", "Ben", "one");
  const ben = await world.untilReady("Ben");
  await world.until("the task", () => world.tickets()[0]?.state === "accepted");
  world.disk.failWrites("diskFull");
  ben.program.die(9);
  const failed = error(await world.result(asking));
  assert.ok(failed.kind === "targetFailed" && failed.failure.kind === "agentCrashed");
  assert.ok(!kinds(world).includes("ticketFailed"));
  world.disk.failWrites(undefined);
  await world.pass(3_000);
  assert.equal(kinds(world).at(-1), "ticketFailed");
});

Deno.test("disk: nothing is typed that is not written, so that a repeat is never unmarked", async () => {
  await using world = await setup({ expectsDefects: true });
  const first = await queue(world, "one");
  const second = await queue(world, "two");
  const ben = await world.untilReady("Ben");
  await world.until("the first to be taken", () => world.ticket(first).state === "accepted");
  value(await world.reply("Ben", "done"));
  world.disk.failWrites("diskFull");
  ben.says("idle");
  await world.pass(30_000);
  assert.deepEqual([ben.lines.length, ben.draft()], [1, ""]);
  world.disk.failWrites(undefined);
  await world.until("the next", () => world.ticket(second).state === "accepted");
  assert.equal(ben.lines.length, 2);
  assert.equal(kinds(world).at(-1), "ticketDelivering");
  await world.restart();
  await world.until("it again", () => world.ticket(second).state === "accepted");
  assert.equal(world.ticket(second).repeat, 1);
  // What was said while the disk was full is in the conversation.
  const log = world.disk.files().filter((path) => path.endsWith("/log.jsonl")).map((path) => world.disk.read(path));
  assert.deepEqual(log.join("").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).text), [
    "one",
    "done",
    "two",
  ]);
});

Deno.test("disk: receipts wait for what is written next, but not for long", async () => {
  await using world = await setup();
  const first = await queue(world, "one");
  await world.until("the task", () => world.ticket(first).state === "accepted");
  assert.equal(kinds(world).at(-1), "ticketDelivering");
  await queue(world, "two");
  const receipts = ["ticketDelivering", "ticketDelivered", "ticketAccepted"];
  assert.deepEqual(kinds(world).slice(-4), [...receipts, "ticketQueued"]);
  value(await world.reply("Ben", "done"));
  world.cli("Ben").says("idle");
  await world.until("the next", () => world.cli("Ben").lines.length === 2);
  await world.pass(100);
  assert.deepEqual(kinds(world).slice(-3), receipts);
});

Deno.test("disk: receipts that cannot be written come with the first line that can", async () => {
  await using world = await setup({ expectsDefects: true });
  const first = await queue(world, "one");
  const ben = await world.untilReady("Ben");
  world.disk.failWrites("diskFull");
  await world.until("the task", () => world.ticket(first).state === "accepted");
  await world.pass(10_000);
  assert.equal(kinds(world).at(-1), "ticketDelivering");
  world.disk.failWrites(undefined);
  ben.program.die(9);
  await world.settle();
  assert.deepEqual(kinds(world).slice(-3), ["ticketDelivered", "ticketAccepted", "ticketFailed"]);
});

Deno.test("disk: a task that is taken back before the disk is back is not typed at all", async () => {
  await using world = await setup({ expectsDefects: true });
  const first = await queue(world, "one");
  let leave = () => {};
  const context = {
    onGone(listener: () => void) {
      leave = listener;
      return { [Symbol.dispose]: () => {} };
    },
  };
  const asking = world.ask("Ada", "Ben", "two", { context });
  const ben = await world.untilReady("Ben");
  await world.until("the first to be taken", () => world.ticket(first).state === "accepted");
  value(await world.reply("Ben", "done"));
  world.disk.failWrites("diskFull");
  ben.says("idle");
  await world.pass(1_000);
  leave();
  assert.equal(error(await world.result(asking)).kind, "ticketCancelled");
  world.disk.failWrites(undefined);
  const third = await queue(world, "three");
  await world.until("the third", () => world.ticket(third).state === "accepted");
  assert.equal(ben.lines.length, 2);
  assert.ok(ben.lines[1]?.includes(third));
});

Deno.test("disk: a journal that cannot be read leaves the project open, without agents at work", async () => {
  await using world = await setup({
    expectsDefects: true,
    prepare: (disk) => disk.write(JOURNAL, new Uint8Array([0xff, 0xfe, 0x0a])),
  });
  assert.ok(world.defects.length > 0);
  assert.equal(value(world.app.projects.get(world.projectId)).open, true);
});
