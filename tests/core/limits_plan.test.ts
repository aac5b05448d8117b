import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { detectLimit, isStalled, STALL_MS } from "../../core/limits/detect.ts";
import { EMPTY_LIMITS_DOCUMENT, formatLimits, parseLimits } from "../../core/limits/limits_document.ts";
import {
  cancelResume,
  endLimit,
  fireDue,
  liftLimit,
  type LimitNotice,
  type Limits,
  nextFireAtMs,
  NO_LIMITS,
  noteLimit,
  planAfterRestart,
  planResume,
  setResetTime,
} from "../../core/limits/limits.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { createRandom } from "../helpers/random.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const HOUR = 3_600_000;
const A = createId("agent", "a");
const B = createId("agent", "b");
const MOMENT = { nowMs: NOW, localZone: "Europe/Paris" };

function notice(fields: Partial<LimitNotice> = {}): LimitNotice {
  return { agentId: A, resetsAtMs: NOW + 5 * HOUR, source: "screen", detail: "limit", ...fields };
}

function limited(fields: Partial<LimitNotice> = {}, random = 0): Limits {
  return noteLimit(NO_LIMITS, notice(fields), { nowMs: NOW, random }).limits;
}

Deno.test("limits: a plan fires after the reset, spread, and never for an end that nobody knows", () => {
  const at = (random: number) => {
    const plan = planResume({ resetsAtMs: NOW + 5 * HOUR, failedResumes: 0 }, { nowMs: NOW, random });
    assert.ok(plan.kind === "scheduled");
    return plan.fireAtMs - NOW - 5 * HOUR;
  };
  assert.ok(at(0) > 0 && at(0) < 10_000);
  assert.ok(at(0.999) - at(0) > 60_000 && at(0.999) < 120_000);
  assert.deepEqual(planResume({ resetsAtMs: undefined, failedResumes: 0 }, { nowMs: NOW, random: 0 }), {
    kind: "askPerson",
  });
});

Deno.test("limits: noticed once, planned once, published once", () => {
  const first = noteLimit(NO_LIMITS, notice(), { nowMs: NOW, random: 0 });
  assert.deepEqual(first.events, [
    { kind: "agentRateLimited", agentId: A, resetsAtMs: NOW + 5 * HOUR },
    { kind: "agentResumeScheduled", agentId: A, fireAtMs: NOW + 5 * HOUR + 3_000 },
  ]);
  const redrawn = noteLimit(first.limits, notice({ resetsAtMs: NOW + 5 * HOUR + 1 }), { nowMs: NOW + 9, random: 0.5 });
  assert.deepEqual([redrawn.events, redrawn.limits], [[], first.limits]);
});

Deno.test("limits: what tells more changes the plan: an end after none, the program after the screen", () => {
  const unknown = limited({ resetsAtMs: undefined });
  assert.equal(unknown.get(A)?.plan.kind, "askPerson");
  const known = noteLimit(unknown, notice(), { nowMs: NOW, random: 0 });
  assert.equal(known.limits.get(A)?.plan.kind, "scheduled");
  const exact = noteLimit(known.limits, notice({ source: "structured", resetsAtMs: NOW + HOUR }), {
    nowMs: NOW,
    random: 0,
  });
  assert.equal(exact.limits.get(A)?.resetsAtMs, NOW + HOUR);
});

Deno.test("limits: a suspicion is published as one and asks the person; their answer plans the resume", () => {
  const step = noteLimit(NO_LIMITS, notice({ source: "suspected", resetsAtMs: undefined }), { nowMs: NOW, random: 0 });
  assert.deepEqual(step.events, [{ kind: "agentRateLimitSuspected", agentId: A }]);
  const told = setResetTime(step.limits, A, NOW + HOUR, { nowMs: NOW, random: 0 });
  assert.deepEqual(told.events, [
    { kind: "agentRateLimited", agentId: A, resetsAtMs: NOW + HOUR },
    { kind: "agentResumeScheduled", agentId: A, fireAtMs: NOW + HOUR + 3_000 },
  ]);
  const overruled = noteLimit(told.limits, notice({ source: "structured" }), { nowMs: NOW, random: 0 });
  assert.equal(overruled.limits.get(A)?.resetsAtMs, NOW + HOUR);
});

Deno.test("limits: cancelled stays cancelled until a person says otherwise or the agent works", () => {
  const cancelled = cancelResume(limited(), A);
  assert.deepEqual(cancelled.events, [{ kind: "agentResumeCancelled", agentId: A }]);
  assert.deepEqual(cancelResume(cancelled.limits, A).events, []);
  const again = noteLimit(cancelled.limits, notice({ source: "structured", resetsAtMs: NOW + HOUR }), {
    nowMs: NOW,
    random: 0,
  });
  assert.equal(again.limits.get(A)?.plan.kind, "cancelled");
  assert.deepEqual(fireDue(again.limits, NOW + 99 * HOUR).due, []);
  assert.equal(
    setResetTime(again.limits, A, NOW + HOUR, { nowMs: NOW, random: 0 }).limits.get(A)?.plan.kind,
    "scheduled",
  );
  assert.equal(liftLimit(cancelled.limits, A, NOW).limits.size, 0);
});

Deno.test("limits: a person tells of one that nothing saw, corrects the time without it being a new one, and ends it", () => {
  const inputs = { nowMs: NOW, random: 0 };
  const told = setResetTime(NO_LIMITS, A, NOW + HOUR, inputs);
  assert.deepEqual(told.events.map(({ kind }) => kind), ["agentRateLimited", "agentResumeScheduled"]);
  const corrected = setResetTime(told.limits, A, NOW + 2 * HOUR, inputs);
  assert.deepEqual(corrected.events.map(({ kind }) => kind), ["agentResumeScheduled"]);
  const ended = endLimit(corrected.limits, A, NOW);
  assert.deepEqual([ended.limits.get(A)?.plan, ended.events], [
    { kind: "fired", atMs: NOW },
    [{ kind: "agentResumed", agentId: A }],
  ]);
  assert.deepEqual(endLimit(ended.limits, A, NOW), { limits: ended.limits, events: [] });
  // Met again at once, it is the same limit, and the next try waits.
  const again = noteLimit(ended.limits, notice({ resetsAtMs: NOW }), inputs).limits.get(A);
  assert.deepEqual([again?.failedResumes, again?.plan], [1, { kind: "scheduled", fireAtMs: NOW + 63_000 }]);
});

Deno.test("limits: a suspicion that a person denies leaves nothing behind", () => {
  const suspected = noteLimit(NO_LIMITS, notice({ source: "suspected", resetsAtMs: undefined }), {
    nowMs: NOW,
    random: 0,
  });
  const ended = endLimit(suspected.limits, A, NOW);
  assert.deepEqual([ended.limits.size, ended.events], [0, [{ kind: "agentResumed", agentId: A }]]);
});

Deno.test("limits: a plan fires once, when it is due; meeting the limit again waits longer each time", () => {
  let limits = limited({ resetsAtMs: NOW + 1_000 });
  assert.deepEqual(fireDue(limits, NOW + 1_000).due, []);
  let nowMs = NOW;
  const waits: number[] = [];
  for (let round = 0; round < 8; round++) {
    nowMs = nextFireAtMs(limits) ?? Number.NaN;
    const fired = fireDue(limits, nowMs);
    assert.deepEqual(fired.due, [A]);
    assert.deepEqual(fireDue(fired.limits, nowMs).due, []);
    // Looks busy for a moment, until the provider refuses again.
    const working = liftLimit(fired.limits, A, nowMs + 500);
    const refused = noteLimit(working.limits, notice({ resetsAtMs: NOW + 1_000 }), { nowMs: nowMs + 900, random: 0 });
    limits = refused.limits;
    waits.push(Math.round(((nextFireAtMs(limits) ?? 0) - nowMs) / 60_000));
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
});

Deno.test("limits: a resume that held is forgotten, and one the program did by itself is published", () => {
  const fired = fireDue(limited({ resetsAtMs: NOW }), NOW + 60_000);
  assert.deepEqual(fired.events, [{ kind: "agentResumed", agentId: A }]);
  const held = liftLimit(fired.limits, A, NOW + 10 * 60_000);
  assert.deepEqual([held.limits.size, held.events], [0, []]);
  assert.deepEqual(liftLimit(limited(), A, NOW).events, [{ kind: "agentResumed", agentId: A }]);
});

Deno.test("limits: plans survive a restart; those that were missed are spread anew, a resume under way is forgotten", () => {
  const other = noteLimit(limited(), notice({ agentId: B, resetsAtMs: NOW + HOUR }), { nowMs: NOW, random: 0 }).limits;
  const text = formatLimits({ ...EMPTY_LIMITS_DOCUMENT, limits: other });
  const read = parseLimits(text);
  assert.ok(read.ok);
  assert.deepEqual(read.value.limits, other);
  const later = NOW + 2 * HOUR;
  const planned = planAfterRestart(read.value.limits, later, () => 0.5);
  assert.deepEqual(planned.get(A), other.get(A));
  assert.deepEqual(planned.get(B)?.plan, { kind: "scheduled", fireAtMs: later + 3_000 + 5_000 });
  assert.equal(planAfterRestart(fireDue(other, later).limits, later, () => 0).has(B), false);
});

Deno.test("limits: twenty agents with one reset wake over more than a minute, never before it", () => {
  const random = createRandom(7);
  const resetsAtMs = NOW + 5 * HOUR;
  const times = Array.from({ length: 20 }, () => {
    const plan = planResume({ resetsAtMs, failedResumes: 0 }, { nowMs: NOW, random: random.next() });
    return plan.kind === "scheduled" ? plan.fireAtMs - resetsAtMs : Number.NaN;
  });
  assert.ok(Math.min(...times) > 0);
  assert.ok(Math.max(...times) - Math.min(...times) > 60_000);
});

Deno.test("limits document: keeps what it does not know, refuses what is newer, names what is corrupt", () => {
  const text = '{"note":"by hand","version":1,"limits":[]}';
  const read = parseLimits(text);
  assert.ok(read.ok);
  const written = formatLimits(read.value);
  assert.deepEqual(JSON.parse(written), JSON.parse(text));
  const again = parseLimits(written);
  assert.ok(again.ok);
  assert.equal(formatLimits(again.value), written, "a stable order");
  assert.deepEqual(parseLimits('{"version":2,"limits":{}}'), {
    ok: false,
    error: { kind: "newerVersion", version: 2 },
  });
  for (const bad of ["", "{", "null", "[]", '{"version":1}', '{"version":1,"limits":[{"agentId":"../x"}]}']) {
    const parsed = parseLimits(bad);
    assert.ok(!parsed.ok && parsed.error.kind === "corrupt", bad);
  }
});

function patternOf(name: string): string {
  const pattern = referenceProfiles.find((profile) => profile.name === name)?.rateLimit?.pattern;
  assert.ok(pattern !== undefined);
  return pattern;
}

function detect(name: string, ...rows: string[]) {
  const found = detectLimit(patternOf(name), rows, MOMENT);
  if (found === undefined) return undefined;
  return found.resetsAtMs === undefined ? "no time" : new Date(found.resetsAtMs).toISOString();
}

Deno.test("limits: the notices of the CLIs, as their screens show them", () => {
  assert.equal(
    detect("Claude Code", "❯ go on", "  ⎿  You've hit your session limit · resets 1:40pm (UTC)", "❯ "),
    "2026-11-30T13:40:00.000Z",
  );
  assert.equal(
    detect("Claude Code", "You've hit your weekly limit · resets Dec 2, 4:02pm (UTC)"),
    "2026-12-02T16:02:00.000Z",
  );
  assert.equal(
    detect(
      "Codex",
      "■ You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro),",
      "visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again",
      "at 2:05 PM.",
    ),
    "2026-11-30T13:05:00.000Z",
  );
  assert.equal(
    detect("Codex", "You've hit your usage limit. Try again later or try again at Dec 2nd, 2026 8:09 PM."),
    "2026-12-02T19:09:00.000Z",
  );
  assert.equal(
    detect(
      "Gemini CLI",
      "│ Usage limit reached for gemini-3-pro.                │",
      "│ Access resets at 3:00 PM PST.       │",
    ),
    "2026-11-30T23:00:00.000Z",
  );
  assert.equal(detect("Gemini CLI", "Usage limit reached for gemini-3-pro."), "no time");
  const wait = "Rate limit reached for gpt-fake on tokens per min (TPM). Please tr… [retrying in 1h 29m attemp";
  assert.equal(detect("opencode", wait), "2026-11-30T13:29:00.000Z");
  assert.equal(detect("opencode", "Rate limit exceeded [retrying in 2s attempt #1]"), undefined);
  assert.equal(detect("Claude Code", "all is well"), undefined);
});

Deno.test("limits: the last notice counts, and the group named reset before the first", () => {
  const rows = ["limit, resets 1pm (UTC)", "limit, resets 3pm (UTC)"];
  const detected = detectLimit("(limit), resets (?<reset>.+)$", rows, MOMENT);
  assert.deepEqual(detected, { detail: "limit, resets 3pm (UTC)", resetsAtMs: Date.parse("2026-11-30T15:00:00Z") });
  assert.equal(detectLimit("(", rows, MOMENT), undefined);
});

Deno.test("limits: a notice that is framed and wrapped is read as one line", () => {
  const rows = ["│ limit, resets 3:40am  │", "│ (America/New_York)    │"];
  assert.equal(detectLimit("resets (.+\\))", rows, MOMENT)?.resetsAtMs, Date.parse("2026-12-01T08:40:00Z"));
});

Deno.test("limits: an agent that works and is silent for long is suspected, no other", () => {
  const agent = { state: "working", sinceMs: 0, lastOutputMs: 1_000 };
  assert.equal(isStalled(agent, STALL_MS + 999), false);
  assert.equal(isStalled(agent, STALL_MS + 1_000), true);
  assert.equal(isStalled({ ...agent, state: "blocked" }, STALL_MS * 9), false);
});
