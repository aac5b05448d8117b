/** Before another program takes an agent's place, the old one is asked for its own handoff. */
import assert from "node:assert/strict";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import type { CliBehaviour } from "../fakes/agent_cli.ts";
import { fake, IDEAI, makeProfile, setup, value, type World } from "../helpers/app.ts";

const claude = referenceProfiles.find(({ name }) => name === "Claude Code") ?? fake;
const other = makeProfile({ ...fake, id: "other", name: "Other", command: "other" });
const REQUEST = "[IdeA · handoff] Another program takes up your work now.";

interface Job {
  readonly world: World;
  /** What the old program read, and the context of the new one. */
  swap(): Promise<{ readonly lines: readonly string[]; readonly context: string; readonly tookMs: number }>;
}

/** An agent that was told "use the heron branch"; its program writes down what it answers to each line. */
async function withJob(answer: (line: string) => string | undefined, work: (job: Job) => Promise<void>): Promise<void> {
  const transcript = await Deno.makeTempFile({ prefix: "idea-transcript-" });
  let nowMs = () => 0;
  const row = (role: string, text: string) => {
    const timestamp = new Date(nowMs()).toISOString();
    const message = { role, content: [{ type: "text", text }] };
    return `${JSON.stringify({ type: role, uuid: crypto.randomUUID(), timestamp, message })}\n`;
  };
  const claudes: CliBehaviour = {
    line(cli, line) {
      cli.says("working");
      const text = answer(line);
      if (text === undefined) return;
      Deno.writeTextFileSync(transcript, row("user", line) + row("assistant", text), { append: true });
      cli.says("idle");
    },
    interrupt: (cli) => cli.says("idle"),
  };
  try {
    await using world = await setup({
      agents: { Ben: claude.id },
      profiles: [claude, other],
      programs: { claude: claudes },
    });
    nowMs = world.clock.nowMs;
    const { app, projectId } = world;
    const ben = world.agent("Ben");
    value(await world.result(app.agents.launch(projectId, ben, {})));
    world.running.mcpClients.onReady({ projectId, agentId: ben }, "toolsListed");
    const cli = await world.untilReady("Ben");
    const hook = { hook_event_name: "SessionStart", session_id: "c1", transcript_path: transcript };
    world.disk.write(`${IDEAI}/run/${ben}/hooks.jsonl`, `${JSON.stringify(hook)}\n`);
    await world.settle();
    const sent = value(await app.orchestrator.enqueueMessage(projectId, ben, "use the heron branch"));
    await inRealTime(world, () => world.ticket(sent.id).state === "answered");
    await work({
      world,
      async swap() {
        const beganMs = world.clock.monotonicMs();
        let done = false;
        const swapping = app.agents.changeProfile(projectId, ben, other.id).finally(() => done = true);
        await inRealTime(world, () => done);
        value(await swapping);
        await world.untilReady("Ben");
        const context = world.disk.read(`${IDEAI}/run/${ben}/context.md`) ?? "";
        return { lines: cli.lines, context, tookMs: world.clock.monotonicMs() - beganMs };
      },
    });
  } finally {
    await Deno.remove(transcript);
  }
}

/** Reads of transcripts are reads of real files. */
async function inRealTime(world: World, condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (condition()) return;
    await world.pass(100);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error("waited in vain");
}

async function said(world: World): Promise<readonly string[]> {
  const [view] = value(await world.app.conversations.list(world.projectId));
  assert.ok(view);
  return value(await world.app.conversations.read(world.projectId, view.conversationId)).map(({ text }) => text);
}

const answers = (line: string) => line.startsWith(REQUEST) ? "The otter part is done, the seal part is not." : "Yes.";

Deno.test("farewell: a program at its prompt writes its own handoff, which is nobody's message", async () => {
  await withJob(answers, async ({ world, swap }) => {
    const { lines, context } = await swap();
    assert.equal(lines.length, 2);
    assert.ok(lines[1]?.startsWith(REQUEST));
    assert.match(context, /otter part is done/);
    assert.match(context, /heron branch/);
    assert.deepEqual(await said(world), ["use the heron branch", "Yes."]);
  });
});

Deno.test("farewell: one in the middle of a task is interrupted first, and the task goes to the new program", async () => {
  await withJob((line) => line.includes("long task") ? undefined : answers(line), async ({ world, swap }) => {
    const asked = world.ask("@test", "Ben", "long task", { waitSeconds: 0 });
    const ticket = () => world.tickets().find(({ task }) => task === "long task");
    await inRealTime(world, () => ticket()?.state === "accepted");
    value(await asked);
    const old = world.cli("Ben");
    const { context } = await swap();
    assert.equal(old.interrupts(), 1);
    assert.match(context, /otter part is done/);
    await inRealTime(world, () => ticket()?.state === "accepted");
    assert.match(world.cli("Ben").lines[0] ?? "", /again, for the agent's new program\) long task/);
  });
});

Deno.test("farewell: one that does not answer is waited for no longer than a minute, and rules make the handoff", async () => {
  await withJob((line) => line.startsWith(REQUEST) ? undefined : "Yes.", async ({ swap }) => {
    const { context, tookMs } = await swap();
    assert.ok(tookMs < 75_000, `${tookMs} ms`);
    assert.match(context, /heron branch/);
  });
});

Deno.test("farewell: a person's draft in its input stays untouched: it is not asked", async () => {
  await withJob(answers, async ({ world, swap }) => {
    const { sessionId } = value(world.app.agents.get(world.projectId, world.agent("Ben")));
    assert.ok(sessionId);
    value(world.app.terminals.write(sessionId, "half a thought", "person"));
    await world.settle();
    const { lines } = await swap();
    assert.equal(lines.length, 1);
  });
});
