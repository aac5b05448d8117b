/** The page's pure decisions: what needs the person, what a cell shows, where something new goes, what the keys mean. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import type { LayoutNode } from "../../core/layout/tree.ts";
import { leavesOf } from "../../core/layout/tree.ts";
import { collectAttention } from "../../web/ui/state/attention.ts";
import { agentsToResume, contentOf, planCell, terminalsWithoutCell } from "../../web/ui/state/cells.ts";
import { formatArgs, formatEnv, parseArgs, parseEnv } from "../../web/ui/state/command_line.ts";
import { listDelegations } from "../../web/ui/state/delegations.ts";
import { parseEvent } from "../../web/ui/state/events.ts";
import { placeCells } from "../../web/ui/state/geometry.ts";
import { addSent, emptyHistory, recallNewer, recallOlder } from "../../web/ui/state/history.ts";
import { scoreMatch, searchBy } from "../../web/ui/state/search.ts";
import { commandOf, keyCaps, shortcuts } from "../../web/ui/state/shortcuts.ts";
import { summariseStates } from "../../web/ui/state/status.ts";
import { mergeMessages } from "../../web/ui/state/thread.ts";
import { formatAgo, formatCountdown, formatDuration } from "../../web/ui/state/time.ts";
import { createToasts } from "../../web/ui/state/toasts.ts";
import { en } from "../../web/ui/words/en.ts";
import { fr } from "../../web/ui/words/fr.ts";
import { pickLanguage } from "../../web/ui/words/words.ts";
import { agent, leaf, projectId, split, terminal, ticket } from "../helpers/page_scenario.ts";
import { createRandom } from "../helpers/random.ts";

const cell = (id: string) => createId("cell", id);
const session = (id: string) => createId("session", id);
const leafOf = (node: LayoutNode) => {
  assert.ok(node.type === "leaf");
  return node.node;
};

Deno.test("a tab shows what needs a person before what only goes on", () => {
  assert.equal(summariseStates([]), "stopped");
  assert.equal(summariseStates([{ state: "idle" }, { state: "working" }]), "working");
  assert.equal(summariseStates([{ state: "working" }, { state: "limited" }, { state: "blocked" }]), "blocked");
});

Deno.test("attention: blocked first, then undelivered tasks, limits, agents without a profile", () => {
  const { profileName: _, ...stray } = agent("Stray");
  const items = collectAttention([{
    projectId,
    projectName: "shop",
    agents: [
      agent("Calm", { state: "working" }),
      agent("Lim", { state: "limited", limit: { source: "screen", sinceMs: 1, detail: "limit", resetsAtMs: 5 } }),
      stray,
      agent("Ask", { state: "blocked", stateSinceMs: 9 }),
      agent("Earlier", { state: "blocked", stateSinceMs: 4 }),
      agent("Slow", { state: "working", limit: { source: "suspected", sinceMs: 1, detail: "no output" } }),
    ],
    tickets: [
      ticket("human", "calm", { state: "delivering", needsAttention: true, task: "do\nit" }),
      ticket("human", "calm", { state: "answered", needsAttention: true }),
      ticket("human", "calm"),
    ],
  }]);
  assert.deepEqual(items.map(({ kind, agentName }) => [kind, agentName]), [
    ["blocked", "Earlier"],
    ["blocked", "Ask"],
    ["ticket", "Calm"],
    ["suspected", "Slow"],
    ["limited", "Lim"],
    ["profile", "Stray"],
  ]);
  assert.equal(items[2]?.detail, "do");
  assert.equal(items[4]?.resetsAtMs, 5);
});

Deno.test("a cell shows the agent that lives in it, and its session there only", () => {
  const live = agent("A", { state: "idle", sessionId: session("s"), cellId: cell("one") });
  const things = { agents: [live], terminals: [] };
  const sessionIn = (node: LayoutNode) => {
    const content = contentOf(leafOf(node), things);
    return content.kind === "agent" ? content.sessionId : content.kind;
  };
  assert.equal(sessionIn(leaf("one")), "s");
  assert.equal(sessionIn(leaf("two", { agent: "a" })), undefined);
  assert.equal(sessionIn(leaf("three")), "empty");
  assert.equal(sessionIn(leaf("four", { agent: "nobody" })), "gone");
  assert.equal(sessionIn(leaf("five", { session: "lost" })), "gone");
});

Deno.test("a session of an agent that the layout knows as a session only is shown as the agent", () => {
  const content = contentOf(leafOf(leaf("x", { session: "s" })), {
    agents: [agent("A")],
    terminals: [terminal("s", { agentId: createId("agent", "a") })],
  });
  assert.ok(content.kind === "agent" && content.sessionId === "s");
});

Deno.test("something new goes into the focused empty cell, another empty one, or half of the largest", () => {
  const { cells } = placeCells({
    root: split("r", "row", [leaf("a", { session: "s" }), split("c", "column", [leaf("b"), leaf("d")])]),
  });
  const isEmpty = (one: { readonly session?: string }) => one.session === undefined;
  const plan = (focused: string, empty = isEmpty) =>
    planCell({ cells, focused: cell(focused), isEmpty: empty, aspect: 1.6 });
  assert.deepEqual(plan("d"), { kind: "use", cellId: "d" });
  assert.deepEqual(plan("a"), { kind: "use", cellId: "b" });
  assert.deepEqual(plan("a", () => false), { kind: "split", cellId: "a", side: "below" });
  assert.equal(planCell({ cells: [], focused: undefined, isEmpty, aspect: 1 }), undefined);
});

Deno.test("a single wide cell is halved side by side", () => {
  const { cells } = placeCells({ root: leaf("a") });
  const plan = planCell({ cells, focused: undefined, isEmpty: () => false, aspect: 1.6 });
  assert.deepEqual(plan, { kind: "split", cellId: "a", side: "right" });
});

Deno.test("resume offers agents that ran and do not, and that can be launched", () => {
  const ran = (id: string, who: string): LayoutNode => {
    const node = leafOf(leaf(id, { agent: who }));
    return { type: "leaf", node: { ...node, agentWasRunning: true } };
  };
  const root = split("r", "row", [
    ran("1", "stopped"),
    ran("2", "live"),
    ran("3", "stray"),
    leaf("4", { agent: "other" }),
  ]);
  const { profileName: _, ...stray } = agent("Stray");
  const offered = agentsToResume(leavesOf({ root }), [
    agent("Stopped"),
    agent("Live", { state: "idle", sessionId: session("s") }),
    stray,
    agent("Other"),
  ]);
  assert.deepEqual(offered.map(({ agent: { name }, cellId }) => [name, cellId]), [["Stopped", "1"]]);
});

Deno.test("terminals that no cell shows can be brought back; ended ones and agents' are not among them", () => {
  const shown = leafOf(leaf("a", { session: "s1" }));
  const list = terminalsWithoutCell([
    terminal("s1"),
    terminal("s2"),
    terminal("s3", { exit: { kind: "exited", code: 0 } }),
    terminal("s4", { agentId: createId("agent", "a") }),
  ], [shown]);
  assert.deepEqual(list.map(({ sessionId }) => sessionId), ["s2"]);
});

Deno.test("delegations: the newest first, below each what it led to", () => {
  const at = (state: "queued" | "accepted" | "answered", atMs: number) => ({ state, atMs, cause: "" });
  const tickets = [
    ticket("lead", "back", { state: "answered", receipts: [at("queued", 1), at("accepted", 2), at("answered", 20)] }),
    ticket("back", "review", { receipts: [at("queued", 5)] }),
    ticket("back", "docs", { receipts: [at("queued", 7)] }),
    ticket("lead", "front", { receipts: [at("queued", 10)] }),
    ticket("human", "lead", { receipts: [at("queued", 30)] }),
  ];
  const names = { agents: [agent("Lead"), agent("Back"), agent("Review")], you: "You", unknown: "?" };
  assert.deepEqual(
    listDelegations(tickets, names).map((
      { fromName, toName, depth, endedAtMs },
    ) => [fromName, toName, depth, endedAtMs]),
    [["Lead", "?", 0, undefined], ["Lead", "Back", 0, 20], ["Back", "Review", 1, undefined], [
      "Back",
      "?",
      1,
      undefined,
    ]],
  );
});

Deno.test("a circle of delegations is listed once each and ends", () => {
  const at = [{ state: "accepted" as const, atMs: 1, cause: "" }];
  const tickets = [
    ticket("a", "b", { state: "accepted", receipts: at }),
    ticket("b", "a", { state: "accepted", receipts: at }),
  ];
  assert.equal(listDelegations(tickets, { agents: [], you: "", unknown: "" }).length, 2);
});

Deno.test("events say what to read again; what is unknown or malformed is left alone", () => {
  assert.deepEqual(parseEvent({ kind: "agentStateChanged", projectId: "p", agentId: "a", state: "idle" }), {
    kind: "changed",
    projectId: "p",
    subjects: ["agents"],
  });
  assert.deepEqual(parseEvent({ kind: "agentRateLimitSuspected", projectId: "p", agentId: "a" }), {
    kind: "changed",
    projectId: "p",
    subjects: ["agents"],
  });
  assert.deepEqual(parseEvent({ kind: "profilesChanged" }), { kind: "profiles" });
  for (
    const value of [undefined, 1, {}, { kind: "x" }, { kind: "agentStopped" }, {
      kind: "layoutChanged",
      projectId: "../",
    }]
  ) {
    assert.equal(parseEvent(value), undefined);
  }
});

Deno.test("a command line survives being shown and read, whatever is in it", () => {
  const odd = ["", "a b", "it's", '"quoted"', "back\\slash", "--flag=x y", "tab\there", "é漢", "{projectRoot}"];
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const args = Array.from(
      { length: Math.floor(random.next() * 6) },
      () =>
        Array.from(
          { length: 1 + Math.floor(random.next() * 3) },
          () => odd[Math.floor(random.next() * odd.length)] ?? "",
        )
          .join(""),
    );
    assert.deepEqual(parseArgs(formatArgs(args)), args, `seed ${seed}`);
  }
  assert.equal(parseArgs("codex 'open"), undefined);
  assert.deepEqual(parseArgs(`a "b \\" c" d\\ e`), ["a", 'b " c', "d e"]);
});

Deno.test("environment is one assignment a line", () => {
  const env = { A: "1", B_2: "x=y z" };
  assert.deepEqual(parseEnv(formatEnv(env)), { kind: "env", env });
  assert.deepEqual(parseEnv("A=1\n\n2B=x"), { kind: "notAnAssignment", line: "2B=x" });
});

Deno.test("arrows bring back what was sent, and the draft at the end", () => {
  const history = addSent(addSent(addSent(emptyHistory, "one"), "two"), "one");
  assert.deepEqual(history.sent, ["two", "one"]);
  const first = recallOlder(history, "draft");
  assert.ok(first !== undefined && first.text === "one");
  const second = recallOlder(first.history, "one");
  assert.ok(second !== undefined && second.text === "two");
  assert.equal(recallOlder(second.history, "two"), undefined);
  const back = recallNewer(second.history);
  assert.ok(back !== undefined && back.text === "one");
  const draft = recallNewer(back.history);
  assert.ok(draft !== undefined && draft.text === "draft");
  assert.equal(recallNewer(draft.history), undefined);
});

Deno.test("search: whole words before parts before letters, accents and order of words aside", () => {
  const items = ["Stop Backend", "Background noise", "b-a-c-k", "Frontend"];
  assert.deepEqual(searchBy(items, "back", (item) => item), ["Stop Backend", "Background noise", "b-a-c-k"]);
  assert.equal(scoreMatch("elan", "Élan vital") === undefined, false);
  assert.equal(scoreMatch("backend stop", "Stop Backend") === undefined, false);
  assert.equal(scoreMatch("zz", "Stop"), undefined);
  assert.deepEqual(searchBy(items, " ", (item) => item), items);
});

Deno.test("keys: each shortcut is one command's, and no other combination is taken from the terminal", () => {
  const all = Object.values(shortcuts).map((shortcut) => JSON.stringify(shortcut));
  assert.equal(new Set(all).size, all.length);
  const press = { code: "KeyK", ctrlKey: true, altKey: false, shiftKey: false, metaKey: false };
  assert.equal(commandOf(press, false), "palette");
  assert.equal(commandOf(press, true), undefined);
  assert.equal(commandOf({ ...press, ctrlKey: false, metaKey: true }, true), "palette");
  assert.equal(commandOf({ ...press, shiftKey: true }, false), undefined);
  assert.equal(commandOf({ ...press, metaKey: true }, false), undefined);
  assert.equal(commandOf({ ...press, code: "KeyC" }, false), undefined);
  assert.deepEqual(keyCaps({ code: "ArrowLeft", alt: true, shift: true }, false), ["Alt", "Shift", "←"]);
});

Deno.test("times in words", () => {
  const now = 1_000_000_000;
  assert.equal(formatAgo(now + 5, now, en), "just now");
  assert.equal(formatAgo(now - 61_000, now, en), "1 min ago");
  assert.equal(formatAgo(now - 3 * 3_600_000, now, fr), "il y a 3 h");
  assert.equal(formatDuration(3_900_000), "1 h 05");
  assert.equal(formatCountdown(3_909_000), "1:05:09");
  assert.equal(formatCountdown(61_000), "01:01");
  assert.equal(formatCountdown(-5), "00:00");
});

Deno.test("messages of two overlapping readings are there once, in the order of the log", () => {
  const message = (id: string) => ({
    id: createId("message", id),
    atMs: 1,
    source: { kind: "human" as const },
    role: "prompt" as const,
    text: id,
  });
  const merged = mergeMessages([message("a"), message("b")], [message("b"), message("c")]);
  assert.deepEqual(merged.map(({ text }) => text), ["a", "b", "c"]);
});

Deno.test("toasts: the same error again is counted; a notice goes by itself, an error stays", () => {
  const pending: (() => void)[] = [];
  const toasts = createToasts((run) => void pending.push(run));
  toasts.error({ title: "Gone", detail: "x" });
  toasts.error({ title: "Gone", detail: "x" });
  toasts.info({ title: "Saved" });
  assert.deepEqual(toasts.list.value.map(({ title, times }) => [title, times]), [["Gone", 2], ["Saved", 1]]);
  pending.forEach((run) => run());
  assert.deepEqual(toasts.list.value.map(({ title }) => title), ["Gone"]);
});

Deno.test("language: the first that the page speaks, else English", () => {
  assert.equal(pickLanguage(["de-DE", "fr-CA", "en"]), "fr");
  assert.equal(pickLanguage(["de"]), "en");
  assert.equal(pickLanguage([]), "en");
});
