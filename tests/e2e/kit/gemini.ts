/**
 * The Gemini API (generateContent, streamGenerateContent, countTokens) as Gemini CLI uses it.
 * Limit kinds: plan (subscription, with its reset), day (daily quota), minute (to be retried), overloaded.
 */
import { z } from "zod";
import { type ModelRequest, type ModelServer, startModelServer } from "./model_server.ts";
import { findTool, pieces, type Turn } from "./script.ts";

const PartSchema = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.record(z.string(), z.unknown()).default({}) }).optional(),
});
const RequestSchema = z.looseObject({
  contents: z.array(z.looseObject({ role: z.string().default("user"), parts: z.array(PartSchema).default([]) })),
  tools: z.array(z.looseObject({
    functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]),
  })).default([]),
  generationConfig: z.looseObject({
    responseMimeType: z.string().optional(),
    responseJsonSchema: z.unknown().optional(),
    responseSchema: z.unknown().optional(),
  }).optional(),
});
type GeminiRequest = z.infer<typeof RequestSchema>;

const HARNESS = /^\s*(<session_context>|This is the Gemini CLI|<system-reminder>)/;

export function startFakeGemini(): Promise<ModelServer> {
  return startModelServer(async (request) => {
    const [, model = "", method] = /\/models\/([^:/]+):(\w+)$/.exec(request.path) ?? [];
    switch (method) {
      case "countTokens":
        return Response.json({ totalTokens: 100 });
      case "embedContent":
        return Response.json({ embedding: { values: [0, 0, 0] } });
      case "generateContent":
      case "streamGenerateContent":
        return await answer(request, { model, isStream: method === "streamGenerateContent" });
    }
    if (request.method !== "GET" || !request.path.includes("/models")) return undefined;
    const only = { name: "models/gemini-fake", displayName: "Fake", supportedGenerationMethods: ["generateContent"] };
    return Response.json({ models: [only] });
  });
}

async function answer(
  request: ModelRequest,
  { model, isStream }: { readonly model: string; readonly isStream: boolean },
): Promise<Response> {
  const body = RequestSchema.parse(request.body);
  const reply = (parts: readonly object[], finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: model,
    responseId: "fake",
  });
  const aside = structured(body);
  if (aside !== undefined) {
    const only = reply([{ text: JSON.stringify(aside) }], "STOP");
    return isStream ? request.stream(async (events) => events.send(only)) : Response.json(only);
  }
  const step = await request.play(readTurn(body));
  switch (step.kind) {
    case "limit":
      return limit(step.limit, { model, resetSeconds: step.resetSeconds ?? 40 });
    case "error":
      return Response.json({ error: { code: step.status, message: step.text, status: "INTERNAL" } }, {
        status: step.status,
      });
  }
  const offered = body.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name));
  const call = step.kind === "tool"
    ? { functionCall: { name: findTool(offered, step.name), args: step.input } }
    : undefined;
  const text = step.kind === "tool" ? "" : step.text;
  if (!isStream) return Response.json(reply([call ?? { text }], "STOP"));
  return request.stream(async (events) => {
    if (call !== undefined) return events.send(reply([call], "STOP"));
    for (let tick = 0; step.kind === "slow" && tick < step.seconds * 2 && events.isOpen(); tick++) {
      events.send(reply([{ text: `tick ${tick} ` }]));
      await events.pause();
    }
    for (const piece of pieces(text)) events.send(reply([{ text: piece }]));
    events.send(reply([{ text: "" }], "STOP"));
  });
}

function readTurn(body: GeminiRequest): Turn {
  let userText = "";
  let results: string[] = [];
  for (const { role, parts } of body.contents) {
    if (role !== "user" && role !== "function") continue;
    const responses = parts.flatMap(({ functionResponse }) => functionResponse ? [functionResponse.response] : []);
    results.push(...responses.map(responseText));
    const last = parts.findLast(({ text }) => text !== undefined && text.trim() !== "" && !HARNESS.test(text))?.text;
    // A message that carries tool results is no new prompt.
    if (last !== undefined && responses.length === 0) [userText, results] = [last, []];
  }
  return { userText, results };
}

function responseText(response: Readonly<Record<string, unknown>>): string {
  const output = response["output"] ?? response["content"] ?? response["result"] ?? response["error"] ?? response;
  if (typeof output === "string") return output;
  const parts = z.array(PartSchema).safeParse(output);
  return parts.success ? parts.data.map(({ text }) => text ?? "").join("\n") : JSON.stringify(output);
}

/** What the CLI asks on the side, as JSON: which model to take, who speaks next. Undefined for a real turn. */
function structured(body: GeminiRequest): unknown {
  const config = body.generationConfig;
  const schema = config?.responseJsonSchema ?? config?.responseSchema;
  return schema !== undefined || config?.responseMimeType === "application/json" ? fill(schema) : undefined;
}

const NodeSchema = z.looseObject({
  type: z.string().default("object"),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
});

function fill(schema: unknown): unknown {
  const node = NodeSchema.parse(schema ?? {});
  if (node.enum !== undefined) return node.enum.includes("user") ? "user" : node.enum.at(-1);
  switch (node.type.toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(node.properties).map(([key, value]) => [key, fill(value)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 1;
    default:
      return "fake";
  }
}

function limit(
  kind: string,
  { model, resetSeconds }: { readonly model: string; readonly resetSeconds: number },
): Response {
  const rpc = (type: string, data: object) => ({ "@type": `type.googleapis.com/google.rpc.${type}`, ...data });
  const error = (status: number, body: object) => Response.json({ error: { code: status, ...body } }, { status });
  const retry = rpc("RetryInfo", { retryDelay: `${resetSeconds}s` });
  if (kind === "overloaded") return error(503, { status: "UNAVAILABLE", message: "The model is overloaded." });
  if (kind === "plan") {
    const [hours, minutes] = [Math.floor(resetSeconds / 3600), Math.floor(resetSeconds % 3600 / 60)];
    const metadata = { model, quotaResetTimeStamp: new Date(Date.now() + resetSeconds * 1000).toISOString() };
    return error(429, {
      status: "RESOURCE_EXHAUSTED",
      message: "You have exhausted your capacity on this model. " +
        `Your quota will reset after ${hours}h${minutes}m${resetSeconds % 60}s.`,
      details: [
        rpc("ErrorInfo", { reason: "QUOTA_EXHAUSTED", domain: "cloudcode-pa.googleapis.com", metadata }),
        retry,
      ],
    });
  }
  const quotaId = `GenerateRequestsPer${kind === "minute" ? "Minute" : "Day"}PerProjectPerModel-FreeTier`;
  const violation = { quotaId, quotaDimensions: { location: "global", model }, quotaValue: "20" };
  return error(429, {
    status: "RESOURCE_EXHAUSTED",
    message: `You exceeded your current quota. Please retry in ${resetSeconds}s.`,
    details: [rpc("QuotaFailure", { violations: [violation] }), retry],
  });
}
