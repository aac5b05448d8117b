/** The one dispatch behind the three doors: the same command, the same result, the same event. */
import { findAgent as findEntry } from "../agents/manifest.ts";
import type { Events } from "../events.ts";
import { type AgentId, createId, type ProfileId, type ProjectId, type TicketId } from "../ids.ts";
import type { AgentSummary, Command, CommandError, CommandInput, CommandResult } from "../orchestration/commands.ts";
import type { Leaf } from "../layout/tree.ts";
import { slotOf, ticketInWork } from "../orchestration/mediator_state.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { err, ok, type Result, unreachable } from "../result.ts";
import { viewAgent } from "./agent_views.ts";
import type { AgentError, Agents, AgentView, LaunchOptions } from "./agents.ts";
import type { Orchestrator, ProjectNotOpen, QueueEdit } from "./app.ts";
import { askAgent, type AskPorts, type Caller, findAgent, getTask, replyToTask, waitReply } from "./ask.ts";
import { fromAgentError, toCommandError } from "./command_errors.ts";
import {
  type ContextPorts,
  createSkill,
  proposeContext,
  readContext,
  readNotes,
  updateContext,
  writeNote,
} from "./context_commands.ts";
import type { LimitWatch } from "./limits.ts";
import type { ProjectRuntime, Runtimes } from "./project_runtime.ts";

export interface OrchestratorPorts extends AskPorts, ContextPorts {
  readonly events: Events;
  readonly runtimes: Runtimes;
  readonly agents: Agents;
  readonly profile: (profileId: ProfileId) => AgentProfile | undefined;
  readonly limits: Pick<LimitWatch, "limitOf">;
  /** The person's own before those of IdeA. */
  readonly profiles: () => readonly AgentProfile[];
  /** The active layout's first. */
  readonly cells: (projectId: ProjectId) => readonly Leaf[];
  readonly setStatus: (
    projectId: ProjectId,
    agentId: AgentId,
    status: { readonly doing: string; readonly until?: string },
  ) => Promise<Result<void, CommandError>>;
}

type Answer = Promise<Result<CommandResult, CommandError>>;

export function createOrchestrator(ports: OrchestratorPorts): Orchestrator {
  const { runtimes } = ports;

  function open(projectId: ProjectId): Result<ProjectRuntime, ProjectNotOpen> {
    const runtime = runtimes.get(projectId);
    return runtime === undefined ? err({ kind: "projectNotOpen", projectId }) : ok(runtime);
  }

  return {
    async dispatch(command, requester, context = {}) {
      const runtime = runtimes.get(requester.projectId);
      const result: Result<CommandResult, CommandError> = runtime === undefined
        ? err({ kind: "forbidden", what: "the project is not open" })
        : await carryOut(ports, { runtime, requester, context }, command);
      ports.events.publish({
        kind: "orchestratorRequestProcessed",
        projectId: requester.projectId,
        requesterId: requester.party.kind === "agent" ? requester.party.agentId : requester.party.kind,
        action: command.name,
        source: requester.door,
        ok: result.ok,
      });
      return result;
    },
    tickets(projectId) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const { open: openTickets, closed } = runtime.value.runner.state();
      const all = [...closed.values(), ...[...openTickets.values()].map(({ ticket }) => ticket)];
      return ok(all.sort((a, b) => (b.receipts[0]?.atMs ?? 0) - (a.receipts[0]?.atMs ?? 0)));
    },
    ticket(projectId, ticketId) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const ticket = runtime.value.runner.ticket(ticketId);
      return ticket === undefined ? err({ kind: "ticketNotFound", ticket: ticketId }) : ok(ticket);
    },
    queue(projectId, agentId) {
      const runtime = open(projectId);
      return runtime.ok ? queueOf(runtime.value, agentId) : runtime;
    },
    async enqueueMessage(projectId, agentId, text) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      if (findEntry(runtime.value.project.manifest(), agentId) === undefined) {
        return err({ kind: "agentNotFound", target: agentId, known: runtime.value.agents().map(({ name }) => name) });
      }
      const ticketId = createId("ticket", ports.entropy.newId());
      const queued = await runtime.value.runner.submit({
        kind: "enqueue",
        ticketId,
        from: { kind: "human" },
        to: agentId,
        ticketKind: "message",
        task: text,
        wait: false,
      });
      if (!queued.ok) return err(toCommandError(queued.error, runtime.value.nameOf));
      const ticket = runtime.value.runner.ticket(ticketId);
      return ticket === undefined ? err({ kind: "ticketNotFound", ticket: ticketId }) : ok(ticket);
    },
    async editQueue(projectId, agentId, edit) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const ticket = runtime.value.runner.ticket(edit.ticketId);
      if (ticket === undefined || ticket.to !== agentId) return err({ kind: "ticketNotFound", ticket: edit.ticketId });
      const edited = await runtime.value.runner.submit(queueInput(edit));
      if (!edited.ok) return err(toCommandError(edited.error, runtime.value.nameOf));
      return queueOf(runtime.value, agentId);
    },
    async cancel(projectId, ticketId) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const cancelled = await runtime.value.runner.submit({ kind: "cancel", ticketId, by: { kind: "human" } });
      return cancelled.ok ? ok() : err(toCommandError(cancelled.error, runtime.value.nameOf));
    },
    async redeliver(projectId, ticketId) {
      const runtime = open(projectId);
      if (!runtime.ok) return runtime;
      const requeued = await runtime.value.runner.submit({ kind: "redeliver", ticketId });
      if (!requeued.ok) return err(toCommandError(requeued.error, runtime.value.nameOf));
      const ticket = runtime.value.runner.ticket(ticketId);
      return ticket === undefined ? err({ kind: "ticketNotFound", ticket: ticketId }) : ok(ticket);
    },
  };
}

function queueInput(edit: QueueEdit) {
  const { ticketId } = edit;
  switch (edit.op) {
    case "move":
      return { kind: "moveQueued", ticketId, toIndex: edit.position } as const;
    case "edit":
      return { kind: "editQueued", ticketId, task: edit.task } as const;
    case "remove":
      return { kind: "removeQueued", ticketId } as const;
  }
}

function queueOf(runtime: ProjectRuntime, agentId: AgentId): Result<readonly Ticket[], CommandError> {
  if (findEntry(runtime.project.manifest(), agentId) === undefined) {
    return err({ kind: "agentNotFound", target: agentId, known: runtime.agents().map(({ name }) => name) });
  }
  const state = runtime.runner.state();
  const inWork = ticketInWork(state, agentId)?.ticket;
  const queued = slotOf(state, agentId).queue.flatMap((ticketId: TicketId) => state.open.get(ticketId)?.ticket ?? []);
  return ok(inWork === undefined ? queued : [inWork, ...queued]);
}

async function carryOut(ports: OrchestratorPorts, caller: Caller, command: Command): Answer {
  switch (command.name) {
    case "ask":
      return await askAgent(ports, caller, command.input);
    case "waitReply":
      return await waitReply(ports, caller, command.input);
    case "getTask":
      return await getTask(caller, command.input);
    case "reply":
      return await replyToTask(caller, command.input);
    case "launch":
      return await launchAgent(ports, caller, command.input);
    case "stop":
      return await stopAgent(ports, caller, command.input);
    case "list":
      return ok({ kind: "agents", agents: summaries(ports, caller.runtime) });
    case "updateContext":
      return await updateContext(caller, command.input);
    case "contextRead":
      return await readContext(caller, command.input);
    case "contextPropose":
      return await proposeContext(ports, caller, command.input);
    case "createSkill":
      return await createSkill(ports, caller, command.input);
    case "memoryRead":
      return await readNotes(caller, command.input);
    case "memoryWrite":
      return await writeNote(caller, command.input);
    case "setStatus":
      return await setStatus(ports, caller, command.input);
    default:
      return unreachable(command);
  }
}

async function launchAgent(ports: OrchestratorPorts, caller: Caller, input: CommandInput<"launch">): Answer {
  const { runtime } = caller;
  const found = findAgent(runtime, input.target);
  const place = chooseCell(ports, runtime, { ...input, agentId: found.ok ? found.value : undefined });
  if (!place.ok) return place;
  const agentId = found.ok ? found : await createAgent(ports, runtime, input, found.error);
  if (!agentId.ok) return agentId;
  if (input.task !== undefined) {
    // Starts it too, and it finds the task when it is ready.
    const asked = await askAgent(ports, caller, { target: agentId.value, task: input.task, waitSeconds: 0 });
    if (!asked.ok) return asked;
  }
  const launched = await launchAt(ports, { projectId: runtime.projectId, agentId: agentId.value, place: place.value });
  if (launched.ok) return ok({ kind: "done", detail: `${launched.value.name} was started.` });
  const isRunning = launched.error.kind === "agentAlreadyRunning";
  // With a task it is enough that somebody is there to take it.
  if (isRunning && input.task !== undefined) return ok({ kind: "done", detail: `${input.target} has the task.` });
  return err(fromAgentError(launched.error, runtime.nameOf));
}

/** The task may have started it already, wherever it was last. */
async function launchAt(
  { agents }: OrchestratorPorts,
  { projectId, agentId, place }: {
    readonly projectId: ProjectId;
    readonly agentId: AgentId;
    readonly place: LaunchOptions;
  },
): Promise<Result<AgentView, AgentError>> {
  const launched = await agents.launch(projectId, agentId, place);
  if (!launched.ok || place.cellId === undefined || launched.value.cellId === place.cellId) return launched;
  return await agents.moveToCell(projectId, agentId, place.cellId);
}

/** Where to show it: in the cell that was named, else, to be visible at all, in its own or one that is free. */
function chooseCell(
  ports: OrchestratorPorts,
  { projectId }: ProjectRuntime,
  { node, visibility, agentId }: CommandInput<"launch"> & { readonly agentId: AgentId | undefined },
): Result<LaunchOptions, CommandError> {
  const cells = ports.cells(projectId);
  if (node !== undefined) {
    const cell = cells.find(({ id }) => id === node);
    return cell === undefined ? err({ kind: "conflict", what: `there is no cell ${node}` }) : ok({ cellId: cell.id });
  }
  const isShown = agentId !== undefined && cells.some(({ agent }) => agent === agentId);
  if (visibility !== "visible" || isShown) return ok({});
  const free = cells.find(({ agent, session }) => agent === undefined && session === undefined);
  return ok(free === undefined ? {} : { cellId: free.id });
}

async function createAgent(
  ports: OrchestratorPorts,
  runtime: ProjectRuntime,
  { target, profile, context }: CommandInput<"launch">,
  notFound: CommandError,
): Promise<Result<AgentId, CommandError>> {
  if (profile === undefined || notFound.kind !== "agentNotFound") return err(notFound);
  const wanted = profile.toLowerCase();
  const chosen = ports.profiles().find(({ id, name }) => id === profile || name.toLowerCase() === wanted);
  if (chosen === undefined) return err({ kind: "unknownProfile", profile });
  const agent = { name: target, profileId: chosen.id, ...(context === undefined ? {} : { context }) };
  const created = await ports.agents.create(runtime.projectId, agent);
  return created.ok ? ok(created.value.agentId) : err(fromAgentError(created.error, runtime.nameOf));
}

async function stopAgent(ports: OrchestratorPorts, { runtime }: Caller, input: CommandInput<"stop">): Answer {
  const agentId = findAgent(runtime, input.target);
  if (!agentId.ok) return agentId;
  const stopped = await ports.agents.stop(runtime.projectId, agentId.value);
  return stopped.ok
    ? ok({ kind: "done", detail: `${runtime.nameOf(agentId.value)} was stopped.` })
    : err(fromAgentError(stopped.error, runtime.nameOf));
}

function summaries(ports: OrchestratorPorts, runtime: ProjectRuntime): readonly AgentSummary[] {
  return runtime.agents().map((entry) => {
    const view = viewAgent(ports, runtime, entry);
    return {
      agentId: view.agentId,
      name: view.name,
      profile: view.profileName ?? "no profile",
      state: view.state,
      ...(view.worksOn === undefined ? {} : { worksOn: view.worksOn.summary }),
      queueLength: view.queueLength,
    };
  });
}

async function setStatus(
  ports: OrchestratorPorts,
  { runtime, requester }: Caller,
  input: CommandInput<"setStatus">,
): Answer {
  if (requester.party.kind !== "agent") return err({ kind: "forbidden", what: "only an agent has a status" });
  const { doing, until } = input;
  const set = await ports.setStatus(runtime.projectId, requester.party.agentId, {
    doing,
    ...(until === undefined ? {} : { until }),
  });
  return set.ok ? ok({ kind: "done", detail: "Your status is set." }) : set;
}
