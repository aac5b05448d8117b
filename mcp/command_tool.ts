/** Tools that are commands of the orchestrator: same validation, same result and same event as the other doors. */
import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { CallContext, Command, CommandError, CommandResult } from "../core/orchestration/commands.ts";
import type { Result } from "../core/result.ts";
import { defineTool, type Tool, type ToolCall, toolError } from "./contents.ts";
import { describeCommandError } from "./errors.ts";

/** Carries out a command as the one whose connection this is. */
export type Dispatch = (command: Command, context: CallContext) => Promise<Result<CommandResult, CommandError>>;

type ResultOf<K extends CommandResult["kind"]> = Extract<CommandResult, { kind: K }>;

export interface CommandToolDefinition<
  I extends z.ZodType,
  O extends z.ZodObject,
  K extends CommandResult["kind"],
> {
  readonly name: `idea_${string}`;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: ToolAnnotations;
  readonly command: (input: z.output<I>) => Command;
  /** Kinds of result that this command has. */
  readonly kinds: readonly K[];
  /** The same answer as text for the model, and as data for programs (and for the CLIs that show data only). */
  readonly answer: (result: ResultOf<K>) => { readonly text: string; readonly data: z.input<O> };
}

export type CommandTool = (dispatch: Dispatch) => Tool;

export function commandTool<I extends z.ZodType, O extends z.ZodObject, K extends CommandResult["kind"]>(
  definition: CommandToolDefinition<I, O, K>,
): CommandTool {
  const { command, kinds, answer, ...tool } = definition;
  const isExpected = (result: CommandResult): result is ResultOf<K> => kinds.some((kind) => kind === result.kind);
  return (dispatch) =>
    defineTool({
      ...tool,
      async run(input, call) {
        const result = await dispatch(command(input), callContext(call));
        if (!result.ok) return toolError(describeCommandError(result.error));
        if (!isExpected(result.value)) throw new Error(`${tool.name} cannot end with ${result.value.kind}`);
        const { text, data } = answer(result.value);
        return { content: [{ type: "text", text }], structuredContent: data };
      },
    });
}

function callContext({ signal, progress, log }: ToolCall): CallContext {
  return {
    onGone(listener) {
      if (signal.aborted) queueMicrotask(listener);
      signal.addEventListener("abort", listener, { once: true });
      return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
    },
    onProgress({ message }) {
      progress(message);
      log("debug", message);
    },
  };
}
