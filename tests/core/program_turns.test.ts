/** The ends of turns, in whatever order hooks bring them. */
import assert from "node:assert/strict";
import {
  beginTurn,
  closeTurn,
  hearEnd,
  hearStart,
  NO_TURNS,
  type ProgramTurns,
  type TurnEnd,
  type WhoseEnd,
} from "../../core/orchestration/program_turns.ts";

type Heard =
  | readonly ["works", string?]
  | readonly ["rests"]
  | readonly ["start", string, string?]
  | readonly ["end", TurnEnd];

/** What each end was taken for. The text that was typed for the ticket in work is that of the last "works". */
function whose(...heard: readonly Heard[]): readonly WhoseEnd[] {
  let turns: ProgramTurns = NO_TURNS;
  let typed: string | undefined;
  const verdicts: WhoseEnd[] = [];
  for (const each of heard) {
    switch (each[0]) {
      case "works":
        typed = each[1];
        turns = beginTurn(turns, typed);
        break;
      case "rests":
        turns = closeTurn(turns);
        break;
      case "start":
        turns = hearStart(turns, { turnId: each[1], ...(each[2] === undefined ? {} : { prompt: each[2] }) }, typed);
        break;
      case "end": {
        const after = hearEnd(turns, each[1], typed);
        turns = after.turns;
        verdicts.push(after.whose);
      }
    }
  }
  return verdicts;
}

const end = (turnId: string, ...prompts: readonly string[]): Heard => [
  "end",
  { turnId, ...(prompts.length === 0 ? {} : { prompts }) },
];

Deno.test("turns: in order, each end is its own turn's", () => {
  assert.deepEqual(
    whose(["start", "1", "a"], ["works", "a"], end("1"), ["rests"], ["works", "b"], ["start", "2", "b"], end("2")),
    ["thisTurn", "thisTurn"],
  );
});

Deno.test("turns: an end that is heard once the next turn runs is the other's", () => {
  // Its start was heard in time.
  assert.deepEqual(whose(["works", "a"], ["start", "1", "a"], ["rests"], ["works", "b"], end("1")), ["otherTurn"]);
  // It was over before any hook was heard.
  const late: readonly Heard[] = [["start", "1", "a"], end("1"), ["start", "2", "b"], end("2")];
  assert.deepEqual(whose(["works", "a"], ["rests"], ["works", "b"], ...late), ["otherTurn", "thisTurn"]);
  // The start came between the two turns.
  assert.deepEqual(
    whose(["works", "a"], ["rests"], ["start", "1", "a"], ["works", "b"], end("1"), ["start", "2", "b"], end("2")),
    ["otherTurn", "thisTurn"],
  );
});

Deno.test("turns: an end that was heard twice is the same turn's, and nobody's later", () => {
  assert.deepEqual(
    whose(["works", "a"], ["start", "1", "a"], end("1"), end("1"), ["rests"], end("1"), ["works", "b"], end("1")),
    ["thisTurn", "thisTurn", "otherTurn", "otherTurn"],
  );
});

Deno.test("turns: without starts, by what was asked until then", () => {
  assert.deepEqual(
    whose(["works", "a"], end("1", "a"), ["rests"], ["works", "b"], end("2", "a", "b")),
    ["thisTurn", "thisTurn"],
  );
  assert.deepEqual(
    whose(["works", "a"], ["rests"], ["works", "b"], end("1", "a"), end("2", "a", "b")),
    ["otherTurn", "thisTurn"],
  );
  // A person's own turn: nothing was typed for it.
  assert.deepEqual(whose(["works"], end("1", "hello")), ["thisTurn"]);
});

Deno.test("turns: what a person adds to a turn belongs to it", () => {
  assert.deepEqual(whose(["works", "a"], ["start", "1", "a"], ["start", "2", "also"], end("2")), ["thisTurn"]);
  assert.deepEqual(whose(["works", "a"], end("1", "a", "also")), ["thisTurn"]);
});

Deno.test("turns: a prompt that the program framed or wrapped is still the one that was typed", () => {
  const task = "[IdeA · task from Ada · ticket t1] Count the files. Answer with the tool idea_reply (ticket t1).";
  const framed = `<pasted>\n${task.replace("files. ", "files.\n")}\n</pasted>`;
  assert.deepEqual(whose(["works", task], ["start", "1", framed], end("1")), ["thisTurn"]);
  // A short one may be a part of any other.
  assert.deepEqual(whose(["works", "go"], ["start", "1", "let it go"], end("1")), ["otherTurn"]);
});

Deno.test("turns: an end of no known turn is in doubt when another start was heard, and of none when none runs", () => {
  assert.deepEqual(whose(["works", "a"], ["start", "1", "a"], end("9")), ["unsure"]);
  assert.deepEqual(whose(end("9")), ["noTurn"]);
});
