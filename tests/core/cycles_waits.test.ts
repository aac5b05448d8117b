import assert from "node:assert/strict";
import { type AgentId, createId, type TicketId } from "../../core/ids.ts";
import { evolveAll } from "../../core/orchestration/evolve.ts";
import { decide } from "../../core/orchestration/mediator.ts";
import type { MediatorInput } from "../../core/orchestration/mediator_inputs.ts";
import { EMPTY_MEDIATOR } from "../../core/orchestration/mediator_state.ts";
import { findCycle, waitEdges } from "../../core/orchestration/wait_graph.ts";
import type { Party } from "../../core/parties.ts";
import { createRandom } from "../helpers/random.ts";

function agent(name: string): AgentId {
  return createId("agent", name);
}

function setup() {
  let state = EMPTY_MEDIATOR;
  let count = 0;
  function input(next: MediatorInput) {
    const decided = decide(state, next, count);
    if (!decided.ok) return decided.error;
    state = evolveAll(state, decided.value);
    return undefined;
  }
  function enqueue(from: Party, to: string, wait = true): { ticketId: TicketId; error: ReturnType<typeof input> } {
    const ticketId = createId("ticket", `t${count++}`);
    const error = input({ kind: "enqueue", ticketId, from, to: agent(to), ticketKind: "delegation", task: "x", wait });
    return { ticketId, error };
  }
  const ask = (from: string, to: string, wait = true) => enqueue({ kind: "agent", agentId: agent(from) }, to, wait);
  const path = (...names: string[]) => ({ kind: "cycle", path: names.map(agent) });
  return { state: () => state, input, enqueue, ask, path };
}

Deno.test("cycles: oneself, two, three and many are refused with the path, and leave nothing behind", () => {
  const { ask, path, state } = setup();
  assert.deepEqual(ask("a", "a").error, path("a", "a"));
  assert.deepEqual(ask("a", "a", false).error, path("a", "a"));
  ask("a", "b");
  assert.deepEqual(ask("b", "a").error, path("b", "a", "b"));
  ask("b", "c");
  assert.deepEqual(ask("c", "a").error, path("c", "a", "b", "c"));
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  names.slice(1).forEach((name, index) => ask(`n${index}`, name));
  assert.deepEqual(ask("n29", "n0").error, path("n29", ...names));
  assert.equal(state().open.size, 2 + 29);
});

Deno.test("cycles: a turn that a person started waits like any other", () => {
  const { enqueue, ask, path } = setup();
  enqueue({ kind: "human" }, "a");
  enqueue({ kind: "external", name: "script" }, "b");
  assert.equal(ask("a", "b").error, undefined);
  assert.deepEqual(ask("b", "a").error, path("b", "a", "b"));
});

Deno.test("cycles: who does not wait closes no circle, and is refused when it comes back to wait", () => {
  const { ask, input, path } = setup();
  const { ticketId } = ask("a", "b");
  input({ kind: "stopWaiting", ticketId });
  assert.equal(ask("b", "a").error, undefined);
  const again: MediatorInput = { kind: "wait", ticketId, by: { kind: "agent", agentId: agent("a") } };
  assert.deepEqual(input(again), path("a", "b", "a"));
});

Deno.test("cycles: every end of a ticket takes its edge away", () => {
  const ends: readonly ((ticketId: TicketId) => MediatorInput)[] = [
    (ticketId) => ({ kind: "callerGone", ticketId }),
    (ticketId) => ({ kind: "stopWaiting", ticketId }),
    (ticketId) => ({ kind: "cancel", ticketId, by: { kind: "human" } }),
    (ticketId) => ({ kind: "removeQueued", ticketId }),
    () => ({ kind: "agentStopped", agentId: agent("b") }),
    () => ({ kind: "launchFailed", agentId: agent("b"), detail: "" }),
    () => ({ kind: "agentRemoved", agentId: agent("b") }),
    () => ({ kind: "recovered" }),
  ];
  for (const end of ends) {
    const { ask, input, state } = setup();
    const { ticketId } = ask("a", "b");
    assert.equal(waitEdges(state()).size, 1);
    assert.equal(input(end(ticketId)), undefined);
    assert.equal(waitEdges(state()).size, 0, end(ticketId).kind);
    assert.equal(ask("b", "a").error, undefined);
  }
});

Deno.test("cycles: over random graphs, refused exactly when the target reaches the asker", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    const { ask, state } = setup();
    const names = Array.from({ length: 2 + random.int(7) }, (_, index) => `n${index}`);
    for (let step = 0; step < 25; step++) {
      const [from, to] = [random.pick(names), random.pick(names)];
      const circle = findCycle(state(), agent(from), agent(to));
      const reaches = reachable(waitEdges(state()), agent(to)).has(agent(from));
      const { error } = ask(from, to);
      assert.equal(error !== undefined, reaches, `seed ${seed}`);
      if (circle !== undefined) checkPath(circle, waitEdges(state()));
    }
  }
});

function reachable(edges: ReadonlyMap<AgentId, ReadonlySet<AgentId>>, from: AgentId): ReadonlySet<AgentId> {
  const found = new Set([from]);
  for (const each of found) for (const next of edges.get(each) ?? []) found.add(next);
  return found;
}

/** Begins and ends at the asker, and every step after the first is an edge. */
function checkPath(path: readonly AgentId[], edges: ReadonlyMap<AgentId, ReadonlySet<AgentId>>): void {
  assert.equal(path[0], path.at(-1));
  path.slice(1, -1).forEach((agentId, index) => {
    const next = path[index + 2];
    assert.ok(next !== undefined && edges.get(agentId)?.has(next));
  });
}
