/**
 * OpenAI's APIs: Responses as Codex uses it, Chat Completions as opencode, aider and others do.
 * Limit kinds: usage (plan, with its reset), plan (not included), quota (API key), rpm (requests a minute), overloaded.
 */
import { type ModelServer, startModelServer } from "./model_server.ts";
import { answerChat } from "./openai_chat.ts";
import { answerResponses } from "./openai_responses.ts";

export function startFakeOpenai(): Promise<ModelServer> {
  return startModelServer(async (request) => {
    if (request.method === "GET" && request.path.endsWith("/models")) {
      return Response.json({
        object: "list",
        data: [{ id: "gpt-fake", object: "model", created: 0, owned_by: "fake" }],
      });
    }
    if (request.method !== "POST") return undefined;
    if (request.path.endsWith("/responses")) return await answerResponses(request);
    return request.path.endsWith("/chat/completions") ? await answerChat(request) : undefined;
  });
}
