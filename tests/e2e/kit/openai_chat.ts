/** OpenAI's Chat Completions, streaming and not. */
import { z } from "zod";
import type { ModelRequest } from "./model_server.ts";
import { HARNESS, limit, newId, nowSeconds, textsOf } from "./openai_shapes.ts";
import { findTool, pieces, type Turn } from "./script.ts";

const RequestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({
    role: z.string(),
    content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

export async function answerChat(request: ModelRequest): Promise<Response> {
  const body = RequestSchema.parse(request.body);
  const step = await request.play(readTurn(body));
  switch (step.kind) {
    case "limit":
      return limit(step.limit, step.resetSeconds ?? 3600);
    case "error":
      return Response.json({ error: { message: step.text, type: "server_error", code: null } }, {
        status: step.status,
      });
  }
  const base = { id: newId("chatcmpl"), created: nowSeconds(), model: body.model };
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const call = step.kind === "tool"
    ? {
      id: newId("call"),
      type: "function",
      function: {
        name: findTool(body.tools.map((tool) => tool.function.name), step.name),
        arguments: JSON.stringify(step.input),
      },
    }
    : undefined;
  const text = step.kind === "tool" ? "" : step.text;
  const finish = call === undefined ? "stop" : "tool_calls";
  if (!body.stream) {
    const message = { role: "assistant", content: call ? null : text, ...(call && { tool_calls: [call] }) };
    const choices = [{ index: 0, finish_reason: finish, message }];
    return Response.json({ ...base, object: "chat.completion", usage, choices });
  }
  return request.stream(async (events) => {
    const send = (delta: object, reason: string | null = null) =>
      events.send({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
    send({ role: "assistant", content: call ? null : "" });
    if (call !== undefined) send({ tool_calls: [{ index: 0, ...call }] });
    for (let tick = 0; step.kind === "slow" && tick < step.seconds * 2 && events.isOpen(); tick++) {
      send({ content: `tick ${tick} ` });
      await events.pause();
    }
    if (call === undefined) { for (const piece of pieces(text)) send({ content: piece }); }
    send({}, finish);
    events.send({ ...base, object: "chat.completion.chunk", choices: [], usage });
    events.send("[DONE]");
  });
}

function readTurn(body: z.infer<typeof RequestSchema>): Turn {
  let userText = "";
  let results: string[] = [];
  for (const { role, content } of body.messages) {
    if (role === "user") {
      const last = textsOf(content).findLast((text) => text.trim() !== "" && !HARNESS.test(text));
      if (last !== undefined) [userText, results] = [last, []];
    } else if (role === "tool") results.push(textsOf(content).join("\n"));
  }
  return { userText, results };
}
