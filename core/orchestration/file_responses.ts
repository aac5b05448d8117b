/**
 * The file door's answers: `<name>.json.response.json`, `{ok, action, detail, error?, reply?}` and what a program may need
 * besides. detail is for the model that reads it: what happened, and what to do next with files.
 */
import { z } from "zod";
import type { TicketId } from "../ids.ts";
import { type Result, unreachable } from "../result.ts";
import { idSchema } from "../workspace/id_schema.ts";
import { describeCommandError, type DoorNames } from "./command_words.ts";
import type { CommandError, CommandResult } from "./commands.ts";
import { FILE_ACTIONS, type FileRequestError } from "./file_requests.ts";

export interface FileResponse {
  readonly ok: boolean;
  readonly action: string;
  readonly detail: string;
  /** kind, and the data of the error. */
  readonly error?: { readonly kind: string };
  /** The text that was asked for: an answer, a task, a context, a note. */
  readonly reply?: string;
  readonly [more: string]: unknown;
}

export function composeFileResponse(
  action: string,
  outcome: Result<CommandResult, CommandError | FileRequestError | InterruptedRequest>,
): FileResponse {
  if (!outcome.ok) return { ok: false, action, detail: describeError(outcome.error), error: outcome.error };
  return { ok: true, action, ...answer(outcome.value) };
}

/** A request that is being carried out. Its ticket outlives IdeA, and so does this. */
export interface RequestUnderWay {
  readonly action: string;
  /** Hash of the request's text. */
  readonly request: string;
  readonly ticket?: TicketId;
}

/** What stands where the answer will be, from before anything is done until it is there. */
export function composeUnderWay(underWay: RequestUnderWay): FileResponse {
  const detail = "It is under way. The answer will be written into this file: look again later.";
  return { ok: true, pending: true, detail, ...underWay };
}

const UnderWay = z.looseObject({
  ok: z.literal(true),
  pending: z.literal(true),
  action: z.string(),
  request: z.string(),
  ticket: idSchema("ticket").exactOptional(),
});

/** undefined: an answer, or nothing of ours. */
export function parseUnderWay(text: string): RequestUnderWay | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = UnderWay.safeParse(json);
  if (!parsed.success) return undefined;
  const { action, request, ticket } = parsed.data;
  return { action, request, ...(ticket === undefined ? {} : { ticket }) };
}

export function formatFileResponse(response: FileResponse): string {
  return JSON.stringify(response, null, 2) + "\n";
}

function answer(result: CommandResult): { readonly detail: string; readonly [more: string]: unknown } {
  switch (result.kind) {
    case "reply": {
      const { ticket, text, source } = result;
      const detail = source === "reply" ? "Answered." : "It gave no explicit answer; this is the last it wrote.";
      return { detail, reply: text, ticket, source };
    }
    case "pending": {
      const { ticket, state, position } = result;
      const where = state === "queued" ? `queued at position ${position}` : state;
      const next = JSON.stringify({ type: "agent.wait", ticket });
      return {
        detail: `No answer yet, the ticket is ${where}. To go on waiting, write ${next}.`,
        ticket,
        state,
        position,
      };
    }
    case "task": {
      const { ticket, from, task, state, repeat, conversation } = result;
      const again = repeat ? " It was offered before: go on where that ended." : "";
      return {
        detail: `The task of ${from}, ${state}.${again}`,
        reply: task,
        ticket,
        from,
        state,
        repeat,
        conversation,
      };
    }
    case "agents":
      return { detail: `${result.agents.length} agents.`, agents: result.agents };
    case "text":
      return { detail: "Read.", reply: result.text };
    case "done":
      return { detail: result.detail };
    default:
      return unreachable(result);
  }
}

/** IdeA went down while it was carried out; whether it was done is not known. */
export interface InterruptedRequest {
  readonly kind: "interrupted";
}

const FILE_TYPES: DoorNames = {
  ask: "agent.message",
  launch: "agent.run",
  reply: "agent.reply",
  list: "agent.list",
  target: "targetAgent",
  unknownCommand: (name) => `There is no type "${name}". There are: ${FILE_ACTIONS.join(", ")}.`,
};

function describeError(error: CommandError | FileRequestError | InterruptedRequest): string {
  switch (error.kind) {
    case "interrupted":
      return "IdeA went down while this was carried out. Look whether it was done, and ask again if not.";
    case "unknownRequester":
      return `There is no agent "${error.requester}" in this project. Write into the folder that is yours.`;
    case "foreignRequester":
      return `This folder is ${error.requester}'s, and the file says ${error.requestedBy}. Leave requestedBy out.`;
    case "tooLarge":
      return `The file is larger than ${error.limitBytes} bytes. Put the text into a file of the project and name it.`;
    case "tooDeep":
      return `The file is nested deeper than ${error.limit} levels.`;
    case "notJson":
      return `The file is not JSON (${error.detail}). Write it whole under another name, then rename it to .json.`;
    case "notAnObject":
      return 'The file must hold one JSON object with a "type".';
    default:
      return describeCommandError(error, FILE_TYPES);
  }
}
