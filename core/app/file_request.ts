/**
 * One request of the file protocol, from its file to its answer.
 *
 * What must stay true, also when IdeA is killed at any point: a request makes at most one ticket, and a ticket that was
 * made is waited for until its answer is in the file. So what is under way is written where the answer will be before
 * anything is done, with the id that the ticket will get; the request is removed once that ticket is on disk. A request
 * that is still there with its own note beside it is taken up again; a note without a request is waited for.
 */
import type { Events } from "../events.ts";
import { type AgentId, createId, parseId, type TicketId } from "../ids.ts";
import type { Command, CommandError, CommandResult, Requester } from "../orchestration/commands.ts";
import {
  type FileRequest,
  type FileRequestError,
  findRequester,
  MAX_REQUEST_BYTES,
  parseFileRequest,
  parseRequestPath,
  type RefusedFileRequest,
  type RequestFile,
} from "../orchestration/file_requests.ts";
import {
  composeFileResponse,
  composeUnderWay,
  type FileResponse,
  formatFileResponse,
  type InterruptedRequest,
  parseUnderWay,
  type RequestUnderWay,
} from "../orchestration/file_responses.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { FolderError, TextFile } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import type { Orchestrator } from "./app.ts";
import type { OpenProject } from "./projects.ts";

/** A file that is no JSON yet is read again after this long, and again while it grows. */
const SETTLE_MS = 1_000;
const MAX_READS = 30;
/** An answer holds a text of that size at most, and what is around it. */
const MAX_ANSWER_BYTES = 2 * MAX_REQUEST_BYTES;
/** Nothing but patience ends the wait for a file: nobody holds a connection. */
const WAIT_SECONDS = 86_400;

export interface FileRequestPorts {
  readonly entropy: Entropy;
  readonly events: Events;
  readonly orchestrator: Pick<Orchestrator, "dispatch" | "ticket">;
}

/** How one request goes on with those beside it; all of it is the door's. */
export interface FileTurn {
  readonly project: OpenProject;
  readonly path: string;
  /** Ends early when the project closes. */
  readonly pause: (ms: number) => Promise<void>;
  readonly isClosing: () => boolean;
  /** From here on it only waits, which keeps no other request from its turn. */
  readonly onWaiting: () => void;
  /** false: too many wait already, so this one is answered with its ticket at once. */
  readonly claimWait: () => boolean;
  /**
   * Runs what writes the answer until it could (true), unless the project was closed: then what is under way stays
   * written.
   */
  readonly conclude: (write: () => Promise<boolean>) => Promise<void>;
}

type Outcome = Result<CommandResult, CommandError | FileRequestError | InterruptedRequest>;

/** The disk refuses what must be written first: nothing was done, and the request is to be taken up later. */
export type NotTaken = FolderError;

export async function answerRequest(ports: FileRequestPorts, turn: FileTurn): Promise<Result<void, NotTaken>> {
  const file = parseRequestPath(turn.path);
  const read = file === undefined ? undefined : await readWhole(turn, file);
  if (file === undefined || read === undefined) return ok();
  return read.parsed.ok
    ? await carryOut(ports, turn, { file, hash: read.hash, request: read.parsed.value })
    : await refuse(ports, turn, { file, refused: read.parsed.error });
}

/** A note of something under way whose request is gone: IdeA went down while it was waited for. */
export async function resumeRequest(ports: FileRequestPorts, turn: FileTurn): Promise<void> {
  const file = parseRequestPath(turn.path);
  const note = file === undefined ? undefined : await readNote(turn, file);
  const agent = file === undefined ? undefined : findRequester(turn.project.manifest().agents, file.requester);
  if (file === undefined || note === undefined || agent === undefined) return;
  turn.onWaiting();
  const outcome = await resumed(ports, turn, { note, agentId: agent.agentId });
  await conclude(turn, file, { noteHash: note.hash, response: composeFileResponse(note.action, outcome) });
}

/**
 * Removes an answer that has stood there since before that time. A note of something under way stays, whatever its age;
 * what is read here is no note, and holding the turn keeps any other from being written, so what is old stays old.
 */
export async function removeOldAnswer(
  { project, path }: FileTurn,
  beforeMs: number,
): Promise<Result<void, FolderError>> {
  const file = parseRequestPath(path);
  if (file === undefined) return ok();
  const { folder } = project;
  const read = await folder.readText(file.responsePath, { maxBytes: MAX_ANSWER_BYTES });
  if (!read.ok || read.value === undefined || parseUnderWay(read.value.text) !== undefined) return ok();
  const listed = await folder.list(file.responsePath.slice(0, file.responsePath.lastIndexOf("/")), { times: true });
  if (!listed.ok) return listed;
  const entry = listed.value.find(({ name }) => file.responsePath.endsWith(`/${name}`));
  const isOld = entry?.modifiedAtMs !== undefined && entry.modifiedAtMs < beforeMs;
  return isOld ? await folder.remove(file.responsePath) : ok();
}

interface ReadRequest {
  readonly hash: string;
  readonly parsed: Result<FileRequest, RefusedFileRequest>;
}

/** undefined: it is gone, answered by an earlier turn or taken back; or it is left for when the project opens again. */
async function readWhole(
  { project, path, pause, isClosing }: FileTurn,
  file: RequestFile,
): Promise<ReadRequest | undefined> {
  const { agents } = project.manifest();
  let former: string | undefined;
  for (let reads = 1;; reads++) {
    const read = await project.folder.readText(path, { maxBytes: MAX_REQUEST_BYTES });
    if (read.ok && read.value === undefined) return undefined;
    const hash = read.ok ? read.value?.hash ?? "" : "";
    const text = read.ok ? read.value?.text ?? "" : unreadable(read.error);
    const parsed = parseFileRequest({ file, text, agents });
    const isHalf = !parsed.ok && parsed.error.error.kind === "notJson";
    if (!isHalf || hash === former || reads === MAX_READS) return { hash, parsed };
    former = hash;
    await pause(SETTLE_MS);
    if (isClosing()) return undefined;
  }
}

function unreadable(error: FolderError): Extract<FileRequestError, { readonly kind: "tooLarge" | "notJson" }> {
  return error.kind === "tooLarge"
    ? { kind: "tooLarge", limitBytes: error.limitBytes }
    : { kind: "notJson", detail: error.kind === "notText" ? "it is not UTF-8" : `it cannot be read: ${error.kind}` };
}

async function refuse(
  { events }: FileRequestPorts,
  { project, path }: FileTurn,
  { file, refused }: { readonly file: RequestFile; readonly refused: RefusedFileRequest },
): Promise<Result<void, NotTaken>> {
  const text = formatFileResponse(composeFileResponse(refused.action, err(refused.error)));
  const written = await project.folder.writeText(file.responsePath, text);
  if (!written.ok) return written;
  await project.folder.remove(path);
  const agent = findRequester(project.manifest().agents, file.requester);
  events.publish({
    kind: "orchestratorRequestProcessed",
    projectId: project.id,
    // A folder that is nobody's proves nothing.
    requesterId: agent?.agentId ?? "external",
    action: refused.action,
    source: "file",
    ok: false,
  });
  return ok();
}

async function carryOut(
  ports: FileRequestPorts,
  turn: FileTurn,
  { file, hash, request }: { readonly file: RequestFile; readonly hash: string; readonly request: FileRequest },
): Promise<Result<void, NotTaken>> {
  const { folder, id: projectId } = turn.project;
  const { action, agentId, command } = request;
  const former = await readNote(turn, file);
  const isAgain = former?.request === hash;
  const ticket = (isAgain ? former.ticket : undefined) ?? ticketFor(ports, command);
  const note: RequestUnderWay = { action, request: hash, ...(ticket === undefined ? {} : { ticket }) };
  const noted = await folder.writeText(file.responsePath, formatFileResponse(composeUnderWay(note)));
  if (!noted.ok) return noted;
  const respond = (outcome: Outcome) =>
    conclude(turn, file, { noteHash: noted.value.hash, response: composeFileResponse(action, outcome) });

  if (isAgain && ticket !== undefined && ports.orchestrator.ticket(projectId, ticket).ok) {
    await folder.remove(turn.path);
    turn.onWaiting();
    await respond(await resumed(ports, turn, { note, agentId }));
    return ok();
  }
  let removed: Promise<unknown> | undefined;
  const isTaken = () => {
    removed ??= folder.remove(turn.path);
    turn.onWaiting();
  };
  if (command.name === "waitReply") isTaken();
  const outcome = await ports.orchestrator.dispatch(withPatience(command, turn), requester(turn, agentId), {
    ...(ticket === undefined || command.name === "waitReply" ? {} : { newTicket: ticket }),
    onQueued: isTaken,
  });
  await (removed ?? folder.remove(turn.path));
  await respond(outcome);
  return ok();
}

/** The ticket that a command makes, or waits for. */
function ticketFor({ entropy }: FileRequestPorts, command: Command): TicketId | undefined {
  if (command.name === "waitReply") {
    const named = parseId("ticket", command.input.ticket);
    return named.ok ? named.value : undefined;
  }
  const isAsk = command.name === "ask" || (command.name === "launch" && command.input.task !== undefined);
  return isAsk ? createId("ticket", entropy.newId()) : undefined;
}

function withPatience(command: Command, { claimWait }: FileTurn): Command {
  if (command.name !== "ask" && command.name !== "waitReply") return command;
  const waitSeconds = claimWait() ? command.input.waitSeconds ?? WAIT_SECONDS : 0;
  return command.name === "ask"
    ? { name: "ask", input: { ...command.input, waitSeconds } }
    : { name: "waitReply", input: { ...command.input, waitSeconds } };
}

function requester({ project }: FileTurn, agentId: AgentId): Requester {
  return { projectId: project.id, party: { kind: "agent", agentId }, door: "file" };
}

/** What becomes of a request whose ticket was made before IdeA went down. */
async function resumed(
  { orchestrator }: FileRequestPorts,
  turn: FileTurn,
  { note, agentId }: { readonly note: RequestUnderWay; readonly agentId: AgentId },
): Promise<Outcome> {
  const { ticket, action } = note;
  if (ticket === undefined) return err({ kind: "interrupted" });
  const isWaitedFor = action === "agent.message" || action === "agent.wait";
  if (!isWaitedFor) return ok({ kind: "done", detail: `The task is in the queue, ticket ${ticket}.` });
  const wait: Command = { name: "waitReply", input: { ticket } };
  return await orchestrator.dispatch(withPatience(wait, turn), requester(turn, agentId));
}

async function conclude(
  turn: FileTurn,
  file: RequestFile,
  { noteHash, response }: { readonly noteHash: string; readonly response: FileResponse },
): Promise<void> {
  await turn.conclude(async () => {
    const { folder } = turn.project;
    const text = formatFileResponse(response);
    const written = await folder.writeText(file.responsePath, text, { expectedHash: noteHash });
    if (written.ok) return true;
    if (written.error.kind !== "changedOutside") return false;
    // Another one's note there is not ours to replace; where nothing is any more, the agent has taken ours away.
    if (written.error.actualHash !== undefined) return true;
    return (await folder.writeText(file.responsePath, text, { expectedHash: null })).ok;
  });
}

async function readNote(
  { project }: FileTurn,
  file: RequestFile,
): Promise<(RequestUnderWay & Pick<TextFile, "hash">) | undefined> {
  const read = await project.folder.readText(file.responsePath, { maxBytes: MAX_REQUEST_BYTES });
  const note = read.ok && read.value !== undefined ? parseUnderWay(read.value.text) : undefined;
  return note === undefined || !read.ok || read.value === undefined ? undefined : { ...note, hash: read.value.hash };
}
