/**
 * The environment as CreateProcessW wants it: NAME=value, zero, ..., zero, in UTF-16, sorted by name without regard to
 * case. Names that differ in case only are the same variable there: the last one counts.
 */
import { utf16 } from "./layout.ts";

/** undefined when a name or value cannot be written: it would become another variable, or end the block. */
export function environmentBlock(env: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> | undefined {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    // A leading "=" is cmd.exe's own way to remember the folder of each drive.
    if (name === "" || name.includes("=", 1) || name.includes("\0") || value.includes("\0")) return undefined;
    variables.set(name.toUpperCase(), `${name}=${value}`);
  }
  const sorted = [...variables].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, text]) => text);
  // An empty block is two zeros as well.
  return utf16(sorted.length === 0 ? "\0" : sorted.map((text) => `${text}\0`).join(""));
}
