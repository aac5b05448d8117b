/** The plugin is run here as opencode runs it: as a module of its own beside its files, with events in their order. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { createOpencodeCli } from "../../adapters/profiles/opencode.ts";
import { OPENCODE_PLUGIN, PLUGIN_FILE, PLUGIN_RECORDS_FILE } from "../../adapters/profiles/opencode_plugin.ts";
import { parseOpencodeRecord } from "../../adapters/profiles/opencode_records.ts";
import type { CliReport, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { waitFor } from "../helpers/wait_for.ts";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");

interface Message {
  readonly info: Record<string, unknown>;
  readonly parts: readonly Record<string, unknown>[];
}

interface Plugin {
  event(input: { readonly event: unknown }): void;
  "chat.message"(input: unknown, output: unknown): void;
}

interface Run extends AsyncDisposable {
  readonly folder: string;
  readonly plugin: Plugin;
  readonly messages: Message[];
  event(type: string, properties: unknown): void;
  status(sessionID: string, status: unknown): void;
  prompt(sessionID: string, id: string, text: string): void;
  /** All that was told since the start, as soon as there is that much of it. */
  reports(count: number): Promise<readonly CliReport[]>;
}

async function start(): Promise<Run> {
  const folder = await Deno.makeTempDir({ prefix: "it's a run " });
  const path = join(folder, PLUGIN_FILE);
  await Deno.writeTextFile(path, OPENCODE_PLUGIN);
  const messages: Message[] = [];
  const client = {
    session: {
      get: ({ path: { id } }: { path: { id: string } }) =>
        Promise.resolve({ data: id.startsWith("ses_child") ? { id, parentID: "ses_a" } : { id } }),
      messages: () => Promise.resolve({ data: messages }),
    },
  };
  const loaded: { IdeA(context: unknown): Promise<Plugin> } = await import(pathToFileURL(path).href);
  const plugin = await loaded.IdeA({ client });
  const read = async () => {
    const text = await Deno.readTextFile(join(folder, PLUGIN_RECORDS_FILE));
    return text.split("\n").flatMap((line) => parseOpencodeRecord(line, NOW_MS));
  };
  const event = (type: string, properties: unknown) => plugin.event({ event: { type, properties } });
  return {
    folder,
    plugin,
    messages,
    event,
    status: (sessionID, status) => event("session.status", { sessionID, status }),
    prompt: (sessionID, id, text) =>
      plugin["chat.message"]({ sessionID }, { message: { id }, parts: [{ type: "text", text }] }),
    async reports(count) {
      let last: readonly CliReport[] = [];
      await waitFor(`${count} reports`, async () => (last = await read()).length >= count);
      return last;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

function said(role: "user" | "assistant", id: string, text: string, more: Record<string, unknown> = {}): Message {
  const created = Date.now() + 1_000;
  return { info: { id, role, time: { created, completed: created }, ...more }, parts: [{ type: "text", text }] };
}

Deno.test("opencode plugin: a turn has one begin and one end, with the answer, and what was said is written down", async () => {
  await using run = await start();
  run.messages.push(
    said("user", "msg_1", "how much is 17 × 23"),
    { ...said("assistant", "msg_2", ""), parts: [{ type: "reasoning", text: "easy" }, { type: "text", text: "391" }] },
    said("assistant", "msg_3", "cut here", { error: { name: "MessageAbortedError" } }),
  );
  run.prompt("ses_a", "msg_1", "how much is 17 × 23");
  for (const type of ["busy", "busy", "idle", "idle"]) run.status("ses_a", { type });
  const transcriptPath = join(run.folder, "transcript-ses_a.jsonl");
  assert.deepEqual(await run.reports(4), [
    { kind: "started" },
    { kind: "conversation", providerSessionId: "ses_a", transcriptPath },
    { kind: "turnStarted", turnId: "msg_1", prompt: "how much is 17 × 23" },
    { kind: "turnEnded", turnId: "msg_1", lastAnswer: "391" },
  ]);
  const { turns } = await createOpencodeCli().readTranscript(transcriptPath, 0);
  assert.deepEqual(turns.map(({ atMs: _, ...turn }) => turn), [
    { key: "msg_1", role: "prompt", text: "how much is 17 × 23" },
    { key: "msg_2", role: "response", text: "391", thinking: "easy" },
  ]);
});

Deno.test("opencode plugin: a subagent is no conversation of the agent, and its end is not the end of the turn", async () => {
  await using run = await start();
  run.messages.push(said("user", "msg_1", "go"), said("assistant", "msg_2", "done"));
  run.prompt("ses_a", "msg_1", "go");
  run.status("ses_a", { type: "busy" });
  run.prompt("ses_child", "msg_9", "find it");
  run.status("ses_child", { type: "busy" });
  run.status("ses_child", { type: "idle" });
  run.status("ses_a", { type: "idle" });
  const reports = await run.reports(4);
  assert.deepEqual(reports.map(({ kind }) => kind), ["started", "conversation", "turnStarted", "turnEnded"]);
  assert.deepEqual(reports[3], { kind: "turnEnded", turnId: "msg_1", lastAnswer: "done" });
});

Deno.test("opencode plugin: a question to the person blocks until it is answered", async () => {
  await using run = await start();
  run.prompt("ses_a", "msg_1", "go");
  run.status("ses_a", { type: "busy" });
  run.event("permission.asked", { id: "per_1", permission: "external_directory", patterns: ["/etc/*"] });
  run.event("question.asked", { id: "que_1", questions: [{ question: "Which?" }] });
  run.event("permission.replied", { requestID: "per_1", reply: "once" });
  run.event("question.rejected", { requestID: "que_1" });
  const reports = await run.reports(6);
  assert.deepEqual(reports.slice(3), [
    { kind: "blocked", detail: "external_directory /etc/*" },
    { kind: "blocked", detail: "Which?" },
    { kind: "turnStarted", turnId: "msg_1", prompt: "go" },
  ]);
});

Deno.test("opencode plugin: it waits for a limit by itself and goes on; an error that ends the turn is told once", async () => {
  await using run = await start();
  const resetsAtMs = NOW_MS + 3_600_000;
  run.prompt("ses_a", "msg_1", "go");
  run.status("ses_a", { type: "busy" });
  run.status("ses_a", { type: "retry", attempt: 1, message: "Rate limit reached", next: NOW_MS + 2_000 });
  run.status("ses_a", { type: "busy" });
  run.status("ses_a", { type: "retry", attempt: 2, message: "Rate limit reached", next: resetsAtMs });
  run.status("ses_a", { type: "busy" });
  const data = { message: "bad thing", statusCode: 500 };
  run.event("session.error", { sessionID: "ses_a", error: { name: "APIError", data } });
  run.status("ses_a", { type: "idle" });
  run.status("ses_a", { type: "idle" });
  const begun: CliReport = { kind: "turnStarted", turnId: "msg_1", prompt: "go" };
  assert.deepEqual((await run.reports(7)).slice(2), [
    begun,
    begun,
    { kind: "limited", detail: "Rate limit reached", resetsAtMs },
    begun,
    { kind: "failed", detail: "bad thing", turnId: "msg_1" },
  ]);
});

Deno.test("opencode: everything by one variable, merged over the person's config; a session of its own is resumed", () => {
  const profile = referenceProfiles.find(({ name }) => name === "opencode");
  assert.ok(profile);
  const request: LaunchRequest = {
    profile,
    projectRoot: "/p",
    runDir: "/p/it's/run",
    context: "# You",
    mcp: { url: "http://127.0.0.1:4000/mcp", secret: "s3cret", bridge: ["idea", "mcp"] },
    conversation: { kind: "new", freshId: "11111111-2222-4333-8444-555555555555" },
  };
  const launch = createOpencodeCli().planLaunch(request);
  assert.ok(launch.ok);
  const { argv, cwd, env, files, providerSessionId } = launch.value;
  assert.deepEqual([argv, cwd, providerSessionId], [["opencode"], "/p", undefined]);
  assert.deepEqual(JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? ""), {
    instructions: ["/p/it's/run/context.md"],
    plugin: ["file:///p/it's/run/opencode_plugin.js"],
    permission: { "idea_*": "allow" },
    mcp: {
      idea: {
        enabled: true,
        timeout: 86_400_000,
        type: "remote",
        url: "http://127.0.0.1:4000/mcp",
        oauth: false,
        headers: { Authorization: "Bearer s3cret" },
      },
    },
  });
  assert.deepEqual(files.map(({ path }) => path), ["context.md", "secret", "opencode_plugin.js", "hooks.jsonl"]);
  const resumed = createOpencodeCli().planLaunch({
    ...request,
    conversation: { kind: "resume", providerSessionId: "ses_a" },
  });
  assert.deepEqual(resumed.ok && resumed.value.argv, ["opencode", "--session", "ses_a"]);
});

Deno.test("opencode records: a limit that ends the turn, with the reset that the provider told; what is no record", () => {
  const error = {
    message: "The usage limit has been reached",
    status: 429,
    body: '{"error":{"resets_at":1796061600}}',
  };
  assert.deepEqual(parseOpencodeRecord(JSON.stringify({ type: "idle", turn: "msg_1", error }), NOW_MS), [
    { kind: "limited", detail: error.message, resetsAtMs: 1_796_061_600_000 },
    { kind: "turnEnded", turnId: "msg_1" },
  ]);
  const later = { ...error, body: '{"error":{"resets_in_seconds":90}}' };
  assert.deepEqual(parseOpencodeRecord(JSON.stringify({ type: "idle", error: later }), NOW_MS)[0], {
    kind: "limited",
    detail: error.message,
    resetsAtMs: NOW_MS + 90_000,
  });
  for (const line of ["", "{", '{"type":"idle","turn":1}', '{"type":"defect","message":"x"}']) {
    assert.deepEqual(parseOpencodeRecord(line, NOW_MS), []);
  }
});
