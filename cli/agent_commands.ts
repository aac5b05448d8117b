/** The commands about agents: who is there, start, stop, ask, send, look, explain. */
import { parseId } from "../core/ids.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readNumber } from "./arguments.ts";
import { type Agent, chooseAgent, chooseProject, listAgents } from "./choose.ts";
import { argument, argumentOrStdin, type Context, during, formatTable, optionText } from "./context.ts";
import type { Failure } from "./failure.ts";

type Done = Promise<Result<void, Failure>>;

const ASK_WAIT_SECONDS = 600;
const MAX_WAIT_SECONDS = 86_400;
export const MAX_SCROLLBACK = 100_000;

export async function agents(context: Context): Done {
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const listed = await listAgents(context, project.value.projectId);
  if (!listed.ok) return listed;
  const rows = listed.value.map(({ name, profileName, state, queueLength, worksOn }) => [
    ...[name, profileName ?? "(choose a profile)", state, String(queueLength), worksOn?.summary ?? ""],
  ]);
  const text = rows.length === 0 ? "" : formatTable([["NAME", "PROFILE", "STATE", "QUEUE", "WORKS ON"], ...rows]);
  context.print(listed.value, text);
  return ok();
}

export async function launch(context: Context): Done {
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params } = chosen.value;
  const body = context.parsed.options["fresh"] === true ? { resume: false } : {};
  const launched = during(
    `launch ${agent.name}`,
    await context.api.call("POST /api/projects/{projectId}/agents/{agentId}/launch", { params, body }),
  );
  if (launched.ok) context.print(launched.value, `${agent.name} is ${launched.value.state}`);
  return launched.ok ? ok() : launched;
}

export async function stop(context: Context): Done {
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params } = chosen.value;
  const stopped = during(
    `stop ${agent.name}`,
    await context.api.call("POST /api/projects/{projectId}/agents/{agentId}/stop", { params }),
  );
  if (stopped.ok) context.print({ stopped: agent.agentId }, `${agent.name} is stopped`);
  return stopped.ok ? ok() : stopped;
}

export async function ask(context: Context): Done {
  const wait = readNumber(context.parsed, "wait", { min: 0, max: MAX_WAIT_SECONDS });
  if (!wait.ok) return wait;
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params: { projectId } } = chosen.value;
  const from = optionText(context.parsed, "from");
  const waitSeconds = wait.value ?? ASK_WAIT_SECONDS;
  const body = {
    target: agent.agentId,
    task: await argumentOrStdin(context, 1),
    waitSeconds,
    ...(from !== undefined && { from }),
  };
  const answered = during(
    `ask ${agent.name}`,
    await context.api.call("POST /api/projects/{projectId}/ask", { params: { projectId }, body }),
  );
  if (!answered.ok) return answered;
  const answer = answered.value;
  if (answer.kind === "reply") {
    context.print(answer, answer.text);
    return ok();
  }
  // Who did not want to wait has what they wanted.
  const text = waitSeconds === 0 ? `ticket ${answer.ticket} is ${answer.state}` : "";
  context.print(answer, text);
  if (waitSeconds === 0) return ok();
  return err({ kind: "askPending", agent: agent.name, ticket: answer.ticket, state: answer.state });
}

export async function send(context: Context): Done {
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params } = chosen.value;
  const body = { text: await argumentOrStdin(context, 1) };
  const queued = during(
    `send to ${agent.name}`,
    await context.api.call("POST /api/projects/{projectId}/agents/{agentId}/input", { params, body }),
  );
  if (queued.ok) context.print(queued.value, `ticket ${queued.value.id} is ${queued.value.state}`);
  return queued.ok ? ok() : queued;
}

export async function redeliver(context: Context): Done {
  const given = argument(context.parsed, 0);
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const ticketId = parseId("ticket", given);
  if (!ticketId.ok) return err({ kind: "noSuchTicket", given });
  const params = { projectId: project.value.projectId, ticketId: ticketId.value };
  const requeued = during(
    `deliver the ticket ${given} again`,
    await context.api.call("POST /api/projects/{projectId}/tickets/{ticketId}/redeliver", { params }),
  );
  if (requeued.ok) context.print(requeued.value, `ticket ${requeued.value.id} is ${requeued.value.state}`);
  return requeued.ok ? ok() : requeued;
}

export async function screen(context: Context): Done {
  const scrollback = readNumber(context.parsed, "scrollback", { min: 0, max: MAX_SCROLLBACK });
  if (!scrollback.ok) return scrollback;
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params } = chosen.value;
  if (agent.sessionId === undefined) return err({ kind: "agentNotRunning", agent: agent.name });
  const read = during(
    `read the screen of ${agent.name}`,
    await context.api.call("GET /api/projects/{projectId}/agents/{agentId}/screen", {
      params,
      query: { scrollback: scrollback.value ?? 0 },
    }),
  );
  if (read.ok) context.print(read.value, formatScreen(read.value));
  return read.ok ? ok() : read;
}

/** Scrollback and screen as lines; the empty ones at the end of the screen are left out. */
export function formatScreen(
  text: { readonly scrollback: readonly string[]; readonly screen: readonly string[] },
): string {
  const last = text.screen.findLastIndex((line) => line !== "");
  return [...text.scrollback, ...text.screen.slice(0, last + 1)].join("\n");
}

export async function explain(context: Context): Done {
  const chosen = await chooseAgent(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { agent, params } = chosen.value;
  const explained = during(
    `explain ${agent.name}`,
    await context.api.call("GET /api/projects/{projectId}/agents/{agentId}/explain", { params }),
  );
  if (!explained.ok) return explained;
  const { authority, signals, waitsFor, queue } = explained.value;
  const time = (atMs: number) => new Date(atMs).toISOString();
  const lines = [
    describeState(explained.value.agent, time),
    `who has the say: ${authority}`,
    ...(signals.length > 0 ? ["signals, newest first:"] : []),
    ...signals.map(({ atMs, signal, state }) => `  ${time(atMs)}  ${state.padEnd(8)}  ${signal}`),
    ...(queue.length > 0 ? ["queue:"] : []),
    ...queue.map(({ id, state, task, needsAttention }) =>
      `  ${id}  ${state.padEnd(10)}  ${needsAttention ? "(needs attention) " : ""}${firstLine(task)}`
    ),
    ...(waitsFor.length > 0 ? ["the first of the queue waits for:", ...waitsFor.map((cause) => `  ${cause}`)] : []),
  ];
  context.print(explained.value, lines.join("\n"));
  return ok();
}

function describeState({ name, state, stateSinceMs, limit }: Agent, time: (atMs: number) => string): string {
  const reset = limit?.resetsAtMs === undefined ? "" : `, its limit ends ${time(limit.resetsAtMs)}`;
  // 0: it has never been in another one.
  const since = stateSinceMs === 0 ? "" : ` since ${time(stateSinceMs)}`;
  return `${name} is ${state}${since}${reset}`;
}

function firstLine(text: string): string {
  const [line = "", ...more] = text.split("\n");
  return line.length > 80 || more.length > 0 ? `${line.slice(0, 79)}…` : line;
}
