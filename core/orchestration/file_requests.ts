/**
 * The file door, pure: what `.ideai/requests/<requester>/<name>.json` asks for. The folder proves who asks; the body may
 * only agree. Whatever is wrong with a file becomes a typed error, and nothing of it is carried out.
 *
 * The types of the older system (spawn_agent, stop_agent, update_agent_context) and its names of fields are read too.
 */
import { z } from "zod";
import type { AgentId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { type Command, type CommandError, type CommandName, CommandSchema } from "./commands.ts";

/** For the adapter, before it reads: a task of 1 MiB of the widest characters, escaped. */
export const MAX_REQUEST_BYTES = 6 * 1_048_576;
/** Requests are flat; more is no request. */
export const MAX_DEPTH = 16;

export const REQUESTS_FOLDER = "requests";
const RESPONSE = ".response.json";

export interface RequestFile {
  /** Name of the folder: an agent's id or name, not yet known to be one. */
  readonly requester: string;
  /** Without ".json". */
  readonly name: string;
  /** Relative to `.ideai/`, like the request's own. */
  readonly responsePath: string;
}

/** undefined: not a request (a response, a file still being written under another name, something deeper). */
export function parseRequestPath(path: string): RequestFile | undefined {
  const [folder, requester, file, ...deeper] = path.split("/");
  if (folder !== REQUESTS_FOLDER || requester === undefined || file === undefined || deeper.length > 0) {
    return undefined;
  }
  // deno-lint-ignore no-control-regex
  if (!file.endsWith(".json") || file.endsWith(RESPONSE) || /^[.~]|[\u0000-\u001f\u007f\\]/.test(file)) {
    return undefined;
  }
  const name = file.slice(0, -".json".length);
  return name === "" ? undefined : { requester, name, responsePath: `${path}${RESPONSE}` };
}

/** Of an answer, or what stands for one: the request that it belongs to. */
export function parseResponsePath(path: string): string | undefined {
  const request = path.endsWith(RESPONSE) ? path.slice(0, -RESPONSE.length) : "";
  return parseRequestPath(request) === undefined ? undefined : request;
}

export type FileRequestError =
  | { readonly kind: "unknownRequester"; readonly requester: string }
  /** The body names somebody else than the folder. */
  | { readonly kind: "foreignRequester"; readonly requester: string; readonly requestedBy: string }
  | { readonly kind: "tooLarge"; readonly limitBytes: number }
  | { readonly kind: "tooDeep"; readonly limit: number }
  | { readonly kind: "notJson"; readonly detail: string }
  | { readonly kind: "notAnObject" }
  | Extract<CommandError, { readonly kind: "invalid" | "unknownCommand" }>;

export interface RefusedFileRequest {
  /** The type it named, as far as it can be known. */
  readonly action: string;
  readonly error: FileRequestError;
}

export interface FileRequest {
  readonly action: string;
  readonly agentId: AgentId;
  readonly command: Command;
}

export interface KnownAgent {
  readonly agentId: AgentId;
  readonly name: string;
}

/** text: the file's content, or what kept it from being read. */
export function parseFileRequest(
  { file, text, agents }: {
    readonly file: RequestFile;
    readonly text: string | Extract<FileRequestError, { readonly kind: "tooLarge" | "notJson" }>;
    readonly agents: readonly KnownAgent[];
  },
): Result<FileRequest, RefusedFileRequest> {
  const agent = findRequester(agents, file.requester);
  const body = parseBody(text);
  const action = body.ok ? actionOf(body.value) : "";
  if (agent === undefined) return refuse(action, { kind: "unknownRequester", requester: file.requester.slice(0, 128) });
  if (!body.ok) return refuse(action, body.error);
  const claimed = body.value.requestedBy;
  if (
    claimed !== undefined && (typeof claimed !== "string" || findRequester(agents, claimed)?.agentId !== agent.agentId)
  ) {
    const requestedBy = String(JSON.stringify(claimed)).slice(0, 128);
    return refuse(action, { kind: "foreignRequester", requester: agent.name, requestedBy });
  }
  const command = parseCommand(action, body.value);
  return command.ok ? ok({ action, agentId: agent.agentId, command: command.value }) : refuse(action, command.error);
}

function refuse(action: string, error: FileRequestError): Result<never, RefusedFileRequest> {
  return err({ action, error });
}

/** By id, else by name as people write it. */
export function findRequester(agents: readonly KnownAgent[], nameOrId: string): KnownAgent | undefined {
  const byId = agents.find(({ agentId }) => agentId === nameOrId);
  if (byId !== undefined) return byId;
  const named = agents.filter(({ name }) => name.toLowerCase() === nameOrId.trim().toLowerCase());
  return named.length === 1 ? named[0] : undefined;
}

const Body = z.record(z.string(), z.unknown());
type Body = z.infer<typeof Body>;

function parseBody(
  text: string | Extract<FileRequestError, { readonly kind: "tooLarge" | "notJson" }>,
): Result<Body, FileRequestError> {
  if (typeof text !== "string") return err(text);
  // A byte is at least one UTF-16 unit of every three.
  if (text.length > MAX_REQUEST_BYTES) return err({ kind: "tooLarge", limitBytes: MAX_REQUEST_BYTES });
  if (depthOf(text) > MAX_DEPTH) return err({ kind: "tooDeep", limit: MAX_DEPTH });
  let json: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return err({ kind: "notJson", detail: error instanceof Error ? error.message.slice(0, 200) : "" });
  }
  const body = Body.safeParse(json);
  return body.success ? ok(body.data) : err({ kind: "notAnObject" });
}

/** The deepest nesting of brackets outside strings, without building anything. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (inString) {
      if (unit === "\\") at++;
      else if (unit === '"') inString = false;
    } else if (unit === '"') inString = true;
    else if (unit === "{" || unit === "[") deepest = Math.max(deepest, ++depth);
    else if (unit === "}" || unit === "]") depth--;
  }
  return deepest;
}

function actionOf(body: Body): string {
  const { type } = body;
  return typeof type === "string" ? type.trim().slice(0, 64) : "";
}

const TARGET = ["targetAgent", "target", "agent", "name"] as const;
const TASK = ["task", "message", "prompt"] as const;
const TICKET = ["ticket", "ticketId"] as const;
const WAIT = ["waitSeconds", "wait_seconds"] as const;
const CONTENT = ["content", "context"] as const;
const SLUG = ["slug"] as const;

interface Action {
  readonly command: CommandName;
  /** For each field of the command the names that the file may give it, the best first. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

const RUN: Action = {
  command: "launch",
  fields: {
    target: TARGET,
    profile: ["profile", "profileId"],
    context: ["context"],
    task: TASK,
    visibility: ["visibility"],
    node: ["node", "nodeId"],
  },
};
const STOP: Action = { command: "stop", fields: { target: TARGET } };

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["agent.message", { command: "ask", fields: { target: TARGET, task: TASK, waitSeconds: WAIT } }],
  ["agent.wait", { command: "waitReply", fields: { ticket: TICKET, waitSeconds: WAIT } }],
  ["agent.task", { command: "getTask", fields: { ticket: TICKET } }],
  ["agent.reply", { command: "reply", fields: { result: ["result", "reply", "text"], ticket: TICKET } }],
  ["agent.run", RUN],
  ["spawn_agent", RUN],
  ["agent.stop", STOP],
  ["stop_agent", STOP],
  ["agent.list", { command: "list", fields: {} }],
  ["update_agent_context", { command: "updateContext", fields: { target: TARGET, content: CONTENT } }],
  ["skill.create", { command: "createSkill", fields: { name: ["name"], content: CONTENT, scope: ["scope"] } }],
  ["context.read", { command: "contextRead", fields: { target: TARGET } }],
  ["context.propose", { command: "contextPropose", fields: { target: TARGET, content: CONTENT } }],
  ["memory.read", { command: "memoryRead", fields: { slug: SLUG } }],
  ["memory.write", {
    command: "memoryWrite",
    // "type" is taken: it says what the file asks for.
    fields: { slug: SLUG, content: CONTENT, description: ["description"], type: ["noteType"] },
  }],
  ["status.set", { command: "setStatus", fields: { doing: ["doing", "status"], until: ["until"] } }],
]);

/** What a file may ask for. */
export const FILE_ACTIONS: readonly string[] = [...ACTIONS.keys()];

function parseCommand(action: string, body: Body): Result<Command, FileRequestError> {
  const known = ACTIONS.get(action);
  if (known === undefined) return err({ kind: "unknownCommand", name: action });
  const input: Record<string, unknown> = {};
  for (const [field, names] of Object.entries(known.fields)) {
    const name = names.find((each) => Object.hasOwn(body, each) && body[each] !== null);
    if (name !== undefined) input[field] = body[name];
  }
  const parsed = CommandSchema.safeParse({ name: known.command, input });
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, 10).map(({ path: [, ...path], message }) => {
    const field = path.join(".");
    return { path: known.fields[field]?.[0] ?? field, message };
  });
  return err({ kind: "invalid", issues });
}
