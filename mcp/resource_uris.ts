/** The addresses of IdeA's resources. */
import { type AgentId, type ConversationId, parseId } from "../core/ids.ts";
import { parseSlug } from "../core/memory/note.ts";

export type ResourceAddress =
  /** The rules of the project. */
  | { readonly kind: "context" }
  | { readonly kind: "notes" }
  | { readonly kind: "note"; readonly slug: string }
  | { readonly kind: "handoff"; readonly conversationId: ConversationId }
  | { readonly kind: "screen"; readonly agentId: AgentId };

export const templates = {
  note: "idea://notes/{slug}",
  handoff: "idea://conversations/{conversation}/handoff",
  screen: "idea://agents/{agent}/screen",
} as const;

export function formatUri(address: ResourceAddress): string {
  switch (address.kind) {
    case "context":
      return "idea://context";
    case "notes":
      return "idea://notes";
    case "note":
      return `idea://notes/${address.slug}`;
    case "handoff":
      return `idea://conversations/${address.conversationId}/handoff`;
    case "screen":
      return `idea://agents/${address.agentId}/screen`;
  }
}

/** undefined for what is not an address of ours, ids that cannot exist included. */
export function parseUri(uri: string): ResourceAddress | undefined {
  if (uri === "idea://context") return { kind: "context" };
  if (uri === "idea://notes") return { kind: "notes" };
  const [, root, id = "", leaf] = /^idea:\/\/(notes|conversations|agents)\/([^/]+)(?:\/(handoff|screen))?$/.exec(uri) ??
    [];
  if (root === "notes" && leaf === undefined) {
    const slug = parseSlug(id);
    return slug.ok ? { kind: "note", slug: slug.value } : undefined;
  }
  if (root === "conversations" && leaf === "handoff") {
    const conversationId = parseId("conversation", id);
    return conversationId.ok ? { kind: "handoff", conversationId: conversationId.value } : undefined;
  }
  if (root === "agents" && leaf === "screen") {
    const agentId = parseId("agent", id);
    return agentId.ok ? { kind: "screen", agentId: agentId.value } : undefined;
  }
  return undefined;
}
