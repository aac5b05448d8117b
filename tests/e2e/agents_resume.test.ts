/**
 * Real Claude Code and Codex go on with their own conversation: after an orderly end of the server and after kill -9, two
 * of each at once in one folder, and with what was done so far when the program is changed in the middle of a job.
 */
import assert from "node:assert/strict";
import type { AgentId } from "../../core/ids.ts";
import { requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { cli, type CliName } from "./clis.ts";
import type { LoggedRequest } from "./kit/model_server.ts";
import { READY_MS, type RealAgents, startRealAgents } from "./real_agents.ts";

const needs = requires(cli("claude"), cli("codex"));

interface Remembering {
  readonly agentId: AgentId;
  readonly name: string;
  readonly program: CliName;
}

/** What the user's side of the conversation is for the model, in this request: neither instructions nor a handoff. */
function userTexts({ body }: LoggedRequest): readonly string[] {
  if (!isRecord(body)) return [];
  const items = [body["messages"], body["input"]].find(Array.isArray) ?? [];
  return items.flatMap((item: unknown) => isRecord(item) && item["role"] === "user" ? stringsIn(item["content"]) : []);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function askedOf(agents: RealAgents, program: CliName, text: string): LoggedRequest {
  const found = agents.models[program].log().find(({ turn }) => turn?.userText.includes(text) === true);
  assert.ok(found, `${program} was never asked "${text}"`);
  return found;
}

/** All of them are told something at once; the model of each must see its own words so far, and nobody else's. */
async function tellAll(agents: RealAgents, all: readonly Remembering[], words: readonly string[]): Promise<void> {
  const word = words.at(-1) ?? "";
  await Promise.all(all.map(({ agentId }) => agents.launch(agentId)));
  const told = await Promise.all(all.map(({ agentId, name }) => agents.tell(agentId, `${word} of ${name}`)));
  for (const ticketId of told) assert.equal((await agents.closed(ticketId)).state, "answered");
  for (const { name, program } of all) {
    const texts = userTexts(askedOf(agents, program, `${word} of ${name}`));
    const heard = texts.flatMap((text) => text.match(/\w+ of (?:Ann|Abe|Bob|Bea)\b/g) ?? []);
    assert.deepEqual([...new Set(heard)], words.map((each) => `${each} of ${name}`));
  }
}

Deno.test({
  name: "resume: two of each program, started at once in one folder, go on with their own conversation after a restart",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    const people = [["Ann", "claude"], ["Abe", "claude"], ["Bob", "codex"], ["Bea", "codex"]] as const;
    const all = await Promise.all(
      people.map(async ([name, program]) => ({ name, program, agentId: await agents.hire(name, program) })),
    );
    await tellAll(agents, all, ["first"]);
    assert.equal(await agents.server.stop(), 0);
    await agents.server.start();
    await tellAll(agents, all, ["first", "second"]);
    await agents.server.kill();
    await agents.server.start();
    await tellAll(agents, all, ["first", "second", "third"]);

    for (const { agentId, name } of all) {
      await waitFor("the last answer", async () => (await agents.said(agentId)).length >= 6, READY_MS);
      const texts = (await agents.said(agentId)).map(({ text }) => text);
      const exchange = (word: string) => [`${word} of ${name}`, `ECHO (1 lines) <<${word} of ${name}>>`];
      assert.deepEqual(texts, ["first", "second", "third"].flatMap(exchange));
    }
  },
});

const reply = (result: string) => `tool idea_reply ${JSON.stringify({ result })}`;

Deno.test({
  name: "resume: from Claude to Codex and back in the middle of a job; each knows what was done, the queue goes on",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    agents.models.claude.setScript([
      { match: /^\[IdeA · handoff\]/, steps: ["say In my own words: job 1 needs a badger."] },
      { match: /codename/, steps: ["say Understood, the codename is heron."] },
      { match: /job 1\b/, steps: ["slow 60 never"] },
      { match: /job 3\b/, steps: [reply("claude did job 3"), "say done"] },
      { match: /still there/, steps: ["say Yes, Claude again."] },
    ]);
    agents.models.codex.setScript([
      { match: /^\[IdeA · handoff\]/, steps: ["say In my own words: job 3 needs a marten."] },
      { match: /job 1\b/, steps: [reply("codex did job 1: otter"), "say done"] },
      { match: /job 2\b/, steps: [reply("codex did job 2"), "say done"] },
      { match: /job 3\b/, steps: ["slow 60 never"] },
    ]);
    const ann = await agents.hire("Ann", "claude");
    await agents.closed(
      await agents.tell(ann, "The codename of this work is heron, please keep it in mind for later."),
    );
    const jobs = [await agents.ask("Ann", "job 1"), await agents.ask("Ann", "job 2"), await agents.ask("Ann", "job 3")];
    const works = (at: number) => async () => (await agents.ticket(jobs[at] ?? fail())).state === "accepted";
    await waitFor("Claude works on the first", works(0), READY_MS);

    await agents.moveToProfile(ann, "codex");
    await waitFor("Codex works on the third", works(2), READY_MS);
    const codexWasTold = JSON.stringify(askedOf(agents, "codex", "job 1").body);
    assert.match(codexWasTold, /heron/);
    // It was interrupted in the middle, and asked what its successor must know.
    assert.match(codexWasTold, /job 1 needs a badger/);

    await agents.moveToProfile(ann, "claude");
    const closed = await Promise.all(jobs.map((ticketId) => agents.closed(ticketId)));
    assert.deepEqual(
      closed.map((ticket) => [ticket.reply?.text, ticket.repeat]),
      [["codex did job 1: otter", 1], ["codex did job 2", 0], ["claude did job 3", 1]],
    );
    const claudeWasTold = JSON.stringify(askedOf(agents, "claude", "job 3").body);
    assert.match(claudeWasTold, /otter/);
    assert.match(claudeWasTold, /heron/);
    assert.match(claudeWasTold, /job 3 needs a marten/);
    const last = await agents.closed(await agents.tell(ann, "still there?"));
    assert.equal(last.reply?.text, "Yes, Claude again.");
  },
});

function fail(): never {
  throw new Error("no such job");
}
