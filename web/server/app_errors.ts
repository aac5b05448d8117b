/** The words of what the app refuses or fails at; the part of errors.ts that knows the app's unions. */
import type { AgentError } from "../../core/app/agents.ts";
import type {
  ConversationError,
  LayoutAppError,
  LayoutRefusal,
  LimitError,
  ProfileError,
  ProjectError,
  SettingsError,
} from "../../core/app/app.ts";
import type { OpenTerminalError, SessionNotFound } from "../../core/app/terminals.ts";
import { describeFailure } from "../../core/orchestration/command_words.ts";
import type { CommandError } from "../../core/orchestration/commands.ts";
import type { FolderError } from "../../core/ports/folder.ts";
import type { BrowseFolderError } from "../../core/ports/folder_browser.ts";
import type { ProjectFileError } from "../../core/ports/project_files.ts";
import type { PtyWriteError } from "../../core/ports/pty.ts";
import { unreachable } from "../../core/result.ts";
import {
  busy,
  conflict,
  forbidden,
  invalid,
  launchFailed,
  listIssues,
  notFound,
  storage,
  tooLarge,
  type Words,
} from "./problem_words.ts";

const layoutRefusals: Readonly<Record<LayoutRefusal, string>> = {
  nodeNotFound: "The layout has no such split or grid.",
  invalidWeights: "There must be one weight for each part, each of them positive.",
  sameCell: "Both cells are the same one.",
  tooManyCells: "The layout has as many cells as it can have.",
  tooDeep: "The cells of the layout are nested as deeply as they can be.",
  cannotClose: "No cell beside it could take its place alone.",
  cannotMerge: "The block with both cells would cut another one.",
  notMerged: "This cell is not a merged one.",
  lastTrack: "It is the only row or column.",
  tooThin: "A cell is too thin for a line of its own.",
  lastLayout: "It is the only layout of the project.",
  newerVersion: "layouts.json was written by a newer IdeA, so it is not changed.",
  corrupt: "layouts.json cannot be read, so it is not changed.",
};

export type AppError =
  | AgentError
  | CommandError
  | ProjectError
  | BrowseFolderError
  | ProjectFileError
  | ProfileError
  | LayoutAppError
  | LimitError
  | ConversationError
  | SettingsError
  | OpenTerminalError
  | SessionNotFound
  | PtyWriteError
  | { readonly kind: "invalidSize" }
  | { readonly kind: "invalidPattern"; readonly pattern: string };

export function describeAppError(error: AppError): Words {
  switch (error.kind) {
    case "invalid":
      return { ...invalid(`The command is not valid: ${listIssues(error.issues)}.`), more: { issues: error.issues } };
    case "invalidPattern":
      return invalid(`“${error.pattern}” is not a regular expression.`);
    case "invalidName":
      return invalid(`“${error.name}” cannot be a name: ${error.reason}.`);
    case "invalidSize":
      return invalid("A terminal has 1 to 1,000 columns and rows.");
    case "projectNotOpen":
      return {
        ...notFound("The project is not open.", "Open its folder with POST /api/projects."),
        more: { projectId: error.projectId },
      };
    case "projectNotFound":
      return notFound("There is no such project.");
    case "rootNotFound":
    case "folderNotFound":
      return notFound(`The folder ${error.path} does not exist.`);
    case "fileNotFound":
    case "fileOutsideProject":
    case "fileNotReadable":
    case "fileNotText":
    case "fileTooLarge":
      return describeFileError(error);
    case "folderNotReadable":
      return { ...forbidden(`The folder ${error.path} may not be read.`), hint: "Check its permissions." };
    case "locked":
      return {
        status: 423,
        code: "LOCKED",
        title: "In use",
        detail: `${error.path} is in use by another IdeA (process ${error.pid}).`,
        hint: "Close it there first.",
      };
    case "newerVersion":
      return {
        ...conflict(`${error.path} was written by a newer IdeA (version ${error.version} of the file).`),
        code: "NEWER_VERSION",
        hint: "Update IdeA; the file is left as it is.",
      };
    case "corrupt":
      return {
        status: 500,
        code: "CORRUPT",
        title: "Corrupt file",
        detail: `${error.path} cannot be read${error.movedTo ? `; it was kept as ${error.movedTo}` : ""}.`,
      };
    case "profileNotFound":
      return notFound("There is no such profile.");
    case "layoutNotFound":
      return notFound("There is no such layout.");
    case "cellNotFound":
      return notFound(`There is no cell ${error.cellId} in this layout.`);
    case "layoutRefused":
      return { ...conflict(layoutRefusals[error.reason]), more: { reason: error.reason } };
    case "conversationNotFound":
      return notFound("There is no such conversation.");
    case "handoffNotFound":
      return notFound("This conversation has no handoff yet.");
    case "sessionNotFound":
      return notFound("There is no such terminal; it may have been closed.");
    case "closed":
      return conflict("The program in this terminal has ended.");
    case "inputQueueFull":
      return busy(`The program does not read: ${error.queuedBytes} of ${error.limitBytes} bytes wait for it.`);
    case "tooManySessions":
      return { ...busy(`There are already ${error.limit} terminals.`), hint: "Close one." };
    case "storage":
      return "error" in error
        ? describeFolderError(error.error)
        : storage(`The file could not be written: ${error.detail}.`);
    case "programNotFound":
    case "programNotExecutable":
    case "unsupportedPlatform":
    case "system":
    case "spawnFailed":
      return describeSpawnError(error);
    default:
      return describeAgentError(error);
  }
}

function describeFileError(error: ProjectFileError): Words {
  const { path } = error;
  switch (error.kind) {
    case "fileNotFound":
      return notFound(`There is no file ${path} where the program was, nor in the project.`);
    case "fileOutsideProject":
      return { ...forbidden(`${path} is not in this project.`), hint: "Open its folder as a project." };
    case "fileNotReadable":
      return { ...forbidden(`The file ${path} may not be read.`), hint: "Check its permissions." };
    case "fileNotText":
      return invalid(`${path} is no text.`);
    case "fileTooLarge":
      return tooLarge(413, `${path} has ${error.sizeBytes} bytes; files of up to ${error.limitBytes} are shown.`);
    default:
      return unreachable(error);
  }
}

type SpawnError = Extract<
  AppError,
  { kind: "programNotFound" | "programNotExecutable" | "unsupportedPlatform" | "system" | "spawnFailed" }
>;

function describeSpawnError(error: SpawnError): Words {
  switch (error.kind) {
    case "programNotFound":
      return {
        ...conflict(`The program ${error.program} is not installed, or not in PATH.`),
        code: "PROGRAM_NOT_FOUND",
        hint: "Install it, or correct the command of the profile.",
      };
    case "programNotExecutable":
      return { ...conflict(`${error.program} is not executable.`), code: "PROGRAM_NOT_FOUND" };
    case "unsupportedPlatform":
      return {
        status: 501,
        code: "UNSUPPORTED",
        title: "Not supported here",
        detail: `Terminals do not work on ${error.platform} yet.`,
      };
    case "system":
      return launchFailed(`The system refused to start it: ${error.call} failed with code ${error.code}.`);
    case "spawnFailed":
      return describeAppError(error.error);
    default:
      return unreachable(error);
  }
}

type AgentOrCommandError = Exclude<
  AppError,
  | SpawnError
  | ProjectError
  | BrowseFolderError
  | ProjectFileError
  | ProfileError
  | LayoutAppError
  | ConversationError
  | SettingsError
  | OpenTerminalError
  | SessionNotFound
  | PtyWriteError
  | { kind: "storage" | "invalid" | "invalidPattern" | "invalidName" | "invalidSize" }
>;

function describeAgentError(error: AgentOrCommandError): Words {
  switch (error.kind) {
    case "agentNotFound":
      if (!("target" in error)) return notFound("There is no such agent in this project.");
      return { ...notFound(`There is no agent “${error.target}” in this project.`), more: { known: error.known } };
    case "ambiguousAgent":
      return {
        ...conflict(`“${error.target}” may be one of ${error.matches.join(", ")}.`),
        hint: "Use the id.",
        more: { matches: error.matches },
      };
    case "manifestUnusable":
      return error.reason === "newerVersion"
        ? { ...conflict(`${error.path} was written by a newer IdeA.`), code: "NEWER_VERSION", hint: "Update IdeA." }
        : { ...storage(`${error.path} cannot be read, so it is not changed.`), code: "CORRUPT" };
    case "agentNameTaken":
      return { ...conflict(`There is already an agent named “${error.name}”.`), code: "NAME_TAKEN" };
    case "unknownProfile":
      return {
        ...conflict(`The profile ${"profile" in error ? error.profile : error.profileId} is not among yours.`),
        code: "UNKNOWN_PROFILE",
        hint: "Choose a profile for this agent.",
      };
    case "agentAlreadyRunning":
      return {
        ...conflict("The agent is already running."),
        code: "AGENT_ALREADY_RUNNING",
        hint: "Go to its cell, or move it here.",
        more: { agentId: error.agentId, nodeId: error.nodeId },
      };
    case "agentNotRunning":
      return { ...conflict("The agent is not running."), code: "AGENT_NOT_RUNNING", hint: "Launch it first." };
    case "contextTooLong":
      return {
        ...conflict(`The context of the agent is ${error.bytes} bytes; ${error.profile} takes ${error.limitBytes}.`),
        code: "TOO_LARGE",
        hint: "Shorten its context or the project's, or assign fewer skills.",
      };
    case "noLimit":
      return conflict("The agent has no usage limit.");
    case "noResumePlanned":
      return conflict("The agent would not go on by itself anyway.");
    case "launchFailed":
      return launchFailed(`${error.target} could not be started: ${error.detail}.`);
    default:
      return describeTicketError(error);
  }
}

type TicketError = Exclude<
  AgentOrCommandError,
  { kind: AgentError["kind"] | LimitError["kind"] | "ambiguousAgent" | "launchFailed" }
>;

function describeTicketError(error: TicketError): Words {
  switch (error.kind) {
    case "unknownCommand":
      return notFound(`There is no command ${error.name}.`);
    case "cycle":
      return {
        ...conflict(`They would wait for each other: ${error.path.join(" → ")}.`),
        code: "CYCLE",
        more: { path: error.path },
      };
    case "ticketNotFound":
      return notFound(`There is no ticket ${error.ticket}.`);
    case "ticketNotYours":
      return forbidden(`The ticket ${error.ticket} belongs to somebody else.`);
    case "ticketClosed":
      return { ...conflict(`The ticket ${error.ticket} is already ${error.state}.`), code: "TICKET_CLOSED" };
    case "nothingInWork":
      return notFound("No ticket is in work.");
    case "queueFull":
      return busy(`${error.target} has ${error.limit} tickets waiting already.`);
    case "targetFailed":
      return {
        status: 502,
        code: "TARGET_FAILED",
        title: "No answer",
        detail: `${error.target} gave no answer: ${describeFailure(error.failure)}.`,
        more: { ticket: error.ticket, failure: error.failure.kind },
      };
    case "ticketCancelled":
      return {
        ...conflict(`The ticket ${error.ticket} was cancelled (${error.by}).`),
        code: "CANCELLED",
        more: { ticket: error.ticket },
      };
    case "forbidden":
      return forbidden(`Not allowed: ${error.what}.`);
    case "conflict":
      return conflict(`In the meantime it has changed: ${error.what}.`);
    default:
      return unreachable(error);
  }
}

function describeFolderError(error: FolderError): Words {
  switch (error.kind) {
    case "outsideFolder":
      return forbidden(`${error.path} is outside the folder it must be in.`);
    case "notFound":
      return notFound(`The file ${error.path} does not exist.`);
    case "notPermitted":
      return { ...storage(`${error.path} may not be read or written.`), hint: "Check its permissions." };
    case "diskFull":
      return {
        ...storage(`${error.path} was not saved: the disk is full.`),
        status: 507,
        hint: "Make room, then again.",
      };
    case "changedOutside":
      return conflict(`${error.path} was edited outside IdeA in the meantime; nothing was overwritten.`);
    case "notText":
      return { status: 500, code: "CORRUPT", title: "Corrupt file", detail: `${error.path} is not UTF-8 text.` };
    case "tooLarge":
      return storage(`${error.path} is longer than ${error.limitBytes} bytes.`);
    case "io":
      return storage(`${error.path}: the system said ${error.code}.`);
    default:
      return unreachable(error);
  }
}
