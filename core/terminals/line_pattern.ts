/**
 * A regular expression from outside, to be found in lines of a terminal: bounded in its length, in that of a line, and
 * in the time it takes.
 */
import { err, ok, type Result } from "../result.ts";
import { parsePattern } from "./pattern_program.ts";
import { createPatternSearch } from "./pattern_search.ts";

const MAX_PATTERN_LENGTH = 1000;
const MAX_LINE_LENGTH = 4096;

export interface LinePattern {
  /** The first line that matches. */
  find(lines: readonly string[]): string | undefined;
}

export function parseLinePattern(
  pattern: string,
): Result<LinePattern, { readonly kind: "invalidPattern"; readonly pattern: string }> {
  const invalid = err({ kind: "invalidPattern", pattern: pattern.slice(0, MAX_PATTERN_LENGTH) } as const);
  if (pattern.length > MAX_PATTERN_LENGTH) return invalid;
  const program = parsePattern(pattern);
  if (!program.ok) return invalid;
  const isIn = createPatternSearch(program.value);
  return ok({ find: (lines) => lines.find((line) => isIn(line.slice(0, MAX_LINE_LENGTH))) });
}
