/** The rules of the mediator one by one, in the words of what people see. */
import assert from "node:assert/strict";
import { type AgentId, createId, type TicketId } from "../../core/ids.ts";
import { MAX_QUEUE } from "../../core/orchestration/decide_tickets.ts";
import type { MediatorEffect } from "../../core/orchestration/effects.ts";
import type { MediatorInput } from "../../core/orchestration/mediator_inputs.ts";
import { slotOf, ticketOf } from "../../core/orchestration/mediator_state.ts";
import type { Ticket } from "../../core/orchestration/ticket.ts";
import type { Party } from "../../core/parties.ts";
import { createWorld, type World } from "../helpers/mediator_world.ts";

const HUMAN: Party = { kind: "human" };

function setup() {
  const world = createWorld(4);
  const [a, b, c, d] = world.agents;
  assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined);
  return { world, a, b, c, d, ...moves(world) };
}

function moves(world: World) {
  function send(input: MediatorInput): void {
    assert.equal(world.input(input), undefined);
  }
  function enqueue(from: Party, to: AgentId, options: { kind?: Ticket["kind"]; wait?: boolean } = {}): TicketId {
    const ticketId = world.freshTicket();
    const { kind: ticketKind = "delegation", wait = true } = options;
    send({ kind: "enqueue", ticketId, from, to, ticketKind, task: `task ${ticketId}`, wait });
    return ticketId;
  }
  const ask = (from: AgentId, to: AgentId) => enqueue({ kind: "agent", agentId: from }, to);
  const ready = (agentId: AgentId, reportsTurnEnd = true) =>
    send({ kind: "agentReady", agentId, signal: "initialize", reportsTurnEnd });
  const typingNo = (agentId: AgentId) => slotOf(world.state(), agentId).lastTypingNo;
  const submitted = (agentId: AgentId) => send({ kind: "deliverySubmitted", agentId, typingNo: typingNo(agentId) });
  const unconfirmed = (agentId: AgentId, typed = true) =>
    send({ kind: "deliveryUnconfirmed", agentId, typingNo: typingNo(agentId), typed });
  const busy = (agentId: AgentId) => send({ kind: "agentBusy", agentId, signal: "working" });
  const idle = (agentId: AgentId, lastAnswer?: string) =>
    send({ kind: "agentIdle", agentId, signal: "idle", ...(lastAnswer === undefined ? {} : { lastAnswer }) });
  const reply = (agentId: AgentId, text = "done") => send({ kind: "replied", by: agentId, text });
  /** The terminal takes what is being typed, and the program begins its turn. */
  const begin = (agentId: AgentId) => {
    submitted(agentId);
    busy(agentId);
  };
  const get = (ticketId: TicketId): Ticket => {
    const ticket = ticketOf(world.state(), ticketId);
    assert.ok(ticket !== undefined, `${ticketId} is gone`);
    return ticket;
  };
  return { send, enqueue, ask, ready, typingNo, submitted, unconfirmed, busy, idle, reply, begin, get };
}

function typed(effects: readonly MediatorEffect[]): readonly TicketId[] {
  return effects.flatMap((effect) => effect.kind === "typeTask" ? [effect.ticketId] : []);
}

Deno.test("mediator: a cold agent is launched, gets the task when it is ready, and the asker gets the answer", () => {
  const { world, a, b, ask, ready, submitted, busy, reply, idle, get } = setup();
  const ticketId = ask(a, b);
  assert.deepEqual(world.takeEffects(), [{ kind: "launch", agentId: b, cause: "queued" }]);
  ready(b);
  const [effect] = world.takeEffects();
  assert.deepEqual(effect, {
    kind: "typeTask",
    agentId: b,
    ticketId,
    typingNo: 1,
    attempt: 1,
    reason: "first",
    repeat: 0,
  });
  submitted(b);
  assert.equal(get(ticketId).state, "delivering");
  busy(b);
  assert.equal(get(ticketId).state, "accepted");
  reply(b, "42");
  assert.deepEqual(world.takeEffects(), [{ kind: "tellAsker", ticketId }]);
  const { reply: answer, receipts } = get(ticketId);
  assert.deepEqual([answer?.text, answer?.source], ["42", "reply"]);
  assert.deepEqual(receipts.map(({ state, cause }) => `${state}: ${cause}`), [
    "queued: asked",
    "delivering: first",
    "delivered: working",
    "accepted: working",
    "answered: reply",
  ]);
  assert.equal(slotOf(world.state(), b).turn.kind, "leftover");
  idle(b);
  assert.equal(slotOf(world.state(), b).turn.kind, "free");
});

Deno.test("mediator: three ask one, and are served in their order, never while the turn goes on", () => {
  const { world, a, b, c, d, ask, ready, begin, reply, idle } = setup();
  const tickets = [ask(b, a), ask(c, a), ask(d, a)];
  ready(a);
  const order: TicketId[] = [];
  for (let round = 0; round < 3; round++) {
    order.push(...typed(world.takeEffects()));
    begin(a);
    reply(a);
    assert.deepEqual(typed(world.takeEffects()), [], "typed into a turn that goes on");
    idle(a);
  }
  assert.deepEqual(order, tickets);
});

Deno.test("mediator: an agent that never tells the end of its turn is free when it replied", () => {
  const { world, a, b, ask, ready, send, typingNo, reply, get, enqueue } = setup();
  const first = ask(b, a);
  const second = enqueue(HUMAN, a, { kind: "message", wait: false });
  ready(a, false);
  send({ kind: "deliveryConfirmed", agentId: a, typingNo: typingNo(a), signal: "echo" });
  reply(a);
  assert.equal(get(first).state, "answered");
  assert.equal(get(second).state, "delivering");
  // A message asks for no reply: being taken is all there is to know.
  send({ kind: "deliveryConfirmed", agentId: a, typingNo: typingNo(a), signal: "echo" });
  assert.equal(get(second).state, "answered");
  assert.equal(slotOf(world.state(), a).turn.kind, "free");
});

Deno.test("mediator: the asker is killed in the middle of its wait: the target is free for the next task", () => {
  const { world, a, b, c, ask, ready, begin, send, idle, get } = setup();
  ready(a);
  const first = ask(a, b);
  const second = ask(c, b);
  ready(b);
  begin(b);
  world.takeEffects();
  send({ kind: "agentCrashed", agentId: a, detail: "signal 9" });
  assert.deepEqual([get(first).state, get(first).cancellation], ["cancelled", "callerGone"]);
  idle(b);
  assert.deepEqual(typed(world.takeEffects()), [second]);
});

Deno.test("mediator: the caller's request is gone: cancelled; its patience ended: the ticket lives on", () => {
  const { world, a, b, c, ask, ready, begin, send, reply, get } = setup();
  const gone = ask(a, b);
  const patient = ask(c, b);
  send({ kind: "callerGone", ticketId: gone });
  assert.equal(get(gone).cancellation, "callerGone");
  send({ kind: "stopWaiting", ticketId: patient });
  ready(b);
  begin(b);
  reply(b, "late");
  assert.equal(get(patient).reply?.text, "late");
  const by: Party = { kind: "agent", agentId: c };
  send({ kind: "wait", ticketId: patient, by });
  assert.equal(world.state().open.size, 0);
});

Deno.test("mediator: of two calls that wait for a ticket, the last that goes cancels it", () => {
  const { a, b, ask, send, get } = setup();
  const ticketId = ask(a, b);
  send({ kind: "wait", ticketId, by: { kind: "agent", agentId: a } });
  send({ kind: "callerGone", ticketId });
  assert.equal(get(ticketId).state, "queued");
  send({ kind: "callerGone", ticketId });
  assert.equal(get(ticketId).state, "cancelled");
});

Deno.test("mediator: the target crashes: a typed failure, and a launch for the rest, a bounded number of times", () => {
  const { world, a, b, ask, ready, begin, send, enqueue, get } = setup();
  const first = ask(a, b);
  const rest = [1, 2, 3, 4].map(() => enqueue(HUMAN, b, { wait: false }));
  const outcomes: string[] = [];
  for (let crash = 0; crash < 3; crash++) {
    ready(b);
    begin(b);
    world.takeEffects();
    send({ kind: "agentCrashed", agentId: b, detail: "signal 11" });
    outcomes.push(...world.takeEffects().flatMap((effect) => effect.kind === "launch" ? [effect.cause] : []));
  }
  assert.deepEqual(get(first).failure, { kind: "agentCrashed", detail: "signal 11" });
  assert.deepEqual(outcomes, ["crashed", "crashed"]);
  assert.deepEqual(rest.map((ticketId) => get(ticketId).state), ["failed", "failed", "failed", "failed"]);
  assert.equal(slotOf(world.state(), b).presence, "stopped");

  world.advance(120_000);
  enqueue(HUMAN, b, { wait: false });
  enqueue(HUMAN, b, { wait: false });
  ready(b);
  world.takeEffects();
  send({ kind: "agentCrashed", agentId: b, detail: "signal 11" });
  assert.deepEqual(world.takeEffects().map(({ kind }) => kind), ["tellAsker", "launch"]);
});

Deno.test("mediator: stopped by a person: who waits is told, what nobody waits for is kept for the next launch", () => {
  const { world, a, b, c, ask, ready, begin, send, enqueue, get } = setup();
  const inWork = ask(a, b);
  const waiting = ask(c, b);
  const kept = enqueue(HUMAN, b, { kind: "message", wait: false });
  ready(b);
  begin(b);
  world.takeEffects();
  send({ kind: "agentStopped", agentId: b });
  assert.deepEqual(get(inWork).failure, { kind: "agentStopped" });
  assert.deepEqual(get(waiting).failure, { kind: "agentStopped" });
  assert.equal(get(kept).state, "queued");
  assert.deepEqual(world.takeEffects().map(({ kind }) => kind), ["tellAsker", "tellAsker"]);
  send({ kind: "agentStarting", agentId: b });
  ready(b);
  assert.deepEqual(typed(world.takeEffects()), [kept]);
});

Deno.test("mediator: a launch that fails fails all that waited for it", () => {
  const { a, b, ask, send, enqueue, get } = setup();
  const tickets = [ask(a, b), enqueue(HUMAN, b, { kind: "message", wait: false })];
  send({ kind: "launchFailed", agentId: b, detail: "no claude" });
  for (const ticketId of tickets) {
    assert.deepEqual(get(ticketId).failure, { kind: "launchFailed", detail: "no claude" });
  }
});

Deno.test("mediator: kill -9 with five queued and one in work: all six end well, the one in work as a repeat", () => {
  const { world, a, b, c, ready, begin, reply, idle, get, enqueue, ask } = setup();
  const tickets = [ask(a, b), ...[1, 2, 3, 4].map(() => enqueue(HUMAN, b, { wait: false })), ask(c, b)];
  ready(b);
  begin(b);
  world.restart();
  assert.deepEqual(world.takeEffects(), [{ kind: "launch", agentId: b, cause: "recovered" }]);
  ready(b);
  const order: TicketId[] = [];
  for (const _ of tickets) {
    order.push(...typed(world.takeEffects()));
    begin(b);
    reply(b);
    idle(b);
  }
  assert.deepEqual(order, tickets);
  assert.deepEqual(tickets.map((ticketId) => get(ticketId).repeat), [1, 0, 0, 0, 0, 0]);
  assert.ok(tickets.every((ticketId) => get(ticketId).state === "answered"));
});

Deno.test("mediator: an answer before the program was seen at work: its turn goes on, and the next task waits for its end", () => {
  const { world, a, b, c, ask, ready, submitted, busy, reply, idle, get } = setup();
  const [first, second] = [ask(a, b), ask(c, b)];
  ready(b);
  world.takeEffects();
  submitted(b);
  reply(b);
  assert.deepEqual(
    get(first).receipts.map(({ state }) => state),
    ["queued", "delivering", "delivered", "answered"],
  );
  assert.deepEqual(typed(world.takeEffects()), []);
  busy(b);
  assert.deepEqual(typed(world.takeEffects()), []);
  idle(b);
  assert.deepEqual(typed(world.takeEffects()), [second]);
});

Deno.test("mediator: an answer that came is kept over a restart for an asker that comes back", () => {
  const { world, a, b, ask, ready, begin, reply, send, get } = setup();
  const ticketId = ask(a, b);
  ready(b);
  begin(b);
  reply(b, "kept");
  world.restart();
  send({ kind: "wait", ticketId, by: { kind: "agent", agentId: a } });
  assert.equal(get(ticketId).reply?.text, "kept");
});

Deno.test("mediator: a limit holds the queue and offers its ticket again when it is over", () => {
  const { world, a, b, c, ask, ready, begin, send, reply, get } = setup();
  const cut = ask(a, b);
  const next = ask(c, b);
  ready(b);
  begin(b);
  world.takeEffects();
  send({ kind: "agentLimited", agentId: b, resetsAtMs: world.nowMs() + 3_600_000 });
  assert.deepEqual(world.takeEffects(), []);
  assert.equal(get(cut).state, "queued");
  send({ kind: "agentUnlimited", agentId: b });
  const effects = world.takeEffects();
  assert.deepEqual(effects.map((effect) => effect.kind === "typeTask" && [effect.ticketId, effect.reason]), [
    [cut, "afterLimit"],
  ]);
  begin(b);
  reply(b);
  assert.deepEqual([get(cut).state, get(cut).repeat, get(next).state], ["answered", 1, "queued"]);
});

Deno.test("mediator: a program that goes on by itself after a limit is not given the task twice", () => {
  const { world, a, b, ask, ready, begin, send, busy, idle, get } = setup();
  const cut = ask(a, b);
  ready(b);
  begin(b);
  send({ kind: "agentLimited", agentId: b });
  world.takeEffects();
  busy(b);
  assert.deepEqual([get(cut).state, get(cut).repeat], ["accepted", 0]);
  idle(b, "finished");
  assert.equal(get(cut).reply?.text, "finished");
  assert.deepEqual(typed(world.takeEffects()), []);
});

Deno.test("mediator: a reply during a limit, to a ticket that was cut, is taken", () => {
  const { a, b, ask, ready, begin, send, reply, get } = setup();
  const cut = ask(a, b);
  ready(b);
  begin(b);
  send({ kind: "agentLimited", agentId: b });
  reply(b, "just made it");
  assert.equal(get(cut).reply?.text, "just made it");
});

Deno.test("mediator: a change of profile keeps the queue, and the new program gets the one in work again", () => {
  const { world, a, b, c, d, ask, ready, begin, send, reply, idle, get } = setup();
  const tickets = [ask(a, b), ask(c, b), ask(d, b)];
  ready(b);
  begin(b);
  world.takeEffects();
  send({ kind: "agentSwapped", agentId: b });
  assert.deepEqual(world.takeEffects(), [], "the app that swaps also launches");
  ready(b);
  const order: TicketId[] = [];
  for (const _ of tickets) {
    order.push(...typed(world.takeEffects()));
    begin(b);
    reply(b);
    idle(b);
  }
  assert.deepEqual(order, tickets);
  assert.deepEqual(tickets.map((ticketId) => get(ticketId).repeat), [1, 0, 0]);
});

Deno.test("mediator: not confirmed: submit once more, then it needs attention, and a reply still completes it", () => {
  const { world, a, b, c, ask, ready, submitted, unconfirmed, reply, get } = setup();
  const ticketId = ask(a, b);
  const next = ask(c, b);
  ready(b);
  submitted(b);
  world.takeEffects();
  unconfirmed(b);
  assert.deepEqual(world.takeEffects(), [{ kind: "submitAgain", agentId: b, ticketId, typingNo: 1 }]);
  submitted(b);
  unconfirmed(b);
  assert.deepEqual([get(ticketId).state, get(ticketId).needsAttention], ["delivering", true]);
  assert.deepEqual(world.takeEffects(), []);
  reply(b);
  assert.equal(get(ticketId).state, "answered");
  assert.deepEqual(typed(world.takeEffects()), [next]);
});

Deno.test("mediator: a delivery whose text did not go in is typed again, not submitted", () => {
  const { world, a, b, ask, ready, unconfirmed } = setup();
  const ticketId = ask(a, b);
  ready(b);
  world.takeEffects();
  unconfirmed(b, false);
  const [again] = world.takeEffects();
  assert.deepEqual(again, {
    kind: "typeTask",
    agentId: b,
    ticketId,
    typingNo: 1,
    attempt: 2,
    reason: "first",
    repeat: 0,
  });
});

Deno.test("mediator: no second Enter into a dialog or into what a person writes", () => {
  for (const inUse of ["blocked", "typing"] as const) {
    const { world, a, b, ask, ready, submitted, unconfirmed, send, busy, get } = setup();
    const ticketId = ask(a, b);
    ready(b);
    submitted(b);
    world.takeEffects();
    if (inUse === "blocked") send({ kind: "agentBlocked", agentId: b, signal: "permission" });
    else send({ kind: "personTyping", agentId: b, typing: true });
    unconfirmed(b);
    assert.deepEqual(world.takeEffects(), []);
    assert.equal(get(ticketId).needsAttention, true);
    busy(b);
    assert.deepEqual([get(ticketId).state, get(ticketId).needsAttention], ["accepted", false]);
  }
});

Deno.test("mediator: a person has a ticket that needs attention typed again, marked as a repeat", () => {
  const { world, a, b, ask, ready, submitted, unconfirmed, send } = setup();
  const ticketId = ask(a, b);
  ready(b);
  submitted(b);
  unconfirmed(b);
  unconfirmed(b);
  world.takeEffects();
  send({ kind: "redeliver", ticketId });
  assert.deepEqual(world.takeEffects().map((effect) => effect.kind), ["clearInput", "typeTask"]);
  send({ kind: "redeliver", ticketId });
  assert.deepEqual(world.takeEffects(), []);
});

Deno.test("mediator: nothing is typed while a person types, and a delivery that came too late is put back", () => {
  const { world, a, b, ask, ready, send, typingNo, get } = setup();
  ready(b);
  send({ kind: "personTyping", agentId: b, typing: true });
  const ticketId = ask(a, b);
  assert.deepEqual(typed(world.takeEffects()), []);
  send({ kind: "personTyping", agentId: b, typing: false });
  assert.deepEqual(typed(world.takeEffects()), [ticketId]);
  send({ kind: "deliveryDeferred", agentId: b, typingNo: typingNo(b), because: "personTyping" });
  assert.deepEqual([get(ticketId).state, get(ticketId).repeat], ["queued", 0]);
  assert.deepEqual(typed(world.takeEffects()), []);
  send({ kind: "personTyping", agentId: b, typing: false });
  const [effect] = world.takeEffects();
  assert.ok(effect?.kind === "typeTask" && effect.reason === "first");
});

Deno.test("mediator: a person's own turn makes the agent busy, and the queue goes on after it", () => {
  const { world, a, b, ask, ready, send, busy, idle } = setup();
  ready(b);
  send({ kind: "personTyping", agentId: b, typing: true });
  send({ kind: "personTyping", agentId: b, typing: false });
  busy(b);
  assert.equal(slotOf(world.state(), b).turn.kind, "person");
  const ticketId = ask(a, b);
  assert.deepEqual(typed(world.takeEffects()), []);
  idle(b, "an answer to the person");
  assert.deepEqual(typed(world.takeEffects()), [ticketId]);
});

Deno.test("mediator: a turn that ends without a reply: its last answer, else one reminder, else a typed error", () => {
  const { world, a, b, ask, ready, begin, idle, get } = setup();
  const answered = ask(a, b);
  ready(b);
  begin(b);
  idle(b, "as I said");
  assert.deepEqual([get(answered).reply?.text, get(answered).reply?.source], ["as I said", "lastAnswer"]);

  const silent = ask(a, b);
  begin(b);
  world.takeEffects();
  idle(b);
  assert.deepEqual(world.takeEffects().map(({ kind }) => kind), ["typeReminder"]);
  begin(b);
  idle(b);
  assert.deepEqual(get(silent).failure, { kind: "noReply" });
  assert.equal(slotOf(world.state(), b).turn.kind, "free");
});

Deno.test("mediator: a reminder waits for the person who types, and one that never arrives ends the ticket", () => {
  const { world, a, b, ask, ready, begin, idle, send, submitted, unconfirmed, get } = setup();
  const ticketId = ask(a, b);
  ready(b);
  begin(b);
  send({ kind: "personTyping", agentId: b, typing: true });
  idle(b);
  world.takeEffects();
  send({ kind: "personTyping", agentId: b, typing: false });
  assert.deepEqual(world.takeEffects().map(({ kind }) => kind), ["typeReminder"]);
  submitted(b);
  unconfirmed(b);
  unconfirmed(b);
  assert.deepEqual(get(ticketId).failure, { kind: "noReply" });
  assert.deepEqual(world.takeEffects().map(({ kind }) => kind), ["submitAgain", "tellAsker", "clearInput"]);
});

Deno.test("mediator: a person's message is answered by the end of its turn", () => {
  const { a, ready, begin, idle, enqueue, get } = setup();
  ready(a);
  const message = enqueue(HUMAN, a, { kind: "message", wait: false });
  begin(a);
  idle(a);
  assert.deepEqual([get(message).state, get(message).reply?.text], ["answered", ""]);
});

Deno.test("mediator: a resume goes before what is queued", () => {
  const { world, a, b, ready, ask, send } = setup();
  const queued = ask(b, a);
  const ticketId = world.freshTicket();
  send({
    kind: "enqueue",
    ticketId,
    from: HUMAN,
    to: a,
    ticketKind: "message",
    task: "go on",
    wait: false,
    first: true,
  });
  ready(a);
  assert.deepEqual(typed(world.takeEffects()), [ticketId]);
  assert.deepEqual(slotOf(world.state(), a).queue, [queued]);
});

Deno.test("mediator: an interrupt cancels the ticket in work; the agent is free when its turn ended", () => {
  const { world, a, b, c, ask, ready, begin, send, idle, get } = setup();
  const cut = ask(a, b);
  const next = ask(c, b);
  ready(b);
  begin(b);
  send({ kind: "interrupted", agentId: b });
  assert.equal(get(cut).cancellation, "byPerson");
  world.takeEffects();
  idle(b);
  assert.deepEqual(typed(world.takeEffects()), [next]);
});

Deno.test("mediator: cancelled while it is typed: typing stops, the input is cleared, then comes the next", () => {
  const { world, a, b, c, ask, ready, send, unconfirmed } = setup();
  const first = ask(a, b);
  const next = ask(c, b);
  ready(b);
  world.takeEffects();
  send({ kind: "cancel", ticketId: first, by: { kind: "agent", agentId: a } });
  assert.deepEqual(world.takeEffects(), [
    { kind: "stopTyping", agentId: b, typingNo: 1 },
    { kind: "tellAsker", ticketId: first },
  ]);
  unconfirmed(b);
  assert.deepEqual(world.takeEffects().map((effect) => effect.kind), ["clearInput", "typeTask"]);
  assert.equal(slotOf(world.state(), b).typing?.ticketId, next);
});

Deno.test("mediator: a person lists, edits, reorders and removes what is queued, and only that", () => {
  const { world, a, b, c, d, ask, ready, begin, send, get } = setup();
  const [inWork, second, third, fourth] = [ask(a, b), ask(c, b), ask(d, b), ask(a, b)];
  assert.ok(inWork && second && third && fourth);
  ready(b);
  begin(b);
  send({ kind: "moveQueued", ticketId: fourth, toIndex: 0 });
  send({ kind: "moveQueued", ticketId: second, toIndex: 99 });
  assert.deepEqual(slotOf(world.state(), b).queue, [fourth, third, second]);
  send({ kind: "editQueued", ticketId: third, task: "other" });
  assert.equal(get(third).task, "other");
  send({ kind: "removeQueued", ticketId: fourth });
  assert.equal(get(fourth).cancellation, "byPerson");
  assert.deepEqual(world.input({ kind: "editQueued", ticketId: inWork, task: "x" }), {
    kind: "ticketNotQueued",
    ticketId: inWork,
    state: "accepted",
  });
});

Deno.test("mediator: replies that are not to be taken are typed errors and change nothing", () => {
  const { world, a, b, c, ask, ready, begin, reply } = setup();
  const first = ask(a, b);
  const second = ask(c, b);
  const refused = (input: MediatorInput) => world.input(input)?.kind;
  assert.equal(refused({ kind: "replied", by: b, text: "x" }), "nothingInWork");
  ready(b);
  begin(b);
  const missing = createId("ticket", "nobodys");
  assert.equal(refused({ kind: "replied", by: b, text: "x", ticketId: missing }), "ticketNotFound");
  assert.equal(refused({ kind: "replied", by: c, text: "x", ticketId: first }), "ticketNotYours");
  assert.equal(refused({ kind: "replied", by: b, text: "x", ticketId: second }), "ticketNotDelivered");
  reply(b);
  assert.equal(refused({ kind: "replied", by: b, text: "again" }), "ticketClosed");
  assert.equal(refused({ kind: "replied", by: b, text: "again", ticketId: first }), "ticketClosed");
  assert.equal(refused({ kind: "wait", ticketId: second, by: { kind: "agent", agentId: a } }), "ticketNotYours");
  assert.equal(refused({ kind: "cancel", ticketId: second, by: { kind: "agent", agentId: a } }), "ticketNotYours");
});

Deno.test("mediator: a full queue refuses, and says its limit", () => {
  const { world, a, b, enqueue, send } = setup();
  for (let index = 0; index < MAX_QUEUE; index++) enqueue(HUMAN, a, { kind: "message", wait: false });
  const refused = world.input({
    kind: "enqueue",
    ticketId: world.freshTicket(),
    from: { kind: "agent", agentId: b },
    to: a,
    ticketKind: "delegation",
    task: "one more",
    wait: true,
  });
  assert.deepEqual(refused, { kind: "queueFull", agentId: a, limit: MAX_QUEUE });
  send({ kind: "agentRemoved", agentId: a });
  assert.equal(world.state().open.size, 0);
});

Deno.test("mediator: cancelled before anything of it was typed: the next one comes when the person is done", () => {
  const { world, a, b, c, ask, ready, send, typingNo } = setup();
  const first = ask(a, b);
  const next = ask(c, b);
  ready(b);
  send({ kind: "cancel", ticketId: first, by: HUMAN });
  send({ kind: "deliveryDeferred", agentId: b, typingNo: typingNo(b), because: "personTyping" });
  assert.equal(slotOf(world.state(), b).turn.kind, "free");
  world.takeEffects();
  send({ kind: "personTyping", agentId: b, typing: false });
  assert.deepEqual(typed(world.takeEffects()), [next]);
});

Deno.test("mediator: work seen before submit was pressed, or a prompt seen after it, says nothing of the ticket", () => {
  const { a, b, ask, ready, submitted, busy, idle, get } = setup();
  const ticketId = ask(a, b);
  ready(b);
  busy(b);
  assert.equal(get(ticketId).state, "delivering");
  submitted(b);
  idle(b);
  assert.equal(get(ticketId).state, "delivering");
  idle(b, "a turn too short to be seen");
  assert.equal(get(ticketId).reply?.text, "a turn too short to be seen");
});

Deno.test("mediator: fetching the task accepts it, and proves that the delivery arrived", () => {
  const { world, a, b, c, ask, ready, submitted, send, get } = setup();
  const ticketId = ask(a, b);
  const queued = ask(c, b);
  ready(b);
  submitted(b);
  send({ kind: "taskFetched", by: b });
  assert.equal(get(ticketId).state, "accepted");
  assert.equal(slotOf(world.state(), b).typing, undefined);
  assert.equal(world.input({ kind: "taskFetched", by: b, ticketId: queued })?.kind, "ticketNotDelivered");
});
