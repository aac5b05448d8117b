/**
 * Runs the mediator of each open project, and carries out what it decides.
 *
 * What must stay true: closing a project ends its programs and says nothing of that to the mediator, so what was in work
 * is offered again when the project opens the next time.
 */
import type { Events } from "../events.ts";
import type { AgentId, ProfileId, ProjectId } from "../ids.ts";
import { type Channel, composeDelivery, composeReminder, inboxPath } from "../orchestration/delivery.ts";
import type { MediatorEffect } from "../orchestration/effects.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { Party } from "../parties.ts";
import type { Clock } from "../ports/clock.ts";
import type { AgentHistory } from "./agent_history.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import type { AgentLifecycle } from "./agent_lifecycle.ts";
import type { LimitWatch } from "./limits.ts";
import { openMediatorRunner } from "./mediator_runner.ts";
import type { LiveSession, ProjectRuntime, Runtimes } from "./project_runtime.ts";
import type { OpenProject } from "./projects.ts";
import type { Terminals } from "./terminals.ts";
import { recordTickets } from "./ticket_record.ts";
import type { Transcripts } from "./transcripts.ts";

export interface RuntimesPorts {
  readonly clock: Clock;
  readonly events: Events;
  readonly terminals: Terminals;
  readonly history: AgentHistory;
  readonly lifecycle: () => AgentLifecycle;
  readonly transcripts: () => Pick<Transcripts, "isRead">;
  readonly profile: (profileId: ProfileId) => AgentProfile | undefined;
  readonly limits: Pick<LimitWatch, "open" | "close">;
  readonly onDefect: (error: unknown) => void;
}

export interface RunningProjects extends Runtimes {
  /** For Projects.whileOpen. */
  start(project: OpenProject): Promise<AsyncDisposable>;
}

export function createRuntimes(ports: RuntimesPorts): RunningProjects {
  const running = new Map<ProjectId, ProjectRuntime>();
  return {
    get: (projectId) => running.get(projectId),
    async start(project) {
      let runtime: ProjectRuntime | undefined = undefined;
      const opened = await openMediatorRunner({
        projectId: project.id,
        folder: project.folder,
        clock: ports.clock,
        events: ports.events,
        carryOut: (effect) => {
          if (runtime !== undefined) carryOut(ports, runtime, effect).catch(ports.onDefect);
        },
        onDefect: ports.onDefect,
      });
      if (!opened.ok) {
        // The project opens; its agents cannot work until the journal can be read, which every use of them says.
        ports.onDefect(opened.error);
        return { [Symbol.asyncDispose]: () => Promise.resolve() };
      }
      const own = createRuntime(ports, project, opened.value);
      runtime = own;
      running.set(project.id, own);
      const recorder = recordTickets({
        runtime: own,
        history: ports.history,
        clock: ports.clock,
        isInTranscript: (ticket) => isInTranscript(ports, own, ticket),
        onDefect: ports.onDefect,
      });
      await ports.limits.open(own);
      await opened.value.submit({ kind: "recovered" });
      return {
        async [Symbol.asyncDispose]() {
          running.delete(project.id);
          await stop(ports, own);
          await recorder.close();
        },
      };
    },
  };
}

async function stop({ lifecycle, limits, terminals }: RuntimesPorts, runtime: ProjectRuntime): Promise<void> {
  // First: the ends of the programs are no ends of their work.
  await runtime.runner.close();
  await lifecycle().endAll(runtime);
  await Promise.all(terminals.list(runtime.projectId).map(({ sessionId }) => terminals.close(sessionId)));
  await limits.close(runtime.projectId);
}

/** Of an agent that is not there any more its profile knows: the transcript is read when it comes back. */
async function isInTranscript(ports: RuntimesPorts, runtime: ProjectRuntime, { to }: Ticket): Promise<boolean> {
  const session = runtime.live.get(to);
  if (session !== undefined) return await ports.transcripts().isRead(session);
  const profileId = runtime.agents().find(({ agentId }) => agentId === to)?.profileId;
  return profileId !== undefined && ports.profile(profileId)?.transcript !== undefined;
}

function createRuntime(
  { history }: RuntimesPorts,
  project: OpenProject,
  runner: ProjectRuntime["runner"],
): ProjectRuntime {
  const nameOf = (agentId: AgentId) =>
    project.manifest().agents.find((agent) => agent.agentId === agentId)?.name ?? agentId;
  return {
    projectId: project.id,
    project,
    runner,
    live: new Map(),
    agents: () => project.manifest().agents,
    nameOf,
    partyName: (party) => nameOfParty(party, nameOf),
    conversationSoFar: (from, to) => history.soFar(project.id, from, to),
  };
}

function nameOfParty(party: Party, nameOf: (agentId: AgentId) => string): string {
  switch (party.kind) {
    case "human":
      return "the person";
    case "agent":
      return nameOf(party.agentId);
    case "external":
      return party.name;
  }
}

async function carryOut(ports: RuntimesPorts, runtime: ProjectRuntime, effect: MediatorEffect): Promise<void> {
  switch (effect.kind) {
    case "tellAsker": {
      // Whoever waits listens to the runner's events.
      const ticket = runtime.runner.ticket(effect.ticketId);
      if (ticket !== undefined) runtime.live.get(ticket.to)?.agent.onTicketClosed();
      return;
    }
    case "launch":
      // Its failure is told to the mediator by the lifecycle.
      await ports.lifecycle().launch(runtime.projectId, effect.agentId, {});
      return;
  }
  const session = runtime.live.get(effect.agentId);
  if (session === undefined) return;
  const { typing } = session;
  switch (effect.kind) {
    case "typeTask": {
      const ticket = runtime.runner.ticket(effect.ticketId);
      if (ticket === undefined) return;
      const delivery = composeDelivery({
        ticket,
        fromName: runtime.partyName(ticket.from),
        reason: effect.reason,
        channel: channelOf(runtime, session, ticket),
      });
      if (delivery.inbox !== undefined) {
        const path = inboxPath(effect.agentId, ticket.id);
        const written = await runtime.project.folder.writeText(path, delivery.inbox, { secret: true });
        if (!written.ok) ports.onDefect(written.error);
      }
      return typing.typeLine(delivery.text, effect.typingNo);
    }
    case "typeReminder": {
      const ticket = runtime.runner.ticket(effect.ticketId);
      if (ticket === undefined) return;
      return typing.typeLine(composeReminder(ticket.id, channelOf(runtime, session, ticket)), effect.typingNo);
    }
    case "submitAgain":
      return typing.submitAgain(effect.typingNo);
    case "stopTyping":
      return typing.stop(effect.typingNo);
    case "clearInput":
      return typing.clearInput();
  }
}

/** How the agent fetches the task and answers: by the tools of its MCP server, or by files. */
function channelOf(runtime: ProjectRuntime, { agent }: LiveSession, ticket: Ticket): Channel {
  if (agent.profile.mcp !== undefined) return { kind: "tools" };
  const { root } = runtime.project.folder;
  return {
    kind: "files",
    inboxPath: `${root}/${inboxPath(agent.agentId, ticket.id)}`,
    answerPath: `${root}/requests/${agent.agentId}/reply-${ticket.id}.json`,
  };
}
