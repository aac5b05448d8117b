import assert from "node:assert/strict";
import { error, IDEAI, setup, ticketIdOf, value, type World } from "../helpers/app.ts";

type Response = Readonly<Record<string, unknown>> & { readonly error?: { readonly kind: string } };

const folderOf = (world: World, who: string) => `${IDEAI}/requests/${who === "nobody" ? who : world.agent(who)}`;
const pathOf = (world: World, who: string, name: string) => `${folderOf(world, who)}/${name}.json`;

function put(world: World, who: string, name: string, content: unknown): string {
  const path = pathOf(world, who, name);
  world.disk.write(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function responseAt(world: World, path: string): Response | undefined {
  const text = world.disk.read(`${path}.response.json`);
  return text === undefined ? undefined : JSON.parse(text);
}

/** What stands beside a request that was put there, once it is no more "under way". */
async function answer(world: World, path: string): Promise<Response> {
  await world.until(`an answer to ${path}`, () => {
    const response = responseAt(world, path);
    return response !== undefined && response["pending"] !== true;
  });
  assert.equal(world.disk.read(path), undefined, "the request is removed");
  return responseAt(world, path) ?? {};
}

const request = async (world: World, who: string, content: unknown) => {
  const path = put(world, who, "request", content);
  const response = await answer(world, path);
  world.disk.remove(`${path}.response.json`);
  return response;
};

const processed = ({ events }: World) =>
  events.flatMap((event) =>
    event.kind === "orchestratorRequestProcessed" ? [[event.requesterId, event.action, event.source, event.ok]] : []
  );

async function benWorks(world: World, count = 1) {
  const ben = await world.untilReady("Ben");
  await world.until(
    "the task",
    () => ben.lines.length >= count && world.tickets().some(({ state }) => state === "accepted"),
  );
  return ben;
}

Deno.test("file door: a question is under way at once, and its answer comes into the same file", async () => {
  await using world = await setup();
  const path = put(world, "Ada", "q1", { type: "agent.message", targetAgent: "ben", task: "what time is it?" });
  await world.settle();
  const [{ id: ticket } = { id: "none" }] = world.tickets();
  const { request: hash, ...underWay } = responseAt(world, path) ?? {};
  assert.match(String(hash), /^[0-9a-f]{64}$/);
  assert.deepEqual(underWay, {
    ok: true,
    pending: true,
    detail: "It is under way. The answer will be written into this file: look again later.",
    action: "agent.message",
    ticket,
  });
  assert.equal(world.disk.read(path), undefined);
  await benWorks(world);
  await world.pass(3_600_000);
  assert.equal(responseAt(world, path)?.["pending"], true);
  value(await world.reply("Ben", "noon"));
  assert.deepEqual(await answer(world, path), {
    ok: true,
    action: "agent.message",
    detail: "Answered.",
    reply: "noon",
    ticket,
    source: "reply",
  });
  assert.deepEqual(processed(world).filter(([, , source]) => source === "file"), [
    [world.agent("Ada"), "ask", "file", true],
  ]);
});

Deno.test("file door: every command of an agent works by file as by tool", async () => {
  await using world = await setup();
  const asked = world.ask("Cleo", "Ben", "one");
  await benWorks(world);
  assert.deepEqual(await request(world, "Ben", { type: "agent.task" }), {
    ok: true,
    action: "agent.task",
    detail: "The task of Cleo, accepted.",
    reply: "one",
    ticket: world.inWork("Ben").id,
    from: "Cleo",
    state: "accepted",
    repeat: false,
    conversation: "**Cleo:** one",
  });
  assert.equal((await request(world, "Ben", { type: "status.set", status: "counting" }))["ok"], true);
  assert.equal((await request(world, "Ben", { type: "agent.list" }))["detail"], "3 agents.");
  assert.deepEqual(await request(world, "Ben", { type: "agent.reply", result: "done" }), {
    ok: true,
    action: "agent.reply",
    detail: "Your answer was delivered.",
  });
  assert.equal(value(await world.result(asked)).kind, "reply");
  const note = await request(world, "Ben", { type: "memory.write", slug: "build", content: "Run make." });
  assert.equal(note["detail"], "The note build was written.");
  assert.deepEqual(await request(world, "Ben", { type: "context.read" }), {
    ok: true,
    action: "context.read",
    detail: "Read.",
    reply: "# shop\n",
  });
  const stopped = await request(world, "Ada", { type: "stop_agent", target: "Ben" });
  assert.deepEqual(stopped, { ok: true, action: "stop_agent", detail: "Ben was stopped." });
  const run = await request(world, "Ada", { type: "spawn_agent", name: "Dora", profileId: "fake", task: "paint" });
  assert.deepEqual(run["detail"], "Dora was started.");
  await world.until("its task", () => world.cli("Dora").lines.length === 1);
});

const refusals: readonly {
  readonly what: string;
  readonly who?: string;
  readonly content: unknown;
  readonly kind: string;
}[] = [
  { what: "no JSON", content: "{not json", kind: "notJson" },
  { what: "nothing", content: "", kind: "notJson" },
  { what: "a list", content: [1], kind: "notAnObject" },
  { what: "no type", content: {}, kind: "unknownCommand" },
  { what: "a type that there is not", content: { type: "rm" }, kind: "unknownCommand" },
  {
    what: "a question to nobody",
    content: { type: "agent.message", targetAgent: "Zoe", task: "x" },
    kind: "agentNotFound",
  },
  { what: "a question without a task", content: { type: "agent.message", targetAgent: "Ben" }, kind: "invalid" },
  { what: "too deep a nest", content: "[".repeat(20_000) + "]".repeat(20_000), kind: "tooDeep" },
  {
    what: "too much",
    content: JSON.stringify({ type: "agent.message", targetAgent: "Ben", task: "x".repeat(7_000_000) }),
    kind: "tooLarge",
  },
  {
    what: "another one's name",
    content: { type: "agent.message", requestedBy: "Ben", targetAgent: "Cleo", task: "x" },
    kind: "foreignRequester",
  },
  {
    what: "a folder that is nobody's",
    who: "nobody",
    content: { type: "agent.message", targetAgent: "Ben", task: "x" },
    kind: "unknownRequester",
  },
  { what: "a circle", content: { type: "agent.message", targetAgent: "Ada", task: "x" }, kind: "cycle" },
  { what: "an answer to nothing", content: { type: "agent.reply", result: "x" }, kind: "nothingInWork" },
  {
    what: "an unknown profile",
    content: { type: "agent.run", target: "Dora", profile: "none" },
    kind: "unknownProfile",
  },
];

for (const { what, who = "Ada", content, kind } of refusals) {
  Deno.test(`file door: ${what} is an error in the answer, and starts nothing`, async () => {
    await using world = await setup();
    const response = await answer(world, put(world, who, "bad", content));
    assert.deepEqual([response["ok"], response.error?.kind], [false, kind]);
    assert.ok(String(response["detail"]).length > 10);
    assert.deepEqual([world.started(), world.tickets()], [[], []]);
    assert.deepEqual(processed(world).map(([, , source, ok]) => [source, ok]), [["file", false]]);
  });
}

Deno.test("file door: bytes that are no text are an error", async () => {
  await using world = await setup();
  const path = pathOf(world, "Ada", "bytes");
  world.disk.write(path, new Uint8Array([0x7b, 0xff, 0xfe]));
  assert.equal((await answer(world, path)).error?.kind, "notJson");
});

Deno.test("file door: a file that is still being written is waited for", async () => {
  await using world = await setup();
  const whole = JSON.stringify({ type: "context.read" });
  const path = put(world, "Ada", "slow", whole.slice(0, 5));
  await world.pass(800);
  assert.equal(responseAt(world, path), undefined);
  put(world, "Ada", "slow", whole.slice(0, 10));
  await world.pass(1_000);
  assert.equal(responseAt(world, path), undefined);
  put(world, "Ada", "slow", whole);
  assert.equal((await answer(world, path))["ok"], true);
  assert.equal(processed(world).length, 1);
});

Deno.test("file door: a file of the same name is another request, also while the first is waited for", async () => {
  await using world = await setup();
  const first = put(world, "Ada", "same", { type: "context.read" });
  await answer(world, first);
  const again = put(world, "Ada", "same", { type: "context.read" });
  assert.equal((await answer(world, again))["ok"], true);
  assert.equal(processed(world).length, 2);
  put(world, "Ada", "same", { type: "agent.message", target: "Ben", task: "one" });
  await world.settle();
  // Put there twice while it is under way: that is the same request.
  put(world, "Ada", "same", { type: "agent.message", target: "Ben", task: "one" });
  await world.settle();
  assert.equal(world.tickets().length, 1);
  await benWorks(world);
  value(await world.reply("Ben", "done"));
  assert.equal((await answer(world, first))["reply"], "done");
});

Deno.test("file door: answers are no requests, and neither is what is not in its place", async () => {
  await using world = await setup();
  const list = JSON.stringify({ type: "agent.list" });
  for (const path of ["a.json.response.json", ".hidden.json", "~a.json", "deep/a.json", "a.json.tmp", "a.txt"]) {
    world.disk.write(`${folderOf(world, "Ada")}/${path}`, list);
  }
  world.disk.write(`${IDEAI}/requests/a.json`, list);
  await world.pass(60_000);
  assert.deepEqual(processed(world), []);
  assert.equal(world.disk.files().filter((path) => path.endsWith(".response.json")).length, 1);
});

Deno.test("file door: what waits for answers keeps no answer from being given", async () => {
  await using world = await setup();
  const paths = Array.from(
    { length: 80 },
    (_, at) => put(world, "Ada", `q${at}`, { type: "agent.message", target: "Ben", task: `task ${at}` }),
  );
  await world.until("all of them", () => world.tickets().length === 80);
  // So many may wait; the others have their ticket.
  const pending = paths.filter((path) => responseAt(world, path)?.["pending"] === true);
  assert.equal(pending.length, 64);
  await benWorks(world);
  const response = await request(world, "Ada", { type: "context.read" });
  assert.equal(response["ok"], true);
  assert.equal((await request(world, "Ben", { type: "agent.reply", result: "one" }))["ok"], true);
  await world.until("an answer", () => paths.some((path) => responseAt(world, path)?.["reply"] === "one"));
});

Deno.test("file door: files that never become JSON keep only their own requester waiting", async () => {
  await using world = await setup();
  for (let at = 0; at < 200; at++) put(world, "Ada", `bad${at}`, "{");
  assert.equal((await request(world, "Cleo", { type: "context.read" }))["ok"], true);
  await world.pass(120_000);
  const answers = world.disk.files().filter((path) => path.endsWith(".response.json"));
  assert.equal(answers.length, 200);
});

Deno.test("file door: files that were there before IdeA started are answered", async () => {
  await using world = await setup();
  await world.stop();
  const path = put(world, "Ada", "early", { type: "context.read" });
  await world.start();
  assert.equal((await answer(world, path))["ok"], true);
});

Deno.test("file door: a question survives a kill at any moment, and is asked once", async () => {
  for (const turns of [0, 1, 2, 3, 5, 8, 13, 21, 34]) {
    await using world = await setup();
    const path = put(world, "Ada", "q", { type: "agent.message", target: "Ben", task: "one" });
    // So far it came when IdeA was killed.
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    await world.restart();
    await benWorks(world);
    assert.equal(world.tickets().length, 1, `after ${turns} turns`);
    value(await world.reply("Ben", "noon"));
    assert.equal((await answer(world, path))["reply"], "noon");
  }
});

Deno.test("file door: what was under way when the project closed is answered when it is open again", async () => {
  await using world = await setup();
  const path = put(world, "Ada", "q", { type: "agent.message", target: "Ben", task: "one" });
  const half = put(world, "Ada", "half", '{"type":');
  await benWorks(world);
  await world.stop();
  assert.equal(responseAt(world, path)?.["pending"], true);
  assert.equal(responseAt(world, half), undefined);
  await world.start();
  put(world, "Ada", "half", { type: "context.read" });
  assert.equal((await answer(world, half))["ok"], true);
  await benWorks(world);
  value(await world.reply("Ben", "noon"));
  assert.equal((await answer(world, path))["reply"], "noon");
  assert.equal(world.tickets().length, 1);
});

Deno.test("file door: a command that a kill cut is said to be so, or carried out again", async () => {
  await using world = await setup();
  await world.stop();
  const path = pathOf(world, "Ada", "cut");
  const note = { ok: true, pending: true, detail: "", action: "memory.write", request: "0".repeat(64) };
  world.disk.write(`${path}.response.json`, JSON.stringify(note));
  await world.start();
  const response = await answer(world, path);
  assert.deepEqual([response["ok"], response.error?.kind], [false, "interrupted"]);
});

Deno.test("file door: a note that is forged gives nobody another one's answer", async () => {
  await using world = await setup();
  const ticket = ticketIdOf(await world.result(world.ask("Cleo", "Ben", "secret", { waitSeconds: 0 })));
  await world.stop();
  const path = pathOf(world, "Ada", "forged");
  const note = { ok: true, pending: true, detail: "", action: "agent.message", request: "0".repeat(64), ticket };
  world.disk.write(`${path}.response.json`, JSON.stringify(note));
  await world.start();
  assert.equal((await answer(world, path)).error?.kind, "ticketNotYours");
});

Deno.test("file door: while the disk is full nothing is taken, and afterwards everything is", async () => {
  await using world = await setup({ expectsDefects: true });
  world.disk.failWrites("diskFull");
  const path = put(world, "Ada", "q", { type: "agent.message", target: "Ben", task: "one" });
  const bad = put(world, "Ada", "bad", "{}");
  await world.pass(60_000);
  assert.deepEqual([world.tickets(), world.started(), responseAt(world, path)], [[], [], undefined]);
  world.disk.failWrites(undefined);
  assert.equal((await answer(world, bad)).error?.kind, "unknownCommand");
  await benWorks(world);
  world.disk.failWrites("diskFull");
  assert.equal(error(await world.result(world.reply("Ben", "x"))).kind, "storage");
  world.disk.failWrites(undefined);
  value(await world.reply("Ben", "noon"));
  assert.equal((await answer(world, path))["reply"], "noon");
});

Deno.test("file door: an answer goes also where the agent has taken the note away", async () => {
  await using world = await setup();
  const path = put(world, "Ada", "q", { type: "agent.message", target: "Ben", task: "one" });
  await benWorks(world);
  world.disk.remove(`${path}.response.json`);
  value(await world.reply("Ben", "noon"));
  assert.equal((await answer(world, path))["reply"], "noon");
});

Deno.test("file door: an asker whose program ends has its question taken back", async () => {
  await using world = await setup();
  const ada = await world.launch("Ada");
  const path = put(world, "Ada", "q", { type: "agent.message", target: "Ben", task: "one" });
  await benWorks(world);
  ada.program.die(9);
  assert.equal((await answer(world, path)).error?.kind, "ticketCancelled");
});

Deno.test("file door: requests and hooks are no changes of the project", async () => {
  await using world = await setup();
  await request(world, "Ada", { type: "context.read" });
  world.disk.write(`${IDEAI}/run/${world.agent("Ada")}/hooks.jsonl`, "{}\n");
  world.disk.write(`${IDEAI}/CONTEXT.md`, "# New\n");
  await world.settle();
  const changes = world.events.flatMap((event) => event.kind === "projectChanged" ? [event.what] : []);
  assert.deepEqual(changes, [["CONTEXT.md"]]);
});

const DAY_MS = 86_400_000;

Deno.test("file door: an answer is kept for a week, then removed; what is under way stays however old it is", async () => {
  await using world = await setup();
  const read = put(world, "Ada", "read", { type: "context.read" });
  await answer(world, read);
  const asked = put(world, "Ada", "asked", { type: "agent.message", targetAgent: "ben", task: "take your time" });
  await benWorks(world);
  const response = `${read}.response.json`;
  world.clock.jump(7 * DAY_MS - 2 * 60_000);
  await world.pass(61 * 60_000);
  assert.equal(responseAt(world, asked)?.["pending"], true);
  world.disk.write(pathOf(world, "Ada", "fresh.json.response"), JSON.stringify({ ok: true, detail: "x" }));
  await world.pass(61 * 60_000);
  assert.equal(world.disk.read(response), undefined);
  assert.equal(responseAt(world, asked)?.["pending"], true);
  assert.notEqual(world.disk.read(pathOf(world, "Ada", "fresh.json.response")), undefined);
  value(await world.reply("Ben", "done"));
  assert.equal((await answer(world, asked))["reply"], "done");
  await world.pass(61 * 60_000);
  assert.equal(responseAt(world, asked)?.["reply"], "done");
});

Deno.test("file door: answers that are younger are there after a restart, and the old ones go when a project opens", async () => {
  await using world = await setup();
  const paths = ["a", "b"].map((name) => put(world, "Ada", name, { type: "context.read" }));
  for (const path of paths) await answer(world, path);
  const [a = "", b = ""] = paths;
  world.clock.jump(6 * DAY_MS);
  put(world, "Ada", "b", { type: "context.read" });
  await world.until("it is answered again", () => world.disk.read(b) === undefined);
  await world.restart();
  await world.settle();
  assert.deepEqual([a, b].map((path) => responseAt(world, path)?.ok), [true, true]);
  world.clock.jump(DAY_MS + 1);
  await world.restart();
  await world.settle();
  assert.deepEqual([a, b].map((path) => responseAt(world, path)?.ok), [undefined, true]);
});
