/**
 * What one MCP connection offers, told apart from how MCP carries it: server.ts speaks the protocol, idea_contents.ts
 * fills this from the app, the conformance test fills it with the suite's own tools.
 */
import type {
  CallToolResult,
  GetPromptResult,
  LoggingLevel,
  Prompt,
  Resource,
  ResourceTemplate,
  ToolAnnotations,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Result } from "../core/result.ts";

/** Of one tools/call: whether it is still wanted, and how to tell what goes on meanwhile. */
export interface ToolCall {
  /** Aborted when the caller cancelled it or is gone. */
  readonly signal: AbortSignal;
  /** Shown by clients that asked for progress; keeps the call alive in those with an idle limit. */
  progress(message: string): void;
  log(level: LoggingLevel, data: string): void;
  /** Ends the stream of the answer; the client comes back for it. Only where streams can be taken up again. */
  readonly releaseStream?: () => void;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output?: z.ZodType;
  readonly annotations?: ToolAnnotations;
  /** Arguments as they came; what does not fit the input schema is an error that the model can read and correct. */
  call(args: unknown, call: ToolCall): Promise<CallToolResult>;
}

export interface ResourceText {
  readonly mimeType: string;
  readonly text: string;
}

export interface ResourceBytes {
  readonly mimeType: string;
  readonly base64: string;
}

export type ResourceError =
  | { readonly kind: "resourceNotFound"; readonly uri: string }
  | { readonly kind: "notReadable"; readonly uri: string; readonly detail: string };

export interface Resources {
  list(): Promise<readonly Resource[]>;
  readonly templates: readonly ResourceTemplate[];
  read(uri: string): Promise<Result<ResourceText | ResourceBytes, ResourceError>>;
  /** Calls back, not more than a few times a second, when what read() gives may have changed. */
  follow(uri: string, onChanged: () => void): Result<Disposable, ResourceError>;
  onListChanged(listener: () => void): Disposable;
  /** Values for a variable of a template. */
  complete(template: string, variable: string, typed: string): Promise<readonly string[]>;
}

export interface Prompts {
  list(): Promise<readonly Prompt[]>;
  /** undefined: there is none of that name. */
  get(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult | undefined>;
  onListChanged(listener: () => void): Disposable;
  complete(prompt: string, argument: string, typed: string): Promise<readonly string[]>;
}

export interface McpContents {
  /** Told to the model once, when the connection is made. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: Resources;
  readonly prompts: Prompts;
}

const LISTED_ISSUES = 10;

/** A tool whose arguments are parsed before `run` sees them. */
export function defineTool<I extends z.ZodType>(
  tool: Omit<Tool, "call" | "input"> & {
    readonly input: I;
    readonly run: (input: z.output<I>, call: ToolCall) => Promise<CallToolResult> | CallToolResult;
  },
): Tool {
  const { run, ...definition } = tool;
  return {
    ...definition,
    async call(args, call) {
      const parsed = definition.input.safeParse(args ?? {});
      if (parsed.success) return await run(parsed.data, call);
      const issues = parsed.error.issues.slice(0, LISTED_ISSUES)
        .map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
      return toolError(`The arguments of ${definition.name} are not valid: ${issues.join("; ")}.`);
    },
  };
}

export function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}
