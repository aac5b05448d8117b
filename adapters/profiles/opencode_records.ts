/** What the plugin in opencode tells, as reports; and the transcript that it writes. */
import { z } from "zod";
import type { CliReport, TranscriptTurn } from "../../core/ports/agent_cli.ts";
import { parseJsonLine } from "./transcript_file.ts";

const Failure = z.looseObject({
  name: z.string().optional(),
  message: z.string().optional(),
  status: z.number().optional(),
  body: z.string().optional(),
});

const PluginRecord = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("started") }),
  z.looseObject({
    type: z.literal("conversation"),
    session: z.string(),
    transcript: z.string(),
  }),
  z.looseObject({ type: z.literal("busy"), turn: z.string().optional(), prompt: z.string().optional() }),
  z.looseObject({ type: z.literal("retry"), message: z.string(), nextAtMs: z.number() }),
  z.looseObject({ type: z.literal("asked"), what: z.string() }),
  z.looseObject({
    type: z.literal("idle"),
    turn: z.string().optional(),
    answer: z.string().optional(),
    error: Failure.optional(),
  }),
]);

/** opencode tries again by itself as long as the provider says to wait; what is shorter is no more than a hiccup. */
const LIMIT_WAIT_MS = 60_000;
const LIMIT_TEXT = /usage limit|rate limit|quota|too many requests|usage exceeded/i;

/** nowMs: wall clock. */
export function parseOpencodeRecord(line: string, nowMs: number): readonly CliReport[] {
  const parsed = PluginRecord.safeParse(parseJsonLine(line));
  if (!parsed.success) return [];
  const record = parsed.data;
  switch (record.type) {
    case "started":
      return [{ kind: "started" }];
    case "conversation":
      return [{ kind: "conversation", providerSessionId: record.session, transcriptPath: record.transcript }];
    case "busy":
      return [{
        kind: "turnStarted",
        ...(record.turn === undefined ? {} : { turnId: record.turn }),
        ...(record.prompt === undefined ? {} : { prompt: record.prompt }),
      }];
    case "retry":
      return record.nextAtMs - nowMs < LIMIT_WAIT_MS
        ? []
        : [{ kind: "limited", detail: record.message, resetsAtMs: record.nextAtMs }];
    case "asked":
      return [{ kind: "blocked", detail: record.what }];
    case "idle": {
      const turn = record.turn === undefined ? {} : { turnId: record.turn };
      if (record.error !== undefined) return reportFailure(record.error, { nowMs, turn });
      return [{ kind: "turnEnded", ...turn, ...(record.answer === undefined ? {} : { lastAnswer: record.answer }) }];
    }
  }
}

function reportFailure(
  error: z.infer<typeof Failure>,
  { nowMs, turn }: { readonly nowMs: number; readonly turn: { readonly turnId?: string } },
): readonly CliReport[] {
  const detail = error.message ?? error.name ?? "unknown error";
  if (error.status !== 429 && !LIMIT_TEXT.test(detail)) return [{ kind: "failed", detail, ...turn }];
  const resetsAtMs = resetTime(error.body ?? "", nowMs);
  // The limit first: else the cut turn would pass for one without an answer.
  return [{ kind: "limited", detail, ...(resetsAtMs === undefined ? {} : { resetsAtMs }) }, {
    kind: "turnEnded",
    ...turn,
  }];
}

/** As OpenAI's plans name it. */
function resetTime(body: string, nowMs: number): number | undefined {
  const at = /"resets_at"\s*:\s*(\d{10})\b/.exec(body)?.[1];
  if (at !== undefined) return Number(at) * 1_000;
  const inSeconds = /"resets_in_seconds"\s*:\s*(\d{1,8})\b/.exec(body)?.[1];
  return inSeconds === undefined ? undefined : nowMs + Number(inSeconds) * 1_000;
}

const Row = z.looseObject({
  key: z.string(),
  atMs: z.number(),
  role: z.enum(["prompt", "response"]),
  text: z.string(),
  thinking: z.string(),
});

export function parseOpencodeTurn(line: string): TranscriptTurn | undefined {
  const parsed = Row.safeParse(parseJsonLine(line));
  if (!parsed.success) return undefined;
  const { key, atMs, role, text, thinking } = parsed.data;
  return { key, atMs, role, text, ...(thinking === "" ? {} : { thinking }) };
}
