/** Resources, prompts, completion and logging over a connection. */
import assert from "node:assert/strict";
import {
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createId } from "../../core/ids.ts";
import { ada, bob, conversationId, projectId } from "../fakes/app.ts";
import { setup, token, until } from "./mcp_setup.ts";

Deno.test("resources: an agent reads rules, notes, its handoffs and its own screen, not another's", async () => {
  await using harness = setup();
  await harness.app.agents.launch(projectId, ada, {});
  const launched = await harness.app.agents.launch(projectId, bob, {});
  assert.ok(launched.ok && launched.value.sessionId !== undefined);
  harness.app.terminals.write(launched.value.sessionId, "secret work", "person");

  const asAda = await harness.connect("secret-of-ada");
  const { resources } = await asAda.client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), [
    "idea://context",
    "idea://notes",
    "idea://conversations/conv1/handoff",
    "idea://agents/ada/screen",
  ]);
  const read = async (uri: string) => (await asAda.client.readResource({ uri })).contents[0];
  assert.deepEqual(await read("idea://context"), { uri: "idea://context", mimeType: "text/markdown", text: "# Rules" });
  assert.equal((await read("idea://notes/style"))?.mimeType, "text/markdown");
  assert.equal((await read("idea://conversations/conv1/handoff"))?.mimeType, "text/markdown");
  for (
    const uri of ["idea://agents/bob/screen", "idea://nothing", "idea://conversations/x/handoff", "idea://notes/A b"]
  ) {
    await assert.rejects(read(uri), /There is no resource/, uri);
  }

  const asBob = await harness.connect("secret-of-bob");
  await assert.rejects(
    asBob.client.readResource({ uri: "idea://conversations/conv1/handoff" }),
    /There is no resource/,
    "a conversation of others",
  );
  const outside = await harness.connect(token);
  const screen = await outside.client.readResource({ uri: "idea://agents/bob/screen" });
  assert.deepEqual(screen.contents[0], {
    uri: "idea://agents/bob/screen",
    mimeType: "text/plain",
    text: "secret work",
  });
});

Deno.test("resources: subscribers hear of changes, coalesced, until they unsubscribe", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const updated: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  await client.subscribeResource({ uri: "idea://context" });
  await client.subscribeResource({ uri: "idea://conversations/conv1/handoff" });
  await assert.rejects(client.subscribeResource({ uri: "idea://nothing" }), /There is no resource/);
  const rulesChanged = () => harness.app.events.publish({ kind: "projectChanged", projectId, what: ["CONTEXT.md"] });
  await until("the client listens", () => harness.heard.includes("ada initialized"));
  rulesChanged();
  rulesChanged();
  harness.app.events.publish({ kind: "projectChanged", projectId, what: ["agents.json"] });
  await until("it hears", () => updated.length === 1);
  harness.clock.advance(500);
  await until("it hears the last", () => updated.length === 2);
  harness.app.events.publish({ kind: "conversationGrew", projectId, conversationId });
  await until("it hears of the handoff", () => updated.length === 3);
  assert.deepEqual(updated, ["idea://context", "idea://context", "idea://conversations/conv1/handoff"]);
  await client.unsubscribeResource({ uri: "idea://context" });
  harness.clock.advance(5_000);
  rulesChanged();
  await client.ping();
  assert.equal(updated.length, 3);
});

Deno.test("resources and prompts: changes of the lists are announced", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const heard: string[] = [];
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push("resources"));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push("prompts"));
  await until("the client listens", () => harness.heard.includes("ada initialized"));
  harness.app.events.publish({ kind: "agentStopped", projectId, agentId: bob, crashed: false });
  harness.app.events.publish({ kind: "projectChanged", projectId, what: ["skills/index.json"] });
  await until("it hears", () => heard.length === 2);
  assert.deepEqual(heard.toSorted(), ["prompts", "resources"]);
  // A conversation comes into the list once, however much is said in it.
  for (const count of [3, 3, 4]) {
    const id = count === 4 ? createId("conversation", "conv2") : conversationId;
    harness.clock.advance(5_000);
    harness.app.events.publish({ kind: "conversationGrew", projectId, conversationId: id });
    await until("it hears of the new one", () => heard.length === count);
    await client.ping();
    assert.equal(heard.length, count);
  }
});

Deno.test("prompts: the skills, with what to apply them to", async () => {
  await using harness = setup();
  const { client } = await harness.connect(token);
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts, [{
    name: "review",
    title: "review",
    description: "Review the change like a colleague.",
    arguments: [{ name: "task", description: "What to apply it to", required: false }],
  }]);
  const prompt = await client.getPrompt({ name: "review", arguments: { task: "the last commit" } });
  assert.deepEqual(prompt.messages, [{
    role: "user",
    content: { type: "text", text: "Review the change like a colleague.\n\nApply this to: the last commit" },
  }]);
  await assert.rejects(client.getPrompt({ name: "none" }), /There is no prompt none/);
});

Deno.test("completion: values of templates that begin as typed", async () => {
  await using harness = setup();
  await harness.app.agents.launch(projectId, ada, {});
  const { client } = await harness.connect(token);
  const complete = async (uri: string, name: string, typed: string) => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri },
      argument: { name, value: typed },
    });
    return completion.values;
  };
  assert.deepEqual(await complete("idea://agents/{agent}/screen", "agent", "a"), ["ada"]);
  assert.deepEqual(await complete("idea://agents/{agent}/screen", "agent", "b"), []);
  assert.deepEqual(await complete("idea://conversations/{conversation}/handoff", "conversation", ""), ["conv1"]);
  assert.deepEqual(await complete("idea://nothing/{x}", "x", ""), []);
});

Deno.test("logging: what a wait does is told from the level on that the client asked for", async () => {
  await using harness = setup();
  const { client } = await harness.connect("secret-of-ada");
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.data));
  const asking = client.callTool({ name: "idea_ask_agent", arguments: { target: "Bob", task: "x" } });
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  await client.setLoggingLevel("warning");
  harness.app.progress("quiet");
  await client.setLoggingLevel("debug");
  harness.app.progress("loud");
  await until("it is logged", () => logged.length === 1);
  assert.deepEqual(logged, ["loud"]);
  const ticket = harness.app.ticketsOf(bob)[0];
  assert.ok(ticket);
  harness.app.reply(ticket.id, "done");
  await asking;
});
