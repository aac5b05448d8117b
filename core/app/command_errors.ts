/** Turns what the mediator and the agents refuse into the errors of commands, with names in place of ids. */
import type { AgentId } from "../ids.ts";
import type { CommandError } from "../orchestration/commands.ts";
import type { MediatorError } from "../orchestration/mediator_inputs.ts";
import { unreachable } from "../result.ts";
import type { AgentError } from "./agents.ts";
import type { RunnerError } from "./mediator_runner.ts";

export type NameOf = (agentId: AgentId) => string;

export function toCommandError(error: RunnerError, nameOf: NameOf): CommandError {
  switch (error.kind) {
    case "journal":
      return { kind: "storage", detail: `${error.error.kind}: ${error.error.path}` };
    case "closed":
      return { kind: "forbidden", what: "the project is not open" };
    default:
      return fromMediator(error, nameOf);
  }
}

function fromMediator(error: MediatorError, nameOf: NameOf): CommandError {
  switch (error.kind) {
    case "cycle":
      return { kind: "cycle", path: error.path.map(nameOf) };
    case "queueFull":
      return { kind: "queueFull", target: nameOf(error.agentId), limit: error.limit };
    case "ticketNotFound":
      return { kind: "ticketNotFound", ticket: error.ticketId };
    case "ticketNotYours":
      return { kind: "ticketNotYours", ticket: error.ticketId };
    case "ticketClosed":
      return { kind: "ticketClosed", ticket: error.ticketId, state: error.state };
    case "ticketNotDelivered":
      return { kind: "ticketClosed", ticket: error.ticketId, state: "not delivered yet" };
    case "ticketNotQueued":
      return { kind: "ticketClosed", ticket: error.ticketId, state: error.state };
    case "nothingInWork":
      return { kind: "nothingInWork" };
    default:
      return unreachable(error);
  }
}

export function fromAgentError(error: AgentError, nameOf: NameOf): CommandError {
  switch (error.kind) {
    case "projectNotOpen":
      return { kind: "forbidden", what: "the project is not open" };
    case "agentNotFound":
      return { kind: "agentNotFound", target: error.agentId, known: [] };
    case "agentNameTaken":
      return { kind: "conflict", what: `an agent named ${error.name}` };
    case "invalidName":
      return { kind: "invalid", issues: [{ path: "name", message: error.reason }] };
    case "unknownProfile":
      return { kind: "unknownProfile", profile: error.profileId };
    case "agentAlreadyRunning":
      return { kind: "agentAlreadyRunning", agentId: error.agentId, nodeId: error.nodeId };
    case "agentNotRunning":
      return { kind: "agentNotRunning", agentId: error.agentId };
    case "programNotFound":
    case "contextTooLong":
    case "spawnFailed":
      return { kind: "launchFailed", target: nameOf(error.agentId), detail: describeLaunchFailure(error) };
    case "manifestUnusable":
      return { kind: "storage", detail: `${error.path} is ${error.reason}` };
    case "storage":
      return { kind: "storage", detail: `${error.error.kind}: ${error.error.path}` };
    default:
      return unreachable(error);
  }
}

type LaunchFailure = AgentError & { readonly kind: "programNotFound" | "contextTooLong" | "spawnFailed" };

/** One line for the ticket's receipt and the asker. */
export function describeLaunchFailure(error: LaunchFailure): string {
  switch (error.kind) {
    case "programNotFound":
      return `${error.program} (profile ${error.profile}) is not installed, or not in the PATH of the login shell`;
    case "contextTooLong":
      return `its context has ${error.bytes} bytes, ${error.profile} takes ${error.limitBytes}`;
    case "spawnFailed":
      return `the program could not be started: ${error.error.kind}`;
  }
}
