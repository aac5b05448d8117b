/**
 * From the words of a command line to a command. Pure: touches neither files nor the server. What a command takes is in
 * commands.ts; here values become numbers and sizes, and everything that is wrong gets a reason.
 */
import { parseArgs } from "node:util";
import { err, ok, type Result } from "../core/result.ts";
import { COMMAND_NAMES, type CommandName, isCommandName, specOf } from "./commands.ts";

export interface Parsed {
  readonly name: CommandName;
  /** In the order of `takes`; optional ones may be missing. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | true>>;
}

export type UsageError =
  | { readonly kind: "unknownCommand"; readonly given: string; readonly near: readonly string[] }
  | { readonly kind: "unknownOption"; readonly command: CommandName; readonly option: string }
  | { readonly kind: "missingValue"; readonly command: CommandName; readonly option: string }
  | { readonly kind: "unexpectedValue"; readonly command: CommandName; readonly option: string }
  | { readonly kind: "missingArgument"; readonly command: CommandName; readonly argument: string }
  | { readonly kind: "tooManyArguments"; readonly command: CommandName; readonly extra: string }
  | { readonly kind: "onlyOneOf"; readonly command: CommandName; readonly options: readonly string[] }
  | {
    readonly kind: "invalidValue";
    readonly command: CommandName;
    readonly of: string;
    readonly given: string;
    readonly expected: string;
  };

export function parseCommandLine(argv: readonly string[]): Result<Parsed, UsageError> {
  const [first] = argv;
  if (first === undefined) return ok({ name: "open", args: [], options: {} });
  if (first === "--help" || first === "-h") return ok({ name: "help", args: [], options: {} });
  if (first === "--version" || first === "-v") return ok({ name: "version", args: [], options: {} });
  const found = findCommand(argv);
  return found.ok ? parseRest(found.value, argv) : found;
}

interface Found {
  readonly name: CommandName;
  /** How many words of the command line name it; `idea terminals` is one for "terminals list". */
  readonly words: number;
}

function findCommand(argv: readonly string[]): Result<Found, UsageError> {
  const [first = "", second = ""] = argv;
  const two = `${first} ${second}`;
  if (isCommandName(two)) return ok({ name: two, words: 2 });
  if (isCommandName(first)) return ok({ name: first, words: 1 });
  const alias = COMMAND_NAMES.find((name) => specOf(name).aliases?.includes(first));
  if (alias !== undefined) return ok({ name: alias, words: 1 });
  const group = COMMAND_NAMES.filter((name) => name.startsWith(`${first} `));
  if (group.length > 0) {
    const list = `${first} list`;
    if ((second === "" || second.startsWith("-")) && isCommandName(list)) return ok({ name: list, words: 1 });
    return err({ kind: "unknownCommand", given: two, near: group });
  }
  const near = COMMAND_NAMES.filter((name) => name.startsWith(first) || distance(name, first) <= 2);
  return err({ kind: "unknownCommand", given: first, near });
}

function parseRest({ name, words }: Found, argv: readonly string[]): Result<Parsed, UsageError> {
  const spec = specOf(name);
  const typed = argv.slice(0, words);
  const types = Object.entries(spec.options).map(([option, { value }]) =>
    [option, { type: value === undefined ? "boolean" as const : "string" as const }] as const
  );
  const { tokens } = parseArgs({
    args: argv.slice(words),
    options: { ...Object.fromEntries(types), help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const args: string[] = [];
  const options: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "help") return ok({ name: "help", args: typed, options: {} });
    const known = spec.options[token.name];
    const option = token.rawName;
    if (known === undefined) return err({ kind: "unknownOption", command: name, option });
    if (known.value === undefined) {
      if (token.value !== undefined) return err({ kind: "unexpectedValue", command: name, option });
      options[token.name] = true;
    } else {
      if (token.value === undefined) return err({ kind: "missingValue", command: name, option });
      options[token.name] = token.value;
    }
  }
  return checkArity(name, { args, options });
}

function checkArity(name: CommandName, parsed: Omit<Parsed, "name">): Result<Parsed, UsageError> {
  const { takes } = specOf(name);
  const missing = takes.slice(parsed.args.length).find((argument) => !argument.startsWith("["));
  if (missing !== undefined) return err({ kind: "missingArgument", command: name, argument: missing });
  const extra = parsed.args[takes.length];
  if (extra !== undefined && !takes.at(-1)?.endsWith("...]")) {
    return err({ kind: "tooManyArguments", command: name, extra });
  }
  return ok({ name, ...parsed });
}

/** How many letters must change, be added or taken away: for "did you mean". */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The one of these options that is given, if any: each says something that the others contradict. */
export function readChoice<const O extends string>(
  { name, options }: Parsed,
  choices: readonly O[],
): Result<O | undefined, UsageError> {
  const [given, second] = choices.filter((option) => options[option] !== undefined);
  if (second === undefined) return ok(given);
  return err({ kind: "onlyOneOf", command: name, options: choices.map((option) => `--${option}`) });
}

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/** A whole number given as an option, or undefined when the option is not given. */
export function readNumber(
  parsed: Parsed,
  option: string,
  { min, max }: NumberBounds,
): Result<number | undefined, UsageError> {
  const given = parsed.options[option];
  if (typeof given !== "string") return ok(undefined);
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= min && number <= max) return ok(number);
  const expected = `a whole number from ${min} to ${max}`;
  return err({ kind: "invalidValue", command: parsed.name, of: `--${option}`, given, expected });
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** "120x40". */
export function readSize(command: CommandName, of: string, given: string): Result<Size, UsageError> {
  const [, cols, rows] = (/^(\d{1,4})x(\d{1,4})$/.exec(given) ?? []).map(Number);
  const fits = (cells: number | undefined) => cells !== undefined && cells >= 1 && cells <= 1000;
  if (cols !== undefined && rows !== undefined && fits(cols) && fits(rows)) return ok({ cols, rows });
  return err({ kind: "invalidValue", command, of, given, expected: "columns x rows, each from 1 to 1000, as 120x40" });
}
