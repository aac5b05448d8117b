import assert from "node:assert/strict";
import { describeHold, explainQueue } from "../../core/orchestration/explain.ts";
import type { MediatorInput } from "../../core/orchestration/mediator_inputs.ts";
import { createWorld } from "../helpers/mediator_world.ts";

function setup() {
  const world = createWorld(2);
  const [a, b] = world.agents;
  assert.ok(a !== undefined && b !== undefined);
  const send = (input: MediatorInput) => assert.equal(world.input(input), undefined);
  const ask = () => {
    const ticketId = world.freshTicket();
    const from = { kind: "agent", agentId: a } as const;
    send({ kind: "enqueue", ticketId, from, to: b, ticketKind: "delegation", task: "x", wait: true });
    return ticketId;
  };
  const kinds = () => explainQueue(world.state(), b).map(({ kind }) => kind);
  return { world, b, send, ask, kinds };
}

Deno.test("explain: an empty queue waits for nothing", () => {
  assert.deepEqual(setup().kinds(), []);
});

Deno.test("explain: each hold is named, and all of them at once", () => {
  const { b, send, ask, kinds } = setup();
  ask();
  assert.deepEqual(kinds(), ["starting"]);
  send({ kind: "agentStopped", agentId: b });
  ask();
  send({ kind: "agentLimited", agentId: b, resetsAtMs: 0 });
  send({ kind: "personTyping", agentId: b, typing: true });
  send({ kind: "agentReady", agentId: b, signal: "initialize", reportsTurnEnd: true });
  send({ kind: "agentBlocked", agentId: b, signal: "permission" });
  assert.deepEqual(kinds(), ["blocked", "limited", "personTyping"]);
  send({ kind: "agentBusy", agentId: b, signal: "working" });
  assert.deepEqual(kinds(), ["personTyping", "turn"]);
});

Deno.test("explain: a delivery that a person should look at comes first", () => {
  const { b, send, ask, kinds } = setup();
  ask();
  ask();
  send({ kind: "agentReady", agentId: b, signal: "initialize", reportsTurnEnd: true });
  assert.deepEqual(kinds(), ["typing", "turn"]);
  for (let attempt = 0; attempt < 2; attempt++) {
    send({ kind: "deliveryUnconfirmed", agentId: b, typingNo: 1, typed: true });
  }
  assert.deepEqual(kinds(), ["needsAttention", "turn"]);
});

Deno.test("explain: the reset of a limit is told as a time", () => {
  assert.match(describeHold({ kind: "limited", resetsAtMs: 0 }), /1970-01-01T00:00:00\.000Z/);
});
