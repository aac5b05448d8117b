/**
 * Real Claude Code and Codex with a person at their terminals: what is typed there is recorded with its thinking, and it
 * holds deliveries as a draft, a dialog or an interrupt does. Meanwhile, since it takes so long, a question of more than
 * two minutes. One server for all of it.
 */
import assert from "node:assert/strict";
import type { AgentId, TicketId } from "../../core/ids.ts";
import { requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { cli, type CliName } from "./clis.ts";
import { READY_MS, type RealAgents, startRealAgents } from "./real_agents.ts";

const needs = requires(cli("claude"), cli("codex"));
const ask = (target: string, task: string) => `tool idea_ask_agent ${JSON.stringify({ target, task })}`;
const reply = (result: string) => `tool idea_reply ${JSON.stringify({ result })}`;

/** Longer than Claude Code lets a tool call be in the foreground by itself. */
const LONG_SECONDS = 125;
const CLEAR_LINE = "\u0015";

/** Each program wants a person's leave for this. */
const ASKS_FIRST: Readonly<Record<CliName, string>> = {
  claude: `tool Bash ${JSON.stringify({ command: "touch allowed.txt", description: "make a file" })}`,
  codex: `tool exec_command ${
    JSON.stringify({ cmd: "touch allowed.txt", sandbox_permissions: "require_escalated", justification: "May I?" })
  }`,
  gemini: "",
  opencode: "",
};

const rulesOf = (program: CliName) => [
  { match: /quick \w+/, steps: [reply("quickly done"), "say done"] },
  { match: /ponder the \w+/, steps: ["think First this, then that. => say It is nine."] },
  { match: /begin the long one/, steps: [ask("Sid", "the long question")] },
  { match: /begin another/, steps: [ask("Sid", "the question after it")] },
  { match: /the long question/, steps: [`after ${LONG_SECONDS} ${reply("it took its time")}`, "say done"] },
  { match: /the question after it/, steps: [reply("it waited its turn"), "say done"] },
  { match: /never ends/, steps: ["slow 60 never"] },
  { match: /never begins/, steps: ["hang 60"] },
  { match: /needs leave/, steps: [ASKS_FIRST[program], "say It is made."] },
];

interface Person {
  readonly name: string;
  readonly program: CliName;
  readonly agentId: AgentId;
}

async function say(agents: RealAgents, { agentId }: Person, line: string): Promise<void> {
  await agents.isReady(agentId);
  await agents.pasteLine(agentId, line);
}

async function isSaid(agents: RealAgents, { agentId }: Person, count: number) {
  await waitFor(`${count} messages`, async () => (await agents.said(agentId)).length >= count, READY_MS);
  return (await agents.said(agentId)).map(({ source, text, thinking }) => [source.kind, text, thinking]);
}

const pondered = (what: string) => [
  ["human", `Please ponder the ${what}.`, undefined],
  ["agent", "It is nine.", "First this, then that."],
];

/** Longer than a program takes to go on. */
const DIALOG_ANSWER_MS = 3_000;

/** Waits until it is in work: delivered, and taken. */
async function isAccepted(agents: RealAgents, ticketId: TicketId): Promise<void> {
  await waitFor("the task is in work", async () => (await agents.ticket(ticketId)).state === "accepted", READY_MS);
}

/** The task waits, for all that others are served meanwhile. */
async function isHeld(agents: RealAgents, ticketId: TicketId, other: Person): Promise<void> {
  assert.equal((await agents.closed(await agents.ask(other.name, "quick check"))).reply?.text, "quickly done");
  assert.equal((await agents.ticket(ticketId)).state, "queued");
}

async function isQuicklyDone(agents: RealAgents, ticketId: TicketId): Promise<void> {
  const { reply, receipts } = await agents.closed(ticketId);
  assert.equal(reply?.text, "quickly done");
  assert.equal(receipts.filter(({ state }) => state === "delivering").length, 1);
}

async function interruptedBy(agents: RealAgents, person: Person, task: string): Promise<void> {
  const { agentId, name, program } = person;
  const cut = await agents.ask(name, task);
  await isAccepted(agents, cut);
  const next = await agents.ask(name, `quick after ${task}`);
  await agents.models[program].waitFor(({ turn }) => turn?.userText.includes(task) === true, READY_MS);
  await agents.interrupt(agentId);
  assert.equal((await agents.closed(cut)).cancellation, "byPerson");
  await isQuicklyDone(agents, next);
  // Nothing of the one that was cut stood in the input when the next was typed.
  const prompts = agents.models[program].log().flatMap(({ turn }) => turn === undefined ? [] : [turn.userText]);
  const prompt = prompts.find((each) => each.includes(next)) ?? "";
  assert.ok(prompt.startsWith(`[IdeA · task from external · ticket ${next}]`), prompt);
}

/** A key that comes too soon after the dialog is ignored by Claude Code; a person then presses it again. */
async function answerDialog(agents: RealAgents, { agentId }: Person): Promise<void> {
  let pressedAtMs = -Infinity;
  await waitFor("the dialog is answered", async () => {
    if ((await agents.agent(agentId)).state !== "blocked") return true;
    if (performance.now() - pressedAtMs < DIALOG_ANSWER_MS) return false;
    pressedAtMs = performance.now();
    await agents.type(agentId, "\r");
    return false;
  }, READY_MS);
}

Deno.test({
  name: "conversations: a person at the terminals of real agents, while a question takes more than two minutes",
  ...needs,
  async fn(t) {
    await using agents = await startRealAgents();
    for (const program of ["claude", "codex"] as const) agents.models[program].setScript(rulesOf(program));
    const hire = async (name: string, program: CliName): Promise<Person> => {
      const agentId = await agents.hire(name, program);
      await agents.launch(agentId);
      return { name, program, agentId };
    };
    // Codex would search for its tools first, and be asked twice.
    await agents.hire("Sid", "claude");
    const [lea, leo] = [await hire("Lea", "claude"), await hire("Leo", "codex")];
    const long = await agents.tell(lea.agentId, "Please begin the long one.");
    await isAccepted(agents, (await agents.delegation("the long question")).id);
    const another = await agents.tell(leo.agentId, "Please begin another.");
    const [ann, bob] = [await hire("Ann", "claude"), await hire("Bob", "codex")];
    const both = [[ann, bob], [bob, ann]] as const;

    await t.step("what a person types is recorded once, with what the model thought", async () => {
      for (const person of [ann, bob]) {
        await say(agents, person, "Please ponder the sum.");
        assert.deepEqual(await isSaid(agents, person, 2), pondered("sum"));
      }
    });

    await t.step("an interrupt leaves an empty input to the next delivery", async () => {
      for (const person of [ann, bob]) {
        await interruptedBy(agents, person, "a task that never ends");
        // Before its first word the prompt goes back into the input.
        await interruptedBy(agents, person, "a task that never begins");
      }
    });

    await t.step("a draft holds a delivery and stays as it is; the delivery goes on when it is gone", async () => {
      for (const [person, other] of both) {
        await agents.isReady(person.agentId);
        await agents.type(person.agentId, "half a thought");
        await agents.showsOnScreen(person.agentId, "half a thought");
        const held = await agents.ask(person.name, "quick after the draft");
        await isHeld(agents, held, other);
        assert.match(await agents.screen(person.agentId), /half a thought\s*$/m);
        await agents.type(person.agentId, CLEAR_LINE);
        await isQuicklyDone(agents, held);
      }
    });

    await t.step(
      "a dialog of the program is a state of its own and holds deliveries until it is answered",
      async () => {
        for (const [person, other] of both) {
          const asking = await agents.tell(person.agentId, "Make the file that needs leave.");
          const state = async () => (await agents.agent(person.agentId)).state;
          await waitFor("the dialog", async () => await state() === "blocked", READY_MS);
          const held = await agents.ask(person.name, "quick after the dialog");
          await isHeld(agents, held, other);
          assert.equal(await state(), "blocked");
          await answerDialog(agents, person);
          assert.equal((await agents.closed(asking)).reply?.text, "It is made.");
          await isQuicklyDone(agents, held);
          await Deno.remove(`${agents.server.project}/allowed.txt`);
        }
      },
    );

    await t.step(
      "nothing is recorded twice when the programs resume and their transcripts are read again",
      async () => {
        for (const person of [ann, bob]) {
          const before = await isSaid(agents, person, 4);
          assert.deepEqual(before.slice(2).map(([, text]) => text), ["Make the file that needs leave.", "It is made."]);
          await agents.stop(person.agentId);
          await agents.launch(person.agentId);
          await say(agents, person, "Please ponder the rest.");
          assert.deepEqual(await isSaid(agents, person, 6), [...before, ...pondered("rest")]);
        }
      },
    );

    await t.step("a question of more than two minutes is answered inline, whoever asked", async () => {
      const isOver = async () => (await agents.ticket(another)).state === "answered";
      await waitFor("the long answers", isOver, (LONG_SECONDS * 1_000) + READY_MS);
      assert.equal((await agents.closed(long)).state, "answered");
      for (
        const [{ program }, told, answer] of [[lea, "long one", "its time"], [leo, "another", "its turn"]] as const
      ) {
        const results = agents.models[program].log().flatMap(({ turn }) =>
          turn?.userText.includes(`begin ${told}`) || turn?.userText.includes(`begin the ${told}`) ? turn.results : []
        );
        assert.equal(results.length, 1, JSON.stringify(results));
        assert.match(results[0] ?? "", new RegExp(answer));
      }
      const { receipts } = await agents.delegation("the long question");
      const [queued, answered] = [receipts.at(0), receipts.at(-1)];
      assert.ok(queued && answered && answered.atMs - queued.atMs > 120_000, JSON.stringify(receipts));
    });
  },
});
