/** The tools as a client sees them: what they promise, what they send to the orchestrator, what comes back. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { commandSchemas } from "../../core/orchestration/commands.ts";
import { ada, bob, projectId } from "../fakes/app.ts";
import { setup, textOf, token, until } from "./mcp_setup.ts";

Deno.test("tools: every command has its tool, each with schemas, title and annotations", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), [
    "idea_ask_agent",
    "idea_wait_reply",
    "idea_get_task",
    "idea_reply",
    "idea_list_agents",
    "idea_launch_agent",
    "idea_stop_agent",
    "idea_set_status",
    "idea_context_read",
    "idea_context_propose",
    "idea_update_context",
    "idea_memory_read",
    "idea_memory_write",
    "idea_create_skill",
  ]);
  assert.equal(tools.length, Object.keys(commandSchemas).length);
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, "object", tool.name);
    assert.equal(tool.outputSchema?.type, "object", tool.name);
    assert.equal(typeof tool.annotations?.readOnlyHint, "boolean", tool.name);
    for (const [name, property] of Object.entries(tool.inputSchema.properties ?? {})) {
      assert.ok("description" in property, `${tool.name}.${name} is not described`);
    }
  }
  const ask = tools.find(({ name }) => name === "idea_ask_agent");
  assert.deepEqual(ask?.inputSchema.required, ["target", "task"]);
});

Deno.test("tools: an ask waits and returns the reply inline; another call of the same connection is answered meanwhile", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const asking = client.callTool({ name: "idea_ask_agent", arguments: { target: "Bob", task: "17 × 23?" } });
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  const listed = await client.callTool({ name: "idea_list_agents", arguments: {} });
  assert.equal(textOf(listed), "- Ada (Claude Code): stopped\n- Bob (Claude Code): stopped");
  await client.ping();

  const other = await harness.connect("secret-of-bob");
  const task = await other.client.callTool({ name: "idea_get_task", arguments: {} });
  assert.match(textOf(task), /17 × 23\?/);
  const replied = await other.client.callTool({ name: "idea_reply", arguments: { result: "391" } });
  assert.equal(textOf(replied), "The ticket t1 is answered.");
  const answer = await asking;
  assert.equal(textOf(answer), "391");
  assert.deepEqual(answer.structuredContent, { status: "answered", ticket: "t1", reply: "391", source: "reply" });
  assert.deepEqual(harness.app.received[0]?.requester, {
    projectId,
    party: { kind: "agent", agentId: ada },
    door: "mcp",
  });
  assert.deepEqual(harness.errors, []);
});

Deno.test("tools: progress is told while an ask waits", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const told: unknown[] = [];
  const asking = client.callTool({ name: "idea_ask_agent", arguments: { target: "Bob", task: "x" } }, undefined, {
    onprogress: (progress) => void told.push(progress),
  });
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  harness.app.progress("next in the queue of Bob");
  harness.app.progress("Bob works on it");
  await until("progress comes", () => told.length === 2);
  assert.deepEqual(told, [
    { progress: 1, message: "next in the queue of Bob" },
    { progress: 2, message: "Bob works on it" },
  ]);
  harness.app.reply(createId("ticket", "t1"), "done");
  await asking;
});

Deno.test("tools: a wait that ends first gives a ticket, with which one waits again", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const args = { target: "Bob", task: "x", wait_seconds: 0 };
  const pending = await client.callTool({ name: "idea_ask_agent", arguments: args });
  assert.equal(pending.isError, undefined);
  assert.match(textOf(pending), /No answer yet: queued\. Call idea_wait_reply with ticket t1/);
  harness.app.reply(createId("ticket", "t1"), "late");
  const answer = await client.callTool({ name: "idea_wait_reply", arguments: { ticket: "t1" } });
  assert.equal(textOf(answer), "late");
});

Deno.test("tools: a cancelled call takes its question back", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const cancel = new AbortController();
  const asking = client.callTool({ name: "idea_ask_agent", arguments: { target: "Bob", task: "x" } }, undefined, {
    signal: cancel.signal,
  });
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  cancel.abort("no longer needed");
  await assert.rejects(asking);
  await until("the ticket is cancelled", () => harness.app.ticketsOf(bob)[0]?.cancellation === "callerGone");
});

Deno.test("tools: errors are results that say what failed and what to do", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, true, name);
    return textOf(result);
  };
  assert.match(await call("idea_ask_agent", { target: "Zoe", task: "x" }), /no agent "Zoe".*There are: Ada, Bob\./);
  assert.match(await call("idea_ask_agent", { target: "Ada", task: "x" }), /wait for each other for ever: Ada → Ada/);
  assert.match(await call("idea_ask_agent", { target: "Bob" }), /idea_ask_agent are not valid: task:/);
  assert.match(await call("idea_ask_agent", { target: "Bob", task: "x", wait_seconds: -1 }), /wait_seconds/);
  assert.match(await call("idea_ask_agent", { target: "Bob", task: "x".repeat(1_048_577) }), /task/);
  assert.match(await call("idea_wait_reply", { ticket: "none" }), /no ticket none/);
  assert.match(await call("idea_reply", { result: "x" }), /no task in work/);
  await assert.rejects(client.callTool({ name: "idea_nothing", arguments: {} }), /There is no tool idea_nothing/);
});

Deno.test("tools: the others become their commands", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const calls: readonly [string, Record<string, unknown>][] = [
    ["idea_launch_agent", { target: "Bob", visibility: "background" }],
    ["idea_stop_agent", { target: "Bob" }],
    ["idea_set_status", { doing: "tests" }],
    ["idea_context_read", {}],
    ["idea_context_propose", { content: "# Rules" }],
    ["idea_update_context", { target: "Bob", content: "# Bob" }],
    ["idea_memory_read", { slug: "style" }],
    ["idea_memory_write", { slug: "style", content: "short" }],
    ["idea_create_skill", { name: "review", content: "steps" }],
  ];
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, undefined, `${name}: ${textOf(result)}`);
  }
  assert.deepEqual(harness.app.received.map(({ command }) => command), [
    { name: "launch", input: { target: "Bob", visibility: "background" } },
    { name: "stop", input: { target: "Bob" } },
    { name: "setStatus", input: { doing: "tests" } },
    { name: "contextRead", input: {} },
    { name: "contextPropose", input: { content: "# Rules" } },
    { name: "updateContext", input: { target: "Bob", content: "# Bob" } },
    { name: "memoryRead", input: { slug: "style" } },
    { name: "memoryWrite", input: { slug: "style", content: "short" } },
    { name: "createSkill", input: { name: "review", content: "steps" } },
  ]);
});

Deno.test("tools: hooks hear of initialized, tools/list and each call with its meta", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  await client.listTools();
  const meta = { sessionId: "codex-thread" };
  await client.callTool({ name: "idea_list_agents", arguments: {}, _meta: meta });
  assert.deepEqual(harness.heard, [
    "ada initialized",
    "ada listed",
    `ada idea_list_agents ${JSON.stringify(meta)}`,
  ]);
  const outside = await harness.connect(token, { name: "Desktop" });
  await outside.client.listTools();
  assert.equal(harness.heard.length, 3);
});

Deno.test("tools: a program outside is a party of its own name, made harmless", async () => {
  await using harness = setup();
  const { client } = await harness.connect(token, { name: "Claude <Desktop>\n; rm" });
  await client.callTool({ name: "idea_list_agents", arguments: {} });
  assert.deepEqual(harness.app.received[0]?.requester.party, { kind: "external", name: "Claude Desktop rm" });
});
