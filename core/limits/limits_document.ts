/** `state/limits.json`: the plans outlive IdeA. Fields that are not known here are kept when it is written again. */
import { z } from "zod";
import { parseId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import type { Limits, SessionLimit } from "./limits.ts";

const VERSION = 1;

const Plan = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("scheduled"), fireAtMs: z.number() }),
  z.object({ kind: z.literal("cancelled") }),
  z.object({ kind: z.literal("askPerson") }),
  z.object({ kind: z.literal("fired"), atMs: z.number() }),
]);

const Limit = z.looseObject({
  agentId: z.string(),
  sinceMs: z.number(),
  resetsAtMs: z.number().nullable(),
  source: z.enum(["structured", "screen", "suspected", "person"]),
  detail: z.string(),
  plan: Plan,
  failedResumes: z.number().int().min(0),
});

const Version = z.looseObject({ version: z.number().int().min(1) });
const Document = z.looseObject({ version: z.number(), limits: z.array(Limit) });

export type LimitsDocumentError =
  | { readonly kind: "corrupt"; readonly detail: string }
  | { readonly kind: "newerVersion"; readonly version: number };

export interface LimitsDocument {
  readonly limits: Limits;
  /** The document as it was read: what formatLimits keeps of it. */
  readonly source: Readonly<Record<string, unknown>>;
}

export const EMPTY_LIMITS_DOCUMENT: LimitsDocument = { limits: new Map(), source: {} };

export function parseLimits(text: string): Result<LimitsDocument, LimitsDocumentError> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err({ kind: "corrupt", detail: "not JSON" });
  }
  const version = Version.safeParse(json);
  if (version.success && version.data.version > VERSION) {
    return err({ kind: "newerVersion", version: version.data.version });
  }
  const document = Document.safeParse(json);
  if (!document.success) {
    const issue = document.error.issues[0];
    return err({ kind: "corrupt", detail: `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim() });
  }
  const limits = new Map<SessionLimit["agentId"], SessionLimit>();
  for (const each of document.data.limits) {
    const agentId = parseId("agent", each.agentId);
    if (!agentId.ok) return err({ kind: "corrupt", detail: `not an agent's id: ${agentId.error.text}` });
    limits.set(agentId.value, { ...each, agentId: agentId.value, resetsAtMs: each.resetsAtMs ?? undefined });
  }
  return ok({ limits, source: document.data });
}

export function formatLimits(document: LimitsDocument): string {
  const limits = [...document.limits.values()]
    .sort((a, b) => a.agentId < b.agentId ? -1 : 1)
    .map((limit) => ({ ...limit, resetsAtMs: limit.resetsAtMs ?? null }));
  return JSON.stringify({ ...document.source, version: VERSION, limits }, null, 2) + "\n";
}
