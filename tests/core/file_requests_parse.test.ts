import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import {
  FILE_ACTIONS,
  MAX_DEPTH,
  MAX_REQUEST_BYTES,
  parseFileRequest,
  parseRequestPath,
  type RequestFile,
} from "../../core/orchestration/file_requests.ts";
import { composeFileResponse, formatFileResponse } from "../../core/orchestration/file_responses.ts";
import { createRandom } from "../helpers/random.ts";

const AGENTS = [
  { agentId: createId("agent", "id-main"), name: "Main" },
  { agentId: createId("agent", "id-dev"), name: "Dev Backend" },
  { agentId: createId("agent", "id-twin1"), name: "Twin" },
  { agentId: createId("agent", "id-twin2"), name: "twin" },
];

function file(requester = "id-main"): RequestFile {
  const parsed = parseRequestPath(`requests/${requester}/one.json`);
  assert.ok(parsed !== undefined);
  return parsed;
}

function parse(body: unknown, requester = "id-main") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return parseFileRequest({ file: file(requester), text, agents: AGENTS });
}

function command(body: unknown) {
  const parsed = parse(body);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return { [parsed.value.command.name]: parsed.value.command.input };
}

function refusal(body: unknown, requester?: string) {
  const parsed = parse(body, requester);
  assert.ok(!parsed.ok, JSON.stringify(parsed));
  return parsed.error;
}

Deno.test("file requests: which files are requests", () => {
  assert.deepEqual(parseRequestPath("requests/main/ask 1.json"), {
    requester: "main",
    name: "ask 1",
    responsePath: "requests/main/ask 1.json.response.json",
  });
  const others = [
    "requests/main/one.json.response.json",
    "requests/main/one.json.tmp",
    "requests/main/.one.json",
    "requests/main/~one.json",
    "requests/main/deeper/one.json",
    "requests/one.json",
    "requests/main/.json",
    "requests/main/a\nb.json",
    "state/main/one.json",
    "",
  ];
  for (const path of others) assert.equal(parseRequestPath(path), undefined, path);
});

Deno.test("file requests: every type of the table becomes its command", () => {
  const cases: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [{ type: "agent.message", targetAgent: "Dev Backend", task: "do", waitSeconds: 5 }, {
      ask: { target: "Dev Backend", task: "do", waitSeconds: 5 },
    }],
    [{ type: "agent.wait", ticket: "t1" }, { waitReply: { ticket: "t1" } }],
    [{ type: "agent.task" }, { getTask: {} }],
    [{ type: "agent.reply", result: "" }, { reply: { result: "" } }],
    [{ type: "agent.run", targetAgent: "Dev", task: "x", visibility: "background" }, {
      launch: { target: "Dev", task: "x", visibility: "background" },
    }],
    [{ type: "spawn_agent", name: "New", profile: "claude", context: "# New" }, {
      launch: { target: "New", profile: "claude", context: "# New" },
    }],
    [{ type: "agent.stop", target: "Dev" }, { stop: { target: "Dev" } }],
    [{ type: "stop_agent", name: "Dev" }, { stop: { target: "Dev" } }],
    [{ type: "agent.list" }, { list: {} }],
    [{ type: "update_agent_context", name: "Dev", context: "# Dev" }, {
      updateContext: { target: "Dev", content: "# Dev" },
    }],
    [{ type: "skill.create", name: "review", content: "...", scope: "project" }, {
      createSkill: { name: "review", content: "...", scope: "project" },
    }],
    [{ type: "context.read" }, { contextRead: {} }],
    [{ type: "context.propose", content: "new" }, { contextPropose: { content: "new" } }],
    [{ type: "memory.read", slug: "a" }, { memoryRead: { slug: "a" } }],
    [{ type: "memory.write", slug: "a", content: "b", noteType: "project" }, {
      memoryWrite: { slug: "a", content: "b", type: "project" },
    }],
    [{ type: "status.set", doing: "tests" }, { setStatus: { doing: "tests" } }],
  ];
  for (const [body, expected] of cases) assert.deepEqual(command(body), expected, JSON.stringify(body));
  assert.deepEqual(cases.map(([body]) => body.type), FILE_ACTIONS);
});

Deno.test("file requests: unknown fields and nulls are left aside, a byte order mark too", () => {
  assert.deepEqual(command({ type: "agent.reply", result: "x", ticket: null, extra: { a: 1 } }), {
    reply: { result: "x" },
  });
  assert.ok(parse('\ufeff{"type":"agent.list"}').ok);
});

Deno.test("file requests: the folder proves who asks, by id or by name; the body may only agree", () => {
  const list = { type: "agent.list" };
  for (const requester of ["id-main", "Main", "main"]) {
    const parsed = parse({ ...list, requestedBy: "Main" }, requester);
    assert.ok(parsed.ok && parsed.value.agentId === "id-main");
  }
  assert.equal(refusal(list, "nobody").error.kind, "unknownRequester");
  assert.equal(refusal(list, "Twin").error.kind, "unknownRequester");
  assert.equal(refusal({ ...list, requestedBy: "Dev Backend" }).error.kind, "foreignRequester");
  assert.equal(refusal({ ...list, requestedBy: "nobody" }).error.kind, "foreignRequester");
  assert.equal(refusal({ ...list, requestedBy: ["Main"] }).error.kind, "foreignRequester");
});

Deno.test("file requests: half-written, malformed, huge and deep files are typed errors", () => {
  const kinds = (body: unknown) => refusal(body).error.kind;
  for (const text of ["", "{", '{"type":"agent.list"', "nonsense", "{'type':1}", '{"type":"agent.list"}}']) {
    assert.equal(kinds(text), "notJson", text);
  }
  for (const text of ["null", "[]", '"x"', "5"]) assert.equal(kinds(text), "notAnObject", text);
  assert.equal(kinds(`"${"x".repeat(MAX_REQUEST_BYTES)}"`), "tooLarge");
  assert.equal(kinds("[".repeat(2_000_000)), "tooDeep");
  const nested = (depth: number) => `{"type":"agent.list","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  assert.ok(parse(nested(MAX_DEPTH)).ok);
  assert.equal(kinds(nested(MAX_DEPTH + 1)), "tooDeep");
  assert.ok(parse({ type: "agent.reply", result: '[[[[[[[[[[[[[[[[[[[["\\{{{{{{{{{{{{{{{{{{' }).ok, "brackets in text");
  const tooLarge = { kind: "tooLarge", limitBytes: MAX_REQUEST_BYTES } as const;
  const unread = parseFileRequest({ file: file(), text: tooLarge, agents: AGENTS });
  assert.deepEqual(unread, { ok: false, error: { action: "", error: tooLarge } });
});

Deno.test("file requests: what is not valid is named as the file names it", () => {
  assert.deepEqual(refusal({ type: "fly" }), { action: "fly", error: { kind: "unknownCommand", name: "fly" } });
  assert.equal(refusal({ type: 5 }).error.kind, "unknownCommand");
  assert.equal(refusal({}).error.kind, "unknownCommand");
  for (const type of ["constructor", "__proto__", "toString"]) {
    assert.equal(refusal(`{"type":"${type}"}`).error.kind, "unknownCommand");
  }
  const { error } = refusal({ type: "agent.message", task: "", waitSeconds: "soon" });
  assert.ok(error.kind === "invalid");
  assert.deepEqual(error.issues.map(({ path }) => path), ["targetAgent", "task", "waitSeconds"]);
  assert.equal(refusal('{"type":"agent.stop","__proto__":{"name":"Dev"}}').error.kind, "invalid");
});

Deno.test("file requests: random and broken text never throws", () => {
  const whole = JSON.stringify({ type: "agent.message", requestedBy: "Main", targetAgent: "Dev", task: 'x"\\\n🦊' });
  const bits = ["{", "}", "[", '"', "\\", ":", ",", "type", "agent.run", "\u0000", "\ud800", "null", "1e999", whole];
  for (let seed = 0; seed < 5_000; seed++) {
    const random = createRandom(seed);
    const text = random.int(3) === 0
      ? whole.slice(0, random.int(whole.length))
      : Array.from({ length: random.int(12) }, () => random.pick(bits)).join("");
    const parsed = parse(text);
    if (parsed.ok) continue;
    const { action, error } = parsed.error;
    const response = composeFileResponse(action, { ok: false, error });
    assert.ok(!response.ok && response.detail.length > 10 && response.error !== undefined, text);
  }
});

Deno.test("file responses: one shape for answers and errors, readable by programs and models", () => {
  const ticket = createId("ticket", "t1");
  assert.deepEqual(
    composeFileResponse("agent.message", { ok: true, value: { kind: "reply", ticket, text: "42", source: "reply" } }),
    { ok: true, action: "agent.message", detail: "Answered.", reply: "42", ticket, source: "reply" },
  );
  const pending = composeFileResponse("agent.message", {
    ok: true,
    value: { kind: "pending", ticket, state: "queued", position: 2 },
  });
  assert.match(pending.detail, /queued at position 2.*\{"type":"agent\.wait","ticket":"t1"\}/);
  const cycle = composeFileResponse("agent.message", { ok: false, error: { kind: "cycle", path: ["A", "B", "A"] } });
  assert.deepEqual([cycle.ok, cycle.error?.kind], [false, "cycle"]);
  assert.match(cycle.detail, /A → B → A/);
  const unknown = composeFileResponse("fly", { ok: false, error: { kind: "unknownCommand", name: "fly" } });
  assert.match(unknown.detail, /agent\.message/);
  const text = formatFileResponse(cycle);
  assert.deepEqual(JSON.parse(text), cycle);
  assert.ok(text.endsWith("}\n"));
});
