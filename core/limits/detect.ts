/** The second level of knowing a limit: the profile's pattern, on what the screen shows or on what the CLI wrote. */
import { type Moment, parseResetTime } from "./reset_time.ts";

export interface DetectedLimit {
  /** The notice as it was matched, shortened: what `idea explain` shows. */
  readonly detail: string;
  readonly resetsAtMs?: number;
}

/** A screen is smaller; the bound is for text from elsewhere. */
const MAX_TEXT = 40_000;
const MAX_DETAIL = 200;
const MAX_TIME = 120;

/**
 * pattern: of the profile, with the reset time in the group named "reset", else in the first group. Of several notices the
 * last one counts. A notice may be wrapped or framed by the CLI, so rows are also tried as one line.
 */
export function detectLimit(pattern: string, rows: readonly string[], moment: Moment): DetectedLimit | undefined {
  const expression = compile(pattern);
  if (expression === undefined) return undefined;
  const asRows = lastMatch(expression, rows.join("\n").slice(-MAX_TEXT), moment);
  if (asRows?.resetsAtMs !== undefined) return asRows;
  const flowed = rows.map((row) => row.replaceAll(/[│┃║▌▐]/gu, " ").trim()).filter((row) => row !== "").join(" ");
  const asLine = lastMatch(expression, flowed.slice(-MAX_TEXT), moment);
  return asLine?.resetsAtMs !== undefined ? asLine : asRows ?? asLine;
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "gmu");
  } catch {
    return undefined;
  }
}

function lastMatch(expression: RegExp, text: string, moment: Moment): DetectedLimit | undefined {
  const match = [...text.matchAll(expression)].at(-1);
  if (match === undefined) return undefined;
  const said = match.groups?.reset ?? match[1];
  const resetsAtMs = said === undefined ? undefined : parseResetTime(said.slice(0, MAX_TIME), moment);
  const detail = match[0].replaceAll(/\s+/g, " ").trim().slice(0, MAX_DETAIL);
  return { detail, ...(resetsAtMs === undefined ? {} : { resetsAtMs }) };
}

/** Working, by what it says of itself, and silent for this long: no spinner, no output. Then the person is asked. */
export const STALL_MS = 10 * 60_000;

/** The third level: nothing said that there is a limit, and nothing moves. */
export function isStalled(
  agent: { readonly state: string; readonly sinceMs: number; readonly lastOutputMs: number },
  nowMs: number,
): boolean {
  return agent.state === "working" && nowMs - Math.max(agent.sinceMs, agent.lastOutputMs) >= STALL_MS;
}
