/**
 * The one translator from the errors of commands to what a model reads: what failed, why, and what to do next. Exhaustive.
 * The doors for models differ in what their things are called, since their reader has nothing else; so a door gives its
 * names.
 */
import { unreachable } from "../result.ts";
import type { CommandError } from "./commands.ts";
import type { TicketFailure } from "./ticket.ts";

/** What a door calls what its reader may do next: a tool, or the type of a file. */
export interface DoorNames {
  readonly ask: string;
  readonly launch: string;
  readonly reply: string;
  readonly list: string;
  /** The field that names another agent. */
  readonly target: string;
  readonly unknownCommand: (name: string) => string;
}

export function describeCommandError(error: CommandError, names: DoorNames): string {
  switch (error.kind) {
    case "invalid":
      return `Not valid: ${error.issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}.`;
    case "unknownCommand":
      return names.unknownCommand(error.name);
    case "agentNotFound":
      return `There is no agent "${error.target}" in this project. ${listKnown(error.known, names)}`;
    case "ambiguousAgent":
      return `"${error.target}" may be any of ${error.matches.join(", ")}. Use one of these ids as ${names.target}.`;
    case "unknownProfile":
      return `The profile "${error.profile}" is not known here. Leave it out, or ask the person which profiles there are.`;
    case "agentAlreadyRunning":
      return `The agent is already running. Give it work with ${names.ask}; there is no need to launch it.`;
    case "agentNotRunning":
      return `The agent is not running. ${names.ask} starts it by itself; ${names.launch} starts it without a task.`;
    case "cycle":
      return `Refused, because you would wait for each other for ever: ${error.path.join(" → ")}. ` +
        `Answer the task you have first (${names.reply}), or do this part yourself.`;
    case "launchFailed":
      return `${error.target} could not be started: ${error.detail}. Tell the person; this needs them.`;
    case "forbidden":
      return `Not allowed: ${error.what}.`;
    case "conflict":
      return `Not done: ${error.what}. Read the present state and try again.`;
    case "storage":
      return `It could not be saved: ${error.detail}. Tell the person; nothing was changed.`;
    default:
      return describeTicketError(error);
  }
}

type TicketError = Extract<
  CommandError,
  {
    kind:
      | "ticketNotFound"
      | "ticketNotYours"
      | "ticketClosed"
      | "nothingInWork"
      | "queueFull"
      | "targetFailed"
      | "ticketCancelled";
  }
>;

function describeTicketError(error: TicketError): string {
  switch (error.kind) {
    case "ticketNotFound":
      return `There is no ticket ${error.ticket}. Check the id in the line that announced the task.`;
    case "ticketNotYours":
      return `The ticket ${error.ticket} is not yours: you neither asked it nor were asked.`;
    case "ticketClosed":
      return `The ticket ${error.ticket} is already ${error.state}; nothing more can be done with it.`;
    case "nothingInWork":
      return "You have no task in work. If you answered it already, that is all; there is nothing else to do for it.";
    case "queueFull":
      return `${error.target} has ${error.limit} tasks waiting already. Ask somebody else, or try again later.`;
    case "targetFailed":
      return `${error.target} gave no answer: ${describeFailure(error.failure)} (ticket ${error.ticket}). ` +
        "Ask again if it still matters, ask somebody else, or do it yourself.";
    case "ticketCancelled":
      return `The ticket ${error.ticket} was cancelled (${error.by}); there will be no answer.`;
    default:
      return unreachable(error);
  }
}

function listKnown(known: readonly string[], { list, target }: DoorNames): string {
  return known.length === 0
    ? `${list} shows who is there.`
    : `There are: ${known.join(", ")}. Use one of these names as ${target}.`;
}

/** To stand after "it gave no answer:". */
export function describeFailure(failure: TicketFailure): string {
  switch (failure.kind) {
    case "agentStopped":
      return "it was stopped";
    case "agentCrashed":
      return `its program ended unexpectedly (${failure.detail})`;
    case "launchFailed":
      return `it could not be started (${failure.detail})`;
    case "noReply":
      return "its turn ended without a reply, also after a reminder";
    default:
      return unreachable(failure);
  }
}
