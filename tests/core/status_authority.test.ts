import assert from "node:assert/strict";
import {
  NEW_SCREEN_WATCH,
  readScreen,
  SCREEN_SETTLE_MS,
  screenPatterns,
  watchScreen,
} from "../../core/orchestration/screen_status.ts";
import {
  createStatus,
  type ProgramState,
  reduceStatus,
  type Status,
  type StatusSignal,
  turnSignal,
} from "../../core/orchestration/status.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";

const ALL = ["programStatus", "hooks", "screen"] as const;

type Said = StatusSignal extends infer S ? S extends StatusSignal ? Omit<S, "atMs" | "detail"> : never : never;

const osc = (state: ProgramState): Said => ({ source: "programStatus", state });
const hook = (state: ProgramState): Said => ({ source: "hooks", state });
const screen = (state: ProgramState): Said => ({ source: "screen", state });
const process = (state: "starting" | "stopped"): Said => ({ source: "process", state });
const limit = (state: "limited" | "lifted"): Said => ({ source: "limit", state });

function said(what: Said, atMs: number): StatusSignal {
  return { ...what, atMs, detail: `${what.source} ${what.state}` };
}

function after(signals: readonly Said[]): Status {
  return signals.reduce(
    (status, signal, index) => reduceStatus(status, said(signal, index + 1)).status,
    createStatus(ALL, 0),
  );
}

Deno.test("status: a better authority takes over for good, a worse one is not heard", () => {
  const started = process("starting");
  assert.equal(after([started, screen("working")]).state, "working");
  const hooks = after([started, screen("working"), hook("idle"), screen("working")]);
  assert.deepEqual([hooks.state, hooks.authority, hooks.signal], ["idle", "hooks", "hooks idle"]);
  const best = after([started, hook("idle"), osc("working"), hook("done"), screen("idle")]);
  assert.deepEqual([best.state, best.authority, best.sinceMs], ["working", "programStatus", 3]);
});

Deno.test("status: an authority that agrees takes over without a change of state", () => {
  const status = after([process("starting"), screen("working"), osc("working"), screen("idle")]);
  assert.deepEqual([status.state, status.authority, status.sinceMs], ["working", "programStatus", 2]);
});

Deno.test("status: a new program has its own authority, and one that is gone says nothing", () => {
  const again = after([process("starting"), osc("idle"), process("stopped"), screen("working")]);
  assert.deepEqual([again.state, again.authority], ["stopped", undefined]);
  const next = after([process("starting"), osc("idle"), process("starting"), screen("working")]);
  assert.deepEqual([next.state, next.authority], ["working", "screen"]);
});

Deno.test("status: a source the profile does not allow has no say", () => {
  const status = reduceStatus(createStatus(["screen"], 0), said(process("starting"), 1)).status;
  assert.equal(reduceStatus(status, said(hook("done"), 2)).changed, false);
});

Deno.test("status: a limit outlasts the prompt, and ends with work or by being lifted", () => {
  const limited = [process("starting"), osc("working"), limit("limited")] as const;
  assert.equal(after([...limited, osc("error"), osc("idle")]).state, "limited");
  assert.equal(after([...limited, osc("working")]).state, "working");
  assert.equal(after([...limited, limit("lifted")]).state, "idle");
  assert.equal(after([process("starting"), screen("working"), limit("lifted")]).state, "working");
});

Deno.test("status: the same said twice is no change, but done twice is two turns", () => {
  const working = after([process("starting"), hook("working")]);
  assert.equal(reduceStatus(working, said(hook("working"), 9)).changed, false);
  const done = after([process("starting"), hook("done")]);
  assert.equal(reduceStatus(done, said(hook("done"), 9)).changed, true);
});

Deno.test("status: history is the latest changes, newest first, bounded", () => {
  let status = createStatus(ALL, 0);
  status = reduceStatus(status, said(process("starting"), 1)).status;
  for (let index = 0; index < 50; index++) {
    status = reduceStatus(status, said(hook(index % 2 === 0 ? "working" : "idle"), index + 2)).status;
  }
  assert.equal(status.history.length, 20);
  assert.deepEqual(status.history[0], { atMs: 51, state: "idle", signal: "hooks idle" });
});

Deno.test("status: what each state means to the mediator", () => {
  const states = ["working", "idle", "done", "error", "blocked", "limited", "starting", "stopped"] as const;
  assert.deepEqual(states.map(turnSignal), [
    "agentBusy",
    "agentIdle",
    "agentIdle",
    "agentIdle",
    "agentBlocked",
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("screen: attention before busy before ready, and nothing when there is no mark", () => {
  const claude = referenceProfiles[0];
  assert.ok(claude !== undefined);
  const patterns = screenPatterns(claude);
  assert.equal(patterns.complete, true);
  const read = (screen: string[], title = "") => readScreen(patterns, { screen, title })?.state;
  assert.equal(read(["❯ ", "  ? for shortcuts"]), "idle");
  assert.equal(read(["✻ Baking… (esc to interrupt)", "❯ "]), "working");
  assert.equal(read(["❯ "], "◐ fixing"), "working");
  assert.equal(read(["Do you want to proceed?", "❯ 1. Yes", "  2. No", "(esc to interrupt)"]), "blocked");
  assert.equal(read(["hello"]), undefined);
  assert.equal(screenPatterns({ ready: { screenPattern: "> $" } }).complete, false);
});

Deno.test("screen: a prompt counts only after it stayed, work and questions at once", () => {
  const idle = { state: "idle", detail: "prompt" } as const;
  const working = { state: "working", detail: "busy" } as const;
  const busy = watchScreen(NEW_SCREEN_WATCH, working, 0);
  assert.deepEqual(busy.signal, working);
  const flicker = watchScreen(busy.watch, idle, 100);
  assert.deepEqual([flicker.signal, flicker.recheckInMs], [undefined, SCREEN_SETTLE_MS]);
  assert.deepEqual(watchScreen(flicker.watch, working, 200).signal, working);
  const half = watchScreen(flicker.watch, idle, 300);
  assert.equal(half.recheckInMs, SCREEN_SETTLE_MS - 200);
  const settled = watchScreen(half.watch, idle, 100 + SCREEN_SETTLE_MS);
  assert.deepEqual(settled.signal, idle);
  assert.equal(watchScreen(settled.watch, idle, 5_000).signal, undefined);
});

Deno.test("screen: a screen without a mark breaks a prompt's wait and changes nothing else", () => {
  const idle = { state: "idle", detail: "prompt" } as const;
  const waiting = watchScreen(NEW_SCREEN_WATCH, idle, 0);
  const blank = watchScreen(waiting.watch, undefined, 100);
  assert.equal(watchScreen(blank.watch, idle, SCREEN_SETTLE_MS).recheckInMs, SCREEN_SETTLE_MS);
  const working = watchScreen(NEW_SCREEN_WATCH, { state: "working", detail: "busy" }, 0);
  assert.equal(watchScreen(working.watch, undefined, 100).watch, working.watch);
});
