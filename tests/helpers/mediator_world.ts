/**
 * A world for the mediator's property tests: random askers, persons and programs, and beside it a model of what must be
 * true, kept by other means than the mediator's own.
 */
import assert from "node:assert/strict";
import { type AgentId, createId, type TicketId } from "../../core/ids.ts";
import { type MediatorEffect, planEffects } from "../../core/orchestration/effects.ts";
import { evolveAll } from "../../core/orchestration/evolve.ts";
import { formatTicketEvent, replayJournal } from "../../core/orchestration/journal.ts";
import { decide } from "../../core/orchestration/mediator.ts";
import { isJournalled, type MediatorEvent } from "../../core/orchestration/mediator_events.ts";
import type { MediatorError, MediatorInput } from "../../core/orchestration/mediator_inputs.ts";
import {
  EMPTY_MEDIATOR,
  type MediatorState,
  slotOf,
  ticketInWork,
  ticketOf,
  typingHolds,
} from "../../core/orchestration/mediator_state.ts";
import { waitEdges } from "../../core/orchestration/wait_graph.ts";
import type { Party } from "../../core/parties.ts";
import type { Random } from "./random.ts";

export interface World {
  state(): MediatorState;
  nowMs(): number;
  input(input: MediatorInput): MediatorError | undefined;
  /** kill -9 and start again from the journal. */
  restart(): void;
  /** What the app was told to do since the last call. */
  takeEffects(): readonly MediatorEffect[];
  /** The lines that are on disk. */
  journal(): readonly string[];
  advance(ms: number): void;
  readonly agents: readonly AgentId[];
  readonly tickets: readonly TicketId[];
  freshTicket(): TicketId;
}

interface Model {
  /** Open tickets of an agent: the one in work, then the queue. */
  readonly order: Map<AgentId, TicketId[]>;
  readonly closed: Set<TicketId>;
  readonly acknowledged: Set<TicketId>;
  readonly waiters: Map<TicketId, number>;
  /** Agents that said busy since they last said idle or were gone. */
  readonly busy: Set<AgentId>;
}

export function createWorld(agentCount: number): World {
  const agents = Array.from({ length: agentCount }, (_, index) => createId("agent", `a${index}`));
  const tickets: TicketId[] = [];
  const model: Model = {
    order: new Map(),
    closed: new Set(),
    acknowledged: new Set(),
    waiters: new Map(),
    busy: new Set(),
  };
  const journal: string[] = [];
  let effects: MediatorEffect[] = [];
  let state = EMPTY_MEDIATOR;
  let nowMs = 1_000_000;

  function commit(input: MediatorInput): MediatorError | undefined {
    const before = state;
    const decided = decide(before, input, nowMs);
    nowMs += 700;
    if (!decided.ok) return decided.error;
    state = evolveAll(before, decided.value);
    journal.push(...decided.value.filter(isJournalled).map(formatTicketEvent));
    followInput(model, input);
    for (const event of decided.value) followEvent(model, event, state);
    const planned = planEffects(decided.value, state);
    effects.push(...planned);
    checkEffects(before, planned, state);
    checkState(model, state);
    return undefined;
  }

  return {
    state: () => state,
    nowMs: () => nowMs,
    agents,
    tickets,
    input: commit,
    journal: () => journal,
    advance: (ms) => void (nowMs += ms),
    takeEffects() {
      const taken = effects;
      effects = [];
      return taken;
    },
    freshTicket() {
      const ticketId = createId("ticket", `t${tickets.length}`);
      tickets.push(ticketId);
      return ticketId;
    },
    restart() {
      const replayed = replayJournal(journal);
      assert.deepEqual(replayed.warnings, []);
      state = replayed.state;
      model.busy.clear();
      model.waiters.clear();
      effects = [];
      commit({ kind: "recovered" });
    },
  };
}

function followInput(model: Model, input: MediatorInput): void {
  if (input.kind === "agentBusy") model.busy.add(input.agentId);
  if (input.kind === "agentIdle" || input.kind === "agentLimited") model.busy.delete(input.agentId);
  if (input.kind === "enqueue") {
    model.acknowledged.add(input.ticketId);
    if (input.wait) model.waiters.set(input.ticketId, 1);
  }
  const waiters = "ticketId" in input && input.ticketId !== undefined ? model.waiters.get(input.ticketId) ?? 0 : 0;
  if (input.kind === "wait" && !model.closed.has(input.ticketId)) model.waiters.set(input.ticketId, waiters + 1);
  if (input.kind === "stopWaiting" || input.kind === "callerGone") {
    model.waiters.set(input.ticketId, Math.max(0, waiters - 1));
  }
}

function followEvent(model: Model, event: MediatorEvent, after: MediatorState): void {
  if (event.kind === "agentGone" || event.kind === "agentRemoved") model.busy.delete(event.agentId);
  if (event.kind === "recovered" || "agentId" in event || !event.kind.startsWith("ticket")) return;
  const agentId = ticketOf(after, event.ticketId)?.to;
  assert.ok(agentId !== undefined, "an event of a ticket that is gone");
  const order = model.order.get(agentId) ?? [];
  model.order.set(agentId, order);
  const at = order.indexOf(event.ticketId);
  switch (event.kind) {
    case "ticketQueued": {
      const inWork = event.first && order[0] !== undefined && isInWork(after, order[0]) ? 1 : 0;
      if (event.first) order.splice(inWork, 0, event.ticketId);
      else order.push(event.ticketId);
      return;
    }
    case "ticketMoved": {
      const inWork = order.length - slotOf(after, agentId).queue.length;
      order.splice(at, 1);
      order.splice(event.toIndex + inWork, 0, event.ticketId);
      return;
    }
    case "ticketDelivering":
      return assert.equal(at, 0, "delivered out of order");
    case "ticketAnswered":
    case "ticketCancelled":
    case "ticketFailed":
      assert.ok(at >= 0 && !model.closed.has(event.ticketId), "closed twice");
      order.splice(at, 1);
      model.closed.add(event.ticketId);
      model.waiters.delete(event.ticketId);
      return;
    default:
      return;
  }
}

function isInWork(state: MediatorState, ticketId: TicketId): boolean {
  const entry = state.open.get(ticketId);
  return entry !== undefined && entry.ticket.state !== "queued";
}

function checkEffects(before: MediatorState, effects: readonly MediatorEffect[], after: MediatorState): void {
  for (const effect of effects) {
    if (effect.kind === "typeTask" || effect.kind === "typeReminder") {
      const slot = slotOf(after, effect.agentId);
      const holds = typingHolds(slot).filter((hold) => hold.kind !== "typing");
      assert.deepEqual(holds, [], "typed into a terminal that was not to be typed into");
      assert.equal(slot.typing?.no, effect.typingNo);
      if (effect.attempt === 1) assert.ok(effect.typingNo > slotOf(before, effect.agentId).lastTypingNo);
      if (effect.kind === "typeTask") assert.equal(effect.reason === "first", effect.repeat === 0, "unmarked repeat");
    }
    if (effect.kind === "launch") assert.equal(slotOf(after, effect.agentId).presence, "starting");
  }
  const typed = effects.flatMap((effect) => effect.kind === "typeTask" ? [effect.agentId] : []);
  assert.equal(new Set(typed).size, typed.length, "two tasks typed at once");
}

function checkState(model: Model, state: MediatorState): void {
  for (const ticketId of model.acknowledged) {
    assert.notEqual(state.open.has(ticketId), state.closed.has(ticketId), `${ticketId} lost, or both open and closed`);
    assert.equal(state.closed.has(ticketId), model.closed.has(ticketId));
  }
  for (const [ticketId, entry] of state.open) {
    assert.equal(entry.waiters, model.waiters.get(ticketId) ?? 0, "a wait that nobody waits");
    const slot = slotOf(state, entry.ticket.to);
    const inTurn = slot.turn.kind === "ticket" && slot.turn.ticketId === ticketId;
    assert.equal(slot.queue.includes(ticketId), entry.ticket.state === "queued");
    assert.equal(inTurn, entry.ticket.state !== "queued");
    assert.ok(entry.ticket.repeat === Math.max(0, entry.offers - 1));
    assert.equal(entry.ticket.receipts.at(-1)?.state, entry.ticket.state);
  }
  for (const [agentId, slot] of state.agents) {
    const inWork = ticketInWork(state, agentId);
    assert.deepEqual([...(inWork ? [inWork.ticket.id] : []), ...slot.queue], model.order.get(agentId) ?? []);
    switch (slot.turn.kind) {
      case "ticket":
        assert.ok(inWork !== undefined);
        break;
      case "leftover":
        assert.ok(state.closed.has(slot.turn.ticketId));
        break;
      case "person":
      case "unknown":
        assert.ok(model.busy.has(agentId), "busy without a cause");
        break;
      case "free":
        // Free, may be typed into, and something queued: then it would have been begun.
        if (slot.queue.length > 0) assert.ok(typingHolds(slot).length > 0, "free with a queue that nothing holds");
    }
    if (slot.presence === "stopped") assert.ok(slot.turn.kind === "free" && slot.typing === undefined);
  }
  checkNoCircle(state);
}

function checkNoCircle(state: MediatorState): void {
  const edges = waitEdges(state);
  const done = new Set<AgentId>();
  function visit(agentId: AgentId, path: readonly AgentId[]): void {
    assert.ok(!path.includes(agentId), `a circle of waits: ${path.join(" ")}`);
    if (done.has(agentId)) return;
    for (const next of edges.get(agentId) ?? []) visit(next, [...path, agentId]);
    done.add(agentId);
  }
  for (const agentId of edges.keys()) visit(agentId, []);
}

/** Any input at any time, mostly one that means something now. */
export function randomInput(world: World, random: Random): MediatorInput {
  const agentId = random.pick(world.agents);
  const state = world.state();
  const open = [...state.open.keys()];
  const ticketId = open.length > 0 && random.int(10) > 0
    ? random.pick(open)
    : world.tickets.length > 0
    ? random.pick(world.tickets)
    : createId("ticket", "nobodys");
  const slot = slotOf(state, agentId);
  const typingNo = random.int(8) > 0 ? slot.lastTypingNo : slot.lastTypingNo - 1;
  const owner = ticketOf(state, ticketId);
  const by: Party = random.int(5) > 0 && owner !== undefined ? owner.from : randomParty(world, random);
  const named = random.int(2) > 0 ? { ticketId } : {};
  const answerer = owner !== undefined && random.int(4) > 0 ? owner.to : agentId;
  const endings: readonly (() => MediatorInput)[] = [
    () => ({ kind: "agentStopped", agentId }),
    () => ({ kind: "agentCrashed", agentId, detail: "signal 9" }),
    () => ({ kind: "agentCrashed", agentId, detail: "signal 9" }),
    () => ({ kind: "launchFailed", agentId, detail: "not found" }),
    () => ({ kind: "agentSwapped", agentId }),
    () => ({ kind: "agentRemoved", agentId }),
  ];
  const makers: readonly (() => MediatorInput)[] = [
    () => enqueueInput(world, random),
    () => enqueueInput(world, random),
    () => enqueueInput(world, random),
    () => ({ kind: "wait", ticketId, by }),
    () => ({ kind: "stopWaiting", ticketId }),
    () => ({ kind: "callerGone", ticketId }),
    () => ({ kind: "cancel", ticketId, by }),
    () => ({ kind: "replied", by: answerer, text: "done", ...named }),
    () => ({ kind: "replied", by: answerer, text: "done", ...named }),
    () => ({ kind: "taskFetched", by: answerer, ...named }),
    () => ({ kind: "editQueued", ticketId, task: "another" }),
    () => ({ kind: "moveQueued", ticketId, toIndex: random.int(5) - 1 }),
    () => ({ kind: "removeQueued", ticketId }),
    () => ({ kind: "redeliver", ticketId }),
    () => ({ kind: "interrupted", agentId }),
    () => ({ kind: "agentStarting", agentId }),
    () => ({ kind: "agentReady", agentId, signal: "mcp", reportsTurnEnd: random.int(3) > 0 }),
    () => ({ kind: "agentReady", agentId, signal: "mcp", reportsTurnEnd: random.int(3) > 0 }),
    () => ({ kind: "agentBusy", agentId, signal: "working" }),
    () => ({ kind: "agentBusy", agentId, signal: "working" }),
    () => ({ kind: "agentIdle", agentId, signal: "idle", ...(random.int(3) === 0 ? { lastAnswer: "last" } : {}) }),
    () => ({ kind: "agentIdle", agentId, signal: "idle", ...(random.int(3) === 0 ? { lastAnswer: "last" } : {}) }),
    () => ({ kind: "agentBlocked", agentId, signal: "blocked" }),
    () => ({ kind: "agentLimited", agentId, ...(random.int(2) > 0 ? { resetsAtMs: world.nowMs() + 60_000 } : {}) }),
    () => ({ kind: "agentUnlimited", agentId }),
    () => ({ kind: "personTyping", agentId, typing: random.int(2) > 0 }),
    () => ({ kind: "deliverySubmitted", agentId, typingNo }),
    () => ({ kind: "deliverySubmitted", agentId, typingNo }),
    () => ({ kind: "deliveryConfirmed", agentId, typingNo, signal: "echo" }),
    () => ({ kind: "deliveryConfirmed", agentId, typingNo, signal: "echo" }),
    () => ({ kind: "deliveryUnconfirmed", agentId, typingNo, typed: random.int(2) > 0 }),
    () => ({ kind: "deliveryUnconfirmed", agentId, typingNo, typed: random.int(2) > 0 }),
    () => ({
      kind: "deliveryDeferred",
      agentId,
      typingNo,
      because: random.pick(["personTyping", "blocked"] as const),
    }),
  ];
  // What ends programs is rare, or nothing else would ever happen.
  if (random.int(12) === 0) return random.pick(endings)();
  return random.pick(makers)();
}

function enqueueInput(world: World, random: Random): MediatorInput {
  const ticketKind = random.int(4) > 0 ? "delegation" : "message";
  const from: Party = ticketKind === "message" ? { kind: "human" } : randomParty(world, random);
  return {
    kind: "enqueue",
    ticketId: world.freshTicket(),
    from,
    to: random.pick(world.agents),
    ticketKind,
    task: "do it",
    wait: ticketKind === "delegation" && random.int(4) > 0,
    ...(ticketKind === "message" && random.int(4) === 0 ? { first: true } : {}),
  };
}

function randomParty(world: World, random: Random): Party {
  const roll = random.int(8);
  if (roll === 0) return { kind: "human" };
  if (roll === 1) return { kind: "external", name: "script" };
  return { kind: "agent", agentId: random.pick(world.agents) };
}

/** What a fair world does next for an agent with something to do: undefined when it has nothing to do. */
export function fairInput(world: World, agentId: AgentId, random: Random): MediatorInput | undefined {
  const slot = slotOf(world.state(), agentId);
  if (slot.presence === "stopped") return slot.queue.length > 0 ? { kind: "agentStarting", agentId } : undefined;
  if (slot.presence === "starting" || !slot.ready) {
    return { kind: "agentReady", agentId, signal: "mcp", reportsTurnEnd: true };
  }
  if (slot.limit !== undefined) return { kind: "agentUnlimited", agentId };
  if (slot.personTyping) return { kind: "personTyping", agentId, typing: false };
  if (slot.blocked !== undefined) {
    return slot.turn.kind === "free"
      ? { kind: "agentIdle", agentId, signal: "idle" }
      : { kind: "agentBusy", agentId, signal: "working" };
  }
  if (slot.typing !== undefined) return fairTyping(agentId, slot.typing, random);
  const { turn } = slot;
  if (turn.kind === "free") return undefined;
  if (turn.kind !== "ticket") return { kind: "agentIdle", agentId, signal: "idle" };
  switch (turn.phase) {
    case "running":
      return random.pick<MediatorInput>([
        { kind: "replied", by: agentId, text: "done" },
        { kind: "agentIdle", agentId, signal: "idle" },
        { kind: "agentIdle", agentId, signal: "idle", lastAnswer: "the last" },
      ]);
    case "delivering":
      return random.pick<MediatorInput>([
        { kind: "redeliver", ticketId: turn.ticketId },
        { kind: "cancel", ticketId: turn.ticketId, by: { kind: "human" } },
        { kind: "agentBusy", agentId, signal: "working" },
      ]);
    default:
      throw new Error(`a fair world leaves nothing in ${turn.phase}`);
  }
}

function fairTyping(
  agentId: AgentId,
  typing: { readonly no: number; readonly submitted: boolean },
  random: Random,
): MediatorInput {
  const typingNo = typing.no;
  if (!typing.submitted) return { kind: "deliverySubmitted", agentId, typingNo };
  return random.pick<MediatorInput>([
    { kind: "deliveryConfirmed", agentId, typingNo, signal: "echo" },
    { kind: "agentBusy", agentId, signal: "working" },
    { kind: "deliveryUnconfirmed", agentId, typingNo, typed: true },
  ]);
}
