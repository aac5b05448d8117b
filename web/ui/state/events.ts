/**
 * The server's events as the page reads them: those it reacts to, each with what it needs. Unknown kinds and shapes are
 * undefined, so that an older page survives a newer server.
 */
import { type ConversationId, type Id, type IdKind, parseId, type ProjectId } from "../../../core/ids.ts";

/** What of a project has to be read again. */
export type Subject = "agents" | "tickets" | "terminals" | "layouts" | "conversations";

export type PageEvent =
  | { readonly kind: "projects" }
  | { readonly kind: "profiles" }
  | { readonly kind: "changed"; readonly projectId: ProjectId; readonly subjects: readonly Subject[] }
  | { readonly kind: "conversation"; readonly projectId: ProjectId; readonly conversationId: ConversationId };

const everything: readonly Subject[] = ["agents", "tickets", "terminals", "layouts", "conversations"];

const subjectsOf: Readonly<Record<string, readonly Subject[]>> = {
  projectChanged: everything,
  layoutChanged: ["layouts"],
  sessionOpened: ["terminals", "agents"],
  sessionExited: ["terminals", "agents"],
  sessionClosed: ["terminals", "agents", "layouts"],
  sessionTitled: ["terminals"],
  agentLaunched: ["agents", "terminals", "layouts"],
  agentStateChanged: ["agents"],
  agentStopped: ["agents", "terminals", "layouts"],
  ticketChanged: ["tickets", "agents"],
  queueChanged: ["tickets", "agents"],
  liveStateChanged: ["agents"],
  agentRateLimited: ["agents"],
  agentRateLimitSuspected: ["agents"],
  agentResumeScheduled: ["agents"],
  agentResumeCancelled: ["agents"],
  agentResumed: ["agents"],
};

export function parseEvent(value: unknown): PageEvent | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  if (typeof kind !== "string") return undefined;
  if (kind === "projectOpened" || kind === "projectClosed") return { kind: "projects" };
  if (kind === "profilesChanged") return { kind: "profiles" };
  const projectId = idOf("project", value.projectId);
  if (projectId === undefined) return undefined;
  const subjects = subjectsOf[kind];
  if (subjects !== undefined) return { kind: "changed", projectId, subjects };
  if (kind !== "conversationGrew") return undefined;
  const conversationId = idOf("conversation", value.conversationId);
  return conversationId === undefined ? undefined : { kind: "conversation", projectId, conversationId };
}

function idOf<K extends IdKind>(kind: K, value: unknown): Id<K> | undefined {
  if (typeof value !== "string") return undefined;
  const parsed = parseId(kind, value);
  return parsed.ok ? parsed.value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
