/** Messages to an agent and its queue. */
import type { Store } from "../state/store.ts";
import type { ApiError } from "../../api/client.ts";
import type { TicketId } from "../../../core/ids.ts";
import type { Result } from "../../../core/result.ts";
import type { QueueEdit, Ticket } from "../state/views.ts";
import type { AgentTarget } from "./agents.ts";

/** True when it is in the queue: the text may leave the composer. */
export async function sendMessage({ store, project, agentId }: AgentTarget, text: string): Promise<boolean> {
  const result = await store.api.call("POST /api/projects/{projectId}/agents/{agentId}/input", {
    params: { projectId: project.id, agentId },
    body: { text },
  });
  if (!result.ok) {
    store.report(result.error);
    return false;
  }
  void project.refresh(["tickets", "agents"]);
  return true;
}

/** The one in work, then those that wait in their order; undefined when it could not be read. */
export async function readQueue({ store, project, agentId }: AgentTarget): Promise<readonly Ticket[] | undefined> {
  return itemsOf(
    store,
    await store.api.call("GET /api/projects/{projectId}/agents/{agentId}/queue", {
      params: { projectId: project.id, agentId },
    }),
  );
}

export async function editQueue(target: AgentTarget, edit: QueueEdit): Promise<readonly Ticket[] | undefined> {
  const { store, project, agentId } = target;
  return itemsOf(
    store,
    await store.api.call("PATCH /api/projects/{projectId}/agents/{agentId}/queue", {
      params: { projectId: project.id, agentId },
      body: edit,
    }),
  );
}

function itemsOf(
  store: Store,
  result: Result<{ readonly items: readonly Ticket[] }, ApiError>,
): readonly Ticket[] | undefined {
  if (result.ok) return result.value.items;
  store.report(result.error);
  return undefined;
}

export async function cancelTicket({ store, project }: AgentTarget, ticketId: TicketId): Promise<void> {
  const result = await store.api.call("DELETE /api/projects/{projectId}/tickets/{ticketId}", {
    params: { projectId: project.id, ticketId },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["tickets", "agents"]);
}

/** One that was typed and not taken is typed once more. */
export async function redeliverTicket({ store, project }: AgentTarget, ticketId: TicketId): Promise<void> {
  const result = await store.api.call("POST /api/projects/{projectId}/tickets/{ticketId}/redeliver", {
    params: { projectId: project.id, ticketId },
  });
  if (!result.ok) store.report(result.error);
  await project.refresh(["tickets", "agents"]);
}
