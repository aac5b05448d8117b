/**
 * Before another program takes an agent's place, the old one is asked for its own handoff, while it still answers: what
 * it writes knows more than what rules find in the log. Whatever goes wrong, there is the one that rules made.
 *
 * What must stay true: it takes a bounded time, and the mediator hears nothing of this turn.
 */
import { composeHandoffRequest } from "../orchestration/delivery.ts";
import type { Clock } from "../ports/clock.ts";
import type { LiveAgent } from "./live_agent.ts";
import type { LiveSession } from "./project_runtime.ts";
import type { Transcripts } from "./transcripts.ts";

/** An interrupted program is at its prompt by then, or it hangs. */
const INTERRUPTED_MS = 3_000;
/** The slowest program that was measured shows 2.5 s after Enter that it works. */
const BEGINS_MS = 6_000;
/** A page of text from a slow model. */
const ANSWERS_MS = 60_000;
/** Its answer is written about when it says that the turn ended. */
const WRITTEN_MS = 2_000;
const LOOK_MS = 100;

export interface FarewellPorts {
  readonly clock: Clock;
  readonly transcripts: Pick<Transcripts, "isRead" | "answer">;
}

/** What the program wrote; undefined: it could not be asked, or did not answer in time. */
export async function askForHandoff(ports: FarewellPorts, session: LiveSession): Promise<string | undefined> {
  const { agent, typing } = session;
  const { clock, transcripts } = ports;
  const isWorking = agent.status().state === "working";
  if (!isWorking && !isAtPrompt(agent)) return undefined;
  if (agent.hasDraft() || !await transcripts.isRead(session)) return undefined;
  agent.mute();
  if (isWorking) {
    // Its turn would end with it anyway.
    await typing.interrupt();
    if (!await until(clock, INTERRUPTED_MS, () => isAtPrompt(agent))) return undefined;
  }
  const askedAtMs = clock.nowMs();
  typing.typeFirst(composeHandoffRequest());
  const began = () => agent.status().history.some(({ state, atMs }) => state === "working" && atMs >= askedAtMs);
  if (!await until(clock, BEGINS_MS, began)) return undefined;
  if (!await until(clock, ANSWERS_MS, () => agent.status().state !== "working")) return undefined;
  if (!isAtPrompt(agent)) return undefined;
  let answer: string | undefined;
  await until(clock, WRITTEN_MS, async () => {
    answer = (await transcripts.answer(session, askedAtMs))?.trim();
    return answer !== undefined && answer !== "";
  });
  return answer === "" ? undefined : answer;
}

function isAtPrompt(agent: LiveAgent): boolean {
  const { state } = agent.status();
  return state === "idle" || state === "done";
}

async function until(clock: Clock, withinMs: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const endMs = clock.monotonicMs() + withinMs;
  while (!await condition()) {
    if (clock.monotonicMs() >= endMs) return false;
    await new Promise<void>((resolve) => void clock.startTimer(LOOK_MS, resolve));
  }
  return true;
}
