/**
 * Regular expressions from outside as programs whose search takes time linear in the text (pattern_search.ts), whatever
 * the pattern: the engine's own RegExp takes exponential time for some. The syntax is that of RegExp with the flag "u",
 * without what cannot be searched so: references back, and looking ahead and behind.
 *
 * The construction is Thompson's (Programming Techniques: Regular expression search algorithm, CACM 1968).
 */
import { err, ok, type Result } from "../result.ts";

export type Instruction =
  | { readonly op: "character"; readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly op: "split"; readonly targets: readonly number[] }
  | { readonly op: "assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly op: "match" };

export type Assertion = "start" | "end" | "wordEdge" | "noWordEdge";

/** Instruction 0 is "match"; the program starts at `start`. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

export type PatternError =
  | { readonly kind: "invalidSyntax" }
  | { readonly kind: "notSupported"; readonly what: "reference" | "lookaround" | "modifiers" }
  | { readonly kind: "tooLarge" };

/** Counted repetitions are written out: a{1000} is a thousand instructions. */
const MAX_INSTRUCTIONS = 2_000;
const MAX_COUNT = 1_000;

export function parsePattern(pattern: string): Result<PatternProgram, PatternError> {
  try {
    // The syntax is checked by the engine, so what is parsed here is known to be well formed.
    new RegExp(pattern, "u");
  } catch {
    return err({ kind: "invalidSyntax" });
  }
  const tree = parseTree(pattern);
  if (!tree.ok) return tree;
  const instructions: Instruction[] = [{ op: "match" }];
  const start = emit(tree.value, 0, instructions);
  return instructions.length > MAX_INSTRUCTIONS ? err({ kind: "tooLarge" }) : ok({ instructions, start });
}

type Tree =
  | { readonly kind: "character"; readonly matches: (character: string) => boolean }
  | { readonly kind: "assert"; readonly assertion: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "choice"; readonly choices: readonly Tree[] }
  | { readonly kind: "repeat"; readonly part: Tree; readonly min: number; readonly max: number };

function parseTree(pattern: string): Result<Tree, PatternError> {
  let at = 0;
  /** The first thing that cannot be searched; the rest is parsed all the same. */
  let refused: PatternError | undefined;

  function take(text: string): boolean {
    if (!pattern.startsWith(text, at)) return false;
    at += text.length;
    return true;
  }

  function takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const found = expression.exec(pattern);
    if (found === null) return undefined;
    at += found[0].length;
    return found;
  }

  function parseChoice(): Tree {
    const choices = [parseSequence()];
    while (take("|")) choices.push(parseSequence());
    const [first] = choices;
    return choices.length === 1 && first !== undefined ? first : { kind: "choice", choices };
  }

  function parseSequence(): Tree {
    const parts: Tree[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") parts.push(parseRepeat());
    return { kind: "sequence", parts };
  }

  function parseRepeat(): Tree {
    const part = parseAtom();
    const found = takeMatch(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy);
    if (found === undefined) return part;
    const [, sign, least, comma, most] = found;
    if (sign === "*") return { kind: "repeat", part, min: 0, max: Infinity };
    if (sign === "+") return { kind: "repeat", part, min: 1, max: Infinity };
    if (sign === "?") return { kind: "repeat", part, min: 0, max: 1 };
    const min = Number(least);
    const max = comma === undefined ? min : most === "" ? Infinity : Number(most);
    if (min > MAX_COUNT || max !== Infinity && max > MAX_COUNT) refused ??= { kind: "tooLarge" };
    return { kind: "repeat", part, min, max };
  }

  function parseAtom(): Tree {
    if (take("(")) return parseGroup();
    if (take("^")) return { kind: "assert", assertion: "start" };
    if (take("$")) return { kind: "assert", assertion: "end" };
    if (take("\\b")) return { kind: "assert", assertion: "wordEdge" };
    if (take("\\B")) return { kind: "assert", assertion: "noWordEdge" };
    if (takeMatch(/\\(?:[1-9]|k<)/uy) !== undefined) refused ??= { kind: "notSupported", what: "reference" };
    // One character, however it is written: the engine matches it alone.
    const source = takeMatch(
      /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-fA-F]{4}(?:\\u[\da-fA-F]{4})?|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)|[^]/uy,
    );
    return source === undefined
      ? { kind: "sequence", parts: [] }
      : { kind: "character", matches: characterTest(source[0]) };
  }

  function parseGroup(): Tree {
    if (takeMatch(/\?<?[=!]/uy) !== undefined) refused ??= { kind: "notSupported", what: "lookaround" };
    else if (takeMatch(/\?:|\?<[^>]+>/uy) === undefined && take("?")) {
      refused ??= { kind: "notSupported", what: "modifiers" };
    }
    const inner = parseChoice();
    take(")");
    return inner;
  }

  const tree = parseChoice();
  return refused === undefined ? ok(tree) : err(refused);
}

function characterTest(source: string): (character: string) => boolean {
  if (source.length === 1 && source !== ".") return (character) => character === source;
  const expression = new RegExp(`^(?:${source})$`, "u");
  const known = new Map<string, boolean>();
  return (character) => {
    const answer = known.get(character) ?? expression.test(character);
    if (known.size < 1_000) known.set(character, answer);
    return answer;
  };
}

/**
 * Writes the instructions of a tree that go on at `next`; returns where they start. Stops writing out repetitions once
 * there are more than MAX_INSTRUCTIONS.
 */
function emit(tree: Tree, next: number, instructions: Instruction[]): number {
  const add = (instruction: Instruction): number => instructions.push(instruction) - 1;
  const isTooLarge = () => instructions.length > MAX_INSTRUCTIONS;
  switch (tree.kind) {
    case "character":
      return add({ op: "character", matches: tree.matches, next });
    case "assert":
      return add({ op: "assert", assertion: tree.assertion, next });
    case "sequence":
      return tree.parts.reduceRight((after, part) => emit(part, after, instructions), next);
    case "choice":
      return add({ op: "split", targets: tree.choices.map((choice) => emit(choice, next, instructions)) });
    case "repeat": {
      const { part, min, max } = tree;
      let start = next;
      if (max === Infinity) {
        const targets = [next];
        start = add({ op: "split", targets });
        targets.push(emit(part, start, instructions));
      } else {
        for (let count = min; count < max && !isTooLarge(); count++) {
          start = add({ op: "split", targets: [next, emit(part, start, instructions)] });
        }
      }
      for (let count = 0; count < min && !isTooLarge(); count++) {
        const after = start;
        start = emit(part, after, instructions);
        // Nothing, a thousand times.
        if (start === after) break;
      }
      return start;
    }
  }
}
