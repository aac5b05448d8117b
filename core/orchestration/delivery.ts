/**
 * What is typed into an agent's terminal, and how. Pure text and steps; the app carries the steps out.
 *
 * What must stay true: what another agent wrote reaches a terminal only as one line without control characters, so it
 * can neither submit itself, nor leave a paste, nor look like a header of IdeA. Anything longer is fetched by the agent.
 * What a person wrote is typed as they wrote it, less the bytes that would be keys.
 */
import type { AgentId, TicketId } from "../ids.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { framePaste, removePasteEnd } from "../terminals/paste.ts";
import type { OfferReason } from "./mediator_state.ts";
import type { Ticket } from "./ticket.ts";

/** Longest task that goes into the line itself. With the rest of it the line stays below what CLIs take for a paste. */
export const MAX_LINE_TASK = 400;
const MAX_NAME = 40;
const HEADER = "[IdeA ·";

/** How the agent fetches a long task and gives its answer. */
export type Channel =
  | { readonly kind: "tools" }
  /** Without MCP: paths as the agent can open them from its folder. */
  | { readonly kind: "files"; readonly inboxPath: string; readonly answerPath: string };

export interface Delivery {
  readonly text: string;
  /** To be written to the channel's inboxPath before the text is typed. */
  readonly inbox?: string;
}

export interface DeliveryRequest {
  readonly ticket: Ticket;
  readonly fromName: string;
  readonly reason: OfferReason;
  readonly channel: Channel;
}

/** The text to type for a ticket: a person's message as it is, a delegation as one line. */
export function composeDelivery(request: DeliveryRequest): Delivery {
  const { ticket, reason } = request;
  if (ticket.kind === "delegation") return composeDelegation(request);
  // The conversation already has the message: the limit only cut the turn on it.
  if (reason === "afterLimit") return { text: `${HEADER} the session limit is over] Go on with what you were doing.` };
  return { text: ticket.task };
}

function composeDelegation({ ticket, fromName, reason, channel }: DeliveryRequest): Delivery {
  const head = `${HEADER} task from ${nameForLine(fromName)} · ticket ${ticket.id}]${repeatNote(reason)}`;
  const short = shortTask(ticket.task);
  if (channel.kind === "tools") {
    const answer = `Answer with the tool idea_reply (ticket ${ticket.id}).`;
    const fetch = "Fetch the task with the tool idea_get_task, then do it.";
    return { text: `${head} ${short ?? fetch} ${answer}` };
  }
  const { inboxPath, answerPath } = channel;
  const form = JSON.stringify({ type: "agent.reply", ticket: ticket.id, result: "..." });
  const answer = `Answer by writing ${form} to ${answerPath}`;
  if (short !== undefined) return { text: `${head} ${short} ${answer}` };
  return {
    text: `${head} Read the task in ${inboxPath}, then do it. ${answer}`,
    inbox: `# Task from ${nameForLine(fromName)}, ticket ${ticket.id}\n\n${ticket.task}\n\n---\n${answer}\n`,
  };
}

/**
 * Whether a line in a program's transcript is one that IdeA typed: for a delegation (or a handoff), of which nothing is
 * the person's, or something else.
 */
export function isTypedByIdea(text: string): "delegation" | "other" | undefined {
  const line = text.trimStart();
  if (!line.startsWith(HEADER)) return undefined;
  return /^\[IdeA · (?:task from |reminder |handoff\])/.test(line) ? "delegation" : "other";
}

function repeatNote(reason: OfferReason): string {
  switch (reason) {
    case "first":
      return "";
    case "afterLimit":
      return " (again: the session limit is over, go on with it)";
    case "afterRestart":
      return " (again, after a restart: go on with it)";
    case "afterSwap":
      return " (again, for the agent's new program)";
    case "byPerson":
      return " (again)";
  }
}

/** The line for a turn that ended without an answer. */
export function composeReminder(ticketId: TicketId, channel: Channel): string {
  const how = channel.kind === "tools" ? "the tool idea_reply" : `the file ${channel.answerPath}`;
  return `${HEADER} reminder · ticket ${ticketId}] Your turn ended without an answer. Give it now with ${how}.`;
}

/** All of it fits beside the rest of a handoff. */
const HANDOFF_CHARS = 1_500;

/** Asks a program for its own handoff; what it answers is handed over as it is. */
export function composeHandoffRequest(): string {
  return `${HEADER} handoff] Another program takes up your work now. Write down what it must know, in Markdown of at ` +
    `most ${HANDOFF_CHARS} characters: objective, decisions, state of the work, open points, files touched, next step. ` +
    "Do nothing else and use no tool: your answer is handed over as it is.";
}

/** The task as part of one line, or undefined when it must be fetched to be seen as it is. */
function shortTask(task: string): string | undefined {
  const trimmed = task.trim();
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(trimmed)) return undefined;
  const line = removeControls(removePasteEnd(trimmed).replaceAll("\t", " ")).toWellFormed();
  // A header inside could pass for one of ours.
  if (line === "" || [...line].length > MAX_LINE_TASK || line.includes("[IdeA")) return undefined;
  return line;
}

/** A name that cannot be taken for anything else within the line. */
export function nameForLine(name: string): string {
  const plain = removeControls(name.replaceAll(/\s/gu, " ")).replaceAll(/[[\]·]/gu, "").replaceAll(/ +/g, " ").trim();
  return [...plain].slice(0, MAX_NAME).join("").toWellFormed() || "?";
}

// C0, DEL and C1; and the marks that turn the direction of a line or hide in it.
// deno-lint-ignore no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
// deno-lint-ignore no-control-regex
const KEYS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;

function removeControls(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

export type TypingStep =
  | { readonly kind: "write"; readonly data: string }
  | { readonly kind: "wait"; readonly ms: number }
  /** Until the program shows what was typed; when it does not, nothing that follows is done. */
  | { readonly kind: "echo"; readonly text: string; readonly timeoutMs: number }
  /** Sends the input off; in a write of its own, since CLIs take an Enter that is read with text for a line break. */
  | { readonly kind: "submit"; readonly data: string };

type ProfileInput = AgentProfile["input"];

/**
 * bracketedPaste: the program has asked for it (DEC mode 2004). Without that, or when the profile says plain, the text is
 * typed: line feeds between lines, which CLIs take for a line break and not for Enter, and no tab, which is a key.
 */
export function planDelivery(
  input: ProfileInput,
  text: string,
  terminal: { readonly bracketedPaste: boolean },
): readonly TypingStep[] {
  const clean = removePasteEnd(text).replaceAll(/\r\n?/g, "\n").replaceAll(KEYS, "").toWellFormed();
  const framed = input.paste === "bracketed" && terminal.bracketedPaste;
  const data = framed ? framePaste(clean, true) : clean.replaceAll("\t", "    ");
  const echo: readonly TypingStep[] = input.echoTimeoutMs === undefined
    ? []
    : [{ kind: "echo", text: clean, timeoutMs: input.echoTimeoutMs }];
  return [{ kind: "write", data }, ...echo, ...planSubmit(input)];
}

/** Programs that read the terminal through an event loop take keys that come at once for one. */
const KEY_GAP_MS = 150;
/** Characters of the end of a text that stand for it: with the id of its ticket, no two deliveries have the same. */
const ECHO_CHARS = 40;

/** How often the end of that text is on the screen; programs wrap it, frame it, and show a long one as a mark. */
export function countEchoes(screen: readonly string[], text: string): number {
  const plain = (part: string) => part.replaceAll(/[\s│┃]/gu, "");
  const end = [...plain(text)].slice(-ECHO_CHARS).join("");
  const marks = screen.join("\n").match(/\[pasted text/gi)?.length ?? 0;
  return end === "" ? marks : plain(screen.join("")).split(end).length - 1 + marks;
}

export function planSubmit(input: ProfileInput): readonly TypingStep[] {
  const settle: readonly TypingStep[] = input.submitDelayMs > 0 ? [{ kind: "wait", ms: input.submitDelayMs }] : [];
  return [...settle, { kind: "submit", data: input.submit }];
}

/** The keys that preempt a turn; several of them with a gap when the profile says so (two Esc read at once are one). */
export function planInterrupt(input: ProfileInput): readonly TypingStep[] {
  const gapMs = input.interruptGapMs ?? 0;
  if (gapMs === 0) return [{ kind: "write", data: input.interrupt }];
  return [...input.interrupt].flatMap((key, index): readonly TypingStep[] =>
    index === 0 ? [{ kind: "write", data: key }] : [{ kind: "wait", ms: gapMs }, { kind: "write", data: key }]
  );
}

/** Keys of a dialog, each read apart from the next. */
export function planKeys(keys: readonly string[]): readonly TypingStep[] {
  return keys.flatMap((data): readonly TypingStep[] => [{ kind: "write", data }, { kind: "wait", ms: KEY_GAP_MS }]);
}

/** Ctrl+U: takes away what is before the cursor, by lines in some programs and by rows in others (Claude Code). */
const CLEAR_ROW = "\u0015";
/** For a prompt that a person typed, of which nothing is known. */
const LEAST_CLEARS = 20;
const CLEARS_AT_ONCE = 50;
/** What an input box takes of the width at most: its frame, and words that do not fit. */
const INPUT_FRAME_COLS = 30;

/**
 * Empties the input in which that text was typed, or into which the program put it back. On an empty input the key does
 * nothing. It waits, since a key that is read together with the text after it is taken for a part of that.
 */
export function planClear(text: string, cols: number): readonly TypingStep[] {
  const width = Math.max(10, cols - INPUT_FRAME_COLS);
  // A line break between two lines is taken away by itself.
  const needed = text.split("\n").reduce((sum, line) => sum + Math.ceil((2 * line.length) / width) + 1, 0);
  const steps: TypingStep[] = [];
  for (let left = Math.max(needed, LEAST_CLEARS); left > 0; left -= CLEARS_AT_ONCE) {
    steps.push({ kind: "write", data: CLEAR_ROW.repeat(Math.min(left, CLEARS_AT_ONCE)) }, {
      kind: "wait",
      ms: KEY_GAP_MS,
    });
  }
  return steps;
}

/** Where a ticket's long text lies for an agent without MCP, relative to `.ideai/`. */
export function inboxPath(agentId: AgentId, ticketId: TicketId): string {
  return `run/${agentId}/inbox/${ticketId}.md`;
}
