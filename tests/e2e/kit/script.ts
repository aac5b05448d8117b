/**
 * What the scripted model does. The prompt itself says it, so a test needs no side channel:
 *
 *   [[say TEXT]]              answer TEXT
 *   [[tool NAME {"a":1}]]     call the offered tool NAME (mcp__idea__NAME, idea_NAME ... count as it)
 *   [[slow SECONDS TEXT]]     stream for SECONDS, one piece every half second, then TEXT
 *   [[hang SECONDS]]          accept the request and send no byte for SECONDS
 *   [[limit KIND:SECONDS]]    the API's own usage limit error, reset in SECONDS (kinds: see each server)
 *   [[error STATUS MESSAGE]]  any other HTTP error
 *   [[after SECONDS STEP]]    any of these, later
 *   [[think THOUGHT => STEP]] any of these, with that thought before it where the API has thoughts
 *
 * Directives of one user message are played in order, one a request: the position is the number of tool results that
 * came after that message. When they are used up and a tool was called, the answer is `RESULT <<tool result>>`; with no
 * directive at all it is `ECHO (N lines) <<first 160 characters>>`. Rules, given by the test, go before directives.
 */

export type Step = Act & { readonly afterSeconds?: number; readonly thought?: string };

type Act =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: unknown }
  | { readonly kind: "slow"; readonly seconds: number; readonly text: string }
  | { readonly kind: "hang"; readonly seconds: number; readonly text: string }
  | { readonly kind: "limit"; readonly limit: string; readonly resetSeconds: number | undefined }
  | { readonly kind: "error"; readonly status: number; readonly text: string };

/** What a request to a model asks, whatever the API: the last words of a person and the tool results since. */
export interface Turn {
  readonly userText: string;
  readonly results: readonly string[];
}

export interface Rule {
  /** Matched against the last user text. */
  readonly match: RegExp;
  /** Directives without their brackets, in order: "say hi", `tool idea_reply {"result":"391"}`. */
  readonly steps: readonly string[];
}

export function parseStep(text: string): Step {
  const [, verb = "", rest = ""] = /^\s*(\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const body = rest.trim();
  const [, first = "", after = ""] = /^(\S*)\s*([\s\S]*)$/.exec(body) ?? [];
  switch (verb) {
    case "say":
      return { kind: "say", text: body };
    case "tool":
      return { kind: "tool", name: first, input: parseInput(after) };
    case "slow":
      return { kind: "slow", seconds: Number(first), text: after || "slow done" };
    case "hang":
      return { kind: "hang", seconds: Number(first), text: "hang done" };
    case "think": {
      const [, thought = "", then = ""] = /^([\s\S]*?) => ([\s\S]*)$/.exec(body) ?? [];
      return { ...parseStep(then), thought };
    }
    case "after":
      return { ...parseStep(after), afterSeconds: Number(first) };
    case "error":
      return { kind: "error", status: Number(first), text: after || "scripted error" };
    case "limit": {
      const [kind = "", seconds] = body.split(":");
      return { kind: "limit", limit: kind, resetSeconds: seconds === undefined ? undefined : Number(seconds) };
    }
    default:
      throw new Error(`no such step: ${text}`);
  }
}

function parseInput(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    // opencode run MESSAGE escapes the quotes of its arguments.
    return JSON.parse(text.replaceAll('\\"', '"'));
  }
}

export function nextStep({ userText, results }: Turn, rules: readonly Rule[]): Step {
  const steps = rules.find(({ match }) => match.test(userText))?.steps ?? directives(userText);
  const step = steps[results.length];
  if (step !== undefined) return parseStep(step);
  const last = results.at(-1);
  if (last !== undefined) return { kind: "say", text: `RESULT <<${last}>>` };
  return { kind: "say", text: `ECHO (${userText.split("\n").length} lines) <<${userText.slice(0, 160)}>>` };
}

function directives(text: string): readonly string[] {
  return [...text.matchAll(/\[\[((?:say|tool|slow|hang|limit|error|after|think)\b[\s\S]*?)\]\](?!\])/g)].map((
    [, step = ""],
  ) => step);
}

/** The offered tool that a short name means; the name itself when none is offered. */
export function findTool(offered: readonly string[], name: string): string {
  const separators = ["__", "_", "-", "."];
  return offered.find((tool) => tool === name) ??
    separators.flatMap((separator) => offered.filter((tool) => tool.endsWith(separator + name)))[0] ??
    name;
}

/** A text in the pieces in which a model streams it. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [""];
}
