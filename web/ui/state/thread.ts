/** The conversation that is open for reading: the newest messages first from the server, the oldest first on screen. */
import { type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import type { ConversationId, ProjectId } from "../../../core/ids.ts";
import { createRefresher } from "./refresher.ts";
import type { MessageView } from "./views.ts";

export interface Thread {
  readonly projectId: ProjectId;
  readonly conversationId: ConversationId;
  /** Undefined until it was read. */
  readonly messages: Signal<readonly MessageView[] | undefined>;
  /** There are older ones. */
  readonly hasOlder: Signal<boolean>;
  readonly handoff: Signal<string | undefined>;
  refresh(): Promise<void>;
  loadOlder(): Promise<void>;
  loadHandoff(): Promise<void>;
}

export interface ThreadOptions {
  readonly api: ApiClient;
  readonly projectId: ProjectId;
  readonly conversationId: ConversationId;
  readonly onError: (error: ApiError) => void;
}

const PAGE = 100;

export function createThread({ api, projectId, conversationId, onError }: ThreadOptions): Thread {
  const params = { projectId, conversationId };
  const messages = signal<readonly MessageView[] | undefined>(undefined);
  const hasOlder = signal(false);
  const handoff = signal<string | undefined>(undefined);
  let olderCursor: string | undefined;

  const read = (cursor: string | undefined) =>
    api.call("GET /api/projects/{projectId}/conversations/{conversationId}", {
      params,
      query: cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor },
    });
  const reading = createRefresher(async () => {
    const page = await read(undefined);
    if (!page.ok) return onError(page.error);
    const isFirst = messages.value === undefined;
    messages.value = mergeMessages(messages.value ?? [], page.value.items.toReversed());
    if (isFirst) {
      olderCursor = page.value.nextCursor;
      hasOlder.value = olderCursor !== undefined;
    }
  });
  return {
    projectId,
    conversationId,
    messages,
    hasOlder,
    handoff,
    refresh: () => reading.refresh(),
    async loadOlder() {
      if (olderCursor === undefined) return;
      const page = await read(olderCursor);
      if (!page.ok) return onError(page.error);
      messages.value = mergeMessages(page.value.items.toReversed(), messages.value ?? []);
      olderCursor = page.value.nextCursor;
      hasOlder.value = olderCursor !== undefined;
    },
    async loadHandoff() {
      const result = await api.call("GET /api/projects/{projectId}/conversations/{conversationId}/handoff", { params });
      if (result.ok) handoff.value = result.value.content;
      else onError(result.error);
    },
  };
}

/** Each message once, in the order of the log: two parts of it that may overlap, the earlier one first. */
export function mergeMessages(earlier: readonly MessageView[], later: readonly MessageView[]): readonly MessageView[] {
  const byId = new Map([...earlier, ...later].map((message) => [message.id, message]));
  return [...byId.values()];
}
