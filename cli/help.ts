/** The texts of `idea help`, made of the table of commands. */
import {
  COMMAND_NAMES,
  type CommandName,
  EXIT,
  EXIT_MEANINGS,
  GROUPS,
  isCommandName,
  type OptionSpec,
  specOf,
} from "./commands.ts";

export function formatUsage(name: CommandName): string {
  const { takes, options } = specOf(name);
  const words = name === "open" ? ["[open]"] : [name];
  return ["idea", ...words, ...takes, ...(Object.keys(options).length > 0 ? ["[OPTIONS]"] : [])].join(" ");
}

/** Of one command, a group of them ("terminals"), or all. Undefined when there is no such command. */
export function formatHelp(words: readonly string[]): string | undefined {
  const name = words.join(" ");
  if (name === "") return overview();
  if (isCommandName(name)) return explainCommand(name);
  const alias = COMMAND_NAMES.find((command) => specOf(command).aliases?.includes(name));
  if (alias !== undefined) return explainCommand(alias);
  const group = COMMAND_NAMES.filter((command) => command.startsWith(`${name} `));
  return group.length === 0
    ? undefined
    : table(group.map((command) => [formatUsage(command), specOf(command).summary]));
}

function overview(): string {
  const groups = COMMAND_NAMES.filter((name) => !name.includes(" ") || name.endsWith(" list"));
  const rows = groups.map((name): [string, string] => {
    const isGroup = name.endsWith(" list");
    const usage = ["idea", isGroup ? name.replace(" list", " ...") : name, ...specOf(name).takes].join(" ");
    return [usage, isGroup ? GROUPS[name.replace(" list", "")] ?? "" : specOf(name).summary];
  });
  return [
    "IdeA: run AI agents that work together.",
    "",
    table(rows),
    "",
    "idea help COMMAND explains one. Exit codes:",
    table(Object.entries(EXIT).map(([key, code]) => [String(code), meaningOf(key)])),
    "",
    "IDEA_HOME is the data folder, if it is not to be the usual one.",
  ].join("\n");
}

function meaningOf(key: string): string {
  return Object.entries(EXIT_MEANINGS).find(([name]) => name === key)?.[1] ?? "";
}

function explainCommand(name: CommandName): string {
  const { summary, options, notes = [], aliases = [] } = specOf(name);
  const rows = Object.entries(options).map((
    [option, spec],
  ): [string, string] => [formatOption(option, spec), spec.summary]);
  return [
    formatUsage(name),
    "",
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...notes,
    ...(aliases.length > 0 ? [`Also called: ${aliases.map((alias) => `idea ${alias}`).join(", ")}`] : []),
    ...(rows.length > 0 ? ["", table(rows)] : []),
  ].join("\n");
}

function formatOption(option: string, { value }: OptionSpec): string {
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

/** Two columns, the first as wide as its widest. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
