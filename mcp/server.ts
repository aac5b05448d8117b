/**
 * One MCP connection: speaks the protocol for some contents. Handlers run beside each other, so a call that waits (an
 * ask) holds back no other.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  type Tool as ListedTool,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { McpContents, ResourceError, Tool, ToolCall } from "./contents.ts";

export interface McpServerOptions {
  readonly contents: McpContents;
  readonly version: string;
  /** The client has said that it is ready. */
  readonly onInitialized?: (client: { readonly name: string; readonly version: string }) => void;
  /** The client has been given the tools: from now on it can answer a task. */
  readonly onToolsListed?: () => void;
  /** With what the client says about the call; some name their conversation there. */
  readonly onToolCall?: (tool: string, meta: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: unknown) => void;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Of the MCP specification: a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;
const MAX_COMPLETIONS = 100;

export function createMcpServer(options: McpServerOptions): Server {
  const { contents } = options;
  const server = new Server({ name: "idea", title: "IdeA", version: options.version }, {
    instructions: contents.instructions,
    capabilities: {
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
  });
  server.onerror = options.onError;
  const own: Disposable[] = [];
  server.oninitialized = () => {
    const ignore = (error: unknown) => options.onError(error);
    own.push(
      contents.resources.onListChanged(() => server.sendResourceListChanged().catch(ignore)),
      contents.prompts.onListChanged(() => server.sendPromptListChanged().catch(ignore)),
    );
    options.onInitialized?.(server.getClientVersion() ?? { name: "unknown", version: "" });
  };
  serveTools(server, options);
  const subscriptions = serveResources(server, options);
  servePrompts(server, contents);
  server.onclose = () => {
    for (const one of [...own, ...subscriptions.values()]) one[Symbol.dispose]();
    own.length = 0;
    subscriptions.clear();
  };
  return server;
}

function serveTools(server: Server, options: McpServerOptions): void {
  const { tools } = options.contents;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => {
    // After the answer is on its way.
    queueMicrotask(() => options.onToolsListed?.());
    return { tools: tools.map(listedTool) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = byName.get(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    options.onToolCall?.(params.name, params._meta ?? {});
    return await tool.call(params.arguments, toolCall(server, extra, options.onError));
  });
}

function listedTool({ name, title, description, annotations, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(input, "input"),
    ...(output === undefined ? {} : { outputSchema: objectSchema(output, "output") }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** Each schema is the input or the output of a tool, never both, and lives as long as the program. */
const objectSchemas = new WeakMap<z.ZodType, ListedTool["inputSchema"]>();

function objectSchema(schema: z.ZodType, io: "input" | "output"): ListedTool["inputSchema"] {
  const known = objectSchemas.get(schema);
  if (known !== undefined) return known;
  const { properties, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const objects = Object.entries(properties ?? {}).map((
    [name, value],
  ) => [name, typeof value === "object" ? value : {}]);
  const made = { ...json, type: "object" as const, properties: Object.fromEntries(objects) };
  objectSchemas.set(schema, made);
  return made;
}

function toolCall(server: Server, extra: Extra, onError: (error: unknown) => void): ToolCall {
  const progressToken = extra._meta?.progressToken;
  let steps = 0;
  return {
    signal: extra.signal,
    progress(message) {
      if (progressToken === undefined) return;
      extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress: ++steps, message },
      }).catch(onError);
    },
    log(level: LoggingLevel, data) {
      server.sendLoggingMessage({ level, logger: "idea", data }, extra.sessionId).catch(onError);
    },
    ...(extra.closeSSEStream === undefined ? {} : { releaseStream: extra.closeSSEStream }),
  };
}

function serveResources(server: Server, { contents, onError }: McpServerOptions): Map<string, Disposable> {
  const { resources } = contents;
  const subscriptions = new Map<string, Disposable>();
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [...await resources.list()] }));
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    () => ({ resourceTemplates: [...resources.templates] }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const read = await resources.read(uri);
    if (!read.ok) throw resourceError(read.error);
    const { mimeType } = read.value;
    return {
      contents: [
        "text" in read.value ? { uri, mimeType, text: read.value.text } : { uri, mimeType, blob: read.value.base64 },
      ],
    };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    if (subscriptions.has(uri)) return {};
    const following = resources.follow(uri, () => server.sendResourceUpdated({ uri }).catch(onError));
    if (!following.ok) throw resourceError(following.error);
    subscriptions.set(uri, following.value);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.get(uri)?.[Symbol.dispose]();
    subscriptions.delete(uri);
    return {};
  });
  return subscriptions;
}

function resourceError(error: ResourceError): McpError {
  const { uri } = error;
  return error.kind === "resourceNotFound"
    ? new McpError(RESOURCE_NOT_FOUND, `There is no resource ${uri}.`, { uri })
    : new McpError(ErrorCode.InternalError, `${uri} could not be read: ${error.detail}`, { uri });
}

function servePrompts(server: Server, { prompts, resources }: McpContents): void {
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts: [...await prompts.list()] }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const prompt = await prompts.get(params.name, params.arguments ?? {});
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
    return prompt;
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }) => {
    const all = ref.type === "ref/prompt"
      ? await prompts.complete(ref.name, argument.name, argument.value)
      : await resources.complete(ref.uri, argument.name, argument.value);
    return {
      completion: { values: all.slice(0, MAX_COMPLETIONS), total: all.length, hasMore: all.length > MAX_COMPLETIONS },
    };
  });
}
