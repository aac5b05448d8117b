/**
 * The session limits of a project's agents and what is planned for their end. Pure: each function gives the limits after
 * it and what is to be published; the app keeps the timers and the file.
 *
 * What must stay true: an agent has at most one limit; a limit whose end is known has a plan unless a person cancelled
 * it; a plan never fires before the end of the limit; without a known end nothing fires, and the person is asked.
 */
import type { AgentId } from "../ids.ts";

export interface SessionLimit {
  readonly agentId: AgentId;
  readonly sinceMs: number;
  readonly resetsAtMs: number | undefined;
  readonly source: "structured" | "screen" | "suspected" | "person";
  /** What the CLI wrote. */
  readonly detail: string;
  readonly plan: ResumePlan;
  /** Resumes that met the same limit again: each waits longer. */
  readonly failedResumes: number;
}

export type ResumePlan =
  | { readonly kind: "scheduled"; readonly fireAtMs: number }
  | { readonly kind: "cancelled" }
  /** The end is not known: only a person can tell it. */
  | { readonly kind: "askPerson" }
  /** It was resumed; kept until that is proven, to know the same limit when it is met again. */
  | { readonly kind: "fired"; readonly atMs: number };

export type Limits = ReadonlyMap<AgentId, SessionLimit>;

export const NO_LIMITS: Limits = new Map();

/** Becomes the event of the same kind, with the project's id. */
export type LimitEvent =
  | {
    readonly kind: "agentRateLimited" | "agentRateLimitSuspected";
    readonly agentId: AgentId;
    readonly resetsAtMs?: number;
  }
  | { readonly kind: "agentResumeScheduled"; readonly agentId: AgentId; readonly fireAtMs: number }
  | { readonly kind: "agentResumeCancelled" | "agentResumed"; readonly agentId: AgentId };

export interface LimitsStep {
  readonly limits: Limits;
  readonly events: readonly LimitEvent[];
}

export interface PlanInputs {
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/** Providers round their times; a resume a little early would only meet the limit again. */
const MARGIN_MS = 3_000;
/** A tenth of the wait, within these: ten agents with one reset do not wake at once, a short wait stays short. */
const MIN_JITTER_MS = 10_000;
const MAX_JITTER_MS = 90_000;
const FIRST_BACKOFF_MS = 60_000;
const MAX_BACKOFF_MS = 3_600_000;
/** A resume after which the agent worked for this long was not too early. */
const PROVEN_MS = 60_000;
/** Two notices that differ by less tell of the same limit. */
const SAME_RESET_MS = 90_000;

export function planResume(
  limit: { readonly resetsAtMs: number | undefined; readonly failedResumes: number },
  { nowMs, random }: PlanInputs,
): ResumePlan {
  const { resetsAtMs, failedResumes } = limit;
  if (resetsAtMs === undefined) return { kind: "askPerson" };
  const waitMs = Math.max(0, resetsAtMs - nowMs);
  const jitterMs = random * Math.min(MAX_JITTER_MS, Math.max(MIN_JITTER_MS, waitMs / 10));
  const backoffMs = failedResumes === 0 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failedResumes - 1));
  return { kind: "scheduled", fireAtMs: Math.round(nowMs + Math.max(waitMs, backoffMs) + MARGIN_MS + jitterMs) };
}

export interface LimitNotice {
  readonly agentId: AgentId;
  readonly resetsAtMs: number | undefined;
  readonly source: "structured" | "screen" | "suspected";
  readonly detail: string;
}

/** A notice of a limit that is already known (a redrawn screen, a second source) changes nothing it does not know better. */
export function noteLimit(limits: Limits, notice: LimitNotice, inputs: PlanInputs): LimitsStep {
  const known = limits.get(notice.agentId);
  const again = known?.plan.kind === "fired";
  if (known !== undefined && !again && !tellsMore(notice, known)) return { limits, events: [] };
  const failedResumes = again ? known.failedResumes + 1 : known?.failedResumes ?? 0;
  const limit = { ...notice, sinceMs: known?.sinceMs ?? inputs.nowMs, failedResumes };
  // What a person cancelled stays cancelled, however much is learned of that limit.
  const plan = known?.plan.kind === "cancelled" ? known.plan : planResume(limit, inputs);
  const kind = notice.source === "suspected" ? "agentRateLimitSuspected" : "agentRateLimited";
  return {
    limits: withLimit(limits, { ...limit, plan }),
    events: [
      { kind, agentId: notice.agentId, ...(notice.resetsAtMs === undefined ? {} : { resetsAtMs: notice.resetsAtMs }) },
      ...scheduled(notice.agentId, plan),
    ],
  };
}

function tellsMore(notice: LimitNotice, known: SessionLimit): boolean {
  if (notice.source !== "suspected" && known.source === "suspected") return true;
  if (notice.resetsAtMs === undefined || known.source === "person") return false;
  if (known.resetsAtMs === undefined) return true;
  return notice.source === "structured" && Math.abs(notice.resetsAtMs - known.resetsAtMs) > SAME_RESET_MS;
}

/** A person says when it is over, also of a limit that nothing else told of; brings back a cancelled plan. */
export function setResetTime(limits: Limits, agentId: AgentId, resetsAtMs: number, inputs: PlanInputs): LimitsStep {
  const known = limits.get(agentId);
  const base = known ?? { agentId, sinceMs: inputs.nowMs, detail: "", failedResumes: 0 };
  const plan = planResume({ resetsAtMs, failedResumes: base.failedResumes }, inputs);
  const news: readonly LimitEvent[] = holds(known) ? [] : [{ kind: "agentRateLimited", agentId, resetsAtMs }];
  return {
    limits: withLimit(limits, { ...base, resetsAtMs, source: "person", plan }),
    events: [...news, ...scheduled(agentId, plan)],
  };
}

/** Whether it holds the agent's queue: a suspicion does not, nor one whose resume is under way. */
export function holds(limit: SessionLimit | undefined): limit is SessionLimit {
  return limit !== undefined && limit.source !== "suspected" && limit.plan.kind !== "fired";
}

/** A person says that there is none (any more). A limit is kept as one that was resumed, to be known when it is met. */
export function endLimit(limits: Limits, agentId: AgentId, nowMs: number): LimitsStep {
  const known = limits.get(agentId);
  if (known === undefined || known.plan.kind === "fired") return { limits, events: [] };
  const after = new Map(limits);
  if (known.source === "suspected") after.delete(agentId);
  else after.set(agentId, { ...known, plan: { kind: "fired", atMs: nowMs } });
  return { limits: after, events: [{ kind: "agentResumed", agentId }] };
}

export function cancelResume(limits: Limits, agentId: AgentId): LimitsStep {
  const known = limits.get(agentId);
  if (known?.plan.kind !== "scheduled") return { limits, events: [] };
  return {
    limits: withLimit(limits, { ...known, plan: { kind: "cancelled" } }),
    events: [{ kind: "agentResumeCancelled", agentId }],
  };
}

/** The plans whose time has come; the app lets those agents go on. */
export function fireDue(limits: Limits, nowMs: number): LimitsStep & { readonly due: readonly AgentId[] } {
  const due = [...limits.values()].flatMap(({ agentId, plan }) =>
    plan.kind === "scheduled" && plan.fireAtMs <= nowMs ? [agentId] : []
  );
  const after = new Map(limits);
  for (const agentId of due) {
    const limit = limits.get(agentId);
    if (limit !== undefined) after.set(agentId, { ...limit, plan: { kind: "fired", atMs: nowMs } });
  }
  return { limits: after, events: due.map((agentId) => ({ kind: "agentResumed", agentId })), due };
}

/**
 * The agent works, or a turn of it ended well: its limit is over. Right after a resume that is not sure yet, since every
 * CLI looks busy until the provider refuses it again.
 */
export function liftLimit(limits: Limits, agentId: AgentId, nowMs: number): LimitsStep {
  const known = limits.get(agentId);
  if (known === undefined) return { limits, events: [] };
  const { plan } = known;
  if (plan.kind === "fired" && nowMs - plan.atMs < PROVEN_MS) return { limits, events: [] };
  const after = new Map(limits);
  after.delete(agentId);
  return { limits: after, events: plan.kind === "fired" ? [] : [{ kind: "agentResumed", agentId }] };
}

/**
 * Plans that were due while IdeA was down are spread anew, or all of them would fire at once. A resume that was under way
 * is forgotten: what it resumed is offered again by the queue itself.
 */
export function planAfterRestart(limits: Limits, nowMs: number, random: () => number): Limits {
  const kept = [...limits.values()].filter(({ plan }) => plan.kind !== "fired");
  return new Map(
    kept.map((limit) => {
      const missed = limit.plan.kind === "scheduled" && limit.plan.fireAtMs <= nowMs;
      return [limit.agentId, missed ? { ...limit, plan: planResume(limit, { nowMs, random: random() }) } : limit];
    }),
  );
}

/** When the app has to look again. */
export function nextFireAtMs(limits: Limits): number | undefined {
  const times = [...limits.values()].flatMap(({ plan }) => plan.kind === "scheduled" ? [plan.fireAtMs] : []);
  return times.length === 0 ? undefined : Math.min(...times);
}

function withLimit(limits: Limits, limit: SessionLimit): Limits {
  return new Map(limits).set(limit.agentId, limit);
}

function scheduled(agentId: AgentId, plan: ResumePlan): readonly LimitEvent[] {
  return plan.kind === "scheduled" ? [{ kind: "agentResumeScheduled", agentId, fireAtMs: plan.fireAtMs }] : [];
}
