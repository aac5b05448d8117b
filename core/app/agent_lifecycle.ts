/**
 * The one place that starts and ends the sessions of agents.
 *
 * What must stay true: an agent has at most one live session, also while two callers launch it at once; whatever way a
 * session ends, the mediator hears of it, its secret is revoked and its signals are cut; a session that replaced another
 * never hears what was meant for that one.
 */
import type { AgentEntry } from "../agents/manifest.ts";
import type { Events } from "../events.ts";
import type { AgentId, CellId, ProfileId, ProjectId } from "../ids.ts";
import { slotOf, ticketInWork } from "../orchestration/mediator_state.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Clock } from "../ports/clock.ts";
import type { PtyExit, PtySize } from "../ports/pty.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { err, ok, type Result } from "../result.ts";
import { type Launched, type LaunchPorts, launchProgram } from "./agent_launch.ts";
import { createAgentTyping } from "./agent_typing.ts";
import type { AgentError, LaunchOptions } from "./agents.ts";
import { describeLaunchFailure } from "./command_errors.ts";
import { askForHandoff } from "./farewell.ts";
import { createLiveAgent, type LiveAgent } from "./live_agent.ts";
import type { LiveSession, ProjectRuntime, Runtimes } from "./project_runtime.ts";
import type { LimitWatch } from "./limits.ts";
import type { Transcripts } from "./transcripts.ts";

/** A resumed program that ends this early, before it was ever ready, could not resume. */
const RESUME_FAILURE_MS = 20_000;
const DEFAULT_SIZE: PtySize = { cols: 120, rows: 36 };

export interface LifecyclePorts extends LaunchPorts {
  readonly runtimes: Runtimes;
  readonly clock: Clock;
  readonly events: Events;
  readonly profile: (profileId: ProfileId) => AgentProfile | undefined;
  readonly limits: LimitWatch;
  readonly transcripts: Transcripts;
  /** What goes on in the project, for an agent that starts. */
  readonly liveState: (projectId: ProjectId) => string;
  /** The cell that is the agent's, whether it runs or not. */
  readonly hostOf: (projectId: ProjectId, agentId: AgentId) => CellId | undefined;
  readonly onDefect: (error: unknown) => void;
  /** Shows in the layout where the agent is, and whether it was running when IdeA ended. */
  readonly onPlaced: (placed: {
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly cellId: CellId | undefined;
    readonly session: LiveSession | undefined;
  }) => void;
}

export interface AgentLifecycle {
  launch(projectId: ProjectId, agentId: AgentId, options: LaunchOptions): Promise<Result<LiveSession, AgentError>>;
  /** Binds the live session to another cell. */
  move(projectId: ProjectId, agentId: AgentId, cellId: CellId): Result<void, AgentError>;
  stop(projectId: ProjectId, agentId: AgentId): Promise<Result<void, AgentError>>;
  /** Ends the live session, if any, without telling the mediator: its successor, or nobody, will. */
  end(runtime: ProjectRuntime, agentId: AgentId): Promise<Ended | undefined>;
  /** What its program writes for the one that follows, if it can and does; the mediator hears no more of it. */
  askForHandoff(runtime: ProjectRuntime, agentId: AgentId): Promise<string | undefined>;
  /** Ends all, also those that are being launched; the runtime must not be found any more. */
  endAll(runtime: ProjectRuntime): Promise<void>;
}

/** Where a session was that is no more. */
export type Ended = Pick<LaunchOptions, "cellId" | "size">;

export function createAgentLifecycle(ports: LifecyclePorts): AgentLifecycle {
  const launching = new Map<string, Promise<Result<LiveSession, AgentError>>>();
  const keyOf = (projectId: ProjectId, agentId: AgentId | "") => `${projectId}/${agentId}`;

  async function launch(
    projectId: ProjectId,
    agentId: AgentId,
    options: LaunchOptions,
  ): Promise<Result<LiveSession, AgentError>> {
    const key = keyOf(projectId, agentId);
    const under = launching.get(key);
    // A second caller gets the session that is on its way.
    if (under !== undefined) return await under;
    const runtime = ports.runtimes.get(projectId);
    if (runtime === undefined) return err({ kind: "projectNotOpen", projectId });
    const live = runtime.live.get(agentId);
    if (live !== undefined) return reattach(live, options);
    const launch = startSession(runtime, agentId, options).finally(() => launching.delete(key));
    launching.set(key, launch);
    return await launch;
  }

  function reattach(session: LiveSession, options: LaunchOptions): Result<LiveSession, AgentError> {
    const nodeId = session.agent.cellId();
    if (options.cellId !== undefined && options.cellId === nodeId) return ok(session);
    return err({ kind: "agentAlreadyRunning", agentId: session.agent.agentId, nodeId });
  }

  async function startSession(
    runtime: ProjectRuntime,
    agentId: AgentId,
    options: LaunchOptions,
  ): Promise<Result<LiveSession, AgentError>> {
    const { runner, projectId } = runtime;
    const fail = async (error: AgentError): Promise<Result<LiveSession, AgentError>> => {
      await runner.submit({ kind: "launchFailed", agentId, detail: describeFailure(error) });
      return err(error);
    };
    const entry = runtime.agents().find((each) => each.agentId === agentId);
    // Whoever took it out of the file did not tell: what waits for it hears of it now.
    if (entry === undefined) return await fail({ kind: "agentNotFound", agentId });
    await runner.submit({ kind: "agentStarting", agentId });
    const profile = ports.profile(entry.profileId);
    if (profile === undefined) return await fail({ kind: "unknownProfile", profileId: entry.profileId });
    const launched = await launchProgram(ports, {
      project: runtime.project,
      agent: entry,
      profile,
      colleagues: colleaguesOf(runtime, entry),
      size: options.size ?? DEFAULT_SIZE,
      resume: options.resume ?? true,
      liveState: ports.liveState(projectId),
    });
    if (!launched.ok) return await fail(launched.error);
    const cellId = options.cellId ?? ports.hostOf(projectId, agentId);
    // At once: nothing that the program says of itself may go unheard.
    const session = await begin(runtime, { entry, profile, launched: launched.value, cellId });
    await closeEnded(session);
    return ok(session);
  }

  /** What a former program left on its screen was there to be read until now. */
  async function closeEnded({ projectId, agent }: LiveSession): Promise<void> {
    const ended = ports.terminals.list(projectId).filter((info) =>
      info.agentId === agent.agentId && info.exit !== undefined && info.sessionId !== agent.sessionId
    );
    await Promise.all(ended.map(({ sessionId }) => ports.terminals.close(sessionId)));
  }

  async function begin(
    runtime: ProjectRuntime,
    { entry, profile, launched, cellId }: {
      readonly entry: AgentEntry;
      readonly profile: AgentProfile;
      readonly launched: Launched;
      readonly cellId: CellId | undefined;
    },
  ): Promise<LiveSession> {
    const { agentId } = entry;
    const { firstInput, resumed, sessionId } = launched;
    const { runner, projectId } = runtime;
    const submit: Parameters<typeof createLiveAgent>[0]["submit"] = (input) => void runner.submit(input);
    const startedAtMs = ports.clock.monotonicMs();
    const inWork = () => ticketInWork(runner.state(), agentId);
    const agent: LiveAgent = createLiveAgent({
      projectId,
      agentId,
      sessionId,
      profile,
      cli: launched.cli,
      cellId,
      terminals: ports.terminals,
      clock: ports.clock,
      folder: runtime.project.folder,
      runPath: launched.runPath,
      submit,
      hasTicketInWork: () => inWork() !== undefined,
      hasLeftover: () => slotOf(runner.state(), agentId).turn.kind === "leftover",
      typedForTicket: () => inWork() === undefined ? undefined : session.typing.lastLine(),
      onStatus: (status) => {
        if (status.state === "working") ports.limits.onWorking(session);
        ports.events.publish({
          kind: "agentStateChanged",
          projectId,
          agentId,
          state: status.state,
          signal: status.signal,
          atMs: status.sinceMs,
        });
      },
      onConversation: (conversation) => {
        void ports.history.keepProviderSession(projectId, agentId, { profileId: profile.id, id: conversation.id });
        ports.transcripts.follow(session, conversation);
      },
      onTurnEnded: () => ports.transcripts.collect(session),
      answerInTranscript: () => ports.transcripts.answer(session, offeredAtMs(inWork()?.ticket)),
      onLimitReport: (report) => ports.limits.onReport(session, report),
      onScreen: (text) => ports.limits.onScreen(session, text),
      onExit: (exit) => void onExit(runtime, session, exit).catch(ports.onDefect),
      typeFirst: firstInput === undefined ? undefined : () => session.typing.typeFirst(firstInput),
    });
    const typing = createAgentTyping({ ...ports, state: runner.state, submit }, agent);
    const session: LiveSession = {
      projectId,
      agent,
      typing,
      cli: launched.cli,
      startedAtMs,
      resumed,
    };
    runtime.live.set(agentId, session);
    ports.limits.onLaunched(session);
    ports.onPlaced({ projectId, agentId, cellId, session });
    const place = cellId === undefined ? {} : { cellId };
    ports.events.publish({ kind: "agentLaunched", projectId, agentId, sessionId, ...place, resumed });
    // Last: the program may end while this is written.
    if (launched.providerSessionId !== undefined) {
      await ports.history.keepProviderSession(projectId, agentId, {
        profileId: profile.id,
        id: launched.providerSessionId,
      });
    }
    return session;
  }

  /** The program ended by itself: by its own exit command, or by a crash. */
  async function onExit(runtime: ProjectRuntime, session: LiveSession, exit: PtyExit): Promise<void> {
    const { agentId } = session.agent;
    if (runtime.live.get(agentId) !== session) return;
    const { projectId, runner } = runtime;
    const wasReady = slotOf(runner.state(), agentId).ready;
    release(runtime, session);
    void ports.transcripts.finish(session);
    const clean = exit.kind === "exited" && exit.code === 0;
    const couldNotResume = session.resumed && !wasReady && !clean &&
      ports.clock.monotonicMs() - session.startedAtMs < RESUME_FAILURE_MS;
    if (couldNotResume) {
      await ports.history.keepProviderSession(projectId, agentId, {
        profileId: session.agent.profile.id,
        id: undefined,
      });
      await launch(projectId, agentId, { resume: false, ...placeOf(session) });
      return;
    }
    ports.onPlaced({ projectId, agentId, cellId: session.agent.cellId(), session: undefined });
    ports.events.publish({ kind: "agentStopped", projectId, agentId, crashed: !clean });
    await runner.submit(
      clean
        ? { kind: "agentStopped", agentId }
        : { kind: "agentCrashed", agentId, detail: describeExit(exit, session.agent.profile.name) },
    );
  }

  /** Cuts a session off from everything that follows it. Its terminal may still be looked at. */
  function release(runtime: ProjectRuntime, session: LiveSession): void {
    const { agentId } = session.agent;
    runtime.live.delete(agentId);
    session.typing[Symbol.dispose]();
    session.agent[Symbol.dispose]();
    ports.secrets.revoke({ projectId: runtime.projectId, agentId });
  }

  /** Where it is, and how large, for the one that takes its place. */
  function placeOf({ agent }: LiveSession): Ended {
    const cellId = agent.cellId();
    const size = ports.terminals.get(agent.sessionId)?.size;
    return { ...(cellId === undefined ? {} : { cellId }), ...(size === undefined ? {} : { size }) };
  }

  async function end(runtime: ProjectRuntime, agentId: AgentId): Promise<Ended | undefined> {
    await launching.get(keyOf(runtime.projectId, agentId));
    const session = runtime.live.get(agentId);
    if (session === undefined) return undefined;
    const place = placeOf(session);
    release(runtime, session);
    await ports.terminals.close(session.agent.sessionId);
    // What it said last belongs into the handoff of the one that follows.
    await ports.transcripts.finish(session);
    return place;
  }

  return {
    launch,
    end,
    async askForHandoff(runtime, agentId) {
      await launching.get(keyOf(runtime.projectId, agentId));
      const session = runtime.live.get(agentId);
      return session === undefined ? undefined : await askForHandoff(ports, session);
    },
    async endAll(runtime) {
      const prefix = keyOf(runtime.projectId, "");
      await Promise.all([...launching].flatMap(([key, launch]) => key.startsWith(prefix) ? [launch] : []));
      await Promise.all([...runtime.live.keys()].map((agentId) => end(runtime, agentId)));
      await ports.transcripts.idle();
    },
    move(projectId, agentId, cellId) {
      const session = ports.runtimes.get(projectId)?.live.get(agentId);
      if (session === undefined) return err({ kind: "agentNotRunning", agentId });
      session.agent.setCell(cellId);
      ports.onPlaced({ projectId, agentId, cellId, session });
      return ok();
    },
    async stop(projectId, agentId) {
      const runtime = ports.runtimes.get(projectId);
      if (runtime === undefined) return err({ kind: "projectNotOpen", projectId });
      const ended = await end(runtime, agentId);
      if (ended === undefined) return err({ kind: "agentNotRunning", agentId });
      ports.onPlaced({ projectId, agentId, cellId: ended.cellId, session: undefined });
      await runtime.runner.submit({ kind: "agentStopped", agentId });
      ports.events.publish({ kind: "agentStopped", projectId, agentId, crashed: false });
      return ok();
    },
  };

  function colleaguesOf(runtime: ProjectRuntime, self: AgentEntry): readonly { name: string; profile: string }[] {
    return runtime.agents().filter((each) => each.agentId !== self.agentId).map((each) => ({
      name: each.name,
      profile: ports.profile(each.profileId)?.name ?? "no profile",
    }));
  }
}

function offeredAtMs(ticket: Ticket | undefined): number {
  return ticket?.receipts.findLast(({ state }) => state === "delivering")?.atMs ?? Number.POSITIVE_INFINITY;
}

function describeFailure(error: AgentError): string {
  switch (error.kind) {
    case "programNotFound":
    case "contextTooLong":
    case "spawnFailed":
      return describeLaunchFailure(error);
    case "agentNotFound":
      return "it is no agent of this project any more";
    case "unknownProfile":
      return "it has no profile that this person knows; choose one";
    case "storage":
      return `its files could not be read or written: ${error.error.kind} ${error.error.path}`;
    default:
      return error.kind;
  }
}

function describeExit(exit: PtyExit, program: string): string {
  return exit.kind === "exited"
    ? `${program} ended with exit code ${exit.code}`
    : `${program} was ended by signal ${exit.signal}`;
}
