/** A regular expression from outside, to be found in lines of a terminal: bounded in length, and so is every line. */
import { err, ok, type Result } from "../result.ts";

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
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return invalid;
  }
  return ok({ find: (lines) => lines.find((line) => expression.test(line.slice(0, MAX_LINE_LENGTH))) });
}
