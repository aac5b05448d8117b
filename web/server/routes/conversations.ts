/** Conversations, handoffs and the live state of a project over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { conversationEndpoints, liveEndpoints } from "../../api/conversations.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerConversations(router: Hono, { conversations, liveState }: App): void {
  register(router, conversationEndpoints.list, async ({ params, query }) => {
    const all = await conversations.list(params.projectId);
    return all.ok ? paginate(all.value, query, (conversation) => conversation.conversationId) : all;
  });
  register(router, conversationEndpoints.read, async ({ params, query }) => {
    const log = await conversations.read(params.projectId, params.conversationId);
    return log.ok ? paginate(log.value.toReversed(), query, (message) => message.id) : log;
  });
  register(
    router,
    conversationEndpoints.handoff,
    ({ params }) => conversations.handoff(params.projectId, params.conversationId),
  );
  register(router, liveEndpoints.read, ({ params }) => liveState.read(params.projectId));
}
