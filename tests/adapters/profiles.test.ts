import assert from "node:assert/strict";
import { createAgentClis } from "../../adapters/profiles/agent_clis.ts";
import { parseClaudeHook, parseClaudeTurns } from "../../adapters/profiles/claude.ts";
import { formatTomlString, parseCodexNotify, parseCodexTurns } from "../../adapters/profiles/codex.ts";
import { parseGeminiHook, parseGeminiTurn } from "../../adapters/profiles/gemini.ts";
import { readAppendedLines } from "../../adapters/profiles/transcript_file.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { type AgentProfile, ProfileSchema } from "../../core/profiles/profile.ts";
import type { LaunchPlan, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { createId } from "../../core/ids.ts";

const FRESH = "11111111-2222-4333-8444-555555555555";

function profileNamed(name: string): AgentProfile {
  const profile = referenceProfiles.find((one) => one.name === name);
  assert.ok(profile, `no reference profile ${name}`);
  return profile;
}

function request(profile: AgentProfile, more: Partial<LaunchRequest> = {}): LaunchRequest {
  return {
    profile,
    projectRoot: "/p/it's here",
    runDir: "/p/it's here/.ideai/run/a1",
    context: '# You are "Main"\n\nDo good.\n',
    mcp: { url: "http://127.0.0.1:4000/mcp", secret: "s3cret", bridge: ["/usr/bin/idea", "mcp"] },
    conversation: { kind: "new", freshId: FRESH },
    ...more,
  };
}

function plan(profile: AgentProfile, more: Partial<LaunchRequest> = {}): LaunchPlan {
  const planned = createAgentClis().for(profile).planLaunch(request(profile, more));
  assert.ok(planned.ok);
  return planned.value;
}

Deno.test("profiles: every reference profile is valid, with its own id, and claude keeps the id of existing projects", () => {
  assert.equal(new Set(referenceProfiles.map((profile) => profile.id)).size, referenceProfiles.length);
  assert.equal(profileNamed("Claude Code").id, "664cc20c-47b8-53ad-9351-dce3c09c0de4");
});

Deno.test("profiles: no launch plan writes outside the run folder or puts the secret on a command line", () => {
  for (const profile of referenceProfiles) {
    const { argv, files } = plan(profile);
    for (const file of files) assert.doesNotMatch(file.path, /^\/|\.\./, `${profile.name} writes ${file.path}`);
    for (const file of files.filter((one) => one.text.includes("s3cret"))) {
      assert.equal(file.secret, true, `${profile.name}: ${file.path} holds the secret and must be private`);
    }
    assert.equal(argv.some((arg) => arg.includes("s3cret")), false, `${profile.name} shows its secret in argv`);
  }
});

Deno.test("profiles: claude is told its context, MCP server, hooks and conversation by flags", () => {
  const launch = plan(profileNamed("Claude Code"));
  const run = "/p/it's here/.ideai/run/a1";
  assert.deepEqual(launch.argv, [
    "claude",
    "--permission-mode",
    "manual",
    "--session-id",
    FRESH,
    "--append-system-prompt-file",
    `${run}/context.md`,
    "--mcp-config",
    `${run}/mcp.json`,
    "--settings",
    `${run}/settings.json`,
  ]);
  assert.equal(launch.providerSessionId, FRESH);
  assert.equal(launch.cwd, "/p/it's here");
  const mcp = JSON.parse(launch.files.find((file) => file.path === "mcp.json")?.text ?? "null");
  assert.deepEqual(mcp, {
    mcpServers: {
      idea: {
        alwaysLoad: true,
        type: "http",
        url: "http://127.0.0.1:4000/mcp",
        headers: { Authorization: "Bearer s3cret" },
      },
    },
  });
  const settings = JSON.parse(launch.files.find((file) => file.path === "settings.json")?.text ?? "null");
  assert.deepEqual(settings.permissions, { allow: ["mcp__idea"] });
  assert.equal(settings.hooks.Stop[0].hooks[0].command, `(cat; echo) >> '/p/it'\\''s here/.ideai/run/a1/hooks.jsonl'`);
});

Deno.test("profiles: claude resumes its own conversation", () => {
  const launch = plan(profileNamed("Claude Code"), {
    conversation: { kind: "resume", providerSessionId: "old-one" },
  });
  assert.deepEqual(launch.argv.slice(3, 5), ["--resume", "old-one"]);
  assert.equal(launch.argv.includes("--session-id"), false);
  assert.equal(launch.providerSessionId, "old-one");
});

Deno.test("profiles: codex gets everything by -c, and resumes by subcommand", () => {
  const launch = plan(profileNamed("Codex"), { conversation: { kind: "resume", providerSessionId: "t1" } });
  assert.deepEqual(launch.argv.slice(0, 4), ["codex", "resume", "t1", "--no-daemon"]);
  const settings = launch.argv.filter((_, index) => launch.argv[index - 1] === "-c");
  assert.equal(settings[0], 'developer_instructions="# You are \\"Main\\"\\n\\nDo good.\\n"');
  assert.match(settings[1] ?? "", /url="http:\/\/127\.0\.0\.1:4000\/mcp",bearer_token_env_var="IDEA_MCP_SECRET"/);
  assert.equal(launch.env["IDEA_MCP_SECRET"], "s3cret");
});

Deno.test("profiles: a context too long for one argument is refused with its size", () => {
  const profile = profileNamed("Codex");
  const planned = createAgentClis().for(profile).planLaunch(request(profile, { context: "é".repeat(66_000) }));
  assert.deepEqual(planned, {
    ok: false,
    error: { kind: "contextTooLong", bytes: 132_025, limitBytes: 131_008 },
  });
});

Deno.test("profiles: TOML strings escape quotes, controls and DEL", () => {
  assert.equal(formatTomlString('a"b\\c\n\t\u0001\u007f'), '"a\\"b\\\\c\\n\\t\\u0001\\u007F"');
});

Deno.test("profiles: a custom CLI runs by the generic strategies of its data", () => {
  const parsed = ProfileSchema.parse({
    id: "custom",
    name: "Mine",
    command: "mine",
    args: ["--root", "{projectRoot}", "--keep", "{unknown}"],
    env: { MINE_HOME: "{runDir}" },
    contextInjection: { strategy: "env", var: "MINE_CONTEXT" },
    mcp: { config: { strategy: "configFile", target: "mine/mcp.json" }, transport: "stdio" },
    session: { assignFlag: "--id", resumeFlag: "--resume", idFrom: "assigned" },
  });
  const profile: AgentProfile = { ...parsed, id: createId("profile", parsed.id) };
  const launch = plan(profile);
  assert.deepEqual(launch.argv, ["mine", "--root", "/p/it's here", "--keep", "{unknown}", "--id", FRESH]);
  assert.equal(launch.env["MINE_CONTEXT"], "/p/it's here/.ideai/run/a1/context.md");
  assert.equal(launch.env["MINE_HOME"], "/p/it's here/.ideai/run/a1");
  const mcp = launch.files.find((file) => file.path === "mine/mcp.json");
  assert.deepEqual(JSON.parse(mcp?.text ?? ""), { mcpServers: { idea: { command: "/usr/bin/idea", args: ["mcp"] } } });
});

// Lines as Claude Code 2.1.332 wrote them, shortened.
Deno.test("profiles: claude's hooks become reports", () => {
  assert.deepEqual(
    parseClaudeHook(
      '{"session_id":"e6f3","transcript_path":"/h/e6f3.jsonl","cwd":"/p","prompt_id":"6f35","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"391","background_tasks":[]}',
    ),
    [
      { kind: "conversation", providerSessionId: "e6f3", transcriptPath: "/h/e6f3.jsonl" },
      { kind: "turnEnded", turnId: "6f35", lastAnswer: "391" },
    ],
  );
  assert.deepEqual(parseClaudeHook('{"prompt_id":"6f35","hook_event_name":"UserPromptSubmit","prompt":"hello"}'), [
    { kind: "turnStarted", turnId: "6f35", prompt: "hello" },
  ]);
  assert.deepEqual(parseClaudeHook("{half"), []);
});

Deno.test("profiles: codex's notify becomes reports", () => {
  assert.deepEqual(
    parseCodexNotify(
      '{"type":"agent-turn-complete","thread-id":"01a2","turn-id":"01a3","cwd":"/p","client":"codex_exec","input-messages":["hello"],"last-assistant-message":"ECHO"}',
    ),
    [
      { kind: "conversation", providerSessionId: "01a2" },
      { kind: "turnEnded", turnId: "01a3", prompts: ["hello"], lastAnswer: "ECHO" },
    ],
  );
});

Deno.test("profiles: gemini's hooks become reports", () => {
  assert.deepEqual(
    parseGeminiHook('{"session_id":"g1","hook_event_name":"AfterAgent","prompt":"p","prompt_response":"r"}'),
    [{ kind: "conversation", providerSessionId: "g1" }, { kind: "turnEnded", prompts: ["p"] }],
  );
});

Deno.test("profiles: gemini runs in its run folder, where its settings are, and works in the project root", () => {
  const run = "/p/it's here/.ideai/run/a1";
  const launch = plan(profileNamed("Gemini CLI"));
  assert.deepEqual(launch.argv, ["gemini", "--session-id", FRESH]);
  assert.deepEqual([launch.cwd, launch.providerSessionId], [run, FRESH]);
  const settings = JSON.parse(launch.files.find((file) => file.path === ".gemini/settings.json")?.text ?? "null");
  assert.deepEqual(settings.mcpServers.idea, {
    trust: true,
    timeout: 86_400_000,
    httpUrl: "http://127.0.0.1:4000/mcp",
    headers: { Authorization: "Bearer s3cret" },
  });
  assert.deepEqual(settings.context, { includeDirectories: ["/p/it's here"], loadMemoryFromIncludeDirectories: true });
  const context = launch.files.find((file) => file.path === "GEMINI.md")?.text ?? "";
  assert.match(context, /^# You are "Main"[\s\S]*Your work is in the project root, `\/p\/it's here`/);
  const resumed = plan(profileNamed("Gemini CLI"), { conversation: { kind: "resume", providerSessionId: "g1" } });
  assert.deepEqual(resumed.argv, ["gemini", "--resume", "g1"]);
});

// Rows as Gemini CLI 0.61.0 wrote them, shortened.
Deno.test("profiles: gemini's chat gives prompts and answers with thinking, not tools, notices or what it repeats", () => {
  const row = (type: string, content: unknown, more: object = {}) =>
    JSON.stringify({ id: `${type}1`, timestamp: "2026-11-30T16:03:58.760Z", type, content, ...more });
  const atMs = 1796054638760;
  assert.deepEqual(
    [
      row("user", [{ text: "hello" }]),
      row("gemini", "HI", { thoughts: [{ subject: "Greeting", description: "They said hello." }] }),
    ].map(parseGeminiTurn),
    [
      { key: "user1", atMs, role: "prompt", text: "hello" },
      { key: "gemini1", atMs, role: "response", text: "HI", thinking: "Greeting\nThey said hello." },
    ],
  );
  const none = [
    row("user", [{ text: "<session_context>\nThis is the Gemini CLI." }]),
    row("user", [{ functionResponse: { name: "f", response: {} } }]),
    row("gemini", "", { thoughts: [], toolCalls: [{ name: "f" }] }),
    row("gemini", [{ text: "HI" }], { tokens: null }),
    row("info", "Request cancelled."),
    '{"$set":{"messages":[]}}',
    "{torn",
  ];
  assert.deepEqual(none.map(parseGeminiTurn), none.map(() => undefined));
});

Deno.test("profiles: claude's transcript gives prompts and answers with thinking, not tools or side threads", () => {
  const row = (more: object) =>
    JSON.stringify({ type: "assistant", uuid: "u1", timestamp: "2026-11-30T14:22:18.272Z", ...more });
  assert.deepEqual(
    parseClaudeTurns([row({
      message: { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "391" }] },
    })]),
    { turns: [{ key: "u1", atMs: 1796048538272, role: "response", text: "391", thinking: "hm" }] },
  );
  const toolUse = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "x", input: {} }] };
  assert.deepEqual(parseClaudeTurns([row({ message: toolUse })]).turns, []);
  const text = { role: "assistant", content: [{ type: "text", text: "aside" }] };
  assert.deepEqual(parseClaudeTurns([row({ isSidechain: true, message: text })]).turns, []);
});

Deno.test("profiles: codex's rollout gives prompts and answers, not what the harness added", () => {
  const item = (id: string, type: string, text: string) =>
    JSON.stringify({
      timestamp: "2026-11-30T14:22:16.594Z",
      type: "event_msg",
      payload: { type: "item_completed", item: { type, id, content: [{ type: "text", text }] } },
    });
  assert.deepEqual(
    parseCodexTurns([
      item("1", "UserMessage", "<environment_context>x"),
      item("2", "UserMessage", "hello"),
      "{torn",
      item("3", "AgentMessage", "ECHO"),
    ]).turns,
    [
      { key: "2", atMs: 1796048536594, role: "prompt", text: "hello" },
      { key: "3", atMs: 1796048536594, role: "response", text: "ECHO" },
    ],
  );
});

Deno.test("profiles: a transcript is read on from where it ended, whole lines only", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "one\ntwo\nthr");
    const first = await readAppendedLines(path, 0);
    assert.deepEqual(first, { lines: ["one", "two"], offsets: [0, 4], nextOffset: 8, isCut: false });
    await Deno.writeTextFile(path, "ee\n", { append: true });
    const second = await readAppendedLines(path, first.nextOffset);
    assert.deepEqual(second, { lines: ["three"], offsets: [8], nextOffset: 14, isCut: false });
    const none = await readAppendedLines(`${path}.gone`, 3);
    assert.deepEqual(none, { lines: [], offsets: [], nextOffset: 3, isCut: false });
  } finally {
    await Deno.remove(path);
  }
});
