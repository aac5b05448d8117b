/**
 * The state of an agent's program, from signals, with one authority per session: program status (OSC 7501), else hooks,
 * else the screen. Two are never mixed, since they disagree for moments and each would undo the other.
 *
 * What must stay true: a better authority takes over when it is first heard, a worse one is never heard again in that
 * session; in doubt the state does not change. A limit is known by other means and outlasts what the program says of
 * itself, until it works again or the limit is lifted.
 */
import type { AgentStateKind } from "./commands.ts";

export type Authority = "programStatus" | "hooks" | "screen";

/** What a program can say of itself. */
export type ProgramState = "idle" | "working" | "blocked" | "done" | "error";

export type StatusSignal =
  & { readonly atMs: number; /** What exactly said so: "OSC 7501 working", "hook Stop". */ readonly detail: string }
  & (
    | { readonly source: Authority; readonly state: ProgramState }
    | { readonly source: "process"; readonly state: "starting" | "stopped" | "error" }
    | { readonly source: "limit"; readonly state: "limited" | "lifted" }
  );

export interface StatusChange {
  readonly atMs: number;
  readonly state: AgentStateKind;
  readonly signal: string;
}

export interface Status {
  readonly state: AgentStateKind;
  /** Undefined until one is heard. */
  readonly authority: Authority | undefined;
  /** Which sources the profile allows to have the say; a source that tells only half (no busy, no end) must not. */
  readonly allowed: readonly Authority[];
  readonly signal: string;
  readonly sinceMs: number;
  /** The latest changes, newest first. */
  readonly history: readonly StatusChange[];
}

const MAX_HISTORY = 20;
const RANK: Readonly<Record<Authority, number>> = { screen: 1, hooks: 2, programStatus: 3 };

export function createStatus(allowed: readonly Authority[], atMs: number): Status {
  return { state: "stopped", authority: undefined, allowed, signal: "not running", sinceMs: atMs, history: [] };
}

export interface StatusStep {
  readonly status: Status;
  /** The state is another, or a turn ended within one observation (done after done). */
  readonly changed: boolean;
}

export function reduceStatus(status: Status, signal: StatusSignal): StatusStep {
  switch (signal.source) {
    case "process":
      // Another program: whoever had the say for the last one is forgotten.
      return change({ ...status, authority: undefined }, signal.state, signal);
    case "limit":
      if (signal.state === "limited") return change(status, "limited", signal);
      return status.state === "limited" ? change(status, "idle", signal) : { status, changed: false };
    default:
      return reduceProgram(status, signal.source, signal);
  }
}

function reduceProgram(
  status: Status,
  source: Authority,
  signal: StatusSignal & { readonly state: ProgramState },
): StatusStep {
  const unchanged = { status, changed: false };
  if (!status.allowed.includes(source) || status.state === "stopped") return unchanged;
  if (status.authority !== undefined && RANK[source] < RANK[status.authority]) return unchanged;
  const heard = { ...status, authority: source };
  // At its prompt, or complaining: that is what a limited program looks like.
  if (status.state === "limited" && signal.state !== "working") return { status: heard, changed: false };
  return change(heard, signal.state, signal);
}

function change(status: Status, state: AgentStateKind, signal: StatusSignal): StatusStep {
  // A hook or program status that says "done" again tells of another turn; anything else said twice tells nothing.
  const again = state === "done" && signal.atMs > status.sinceMs;
  if (state === status.state && !again) return { status, changed: false };
  const entry: StatusChange = { atMs: signal.atMs, state, signal: signal.detail };
  return {
    changed: true,
    status: {
      ...status,
      state,
      signal: signal.detail,
      sinceMs: signal.atMs,
      history: [entry, ...status.history].slice(0, MAX_HISTORY),
    },
  };
}

/** What a change means to the mediator; limits, starts and stops are told to it by those who know more about them. */
export function turnSignal(state: AgentStateKind): "agentBusy" | "agentIdle" | "agentBlocked" | undefined {
  switch (state) {
    case "working":
      return "agentBusy";
    case "idle":
    case "done":
    case "error":
      return "agentIdle";
    case "blocked":
      return "agentBlocked";
    case "stopped":
    case "starting":
    case "limited":
      return undefined;
  }
}
