/** Messages to agents, queues and tickets over HTTP. */
import type { Hono } from "hono";
import type { App, Orchestrator } from "../../../core/app/app.ts";
import type { CallContext } from "../../../core/orchestration/commands.ts";
import { commandSchemas } from "../../../core/orchestration/commands.ts";
import { ok } from "../../../core/result.ts";
import { ticketEndpoints } from "../../api/tickets.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerTickets(router: Hono, { orchestrator }: App): void {
  register(
    router,
    ticketEndpoints.input,
    ({ params, body }) => orchestrator.enqueueMessage(params.projectId, params.agentId, body.text),
  );
  register(router, ticketEndpoints.queue, ({ params }) => {
    const items = orchestrator.queue(params.projectId, params.agentId);
    return items.ok ? ok({ items: items.value }) : items;
  });
  register(router, ticketEndpoints.editQueue, async ({ params, body }) => {
    const items = await orchestrator.editQueue(params.projectId, params.agentId, body);
    return items.ok ? ok({ items: items.value }) : items;
  });
  register(router, ticketEndpoints.list, ({ params, query }) => {
    const all = orchestrator.tickets(params.projectId);
    return all.ok ? paginate(all.value, query, (ticket) => ticket.id) : all;
  });
  register(router, ticketEndpoints.get, ({ params }) => orchestrator.ticket(params.projectId, params.ticketId));
  register(router, ticketEndpoints.cancel, ({ params }) => orchestrator.cancel(params.projectId, params.ticketId));
  register(router, ticketEndpoints.redeliver, ({ params }) => {
    return orchestrator.redeliver(params.projectId, params.ticketId);
  });
  registerAsk(router, orchestrator);
}

function registerAsk(router: Hono, orchestrator: Orchestrator): void {
  register(router, ticketEndpoints.ask, async ({ params, body }, { signal }) => {
    const { from = "external", ...input } = body;
    const result = await orchestrator.dispatch(
      { name: "ask", input: commandSchemas.ask.parse(input) },
      { projectId: params.projectId, party: { kind: "external", name: from }, door: "ui" },
      callContext(signal()),
    );
    if (!result.ok) return result;
    const { value } = result;
    if (value.kind === "reply" || value.kind === "pending") return ok(value);
    throw new Error(`an ask cannot end with ${value.kind}`);
  });
}

/** A client that goes away takes its question back. */
function callContext(signal: AbortSignal): CallContext {
  return {
    onGone(listener) {
      signal.addEventListener("abort", listener);
      return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
    },
  };
}
