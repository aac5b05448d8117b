/**
 * The handoff of a conversation: the compact summary from which another profile can go on. It is folded from the log,
 * message by message, so that keeping it up to date costs the same however long the log is; rendering is bounded.
 */
import type { Party } from "../parties.ts";
import { findClues, shorten } from "./clues.ts";
import type { HandoffDocument } from "./handoff_document.ts";
import type { LogEntry } from "./log.ts";

export const DEFAULT_HANDOFF_CHARS = 4_000;

const KEPT_STATEMENTS = 12;
const KEPT_FILES = 24;
const KEPT_EXCHANGES = 6;
/** A prompt this long says what the work is; shorter ones are mostly answers and nudges on the way. */
const OBJECTIVE_CHARS = 60;
const MAX_OBJECTIVE_CHARS = 300;

export interface HandoffState {
  readonly upTo?: string;
  readonly objective?: string;
  /** What an agent or a person wrote, up to the message that it covers. */
  readonly summary?: string;
  /** The newest last, each once. */
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
  readonly next: readonly string[];
  readonly files: readonly string[];
  readonly exchanges: readonly LogEntry[];
  /** The last prompt that nobody has answered. */
  readonly unanswered?: string;
}

export const EMPTY_HANDOFF: HandoffState = {
  decisions: [],
  done: [],
  open: [],
  next: [],
  files: [],
  exchanges: [],
};

export function foldHandoff(state: HandoffState, entry: LogEntry): HandoffState {
  const clues = findClues(entry.text);
  const { unanswered: _, ...rest } = state;
  const isPrompt = entry.role === "prompt";
  return {
    ...rest,
    upTo: entry.id,
    ...(isPrompt ? objectiveOf(state, entry.text) : {}),
    ...(isPrompt ? { unanswered: entry.text } : {}),
    decisions: append(state.decisions, clues.decisions, KEPT_STATEMENTS),
    done: append(state.done, isPrompt ? [] : clues.done, KEPT_STATEMENTS),
    // What was open before a new task is asked for again if it still matters.
    open: append(isPrompt ? [] : state.open, isPrompt ? [] : clues.open, KEPT_STATEMENTS),
    next: isPrompt ? clues.next : (clues.next.length > 0 ? clues.next : state.next),
    files: append(state.files, clues.files, KEPT_FILES),
    exchanges: [...state.exchanges, entry].slice(-KEPT_EXCHANGES),
  };
}

/** Somebody's own summary takes the place of all that it covers. */
export function adoptSummary(state: HandoffState, { content, upTo, objective }: HandoffDocument): HandoffState {
  const covered = state.exchanges.findIndex(({ id }) => id === (upTo ?? state.upTo));
  const adopted = objective ?? state.objective;
  return {
    ...EMPTY_HANDOFF,
    ...(state.upTo === undefined ? {} : { upTo: state.upTo }),
    ...(adopted === undefined ? {} : { objective: adopted }),
    ...(state.unanswered === undefined ? {} : { unanswered: state.unanswered }),
    summary: content,
    exchanges: state.exchanges.slice(covered + 1),
  };
}

function objectiveOf(state: HandoffState, text: string): { readonly objective?: string } {
  const isTask = text.trim().length >= OBJECTIVE_CHARS || state.objective === undefined;
  return isTask ? { objective: shorten(text, MAX_OBJECTIVE_CHARS) } : {};
}

function append(kept: readonly string[], found: readonly string[], limit: number): readonly string[] {
  if (found.length === 0) return kept;
  return [...kept.filter((item) => !found.includes(item)), ...found].slice(-limit);
}

export interface RenderOptions {
  readonly maxChars: number;
  readonly nameOf: (party: Party) => string;
}

export function renderHandoff(state: HandoffState, options: RenderOptions): HandoffDocument {
  const { upTo, objective } = state;
  return {
    ...(upTo === undefined ? {} : { upTo }),
    ...(objective === undefined ? {} : { objective: shorten(objective, 200) }),
    content: renderContent(state, options),
  };
}

/** Sections by what a successor needs most; each has a share of the room, the exchanges have what is left. */
function renderContent(state: HandoffState, { maxChars, nameOf }: RenderOptions): string {
  // A summary has most of it; the rules then only add what came after it.
  const scale = state.summary === undefined ? 1 : 0.5;
  const share = (part: number) => Math.floor(maxChars * part * scale);
  const list = (title: string, items: readonly string[], room: number) =>
    section(title, fitNewest(items.map((item) => `- ${item}`), room - title.length - 6));
  const next = state.unanswered === undefined ? state.next : [`Answer: ${shorten(state.unanswered, 200)}`];
  const sections = [
    section("Objective", shorten(state.objective ?? "", Math.min(MAX_OBJECTIVE_CHARS, share(0.1)))),
    state.summary === undefined ? "" : section("Summary", cut(state.summary, Math.floor(maxChars * 0.4))),
    list("Decisions", state.decisions, share(0.18)),
    list("State of the work", state.done, share(0.15)),
    list("Open points", state.open, share(0.12)),
    section("Files", fitNewest(state.files.map((file) => `\`${file}\``), share(0.1), ", ")),
    list("Next step", next, share(0.1)),
  ].filter((text) => text !== "");
  const used = sections.reduce((sum, text) => sum + text.length + 2, 0);
  const exchanges = renderExchanges(state.exchanges, maxChars - used - 30, nameOf);
  const content = [...sections, section("Last exchanges", exchanges)].filter((text) => text !== "").join("\n\n");
  return content.length <= maxChars ? content : cut(content, maxChars);
}

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `## ${title}\n\n${text}`;
}

/** As many of the newest as fit, in their order. */
function fitNewest(items: readonly string[], room: number, separator = "\n"): string {
  let start = items.length;
  let used = 0;
  while (start > 0) {
    const size = (items[start - 1]?.length ?? 0) + separator.length;
    if (used + size > room) break;
    used += size;
    start--;
  }
  return items.slice(start).join(separator);
}

/** The last one may take half of the room, so that the answer a successor goes on from is not cut to nothing. */
function renderExchanges(entries: readonly LogEntry[], room: number, nameOf: (party: Party) => string): string {
  const lines: string[] = [];
  let left = room;
  for (const entry of entries.toReversed()) {
    const who = `**${nameOf(entry.source)}:** `;
    const size = Math.min(Math.floor(left / 2), 1_200);
    if (size < who.length + 40) break;
    const line = `${who}${shorten(entry.text, size - who.length)}`;
    lines.unshift(line);
    left -= line.length + 2;
  }
  return lines.join("\n\n");
}

/** Keeps the lines: a summary is Markdown. */
function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.trim();
  const head = text.slice(0, maxChars - 2);
  const end = head.lastIndexOf("\n");
  return `${(end > maxChars / 2 ? head.slice(0, end) : head).replace(/[\uD800-\uDBFF]$/, "").trimEnd()}\n…`;
}

/** The last exchanges alone, for one who takes up a task and needs to know what was said. */
export function renderSoFar(state: HandoffState, { maxChars, nameOf }: RenderOptions): string {
  return renderExchanges(state.exchanges, maxChars, nameOf);
}
