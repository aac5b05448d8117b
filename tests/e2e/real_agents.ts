/**
 * A project with agents that are real CLIs, each talking to a scripted model, under the real server. What the models do
 * is told by rules on what they are asked; what a person sees is read from the agents' screens.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type AgentId, createId, type ProjectId, type TicketId } from "../../core/ids.ts";
import type { AgentView } from "../../core/app/agents.ts";
import type { Message } from "../../core/app/app.ts";
import type { Ticket } from "../../core/orchestration/ticket.ts";
import { referenceProfiles } from "../../core/profiles/reference.ts";
import { startServer, type TestServer } from "../helpers/server.ts";
import { pathOf } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { cli, type CliName, NEEDED } from "./clis.ts";
import { startFakeAnthropic } from "./kit/anthropic.ts";
import { startFakeGemini } from "./kit/gemini.ts";
import { prepareHome } from "./kit/home.ts";
import type { ModelServer } from "./kit/model_server.ts";
import { startFakeOpenai } from "./kit/openai.ts";

const PROFILE_NAMES: Readonly<Record<CliName, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "opencode",
};

/** The slowest start of a CLI that was seen on a loaded machine, with room. */
export const READY_MS = 150_000;

export interface RealAgents extends AsyncDisposable {
  readonly server: TestServer;
  readonly projectId: ProjectId;
  /** The model behind each CLI. */
  readonly models: Readonly<Record<CliName, ModelServer>>;
  hire(name: string, cli: CliName): Promise<AgentId>;
  launch(agentId: AgentId, cellId?: string): Promise<void>;
  stop(agentId: AgentId): Promise<void>;
  moveToProfile(agentId: AgentId, cli: CliName): Promise<void>;
  /** A task from a program outside, without waiting for its answer. */
  ask(target: string, task: string): Promise<TicketId>;
  agent(agentId: AgentId): Promise<AgentView>;
  /** Sends a person's message by the queue. */
  tell(agentId: AgentId, text: string): Promise<TicketId>;
  tickets(): Promise<readonly Ticket[]>;
  ticket(ticketId: TicketId): Promise<Ticket>;
  /** Waits until the ticket is closed. */
  closed(ticketId: TicketId): Promise<Ticket>;
  /** Waits for the delegation whose task holds that text. */
  delegation(text: string): Promise<Ticket>;
  /** Keys of a person in the agent's terminal. */
  type(agentId: AgentId, keys: string): Promise<void>;
  /** Pastes a line as a person does, and sends it once it is seen. */
  pasteLine(agentId: AgentId, line: string): Promise<void>;
  /** Presses Esc as a person does who wants the turn to end. */
  interrupt(agentId: AgentId): Promise<void>;
  /** What the agent and the person said to each other, by the log, oldest first. */
  said(agentId: AgentId): Promise<readonly Message[]>;
  screen(agentId: AgentId): Promise<string>;
  showsOnScreen(agentId: AgentId, text: string | RegExp): Promise<void>;
  isReady(agentId: AgentId): Promise<void>;
}

/** With those CLIs, which must be there; left out: the two that CI must have. */
export async function startRealAgents(names: readonly CliName[] = NEEDED): Promise<RealAgents> {
  await using parts = new AsyncDisposableStack();
  const models = {
    claude: parts.use(await startFakeAnthropic()),
    codex: parts.use(await startFakeOpenai()),
    gemini: parts.use(await startFakeGemini()),
    opencode: parts.use(await startFakeOpenai()),
  };
  const path = names.map((name) => dirname(pathOf(cli(name))));
  const server = parts.use(await startServer({ path }));
  for (const name of names) {
    await prepareHome(name, { home: server.home, cwd: server.project, url: models[name].url });
  }
  // The login shell decides about PATH: the person's own settings name the CLIs too.
  await Deno.writeTextFile(join(server.home, ".profile"), `export PATH='${path.join(":")}':"$PATH"\n`, {
    append: true,
  });
  const opened = await server.api.call("POST /api/projects", { body: { root: server.project } });
  assert.ok(opened.ok, JSON.stringify(opened));
  const { projectId } = opened.value;
  const api = <R>(
    result: { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown },
  ): R => {
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    return result.value;
  };
  const agentParams = (agentId: AgentId) => ({ params: { projectId, agentId } });

  async function screen(agentId: AgentId): Promise<string> {
    const read = await server.api.call("GET /api/projects/{projectId}/agents/{agentId}/screen", agentParams(agentId));
    return read.ok ? read.value.screen.join("\n") : "";
  }

  const agent = async (agentId: AgentId) =>
    api(await server.api.call("GET /api/projects/{projectId}/agents/{agentId}", agentParams(agentId)));

  const ticket = async (ticketId: TicketId) =>
    api(
      await server.api.call("GET /api/projects/{projectId}/tickets/{ticketId}", { params: { projectId, ticketId } }),
    );

  const tickets = async () =>
    api(await server.api.call("GET /api/projects/{projectId}/tickets", { params: { projectId } })).items;

  const profileId = (which: CliName) => {
    const profile = referenceProfiles.find((each) => each.name === PROFILE_NAMES[which]);
    assert.ok(profile);
    return profile.id;
  };

  async function write(agentId: AgentId, body: { readonly text: string; readonly paste?: boolean }): Promise<void> {
    const { sessionId } = await agent(agentId);
    assert.ok(sessionId);
    const params = { projectId, sessionId };
    api(await server.api.call("POST /api/projects/{projectId}/terminals/{sessionId}/input", { params, body }));
  }

  async function showsOnScreen(agentId: AgentId, text: string | RegExp): Promise<void> {
    let last = "";
    const shows = () => typeof text === "string" ? last.includes(text) : text.test(last);
    try {
      await waitFor(`${text} on the screen`, async () => {
        last = await screen(agentId);
        return shows();
      }, READY_MS);
    } catch (error) {
      throw new Error(`${error}\n${last}`);
    }
  }

  const own = parts.move();
  return {
    server,
    projectId,
    models,
    async hire(name, which) {
      const body = { name, profileId: profileId(which) };
      return api(
        await server.api.call("POST /api/projects/{projectId}/agents", { params: { projectId }, body }),
      ).agentId;
    },
    async launch(agentId, cellId) {
      api(
        await server.api.call("POST /api/projects/{projectId}/agents/{agentId}/launch", {
          ...agentParams(agentId),
          body: cellId === undefined ? {} : { cellId: createId("cell", cellId) },
        }),
      );
    },
    async stop(agentId) {
      api(await server.api.call("POST /api/projects/{projectId}/agents/{agentId}/stop", agentParams(agentId)));
    },
    async moveToProfile(agentId, which) {
      api(
        await server.api.call("PUT /api/projects/{projectId}/agents/{agentId}/profile", {
          ...agentParams(agentId),
          body: { profileId: profileId(which) },
        }),
      );
    },
    async ask(target, task) {
      const asked = api(
        await server.api.call("POST /api/projects/{projectId}/ask", {
          params: { projectId },
          body: { target, task, waitSeconds: 0 },
        }),
      );
      return createId("ticket", asked.ticket);
    },
    agent,
    async tell(agentId, text) {
      const sent = api(
        await server.api.call("POST /api/projects/{projectId}/agents/{agentId}/input", {
          ...agentParams(agentId),
          body: { text },
        }),
      );
      return createId("ticket", sent.id);
    },
    tickets,
    ticket,
    async closed(ticketId) {
      let last = await ticket(ticketId);
      await waitFor(`ticket ${ticketId} closes`, async () => {
        last = await ticket(ticketId);
        return ["answered", "cancelled", "failed"].includes(last.state);
      }, READY_MS);
      return last;
    },
    async delegation(text) {
      let found: Ticket | undefined;
      await waitFor(`a delegation "${text}"`, async () => {
        found = (await tickets()).find((each) => each.kind === "delegation" && each.task.includes(text));
        return found !== undefined;
      }, READY_MS);
      assert.ok(found);
      return found;
    },
    type: (agentId, keys) => write(agentId, { text: keys }),
    async pasteLine(agentId, line) {
      // Typed at this speed, programs would take the Enter for a part of it.
      await write(agentId, { text: line, paste: true });
      await showsOnScreen(agentId, line);
      await write(agentId, { text: "\r" });
    },
    async interrupt(agentId) {
      api(await server.api.call("POST /api/projects/{projectId}/agents/{agentId}/interrupt", agentParams(agentId)));
    },
    async said(agentId) {
      const views = api(
        await server.api.call("GET /api/projects/{projectId}/conversations", { params: { projectId } }),
      ).items;
      const view = views.find(({ parties }) =>
        parties.some(({ party }) => party.kind === "agent" && party.agentId === agentId) &&
        parties.some(({ party }) => party.kind === "human")
      );
      if (view === undefined) return [];
      const params = { projectId, conversationId: view.conversationId };
      return api(
        await server.api.call("GET /api/projects/{projectId}/conversations/{conversationId}", { params }),
      ).items.toReversed();
    },
    screen,
    showsOnScreen,
    async isReady(agentId) {
      await waitFor(
        `agent ${agentId} is idle`,
        async () => ["idle", "done"].includes((await agent(agentId)).state),
        READY_MS,
      );
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
