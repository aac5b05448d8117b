/** `meta.json` of a conversation: what the log does not say. */
import { z } from "zod";
import type { Party } from "../parties.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { PartySchema } from "./log.ts";

export interface ConversationMeta {
  readonly version: number;
  /** Two; empty in a file that was written before the parties were known. */
  readonly parties: readonly Party[];
  readonly title?: string;
  /** The provider's own conversation, by the id of the profile that had it. */
  readonly providerSessions?: Readonly<Record<string, string>>;
}

export const metaFormat: DocumentFormat<ConversationMeta> = {
  version: 1,
  schema: z.looseObject({
    version: z.number().int().positive().default(1),
    parties: z.array(PartySchema).max(2).default([]),
    title: z.string().max(500).exactOptional(),
    providerSessions: z.record(z.string(), z.string()).exactOptional(),
  }),
};

export function createMeta(parties: readonly Party[]): ConversationMeta {
  return { version: 1, parties };
}

export function withParties(meta: ConversationMeta, parties: readonly Party[]): ConversationMeta {
  return meta.parties.length === 0 && parties.length > 0 ? { ...meta, parties } : meta;
}

/** undefined forgets it. The very same meta when nothing changes. */
export function withProviderSession(
  meta: ConversationMeta,
  profileId: string,
  sessionId: string | undefined,
): ConversationMeta {
  const kept = meta.providerSessions ?? {};
  if (Object.hasOwn(kept, profileId) ? kept[profileId] === sessionId : sessionId === undefined) return meta;
  const { [profileId]: _, ...others } = kept;
  return { ...meta, providerSessions: sessionId === undefined ? others : { ...others, [profileId]: sessionId } };
}
