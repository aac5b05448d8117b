/**
 * An agent without MCP, by the reference profile of aider: what is typed, when, and the answer by the file door. aider
 * itself is not here (it is no npm package): its place has a strict fake that does what aider's documentation says, so
 * this says nothing of the real one.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createId, type TicketId } from "../../core/ids.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { ROOT, startServer, type TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

const WAIT_MS = 60_000;

async function startAider() {
  const bin = await Deno.makeTempDir({ prefix: "idea-aider-" });
  const script = `#!/bin/sh\nexec '${Deno.execPath()}' run -A --quiet --no-lock '${
    join(ROOT, "tests/fakes/aider.ts")
  }' "$@"\n`;
  await Deno.writeTextFile(join(bin, "aider"), script, { mode: 0o755 });
  const server = await startServer({ path: [bin] });
  // The login shell decides about PATH.
  await Deno.writeTextFile(join(server.home, ".profile"), `export PATH='${bin}':"$PATH"\n`);
  const opened = value(await server.api.call("POST /api/projects", { body: { root: server.project } }));
  const params = { projectId: opened.projectId };
  const profileId = referenceProfiles.find(({ name }) => name === "aider")?.id ?? assert.fail();
  const hired = value(
    await server.api.call("POST /api/projects/{projectId}/agents", { params, body: { name: "Ada", profileId } }),
  );
  const own = { params: { ...params, agentId: hired.agentId } };
  const ticket = async (ticketId: TicketId) =>
    value(
      await server.api.call("GET /api/projects/{projectId}/tickets/{ticketId}", { params: { ...params, ticketId } }),
    );
  return {
    async ask(task: string) {
      const body = { target: "Ada", task, waitSeconds: 0 };
      return createId(
        "ticket",
        value(await server.api.call("POST /api/projects/{projectId}/ask", { params, body })).ticket,
      );
    },
    async tell(text: string) {
      const body = { text };
      const call = "POST /api/projects/{projectId}/agents/{agentId}/input";
      return createId("ticket", value(await server.api.call(call, { ...own, body })).id);
    },
    ticket,
    async closed(ticketId: TicketId) {
      await waitFor("the ticket closes", async () => isClosed((await ticket(ticketId)).state), WAIT_MS).catch(
        async (error) => assert.fail(`${error}\n${await screen(server, own)}`),
      );
      return await ticket(ticketId);
    },
    screen: () => screen(server, own),
    agent: async () => value(await server.api.call("GET /api/projects/{projectId}/agents/{agentId}", own)),
    interrupt: async () =>
      value(await server.api.call("POST /api/projects/{projectId}/agents/{agentId}/interrupt", own)),
    async press(text: string) {
      const { sessionId } = value(await server.api.call("GET /api/projects/{projectId}/agents/{agentId}", own));
      assert.ok(sessionId);
      const call = "POST /api/projects/{projectId}/terminals/{sessionId}/input";
      value(await server.api.call(call, { params: { ...params, sessionId }, body: { text } }));
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Deno.remove(bin, { recursive: true });
    },
  };
}

async function screen(
  server: TestServer,
  own: { readonly params: { readonly projectId: string; readonly agentId: string } },
): Promise<string> {
  const { projectId, agentId } = own.params;
  const read = await server.api.call("GET /api/projects/{projectId}/agents/{agentId}/screen", {
    params: { projectId: createId("project", projectId), agentId: createId("agent", agentId) },
  });
  return read.ok ? read.value.screen.join("\n") : JSON.stringify(read.error);
}

function isClosed(state: string): boolean {
  return ["answered", "cancelled", "failed"].includes(state);
}

function value<R>(
  result: { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown },
): R {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

Deno.test("aider's profile: two tasks, a short and a long one, are answered by the file door, in order", async () => {
  await using aider = await startAider();
  const short = await aider.ask("how much is 17 × 23 《391》");
  const long = await aider.ask(`read this\nto the end 《it has "3" lines》\n${"more ".repeat(200)}`);
  assert.deepEqual((await aider.closed(short)).reply?.text, "391");
  assert.deepEqual((await aider.closed(long)).reply?.text, 'it has "3" lines');
  const typed = async (ticketId: TicketId, state: string) =>
    (await aider.ticket(ticketId)).receipts.find((receipt) => receipt.state === state)?.atMs ?? Number.NaN;
  assert.ok(await typed(long, "delivering") >= await typed(short, "answered"));
});

Deno.test("aider's profile: what a person sends is pasted whole, in one message", async () => {
  await using aider = await startAider();
  const told = await aider.closed(await aider.tell("one\ntwo {\nthree"));
  assert.equal(told.state, "answered");
  assert.match(await aider.screen(), /I see 3 lines/);
});

Deno.test("aider's profile: a question to its person holds the next task until it is answered", async () => {
  await using aider = await startAider();
  const asking = await aider.ask("[[ask]] 《asked first》");
  const waiting = await aider.ask("《not asked》");
  await waitFor("it asks", async () => (await aider.agent()).state === "blocked", WAIT_MS);
  assert.equal((await aider.ticket(waiting)).state, "queued");
  await aider.press("y\r");
  assert.equal((await aider.closed(asking)).reply?.text, "asked first");
  assert.equal((await aider.closed(waiting)).reply?.text, "not asked");
});

Deno.test("aider's profile: an interrupted task is closed, and the next one is taken", async () => {
  await using aider = await startAider();
  const slow = await aider.ask("[[slow]] 《never》");
  await waitFor("it works", async () => (await aider.ticket(slow)).state === "accepted", WAIT_MS);
  const { sessionId } = await aider.agent();
  await aider.interrupt();
  assert.equal((await aider.closed(slow)).cancellation, "byPerson");
  assert.equal((await aider.closed(await aider.ask("《next》"))).reply?.text, "next");
  assert.equal((await aider.agent()).sessionId, sessionId, "the same program goes on");
});
