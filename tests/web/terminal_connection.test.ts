/** The page's connection and the server's socket, with everything between them in the hands of the test. */
import assert from "node:assert/strict";
import type { SessionId } from "../../core/ids.ts";
import type { SnapshotPart } from "../../core/ports/terminal_state.ts";
import { createTerminalConnection, type PageSocket } from "../../web/ui/terminal/connection.ts";
import type { StreamHandlers, TerminalStream } from "../../web/ui/terminal/stream.ts";
import { bytesOf, openPlayed, projectId, settle, size } from "../core/terminals_setup.ts";
import { createRandom } from "../helpers/random.ts";
import { createSocketPair, type SocketPair } from "./socket_pair.ts";
import { setup as setupServer } from "./socket_setup.ts";

function setup(random: () => number = () => 0.5) {
  const parts = setupServer();
  const pairs: SocketPair[] = [];
  const heard: unknown[] = [];
  let missed = 0;
  const connection = createTerminalConnection({
    url: "ws://server/api/socket",
    timers: parts.clock,
    random,
    onEvent: (event) => heard.push(event),
    onEventsMissed: () => missed++,
    openSocket(url): PageSocket {
      const viewerId = new URL(url).searchParams.get("viewer") ?? "";
      const pair = createSocketPair();
      pairs.push(pair);
      parts.handler.handle(pair.server, { viewerId });
      return pair.page;
    },
  });
  const latest = () => pairs.at(-1) ?? assert.fail("no socket");
  const run = async () => {
    for (let turn = 0; turn < 30; turn++) {
      latest().deliver();
      await settle();
    }
  };
  return { ...parts, connection, pairs, heard, missed: () => missed, latest, run };
}

/** A view without xterm: draws by appending. */
function createDrawing() {
  let drawn: SnapshotPart[] = [];
  let undrawnBytes = 0;
  let exits = 0;
  let closed = false;
  const failures: string[] = [];
  const handlers: StreamHandlers = {
    onSnapshotBegin: () => void (drawn = []),
    onOutput(bytes) {
      drawn.push({ kind: "bytes", bytes: bytes.slice() });
      undrawnBytes += bytes.length;
    },
    onResize: () => {},
    onSnapshotEnd: () => {},
    onExit: () => void exits++,
    onClosed: () => void (closed = true),
    onFailed: (error) => failures.push(error.kind),
  };
  return {
    handlers,
    text: () => new TextDecoder().decode(bytesOf(drawn)),
    exits: () => exits,
    closed: () => closed,
    failures,
    draw(stream: TerminalStream) {
      const bytes = undrawnBytes;
      undrawnBytes = 0;
      stream.acknowledge(bytes);
    },
  };
}

const shown = (sessionId: SessionId) => ({ sessionId, visible: true, focused: true, size });

Deno.test("a page connects, attaches, draws and types", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const drawing = createDrawing();
  const stream = parts.connection.attach(shown(sessionId), drawing.handlers);
  assert.equal(parts.connection.state.value, "connecting");
  parts.latest().open();
  assert.equal(parts.connection.state.value, "connected");
  await parts.run();
  program.output("hello");
  stream.send("ls\r");
  await parts.run();
  assert.equal(drawing.text(), "hello");
  assert.equal(program.input(), "ls\r");
  stream[Symbol.dispose]();
  await parts.run();
  program.output("unseen");
  await parts.run();
  assert.equal(drawing.text(), "hello");
  parts.connection[Symbol.dispose]();
  await settle();
  assert.equal(parts.handler.connections(), 0);
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("input of the gap is sent once the session is attached again", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const drawing = createDrawing();
  const stream = parts.connection.attach(shown(sessionId), drawing.handlers);
  stream.send("before anything ");
  parts.latest().open();
  await parts.run();
  assert.equal(program.input(), "before anything ");
  stream.send("arrives ");
  parts.latest().deliver();
  parts.latest().cut();
  assert.equal(parts.connection.state.value, "lost");
  stream.send("in the gap");
  program.output("missed");
  parts.clock.advance(0);
  parts.latest().open();
  await parts.run();
  assert.equal(program.input(), "before anything arrives in the gap");
  assert.equal(drawing.text(), "missed");
  assert.equal(parts.pairs.length, 2);
  assert.deepEqual(state.snapshots, [0], "the second connection went on where the first was");
});

Deno.test("a half-open connection is found by both sides within 15 s and made again", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const drawing = createDrawing();
  const stream = parts.connection.attach(shown(sessionId), drawing.handlers);
  parts.latest().open();
  await parts.run();
  parts.latest().silence();
  program.output("into the void ");
  stream.send("typed");
  for (let ms = 0; ms < 15_000 && parts.pairs.length === 1; ms += 500) {
    parts.clock.advance(500);
    await settle();
  }
  assert.equal(parts.pairs.length, 2);
  assert.ok(parts.clock.monotonicMs() < 15_000);
  parts.latest().open();
  await parts.run();
  program.output("and back");
  await parts.run();
  assert.equal(drawing.text(), "into the void and back");
  assert.equal(program.input(), "typed");
  assert.equal(parts.handler.connections(), 1);
});

Deno.test("attempts come at growing intervals, and at once when the machine wakes up", async () => {
  const parts = setup();
  const attemptsAtMs: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    parts.latest().cut();
    const before = parts.pairs.length;
    while (parts.pairs.length === before) parts.clock.advance(10);
    attemptsAtMs.push(parts.clock.monotonicMs());
  }
  const gaps = attemptsAtMs.map((at, index) => at - (attemptsAtMs[index - 1] ?? 0));
  assert.deepEqual(gaps, [10, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  parts.latest().cut();
  const before = parts.pairs.length;
  parts.connection.wake();
  assert.equal(parts.pairs.length, before + 1);
  await settle();
});

Deno.test("after a wake-up a connection that does not answer is given up in seconds", async () => {
  const parts = setup();
  parts.latest().open();
  await parts.run();
  parts.clock.advance(100);
  parts.connection.wake();
  await parts.run();
  parts.clock.advance(3_000);
  await parts.run();
  assert.equal(parts.pairs.length, 1);
  parts.latest().silence();
  parts.clock.advance(100);
  parts.connection.wake();
  parts.clock.advance(3_500);
  assert.equal(parts.pairs.length, 2);
});

Deno.test("events arrive once, also over a break; lost ones are said to be lost", async () => {
  const parts = setup();
  parts.latest().open();
  await parts.run();
  const { sessionId } = await openPlayed(parts);
  await parts.run();
  parts.latest().cut();
  const ring = () => parts.events.publish({ kind: "sessionRang", projectId, sessionId });
  ring();
  parts.clock.advance(0);
  parts.latest().open();
  await parts.run();
  ring();
  await parts.run();
  assert.equal(parts.heard.length, 3);
  assert.equal(parts.missed(), 0);
  parts.latest().cut();
  for (let n = 0; n < 20; n++) ring();
  parts.clock.advance(1_000);
  parts.latest().open();
  await parts.run();
  assert.equal(parts.missed(), 1);
  ring();
  await parts.run();
  assert.equal(parts.heard.length, 4);
});

Deno.test("the exit is told once, and a session that is gone ends its view", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const drawing = createDrawing();
  parts.connection.attach(shown(sessionId), drawing.handlers);
  parts.latest().open();
  await parts.run();
  program.exit({ kind: "exited", code: 0 });
  await parts.run();
  parts.latest().cut();
  parts.clock.advance(0);
  parts.latest().open();
  await parts.run();
  assert.equal(drawing.exits(), 1);
  parts.latest().cut();
  await parts.terminals.close(sessionId);
  parts.clock.advance(1_000);
  parts.latest().open();
  await parts.run();
  assert.deepEqual(drawing.failures, ["sessionNotFound"]);
  const late = createDrawing();
  parts.connection.attach(shown(sessionId), late.handlers);
  await parts.run();
  assert.deepEqual(late.failures, ["sessionNotFound"]);
});

Deno.test("a session shown twice in one window gets each key once", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const [first, second] = [createDrawing(), createDrawing()];
  const one = parts.connection.attach(shown(sessionId), first.handlers);
  parts.latest().open();
  await parts.run();
  const two = parts.connection.attach(shown(sessionId), second.handlers);
  await parts.run();
  one.send("a");
  two.send("b");
  one.send("c");
  await parts.run();
  one[Symbol.dispose]();
  two.send("d");
  await parts.run();
  assert.equal(program.input(), "abcd");
});

Deno.test("10 MB of input through breaks and a slow program arrive whole", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const stream = parts.connection.attach(shown(sessionId), createDrawing().handlers);
  program.room = 0;
  const text = Array.from({ length: 1_000_000 }, (_, n) => String(n).padStart(10, " ")).join("");
  assert.equal(stream.send(text), true);
  assert.equal(stream.send("x".repeat(16 * 1024 * 1024)), false);
  parts.latest().open();
  for (let turn = 0; program.input().length < text.length; turn++) {
    assert.ok(turn < 5000, "it goes on");
    program.room = 200_000;
    parts.latest().deliver(20);
    await settle();
    if (turn % 37 === 36) parts.latest().cut();
    parts.clock.advance(50);
    parts.latest().open();
  }
  assert.ok(program.input() === text);
});

Deno.test("any break at any moment: every byte is drawn once and every key is typed once", async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed);
    const parts = setup(random.next);
    const { sessionId, program, state } = await openPlayed(parts);
    const drawing = createDrawing();
    const stream = parts.connection.attach(shown(sessionId), drawing.handlers);
    let typed = "";
    for (let step = 0; step < 80; step++) {
      switch (random.int(10)) {
        case 0:
        case 1:
          if (!program.paused()) program.output(`${step},`.repeat(1 + random.int(30_000)));
          break;
        case 2: {
          const text = `${step};`.repeat(1 + random.int(20));
          typed += text;
          stream.send(text);
          break;
        }
        case 3:
          parts.latest().open();
          break;
        case 4:
          parts.latest().deliver(1 + random.int(5));
          break;
        case 5:
          drawing.draw(stream);
          break;
        case 6:
          if (random.int(3) === 0) parts.latest().cut();
          break;
        case 7:
          if (random.int(3) === 0) parts.latest().silence();
          break;
        case 8:
          stream.setVisible(random.int(2) === 0);
          if (random.int(4) === 0) stream.requestHistory();
          break;
        case 9:
          parts.clock.advance(random.int(6_000));
          break;
      }
      await settle();
    }
    stream.setVisible(true);
    for (let turn = 0; turn < 60; turn++) {
      parts.clock.advance(500);
      parts.latest().open();
      await parts.run();
      drawing.draw(stream);
    }
    assert.ok(program.input() === typed, `seed ${seed}: typed`);
    assert.ok(drawing.text() === new TextDecoder().decode(bytesOf(state.log)), `seed ${seed}: drawn`);
    assert.deepEqual(parts.defects, []);
    parts.connection[Symbol.dispose]();
  }
});
