/** Transcripts as the real CLIs wrote them: a first turn, a delegation, a resume, and (Claude) an interrupted turn. */
import assert from "node:assert/strict";
import { createClaudeCli, parseClaudeTurns } from "../../adapters/profiles/claude.ts";
import { createCodexCli, parseCodexTurns } from "../../adapters/profiles/codex.ts";
import type { AgentCli, TranscriptTurn } from "../../core/ports/agent_cli.ts";

const linesOf = (name: string) =>
  Deno.readTextFileSync(new URL(`../fixtures/transcripts/${name}.jsonl`, import.meta.url)).trimEnd().split("\n");

const TASK = "[IdeA · task from Ada · ticket t1] Count the files. [[say There are three.]] " +
  "Answer with the tool idea_reply (ticket t1).";

Deno.test("transcripts: claude 2.1.332, with what it thought, without its own notes", () => {
  const lines = linesOf("claude-2.1.332");
  const { turns } = parseClaudeTurns(lines);
  assert.deepEqual(turns.map(({ role, text, thinking }) => [role, text, thinking]), [
    ["prompt", "How long does it take? Please think about it. [[say About two hours.]]", undefined],
    ["response", "About two hours.", "The question is easy, so the answer is short."],
    ["prompt", TASK, undefined],
    ["response", "There are three.", undefined],
    ["prompt", "Write it down.\nIn two lines. [[say Written.]]", undefined],
    ["response", "Written.", undefined],
    ["prompt", "long one [[slow 20 late]]", undefined],
    ["response", "tick 0 tick 1 tick 2 tick 3 tick 4 tick 5 tick 6", undefined],
  ]);
  assert.deepEqual(turns[0], {
    key: "407941fa-a4e8-43e2-90c4-5ec7cd138ddc",
    atMs: Date.parse("2026-11-30T16:08:54.265Z"),
    role: "prompt",
    text: "How long does it take? Please think about it. [[say About two hours.]]",
  });
  assert.equal(new Set(turns.map(({ key }) => key)).size, turns.length);
});

Deno.test("transcripts: codex 0.171.0, once although it writes every message twice", () => {
  const { turns } = parseCodexTurns(linesOf("codex-0.171.0"));
  assert.deepEqual(turns.map(({ role, text }) => [role, text]), [
    ["prompt", "How long does it take? Please think about it. [[say About two hours.]]"],
    ["response", "About two hours."],
    ["prompt", TASK],
    ["response", "There are three."],
    ["prompt", "Write it down.\nIn two lines. [[say Written.]]"],
    ["response", "Written."],
  ]);
  assert.equal(new Set(turns.map(({ key }) => key)).size, turns.length);
});

/** The turns of a transcript that is read after every line that is written. */
async function readWhileWritten(cli: AgentCli, lines: readonly string[]): Promise<readonly TranscriptTurn[]> {
  const path = await Deno.makeTempFile();
  try {
    const turns: TranscriptTurn[] = [];
    let offset = 0;
    for (const line of lines) {
      await Deno.writeTextFile(path, `${line}\n`, { append: true });
      const chunk = await cli.readTranscript(path, offset);
      turns.push(...chunk.turns);
      offset = chunk.nextOffset;
    }
    assert.equal(offset, (await Deno.stat(path)).size);
    return turns;
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("transcripts: read while it is written, the same as at once: no thought is lost between two reads", async () => {
  const claude = linesOf("claude-2.1.332");
  assert.deepEqual(await readWhileWritten(createClaudeCli(), claude), parseClaudeTurns(claude).turns);
  const item = (id: string, type: string, more: object) =>
    JSON.stringify({
      timestamp: "2026-11-30T14:22:16.594Z",
      type: "event_msg",
      payload: { type: "item_completed", item: { type, id, ...more } },
    });
  const codex = [
    item("1", "UserMessage", { content: [{ text: "how much?" }] }),
    item("2", "Reasoning", { summary_text: ["First this."] }),
    item("3", "Reasoning", { summary_text: ["Then that."] }),
    item("4", "AgentMessage", { content: [{ text: "391" }] }),
  ];
  const turns = await readWhileWritten(createCodexCli(), codex);
  assert.deepEqual(turns, parseCodexTurns(codex).turns);
  assert.deepEqual(turns.at(-1)?.thinking, "First this.\nThen that.");
});
