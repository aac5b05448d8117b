/**
 * What goes wrong among agents that work together, with the real Claude Code and Codex: order, circles, killed askers and
 * targets, a killed server, a limit, a change of program in the middle of a job, and tasks made to break out of their frame.
 */
import assert from "node:assert/strict";
import type { TicketId } from "../../core/ids.ts";
import { requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { cli } from "./clis.ts";
import { READY_MS, startRealAgents } from "./real_agents.ts";

const needs = requires(cli("claude"), cli("codex"));
const ask = (target: string, task: string) => `tool idea_ask_agent ${JSON.stringify({ target, task })}`;
const reply = (result: string) => `tool idea_reply ${JSON.stringify({ result })}`;

Deno.test({
  name: "together: three agents ask one at once; each gets its own answer, in the order of the questions",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    const names = ["One", "Two", "Three"];
    agents.models.codex.setScript(names.map((name) => ({
      match: new RegExp(`go ${name}`),
      steps: [ask("Oracle", `question of ${name}`)],
    })));
    agents.models.claude.setScript(names.map((name) => ({
      match: new RegExp(`question of ${name}`),
      steps: [reply(`answer for ${name}`), "say done"],
    })));
    const oracle = await agents.hire("Oracle", "claude");
    const askers = await Promise.all(names.map((name) => agents.hire(name, "codex")));
    await Promise.all(askers.map((asker) => agents.launch(asker)));
    const told = await Promise.all(askers.map((asker, at) => agents.tell(asker, `go ${names[at]}`)));
    await Promise.all(told.map((ticketId) => agents.closed(ticketId)));

    const delegations = (await agents.tickets()).filter((ticket) => ticket.to === oracle);
    assert.equal(delegations.length, 3);
    const at = (state: string) => (ticket: typeof delegations[number]) =>
      ticket.receipts.find((receipt) => receipt.state === state)?.atMs ?? Number.NaN;
    const byQuestion = delegations.toSorted((a, b) => at("queued")(a) - at("queued")(b));
    const deliveries = byQuestion.map(at("delivering"));
    assert.deepEqual(deliveries, deliveries.toSorted((a, b) => a - b));
    for (const [index, name] of names.entries()) {
      const own = delegations.find(({ task }) => task === `question of ${name}`);
      assert.equal(own?.reply?.text, `answer for ${name}`);
      const asker = askers[index];
      assert.ok(asker);
      await agents.showsOnScreen(asker, new RegExp(`answer for\\s+${name}`));
    }
  },
});

Deno.test({
  name: "together: a circle of three is refused at once, with the path, and the others go on",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.codex.setScript([
      { match: /begin/, steps: [ask("Bea", "first step"), "say finished"] },
      { match: /second step/, steps: [ask("Ann", "third step"), reply("the circle was refused"), "say done"] },
    ]);
    agents.models.claude.setScript([{
      match: /first step/,
      steps: [ask("Cid", "second step"), reply("through"), "say done"],
    }]);
    const ann = await agents.hire("Ann", "codex");
    await agents.hire("Bea", "claude");
    const cid = await agents.hire("Cid", "codex");
    const begun = await agents.tell(ann, "begin");
    assert.equal((await agents.closed(begun)).state, "answered");
    assert.equal((await agents.delegation("first step")).reply?.text, "through");
    assert.equal((await agents.delegation("second step")).reply?.text, "the circle was refused");
    assert.equal((await agents.tickets()).some(({ task }) => task === "third step"), false);
    await agents.showsOnScreen(cid, /Cid → Ann → Bea → Cid/);
  },
});

Deno.test({
  name: "together: an asker that is stopped in the middle sets its colleague free for the next task",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.codex.setScript([{ match: /begin/, steps: [ask("Bea", "slow work")] }]);
    agents.models.claude.setScript([
      { match: /slow work/, steps: ["slow 4 nearly", "say done"] },
      { match: /next task/, steps: [reply("the next one is done"), "say done"] },
    ]);
    const ann = await agents.hire("Ann", "codex");
    await agents.hire("Bea", "claude");
    await agents.tell(ann, "begin");
    const slow = await agents.delegation("slow work");
    await waitFor("Bea works on it", async () => (await agents.ticket(slow.id)).state === "accepted", READY_MS);
    const next = await agents.ask("Bea", "next task");
    await agents.stop(ann);
    assert.equal((await agents.closed(slow.id)).cancellation, "callerGone");
    assert.equal((await agents.closed(next)).reply?.text, "the next one is done");
  },
});

Deno.test({
  name: "together: a colleague that is killed in the middle gives its asker a typed error, and the ticket shows it",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.claude.setScript([{ match: /begin/, steps: [ask("Bob", "deadly work"), "say heard it"] }]);
    agents.models.codex.setScript([{ match: /deadly work/, steps: ["slow 60 never"] }]);
    const ann = await agents.hire("Ann", "claude");
    const bob = await agents.hire("Bob", "codex");
    const begun = await agents.tell(ann, "begin");
    const deadly = await agents.delegation("deadly work");
    await waitFor("Bob works on it", async () => (await agents.ticket(deadly.id)).state === "accepted", READY_MS);
    const { sessionId } = await agents.agent(bob);
    const terminals = await agents.server.api.call("GET /api/projects/{projectId}/terminals", {
      params: { projectId: agents.projectId },
    });
    assert.ok(terminals.ok);
    const pid = terminals.value.items.find((terminal) => terminal.sessionId === sessionId)?.pid;
    assert.ok(pid);
    Deno.kill(pid, "SIGKILL");
    const failed = await agents.closed(deadly.id);
    assert.deepEqual([failed.state, failed.failure?.kind], ["failed", "agentCrashed"]);
    assert.equal((await agents.closed(begun)).state, "answered");
    await agents.showsOnScreen(ann, /heard it/);
  },
});

Deno.test({
  name: "together: kill -9 of the server with one task in work and five queued; after the restart all six end well",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.codex.setScript([
      {
        match: /task 1\b[\s\S]*again, after a restart|again, after a restart[\s\S]*task 1\b/,
        steps: [reply("answer 1")],
      },
      { match: /task 1\b/, steps: ["slow 60 never"] },
      ...[2, 3, 4, 5, 6].map((number) => ({
        match: new RegExp(`task ${number}\\b`),
        steps: [reply(`answer ${number}`), "say done"],
      })),
    ]);
    await agents.hire("Bob", "codex");
    const tickets: TicketId[] = [];
    for (let number = 1; number <= 6; number++) tickets.push(await agents.ask("Bob", `task ${number}`));
    const [first] = tickets;
    assert.ok(first);
    await waitFor("Bob works on the first", async () => (await agents.ticket(first)).state === "accepted", READY_MS);
    await agents.server.kill();
    await agents.server.start();
    const closed = await Promise.all(tickets.map((ticketId) => agents.closed(ticketId)));
    assert.deepEqual(closed.map(({ reply }) => reply?.text), [1, 2, 3, 4, 5, 6].map((number) => `answer ${number}`));
    assert.deepEqual(closed.map(({ repeat }) => repeat), [1, 0, 0, 0, 0, 0]);
  },
});

Deno.test({
  name: "together: a change of program with three tasks queued; the new program answers them all",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.codex.setScript([{ match: /job/, steps: ["slow 60 never"] }]);
    agents.models.claude.setScript([1, 2, 3].map((number) => ({
      match: new RegExp(`job ${number}\\b`),
      steps: [reply(`claude did ${number}`), "say done"],
    })));
    const bob = await agents.hire("Bob", "codex");
    const tickets = [
      await agents.ask("Bob", "job 1"),
      await agents.ask("Bob", "job 2"),
      await agents.ask("Bob", "job 3"),
    ];
    const [first] = tickets;
    assert.ok(first);
    await waitFor("Bob works on the first", async () => (await agents.ticket(first)).state === "accepted", READY_MS);
    await agents.moveToProfile(bob, "claude");
    const closed = await Promise.all(tickets.map((ticketId) => agents.closed(ticketId)));
    assert.deepEqual(closed.map(({ reply }) => reply?.text), [1, 2, 3].map((number) => `claude did ${number}`));
  },
});

Deno.test({
  name: "together: a task of 50 KB with quotes, end markers of a paste, emoji and line breaks arrives whole, once",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    const poison = "\u001b[201~; touch pwned\r\n\u009b201~`touch pwned` $(touch pwned) \"'\u0003\u0004 👩‍👩‍👧 é\n";
    const task = `${poison}${"a long line of work\n".repeat(2_600)}the end ${poison}`;
    agents.models.claude.setScript([{
      match: /Fetch the task/,
      steps: ["tool idea_get_task {}", reply("fetched"), "say done"],
    }]);
    await agents.hire("Bea", "claude");
    const ticket = await agents.closed(await agents.ask("Bea", task));
    assert.equal(ticket.reply?.text, "fetched");
    // What the tool gave the model is what was asked, to the letter.
    const texts = agents.models.claude.log().flatMap(({ body }) => stringsIn(body));
    assert.ok(texts.some((text) => text.includes(task) || text.includes(JSON.stringify(task).slice(1, -1))));
    // One line was submitted, once: the model saw one prompt, whatever requests it took.
    const prompts = new Set(
      texts.filter((text) => text.includes("Fetch the task with the tool") && text.length < 1_000),
    );
    assert.equal(prompts.size, 1);
    const files = [...Deno.readDirSync(agents.server.project)].map(({ name }) => name);
    assert.deepEqual(files, [".ideai"]);
  },
});

Deno.test({
  name: "together: a usage limit holds the agent, and it goes on by itself when the limit is over",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.codex.setScript([
      { match: /session limit is over/, steps: [reply("after the limit"), "say done"] },
      { match: /limited work/, steps: ["limit usage:5"] },
    ]);
    const bob = await agents.hire("Bob", "codex");
    const ticketId = await agents.ask("Bob", "limited work");
    await waitFor("Bob is limited", async () => (await agents.agent(bob)).state === "limited", READY_MS);
    await waitFor("the ticket waits", async () => (await agents.ticket(ticketId)).state === "queued", READY_MS);
    await waitFor(
      "the ticket is answered after the limit",
      async () => (await agents.ticket(ticketId)).state === "answered",
      3 * READY_MS,
    );
    const ticket = await agents.ticket(ticketId);
    assert.deepEqual([ticket.reply?.text, ticket.repeat], ["after the limit", 1]);
  },
});

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
