/**
 * The key of a conversation is the unordered pair of its parties. Its id follows from the key, so that everybody who
 * knows the parties knows the folder, and two that write at once meet in one log.
 *
 * Two agents whose ids are UUIDs: the XOR of both ids, as IdeA 0.2.0 had it, so that its conversations are found and the
 * other party of a log follows from the one that spoke. Any other pair: derived from both keys.
 */
import { type AgentId, type ConversationId, createId, parseId } from "../ids.ts";
import { type Party, partyKey } from "../parties.ts";
import { deriveUuid } from "../workspace/derived_id.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function conversationIdOf(a: Party, b: Party): ConversationId {
  const crossed = a.kind === "agent" && b.kind === "agent" ? xorUuids(a.agentId, b.agentId) : undefined;
  const [first, second] = [partyKey(a), partyKey(b)].sort();
  return createId("conversation", crossed ?? deriveUuid(`conversation ${first} ${second}`));
}

/** The agent that has this conversation with that one, as far as the id tells. */
export function counterpartOf(conversationId: ConversationId, agentId: AgentId): AgentId | undefined {
  const crossed = xorUuids(conversationId, agentId);
  const parsed = crossed === undefined ? undefined : parseId("agent", crossed);
  return parsed?.ok === true ? parsed.value : undefined;
}

function xorUuids(a: string, b: string): string | undefined {
  if (a === b || !UUID.test(a) || !UUID.test(b)) return undefined;
  const digit = (text: string, at: number) => Number.parseInt(text.charAt(at), 16);
  return [...a].map((char, at) => (char === "-" ? "-" : (digit(a, at) ^ digit(b, at)).toString(16))).join("");
}
