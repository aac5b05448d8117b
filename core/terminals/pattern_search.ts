/**
 * Searching a text for a pattern in one pass: all ways a match can go are followed at once, and the sets of them are
 * remembered with where each character leads (an automaton that is built as far as the text needs it).
 */
import type { Assertion, Instruction, PatternProgram } from "./pattern_program.ts";

/** Beyond it the automaton is built anew: a pattern that makes very many sets costs time, not memory. */
const MAX_STATES = 1_000;

/** Where a search stands between two characters. */
interface State {
  /** Instructions to go on from, before assertions are looked at: those need the next character. */
  readonly positions: readonly number[];
  readonly afterWord: boolean;
  readonly atStart: boolean;
  readonly next: Map<string, State | "found">;
}

interface Surroundings {
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly wordBefore: boolean;
  readonly wordAfter: boolean;
}

const isWord = (character: string) => /^\w$/u.test(character);

/** true when the pattern is found anywhere in the text. */
export function createPatternSearch({ instructions, start }: PatternProgram): (text: string) => boolean {
  let states = new Map<string, State>();

  function stateOf(positions: readonly number[], afterWord: boolean, atStart: boolean): State {
    const key = `${positions.join()}${afterWord ? "w" : ""}${atStart ? "s" : ""}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (states.size >= MAX_STATES) states = new Map();
    const state: State = { positions, afterWord, atStart, next: new Map() };
    states.set(key, state);
    return state;
  }

  /** All instructions that are reached without reading; undefined when the end of the pattern is among them. */
  function reach(state: State, around: Surroundings): readonly Extract<Instruction, { op: "character" }>[] | undefined {
    const seen = new Set<number>();
    const reached: Extract<Instruction, { op: "character" }>[] = [];
    const open = [...state.positions, start];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      const instruction = instructions[position];
      if (instruction === undefined || seen.has(position)) continue;
      seen.add(position);
      if (instruction.op === "match") return undefined;
      if (instruction.op === "character") reached.push(instruction);
      else if (instruction.op === "split") open.push(...instruction.targets);
      else if (holds(instruction.assertion, around)) open.push(instruction.next);
    }
    return reached;
  }

  function step(state: State, character: string): State | "found" {
    const wordAfter = isWord(character);
    const { atStart, afterWord: wordBefore } = state;
    const reached = reach(state, { atStart, atEnd: false, wordBefore, wordAfter });
    if (reached === undefined) return "found";
    const positions = new Set<number>();
    for (const { matches, next } of reached) if (matches(character)) positions.add(next);
    return stateOf([...positions].sort((a, b) => a - b), wordAfter, false);
  }

  return (text) => {
    let state = stateOf([], false, true);
    for (const character of text) {
      const next = state.next.get(character) ?? step(state, character);
      state.next.set(character, next);
      if (next === "found") return true;
      state = next;
    }
    const { atStart, afterWord: wordBefore } = state;
    return reach(state, { atStart, atEnd: true, wordBefore, wordAfter: false }) === undefined;
  };
}

function holds(assertion: Assertion, { atStart, atEnd, wordBefore, wordAfter }: Surroundings): boolean {
  switch (assertion) {
    case "start":
      return atStart;
    case "end":
      return atEnd;
    case "wordEdge":
      return wordBefore !== wordAfter;
    case "noWordEdge":
      return wordBefore === wordAfter;
  }
}
