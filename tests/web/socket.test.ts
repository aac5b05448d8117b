import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { DEAD_AFTER_MS, PING_INTERVAL_MS } from "../../web/api/socket_messages.ts";
import { clientFrames, encodeClientFrame } from "../../core/terminals/wire.ts";
import { openPlayed, projectId, settle } from "../core/terminals_setup.ts";
import { createRandom } from "../helpers/random.ts";
import { attachMessage, createPageSocket, input, setup } from "./socket_setup.ts";

Deno.test("a window attaches, draws, types and acknowledges", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  program.output("$ ");
  const page = parts.connect();
  page.say({ type: "hello" });
  page.say(attachMessage(sessionId, { channel: 7, size: { cols: 90, rows: 30 } }));
  await settle();
  assert.deepEqual(page.messages[0], { type: "welcome", serverId: "run-1", lastEventId: 1 });
  const attached = page.messages[1];
  assert.ok(attached?.type === "attached");
  assert.deepEqual([attached.channel, attached.inputSequence, attached.info.sessionId], [7, 0, sessionId]);
  assert.deepEqual(program.size(), { cols: 90, rows: 30 });
  page.sendFrame(input(1, "ls\r", 7));
  assert.equal(program.input(), "ls\r");
  program.output("a b\r\n");
  assert.equal(page.text(), "$ a b\r\n");
  page.say({ type: "detach", channel: 7 });
  program.output("unseen");
  assert.equal(page.text(), "$ a b\r\n");
});

Deno.test("a session that is not there is refused by name; the connection lives on", async () => {
  const parts = setup();
  const page = parts.connect();
  page.say(attachMessage(createId("session", "nobody")));
  assert.deepEqual(page.messages.at(-1), {
    type: "attachFailed",
    channel: 1,
    error: { kind: "sessionNotFound" },
  });
  const { sessionId } = await openPlayed(parts);
  page.say(attachMessage(sessionId, { channel: 2 }));
  assert.equal(page.messages.at(-1)?.type, "attached");
});

Deno.test("input typed while the connection was broken arrives once", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const first = parts.connect();
  first.say(attachMessage(sessionId));
  first.sendFrame(input(1, "a"));
  first.sendFrame(input(2, "b"));
  // Nothing was confirmed: the page keeps all of it, and adds what is typed in the gap.
  first.drop();
  const second = parts.connect();
  second.say(attachMessage(sessionId));
  const attached = second.messages.at(-1);
  assert.ok(attached?.type === "attached");
  assert.equal(attached.inputSequence, 2);
  for (const [sequence, text] of [[1, "a"], [2, "b"], [3, "c"]] as const) second.sendFrame(input(sequence, text));
  assert.equal(program.input(), "abc");
  const other = parts.connect("window-2");
  other.say(attachMessage(sessionId));
  other.sendFrame(input(1, "d"));
  assert.equal(program.input(), "abcd");
});

Deno.test("input is confirmed with the next ping, and sooner when it is much", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const page = parts.connect();
  page.say(attachMessage(sessionId));
  page.sendFrame(input(1, "a"));
  const confirmed = () => page.frames.flatMap((frame) => frame.kind === "inputAccepted" ? [frame.sequence] : []);
  assert.deepEqual(confirmed(), []);
  parts.clock.advance(PING_INTERVAL_MS);
  assert.deepEqual(confirmed(), [1]);
  page.sendFrame(input(2, "x".repeat(20_000)));
  assert.deepEqual(confirmed(), [1, 2]);
});

Deno.test("a large paste into a program that reads slowly arrives whole and in order", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const page = parts.connect();
  page.say(attachMessage(sessionId));
  program.room = 10_000;
  const text = Array.from({ length: 10 }, (_, n) => String(n).repeat(10_000)).join("");
  for (let n = 0; n < 10; n++) page.sendFrame(input(n + 1, text.slice(n * 10_000, (n + 1) * 10_000)));
  assert.equal(program.input().length, 10_000);
  for (let n = 0; n < 10; n++) {
    program.room = 10_000;
    parts.clock.advance(10);
  }
  assert.equal(program.input(), text);
  assert.equal(page.closed(), undefined);
});

Deno.test("input that was waiting when the connection broke is sent again by the page, not by the server", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const first = parts.connect();
  first.say(attachMessage(sessionId));
  program.room = 1;
  first.sendFrame(input(1, "a"));
  first.sendFrame(input(2, "b"));
  first.drop();
  program.room = 100;
  parts.clock.advance(100);
  assert.equal(program.input(), "a");
  const second = parts.connect();
  second.say(attachMessage(sessionId));
  second.sendFrame(input(2, "b"));
  assert.equal(program.input(), "ab");
});

Deno.test("a silent connection is closed within 15 s, one that answers is kept", () => {
  const parts = setup();
  const silent = parts.connect("silent");
  const alive = parts.connect("alive");
  for (let ms = 0; ms < 15_000; ms += 1000) {
    parts.clock.advance(1000);
    while (alive.messages.at(-1)?.type === "ping") {
      alive.messages.pop();
      alive.say({ type: "pong" });
    }
  }
  assert.deepEqual(silent.closed(), { code: 4001, reason: "silent" });
  assert.equal(alive.closed(), undefined);
  assert.ok(DEAD_AFTER_MS + PING_INTERVAL_MS < 15_000);
  alive.say({ type: "ping" });
  assert.deepEqual(alive.messages.at(-1), { type: "pong" });
  alive.drop();
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("a window that connects again replaces its old connection, whose terminals end with it", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const first = parts.connect();
  first.say(attachMessage(sessionId));
  await settle();
  const second = parts.connect();
  assert.deepEqual(first.closed(), { code: 4000, reason: "replaced" });
  first.sendFrame(input(1, "late"));
  program.output("x");
  assert.equal(program.input(), "");
  assert.equal(first.text(), "");
  assert.equal(parts.handler.connections(), 1);
  second.drop();
  assert.equal(parts.handler.connections(), 0);
});

Deno.test("events come with ids; a window that was away gets what it missed, or hears that it cannot", async () => {
  const parts = setup();
  const rang = () => parts.events.publish({ kind: "sessionRang", projectId, sessionId: createId("session", "s") });
  rang();
  const page = parts.connect();
  rang();
  assert.equal(page.messages.length, 1, "no events before hello");
  page.say({ type: "hello", lastEvent: { serverId: "run-1", id: 1 } });
  rang();
  assert.deepEqual(page.messages.slice(1).map((message) => message.type === "event" ? message.id : message), [2, 3]);
  for (let n = 0; n < 20; n++) rang();
  for (const lastEvent of [{ serverId: "run-1", id: 3 }, { serverId: "run-0", id: 3 }, { serverId: "run-1", id: 99 }]) {
    const back = parts.connect();
    back.say({ type: "hello", lastEvent });
    assert.deepEqual(back.messages.slice(1), [{ type: "eventsMissed" }]);
  }
  await settle();
});

Deno.test("a closed session ends its channel; frames that were under way are ignored", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const page = parts.connect();
  page.say(attachMessage(sessionId));
  await parts.terminals.close(sessionId);
  assert.equal(page.frames.at(-1)?.kind, "closed");
  page.sendFrame(input(1, "late"));
  assert.equal(page.closed(), undefined);
});

Deno.test("what is not of the protocol closes the connection with 1008 and a reason", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const frame = (type: number, payload: number) => {
    const bytes = new Uint8Array(5 + payload);
    bytes[0] = type;
    bytes[1] = 1;
    return bytes.buffer;
  };
  const cases: readonly (readonly [data: unknown, reason: string])[] = [
    ["{", "invalidMessage"],
    ["null", "invalidMessage"],
    [`{"type":"nothing"}`, "invalidMessage"],
    [`{"type":"ping","more":1}`, "invalidMessage"],
    [JSON.stringify({ ...attachMessage(sessionId), channel: -1 }), "invalidMessage"],
    [JSON.stringify({ ...attachMessage(sessionId), channel: 2, sessionId: "../../etc" }), "invalidMessage"],
    [JSON.stringify({ ...attachMessage(sessionId), channel: 2, size: { cols: 1e9, rows: 1 } }), "invalidMessage"],
    [`"${"x".repeat(70_000)}"`, "invalidMessage"],
    [JSON.stringify(attachMessage(sessionId)), "channelUsed"],
    [`{"type":"hello"}`, "helloTwice"],
    [new Blob(["x"]), "invalidMessage"],
    [new ArrayBuffer(0), "frameTooShort"],
    [frame(99, 0), "unknownFrameType"],
    [frame(clientFrames.input, 4 + 65_537), "wrongPayloadLength"],
    [frame(clientFrames.resize, 4), "invalidFrameValue"],
    [encodeClientFrame(input(5, "gap")).buffer, "inputOutOfOrder"],
    [encodeClientFrame(input(1, "x", 2)).buffer, "unknownChannel"],
  ];
  for (const [data, reason] of cases) {
    const page = parts.connect();
    page.say({ type: "hello" });
    page.say(attachMessage(sessionId));
    page.sendRaw(data);
    assert.deepEqual(page.closed(), { code: 1008, reason });
    page.sendRaw(data);
  }
  const stranger = createPageSocket();
  parts.handler.handle(stranger.socket, { viewerId: "a b" });
  assert.deepEqual(stranger.closed(), { code: 1008, reason: "invalidViewerId" });
  assert.equal(parts.handler.connections(), 0);
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("too much input for a program that does not read closes the connection", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const page = parts.connect();
  page.say(attachMessage(sessionId));
  program.room = 0;
  for (let n = 1; n <= 17; n++) page.sendFrame(input(n, "x".repeat(65_536)));
  assert.deepEqual(page.closed(), { code: 1008, reason: "tooMuchInput" });
  assert.equal(program.input(), "");
});

Deno.test("a window that does not read is cut off before it fills the memory", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const page = parts.connect();
  page.say(attachMessage(sessionId));
  await settle();
  page.bufferedAmount = 65 * 1024 * 1024;
  program.output("x");
  assert.deepEqual(page.closed(), { code: 1013, reason: "tooSlow" });
});

Deno.test("no more channels than the bound", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const page = parts.connect();
  for (let channel = 0; channel < 256; channel++) page.say(attachMessage(sessionId, { channel }));
  assert.equal(page.messages.at(-1)?.type, "attached");
  page.say(attachMessage(sessionId, { channel: 256 }));
  assert.deepEqual(page.messages.at(-1), {
    type: "attachFailed",
    channel: 256,
    error: { kind: "tooManyChannels", limit: 256 },
  });
});

Deno.test("shutting down closes every connection", () => {
  const parts = setup();
  const page = parts.connect();
  parts.handler[Symbol.dispose]();
  assert.deepEqual(page.closed(), { code: 1001, reason: "shuttingDown" });
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("10,000 random frames and messages: a closed socket or none, and the other window is unharmed", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const good = parts.connect("good");
  good.say(attachMessage(sessionId));
  await settle();
  const random = createRandom(3);
  const types = Object.values(clientFrames);
  const messages = [
    JSON.stringify(attachMessage(sessionId, { channel: 9 })),
    JSON.stringify({ type: "detach", channel: 1 }),
    JSON.stringify({ type: "hello", lastEvent: { serverId: "run-1", id: 0 } }),
  ];
  let closed = 0;
  let page = parts.connect("bad");
  for (let n = 0; n < 10_000; n++) {
    if (page.closed() !== undefined) {
      closed++;
      page = parts.connect("bad");
      if (random.int(2) === 0) page.say(attachMessage(sessionId, { focused: false }));
    }
    if (random.int(10) === 0) {
      const message = random.pick(messages);
      const at = random.int(message.length);
      page.sendRaw(random.int(2) === 0 ? message : message.slice(0, at) + String.fromCharCode(random.int(300)));
      continue;
    }
    const bytes = Uint8Array.from({ length: random.int(16) }, () => random.int(256));
    if (bytes.length > 5 && random.int(4) > 0) bytes.set([random.pick(types), random.int(3), 0, 0, 0]);
    page.sendRaw(bytes.buffer);
    if (n % 500 === 0) await settle();
  }
  assert.ok(closed > 100);
  const before = good.text().length;
  program.output("still here");
  assert.equal(good.text().slice(before), "still here");
  good.sendFrame(input(1, "typed"));
  assert.ok(program.input().endsWith("typed"));
  assert.deepEqual(parts.defects, []);
});
