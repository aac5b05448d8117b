/**
 * Branded identifiers: an agent's id cannot be passed where a session's is asked for. They are made here only.
 * Ids come from files, people and programs, so parseId is the one way in; createId wraps a fresh value of the ids port.
 */
import { err, ok, type Result } from "./result.ts";

export type IdKind =
  | "agent"
  | "cell"
  | "conversation"
  | "layout"
  | "message"
  | "profile"
  | "project"
  | "session"
  | "skill"
  | "template"
  | "ticket";

export type Id<K extends IdKind> = string & { readonly __id: K };

export type AgentId = Id<"agent">;
export type CellId = Id<"cell">;
export type ConversationId = Id<"conversation">;
export type LayoutId = Id<"layout">;
export type MessageId = Id<"message">;
export type ProfileId = Id<"profile">;
export type ProjectId = Id<"project">;
export type SessionId = Id<"session">;
export type SkillId = Id<"skill">;
export type TemplateId = Id<"template">;
export type TicketId = Id<"ticket">;

export interface IdError {
  readonly kind: "invalidId";
  readonly of: IdKind;
  readonly text: string;
}

// Ids become file and folder names, so nothing that a file system or a shell could take for more than a name.
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function parseId<K extends IdKind>(kind: K, text: string): Result<Id<K>, IdError> {
  return ID.test(text) ? ok(text as Id<K>) : err({ kind: "invalidId", of: kind, text: text.slice(0, 64) });
}

/** Brands a value that the ids port has just made; throws when it is no id, since that is a bug of the adapter. */
export function createId<K extends IdKind>(kind: K, fresh: string): Id<K> {
  const parsed = parseId(kind, fresh);
  if (!parsed.ok) throw new Error(`not an id: ${fresh}`);
  return parsed.value;
}
