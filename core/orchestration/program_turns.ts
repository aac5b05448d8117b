/**
 * Which turn of an agent's program a hook speaks of. Hooks are processes of their own and are heard by way of a file, so
 * the end of one turn may be heard when the next one runs.
 *
 * What must stay true: the end of a turn that is over neither ends nor answers the one that runs. Turns are told apart by
 * the program's own id of each, and by the prompt that began it, as far as its hooks name them.
 */

export interface ProgramTurns {
  /** From the first sign of work until its end was told. */
  readonly runs: boolean;
  /** Of the turn that runs, or ended last; several when it took up another prompt on the way. */
  readonly ids: readonly string[];
  /** A hook has named the prompt of IdeA that began it: what it takes up from now on belongs to it. */
  readonly promptSeen: boolean;
  /** Begun, as a hook said, before any sign of work. */
  readonly announced: readonly TurnStart[];
  /** The latest last. */
  readonly formerIds: readonly string[];
}

export interface TurnStart {
  readonly turnId?: string;
  readonly prompt?: string;
}

export interface TurnEnd {
  readonly turnId?: string;
  /** What was asked in the conversation so far, this turn's last; or this turn's alone. */
  readonly prompts?: readonly string[];
}

/**
 * unsure: it may be the end of this turn; what it says of the answer is not to be trusted. noTurn: none runs, and it is
 * not known to be over.
 */
export type WhoseEnd = "thisTurn" | "unsure" | "otherTurn" | "noTurn";

export const NO_TURNS: ProgramTurns = { runs: false, ids: [], promptSeen: false, announced: [], formerIds: [] };

const KEPT_IDS = 50;
/** A text of fewer characters may well be a part of another. */
const TELLING_CHARS = 40;

/** typed: what IdeA typed for the ticket in work, when it is that what the turn should have begun with. */
export function beginTurn(turns: ProgramTurns, typed: string | undefined): ProgramTurns {
  if (turns.runs) return turns;
  const begun = { ...withFormer(turns, turns.ids), runs: true, ids: [], promptSeen: false, announced: [] };
  return turns.announced.reduce<ProgramTurns>((after, start) => bind(after, start, typed), begun);
}

export function closeTurn(turns: ProgramTurns): ProgramTurns {
  return turns.runs ? { ...turns, runs: false } : turns;
}

export function hearStart(turns: ProgramTurns, start: TurnStart, typed: string | undefined): ProgramTurns {
  return turns.runs ? bind(turns, start, typed) : { ...turns, announced: [...turns.announced, start].slice(-KEPT_IDS) };
}

export function hearEnd(
  turns: ProgramTurns,
  end: TurnEnd,
  typed: string | undefined,
): { readonly turns: ProgramTurns; readonly whose: WhoseEnd } {
  const { turnId, prompts } = end;
  const over = turnId === undefined ? turns : withFormer(turns, [turnId]);
  if (turnId !== undefined && turns.formerIds.includes(turnId)) return { turns, whose: "otherTurn" };
  if (!turns.runs) {
    const announced = turns.announced.filter((start) => start.turnId !== turnId);
    return { turns: { ...over, announced }, whose: turns.ids.includes(turnId ?? "") ? "otherTurn" : "noTurn" };
  }
  if (turnId !== undefined && turns.ids.includes(turnId)) return { turns, whose: "thisTurn" };
  const isOther = typed !== undefined && !turns.promptSeen && prompts !== undefined &&
    !prompts.some((prompt) => isSamePrompt(prompt, typed));
  if (isOther) return { turns: over, whose: "otherTurn" };
  if (turnId === undefined) return { turns, whose: "thisTurn" };
  return { turns: { ...turns, ids: [...turns.ids, turnId] }, whose: turns.ids.length === 0 ? "thisTurn" : "unsure" };
}

/** Until the prompt of IdeA was named, a start with another one is heard late and was a former turn's. */
function bind(turns: ProgramTurns, { turnId, prompt }: TurnStart, typed: string | undefined): ProgramTurns {
  const isOurs = typed === undefined || prompt === undefined ? undefined : isSamePrompt(prompt, typed);
  const ids = turnId === undefined ? [] : [turnId];
  if (isOurs === false && !turns.promptSeen) return withFormer(turns, ids);
  return { ...turns, ids: [...turns.ids, ...ids], promptSeen: turns.promptSeen || isOurs === true };
}

function withFormer(turns: ProgramTurns, ids: readonly string[]): ProgramTurns {
  return ids.length === 0 ? turns : { ...turns, formerIds: [...turns.formerIds, ...ids].slice(-KEPT_IDS) };
}

/** Programs trim, wrap and frame what was typed. */
function isSamePrompt(prompt: string, typed: string): boolean {
  const [a, b] = [prompt, typed].map((text) => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());
  if (a === undefined || b === undefined) return false;
  return a === b || (b.length >= TELLING_CHARS && a.includes(b));
}
