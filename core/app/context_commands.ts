/** Commands about what agents know and do: contexts, proposals, skills, notes, live state. */
import { formatNote, notePath, NOTES_INDEX_PATH, parseNote, parseSlug, putIndexLine } from "../memory/note.ts";
import type { CommandError, CommandInput, CommandResult } from "../orchestration/commands.ts";
import { createId } from "../ids.ts";
import { partyKey } from "../parties.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Folder, FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import { NO_SKILLS, putSkill, skillPath, SKILLS_INDEX_PATH, skillsFormat } from "../skills/skills_document.ts";
import { formatDocument } from "../workspace/document.ts";
import { type Caller, findAgent } from "./ask.ts";
import { openDocument } from "./documents.ts";
import type { ProjectRuntime } from "./project_runtime.ts";

type Answer = Promise<Result<CommandResult, CommandError>>;

export interface ContextPorts {
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** The person's data folder, for global skills. */
  readonly dataFolder: Folder;
}

const PROJECT_CONTEXT = "CONTEXT.md";
const MAX_TRIES = 10;

export async function updateContext({ runtime }: Caller, input: CommandInput<"updateContext">): Answer {
  const path = contextPath(runtime, input.target);
  if (!path.ok) return path;
  const written = await runtime.project.folder.writeText(path.value, withFinalNewline(input.content));
  return written.ok
    ? ok({ kind: "done", detail: `The context of ${input.target} was written; it holds from the next launch.` })
    : err(storage(written.error));
}

export async function readContext({ runtime }: Caller, input: CommandInput<"contextRead">): Answer {
  const path = input.target === undefined ? ok(PROJECT_CONTEXT) : contextPath(runtime, input.target);
  if (!path.ok) return path;
  const read = await runtime.project.folder.readText(path.value);
  return read.ok ? ok({ kind: "text", text: read.value?.text ?? "" }) : err(storage(read.error));
}

/** The rules of the project have one writer, the person: what an agent proposes waits for them. */
export async function proposeContext(
  ports: ContextPorts,
  { runtime, requester }: Caller,
  input: CommandInput<"contextPropose">,
): Answer {
  const { folder } = runtime.project;
  const path = input.target === undefined ? ok(PROJECT_CONTEXT) : contextPath(runtime, input.target);
  if (!path.ok) return path;
  const current = await folder.readText(path.value);
  if (!current.ok) return err(storage(current.error));
  const id = ports.entropy.newId();
  const proposal = {
    version: 1,
    id,
    author: partyKey(requester.party),
    path: path.value,
    baseHash: current.value?.hash ?? null,
    content: input.content,
    state: "open",
    createdAtMs: ports.clock.nowMs(),
  };
  const written = await folder.writeText(`proposals/${id}.json`, formatDocument(proposal), { expectedHash: null });
  return written.ok
    ? ok({ kind: "done", detail: `Proposal ${id} waits for the person.` })
    : err(storage(written.error));
}

export async function createSkill(
  ports: ContextPorts,
  { runtime }: Caller,
  input: CommandInput<"createSkill">,
): Answer {
  const folder = input.scope === "global" ? ports.dataFolder : runtime.project.folder;
  const index = await openDocument({ folder, path: SKILLS_INDEX_PATH, format: skillsFormat, initial: NO_SKILLS });
  const wanted = input.name.toLowerCase();
  const former = index.value().skills.find((skill) => skill.name.toLowerCase() === wanted);
  const id = former?.id ?? createId("skill", ports.entropy.newId());
  const written = await folder.writeText(skillPath(id), withFinalNewline(input.content));
  if (!written.ok) return err(storage(written.error));
  const entry = { id, name: input.name, contentHash: written.value.hash.slice(0, 16) };
  const saved = await index.update((current) => ok(putSkill(current, entry)));
  if (!saved.ok) {
    return err(
      saved.error.kind === "storage"
        ? storage(saved.error.error)
        : { kind: "storage", detail: `${saved.error.kind}: ${SKILLS_INDEX_PATH}` },
    );
  }
  return ok({ kind: "done", detail: `The skill ${input.name} was ${former === undefined ? "created" : "replaced"}.` });
}

export async function readNotes({ runtime }: Caller, input: CommandInput<"memoryRead">): Answer {
  const { folder } = runtime.project;
  if (input.slug === undefined) {
    const index = await folder.readText(NOTES_INDEX_PATH);
    return index.ok ? ok({ kind: "text", text: index.value?.text ?? "" }) : err(storage(index.error));
  }
  const slug = parseSlug(input.slug);
  if (!slug.ok) return err(invalidSlug(input.slug));
  const read = await folder.readText(notePath(slug.value));
  if (!read.ok) return err(storage(read.error));
  if (read.value === undefined) return err({ kind: "conflict", what: `there is no note ${slug.value}` });
  return ok({ kind: "text", text: read.value.text });
}

export async function writeNote({ runtime }: Caller, input: CommandInput<"memoryWrite">): Answer {
  const { folder } = runtime.project;
  const slug = parseSlug(input.slug);
  if (!slug.ok) return err(invalidSlug(input.slug));
  const path = notePath(slug.value);
  const former = await folder.readText(path);
  if (!former.ok) return err(storage(former.error));
  const before = former.value === undefined ? undefined : parseNote(slug.value, former.value.text);
  const note = {
    slug: slug.value,
    description: input.description ?? before?.description ?? (input.content.trim().split("\n")[0] ?? "").slice(0, 200),
    type: input.type ?? before?.type ?? "project",
    body: input.content,
  };
  const written = await folder.writeText(path, formatNote(note), { expectedHash: former.value?.hash ?? null });
  if (!written.ok) return err(storage(written.error));
  const indexed = await indexNote(folder, note);
  if (!indexed.ok) return err(storage(indexed.error));
  return ok({ kind: "done", detail: `The note ${slug.value} was ${before === undefined ? "written" : "replaced"}.` });
}

/** The index has a line of every note: others write theirs at the same time. */
async function indexNote(
  folder: Folder,
  note: { readonly slug: string; readonly description: string },
): Promise<Result<void, FolderError>> {
  for (let tries = 1;; tries++) {
    const index = await folder.readText(NOTES_INDEX_PATH);
    if (!index.ok) return index;
    const text = putIndexLine(index.value?.text ?? "", note);
    const written = await folder.writeText(NOTES_INDEX_PATH, text, { expectedHash: index.value?.hash ?? null });
    if (written.ok) return ok();
    if (written.error.kind !== "changedOutside" || tries === MAX_TRIES) return written;
  }
}

function contextPath(runtime: ProjectRuntime, target: string): Result<string, CommandError> {
  const agent = findAgent(runtime, target);
  if (!agent.ok) return agent;
  const entry = runtime.agents().find((each) => each.agentId === agent.value);
  return entry === undefined ? err({ kind: "agentNotFound", target, known: [] }) : ok(entry.mdPath);
}

function storage(error: FolderError): CommandError {
  return error.kind === "changedOutside"
    ? { kind: "conflict", what: `${error.path} was changed meanwhile; read it again` }
    : { kind: "storage", detail: `${error.kind}: ${error.path}` };
}

function invalidSlug(text: string): CommandError {
  const message = `"${text.slice(0, 64)}" is no slug: small letters, digits and hyphens`;
  return { kind: "invalid", issues: [{ path: "slug", message }] };
}

function withFinalNewline(text: string): string {
  return text.endsWith("\n") || text === "" ? text : `${text}\n`;
}
