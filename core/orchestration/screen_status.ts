/**
 * The worst authority: what a program's screen and title look like. A busy or attention mark counts at once; the prompt
 * counts only when it stayed without a busy mark for a while, since programs redraw in pieces and take the mark away
 * between two steps of one turn. A screen with no mark says nothing, so the state stays.
 */
import type { AgentProfile } from "../profiles/profile.ts";
import type { ProgramState } from "./status.ts";

/** Longer than any pause between two frames of a spinner that was measured, short enough not to be felt. */
export const SCREEN_SETTLE_MS = 600;

export interface ScreenView {
  /** Visible rows. */
  readonly screen: readonly string[];
  readonly title: string;
}

interface Marks {
  readonly screen: RegExp | undefined;
  readonly title: RegExp | undefined;
}

export interface ScreenPatterns {
  readonly ready: Marks;
  readonly busy: Marks;
  readonly attention: Marks;
  /** Both ends of a turn can be seen: the screen may be an authority. */
  readonly complete: boolean;
}

export interface ScreenReading {
  readonly state: Extract<ProgramState, "idle" | "working" | "blocked">;
  readonly detail: string;
}

export function screenPatterns(profile: Pick<AgentProfile, "ready" | "busy" | "attention">): ScreenPatterns {
  const { ready, busy, attention } = profile;
  const marks = (
    source: { readonly screenPattern?: string | undefined; readonly titlePattern?: string | undefined },
  ) => ({
    screen: compile(source.screenPattern),
    title: compile(source.titlePattern),
  });
  const patterns = { ready: marks(ready ?? {}), busy: marks(busy ?? {}), attention: marks(attention ?? {}) };
  return { ...patterns, complete: hasMark(patterns.ready) && hasMark(patterns.busy) };
}

function compile(pattern: string | undefined): RegExp | undefined {
  return pattern === undefined ? undefined : new RegExp(pattern, "mu");
}

function hasMark(marks: Marks): boolean {
  return marks.screen !== undefined || marks.title !== undefined;
}

/** Undefined: no mark, or not enough to tell. A prompt that stays visible during work is why busy is asked before ready. */
export function readScreen(patterns: ScreenPatterns, view: ScreenView): ScreenReading | undefined {
  const text = view.screen.join("\n");
  const attention = findMark(patterns.attention, text, view.title);
  if (attention !== undefined) return { state: "blocked", detail: attention };
  const busy = findMark(patterns.busy, text, view.title);
  if (busy !== undefined) return { state: "working", detail: busy };
  const ready = findMark(patterns.ready, text, view.title);
  return ready === undefined ? undefined : { state: "idle", detail: ready };
}

function findMark(marks: Marks, text: string, title: string): string | undefined {
  const inTitle = marks.title?.exec(title);
  if (inTitle) return `title ${JSON.stringify(inTitle[0].slice(0, 40))}`;
  const onScreen = marks.screen?.exec(text);
  return onScreen ? `screen ${JSON.stringify(onScreen[0].trim().slice(0, 40))}` : undefined;
}

/** What was last read, and since when. */
export interface ScreenWatch {
  readonly state: ScreenReading["state"] | undefined;
  readonly sinceMs: number;
  /** It was told to the status. */
  readonly told: boolean;
}

export const NEW_SCREEN_WATCH: ScreenWatch = { state: undefined, sinceMs: 0, told: false };

export interface ScreenStep {
  readonly watch: ScreenWatch;
  /** To be given to reduceStatus with source "screen". */
  readonly signal?: ScreenReading;
  /** Read the screen again after this long even if nothing was written: it counts only if it is still so. */
  readonly recheckInMs?: number;
}

export function watchScreen(watch: ScreenWatch, reading: ScreenReading | undefined, atMs: number): ScreenStep {
  if (reading === undefined) return { watch: watch.told ? watch : NEW_SCREEN_WATCH };
  const same = watch.state === reading.state;
  if (same && watch.told) return { watch };
  const sinceMs = same ? watch.sinceMs : atMs;
  const settleMs = reading.state === "idle" ? SCREEN_SETTLE_MS : 0;
  const leftMs = sinceMs + settleMs - atMs;
  if (leftMs > 0) return { watch: { state: reading.state, sinceMs, told: false }, recheckInMs: leftMs };
  return { watch: { state: reading.state, sinceMs, told: true }, signal: reading };
}
