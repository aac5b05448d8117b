/**
 * The structured log in the data folder: one JSON object a line, rotated. It never holds secrets or what terminals show:
 * callers give facts, and what looks like a secret is cut out all the same.
 */
import { join } from "node:path";

export interface Log extends AsyncDisposable {
  info(message: string, facts: Readonly<Record<string, unknown>>): void;
  error(message: string, facts: Readonly<Record<string, unknown>>): void;
}

const FILE = "idea.jsonl";
const MAX_BYTES = 4 * 1024 * 1024;
/** idea.1.jsonl is the latest of the old ones. */
const OLD_FILES = 3;
const MAX_LINE_CHARS = 8_192;
const SECRET_NAME = /token|secret|password|authorization|cookie|api.?key/i;
/** Tokens in addresses and headers, and the long random texts that keys are. */
const SECRET_TEXT = /(token=|code=|bearer\s+)[^\s&"']+|\b[A-Za-z0-9_-]{40,}\b/gi;

/** A folder that cannot be written makes a log that says nothing: the server works without it. */
export async function openLog(folder: string): Promise<Log> {
  const path = join(folder, FILE);
  let written = 0;
  let usable = true;
  try {
    await Deno.mkdir(folder, { recursive: true });
    written = (await Deno.stat(path).catch(() => undefined))?.size ?? 0;
  } catch {
    usable = false;
  }
  let last: Promise<void> = Promise.resolve();

  async function append(line: string): Promise<void> {
    if (!usable) return;
    try {
      if (written > MAX_BYTES) {
        await rotate(folder);
        written = 0;
      }
      const bytes = new TextEncoder().encode(line);
      await Deno.writeFile(path, bytes, { append: true, create: true, mode: 0o600 });
      written += bytes.length;
    } catch {
      usable = false;
    }
  }

  function write(level: "info" | "error", message: string, facts: Readonly<Record<string, unknown>>): void {
    const line = formatLine({ time: new Date().toISOString(), level, message, ...facts });
    last = last.then(() => append(line));
  }

  return {
    info: (message, facts) => write("info", message, facts),
    error: (message, facts) => write("error", message, facts),
    [Symbol.asyncDispose]: () => last,
  };
}

export function formatLine(record: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(record, (name, value: unknown) => {
    if (SECRET_NAME.test(name)) return "[secret]";
    if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
    if (typeof value === "bigint") return String(value);
    return typeof value === "string" ? value.replaceAll(SECRET_TEXT, "$1[secret]") : value;
  });
  return `${text.slice(0, MAX_LINE_CHARS)}\n`;
}

async function rotate(folder: string): Promise<void> {
  const nameOf = (age: number) => join(folder, age === 0 ? FILE : `idea.${age}.jsonl`);
  for (let age = OLD_FILES - 1; age >= 0; age--) {
    await Deno.rename(nameOf(age), nameOf(age + 1)).catch(() => undefined);
  }
}
