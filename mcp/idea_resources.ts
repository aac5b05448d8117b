/**
 * What an MCP client may read of a project: its rules, notes, handoffs, and agents' screens. An agent reads handoffs of
 * its own conversations only, and screens of others only where the project's permissions say so.
 */
import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import type { App } from "../core/app/app.ts";
import type { IdeaEvent } from "../core/events.ts";
import type { AgentId, ConversationId } from "../core/ids.ts";
import type { Command, Requester } from "../core/orchestration/commands.ts";
import type { Clock } from "../core/ports/clock.ts";
import { isSameParty } from "../core/parties.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { ResourceError, Resources, ResourceText } from "./contents.ts";
import { createCoalescer } from "./coalescer.ts";
import { describeCommandError } from "./errors.ts";
import { formatUri, parseUri, type ResourceAddress, templates } from "./resource_uris.ts";

const MARKDOWN = "text/markdown";
const SCREEN_SCROLLBACK_LINES = 200;

export type MayReadScreen = (requester: Requester, agentId: AgentId) => boolean;

export interface IdeaResourcesOptions {
  readonly app: App;
  readonly clock: Clock;
  readonly requester: Requester;
  readonly mayReadScreen: MayReadScreen;
}

export function createIdeaResources(options: IdeaResourcesOptions): Resources {
  const { app, clock, requester } = options;
  const { projectId } = requester;
  const notFound = (uri: string) => err<ResourceError>({ kind: "resourceNotFound", uri });

  async function readByCommand(uri: string, command: Command): Promise<Result<ResourceText, ResourceError>> {
    const result = await app.orchestrator.dispatch(command, requester);
    if (!result.ok) return err({ kind: "notReadable", uri, detail: describeCommandError(result.error) });
    return result.value.kind === "text" ? ok({ mimeType: MARKDOWN, text: result.value.text }) : notFound(uri);
  }

  async function ownConversations() {
    const all = await app.conversations.list(projectId);
    if (!all.ok) return [];
    const { party } = requester;
    return party.kind !== "agent"
      ? all.value
      : all.value.filter(({ parties }) => parties.some((one) => isSameParty(one.party, party)));
  }

  async function readHandoff(uri: string, conversationId: ConversationId) {
    const isOwn = (await ownConversations()).some((one) => one.conversationId === conversationId);
    const handoff = isOwn ? await app.conversations.handoff(projectId, conversationId) : undefined;
    return handoff?.ok ? ok({ mimeType: MARKDOWN, text: handoff.value.content }) : notFound(uri);
  }

  function sessionOf(agentId: AgentId) {
    if (!options.mayReadScreen(requester, agentId)) return undefined;
    const agent = app.agents.get(projectId, agentId);
    return agent.ok ? agent.value.sessionId : undefined;
  }

  async function readScreen(uri: string, agentId: AgentId): Promise<Result<ResourceText, ResourceError>> {
    const sessionId = sessionOf(agentId);
    const read = sessionId === undefined ? undefined : await app.terminals.read(sessionId, SCREEN_SCROLLBACK_LINES);
    if (!read?.ok) return notFound(uri);
    return ok({ mimeType: "text/plain", text: [...read.value.scrollback, ...read.value.screen].join("\n").trimEnd() });
  }

  async function listResources(): Promise<readonly Resource[]> {
    const agents = app.agents.list(projectId);
    const screens = (agents.ok ? agents.value : []).filter(({ agentId }) => sessionOf(agentId) !== undefined);
    const handoffs = (await ownConversations()).filter((conversation) => conversation.hasHandoff);
    return [
      resource({ kind: "context" }, {
        name: "context",
        title: "Rules of the project",
        description: "What every agent of the project must follow (CONTEXT.md)",
        mimeType: MARKDOWN,
      }),
      resource({ kind: "notes" }, {
        name: "notes",
        title: "Index of the notes",
        description: "The project's memory, one line a note; each note is idea://notes/{slug}",
        mimeType: MARKDOWN,
      }),
      ...handoffs.map(({ conversationId, parties }) =>
        resource({ kind: "handoff", conversationId }, {
          name: `handoff-${conversationId}`,
          title: `Handoff: ${parties.map(({ name }) => name).join(" and ")}`,
          description: "Where the work of this conversation stands: enough for another agent to go on",
          mimeType: MARKDOWN,
        })
      ),
      ...screens.map(({ agentId, name }) =>
        resource({ kind: "screen", agentId }, {
          name: `screen-${agentId}`,
          title: `Screen of ${name}`,
          description: `What the terminal of ${name} shows, with its last ${SCREEN_SCROLLBACK_LINES} lines`,
          mimeType: "text/plain",
        })
      ),
    ];
  }

  return {
    list: listResources,
    templates: [
      { uriTemplate: templates.note, name: "note", title: "A note of the project", mimeType: MARKDOWN },
      { uriTemplate: templates.handoff, name: "handoff", title: "Handoff of a conversation", mimeType: MARKDOWN },
      { uriTemplate: templates.screen, name: "screen", title: "Screen of an agent", mimeType: "text/plain" },
    ],
    read(uri) {
      const address = parseUri(uri);
      switch (address?.kind) {
        case "context":
          return readByCommand(uri, { name: "contextRead", input: {} });
        case "notes":
          return readByCommand(uri, { name: "memoryRead", input: {} });
        case "note":
          return readByCommand(uri, { name: "memoryRead", input: { slug: address.slug } });
        case "handoff":
          return readHandoff(uri, address.conversationId);
        case "screen":
          return readScreen(uri, address.agentId);
        case undefined:
          return Promise.resolve(notFound(uri));
      }
    },
    follow(uri, onChanged) {
      const address = parseUri(uri);
      if (address === undefined) return notFound(uri);
      const changed = createCoalescer(clock, onChanged);
      const sessionId = address.kind === "screen" ? sessionOf(address.agentId) : undefined;
      if (address.kind === "screen" && sessionId === undefined) return notFound(uri);
      const output = sessionId === undefined
        ? undefined
        : app.terminals.listen(sessionId, { onOutput: changed.notice });
      const events = app.events.subscribe((event) => {
        if ("projectId" in event && event.projectId === projectId && touches(address, event)) changed.notice();
      });
      return ok({
        [Symbol.dispose]() {
          if (output?.ok) output.value[Symbol.dispose]();
          events[Symbol.dispose]();
          changed[Symbol.dispose]();
        },
      });
    },
    onListChanged(listener) {
      const changed = createCoalescer(clock, listener);
      const changesList = createListChanges();
      const events = app.events.subscribe((event) => {
        if ("projectId" in event && event.projectId === projectId && changesList(event)) changed.notice();
      });
      return {
        [Symbol.dispose]() {
          events[Symbol.dispose]();
          changed[Symbol.dispose]();
        },
      };
    },
    async complete(template, _variable, typed) {
      const all = await completions(template);
      return all.filter((value) => value.startsWith(typed));
    },
  };

  async function completions(template: string): Promise<readonly string[]> {
    switch (template) {
      case templates.note: {
        const index = await readByCommand(formatUri({ kind: "notes" }), { name: "memoryRead", input: {} });
        return index.ok ? [...index.value.text.matchAll(/\]\(([a-z0-9-]+)\.md\)/g)].map(([, slug = ""]) => slug) : [];
      }
      case templates.handoff:
        return (await ownConversations()).filter((one) => one.hasHandoff).map((one) => one.conversationId);
      case templates.screen: {
        const agents = app.agents.list(projectId);
        return agents.ok ? agents.value.map(({ agentId }) => agentId).filter((id) => sessionOf(id) !== undefined) : [];
      }
      default:
        return [];
    }
  }
}

function resource(address: ResourceAddress, about: Omit<Resource, "uri">): Resource {
  return { uri: formatUri(address), ...about };
}

/** Whether what is at this address may read differently after the event. */
function touches(address: ResourceAddress, event: IdeaEvent): boolean {
  switch (address.kind) {
    case "context":
      return event.kind === "projectChanged" && event.what.includes("CONTEXT.md");
    case "notes":
    case "note":
      return event.kind === "projectChanged" && event.what.some((path) => path.startsWith("memory/"));
    case "handoff":
      return event.kind === "conversationGrew" && event.conversationId === address.conversationId;
    case "screen":
      return event.kind === "agentStopped" && event.agentId === address.agentId;
  }
}

/** A conversation has its handoff from its first message on: clients that list again for each would do nothing else. */
function createListChanges(): (event: IdeaEvent) => boolean {
  const known = new Set<ConversationId>();
  return (event) => {
    if (event.kind !== "conversationGrew") return event.kind === "agentLaunched" || event.kind === "agentStopped";
    const isNew = !known.has(event.conversationId);
    known.add(event.conversationId);
    return isNew;
  };
}
