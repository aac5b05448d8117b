/**
 * What every AI CLI has to do as an employee, whatever it is: answer a colleague and ask one, keep the order of its queue,
 * stop when it is told, hold what is delivered while it asks its person, and go on in the same conversation after a
 * restart. The facts of one CLI are given by its test. The scenarios of a day share one session: programs start slowly.
 */
import assert from "node:assert/strict";
import type { AgentId } from "../../core/ids.ts";
import type { Ticket } from "../../core/orchestration/ticket.ts";
import { requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { cli, type CliName, optional } from "./clis.ts";
import type { LoggedRequest } from "./kit/model_server.ts";
import { READY_MS, type RealAgents, startRealAgents } from "./real_agents.ts";

export interface Employee {
  readonly cli: CliName;
  /** A step of the model that the CLI asks its person about. */
  readonly askedStep: string;
  /** On the screen while it asks. */
  readonly dialog: RegExp;
  /** The keys that allow it once. */
  readonly allow: string;
  /** A limit of its provider, as the scripted model gives it, and in how many seconds it says that it ends. */
  readonly limit: { readonly step: string; readonly resetSeconds: number | undefined };
  /** A call of a tool may take so long, and longer than the CLI lets it last by itself. */
  readonly longCallSeconds: number;
}

const ask = (target: string, task: string) => `tool idea_ask_agent ${JSON.stringify({ target, task })}`;
const reply = (result: string) => `tool idea_reply ${JSON.stringify({ result })}`;

/** A day of one that works with Claude Code. */
export function testWork(employee: Employee): void {
  const { cli: name } = employee;
  const own = optional(cli(name));
  Deno.test({
    name: `${name}: answers a colleague and asks one, works in order, is interrupted, asks its person, is limited`,
    ...(own.ignore ? own : requires(cli("claude"))),
    async fn(test) {
      await using agents = await startRealAgents([name, "claude"]);
      const worker = await agents.hire("Worker", name);
      const scenarios: Readonly<Record<string, Scenario>> = {
        "asked by Claude while it was not running, it answers inline": answersInline,
        "two tasks are worked on one after the other, in the order they came": worksInOrder,
        "it asks Claude, and the answer is the result of its own tool call": asksInline,
        "an interrupted task is closed, the program stops, and the next task is taken": isInterrupted,
        "while it asks for permission nothing is typed; then it goes on, and the next task comes": holdsForItsPerson,
        "a usage limit is seen, with its end, and holds its task": seesItsLimit,
      };
      for (const [what, scenario] of Object.entries(scenarios)) {
        // Each begins where the one before it ended.
        if (!await test.step(what, () => explained(agents, () => scenario(agents, worker, employee)))) return;
      }
    },
  });
}

export function testResume(name: CliName): void {
  Deno.test({
    name: `${name}: after kill -9 of the server two of them in one folder go on, each in its own conversation`,
    ...optional(cli(name)),
    async fn() {
      await using agents = await startRealAgents([name]);
      await explained(agents, () => resumesItsOwn(agents, name));
    },
  });
}

type Scenario = (agents: RealAgents, worker: AgentId, employee: Employee) => Promise<void>;

/** When it fails, what the agents show and why they are in their state is in the error. */
async function explained(agents: RealAgents, scenario: () => Promise<void>): Promise<void> {
  try {
    await scenario();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${await describe(agents)}`, { cause: error });
  }
}

async function describe(agents: RealAgents): Promise<string> {
  const params = { projectId: agents.projectId };
  const listed = await agents.server.api.call("GET /api/projects/{projectId}/agents", { params });
  if (!listed.ok) return agents.server.log();
  const views = await Promise.all(listed.value.items.map(async ({ agentId, name }) => {
    const { authority, signals, waitsFor } = await explain(agents, agentId);
    const screen = (await agents.screen(agentId)).split("\n").filter((row) => row.trim() !== "");
    return [`== ${name}`, JSON.stringify({ authority, signals, waitsFor }), ...screen].join("\n");
  }));
  return views.join("\n");
}

async function answersInline(agents: RealAgents, worker: AgentId, { cli }: Employee): Promise<void> {
  agents.models.claude.setScript([{ match: /ask Worker/, steps: [ask("Worker", "how much is 17 × 23")] }]);
  agents.models[cli].setScript([{ match: /17 × 23/, steps: [reply("391"), "say done"] }]);
  const ada = await agents.hire("Ada", "claude");
  assert.equal((await agents.closed(await agents.tell(ada, "Please ask Worker."))).state, "answered");
  const delegation = await agents.delegation("17 × 23");
  assert.deepEqual(
    [delegation.to, delegation.from, delegation.reply?.text, delegation.reply?.source],
    [worker, { kind: "agent", agentId: ada }, "391", "reply"],
  );
  assert.deepEqual(
    delegation.receipts.map(({ state }) => state),
    ["queued", "delivering", "delivered", "accepted", "answered"],
  );
  await agents.showsOnScreen(ada, /RESULT\s*<<[\s\S]*391/);
  await agents.showsOnScreen(worker, /\[IdeA · task from Ada · ticket/);
  // Who it is, and how to work with the others: the model is given it.
  const told = agents.models[cli].log().filter(({ turn, body }) => turn !== undefined && mentions(body, "17 × 23"));
  assert.ok(told.some(({ body }) => mentions(body, "idea_reply") && mentions(body, agents.server.project)));
  assert.ok(told.some(({ body }) => mentions(body, "You are Worker")));
}

/** The second is typed when the first is answered and its turn is over. */
async function worksInOrder(agents: RealAgents, worker: AgentId, { cli }: Employee): Promise<void> {
  agents.models[cli].setScript([
    { match: /first job/, steps: [reply("first done"), "slow 2 tidying up"] },
    { match: /second job/, steps: [reply("second done"), "say done"] },
  ]);
  const first = await agents.ask("Worker", "first job");
  const second = await agents.ask("Worker", "second job");
  const closed = [await agents.closed(first), await agents.closed(second)];
  assert.deepEqual(closed.map((ticket) => ticket.reply?.text), ["first done", "second done"]);
  const [answeredAtMs = 0, typedAtMs = 0] = [receiptAtMs(closed[0], "answered"), receiptAtMs(closed[1], "delivering")];
  const { signals } = await explain(agents, worker);
  const over = signals.find(({ state, atMs }) => (state === "idle" || state === "done") && atMs <= typedAtMs);
  assert.ok(over !== undefined && answeredAtMs < over.atMs, JSON.stringify({ signals, answeredAtMs, typedAtMs }));
}

/** Longer than programs let a tool call last when nobody tells them to. */
async function asksInline(agents: RealAgents, worker: AgentId, { cli, longCallSeconds }: Employee): Promise<void> {
  agents.models[cli].setScript([{ match: /consult/, steps: [ask("Ada", "a hard question")] }]);
  agents.models.claude.setScript([{
    match: /a hard question/,
    steps: [`after ${longCallSeconds} ${reply("42, of course")}`, "say done"],
  }]);
  const told = await agents.closed(await agents.tell(worker, "Please consult Ada."));
  assert.equal(told.state, "answered");
  // What it said last, by its transcript or its own report.
  assert.match(told.reply?.text ?? "", /^RESULT <<[\s\S]*42, of course/);
  assert.equal((await agents.delegation("a hard question")).reply?.text, "42, of course");
  await agents.showsOnScreen(worker, /RESULT\s*<<[\s\S]*42, of course/);
  // Nobody was asked for leave to use IdeA's own tools.
  const { signals } = await explain(agents, worker);
  assert.deepEqual(signals.filter(({ state }) => state === "blocked"), []);
}

async function isInterrupted(agents: RealAgents, worker: AgentId, { cli }: Employee): Promise<void> {
  agents.models[cli].setScript([
    { match: /endless job/, steps: ["slow 300 never"] },
    { match: /next job/, steps: [reply("next done"), "say done"] },
  ]);
  const endless = await agents.ask("Worker", "endless job");
  // More than the other jobs have.
  await agents.showsOnScreen(worker, /tick 5/);
  const { sessionId } = await agents.agent(worker);
  const params = { projectId: agents.projectId, agentId: worker };
  const done = await agents.server.api.call("POST /api/projects/{projectId}/agents/{agentId}/interrupt", { params });
  assert.ok(done.ok, JSON.stringify(done));
  const cut = await agents.closed(endless);
  assert.deepEqual([cut.state, cut.cancellation], ["cancelled", "byPerson"]);
  // It hung up on the model: it does not go on in secret.
  const isCut = ({ turn, closedEarly }: LoggedRequest) =>
    closedEarly && turn?.userText.includes("endless job") === true;
  await agents.models[cli].waitFor(isCut, READY_MS);
  assert.equal((await agents.closed(await agents.ask("Worker", "next job"))).reply?.text, "next done");
  assert.equal((await agents.agent(worker)).sessionId, sessionId, "the same program goes on");
  const prompts = agents.models[cli].log().flatMap(({ turn }) => turn === undefined ? [] : [turn.userText]);
  assert.ok(prompts.filter((prompt) => prompt.includes("next job")).every((prompt) => !prompt.includes("endless")));
}

async function holdsForItsPerson(agents: RealAgents, worker: AgentId, employee: Employee): Promise<void> {
  agents.models[employee.cli].setScript([
    { match: /delicate job/, steps: [employee.askedStep, reply("delicate done"), "say done"] },
    { match: /waiting job/, steps: [reply("waiting done"), "say done"] },
  ]);
  const delicate = await agents.ask("Worker", "delicate job");
  const waiting = await agents.ask("Worker", "waiting job");
  await waitFor("it asks its person", async () => (await agents.agent(worker)).state === "blocked", READY_MS);
  await agents.showsOnScreen(worker, employee.dialog);
  const { waitsFor } = await explain(agents, worker);
  assert.equal((await agents.ticket(waiting)).state, "queued");
  assert.doesNotMatch(await agents.screen(worker), /waiting job/);
  assert.notDeepEqual(waitsFor, []);
  const { sessionId } = await agents.agent(worker);
  assert.ok(sessionId);
  const answeredAtMs = Date.now();
  const pressed = await agents.server.api.call("POST /api/projects/{projectId}/terminals/{sessionId}/input", {
    params: { projectId: agents.projectId, sessionId },
    body: { text: employee.allow },
  });
  assert.ok(pressed.ok, JSON.stringify(pressed));
  assert.equal((await agents.closed(delicate)).reply?.text, "delicate done");
  const last = await agents.closed(waiting);
  assert.equal(last.reply?.text, "waiting done");
  assert.ok((receiptAtMs(last, "delivering") ?? 0) >= answeredAtMs);
}

async function seesItsLimit(agents: RealAgents, worker: AgentId, { cli, limit }: Employee): Promise<void> {
  agents.models[cli].setScript([{ match: /limited job/, steps: [limit.step] }]);
  const limited = await agents.ask("Worker", "limited job");
  await waitFor("the limit is seen", async () => (await agents.agent(worker)).state === "limited", READY_MS);
  await waitFor("its task waits", async () => (await agents.ticket(limited)).state === "queued", READY_MS);
  const { resetsAtMs } = (await agents.agent(worker)).limit ?? assert.fail("no limit");
  if (limit.resetSeconds === undefined) return assert.equal(resetsAtMs, undefined);
  const errorMs = Math.abs((resetsAtMs ?? 0) - Date.now() - limit.resetSeconds * 1_000);
  // Programs write minutes at best.
  assert.ok(errorMs < 180_000, `${resetsAtMs} is ${errorMs} ms off`);
}

async function resumesItsOwn(agents: RealAgents, cli: CliName): Promise<void> {
  agents.models[cli].setScript([
    { match: /password of (\w+)/, steps: [reply("noted"), "say I keep it"] },
    { match: /what did I tell/, steps: [reply("told"), "say done"] },
  ]);
  const names = ["Anna", "Bert"];
  for (const name of names) await agents.hire(name, cli);
  for (const name of names) {
    // One after the other: opencode hangs when two are the first ever in a home.
    const noted = await agents.closed(await agents.ask(name, `the password of ${name} is sesame${name}`));
    assert.equal(noted.reply?.text, "noted");
  }
  // Their turns are over, and written down.
  for (const name of names) {
    const keeps = ({ turn }: LoggedRequest) => turn?.userText.includes(name) === true && turn.results.length > 0;
    await agents.models[cli].waitFor(keeps, READY_MS);
  }
  const params = { projectId: agents.projectId };
  const listed = await agents.server.api.call("GET /api/projects/{projectId}/agents", { params });
  assert.ok(listed.ok);
  for (const { agentId } of listed.value.items) await agents.isReady(agentId);
  await agents.server.kill();
  await agents.server.start();
  const before = agents.models[cli].log().length;
  const asked = await Promise.all(names.map((name) => agents.ask(name, `${name}, what did I tell you?`)));
  for (const ticketId of asked) assert.equal((await agents.closed(ticketId)).reply?.text, "told");
  const since = agents.models[cli].log().slice(before).filter(({ turn }) => turn?.userText.includes("what did I tell"));
  for (const [at, name] of names.entries()) {
    const own = since.filter(({ body }) => mentions(body, `${name}, what did I tell you?`));
    assert.ok(own.length > 0);
    // Some ask the model on the side, about one message only.
    assert.ok(own.some(({ body }) => mentions(body, `sesame${name}`) && mentions(body, "I keep it")), name);
    assert.ok(own.every(({ body }) => !mentions(body, `sesame${names[1 - at]}`)), name);
  }
}

function receiptAtMs(ticket: Ticket | undefined, state: Ticket["state"]): number | undefined {
  return ticket?.receipts.find((receipt) => receipt.state === state)?.atMs;
}

async function explain(agents: RealAgents, agentId: AgentId) {
  const params = { projectId: agents.projectId, agentId };
  const read = await agents.server.api.call("GET /api/projects/{projectId}/agents/{agentId}/explain", { params });
  assert.ok(read.ok, JSON.stringify(read));
  return read.value;
}

function mentions(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  return typeof value === "object" && value !== null && Object.values(value).some((each) => mentions(each, text));
}
