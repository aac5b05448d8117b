/** The stdio bridge against a server on a real port. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { bob } from "../fakes/app.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { startBridge, startServer } from "./bridge_setup.ts";

const reply = (id: string) => createId("ticket", id);

Deno.test("bridge: requests, answers and errors of the protocol go through", async () => {
  await using server = startServer("t1");
  const bridge = startBridge({ url: server.url, secret: "t1" });
  const hello = await bridge.initialize();
  assert.equal(hello.result?.protocolVersion, "2025-11-25");
  await bridge.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  assert.match(JSON.stringify((await bridge.answerTo(1)).result), /idea_ask_agent/);
  await bridge.send({ jsonrpc: "2.0", id: 2, method: "server/discover" });
  assert.equal((await bridge.answerTo(2)).error?.code, -32601);
  await bridge.send("this is no JSON");
  await bridge.send("");
  await bridge.send('[{"jsonrpc":"2.0"}]');
  await bridge.call(3, "idea_list_agents", {});
  assert.match(JSON.stringify((await bridge.answerTo(3)).result), /Bob/);
  assert.equal(bridge.lines.filter((line) => line.error?.code === -32700).length, 2);
  assert.equal((await bridge.close()).ok, true);
  await waitFor("the session ends", () => server.mcp.sessions() === 0);
  assert.deepEqual(server.errors, []);
});

Deno.test("bridge: an ask waits with progress while other calls are answered; a cancellation arrives", async () => {
  await using server = startServer("t1");
  const bridge = startBridge({ url: server.url, secret: "t1" });
  await bridge.initialize();
  await bridge.call(1, "idea_ask_agent", { target: "Bob", task: "17 × 23?" }, { progressToken: "p" });
  await waitFor("the ask arrives", () => server.app.ticketsOf(bob).length === 1);
  await bridge.call(2, "idea_list_agents", {});
  await bridge.answerTo(2);
  server.app.progress("Bob works on it");
  await waitFor("progress", () => bridge.lines.some((line) => line.method === "notifications/progress"));
  server.app.reply(reply("t1"), "391");
  assert.match(JSON.stringify((await bridge.answerTo(1)).result), /391/);

  await bridge.call(3, "idea_ask_agent", { target: "Bob", task: "never mind" });
  await bridge.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
  await waitFor("the ticket is cancelled", () => server.app.ticketsOf(bob)[1]?.cancellation === "callerGone");
  assert.equal(server.app.received[0]?.requester.party.kind, "external");
  await bridge.close();
});

Deno.test("bridge: a client that goes away takes its questions back", async () => {
  await using server = startServer("t1");
  const bridge = startBridge({ url: server.url, secret: "t1" });
  await bridge.initialize();
  await bridge.call(1, "idea_ask_agent", { target: "Bob", task: "x" });
  await waitFor("the ask arrives", () => server.app.ticketsOf(bob).length === 1);
  await bridge.close();
  await waitFor("the ticket is cancelled", () => server.app.ticketsOf(bob)[0]?.cancellation === "callerGone");
});

Deno.test("bridge: 1 MiB of task and what the server says by itself go through whole", async () => {
  await using server = startServer("t1");
  const bridge = startBridge({ url: server.url, secret: "t1" });
  await bridge.initialize();
  const task = `"quotes" \u001b[201~ é 🙂 \\ \n`.repeat(40_000);
  await bridge.call(1, "idea_ask_agent", { target: "Bob", task, wait_seconds: 0 });
  await bridge.answerTo(1);
  assert.equal(server.app.ticketsOf(bob)[0]?.task, task);
  await bridge.send({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "idea://context" } });
  await bridge.answerTo(2);
  const isUpdate = () => bridge.lines.some((line) => line.method === "notifications/resources/updated");
  await waitFor("an update", () => {
    // The stream for it may still be on its way to the server.
    server.app.events.publish({ kind: "projectChanged", projectId: createId("project", "p1"), what: ["CONTEXT.md"] });
    return isUpdate();
  });
  await bridge.close();
});

Deno.test("bridge: a restart of the server, with another port and token, is not noticed", async () => {
  const first = startServer("t1");
  let target = { url: first.url, secret: "t1" };
  const bridge = startBridge({ ...target, renew: () => Promise.resolve(target) });
  await bridge.initialize();
  await bridge.send({ jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "idea://context" } });
  await bridge.answerTo(1);
  await bridge.call(2, "idea_ask_agent", { target: "Bob", task: "in work when it goes" });
  await waitFor("the ask arrives", () => first.app.ticketsOf(bob).length === 1);
  await first[Symbol.asyncDispose]();
  const lost = await bridge.answerTo(2);
  assert.match(lost.error?.message ?? "", /IdeA was restarted while this was in work/);
  // Nobody is there: the call waits.
  await bridge.call(3, "idea_list_agents", {});
  await using second = startServer("t2");
  target = { url: second.url, secret: "t2" };
  assert.match(JSON.stringify((await bridge.answerTo(3)).result), /Bob/);
  await bridge.call(4, "idea_ask_agent", { target: "Bob", task: "after", wait_seconds: 0 });
  await bridge.answerTo(4);
  assert.equal(second.app.ticketsOf(bob).length, 1);
  await waitFor("it follows the resource again", () => {
    second.app.events.publish({ kind: "projectChanged", projectId: createId("project", "p1"), what: ["CONTEXT.md"] });
    return bridge.lines.some((line) => line.method === "notifications/resources/updated");
  });
  assert.equal(bridge.lines.filter((line) => line.id === "init").length, 1);
  assert.equal((await bridge.close()).ok, true);
});

Deno.test("bridge: nobody there, or a refused secret, is an error for each request and at the end", async () => {
  const nobody = startBridge({ url: "http://127.0.0.1:1/mcp", secret: "t", patienceMs: 50 });
  const unreachable = await nobody.initialize();
  assert.match(unreachable.error?.message ?? "", /cannot be reached.*Start it with: idea/);
  const ended = await nobody.close();
  assert.deepEqual(ended, { ok: false, error: { kind: "connectionLost", reason: "IdeA cannot be reached" } });

  await using server = startServer("t1");
  const stranger = startBridge({ url: server.url, secret: "wrong", patienceMs: 50 });
  assert.match((await stranger.initialize()).error?.message ?? "", /refused the request \(status 401\)/);
  await stranger.close();
  assert.ok(!JSON.stringify([nobody.lines, stranger.lines]).includes("wrong"));
});
