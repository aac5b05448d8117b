/**
 * Usage limits of agents: seen, planned for, survived. The rules are core/limits; here are the timer, the file, and what
 * the mediator and the session are told.
 *
 * What must stay true: the mediator hears of a limit before it hears that the turn ended, or it would take the cut turn
 * for one without an answer; the plan is on disk, so it survives a restart.
 */
import type { Events, IdeaEvent } from "../events.ts";
import { type AgentId, createId, type ProjectId } from "../ids.ts";
import { detectLimit, isStalled } from "../limits/detect.ts";
import {
  cancelResume,
  fireDue,
  liftLimit,
  type LimitNotice,
  type Limits as SessionLimits,
  type LimitsStep,
  nextFireAtMs,
  noteLimit,
  planAfterRestart,
  type PlanInputs,
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
      for (const agentId of fired.due) resume(watched.runtime, agentId);
    }
    plan();
  }

  /** What a limit cut goes on: its ticket is at the head of the queue and is offered again by the mediator. */
  function resume(runtime: ProjectRuntime, agentId: AgentId): void {
    const session = runtime.live.get(agentId);
    const goOn = () => {
      runtime.live.get(agentId)?.agent.noteLimit("lifted", "the limit is over");
      void runtime.runner.submit({ kind: "agentUnlimited", agentId });
    };
    if (session?.agent.profile.rateLimit?.dialog === undefined) return goOn();
    void session.typing.leaveLimitDialog().finally(goOn);
  }

  function note(session: LiveSession, notice: Omit<LimitNotice, "agentId">): void {
    const watched = projects.get(session.projectId);
    if (watched === undefined) return;
    const { agentId } = session.agent;
    const { runner } = watched.runtime;
    const step = noteLimit(watched.document.limits, { ...notice, agentId }, inputs());
    if (step.events.length > 0 && notice.source !== "suspected") {
      const cut = slotOf(runner.state(), agentId).turn.kind;
      void runner.submit({
        kind: "agentLimited",
        agentId,
        ...(notice.resetsAtMs === undefined ? {} : { resetsAtMs: notice.resetsAtMs }),
      });
      if (cut === "person" || cut === "unknown") goOnLater(watched.runtime, agentId);
      session.agent.noteLimit("limited", notice.detail);
    }
    apply(watched, step);
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
    for (const { runtime } of projects.values()) {
      for (const session of runtime.live.values()) {
        const { state, sinceMs } = session.agent.status();
        const lastOutputMs = session.agent.lastOutputAtMs();
        if (!isStalled({ state, sinceMs, lastOutputMs }, clock.nowMs())) continue;
        note(session, { resetsAtMs: undefined, source: "suspected", detail: "no output for a long time" });
      }
    }
  }

  function change(
    projectId: ProjectId,
    agentId: AgentId,
    step: (limits: SessionLimits) => LimitsStep,
  ): Result<void, LimitError> {
    const watched = projects.get(projectId);
    if (watched === undefined) return err({ kind: "projectNotOpen", projectId });
    if (!watched.document.limits.has(agentId)) return err({ kind: "noLimit", agentId });
    const stepped = step(watched.document.limits);
    if (stepped.limits === watched.document.limits) return err({ kind: "noLimit", agentId });
    apply(watched, stepped);
    return ok();
  }

  /** What was only suspected holds the queue from now on, and who looks at the agent sees until when. */
  function tellResetTime({ runtime }: Watched, agentId: AgentId, resetsAtMs: number): void {
    void runtime.runner.submit({ kind: "agentLimited", agentId, resetsAtMs });
    runtime.live.get(agentId)?.agent.noteLimit("limited", "a person said until when");
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
    cancelResume: (projectId, agentId) => change(projectId, agentId, (limits) => cancelResume(limits, agentId)),
    setResetTime(projectId, agentId, resetsAtMs) {
      const changed = change(projectId, agentId, (limits) => setResetTime(limits, agentId, resetsAtMs, inputs()));
      const watched = projects.get(projectId);
      if (changed.ok && watched !== undefined) tellResetTime(watched, agentId, resetsAtMs);
      return changed;
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      stallTimer?.[Symbol.dispose]();
      stallTimer = undefined;
      projects.clear();
    },
  };
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
