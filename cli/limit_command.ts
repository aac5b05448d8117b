/** `idea limit`: what is known of an agent's usage limit, and what only a person knows of it. */
import { parseResetTime } from "../core/limits/reset_time.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readChoice } from "./arguments.ts";
import { type Agent, chooseAgent, type ChosenAgent } from "./choose.ts";
import { argument, type Context, during, optionText } from "./context.ts";
import type { Failure } from "./failure.ts";

const KEY = "/api/projects/{projectId}/agents/{agentId}/limit";

export async function limit(context: Context): Promise<Result<void, Failure>> {
  const choice = readChoice(context.parsed, ["until", "hold", "over"]);
  if (!choice.ok) return choice;
  const resetsAtMs = readUntil(context);
  if (!resetsAtMs.ok) return resetsAtMs;
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const agent = await change(context, chosen.value, resetsAtMs.value ?? choice.value);
  if (agent.ok) context.print(agent.value, describeLimit(agent.value));
  return agent.ok ? ok() : agent;
}

async function change(
  { api }: Context,
  { agent, params }: ChosenAgent,
  to: number | "until" | "hold" | "over" | undefined,
): Promise<Result<Agent, Failure>> {
  switch (to) {
    case undefined:
    case "until":
      return ok(agent);
    case "hold":
      return during(`hold ${agent.name}`, await api.call(`DELETE ${KEY}/resume`, { params }));
    case "over":
      return during(`end the limit of ${agent.name}`, await api.call(`DELETE ${KEY}`, { params }));
    default: {
      const set = await api.call(`PUT ${KEY}`, { params, body: { resetsAtMs: to } });
      return during(`set the limit of ${agent.name}`, set);
    }
  }
}

function readUntil({ parsed }: Context): Result<number | undefined, Failure> {
  const given = optionText(parsed, "until");
  if (given === undefined) return ok(undefined);
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const atMs = parseResetTime(given, { nowMs: Date.now(), localZone });
  if (atMs !== undefined) return ok(Math.round(atMs));
  const expected = "a time or a duration, as 15:40, 3pm, 2h 15m or 2026-12-01 09:00";
  return err({ kind: "invalidValue", command: parsed.name, of: "--until", given, expected });
}

function describeLimit({ name, limit }: Agent): string {
  if (limit === undefined) return `${name} has no usage limit`;
  const time = (atMs: number) => new Date(atMs).toISOString();
  if (limit.source === "suspected") return `${name} may have a usage limit: ${limit.detail}`;
  if (limit.resetsAtMs === undefined) return `${name} has a usage limit; when it ends is not known`;
  const then = limit.resumesAtMs === undefined
    ? "it does not go on by itself"
    : `it goes on by itself at ${time(limit.resumesAtMs)}`;
  return `${name} has a usage limit until ${time(limit.resetsAtMs)}; ${then}`;
}
