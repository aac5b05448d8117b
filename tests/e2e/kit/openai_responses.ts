/** OpenAI's Responses API, streaming and not, as Codex uses it. */
import { z } from "zod";
import type { ModelRequest } from "./model_server.ts";
import { HARNESS, limit, newId, nowSeconds, PartSchema, textsOf } from "./openai_shapes.ts";
import { findTool, pieces, type Step, type Turn } from "./script.ts";

const ToolSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});
type Tool = z.infer<typeof ToolSchema>;

const ItemSchema = z.looseObject({
  type: z.string().default("message"),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(PartSchema)]).nullish(),
  output: z.unknown().optional(),
  tools: z.array(ToolSchema).optional(),
});
const RequestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  input: z.union([
    z.string().transform((text) => [ItemSchema.parse({ role: "user", content: text })]),
    z.array(ItemSchema),
  ]),
  tools: z.array(ToolSchema).default([]),
  text: z.looseObject({
    format: z.looseObject({
      schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) }).optional(),
    }).optional(),
  }).optional(),
});
type ResponsesRequest = z.infer<typeof RequestSchema>;

export async function answerResponses(request: ModelRequest): Promise<Response> {
  const body = RequestSchema.parse(request.body);
  const turn = readTurn(body);
  const step = await request.play(turn);
  switch (step.kind) {
    case "limit":
      return limit(step.limit, step.resetSeconds ?? 3600);
    case "error":
      return Response.json({ error: { message: step.text, type: "server_error", code: null } }, {
        status: step.status,
      });
  }
  const response = { id: newId("resp"), object: "response", created_at: nowSeconds(), model: body.model };
  const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
  const call = step.kind === "tool" ? toolCall(body, { step, found: turn.found }) : undefined;
  const text = step.kind === "tool" ? "" : structured(body) ?? step.text;
  const whole = call ?? messageItem(text);
  const completed = { ...response, status: "completed", output: [whole], usage };
  if (!body.stream) return Response.json(completed);
  return request.stream(async (events) => {
    let number = 0;
    const send = (type: string, data: object) => events.send({ type, sequence_number: number++, ...data }, type);
    send("response.created", { response: { ...response, status: "in_progress", output: [] } });
    send("response.in_progress", { response: { ...response, status: "in_progress", output: [] } });
    const thought = step.thought === undefined ? undefined : reasoningItem(step.thought);
    if (thought !== undefined) {
      send("response.output_item.added", { output_index: 0, item: { ...thought, summary: [] } });
      send("response.output_item.done", { output_index: 0, item: thought });
    }
    const output_index = thought === undefined ? 0 : 1;
    const at = { output_index, item_id: whole.id };
    if (call !== undefined) {
      const started = typeof call.arguments === "string" ? "" : call.arguments;
      send("response.output_item.added", {
        output_index,
        item: { ...call, arguments: started, status: "in_progress" },
      });
      if (call.type === "function_call") {
        send("response.function_call_arguments.delta", { ...at, delta: call.arguments });
        send("response.function_call_arguments.done", { ...at, arguments: call.arguments });
      }
      send("response.output_item.done", { output_index, item: call });
      send("response.completed", { response: completed });
      return;
    }
    send("response.output_item.added", { output_index, item: { ...messageItem(""), id: whole.id, content: [] } });
    const content = { ...at, content_index: 0 };
    send("response.content_part.added", { ...content, part: { type: "output_text", text: "", annotations: [] } });
    let streamed = "";
    const delta = (piece: string) => {
      streamed += piece;
      send("response.output_text.delta", { ...content, delta: piece });
    };
    for (let tick = 0; step.kind === "slow" && tick < step.seconds * 2 && events.isOpen(); tick++) {
      delta(`tick ${tick} `);
      await events.pause();
    }
    for (const piece of pieces(text)) delta(piece);
    const item = { ...messageItem(streamed), id: whole.id };
    send("response.output_text.done", { ...content, text: streamed });
    send("response.content_part.done", { ...content, part: item.content[0] });
    send("response.output_item.done", { output_index, item });
    send("response.completed", { response: { ...completed, output: [item] } });
  });
}

function reasoningItem(text: string) {
  return { type: "reasoning", id: newId("rs"), summary: [{ type: "summary_text", text }], status: "completed" };
}

function messageItem(text: string) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: newId("msg"), role: "assistant", status: "completed", content };
}

/**
 * The last user text and the tool results that follow it. Codex hides MCP tools behind a search when there are many;
 * what it found is in `found`, and the search is no step of the script.
 */
function readTurn(body: ResponsesRequest): Turn & { readonly found: readonly Tool[] | undefined } {
  let userText = "";
  let results: string[] = [];
  let found: readonly Tool[] | undefined;
  for (const item of body.input) {
    if (item.type === "message" && item.role === "user") {
      const last = textsOf(item.content).findLast((text) => text.trim() !== "" && !HARNESS.test(text));
      if (last !== undefined) [userText, results, found] = [last, [], undefined];
    } else if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      results.push(outputText(item.output));
      // The next step may want a tool that this search did not bring.
      found = undefined;
    } else if (item.type === "tool_search_output") {
      found = item.tools ?? [];
    }
  }
  return { userText, results, found };
}

const OutputSchema = z.union([
  z.string().transform((text) => [{ text }]),
  z.array(PartSchema),
  z.looseObject({ content: z.array(PartSchema) }).transform(({ content }) => content),
]);

function outputText(output: unknown): string {
  const parsed = OutputSchema.safeParse(output);
  return parsed.success ? textsOf(parsed.data).join("\n") : JSON.stringify(output);
}

/** A call of the wanted tool: a plain function, a member of a namespace, or behind the search. */
function toolCall(
  body: ResponsesRequest,
  { step, found }: { readonly step: Extract<Step, { kind: "tool" }>; readonly found: readonly Tool[] | undefined },
) {
  const offered = [...body.tools, ...(found ?? []), ...body.input.flatMap(({ tools }) => tools ?? [])].flatMap((tool) =>
    tool.type === "namespace"
      ? (tool.tools ?? []).map(({ name }) => ({ full: `${tool.name}__${name}`, name, namespace: tool.name }))
      : tool.name === undefined
      ? []
      : [{ full: tool.name, name: tool.name, namespace: undefined }]
  );
  const full = findTool(offered.map((tool) => tool.full), step.name);
  const hit = offered.find((tool) => tool.full === full);
  const ids = { call_id: newId("call"), status: "completed" };
  if (hit === undefined && found === undefined && body.tools.some(({ type }) => type === "tool_search")) {
    const query = { query: step.name, limit: 8 };
    return { type: "tool_search_call", id: newId("tsc"), ...ids, execution: "client", arguments: query };
  }
  return {
    type: "function_call",
    id: newId("fc"),
    ...ids,
    name: hit?.name ?? step.name,
    arguments: JSON.stringify(step.input),
    ...(hit?.namespace !== undefined && { namespace: hit.namespace }),
  };
}

function structured(body: ResponsesRequest): string | undefined {
  const properties = body.text?.format?.schema?.properties;
  return properties && JSON.stringify(Object.fromEntries(Object.keys(properties).map((key) => [key, "fake"])));
}
