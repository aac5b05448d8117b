/** The event stream: ids, replay, what a client hears that missed too much, and that nothing grows for ever. */
import assert from "node:assert/strict";
import type { IdeaEvent } from "../../core/events.ts";
import { ada, projectId } from "../fakes/app.ts";
import { problemOf, setup } from "./server_setup.ts";

const queueChanged: IdeaEvent = { kind: "queueChanged", projectId, agentId: ada };

/** Reads pieces until the text has all that is asked for. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    assert.ok(!done, `the stream ended after ${JSON.stringify(text)}`);
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

function open(harness: ReturnType<typeof setup>, lastEventId?: string) {
  return harness.sendAsPerson(
    "/api/events",
    lastEventId === undefined ? {} : { headers: { "last-event-id": lastEventId } },
  );
}

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  assert.ok(response.body);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  return response.body.getReader();
}

Deno.test("events: each has an id, its kind and its data, in order", async () => {
  const harness = setup();
  const reader = readerOf(await open(harness));
  harness.app.events.publish(queueChanged);
  harness.app.events.publish({ kind: "profilesChanged" });
  assert.equal(
    await readUntil(reader, 'profilesChanged"}\n\n'),
    "retry: 1000\n\n" +
      `id: run1.1\nevent: queueChanged\ndata: ${JSON.stringify(queueChanged)}\n\n` +
      `id: run1.2\nevent: profilesChanged\ndata: {"kind":"profilesChanged"}\n\n`,
  );
  await reader.cancel();
});

Deno.test("events: Last-Event-ID replays what was missed, once", async () => {
  const harness = setup();
  for (let count = 0; count < 4; count++) harness.app.events.publish(queueChanged);
  const reader = readerOf(await open(harness, "run1.2"));
  harness.app.events.publish({ kind: "profilesChanged" });
  const text = await readUntil(reader, 'profilesChanged"}');
  assert.deepEqual([...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1]), ["run1.3", "run1.4", "run1.5"]);
  await reader.cancel();
});

Deno.test("events: an id that is too old, of another run, or nonsense: eventsMissed, then what comes", async () => {
  for (const lastEventId of ["run1.1", "run0.8", "run1.99", "run1.x", "nonsense", "run1.-1"]) {
    const harness = setup();
    for (let count = 0; count < 8; count++) harness.app.events.publish(queueChanged);
    const reader = readerOf(await open(harness, lastEventId));
    const text = await readUntil(reader, "eventsMissed\ndata: {}\n\n");
    assert.match(text, /id: run1\.8\nevent: eventsMissed/, lastEventId);
    await reader.cancel();
  }
});

Deno.test("events: a silent stream beats, and ends with the server", async () => {
  const harness = setup();
  const reader = readerOf(await open(harness));
  await readUntil(reader, "retry");
  harness.clock.advance(15_000);
  assert.equal(await readUntil(reader, "\n\n"), ":\n\n");
  harness.server[Symbol.dispose]();
  assert.equal((await reader.read()).done, true);
  assert.equal(harness.clock.pendingTimers(), 0);
});

Deno.test("events: a client that does not read is cut off; one that left is forgotten; their number is bounded", async () => {
  const harness = setup();
  const slow = await open(harness);
  for (let count = 0; count < 2_000; count++) harness.app.events.publish(queueChanged);
  const text = await slow.text();
  assert.ok(text.split("\n\n").length < 1_100, "more than a bounded number waited");

  const readers = [];
  for (let count = 0; count < 64; count++) readers.push(readerOf(await open(harness)));
  assert.deepEqual(await problemOf(await open(harness)), { status: 429, code: "BUSY" });
  await readers.pop()?.cancel();
  const next = await open(harness);
  assert.equal(next.status, 200);
  harness.server[Symbol.dispose]();
});
