/**
 * Usage limits of agents: seen, planned for, survived. The rules are core/limits; here are the timer, the file, and what
 * the mediator and the session are told.
 *
 * What must stay true: the mediator hears of a limit before it hears that the turn ended, or it would take the cut turn
 * for one without an answer; the plan is on disk, so it survives a restart.
 */
import { findAgent } from "../agents/manifest.ts";
import type { Events, IdeaEvent } from "../events.ts";
import { type AgentId, createId, type ProjectId } from "../ids.ts";
import { detectLimit, isStalled } from "../limits/detect.ts";
import {
  cancelResume,
  endLimit,
  fireDue,
  holds,
  liftLimit,
  type LimitNotice,
  type Limits as SessionLimits,
  type LimitsStep,
  nextFireAtMs,
  noteLimit,
  planAfterRestart,
  type PlanInputs,
  type SessionLimit,
  setResetTime,
} from "../limits/limits.ts";
import { EMPTY_LIMITS_DOCUMENT, formatLimits, type LimitsDocument, parseLimits } from "../limits/limits_document.ts";
import type { Moment } from "../limits/reset_time.ts";
import { slotOf } from "../orchestration/mediator_state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { TerminalText } from "../ports/terminal_state.ts";
import { err, ok, type Result } from "../result.ts";
import type { LimitError, Limits } from "./app.ts";
import type { LiveSession, ProjectRuntime, Runtimes } from "./project_runtime.ts";

const LIMITS_PATH = "state/limits.json";
const STALL_CHECK_MS = 60_000;
/** A setTimeout further away than 24 days fires at once; and clocks are set while a machine sleeps. */
const MAX_SLEEP_MS = 15 * 60_000;

export interface LimitReport {
  readonly detail: string;
  readonly resetsAtMs?: number;
  /** The CLI itself called it a limit; else it is text in which one may be found. */
  readonly certain: boolean;
}

export interface LimitWatch extends Limits, Disposable {
  /** Reads the plans of a project that opens. */
  open(runtime: ProjectRuntime): Promise<void>;
  /** Resolves when its plans are on disk. */
  close(projectId: ProjectId): Promise<void>;
  onReport(session: LiveSession, report: LimitReport): void;
  onScreen(session: LiveSession, text: TerminalText): void;
  onWorking(session: LiveSession): void;
  /** A session that starts while its agent's limit lasts. */
  onLaunched(session: LiveSession): void;
  /** As it is now; one whose resume is under way holds nothing any more. */
  limitOf(projectId: ProjectId, agentId: AgentId): SessionLimit | undefined;
  /** The agent has another program, or is gone. */
  forget(projectId: ProjectId, agentId: AgentId): void;
}

export interface LimitPorts {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly events: Events;
  readonly runtimes: Runtimes;
  /** IANA name, for wall clocks that name none. */
  readonly localZone: string;
  readonly onDefect: (error: unknown) => void;
}

interface Watched {
  readonly runtime: ProjectRuntime;
  document: LimitsDocument;
  saving: Promise<void>;
}

export function createLimitWatch(ports: LimitPorts): LimitWatch {
  const { clock, entropy, events } = ports;
  const projects = new Map<ProjectId, Watched>();
  /** Notices stay on the screen after their limit is over: each counts once in a session. */
  const seen = new WeakMap<LiveSession, Set<string>>();
  /** Silences of which a person said that they are no limit, by when they began. */
  const excused = new WeakMap<LiveSession, number>();
  let timer: Disposable | undefined;
  let stallTimer: Disposable | undefined = clock.startTimer(STALL_CHECK_MS, checkStalls);

  const inputs = (): PlanInputs => ({ nowMs: clock.nowMs(), random: entropy.random() });
  const moment = (): Moment => ({ nowMs: clock.nowMs(), localZone: ports.localZone });

  function apply(watched: Watched, step: LimitsStep): void {
    if (step.limits !== watched.document.limits) save(watched, step.limits);
    const { projectId } = watched.runtime;
    for (const event of step.events) events.publish(withProject(projectId, event));
    plan();
  }

  function save(watched: Watched, limits: SessionLimits): void {
    watched.document = { ...watched.document, limits };
    const text = formatLimits(watched.document);
    watched.saving = watched.saving.then(async () => {
      const written = await watched.runtime.project.folder.writeText(LIMITS_PATH, text);
      if (!written.ok) ports.onDefect(written.error);
    });
  }

  function plan(): void {
    timer?.[Symbol.dispose]();
    const times = [...projects.values()].flatMap(({ document }) => nextFireAtMs(document.limits) ?? []);
    if (times.length === 0) return;
    const delayMs = Math.max(0, Math.min(...times) - clock.nowMs());
    timer = clock.startTimer(Math.min(delayMs, MAX_SLEEP_MS), fire);
  }

  function fire(): void {
    for (const watched of projects.values()) {
      const fired = fireDue(watched.document.limits, clock.nowMs());
      if (fired.due.length > 0) apply(watched, fired);
      for (const agentId of fired.due) void resume(watched.runtime, agentId);
    }
    plan();
  }

  /** What a limit cut goes on: its ticket is at the head of the queue and is offered again by the mediator. */
  async function resume(runtime: ProjectRuntime, agentId: AgentId): Promise<void> {
    const session = runtime.live.get(agentId);
    if (session?.agent.profile.rateLimit?.dialog !== undefined) {
      await session.typing.leaveLimitDialog().catch(ports.onDefect);
    }
    runtime.live.get(agentId)?.agent.noteLimit("lifted", "the limit is over");
    await runtime.runner.submit({ kind: "agentUnlimited", agentId });
  }

  function note(session: LiveSession, notice: Omit<LimitNotice, "agentId">): void {
    const watched = projects.get(session.projectId);
    if (watched === undefined) return;
    const { agentId } = session.agent;
    const step = noteLimit(watched.document.limits, { ...notice, agentId }, inputs());
    if (step.events.length > 0 && notice.source !== "suspected") {
      void hold(watched.runtime, agentId, notice.resetsAtMs);
      session.agent.noteLimit("limited", notice.detail);
    }
    apply(watched, step);
  }

  async function hold(runtime: ProjectRuntime, agentId: AgentId, resetsAtMs: number | undefined): Promise<void> {
    const cut = slotOf(runtime.runner.state(), agentId).turn.kind;
    const held = runtime.runner.submit({
      kind: "agentLimited",
      agentId,
      ...(resetsAtMs === undefined ? {} : { resetsAtMs }),
    });
    if (cut === "person" || cut === "unknown") goOnLater(runtime, agentId);
    await held;
  }

  /** A turn that a person began has no ticket to be offered again: one that says "go on" is put before all others. */
  function goOnLater(runtime: ProjectRuntime, agentId: AgentId): void {
    void runtime.runner.submit({
      kind: "enqueue",
      ticketId: createId("ticket", entropy.newId()),
      from: { kind: "human" },
      to: agentId,
      ticketKind: "message",
      task: "[IdeA · the session limit is over] Go on with what you were doing.",
      wait: false,
      first: true,
    });
  }

  function isFresh(session: LiveSession, detail: string): boolean {
    const known = seen.get(session) ?? new Set();
    seen.set(session, known);
    if (known.has(detail)) return false;
    known.add(detail);
    return true;
  }

  function checkStalls(): void {
    stallTimer = clock.startTimer(STALL_CHECK_MS, checkStalls);
    for (const watched of projects.values()) {
      for (const session of watched.runtime.live.values()) checkStall(watched, session);
    }
  }

  function checkStall(watched: Watched, session: LiveSession): void {
    const { state, sinceMs } = session.agent.status();
    const { agentId } = session.agent;
    const { limits } = watched.document;
    if (isStalled({ state, sinceMs, lastOutputMs: session.agent.lastOutputAtMs() }, clock.nowMs())) {
      if (excused.get(session) === silentSinceMs(session)) return;
      note(session, { resetsAtMs: undefined, source: "suspected", detail: "no output for a long time" });
    } else if (limits.get(agentId)?.source === "suspected") apply(watched, endLimit(limits, agentId, clock.nowMs()));
  }

  function find(projectId: ProjectId, agentId: AgentId): Result<Watched, LimitError> {
    const watched = projects.get(projectId);
    if (watched === undefined) return err({ kind: "projectNotOpen", projectId });
    const entry = findAgent(watched.runtime.project.manifest(), agentId);
    return entry === undefined ? err({ kind: "agentNotFound", agentId }) : ok(watched);
  }

  async function cancel(watched: Watched, agentId: AgentId): Promise<Result<void, LimitError>> {
    const { limits } = watched.document;
    if (!limits.has(agentId)) return err({ kind: "noLimit", agentId });
    const step = cancelResume(limits, agentId);
    if (step.limits === limits) return err({ kind: "noResumePlanned", agentId });
    apply(watched, step);
    await watched.saving;
    return ok();
  }

  async function limitByPerson(watched: Watched, agentId: AgentId, resetsAtMs: number): Promise<void> {
    const { runtime, document: { limits } } = watched;
    const held = holds(limits.get(agentId));
    // Of one that is held already only the time is news: no turn of it is cut.
    const told = held
      ? runtime.runner.submit({ kind: "agentLimited", agentId, resetsAtMs })
      : hold(runtime, agentId, resetsAtMs);
    runtime.live.get(agentId)?.agent.noteLimit("limited", "a person said until when");
    apply(watched, setResetTime(limits, agentId, resetsAtMs, inputs()));
    await told;
    await watched.saving;
  }

  async function lift(watched: Watched, agentId: AgentId): Promise<Result<void, LimitError>> {
    const { runtime, document: { limits } } = watched;
    const before = limits.get(agentId);
    const step = endLimit(limits, agentId, clock.nowMs());
    if (step.limits === limits) return err({ kind: "noLimit", agentId });
    apply(watched, step);
    const session = runtime.live.get(agentId);
    if (holds(before)) await resume(runtime, agentId);
    else if (session !== undefined) excused.set(session, silentSinceMs(session));
    await watched.saving;
    return ok();
  }

  return {
    async open(runtime) {
      const watched: Watched = { runtime, document: await readLimits(runtime, ports), saving: Promise.resolve() };
      projects.set(runtime.projectId, watched);
      const kept = planAfterRestart(watched.document.limits, clock.nowMs(), () => entropy.random());
      for (const { agentId, resetsAtMs, source } of kept.values()) {
        if (source === "suspected") continue;
        await runtime.runner.submit({
          kind: "agentLimited",
          agentId,
          ...(resetsAtMs === undefined ? {} : { resetsAtMs }),
        });
      }
      if (kept.size > 0) apply(watched, { limits: kept, events: [] });
    },
    async close(projectId) {
      const watched = projects.get(projectId);
      projects.delete(projectId);
      plan();
      await watched?.saving;
    },
    onReport(session, report) {
      const pattern = session.agent.profile.rateLimit?.pattern;
      const found = pattern === undefined ? undefined : detectLimit(pattern, [report.detail], moment());
      if (!report.certain && found === undefined) return;
      isFresh(session, found?.detail ?? report.detail);
      const resetsAtMs = report.resetsAtMs ?? found?.resetsAtMs;
      note(session, { resetsAtMs, source: "structured", detail: found?.detail ?? report.detail });
    },
    onScreen(session, text) {
      const pattern = session.agent.profile.rateLimit?.pattern;
      const found = pattern === undefined ? undefined : detectLimit(pattern, text.screen, moment());
      if (found === undefined || !isFresh(session, found.detail)) return;
      note(session, { resetsAtMs: found.resetsAtMs, source: "screen", detail: found.detail });
    },
    onWorking(session) {
      const watched = projects.get(session.projectId);
      if (watched === undefined || !watched.document.limits.has(session.agent.agentId)) return;
      apply(watched, liftLimit(watched.document.limits, session.agent.agentId, clock.nowMs()));
    },
    onLaunched(session) {
      const limit = projects.get(session.projectId)?.document.limits.get(session.agent.agentId);
      if (limit === undefined || limit.source === "suspected" || limit.plan.kind === "fired") return;
      session.agent.noteLimit("limited", limit.detail);
    },
    forget(projectId, agentId) {
      const watched = projects.get(projectId);
      if (watched === undefined || !watched.document.limits.has(agentId)) return;
      const limits = new Map(watched.document.limits);
      limits.delete(agentId);
      apply(watched, { limits, events: [{ kind: "agentResumeCancelled", agentId }] });
      void watched.runtime.runner.submit({ kind: "agentUnlimited", agentId });
    },
    limitOf(projectId, agentId) {
      const limit = projects.get(projectId)?.document.limits.get(agentId);
      return limit?.plan.kind === "fired" ? undefined : limit;
    },
    async cancelResume(projectId, agentId) {
      const found = find(projectId, agentId);
      return found.ok ? await cancel(found.value, agentId) : found;
    },
    async setResetTime(projectId, agentId, resetsAtMs) {
      const found = find(projectId, agentId);
      if (!found.ok) return found;
      await limitByPerson(found.value, agentId, resetsAtMs);
      return ok();
    },
    async lift(projectId, agentId) {
      const found = find(projectId, agentId);
      return found.ok ? await lift(found.value, agentId) : found;
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      stallTimer?.[Symbol.dispose]();
      stallTimer = undefined;
      projects.clear();
    },
  };
}

/** Since when it neither says nor does anything new. */
function silentSinceMs({ agent }: LiveSession): number {
  return Math.max(agent.status().sinceMs, agent.lastOutputAtMs());
}

function withProject(projectId: ProjectId, event: LimitsStep["events"][number]): IdeaEvent {
  return { ...event, projectId };
}

async function readLimits({ project }: ProjectRuntime, ports: LimitPorts): Promise<LimitsDocument> {
  const file = await project.folder.readText(LIMITS_PATH);
  if (!file.ok || file.value === undefined) return EMPTY_LIMITS_DOCUMENT;
  const parsed = parseLimits(file.value.text);
  if (parsed.ok) return parsed.value;
  // Plans that cannot be read are lost, the file is not; the limits themselves show again on the screens.
  ports.onDefect(parsed.error);
  await project.folder.setAside(LIMITS_PATH);
  return EMPTY_LIMITS_DOCUMENT;
}
