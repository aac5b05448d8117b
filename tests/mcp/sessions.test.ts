/** Connections: whose they are, how they begin and end, what happens when a stream breaks, and bad input. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { createRandom } from "../helpers/random.ts";
import { ada, bob, projectId } from "../fakes/app.ts";
import { setup, textOf, token, until } from "./mcp_setup.ts";

type Harness = ReturnType<typeof setup>;

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const initialize = (id: number | string = 1, protocolVersion = "2025-11-25") => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

function post(
  harness: Harness,
  secret: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return harness.send(secret, { method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });
}

/** A connection by hand; gives its headers. */
async function begin(harness: Harness, secret: string): Promise<Record<string, string>> {
  const response = await post(harness, secret, initialize());
  assert.equal(response.status, 200);
  await response.text();
  const headers = {
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  const initialized = await post(harness, secret, { jsonrpc: "2.0", method: "notifications/initialized" }, headers);
  assert.equal(initialized.status, 202);
  return headers;
}

const ask = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "idea_ask_agent", arguments: { target: "Bob", task: "x" } },
});

async function errorOf(response: Response): Promise<string> {
  const { error } = await response.json();
  return `${response.status} ${error.code}`;
}

/** Reads events of a stream until one has the text; gives the ids of those with data. */
async function readUntil(response: Response, wanted: string): Promise<{ text: string; stop: () => Promise<void> }> {
  const reader = response.body?.getReader();
  assert.ok(reader);
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    assert.ok(!done, `the stream ended after ${JSON.stringify(text)}`);
    text += decoder.decode(value, { stream: true });
  }
  return { text, stop: () => reader.cancel() };
}

Deno.test("sessions: another agent's session does not exist, nor does an agent's for the person", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  for (const secret of ["secret-of-bob", token]) {
    assert.equal(await errorOf(await post(harness, secret, list, own)), "404 -32001");
    const closing = await harness.send(secret, { method: "DELETE", headers: own });
    assert.equal(await errorOf(closing), "404 -32001");
    const listening = await harness.send(secret, { headers: { ...own, accept: "text/event-stream" } });
    assert.equal(await errorOf(listening), "404 -32001");
  }
  assert.equal((await post(harness, "secret-of-ada", list, own)).status, 200);
});

Deno.test("sessions: a revoked secret opens nothing, and the agent's connections end with the agent", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  await begin(harness, "secret-of-bob");
  harness.revoked.add("secret-of-ada");
  assert.equal((await post(harness, "secret-of-ada", ask(2), own)).status, 401);
  assert.equal(harness.mcp.sessions(), 2);
  harness.app.events.publish({ kind: "agentStopped", projectId, agentId: ada, crashed: true });
  await until("Ada's connection ends", () => harness.mcp.sessions() === 1);
  harness.app.events.publish({ kind: "projectClosed", projectId });
  await until("Bob's connection ends", () => harness.mcp.sessions() === 0);
});

Deno.test("sessions: an agent that stops in the middle of an ask takes it back", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const asking = await post(harness, "secret-of-ada", ask(2), own);
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  harness.app.events.publish({ kind: "agentStopped", projectId, agentId: ada, crashed: true });
  assert.doesNotMatch(await asking.text(), /"result"/);
  await until("the ticket is cancelled", () => harness.app.ticketsOf(bob)[0]?.cancellation === "callerGone");
});

Deno.test("sessions: DELETE ends one; what comes after is told to begin again", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  assert.equal((await harness.send("secret-of-ada", { method: "DELETE", headers: own })).status, 200);
  assert.equal(harness.mcp.sessions(), 0);
  assert.equal(await errorOf(await post(harness, "secret-of-ada", ask(2), own)), "404 -32001");
});

Deno.test("sessions: server/discover before the beginning is an unknown method; all else is told to begin", async () => {
  await using harness = setup();
  const discover = await post(harness, "secret-of-ada", {
    jsonrpc: "2.0",
    id: 7,
    method: "server/discover",
    params: {},
  });
  assert.deepEqual(await discover.json(), {
    jsonrpc: "2.0",
    error: { code: -32601, message: "Method not found" },
    id: 7,
  });
  assert.equal(discover.status, 200);
  assert.equal(await errorOf(await post(harness, "secret-of-ada", ask(1))), "400 -32000");
  assert.equal(
    await errorOf(await harness.send("secret-of-ada", { headers: { accept: "text/event-stream" } })),
    "400 -32000",
  );
  const own = await begin(harness, "secret-of-ada");
  const later = await post(harness, "secret-of-ada", { jsonrpc: "2.0", id: 8, method: "server/discover" }, own);
  assert.match(await later.text(), /-32601/);
});

Deno.test("sessions: protocol versions are negotiated", async () => {
  await using harness = setup();
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    const response = await post(harness, "secret-of-ada", initialize(1, version));
    assert.match(await response.text(), new RegExp(`"protocolVersion":"${version}"`));
  }
  const future = await post(harness, "secret-of-ada", initialize(1, "2099-01-01"));
  assert.match(await future.text(), /"protocolVersion":"2025-11-25"/);
});

Deno.test("sessions: a broken stream that is resumed in time loses nothing", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const { text, stop } = await readUntil(await post(harness, "secret-of-ada", ask(2), own), "id: ");
  const [, lastEventId = ""] = /^id: (.*)$/m.exec(text) ?? [];
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  await stop();
  harness.clock.advance(4_000);
  harness.app.reply(createId("ticket", "t1"), "while you were away");
  const resumed = await harness.send("secret-of-ada", {
    headers: { ...own, accept: "text/event-stream", "last-event-id": lastEventId },
  });
  const answer = await readUntil(resumed, "while you were away");
  assert.match(answer.text, /"id":2/);
  await answer.stop();
  harness.clock.advance(10_000);
  assert.equal(harness.app.ticketsOf(bob)[0]?.state, "answered");
  assert.deepEqual(harness.errors, []);
});

Deno.test("sessions: a stream that ended with an error is over for a client that comes back for it", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const read = { jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri: "idea://nothing" } };
  const text = await (await post(harness, "secret-of-ada", read, own)).text();
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
  assert.equal(ids.length, 2);
  const resume = (lastEventId: string) =>
    harness.send("secret-of-ada", { headers: { ...own, accept: "text/event-stream", "last-event-id": lastEventId } });
  assert.equal((await resume(ids[1] ?? "")).status, 405);
  const replayed = await readUntil(await resume(ids[0] ?? ""), "There is no resource");
  await replayed.stop();
});

Deno.test("sessions: who does not come back is gone, and its question with it; the connection goes on", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const { stop } = await readUntil(await post(harness, "secret-of-ada", ask(2), own), "id: ");
  await until("the ask arrives", () => harness.app.ticketsOf(bob).length === 1);
  await stop();
  harness.clock.advance(4_999);
  assert.equal(harness.app.ticketsOf(bob)[0]?.state, "queued");
  harness.clock.advance(1);
  await until("the ticket is cancelled", () => harness.app.ticketsOf(bob)[0]?.cancellation === "callerGone");
  const list = await post(harness, "secret-of-ada", { jsonrpc: "2.0", id: 3, method: "tools/list" }, own);
  assert.match(await list.text(), /idea_ask_agent/);
});

Deno.test("sessions: of one owner only so many, the unused go first", async () => {
  await using harness = setup();
  const first = await begin(harness, "secret-of-ada");
  const waiting = await begin(harness, "secret-of-bob");
  const asking = await post(harness, "secret-of-bob", ask(2), waiting);
  for (let count = 0; count < 40; count++) {
    harness.clock.advance(1);
    await begin(harness, "secret-of-ada");
    await begin(harness, "secret-of-bob");
  }
  assert.equal(harness.mcp.sessions(), 64);
  assert.equal(await errorOf(await post(harness, "secret-of-ada", ask(3), first)), "404 -32001");
  const list = await post(harness, "secret-of-bob", { jsonrpc: "2.0", id: 3, method: "tools/list" }, waiting);
  assert.equal(list.status, 200);
  await asking.body?.cancel();
});

Deno.test("sessions: a program outside says which project, when there are several", async () => {
  await using harness = setup();
  const { client } = await harness.connect(token, { query: "?project=p1" });
  assert.equal(textOf(await client.callTool({ name: "idea_context_read", arguments: {} })), "# Rules");
  const closed = await harness.send(token, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(initialize()),
    query: "?project=p2",
  });
  assert.match((await closed.json()).error.message, /p2 is not open in IdeA\. Open: home\/me\/one \(p1\)/);
});

Deno.test("sessions: bad input gets a typed error, tells no secret, and breaks nothing", async () => {
  await using harness = setup();
  const own = await begin(harness, "secret-of-ada");
  const random = createRandom(9);
  const crafted: readonly unknown[] = [
    null,
    1,
    "x",
    [],
    {},
    [{}],
    [[]],
    { jsonrpc: "1.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: null, method: "ping" },
    { jsonrpc: "2.0", id: {}, method: "ping" },
    { jsonrpc: "2.0", id: 1, method: 5 },
    { jsonrpc: "2.0", id: 1, method: "" },
    { jsonrpc: "2.0", id: 1, method: "__proto__" },
    { jsonrpc: "2.0", id: 1, method: "constructor" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 99, error: { code: 1, message: "x" } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
    { jsonrpc: "2.0", id: 1, method: "tools/call" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 1 } },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "idea_ask_agent", arguments: [] } },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "idea_ask_agent", arguments: { target: {} } } },
    { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "file:///etc/passwd" } },
    { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "idea://notes/..%2f..%2fagents.json" } },
    { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "idea://agents/../screen" } },
    { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "../x" } },
    { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "loud" } },
    { jsonrpc: "2.0", id: 1, method: "completion/complete", params: {} },
    { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: "x" } },
    initialize(),
  ];
  const methods = ["ping", "tools/list", "tools/call", "resources/read", "prompts/get", "initialize", "x"];
  const value = (): unknown => random.pick([1, "idea://context", null, [], {}, "Bob", true, "\u0000", -1e300]);
  const randomOnes = Array.from({ length: 500 }, () => ({
    jsonrpc: "2.0",
    id: random.pick<unknown>([1, "a", 2.5, -1]),
    method: random.pick(methods),
    params: random.pick<unknown>([
      { name: value(), arguments: value(), uri: value() },
      value(),
      { name: "idea_list_agents", arguments: { [String(value())]: value() } },
    ]),
  }));
  for (const body of [...crafted, ...randomOnes]) {
    for (const headers of [own, {}, { "mcp-session-id": "../../x" }, { ...own, "mcp-protocol-version": "9999" }]) {
      const response = await post(harness, "secret-of-ada", body, headers);
      const text = await response.text();
      assert.ok(response.status < 500, `${JSON.stringify(body)}: ${response.status} ${text}`);
      assert.ok(!text.includes("secret-of-") && !text.includes(token), text);
    }
  }
  const list = await post(harness, "secret-of-ada", { jsonrpc: "2.0", id: "end", method: "tools/list" }, own);
  assert.match(await list.text(), /idea_ask_agent/);
});
