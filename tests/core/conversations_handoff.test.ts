import assert from "node:assert/strict";
import { findClues, shorten } from "../../core/conversations/clues.ts";
import { adoptSummary, EMPTY_HANDOFF, foldHandoff, renderHandoff } from "../../core/conversations/handoff.ts";
import { formatHandoff, parseHandoff } from "../../core/conversations/handoff_document.ts";
import { formatEntry, type LogEntry, parseLog } from "../../core/conversations/log.ts";
import { createMeta, metaFormat, withParties, withProviderSession } from "../../core/conversations/meta.ts";
import { conversationIdOf, counterpartOf } from "../../core/conversations/pair.ts";
import { createId } from "../../core/ids.ts";
import type { Party } from "../../core/parties.ts";
import { formatDocument, parseDocument } from "../../core/workspace/document.ts";
import { value } from "../contracts/folder.ts";
import { createRandom } from "../helpers/random.ts";

const MAIN = createId("agent", "a6ced819-b893-4213-b003-9e9dc79b9641");
const FRONTEND = createId("agent", "af7f86da-76bc-48e1-9900-71f45a624800");
const human: Party = { kind: "human" };
const main: Party = { kind: "agent", agentId: MAIN };
const frontend: Party = { kind: "agent", agentId: FRONTEND };
const nameOf = (party: Party) => (party.kind === "agent" ? (party.agentId === MAIN ? "Main" : "Frontend") : "User");

function entry(at: number, role: "prompt" | "response", text: string): LogEntry {
  return {
    id: createId("message", `m${at}`),
    conversation: conversationIdOf(main, frontend),
    atMs: at,
    source: role === "prompt" ? main : frontend,
    role,
    text,
  };
}

const render = (entries: readonly LogEntry[], maxChars = 4_000) =>
  renderHandoff(entries.reduce(foldHandoff, EMPTY_HANDOFF), { maxChars, nameOf });

Deno.test("conversations: the pair is unordered, and its id is the one that IdeA 0.2.0 gave", () => {
  assert.equal(conversationIdOf(main, frontend), "09b15ec3-ce2f-0af2-2903-ef699df9de41");
  assert.equal(conversationIdOf(frontend, main), conversationIdOf(main, frontend));
  assert.equal(counterpartOf(conversationIdOf(main, frontend), MAIN), FRONTEND);
  assert.equal(conversationIdOf(human, main), conversationIdOf(main, human));
  const plain: Party = { kind: "agent", agentId: createId("agent", "plain") };
  const others: readonly Party[] = [human, main, frontend, plain, { kind: "external", name: "CI" }];
  const ids = others.flatMap((a) => others.map((b) => conversationIdOf(a, b)));
  assert.equal(new Set(ids).size, (others.length * (others.length + 1)) / 2);
  assert.equal(counterpartOf(conversationIdOf(human, main), createId("agent", "plain")), undefined);
});

Deno.test("conversations: a log survives foreign lines, unknown fields and repeats", () => {
  const one = { ...entry(1, "prompt", "ligne 1\nligne 2 \u2028 é 🦊"), extra: { kept: true } };
  const lines = [formatEntry(one), "not json", '{"id":"m9"}', formatEntry(entry(1, "prompt", "again")), ""];
  const { entries, unreadable } = parseLog(lines);
  assert.deepEqual(entries, [one]);
  assert.equal(unreadable, 3);
  assert.equal(formatEntry(one).includes("\n"), false);
});

Deno.test("conversations: meta keeps one provider session for each profile", () => {
  const meta = withParties(createMeta([]), [human, main]);
  const both = withProviderSession(withProviderSession(meta, "claude", "c1"), "codex", "x1");
  assert.deepEqual(both.providerSessions, { claude: "c1", codex: "x1" });
  assert.equal(withProviderSession(both, "codex", "x1"), both);
  assert.equal(withProviderSession(meta, "codex", undefined), meta);
  assert.deepEqual(withProviderSession(both, "claude", undefined).providerSessions, { codex: "x1" });
  assert.deepEqual(value(parseDocument(metaFormat, formatDocument(both))), both);
  const full = { ...both, context: { tags: ["a"] } };
  assert.deepEqual(value(parseDocument(metaFormat, formatDocument(full))), full);
});

Deno.test("handoff: the file says what it covers and who made it", () => {
  const document = { upTo: "m3", objective: 'Fix: the "wall"\nclock # 2', content: "## Objective\n\nx\n" };
  const text = formatHandoff(document, true);
  assert.deepEqual(parseHandoff(text), {
    upTo: "m3",
    objective: 'Fix: the "wall" clock # 2',
    content: "## Objective\n\nx",
    byRules: true,
  });
  assert.equal(parseHandoff(text.replace("\nx\n", "\nedited by hand\n")).byRules, false);
  assert.equal(parseHandoff(formatHandoff(document, false)).byRules, false);
  assert.equal(parseHandoff(text.replaceAll("\n", "\r\n")).byRules, true);
  assert.deepEqual(parseHandoff("just text"), { content: "just text", byRules: false });
  const old = "---\nupTo: m1\nobjective: [Ping] a: b\n---\n**Objectif :** [Ping]\n\n- **Prompt:** x\n";
  assert.deepEqual(parseHandoff(old), {
    upTo: "m1",
    objective: "[Ping] a: b",
    content: "**Objectif :** [Ping]\n\n- **Prompt:** x",
    byRules: true,
  });
});

Deno.test("handoff: what matters is found in English and in French, and nothing is made up", () => {
  const text = `
**Décision** : on garde l'epoll, pas d'io_uring.
- We decided to keep the log as JSON Lines.
1. Le parseur est terminé, 24 tests verts.
The parser is fixed in \`core/limits/parse.ts\` and README.md.
- Il reste à brancher le bouton Annuler.
Should the port be fixed?
Prochaine étape : relire \`web/ui/state/agents.ts\`.
\`\`\`
we decided nothing here, it is code: src/example.ts
\`\`\`
See https://example.org/a/b.html and and/or 24/7.`;
  const clues = findClues(text);
  assert.deepEqual(clues, {
    decisions: ["Décision : on garde l'epoll, pas d'io_uring.", "We decided to keep the log as JSON Lines."],
    done: ["Le parseur est terminé, 24 tests verts.", "The parser is fixed in `core/limits/parse.ts` and README.md."],
    open: ["Il reste à brancher le bouton Annuler.", "Should the port be fixed?"],
    next: ["Prochaine étape : relire `web/ui/state/agents.ts`."],
    files: ["core/limits/parse.ts", "README.md", "web/ui/state/agents.ts", "src/example.ts"],
  });
});

Deno.test("handoff: a long job in short, with what a successor needs", () => {
  const log = [
    entry(
      1,
      "prompt",
      "Build the limits feature: detect the notices of usage limits on the screen, and plan a resume.",
    ),
    entry(
      2,
      "response",
      "We decided to read the screen, not the bytes. The detector is done in core/limits/detect.ts.",
    ),
    entry(3, "prompt", "ok"),
    entry(4, "response", "Tests pass. Still open: daylight saving. Next step: the plan that survives a restart."),
  ];
  const { upTo, objective, content } = render(log);
  assert.equal(upTo, "m4");
  assert.equal(
    objective,
    "Build the limits feature: detect the notices of usage limits on the screen, and plan a resume.",
  );
  const titles = [...content.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  const expected = [
    "Objective",
    "Decisions",
    "State of the work",
    "Open points",
    "Files",
    "Next step",
    "Last exchanges",
  ];
  assert.deepEqual(titles, expected);
  assert.match(content, /- We decided to read the screen, not the bytes\./);
  assert.match(content, /`core\/limits\/detect\.ts`/);
  assert.match(content, /\*\*Frontend:\*\* Tests pass\./);
  const asked = render([...log, entry(5, "prompt", "And the button?")]).content;
  assert.match(asked, /## Next step\n\n- Answer: And the button\?/);
});

Deno.test("handoff: whatever the log holds, it is bounded and follows the last message", () => {
  const random = createRandom(4);
  const words = [
    "decided",
    "done",
    "reste à",
    "next step",
    "core/a/b.ts",
    "🦊",
    "x".repeat(300),
    "?\n",
    "- ",
    "```",
    "é. ",
  ];
  for (let round = 0; round < 100; round++) {
    let state = EMPTY_HANDOFF;
    for (let at = 1; at <= 30; at++) {
      const text = Array.from({ length: random.int(200) }, () => random.pick(words)).join(" ");
      state = foldHandoff(state, entry(at, random.pick(["prompt", "response"] as const), text));
      if (random.int(20) === 0) state = adoptSummary(state, { content: text });
      const maxChars = 300 + random.int(4_000);
      const { content, upTo } = renderHandoff(state, { maxChars, nameOf });
      assert.ok(content.length <= maxChars, `${content.length} of ${maxChars}`);
      assert.ok(content.isWellFormed());
      assert.equal(upTo, `m${at}`);
    }
  }
});

Deno.test("handoff: hostile texts take no time", () => {
  const hostile = [
    "a".repeat(300_000),
    "a-".repeat(100_000),
    "a/".repeat(100_000),
    "a.".repeat(100_000),
    "` ".repeat(99_999),
  ];
  const startMs = performance.now();
  for (const text of hostile) findClues(text);
  const tookMs = performance.now() - startMs;
  // Linear work takes milliseconds; anything worse takes minutes.
  assert.ok(tookMs < 5_000, `${tookMs} ms`);
});

Deno.test("handoff: somebody's own summary stays in it, and the log goes on after it", () => {
  const log = [1, 2, 3].map((at) =>
    entry(at, at % 2 === 1 ? "prompt" : "response", `message number ${at} was decided`)
  );
  const summary = { upTo: "m2", objective: "Ship it", content: "## Where we are\n\nHalf way." };
  const state = adoptSummary(log.reduce(foldHandoff, EMPTY_HANDOFF), summary);
  const after = renderHandoff(foldHandoff(state, entry(4, "response", "All green now.")), { maxChars: 4_000, nameOf });
  assert.equal(after.objective, "Ship it");
  assert.match(after.content, /## Summary\n\n## Where we are\n\nHalf way\./);
  assert.match(after.content, /message number 3/);
  assert.doesNotMatch(after.content, /message number [12]/);
  assert.match(after.content, /All green now/);
});

Deno.test("handoff: shortening never cuts a character in two", () => {
  assert.equal(shorten("a🦊b", 3), "a…");
  assert.equal(shorten("  a \n b ", 10), "a b");
});
