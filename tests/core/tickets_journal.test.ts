import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { evolveAll, MAX_CLOSED_CHARS, MAX_CLOSED_TICKETS } from "../../core/orchestration/evolve.ts";
import {
  compactJournal,
  formatTicketEvent,
  parseTicketEvent,
  replayJournal,
} from "../../core/orchestration/journal.ts";
import { decide } from "../../core/orchestration/mediator.ts";
import type { TicketEvent } from "../../core/orchestration/mediator_events.ts";
import { EMPTY_MEDIATOR, type MediatorState } from "../../core/orchestration/mediator_state.ts";
import { createWorld, fairInput, randomInput } from "../helpers/mediator_world.ts";
import { createRandom } from "../helpers/random.ts";

/** Tickets and queues: what a journal must give back. */
function kept(state: MediatorState) {
  return {
    open: Object.fromEntries([...state.open].map(([id, { ticket, offers }]) => [id, { ticket, offers }])),
    closed: [...state.closed],
    queues: Object.fromEntries([...state.agents].flatMap(([id, { queue }]) => queue.length > 0 ? [[id, queue]] : [])),
  };
}

function randomWorld(seed: number) {
  const random = createRandom(seed);
  const world = createWorld(3);
  for (let step = 0; step < 80; step++) {
    const fair = random.int(2) > 0 ? fairInput(world, random.pick(world.agents), random) : undefined;
    world.input(fair ?? randomInput(world, random));
  }
  return world;
}

function recovered(state: MediatorState): MediatorState {
  const decided = decide(state, { kind: "recovered" }, 9_000_000);
  assert.ok(decided.ok);
  return evolveAll(state, decided.value);
}

Deno.test("journal: replay gives back every ticket and every queue, whole or compacted", () => {
  for (let seed = 0; seed < 300; seed++) {
    const world = randomWorld(seed);
    const replayed = replayJournal(world.journal());
    assert.deepEqual(replayed.warnings, []);
    assert.deepEqual(kept(replayed.state), kept(world.state()), `seed ${seed}`);
    const compacted = replayJournal(compactJournal(world.state(), 0).split("\n"));
    assert.deepEqual(compacted.warnings, []);
    assert.deepEqual(kept(recovered(compacted.state)), kept(recovered(world.state())), `seed ${seed}, compacted`);
  }
});

Deno.test("journal: any prefix opens, and recovers to a state in which every ticket is queued or closed", () => {
  for (let seed = 0; seed < 30; seed++) {
    const lines = randomWorld(seed).journal();
    for (let length = 0; length <= lines.length; length++) {
      const state = recovered(replayJournal(lines.slice(0, length)).state);
      for (const { ticket } of state.open.values()) {
        assert.equal(ticket.state, "queued");
        assert.ok(state.agents.get(ticket.to)?.queue.includes(ticket.id));
      }
    }
  }
});

Deno.test("journal: a line is one line, whatever is in it, and reads back the same", () => {
  const event: TicketEvent = {
    kind: "ticketAnswered",
    atMs: 5,
    ticketId: createId("ticket", "t1"),
    text: 'a\nb\r\u2028"\\ \u001b[201~ 🦊 \ud800',
    source: "reply",
  };
  const line = formatTicketEvent(event);
  assert.doesNotMatch(line, /[\n\r]/);
  assert.deepEqual(parseTicketEvent(line), { ok: true, value: event });
});

Deno.test("journal: what this version does not know is skipped and named, the rest is read", () => {
  const good = formatTicketEvent({
    kind: "ticketQueued",
    atMs: 1,
    ticketId: createId("ticket", "t1"),
    from: { kind: "human" },
    to: createId("agent", "a"),
    ticketKind: "message",
    task: "x",
    waiting: false,
    first: false,
  });
  const lines = [
    "{",
    '{"v":2,"kind":"ticketQueued"}',
    '{"v":1,"kind":"ticketSung","ticketId":"t1"}',
    good,
    "",
    '{"v":1,"kind":"ticketFailed","atMs":1,"ticketId":"../t1","failure":{"kind":"noReply"}}',
    '{"v":1,"kind":"constructor"}',
    "null",
  ];
  const { state, warnings } = replayJournal(lines);
  assert.equal(state.open.size, 1);
  assert.deepEqual(warnings.map(({ lineNumber, kind }) => `${lineNumber} ${kind}`), [
    "1 notJson",
    "2 newerVersion",
    "3 unknownEvent",
    "6 invalidEvent",
    "7 unknownEvent",
    "8 invalidEvent",
  ]);
});

Deno.test("journal: events of a ticket nobody knows change nothing", () => {
  const ticketId = createId("ticket", "gone");
  const events: readonly TicketEvent[] = [
    { kind: "ticketDelivering", atMs: 1, ticketId, typingNo: 1, reason: "first" },
    { kind: "ticketAnswered", atMs: 2, ticketId, text: "x", source: "reply" },
    { kind: "ticketMoved", atMs: 3, ticketId, toIndex: 0 },
  ];
  assert.deepEqual(evolveAll(EMPTY_MEDIATOR, events), EMPTY_MEDIATOR);
});

Deno.test("tickets: closed ones are kept up to a number and up to an amount of text, the oldest go first", () => {
  const to = createId("agent", "a");
  const close = (index: number, text: string): readonly TicketEvent[] => {
    const ticketId = createId("ticket", `t${index}`);
    const queued = { kind: "ticketQueued", atMs: index, ticketId, from: { kind: "human" }, to } as const;
    return [
      { ...queued, ticketKind: "message", task: "", waiting: false, first: false },
      { kind: "ticketAnswered", atMs: index, ticketId, text, source: "reply" },
    ];
  };
  const many = Array.from({ length: MAX_CLOSED_TICKETS + 5 }, (_, index) => close(index, "")).flat();
  const state = evolveAll(EMPTY_MEDIATOR, many);
  assert.equal(state.closed.size, MAX_CLOSED_TICKETS);
  assert.equal([...state.closed.keys()][0], "t5");
  const big = "x".repeat(MAX_CLOSED_CHARS / 2);
  const heavy = evolveAll(state, [9_001, 9_002, 9_003].flatMap((index) => close(index, big)));
  assert.deepEqual([...heavy.closed.keys()], ["t9002", "t9003"]);
  assert.equal(heavy.closedChars, MAX_CLOSED_CHARS);
});
