/** The main job, with the real Claude Code and the real Codex: one asks the other, and the answer comes back inline. */
import assert from "node:assert/strict";
import { requires } from "../helpers/requires.ts";
import { cli, type CliName } from "./clis.ts";
import { type RealAgents, startRealAgents } from "./real_agents.ts";

const QUESTION = "how much is 17 × 23";
const needs = requires(cli("claude"), cli("codex"));

/** asker asks colleague, who is not running; 391 arrives as the result of the asker's own tool call. */
async function askAcross(agents: RealAgents, asker: CliName, colleague: CliName): Promise<void> {
  const ask = JSON.stringify({ target: "Colleague", task: QUESTION });
  agents.models[asker].setScript([{ match: /ask your colleague/, steps: [`tool idea_ask_agent ${ask}`] }]);
  agents.models[colleague].setScript([{ match: /17 × 23/, steps: ['tool idea_reply {"result":"391"}', "say done"] }]);
  const asking = await agents.hire("Asker", asker);
  const answering = await agents.hire("Colleague", colleague);
  await agents.launch(asking);
  const message = await agents.tell(asking, "Please ask your colleague.");
  assert.equal((await agents.closed(message)).state, "answered");

  const delegation = await agents.delegation(QUESTION);
  assert.deepEqual(
    [delegation.state, delegation.to, delegation.from, delegation.reply?.text, delegation.reply?.source],
    ["answered", answering, { kind: "agent", agentId: asking }, "391", "reply"],
  );
  assert.deepEqual(
    delegation.receipts.map(({ state }) => state),
    ["queued", "delivering", "delivered", "accepted", "answered"],
  );
  // The scripted model says "RESULT <<what the tool gave>>".
  await agents.showsOnScreen(asking, /RESULT <<[\s\S]*391/);
  await agents.showsOnScreen(answering, /\[IdeA · task from Asker · ticket/);
  assert.equal((await agents.agent(answering)).queueLength, 0);
}

Deno.test({
  name: "main job: real Claude Code asks real Codex, which was not running, and gets 391 inline",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    await askAcross(agents, "claude", "codex");
  },
});

Deno.test({
  name: "main job: the same with the roles exchanged",
  ...needs,
  async fn() {
    await using agents = await startRealAgents();
    await askAcross(agents, "codex", "claude");
  },
});
