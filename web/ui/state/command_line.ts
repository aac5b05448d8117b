/** Arguments as one editable line, and back: spaces separate, quotes keep together, a backslash takes the next letter. */

export function formatArgs(args: readonly string[]): string {
  return args.map((arg) => /^[\w@%+=:,./{}~-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`).join(" ");
}

/** Undefined when a quote is not closed. */
export function parseArgs(line: string): readonly string[] | undefined {
  const args: string[] = [];
  let current: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (char === "\\" && quote === '"') current = (current ?? "") + line.charAt(++at);
      else current = (current ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      current ??= "";
    } else if (char === "\\") {
      current = (current ?? "") + line.charAt(++at);
    } else if (/\s/.test(char)) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else {
      current = (current ?? "") + char;
    }
  }
  if (quote !== undefined) return undefined;
  return current === undefined ? args : [...args, current];
}

/** NAME=value, one a line. */
export function formatEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`).join("\n");
}

export type ParsedEnv =
  | { readonly kind: "env"; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: "notAnAssignment"; readonly line: string };

export function parseEnv(text: string): ParsedEnv {
  const env: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const match = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line);
    if (match === null) return { kind: "notAnAssignment", line };
    env[match[1] ?? ""] = match[2] ?? "";
  }
  return { kind: "env", env };
}
