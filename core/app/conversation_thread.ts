/**
 * One conversation of an open project: its log, what is derived from it, and its meta file. Everything that touches it
 * is done one after the other.
 *
 * What must stay true: a message is on disk before anyone hears of it, and once however often it comes; the handoff
 * follows the log and never writes over what somebody else wrote.
 */
import { DEFAULT_HANDOFF_CHARS, EMPTY_HANDOFF, foldHandoff, type HandoffState } from "../conversations/handoff.ts";
import { adoptSummary, renderHandoff } from "../conversations/handoff.ts";
import { formatHandoff, type HandoffDocument, parseHandoff } from "../conversations/handoff_document.ts";
import { answerId, formatEntry, type LogEntry, parseLog, sourcesOf } from "../conversations/log.ts";
import { type ConversationMeta, createMeta, metaFormat, withParties } from "../conversations/meta.ts";
import { counterpartOf } from "../conversations/pair.ts";
import type { ConversationId, MessageId, TicketId } from "../ids.ts";
import { type Party, partyKey } from "../parties.ts";
import type { Folder, FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import { openDocument, type StoredDocument } from "./documents.ts";

/** What a handoff shows is among the newest messages: older ones are not searched again at each opening. */
const FOLDED_ENTRIES = 300;

export interface Thread {
  readonly id: ConversationId;
  readonly meta: StoredDocument<ConversationMeta>;
  summary(): ThreadSummary;
  state(): HandoffState;
  /** The whole log, from disk. */
  messages(): Promise<Result<readonly LogEntry[], FolderError>>;
  /** false: it was there already. */
  append(entry: LogEntry, options: AppendEntryOptions): Promise<Result<boolean, FolderError>>;
  /** The handoff as it is on disk when it is up to date, else as it would be written now. */
  handoff(): Promise<Result<HandoffDocument | undefined, FolderError>>;
  /** An agent's own summary of all that was said so far. */
  adopt(content: string): Promise<Result<void, FolderError>>;
  /** Writes the handoff if the log has grown since. */
  flush(): Promise<Result<void, FolderError>>;
  /** Somebody else changed its files. */
  reload(): Promise<Result<void, FolderError>>;
}

export interface AppendEntryOptions {
  readonly parties: readonly Party[];
  /** false: in the file when it resolves, on the disk some time later. */
  readonly lasting: boolean;
}

export interface ThreadSummary {
  readonly parties: readonly Party[];
  readonly messageCount: number;
  readonly lastAtMs?: number;
  readonly hasHandoff: boolean;
}

interface Content {
  readonly ids: Set<MessageId>;
  readonly answered: Set<TicketId>;
  readonly sources: readonly Party[];
  readonly lastAtMs: number | undefined;
  readonly state: HandoffState;
  readonly handoff: { readonly document: HandoffDocument; readonly hash: string } | undefined;
  /** The log has grown since the handoff was written. */
  readonly isBehind: boolean;
}

export interface ThreadOptions {
  readonly folder: Folder;
  readonly id: ConversationId;
  readonly nameOf: (party: Party) => string;
}

export async function openThread(options: ThreadOptions): Promise<Result<Thread, FolderError>> {
  const { folder, id, nameOf } = options;
  const path = (name: string) => `conversations/${id}/${name}`;
  const loaded = await load(options);
  if (!loaded.ok) return loaded;
  let content = loaded.value;
  const meta = await openDocument({ folder, path: path("meta.json"), format: metaFormat, initial: createMeta([]) });
  let last: Promise<unknown> = Promise.resolve();

  const oneAtATime = <R>(work: () => Promise<R>): Promise<R> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const append = async (
    entry: LogEntry,
    { parties, lasting }: AppendEntryOptions,
  ): Promise<Result<boolean, FolderError>> => {
    if (content.ids.has(entry.id) || isToldAlready(content, entry)) return ok(false);
    if (meta.value().parties.length === 0) {
      const named = await meta.update((current) => ok(withParties(current, parties)));
      // A meta file that cannot be written is no reason to lose a message: the log says who spoke.
      if (!named.ok && named.error.kind === "storage" && named.error.error.kind !== "changedOutside") {
        return err(named.error.error);
      }
    }
    const appended = await folder.appendLine(path("log.jsonl"), formatEntry(entry), { lasting });
    if (!appended.ok) return appended;
    content.ids.add(entry.id);
    if (entry.role === "response" && entry.ticket !== undefined) content.answered.add(entry.ticket);
    content = {
      ...content,
      sources: unite(content.sources, [entry.source]),
      lastAtMs: entry.atMs,
      state: foldHandoff(content.state, entry),
      isBehind: true,
    };
    return ok(true);
  };

  const flush = async (): Promise<Result<void, FolderError>> => {
    if (!content.isBehind) return ok();
    for (let tries = 0; tries < 3; tries++) {
      const document = renderHandoff(content.state, { maxChars: DEFAULT_HANDOFF_CHARS, nameOf });
      const text = formatHandoff(document, true);
      const expectedHash = content.handoff?.hash ?? null;
      const written = await folder.writeText(path("handoff.md"), text, { expectedHash });
      if (written.ok) {
        content = { ...content, handoff: { document, hash: written.value.hash }, isBehind: false };
        return ok();
      }
      if (written.error.kind !== "changedOutside") return written;
      // Somebody wrote one: it becomes part of what we write next.
      const read = await readHandoff(options);
      if (!read.ok) return read;
      const { value } = read;
      const state = value === undefined || value.byRules ? content.state : adoptSummary(content.state, value.document);
      content = { ...content, state, handoff: value };
    }
    return ok();
  };

  const adopt = async (text: string): Promise<Result<void, FolderError>> => {
    // What somebody else wrote meanwhile is a part of it.
    const read = await readHandoff(options);
    if (!read.ok) return read;
    const { exchanges } = content.state;
    // Its words for what rules made of the log; what was said last stays as it was said.
    const state = { ...adoptSummary(content.state, { content: text.toWellFormed() }), exchanges };
    const document = renderHandoff(state, { maxChars: DEFAULT_HANDOFF_CHARS, nameOf });
    const expectedHash = read.value?.hash ?? null;
    const written = await folder.writeText(path("handoff.md"), formatHandoff(document, false), { expectedHash });
    if (!written.ok) return written;
    content = { ...content, state, handoff: { document, hash: written.value.hash }, isBehind: false };
    return ok();
  };

  const thread: Thread = {
    id,
    meta,
    summary() {
      const { ids, lastAtMs, handoff } = content;
      return {
        parties: partiesOf(id, meta.value(), content.sources),
        messageCount: ids.size,
        ...(lastAtMs === undefined ? {} : { lastAtMs }),
        hasHandoff: handoff !== undefined || ids.size > 0,
      };
    },
    state: () => content.state,
    async messages() {
      const read = await folder.readLines(path("log.jsonl"));
      return read.ok ? ok(parseLog(read.value.lines).entries) : read;
    },
    append: (entry, options) => oneAtATime(() => append(entry, options)),
    handoff: () =>
      oneAtATime(async () => {
        const flushed = await flush();
        if (!flushed.ok) return flushed;
        const { handoff, ids, state } = content;
        if (handoff !== undefined) return ok(handoff.document);
        return ok(ids.size === 0 ? undefined : renderHandoff(state, { maxChars: DEFAULT_HANDOFF_CHARS, nameOf }));
      }),
    adopt: (text) => oneAtATime(() => adopt(text)),
    flush: () => oneAtATime(flush),
    reload: () =>
      oneAtATime(async () => {
        await meta.reload();
        const read = await load(options);
        if (!read.ok) return read;
        content = { ...read.value, isBehind: content.isBehind };
        return ok();
      }),
  };
  return ok(thread);
}

async function load(options: ThreadOptions): Promise<Result<Content, FolderError>> {
  const log = await options.folder.readLines(`conversations/${options.id}/log.jsonl`);
  if (!log.ok) return log;
  const handoff = await readHandoff(options);
  if (!handoff.ok) return handoff;
  const { entries } = parseLog(log.value.lines);
  return ok({
    ids: new Set(entries.map(({ id }) => id)),
    answered: new Set(
      entries.flatMap(({ role, ticket }) => role === "response" && ticket !== undefined ? [ticket] : []),
    ),
    sources: sourcesOf(entries, partyKey),
    lastAtMs: entries.at(-1)?.atMs,
    state: foldLog(entries, handoff.value),
    handoff: handoff.value,
    isBehind: false,
  });
}

/** An answer is told by its ticket and by a transcript, and after a restart by the one that was not heard before too. */
function isToldAlready({ ids, answered }: Content, { id, role, ticket }: LogEntry): boolean {
  if (role !== "response" || ticket === undefined) return false;
  const own = answerId(ticket);
  return id === own ? answered.has(ticket) : ids.has(own);
}

interface StoredHandoff {
  readonly document: HandoffDocument;
  readonly byRules: boolean;
  readonly hash: string;
}

function foldLog(entries: readonly LogEntry[], handoff: StoredHandoff | undefined): HandoffState {
  const recent = entries.slice(-FOLDED_ENTRIES);
  const fold = (state: HandoffState, part: readonly LogEntry[]) => part.reduce(foldHandoff, state);
  if (handoff === undefined || handoff.byRules || handoff.document.content === "") return fold(EMPTY_HANDOFF, recent);
  const { upTo } = handoff.document;
  const covered = upTo === undefined ? recent.length : recent.findIndex(({ id }) => id === upTo) + 1;
  const before = adoptSummary(fold(EMPTY_HANDOFF, recent.slice(0, covered)), handoff.document);
  return fold(before, recent.slice(covered));
}

async function readHandoff({ folder, id }: ThreadOptions): Promise<Result<StoredHandoff | undefined, FolderError>> {
  const read = await folder.readText(`conversations/${id}/handoff.md`);
  if (!read.ok) return read;
  if (read.value === undefined) return ok(undefined);
  const { byRules, ...document } = parseHandoff(read.value.text);
  return ok({ document, byRules, hash: read.value.hash });
}

/** From the meta file, else who spoke, and whom the id says the only one that spoke was speaking to. */
function partiesOf(id: ConversationId, meta: ConversationMeta, sources: readonly Party[]): readonly Party[] {
  if (meta.parties.length > 0) return meta.parties;
  const [only] = sources;
  if (sources.length !== 1 || only?.kind !== "agent") return sources;
  const other = counterpartOf(id, only.agentId);
  return other === undefined ? sources : [only, { kind: "agent", agentId: other }];
}

function unite(parties: readonly Party[], more: readonly Party[]): readonly Party[] {
  const fresh = more.filter((party) => parties.every((known) => partyKey(known) !== partyKey(party)));
  return fresh.length === 0 ? parties : [...parties, ...fresh];
}
