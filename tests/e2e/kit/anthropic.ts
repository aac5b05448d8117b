/**
 * The Anthropic Messages API, streaming and not, as Claude Code uses it.
 * Limit kinds: api (API key, 429), five_hour, seven_day, seven_day_opus (subscription), overloaded (529), credit (400).
 */
import { z } from "zod";
import { type ModelRequest, type ModelServer, startModelServer } from "./model_server.ts";
import { findTool, pieces, type Step, type Turn } from "./script.ts";

const BlockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
const ContentSchema = z.union([z.string(), z.array(BlockSchema)]);
const FormatSchema = z.looseObject({
  format: z.looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) }) }),
});
const RequestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: ContentSchema })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  output_config: FormatSchema.optional().catch(undefined),
});
type MessagesRequest = z.infer<typeof RequestSchema>;

export function startFakeAnthropic(): Promise<ModelServer> {
  return startModelServer(async (request) => {
    if (request.method === "HEAD" || request.path === "/") return new Response(null);
    if (request.path === "/v1/models") {
      return Response.json({ data: [{ type: "model", id: "claude-fake-1", display_name: "Fake" }], has_more: false });
    }
    if (request.path.endsWith("/count_tokens")) return Response.json({ input_tokens: 1000 });
    if (request.method !== "POST" || !request.path.endsWith("/v1/messages")) return undefined;
    return await answer(request, RequestSchema.parse(request.body));
  });
}

async function answer(request: ModelRequest, body: MessagesRequest): Promise<Response> {
  const turn = readTurn(body);
  const step = await request.play(turn);
  switch (step.kind) {
    case "limit":
      return limit(step.limit, step.resetSeconds ?? 3600);
    case "error":
      return Response.json({ type: "error", error: { type: "api_error", message: step.text } }, {
        status: step.status,
      });
  }
  const message = {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model: body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  };
  const tool = step.kind === "tool" ? toolUse(body, { step, searched: turn.searched }) : undefined;
  const text = step.kind === "tool" ? "" : structured(body) ?? step.text;
  const stop = tool === undefined ? "end_turn" : "tool_use";
  if (!body.stream) return Response.json({ ...message, content: [tool ?? { type: "text", text }], stop_reason: stop });
  return request.stream(async (events) => {
    const send = (type: string, data: object) => events.send({ type, ...data }, type);
    let index = 0;
    const delta = (part: object) => send("content_block_delta", { index, delta: part });
    send("message_start", { message });
    if (step.thought !== undefined) {
      send("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
      delta({ type: "thinking_delta", thinking: step.thought });
      delta({ type: "signature_delta", signature: "c2ln" });
      send("content_block_stop", { index });
      index++;
    }
    if (tool !== undefined) {
      send("content_block_start", { index, content_block: { ...tool, input: {} } });
      delta({ type: "input_json_delta", partial_json: JSON.stringify(tool.input) });
    } else {
      send("content_block_start", { index, content_block: { type: "text", text: "" } });
      send("ping", {});
      for (let tick = 0; step.kind === "slow" && tick < step.seconds * 2 && events.isOpen(); tick++) {
        delta({ type: "text_delta", text: `tick ${tick} ` });
        await events.pause();
      }
      for (const piece of pieces(text)) delta({ type: "text_delta", text: piece });
    }
    send("content_block_stop", { index });
    send("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } });
    send("message_stop", {});
  });
}

/**
 * The last user text that is not a reminder of the harness, and the tool results that follow it. Claude Code keeps MCP
 * tools behind its own ToolSearch unless they are always loaded; that search is no step of the script.
 */
function readTurn(body: MessagesRequest): Turn & { readonly searched: boolean } {
  let userText = "";
  let results: string[] = [];
  let searched = false;
  const searches = new Set<string>();
  for (const { role, content } of body.messages) {
    const blocks = typeof content === "string" ? [BlockSchema.parse({ type: "text", text: content })] : content;
    if (role === "assistant") {
      for (const { type, name, id } of blocks) if (type === "tool_use" && name === "ToolSearch") searches.add(id ?? "");
      continue;
    }
    if (role !== "user") continue;
    const texts: string[] = [];
    for (const block of blocks) {
      if (block.type === "tool_result") {
        if (searches.has(block.tool_use_id ?? "")) searched = true;
        else results.push(textOf(block.content));
      } else if (block.text !== undefined) {
        const text = block.text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();
        if (text !== "" && text !== "Tool loaded.") texts.push(text);
      }
    }
    const last = texts.at(-1);
    if (last !== undefined) [userText, results, searched] = [last, [], false];
  }
  return { userText, results, searched };
}

function textOf(content: unknown): string {
  const parsed = ContentSchema.safeParse(content);
  if (!parsed.success) return "";
  return typeof parsed.data === "string" ? parsed.data : parsed.data.map(({ text }) => text ?? "").join("\n");
}

function toolUse(
  body: MessagesRequest,
  { step, searched }: { readonly step: Extract<Step, { kind: "tool" }>; readonly searched: boolean },
) {
  const offered = body.tools.map(({ name }) => name);
  const name = findTool(offered, step.name);
  const use = { type: "tool_use", id: newId("toolu") };
  if (offered.includes(name)) return { ...use, name, input: step.input };
  const deferred = new RegExp(`mcp__[\\w-]+__${step.name}\\b`).exec(JSON.stringify(body.messages))?.[0];
  if (deferred !== undefined && offered.includes("ToolSearch") && !searched) {
    return { ...use, name: "ToolSearch", input: { query: `select:${deferred}`, max_results: 5 } };
  }
  return { ...use, name: deferred ?? name, input: step.input };
}

/** An object that fits the schema when the harness asks for structured output (the title of a session, say). */
function structured(body: MessagesRequest): string | undefined {
  const properties = body.output_config?.format.schema.properties;
  return properties && JSON.stringify(Object.fromEntries(Object.keys(properties).map((key) => [key, "fake"])));
}

function limit(kind: string, resetSeconds: number): Response {
  const reset = Math.floor(Date.now() / 1000) + resetSeconds;
  const error = (status: number, type: string, message: string, headers: Record<string, string> = {}) =>
    Response.json({ type: "error", error: { type, message }, request_id: newId("req") }, { status, headers });
  if (kind === "overloaded") return error(529, "overloaded_error", "Overloaded");
  if (kind === "credit") {
    return error(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.");
  }
  if (kind === "api") {
    return error(429, "rate_limit_error", "This request would exceed your organization's rate limit.", {
      "retry-after": String(resetSeconds),
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": new Date(reset * 1000).toISOString(),
    });
  }
  const window = kind === "five_hour" ? "5h" : "7d";
  return error(429, "rate_limit_error", "This request would exceed your account's rate limit.", {
    "retry-after": String(resetSeconds),
    "x-should-retry": "false",
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-representative-claim": kind,
    "anthropic-ratelimit-unified-reset": String(reset),
    [`anthropic-ratelimit-unified-${window}-status`]: "rejected",
    [`anthropic-ratelimit-unified-${window}-reset`]: String(reset),
    [`anthropic-ratelimit-unified-${window}-utilization`]: "1.0",
    "anthropic-ratelimit-unified-fallback": "unavailable",
    "anthropic-ratelimit-unified-overage-status": "rejected",
    "anthropic-ratelimit-unified-overage-disabled-reason": "org_level_disabled",
  });
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}
