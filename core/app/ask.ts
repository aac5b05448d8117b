/** Asking a colleague, and waiting for the answer: the commands ask, waitReply, getTask and reply. */
import { findAgentsByTarget } from "../agents/manifest.ts";
import { type AgentId, createId, parseId, type TicketId } from "../ids.ts";
import type { CallContext, CommandError, CommandInput, CommandResult, Requester } from "../orchestration/commands.ts";
import { meantTicket } from "../orchestration/decide_tickets.ts";
import { slotOf } from "../orchestration/mediator_state.ts";
import type { Ticket } from "../orchestration/ticket.ts";
import { isSameParty, type Party } from "../parties.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import { err, ok, type Result } from "../result.ts";
import { toCommandError } from "./command_errors.ts";
import type { ProjectRuntime } from "./project_runtime.ts";
import { isClosed, waitForTicket } from "./ticket_wait.ts";

type Answer = Promise<Result<CommandResult, CommandError>>;

/** MCP clients that nobody knows end a call after a minute unless they heed progress. */
const EXTERNAL_WAIT_MS = 55_000;
/** Left of the time that a profile's CLI gives one tool call, so that the ticket is returned before it ends the call. */
const CALL_MARGIN_MS = 15_000;

export interface AskPorts {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface Caller {
  readonly runtime: ProjectRuntime;
  readonly requester: Requester;
  readonly context: CallContext;
}

export async function askAgent(ports: AskPorts, caller: Caller, input: CommandInput<"ask">): Answer {
  const { runtime, requester, context } = caller;
  const target = findAgent(runtime, input.target);
  if (!target.ok) return target;
  const ticketId = context.newTicket ?? createId("ticket", ports.entropy.newId());
  const timeoutMs = waitMs(caller, input.waitSeconds);
  const queued = await runtime.runner.submit({
    kind: "enqueue",
    ticketId,
    from: requester.party,
    to: target.value,
    ticketKind: "delegation",
    task: input.task,
    wait: timeoutMs > 0,
  });
  if (!queued.ok) return err(toCommandError(queued.error, runtime.nameOf));
  context.onQueued?.(ticketId);
  if (timeoutMs === 0) return outcomeNow(runtime, ticketId);
  return await answerOf(ports, caller, { ticketId, timeoutMs, context });
}

export async function waitReply(ports: AskPorts, caller: Caller, input: CommandInput<"waitReply">): Answer {
  const { runtime, requester, context } = caller;
  const parsed = parseId("ticket", input.ticket);
  if (!parsed.ok) return err({ kind: "ticketNotFound", ticket: input.ticket });
  const ticketId = parsed.value;
  const timeoutMs = waitMs(caller, input.waitSeconds);
  const ticket = runtime.runner.ticket(ticketId);
  if (ticket === undefined) return err({ kind: "ticketNotFound", ticket: ticketId });
  if (!isSameParty(ticket.from, requester.party)) return err({ kind: "ticketNotYours", ticket: ticketId });
  if (timeoutMs === 0) return outcomeNow(runtime, ticketId);
  const waiting = await runtime.runner.submit({ kind: "wait", ticketId, by: requester.party });
  if (!waiting.ok) return err(toCommandError(waiting.error, runtime.nameOf));
  return await answerOf(ports, caller, { ticketId, timeoutMs, context });
}

async function answerOf(
  ports: AskPorts,
  { runtime }: Caller,
  wait: { readonly ticketId: TicketId; readonly timeoutMs: number; readonly context: CallContext },
): Answer {
  const outcome = await waitForTicket({
    runner: runtime.runner,
    clock: ports.clock,
    ...wait,
    describe: (ticket) => describeTicket(runtime, ticket),
  });
  switch (outcome.kind) {
    case "closed":
      return closedAnswer(runtime, outcome.ticket);
    case "stillOpen":
      return ok(pending(runtime, outcome.ticket));
    case "gone":
      return err({ kind: "ticketCancelled", ticket: wait.ticketId, by: "callerGone" });
  }
}

function outcomeNow(runtime: ProjectRuntime, ticketId: TicketId): Result<CommandResult, CommandError> {
  const ticket = runtime.runner.ticket(ticketId);
  if (ticket === undefined) return err({ kind: "ticketNotFound", ticket: ticketId });
  return isClosed(ticket) ? closedAnswer(runtime, ticket) : ok(pending(runtime, ticket));
}

function pending(runtime: ProjectRuntime, ticket: Ticket): CommandResult {
  return {
    kind: "pending",
    ticket: ticket.id,
    state: describeTicket(runtime, ticket),
    position: queuePosition(runtime, ticket),
  };
}

function closedAnswer(runtime: ProjectRuntime, ticket: Ticket): Result<CommandResult, CommandError> {
  if (ticket.reply !== undefined) {
    return ok({ kind: "reply", ticket: ticket.id, text: ticket.reply.text, source: ticket.reply.source });
  }
  if (ticket.failure !== undefined) {
    return err({
      kind: "targetFailed",
      ticket: ticket.id,
      target: runtime.nameOf(ticket.to),
      failure: ticket.failure,
    });
  }
  return err({ kind: "ticketCancelled", ticket: ticket.id, by: ticket.cancellation ?? "byPerson" });
}

/** 0 = do not wait. */
function waitMs({ runtime, requester }: Caller, waitSeconds: number | undefined): number {
  if (waitSeconds !== undefined) return waitSeconds * 1_000;
  if (requester.party.kind !== "agent") return EXTERNAL_WAIT_MS;
  const callLimitMs = runtime.live.get(requester.party.agentId)?.agent.profile.mcp?.timeoutMs;
  return callLimitMs === undefined ? EXTERNAL_WAIT_MS : Math.max(EXTERNAL_WAIT_MS, callLimitMs - CALL_MARGIN_MS);
}

export async function getTask(caller: Caller, input: CommandInput<"getTask">): Answer {
  const { runtime, requester } = caller;
  const named = input.ticket === undefined ? undefined : parseId("ticket", input.ticket);
  if (named?.ok === false) return err({ kind: "ticketNotFound", ticket: input.ticket ?? "" });
  const own = named === undefined ? undefined : runtime.runner.ticket(named.value);
  // One's own question may be read again; it changes nothing.
  if (own !== undefined && isFrom(own, requester.party)) return ok(await taskResult(runtime, own));
  if (requester.party.kind !== "agent") {
    return err(
      named === undefined ? { kind: "nothingInWork" } : { kind: "ticketNotFound", ticket: named.value },
    );
  }
  const by = requester.party.agentId;
  const fetched = await runtime.runner.submit({
    kind: "taskFetched",
    by,
    ...(named === undefined ? {} : { ticketId: named.value }),
  });
  if (!fetched.ok) return err(toCommandError(fetched.error, runtime.nameOf));
  const meant = named === undefined ? meantTicket(runtime.runner.state(), by) : named.value;
  const ticket = meant === undefined ? undefined : runtime.runner.ticket(meant);
  return ticket === undefined ? err({ kind: "nothingInWork" }) : ok(await taskResult(runtime, ticket));
}

async function taskResult(runtime: ProjectRuntime, ticket: Ticket): Promise<CommandResult> {
  return {
    kind: "task",
    ticket: ticket.id,
    from: runtime.partyName(ticket.from),
    task: ticket.task,
    state: ticket.state,
    repeat: ticket.repeat > 0,
    conversation: await runtime.conversationSoFar(ticket.from, ticket.to),
  };
}

export async function replyToTask(caller: Caller, input: CommandInput<"reply">): Answer {
  const { runtime, requester } = caller;
  if (requester.party.kind !== "agent") return err({ kind: "forbidden", what: "only an agent answers a task" });
  const named = input.ticket === undefined ? undefined : parseId("ticket", input.ticket);
  if (named?.ok === false) return err({ kind: "ticketNotFound", ticket: input.ticket ?? "" });
  const replied = await runtime.runner.submit({
    kind: "replied",
    by: requester.party.agentId,
    ...(named === undefined ? {} : { ticketId: named.value }),
    text: input.result,
  });
  if (!replied.ok) return err(toCommandError(replied.error, runtime.nameOf));
  return ok({ kind: "done", detail: "Your answer was delivered." });
}

export function findAgent(runtime: ProjectRuntime, target: string): Result<AgentId, CommandError> {
  const matches = findAgentsByTarget(runtime.project.manifest(), target);
  const [only] = matches;
  if (only === undefined) {
    return err({ kind: "agentNotFound", target, known: runtime.agents().map((agent) => agent.name) });
  }
  if (matches.length > 1) {
    return err({
      kind: "ambiguousAgent",
      target,
      matches: matches.map(({ agentId }) => agentId),
    });
  }
  return ok(only.agentId);
}

export function describeTicket(runtime: ProjectRuntime, ticket: Ticket): string {
  const name = runtime.nameOf(ticket.to);
  if (ticket.needsAttention) return `${name} did not take the task; a person should look at its terminal`;
  switch (ticket.state) {
    case "queued": {
      const position = queuePosition(runtime, ticket);
      const slot = slotOf(runtime.runner.state(), ticket.to);
      if (slot.limit !== undefined) return `${name} has reached its usage limit; the task is held`;
      if (slot.blocked !== undefined) return `${name} waits for a person; the task is held`;
      return position <= 1 ? `next in the queue of ${name}` : `number ${position} in the queue of ${name}`;
    }
    case "delivering":
      return `being given to ${name}`;
    case "delivered":
    case "accepted":
      return `${name} works on it`;
    default:
      return ticket.state;
  }
}

/** 1 = the next one; 0 = not queued (any more). */
function queuePosition(runtime: ProjectRuntime, ticket: Ticket): number {
  return slotOf(runtime.runner.state(), ticket.to).queue.indexOf(ticket.id) + 1;
}

function isFrom(ticket: Ticket, party: Party): boolean {
  if (ticket.from.kind === "agent") return party.kind === "agent" && party.agentId === ticket.from.agentId;
  return party.kind === "human" || party.kind === "external";
}
