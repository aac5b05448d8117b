import assert from "node:assert/strict";
import { startFakeAnthropic } from "./kit/anthropic.ts";
import { startFakeGemini } from "./kit/gemini.ts";
import type { ModelServer } from "./kit/model_server.ts";
import { startFakeOpenai } from "./kit/openai.ts";
import { findTool, nextStep, parseStep } from "./kit/script.ts";

const SECOND_MS = 1_000;

Deno.test("script: directives are played in order, then the last result is told", () => {
  const userText = 'first [[tool echo {"text":"a ]] b"}]] then [[say done]]';
  assert.deepEqual(nextStep({ userText: "[[tool echo {}]] [[say done]]", results: [] }, []), parseStep("tool echo {}"));
  assert.deepEqual(nextStep({ userText: "[[tool echo {}]] [[say done]]", results: ["x"] }, []), parseStep("say done"));
  assert.deepEqual(nextStep({ userText: "[[tool echo {}]]", results: ["x"] }, []), parseStep("say RESULT <<x>>"));
  assert.deepEqual(nextStep({ userText: "one\ntwo", results: [] }, []), parseStep("say ECHO (2 lines) <<one\ntwo>>"));
  assert.deepEqual(nextStep({ userText: "[[ -f x ]] && echo", results: [] }, []).kind, "say");
  assert.deepEqual(nextStep({ userText, results: [] }, [{ match: /^first/, steps: ["say ruled"] }]), {
    kind: "say",
    text: "ruled",
  });
});

Deno.test("script: every kind of step, and quotes that a CLI has escaped", () => {
  assert.deepEqual(
    ['tool a {\\"b\\":1}', "slow 2 x", "hang 3", "limit five_hour:60", "limit api", "error 500 bad"].map(parseStep),
    [
      { kind: "tool", name: "a", input: { b: 1 } },
      { kind: "slow", seconds: 2, text: "x" },
      { kind: "hang", seconds: 3, text: "hang done" },
      { kind: "limit", limit: "five_hour", resetSeconds: 60 },
      { kind: "limit", limit: "api", resetSeconds: undefined },
      { kind: "error", status: 500, text: "bad" },
    ],
  );
  assert.throws(() => parseStep("sing"));
});

Deno.test("script: a short name means the offered tool that ends in it", () => {
  assert.equal(findTool(["Bash", "mcp__idea__idea_reply"], "idea_reply"), "mcp__idea__idea_reply");
  assert.equal(findTool(["other_echo", "echo"], "echo"), "echo");
  assert.equal(findTool([], "echo"), "echo");
});

interface Api {
  readonly name: string;
  readonly start: () => Promise<ModelServer>;
  readonly path: string;
  /** A request with one user message and a tool `mcp__idea__echo`; with a result, the turn after the call. */
  readonly request: (text: string, result?: string) => unknown;
}

const APIS: readonly Api[] = [
  {
    name: "anthropic",
    start: startFakeAnthropic,
    path: "/v1/messages",
    request: (text, result) => ({
      model: "m",
      stream: true,
      tools: [{ name: "mcp__idea__echo" }],
      messages: [
        { role: "user", content: [{ type: "text", text }] },
        ...(result === undefined ? [] : [
          { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "mcp__idea__echo", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: result }] },
        ]),
      ],
    }),
  },
  {
    name: "openai responses",
    start: startFakeOpenai,
    path: "/v1/responses",
    request: (text, result) => ({
      model: "m",
      stream: true,
      tools: [{ type: "namespace", name: "mcp__idea", tools: [{ name: "echo" }] }],
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>x" }] },
        { type: "message", role: "user", content: [{ type: "input_text", text }] },
        ...(result === undefined ? [] : [{ type: "function_call_output", call_id: "c1", output: result }]),
      ],
    }),
  },
  {
    name: "openai chat",
    start: startFakeOpenai,
    path: "/v1/chat/completions",
    request: (text, result) => ({
      model: "m",
      stream: true,
      tools: [{ type: "function", function: { name: "mcp__idea__echo" } }],
      messages: [
        { role: "user", content: text },
        ...(result === undefined ? [] : [{ role: "tool", tool_call_id: "c1", content: result }]),
      ],
    }),
  },
  {
    name: "gemini",
    start: startFakeGemini,
    path: "/v1beta/models/m:streamGenerateContent",
    request: (text, result) => ({
      contents: [
        { role: "user", parts: [{ text }] },
        ...(result === undefined ? [] : [
          { role: "user", parts: [{ functionResponse: { name: "mcp__idea__echo", response: { output: result } } }] },
        ]),
      ],
      tools: [{ functionDeclarations: [{ name: "mcp__idea__echo" }] }],
    }),
  },
];

/** The pieces of a streamed text put together, whatever the API calls them. */
function streamedText(events: string): string {
  const data = events.split("\n").filter((line) => line.startsWith("data: {")).map((line) => line.slice(6));
  const piece = /"(?:text_delta","text|response\.output_text\.delta".*?"delta|content|text)":"((?:[^"\\]|\\.)*)"/;
  return data.filter((line) => !/\.done"|\.added"|\.completed"|content_block_start/.test(line)).map((line) =>
    JSON.parse(`"${piece.exec(line)?.[1] ?? ""}"`)
  ).join("");
}

for (const api of APIS) {
  const ask = (server: ModelServer, text: string, result?: string) =>
    fetch(server.url + api.path, { method: "POST", body: JSON.stringify(api.request(text, result)) });

  Deno.test(`fake ${api.name}: calls the tool of the prompt, then tells its result`, async () => {
    await using server = await api.start();
    const prompt = 'please [[tool echo {"text":"hi"}]]';
    const call = await (await ask(server, prompt)).text();
    assert.match(call, /mcp__idea/);
    assert.match(call, /\{\\?"text\\?":\\?"hi\\?"\}/);
    assert.equal(streamedText(await (await ask(server, prompt, "hello ü")).text()), "RESULT <<hello ü>>");
    assert.deepEqual(server.log().map(({ turn }) => turn?.results), [[], ["hello ü"]]);
  });

  Deno.test(`fake ${api.name}: rules given by the test come first, errors have their status`, async () => {
    await using server = await api.start();
    server.setScript([{ match: /17 × 23/, steps: ["say 391"] }]);
    assert.equal(streamedText(await (await ask(server, "how much is 17 × 23?")).text()), "391");
    const failed = await ask(server, "[[error 418 no tea]]");
    assert.equal(failed.status, 418);
    assert.match(await failed.text(), /no tea/);
  });

  Deno.test(`fake ${api.name}: a client that leaves is noted, in the middle of the answer and before it`, async () => {
    await using server = await api.start();
    for (const prompt of ["[[slow 60 never]]", "[[hang 60]]"]) {
      const leaving = new AbortController();
      const body = JSON.stringify(api.request(prompt));
      const reading = fetch(server.url + api.path, { method: "POST", body, signal: leaving.signal }).then((response) =>
        response.text()
      );
      await server.waitFor(({ turn }) => turn?.userText === prompt, 5 * SECOND_MS);
      leaving.abort();
      await assert.rejects(reading);
      await server.waitFor(({ turn, closedEarly }) => turn?.userText === prompt && closedEarly, 5 * SECOND_MS);
    }
  });
}

Deno.test("fake model servers: usage limits have the status and the reset of the real API", async () => {
  await using anthropic = await startFakeAnthropic();
  await using openai = await startFakeOpenai();
  await using gemini = await startFakeGemini();
  const [claude, codex, google] = await Promise.all(
    ([[anthropic, 0, "five_hour:60"], [openai, 1, "usage:60"], [gemini, 3, "plan:60"]] as const).map(
      async ([server, api, kind]) => {
        const { path, request } = APIS[api] ?? assert.fail();
        const body = JSON.stringify(request(`[[limit ${kind}]]`));
        const response = await fetch(server.url + path, { method: "POST", body });
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
    ),
  );
  const soon = Date.now() / SECOND_MS + 60;
  const isSoon = (seconds: string | null | undefined) => Math.abs(Number(seconds) - soon) < 30;
  assert.deepEqual([claude?.status, codex?.status, google?.status], [429, 429, 429]);
  assert.ok(isSoon(claude?.headers.get("anthropic-ratelimit-unified-reset")));
  assert.ok(isSoon(/"resets_at":(\d+)/.exec(codex?.text ?? "")?.[1]));
  assert.match(google?.text ?? "", /reset after 0h1m0s/);
});

Deno.test("fake model servers: closing ends answers that are under way", async () => {
  const server = await startFakeAnthropic();
  const pending = fetch(server.url + "/v1/messages", {
    method: "POST",
    body: JSON.stringify(APIS[0]?.request("[[hang 60]]")),
  }).then((response) => response.text());
  await server.waitFor(({ step }) => step?.kind === "hang", 5 * SECOND_MS);
  await server.close();
  await pending;
});
