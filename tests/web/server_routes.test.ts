/** Every operation of the API does its work through the typed client, and its answer has the promised form. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import type { Result } from "../../core/result.ts";
import type { ApiError } from "../../web/api/client.ts";
import { ada, bob, cellId, closedProjectId, conversationId, layoutId, projectId } from "../fakes/app.ts";
import { setup } from "./server_setup.ts";

function value<T>(result: Result<T, ApiError>): T {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function code(result: Result<unknown, ApiError>): string {
  assert.ok(!result.ok && result.error.kind === "problem", JSON.stringify(result));
  return `${result.error.problem.status} ${result.error.problem.code}`;
}

const project = { params: { projectId } };
const agent = { params: { projectId, agentId: ada } };

Deno.test("routes: health says what runs", async () => {
  const { api, clock } = setup();
  assert.deepEqual(value(await api.call("GET /api/health")), {
    status: "ok",
    version: "1.0.0",
    pid: 42,
    startedAtMs: clock.nowMs(),
    openProjects: 1,
    liveSessions: 0,
  });
});

Deno.test("routes: projects are listed, opened and closed; folders are picked", async () => {
  const { api } = setup();
  assert.equal(value(await api.call("GET /api/projects")).items.length, 2);
  const opened = await api.call("POST /api/projects", { body: { root: "/home/me/one" } });
  assert.equal(value(opened).projectId, projectId);
  assert.equal(code(await api.call("POST /api/projects", { body: { root: "/nowhere" } })), "404 NOT_FOUND");
  value(await api.call("DELETE /api/projects/{projectId}", { ...project, query: { forget: "true" } }));
  const closed = await api.call("DELETE /api/projects/{projectId}", { params: { projectId: closedProjectId } });
  assert.equal(code(closed), "404 NOT_FOUND");
  assert.equal(value(await api.call("GET /api/folders")).folders[0]?.name, "one");
  assert.equal(code(await api.call("GET /api/folders", { query: { path: "/nowhere" } })), "404 NOT_FOUND");
});

Deno.test("routes: a file of a project is read", async () => {
  const { api } = setup();
  const read = (path: string) => api.call("GET /api/projects/{projectId}/file", { ...project, query: { path } });
  assert.deepEqual(value(await read("src/a.ts")), { path: "src/a.ts", text: "one\ntwo\n" });
  assert.equal(code(await read("src/b.ts")), "404 NOT_FOUND");
});

Deno.test("routes: profiles are listed, detected, saved and removed", async () => {
  const { api } = setup();
  assert.deepEqual(value(await api.call("GET /api/profiles")).items.map((one) => one.name), ["Claude Code"]);
  assert.equal(value(await api.call("GET /api/profiles/detected")).items[0]?.installed, true);
  const params = { profileId: createId("profile", "mine") };
  const saved = await api.call("PUT /api/profiles/{profileId}", { params, body: { name: "Mine", command: "mine" } });
  assert.equal(value(saved).id, "mine");
  value(await api.call("DELETE /api/profiles/{profileId}", { params }));
  assert.equal(code(await api.call("DELETE /api/profiles/{profileId}", { params })), "404 NOT_FOUND");
});

Deno.test("routes: an agent is made, renamed, described and removed", async () => {
  const { api } = setup();
  const body = { name: "Cleo", profileId: createId("profile", "claude"), context: "# Cleo" };
  const made = value(await api.call("POST /api/projects/{projectId}/agents", { ...project, body }));
  assert.equal(code(await api.call("POST /api/projects/{projectId}/agents", { ...project, body })), "409 NAME_TAKEN");
  const params = { projectId, agentId: made.agentId };
  const key = "/api/projects/{projectId}/agents/{agentId}";
  assert.equal(value(await api.call(`PATCH ${key}`, { params, body: { name: "Cle" } })).name, "Cle");
  assert.equal(value(await api.call(`GET ${key}/context`, { params })).content, "# Cleo");
  value(await api.call(`PUT ${key}/context`, { params, body: { content: "# New" } }));
  assert.equal(value(await api.call(`GET ${key}/context`, { params })).content, "# New");
  const unknown = { params, body: { profileId: createId("profile", "none") } };
  assert.equal(code(await api.call(`PUT ${key}/profile`, unknown)), "409 UNKNOWN_PROFILE");
  value(await api.call(`DELETE ${key}`, { params }));
  assert.equal(code(await api.call(`GET ${key}`, { params })), "404 NOT_FOUND");
});

Deno.test("routes: an agent is launched once, moved, read, interrupted, explained and stopped", async () => {
  const { api, app } = setup();
  const key = "/api/projects/{projectId}/agents/{agentId}";
  assert.equal(code(await api.call(`GET ${key}/screen`, agent)), "409 AGENT_NOT_RUNNING");
  const launched = value(
    await api.call(`POST ${key}/launch`, { ...agent, body: { cellId, size: { cols: 90, rows: 30 } } }),
  );
  assert.equal(launched.state, "idle");
  assert.ok(launched.sessionId);
  const again = await api.call(`POST ${key}/launch`, { ...agent, body: {} });
  assert.equal(code(again), "409 AGENT_ALREADY_RUNNING");
  assert.ok(!again.ok && again.error.kind === "problem");
  assert.deepEqual([again.error.problem.agentId, again.error.problem.nodeId], ["ada", "c1"]);
  const moved = await api.call(`POST ${key}/cell`, { ...agent, body: { cellId: createId("cell", "c2") } });
  assert.equal(value(moved).cellId, "c2");
  app.terminals.write(launched.sessionId, "hello", "delivery");
  assert.deepEqual(value(await api.call(`GET ${key}/screen`, { ...agent, query: { scrollback: 10 } })).screen, [
    "hello",
  ]);
  value(await api.call(`POST ${key}/interrupt`, agent));
  assert.equal(value(await api.call(`GET ${key}/explain`, agent)).authority, "programStatus");
  value(await api.call(`POST ${key}/stop`, agent));
  assert.equal(code(await api.call(`POST ${key}/stop`, agent)), "409 AGENT_NOT_RUNNING");
});

Deno.test("routes: a message is queued, edited and removed; its ticket stays readable", async () => {
  const { api } = setup();
  const key = "/api/projects/{projectId}/agents/{agentId}";
  const ticket = value(await api.call(`POST ${key}/input`, { ...agent, body: { text: "do it" } }));
  assert.deepEqual([ticket.kind, ticket.state, ticket.task], ["message", "queued", "do it"]);
  assert.equal(value(await api.call(`GET ${key}/queue`, agent)).items.length, 1);
  const edit = (body: { op: "edit"; task: string } | { op: "remove" } | { op: "move"; position: number }) =>
    api.call(`PATCH ${key}/queue`, { ...agent, body: { ...body, ticketId: ticket.id } });
  assert.equal(value(await edit({ op: "edit", task: "do that" })).items[0]?.task, "do that");
  value(await edit({ op: "move", position: 0 }));
  assert.deepEqual(value(await edit({ op: "remove" })).items, []);
  const params = { projectId, ticketId: ticket.id };
  const read = value(await api.call("GET /api/projects/{projectId}/tickets/{ticketId}", { params }));
  assert.equal(read.cancellation, "byPerson");
  assert.equal(value(await api.call("GET /api/projects/{projectId}/tickets", project)).items.length, 1);
  value(await api.call("DELETE /api/projects/{projectId}/tickets/{ticketId}", { params }));
});

Deno.test("routes: a person says until when a limit lasts, that it goes on by hand only, and that it is over", async () => {
  const { api } = setup();
  const key = "/api/projects/{projectId}/agents/{agentId}/limit";
  assert.equal(code(await api.call(`DELETE ${key}`, agent)), "409 CONFLICT");
  const limited = value(await api.call(`PUT ${key}`, { ...agent, body: { resetsAtMs: 5_000 } }));
  assert.deepEqual([limited.state, limited.limit?.source, limited.limit?.resumesAtMs], ["limited", "person", 5_000]);
  const byHand = value(await api.call(`DELETE ${key}/resume`, agent));
  assert.deepEqual([byHand.limit?.resetsAtMs, byHand.limit?.resumesAtMs], [5_000, undefined]);
  assert.equal(code(await api.call(`DELETE ${key}/resume`, agent)), "409 CONFLICT");
  assert.equal(value(await api.call(`DELETE ${key}`, agent)).limit, undefined);
  assert.equal(code(await api.call(`PUT ${key}`, { ...agent, body: { resetsAtMs: -1 } })), "400 INVALID");
  const nobody = { params: { projectId, agentId: createId("agent", "nobody") } };
  assert.equal(code(await api.call(`DELETE ${key}`, nobody)), "404 NOT_FOUND");
});

Deno.test("routes: a ticket that needs attention is delivered again; a closed one is not", async () => {
  const { api, app } = setup();
  const input = "POST /api/projects/{projectId}/agents/{agentId}/input";
  const ticket = value(await api.call(input, { ...agent, body: { text: "do it" } }));
  app.needAttention(ticket.id);
  const params = { projectId, ticketId: ticket.id };
  const key = "POST /api/projects/{projectId}/tickets/{ticketId}/redeliver";
  assert.deepEqual(value(await api.call(key, { params })), ticket);
  app.reply(ticket.id, "done");
  assert.equal(code(await api.call(key, { params })), "409 TICKET_CLOSED");
  const unknown = { params: { projectId, ticketId: createId("ticket", "t99") } };
  assert.equal(code(await api.call(key, unknown)), "404 NOT_FOUND");
});

Deno.test("routes: an ask waits for the reply, or ends with a ticket; one that goes away takes its question back", async () => {
  const { api, app } = setup();
  const ask = (body: { target: string; task: string; waitSeconds?: number; from?: string }, signal?: AbortSignal) =>
    api.call("POST /api/projects/{projectId}/ask", { ...project, body }, signal === undefined ? {} : { signal });
  const pending = value(await ask({ target: "Bob", task: "17 × 23?", waitSeconds: 0, from: "make" }));
  assert.deepEqual(pending, { kind: "pending", ticket: "t1", state: "queued", position: 0 });
  assert.deepEqual(app.received[0]?.requester, {
    projectId,
    party: { kind: "external", name: "make" },
    door: "ui",
  });
  const waiting = ask({ target: "Bob", task: "and 2 × 2?" });
  await until(() => app.ticketsOf(bob).length === 2);
  app.reply(createId("ticket", "t2"), "4");
  assert.deepEqual(value(await waiting), { kind: "reply", ticket: "t2", text: "4", source: "reply" });
  assert.equal(code(await ask({ target: "Nobody", task: "?" })), "404 NOT_FOUND");

  const caller = new AbortController();
  const left = ask({ target: "Bob", task: "never mind" }, caller.signal);
  await until(() => app.ticketsOf(bob).length === 3);
  caller.abort();
  assert.equal(code(await left), "409 CANCELLED");
  assert.equal(app.ticketsOf(bob)[2]?.cancellation, "callerGone");
});

Deno.test("routes: a terminal is opened, typed into, resized, read, awaited and closed", async () => {
  const { api, app } = setup();
  const opened = value(
    await api.call("POST /api/projects/{projectId}/terminals", {
      ...project,
      body: { argv: ["bash", "-l"], cwd: "src" },
    }),
  );
  const params = { projectId, sessionId: opened.sessionId };
  const key = "/api/projects/{projectId}/terminals/{sessionId}";
  value(await api.call(`POST ${key}/input`, { params, body: { text: "ls\n" } }));
  value(await api.call(`POST ${key}/input`, { params, body: { text: "x", paste: true } }));
  value(await api.call(`POST ${key}/input`, { params, body: { base64: "G1tB" } }));
  assert.equal(app.inputOf(opened.sessionId), "ls\n[paste x]\u001b[A");
  value(await api.call(`POST ${key}/resize`, { params, body: { cols: 100, rows: 40 } }));
  assert.deepEqual(value(await api.call(`GET ${key}/screen`, { params })).size, { cols: 100, rows: 40 });
  const found = value(await api.call(`GET ${key}/wait`, { params, query: { pattern: "^l", timeoutMs: 5 } }));
  assert.ok(found.kind === "found" && found.line === "ls");
  assert.equal(code(await api.call(`GET ${key}/wait`, { params, query: { pattern: "(" } })), "400 INVALID");
  assert.equal(value(await api.call("GET /api/projects/{projectId}/terminals", project)).items.length, 1);
  assert.deepEqual(value(await api.call(`DELETE ${key}`, { params })).exit, { kind: "signalled", signal: 1 });
  assert.equal(code(await api.call(`GET ${key}/screen`, { params })), "404 NOT_FOUND");
});

Deno.test("routes: a session is not reached under another project", async () => {
  const { api } = setup();
  const opened = value(await api.call("POST /api/projects/{projectId}/terminals", { ...project, body: {} }));
  const params = { projectId: closedProjectId, sessionId: opened.sessionId };
  const key = "/api/projects/{projectId}/terminals/{sessionId}";
  assert.equal(code(await api.call(`GET ${key}/screen`, { params })), "404 NOT_FOUND");
  assert.equal(code(await api.call(`POST ${key}/input`, { params, body: { text: "x" } })), "404 NOT_FOUND");
  assert.equal(code(await api.call(`DELETE ${key}`, { params })), "404 NOT_FOUND");
  const closed = { params: { projectId: closedProjectId }, body: {} };
  assert.equal(code(await api.call("POST /api/projects/{projectId}/terminals", closed)), "404 NOT_FOUND");
});

Deno.test("routes: layouts, conversations, live state and settings", async () => {
  const { api } = setup();
  assert.equal(value(await api.call("GET /api/projects/{projectId}/layouts", project)).items[0]?.name, "Main");
  const operate = "POST /api/projects/{projectId}/layouts/{layoutId}/operations";
  const params = { projectId, layoutId };
  assert.equal(value(await api.call(operate, { params, body: { op: "rename", name: "Two" } })).name, "Two");
  assert.equal(code(await api.call(operate, { params, body: { op: "undo" } })), "409 CONFLICT");
  // Every operation of the core's one schema passes the door, to be done or refused behind it.
  const otherId = createId("cell", "c2");
  for (
    const body of [
      { op: "merge", cellId, otherId },
      { op: "unmerge", cellId },
      { op: "insertTrack", cellId, axis: "row", where: "after" },
      { op: "deleteTrack", cellId, axis: "col" },
      { op: "resizeGrid", gridId: "g", axis: "row", weights: [1, 2] },
      { op: "move", cellId, targetId: otherId, place: "replace" },
      { op: "add", name: "Three", kind: "terminal" },
      { op: "remove" },
      { op: "redo" },
    ] as const
  ) assert.equal(code(await api.call(operate, { params, body })), "409 CONFLICT");

  const list = value(await api.call("GET /api/projects/{projectId}/conversations", project));
  assert.equal(list.items[0]?.messageCount, 3);
  const conversation = { params: { projectId, conversationId } };
  const read = "GET /api/projects/{projectId}/conversations/{conversationId}";
  const first = value(await api.call(read, { ...conversation, query: { limit: 2 } }));
  assert.deepEqual(first.items.map((message) => message.text), ["three", "two"]);
  assert.ok(first.nextCursor);
  const rest = value(await api.call(read, { ...conversation, query: { limit: 2, cursor: first.nextCursor } }));
  assert.deepEqual(rest, { items: rest.items.slice(0, 1) });
  assert.equal(code(await api.call(read, { ...conversation, query: { cursor: "gone" } })), "400 INVALID");
  assert.equal(value(await api.call(`${read}/handoff`, conversation)).objective, "Ship it");

  assert.equal(value(await api.call("GET /api/projects/{projectId}/live", project)).agents[0]?.doing, "tests");
  value(await api.call("PATCH /api/settings", { body: { theme: "dark", later: { kept: true } } }));
  assert.deepEqual(value(await api.call("GET /api/settings")), { theme: "dark", later: { kept: true } });
});

Deno.test("routes: unknown paths and methods are told apart", async () => {
  const { sendAsPerson } = setup();
  assert.equal((await sendAsPerson("/api/nothing")).status, 404);
  assert.equal((await sendAsPerson("/api/nothing", { method: "POST" })).status, 404);
  const wrong = await sendAsPerson("/api/health", { method: "DELETE" });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get("allow"), "GET");
  assert.equal((await sendAsPerson("/api/socket")).status, 426);
});

Deno.test("routes: a bug is a 500 without details, and is reported", async () => {
  const { app, sendAsPerson, bugs } = setup();
  const broken = new Error("secret detail");
  app.settings.read = () => {
    throw broken;
  };
  const response = await sendAsPerson("/api/settings");
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret detail/);
  assert.deepEqual(bugs, [broken]);
});

Deno.test("routes: the page's files are compressed, kept by hash, and asked for again otherwise", async () => {
  const { sendAsPerson } = setup();
  const script = await sendAsPerson("/main-ABCD1234.js", { headers: { "accept-encoding": "gzip, br" } });
  assert.equal(script.headers.get("content-encoding"), "gzip");
  assert.match(script.headers.get("cache-control") ?? "", /immutable/);
  const zipped = new Response(script.body?.pipeThrough(new DecompressionStream("gzip")));
  assert.equal(await zipped.text(), "export {};".repeat(500));
  const page = await sendAsPerson("/");
  assert.match(page.headers.get("cache-control") ?? "", /no-cache/);
  const etag = page.headers.get("etag") ?? "";
  assert.equal((await sendAsPerson("/", { headers: { "if-none-match": etag } })).status, 304);
  assert.equal((await sendAsPerson("/missing.js")).status, 404);
});

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !condition(); turn++) await Promise.resolve();
  assert.ok(condition(), "it did not happen");
}
