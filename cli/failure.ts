/**
 * What can go wrong on the command line, and its one translation into words and an exit code: what failed, why, and
 * what to do about it.
 */
import { unreachable } from "../core/result.ts";
import type { ApiError } from "../web/api/client.ts";
import type { ErrorCode } from "../web/api/values.ts";
import type { UsageError } from "./arguments.ts";
import { EXIT, specOf } from "./commands.ts";
import { formatUsage } from "./help.ts";

export type Failure =
  | UsageError
  | { readonly kind: "noServer"; readonly dataFolder: string }
  | { readonly kind: "serverNotStarted"; readonly dataFolder: string; readonly exitCode: number | undefined }
  | { readonly kind: "dataFolderInUse"; readonly dataFolder: string; readonly pid: number }
  | { readonly kind: "addressNotFree"; readonly hostname: string; readonly port: number }
  | { readonly kind: "addressNotPermitted"; readonly hostname: string }
  | { readonly kind: "serverFailed"; readonly detail: string }
  | { readonly kind: "api"; readonly doing: string; readonly error: ApiError }
  | { readonly kind: "noSuchProject"; readonly given: string; readonly known: readonly string[] }
  | { readonly kind: "noProjectHere"; readonly folder: string; readonly known: readonly string[] }
  | { readonly kind: "noSuchAgent"; readonly given: string; readonly known: readonly string[] }
  | { readonly kind: "ambiguousAgent"; readonly given: string; readonly matches: readonly string[] }
  | { readonly kind: "agentNotRunning"; readonly agent: string }
  | { readonly kind: "noSuchTerminal"; readonly given: string }
  | { readonly kind: "noSuchTicket"; readonly given: string }
  | { readonly kind: "noSuchLayout"; readonly given: string; readonly known: readonly string[] }
  | { readonly kind: "askPending"; readonly agent: string; readonly ticket: string; readonly state: string }
  | { readonly kind: "waitTimedOut"; readonly pattern: string }
  | { readonly kind: "waitEnded"; readonly pattern: string }
  | { readonly kind: "connectionLost"; readonly reason: string }
  | { readonly kind: "file"; readonly doing: string; readonly path: string; readonly reason: string }
  | { readonly kind: "problemsFound"; readonly count: number };

export interface Words {
  readonly what: string;
  readonly why?: string;
  readonly todo?: string;
  readonly exitCode: number;
}

export function describe(failure: Failure): Words {
  switch (failure.kind) {
    case "unknownCommand":
    case "unknownOption":
    case "missingValue":
    case "unexpectedValue":
    case "missingArgument":
    case "tooManyArguments":
    case "onlyOneOf":
    case "invalidValue":
      return { exitCode: EXIT.usage, ...describeUsage(failure) };
    case "noServer":
    case "serverNotStarted":
    case "dataFolderInUse":
    case "addressNotFree":
    case "addressNotPermitted":
    case "serverFailed":
      return describeServer(failure);
    case "api":
      return describeApi(failure.doing, failure.error);
    case "noSuchProject":
    case "noProjectHere":
    case "noSuchAgent":
    case "ambiguousAgent":
    case "noSuchTerminal":
    case "noSuchTicket":
    case "noSuchLayout":
      return { exitCode: EXIT.notFound, ...describeMissing(failure) };
    case "agentNotRunning":
      return {
        what: `${failure.agent} does not run`,
        todo: `start it with: idea launch ${quoted(failure.agent)}`,
        exitCode: EXIT.refused,
      };
    case "askPending":
      return {
        what: `${failure.agent} has not answered yet`,
        why: `ticket ${failure.ticket} is ${failure.state}; it goes on`,
        todo: `wait longer with --wait, or see: idea explain ${quoted(failure.agent)}`,
        exitCode: EXIT.timedOut,
      };
    case "waitTimedOut":
      return { what: `no line matched ${failure.pattern} in time`, exitCode: EXIT.timedOut };
    case "waitEnded":
      return { what: `the program ended before a line matched ${failure.pattern}`, exitCode: EXIT.failed };
    case "connectionLost":
      return { what: "the connection to the server was lost", why: failure.reason, exitCode: EXIT.noServer };
    case "file":
      return { what: `cannot ${failure.doing} ${failure.path}`, why: failure.reason, exitCode: EXIT.failed };
    case "problemsFound":
      return { what: `${failure.count} to be mended, see above`, exitCode: EXIT.failed };
    default:
      return unreachable(failure);
  }
}

function describeUsage(error: UsageError): Omit<Words, "exitCode"> {
  if (error.kind === "unknownCommand") {
    const near = error.near.map((name) => `idea ${name}`).join(", ");
    return {
      what: `there is no command "${error.given}"`,
      todo: near === "" ? "see: idea help" : `did you mean: ${near}`,
    };
  }
  const todo = `usage: ${formatUsage(error.command)}`;
  switch (error.kind) {
    case "unknownOption":
      return { what: `idea ${error.command} has no option ${error.option}`, todo };
    case "missingValue":
      return { what: `${error.option} needs a value`, todo };
    case "unexpectedValue":
      return { what: `${error.option} takes no value`, todo };
    case "missingArgument":
      return { what: `${error.argument} is missing`, todo };
    case "tooManyArguments":
      return { what: `"${error.extra}" is one argument too many`, why: takesText(error.command), todo };
    case "onlyOneOf":
      return { what: `only one of ${error.options.join(", ")} can be given`, todo };
    case "invalidValue":
      return { what: `"${error.given}" does not fit ${error.of}`, why: `it must be ${error.expected}`, todo };
    default:
      return unreachable(error);
  }
}

function takesText(command: Parameters<typeof specOf>[0]): string {
  return specOf(command).takes.length === 0 ? "it takes none" : "text with spaces must be quoted";
}

type ServerFailure = Extract<
  Failure,
  {
    kind:
      | "noServer"
      | "serverNotStarted"
      | "dataFolderInUse"
      | "addressNotFree"
      | "addressNotPermitted"
      | "serverFailed";
  }
>;

function describeServer(failure: ServerFailure): Words {
  switch (failure.kind) {
    case "noServer":
      return {
        what: "no server runs",
        why: `nobody answers for the data folder ${failure.dataFolder}`,
        todo: "start it with: idea",
        exitCode: EXIT.noServer,
      };
    case "serverNotStarted":
      return {
        what: "the server did not start",
        why: failure.exitCode === undefined ? "it does not answer" : `it ended with exit code ${failure.exitCode}`,
        todo: `start it in the foreground to see why: idea serve; its log is in ${failure.dataFolder}/logs`,
        exitCode: EXIT.noServer,
      };
    case "dataFolderInUse":
      return {
        what: "a server runs already for this data folder",
        why: `process ${failure.pid} holds ${failure.dataFolder}`,
        todo: "open its window with: idea; or give this one a data folder of its own with IDEA_HOME",
        exitCode: EXIT.refused,
      };
    case "addressNotFree":
      return {
        what: `cannot listen on ${failure.hostname}:${failure.port}`,
        why: "another program has that port, or the address is not of this machine",
        todo: "choose another port with --port, or leave it out for any free one",
        exitCode: EXIT.failed,
      };
    case "addressNotPermitted":
      return {
        what: `cannot listen on ${failure.hostname}`,
        why: "this executable was built with permission for the loopback only",
        todo: "use a tunnel (ssh -L), or run IdeA from source",
        exitCode: EXIT.failed,
      };
    case "serverFailed":
      return { what: "the server ended with an error", why: failure.detail, exitCode: EXIT.failed };
    default:
      return unreachable(failure);
  }
}

type MissingFailure = Extract<
  Failure,
  {
    kind:
      | "noSuchProject"
      | "noProjectHere"
      | "noSuchAgent"
      | "ambiguousAgent"
      | "noSuchTerminal"
      | "noSuchTicket"
      | "noSuchLayout";
  }
>;

function describeMissing(failure: MissingFailure): Omit<Words, "exitCode"> {
  switch (failure.kind) {
    case "noSuchProject":
      return {
        what: `there is no project "${failure.given}"`,
        why: list("known", failure.known),
        todo: "open a folder as a project with: idea open PATH",
      };
    case "noProjectHere":
      return {
        what: `no project has the folder ${failure.folder}`,
        why: list("known", failure.known),
        todo: "name one with --project, or open this folder with: idea open .",
      };
    case "noSuchAgent":
      return { what: `there is no agent "${failure.given}"`, why: list("this project has", failure.known) };
    case "ambiguousAgent":
      return {
        what: `"${failure.given}" is several agents`,
        why: list("they are", failure.matches),
        todo: "give the id instead of the name",
      };
    case "noSuchTerminal":
      return { what: `there is no terminal "${failure.given}"`, todo: "see: idea terminals list" };
    case "noSuchLayout":
      return { what: `there is no layout "${failure.given}"`, why: list("this project has", failure.known) };
    case "noSuchTicket":
      return { what: `there is no ticket "${failure.given}"`, todo: "idea explain AGENT lists those of its queue" };
    default:
      return unreachable(failure);
  }
}

function list(lead: string, names: readonly string[]): string {
  return names.length === 0 ? `${lead}: none` : `${lead}: ${names.join(", ")}`;
}

function describeApi(doing: string, error: ApiError): Words {
  if (error.kind === "unreachable") {
    const why = error.cause instanceof Error ? error.cause.message : String(error.cause);
    return { what: `cannot ${doing}`, why: `the server did not answer: ${why}`, exitCode: EXIT.noServer };
  }
  const { detail, hint, code } = error.problem;
  return {
    what: `cannot ${doing}`,
    why: detail,
    ...(hint !== undefined && { todo: hint }),
    exitCode: exitCodeOf(code),
  };
}

function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case "INVALID":
      return EXIT.usage;
    case "NOT_FOUND":
      return EXIT.notFound;
    case "TIMEOUT":
      return EXIT.timedOut;
    case "TARGET_FAILED":
    case "CANCELLED":
      return EXIT.targetFailed;
    case "AGENT_ALREADY_RUNNING":
    case "AGENT_NOT_RUNNING":
    case "BUSY":
    case "CONFLICT":
    case "CYCLE":
    case "FORBIDDEN":
    case "LOCKED":
    case "NAME_TAKEN":
    case "TICKET_CLOSED":
      return EXIT.refused;
    default:
      return EXIT.failed;
  }
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name}"`;
}

/** The lines for standard error. */
export function formatFailure({ what, why, todo }: Words): string {
  return [`idea: ${what}`, ...[why, todo].filter((line) => line !== undefined).map((line) => `  ${line}`)].join("\n");
}
