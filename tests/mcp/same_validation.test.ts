/** Whatever the door, a command is checked by the one schema of its name: what one refuses or takes, all do. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { type Command, CommandSchema, commandSchemas } from "../../core/orchestration/commands.ts";
import { parseFileRequest, parseRequestPath } from "../../core/orchestration/file_requests.ts";
import { ok } from "../../core/result.ts";
import { ideaTools } from "../../mcp/idea_tools.ts";
import { ticketEndpoints } from "../../web/api/tickets.ts";

const long = "x".repeat(1_048_577);
const tooLongName = "x".repeat(129);

interface Case {
  readonly name: Command["name"];
  readonly tool: string;
  readonly file: string;
  /** Names of fields where they differ from the command's. */
  readonly toolFields?: Readonly<Record<string, string>>;
  readonly fileFields?: Readonly<Record<string, string>>;
  readonly good: readonly Readonly<Record<string, unknown>>[];
  readonly bad: readonly Readonly<Record<string, unknown>>[];
}

const target = { target: "Ben" };
const cases: readonly Case[] = [
  {
    name: "ask",
    tool: "idea_ask_agent",
    file: "agent.message",
    toolFields: { waitSeconds: "wait_seconds" },
    good: [{ ...target, task: "x" }, { target: " Ben ", task: "x", waitSeconds: 0 }],
    bad: [
      {},
      target,
      { task: "x" },
      { target: " ", task: "x" },
      { target: tooLongName, task: "x" },
      { ...target, task: "" },
      { ...target, task: long },
      { ...target, task: 7 },
      { ...target, task: "x", waitSeconds: -1 },
      { ...target, task: "x", waitSeconds: 1.5 },
      { ...target, task: "x", waitSeconds: 86_401 },
      { ...target, task: "x", waitSeconds: "9" },
    ],
  },
  {
    name: "waitReply",
    tool: "idea_wait_reply",
    file: "agent.wait",
    toolFields: { waitSeconds: "wait_seconds" },
    good: [{ ticket: "t1" }],
    bad: [{}, { ticket: "" }, { ticket: tooLongName }, { ticket: "t1", waitSeconds: -1 }],
  },
  { name: "getTask", tool: "idea_get_task", file: "agent.task", good: [{}, { ticket: "t1" }], bad: [{ ticket: " " }] },
  {
    name: "reply",
    tool: "idea_reply",
    file: "agent.reply",
    good: [{ result: "" }, { result: "x", ticket: "t1" }],
    bad: [{}, { result: long }, { result: "x", ticket: "" }],
  },
  {
    name: "launch",
    tool: "idea_launch_agent",
    file: "agent.run",
    good: [target, { ...target, profile: "fake", task: "x", visibility: "visible", node: "c1" }],
    bad: [{}, { ...target, task: "" }, { ...target, visibility: "hidden" }, { ...target, profile: "" }],
  },
  { name: "stop", tool: "idea_stop_agent", file: "agent.stop", good: [target], bad: [{}, { target: "" }] },
  { name: "list", tool: "idea_list_agents", file: "agent.list", good: [{}], bad: [] },
  {
    name: "updateContext",
    tool: "idea_update_context",
    file: "update_agent_context",
    good: [{ ...target, content: "" }],
    bad: [target, { ...target, content: long }],
  },
  { name: "contextRead", tool: "idea_context_read", file: "context.read", good: [{}, target], bad: [{ target: " " }] },
  {
    name: "contextPropose",
    tool: "idea_context_propose",
    file: "context.propose",
    good: [{ content: "x" }],
    bad: [{}, { content: long }],
  },
  {
    name: "createSkill",
    tool: "idea_create_skill",
    file: "skill.create",
    good: [{ name: "a", content: "x" }, { name: "a", content: "x", scope: "global" }],
    bad: [{ content: "x" }, { name: " ", content: "x" }, { name: "a", content: "x", scope: "all" }],
  },
  { name: "memoryRead", tool: "idea_memory_read", file: "memory.read", good: [{}, { slug: "a" }], bad: [{ slug: "" }] },
  {
    name: "memoryWrite",
    tool: "idea_memory_write",
    file: "memory.write",
    fileFields: { type: "noteType" },
    good: [{ slug: "a", content: "x", type: "user" }],
    bad: [{ slug: "a" }, { slug: "a", content: long }, { slug: "a", content: "x", type: "other" }],
  },
  {
    name: "setStatus",
    tool: "idea_set_status",
    file: "status.set",
    good: [{ doing: "x" }, { doing: "x", until: "noon" }],
    bad: [{}, { doing: " " }, { doing: "x".repeat(501) }, { doing: "x", until: "x".repeat(101) }],
  },
];

function renamed(input: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [names[name] ?? name, value]));
}

/** What the tool sends to the orchestrator; undefined: it refused. */
async function byTool({ tool, toolFields }: Case, input: Readonly<Record<string, unknown>>) {
  let sent: Command | undefined;
  const made = ideaTools.map((create) =>
    create((command) => {
      sent = command;
      return Promise.resolve(ok({ kind: "done", detail: "" }));
    })
  ).find(({ name }) => name === tool);
  assert.ok(made !== undefined, tool);
  const call = { signal: new AbortController().signal, progress: () => {}, log: () => {} };
  // What the answer is made of is another test's matter.
  await made.call(renamed(input, toolFields), call).catch(() => undefined);
  return sent;
}

function byFile({ file, fileFields }: Case, input: Readonly<Record<string, unknown>>): Command | undefined {
  const path = parseRequestPath("requests/ada/one.json");
  assert.ok(path !== undefined);
  const agents = [{ agentId: createId("agent", "ada"), name: "Ada" }];
  const text = JSON.stringify({ type: file, ...renamed(input, fileFields) });
  const parsed = parseFileRequest({ file: path, text, agents });
  return parsed.ok ? parsed.value.command : undefined;
}

const plain = (command: Command | undefined): unknown => JSON.parse(JSON.stringify(command ?? null));

for (const each of cases) {
  Deno.test(`validation: ${each.name} is the same by tool, by file, and by the command's own schema`, async () => {
    for (const input of each.good) {
      const own = plain(CommandSchema.parse({ name: each.name, input }));
      assert.deepEqual(plain(await byTool(each, input)), own);
      assert.deepEqual(plain(byFile(each, input)), own);
    }
    for (const input of each.bad) {
      const shown = JSON.stringify(input).slice(0, 100);
      assert.equal(CommandSchema.safeParse({ name: each.name, input }).success, false, shown);
      assert.equal(await byTool(each, input), undefined, shown);
      assert.equal(byFile(each, input), undefined, shown);
    }
  });
}

Deno.test("validation: every command is in the table", () => {
  assert.deepEqual(cases.map(({ name }) => name).sort(), Object.keys(commandSchemas).sort());
});

Deno.test("validation: an ask over HTTP is what an ask is", () => {
  const { good, bad } = cases.find(({ name }) => name === "ask") ?? { good: [], bad: [] };
  for (const input of good) assert.ok(ticketEndpoints.ask.body.safeParse(input).success);
  for (const input of bad) assert.equal(ticketEndpoints.ask.body.safeParse(input).success, false);
});
