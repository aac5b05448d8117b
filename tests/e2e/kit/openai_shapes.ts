/** What both of OpenAI's APIs share: texts of messages, ids, and the errors of usage limits. */
import { z } from "zod";

export const PartSchema = z.looseObject({ text: z.string().optional() });
type Part = z.infer<typeof PartSchema>;

/** What a harness puts into messages of the user's role by itself. */
export const HARNESS =
  /^\s*(<(environment_context|user_instructions|permissions|skills_instructions|apps_instructions|plugins_instructions|collaboration_mode|system-reminder|turn_aborted|recommended_plugins)|# AGENTS\.md instructions)/;

export function textsOf(content: string | readonly Part[] | null | undefined): readonly string[] {
  return typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text ?? "");
}

export function limit(kind: string, resetSeconds: number): Response {
  const reset = nowSeconds() + resetSeconds;
  const error = (status: number, body: object, headers: Record<string, string> = {}) =>
    Response.json({ error: body }, { status, headers });
  switch (kind) {
    case "usage":
      return error(429, {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: reset,
        resets_in_seconds: resetSeconds,
      }, {
        "x-codex-primary-used-percent": "100",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": String(reset),
        "x-codex-primary-reset-after-seconds": String(resetSeconds),
        "x-codex-secondary-used-percent": "40",
        "x-codex-secondary-window-minutes": "10080",
        "x-codex-secondary-reset-at": String(reset + 86_400),
        "x-codex-secondary-reset-after-seconds": String(resetSeconds + 86_400),
      });
    case "plan":
      return error(429, { type: "usage_not_included", message: "Usage not included in your plan", plan_type: "free" });
    case "quota":
      return error(429, {
        type: "insufficient_quota",
        code: "insufficient_quota",
        message: "You exceeded your current quota, please check your plan and billing details.",
      });
    case "overloaded":
      return error(503, { type: "server_error", code: "server_is_overloaded", message: "The server is overloaded." });
    case "rpm":
      return error(429, {
        type: "tokens",
        code: "rate_limit_exceeded",
        message: `Rate limit reached for gpt-fake on tokens per min (TPM). Please try again in ${resetSeconds}s.`,
      }, { "retry-after": String(resetSeconds) });
    default:
      throw new Error(`no such limit: ${kind}`);
  }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}
