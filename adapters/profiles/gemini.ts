/**
 * Gemini CLI. Proved on 0.61.0.
 *
 * It takes MCP servers, hooks and context from settings files and from the folder it runs in only, and of the settings
 * only those of that folder can be ours: a file named by GEMINI_CLI_SYSTEM_SETTINGS_PATH is skipped unless it and every
 * folder above it belong to root. So it runs in the run folder, with the project root as a second folder of its
 * workspace, and the context says so.
 */
import { z } from "zod";
import type { AgentCli, CliReport, LaunchRequest, TranscriptTurn } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";
import { stdinHookCommand } from "./hook_command.ts";
import { conversationOf, StdinHook } from "./stdin_hook.ts";
import { parseJsonLine, readAppendedLines } from "./transcript_file.ts";

const HOOK_FILE = "hooks.jsonl";
const HOOKS = ["SessionStart", "BeforeAgent", "AfterAgent", "Notification"];

function context(request: LaunchRequest): string {
  return `${request.context}
## Your folders

You were started in \`${request.runDir}\`, which holds only what IdeA needs to run you. Your work is in the project root, \`${request.projectRoot}\`: give paths inside it in full, and run shell commands with it as \`dir_path\`.
`;
}

function settings(request: LaunchRequest): unknown {
  const { mcp, profile } = request;
  const command = stdinHookCommand(`${request.runDir}/${HOOK_FILE}`);
  const server = profile.mcp?.transport === "stdio"
    ? { command: mcp.bridge[0], args: mcp.bridge.slice(1) }
    : { httpUrl: mcp.url, headers: { Authorization: `Bearer ${mcp.secret}` } };
  return {
    // trust: IdeA's own tools run without a question. Progress does not extend a call, so the limit is long.
    mcpServers: { idea: { trust: true, timeout: profile.mcp?.timeoutMs ?? 86_400_000, ...server } },
    hooks: Object.fromEntries(
      HOOKS.map((name) => [name, [{ hooks: [{ name: `idea-${name}`, type: "command", command }] }]]),
    ),
    // By setting, since the flag takes a comma in a path for the end of it.
    context: { includeDirectories: [request.projectRoot], loadMemoryFromIncludeDirectories: true },
    // The title is what tells its state.
    ui: { hideWindowTitle: false, dynamicWindowTitle: true },
  };
}

export function parseGeminiHook(line: string): readonly CliReport[] {
  const parsed = StdinHook.safeParse(parseJsonLine(line));
  if (!parsed.success) return [];
  const hook = parsed.data;
  const conversation = conversationOf(hook);
  switch (hook.hook_event_name) {
    case "SessionStart":
      return [...conversation, { kind: "started" }];
    case "BeforeAgent":
      return [...conversation, { kind: "turnStarted", ...(hook.prompt === undefined ? {} : { prompt: hook.prompt }) }];
    case "AfterAgent":
      // Its prompt_response repeats pieces of an answer that came in several; the transcript has it right.
      return [
        ...conversation,
        { kind: "turnEnded", ...(hook.prompt === undefined ? {} : { prompts: [hook.prompt] }) },
      ];
    case "Notification":
      return [
        ...conversation,
        ...(hook.notification_type === "ToolPermission"
          ? [{ kind: "blocked", detail: hook.message ?? "permission" } as const]
          : []),
      ];
    default:
      return conversation;
  }
}

const Part = z.looseObject({ text: z.string().optional() });
const Thought = z.looseObject({ subject: z.string().optional(), description: z.string().optional() });
const Row = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("user"), id: z.string(), timestamp: z.string(), content: z.array(Part) }),
  // An answer is written as text; what is written in parts is a copy of it, made after a cancelled request.
  z.looseObject({
    type: z.literal("gemini"),
    id: z.string(),
    timestamp: z.string(),
    content: z.string(),
    thoughts: z.array(Thought).optional(),
  }),
]);

/** What the CLI itself puts into the user's mouth. */
const HARNESS = /^\s*<session_context>/;

/** A prompt or an answer; a row is written again when its tool calls come, with the same id. */
export function parseGeminiTurn(line: string): TranscriptTurn | undefined {
  const parsed = Row.safeParse(parseJsonLine(line));
  if (!parsed.success) return undefined;
  const row = parsed.data;
  const isUser = row.type === "user";
  const text = (isUser ? row.content.map((part) => part.text ?? "").join("\n") : row.content).trim();
  const thoughts = isUser ? [] : row.thoughts ?? [];
  const thinking = thoughts.map(({ subject, description }) =>
    [subject ?? "", description ?? ""].filter((part) => part !== "").join("\n")
  ).join("\n\n").trim();
  if ((text === "" && thinking === "") || (isUser && HARNESS.test(text))) return undefined;
  const atMs = Date.parse(row.timestamp);
  return {
    key: row.id,
    atMs: Number.isNaN(atMs) ? 0 : atMs,
    role: isUser ? "prompt" : "response",
    text,
    ...(thinking === "" ? {} : { thinking }),
  };
}

export function createGeminiCli(): AgentCli {
  return {
    hookFile: HOOK_FILE,
    hooksTellTurns: false,
    planLaunch(request) {
      const base = planBase(request);
      const conversation = request.conversation.kind === "new"
        ? ["--session-id", request.conversation.freshId]
        : ["--resume", request.conversation.providerSessionId];
      return ok({
        argv: [base.command, ...base.args, ...conversation],
        cwd: base.cwd,
        env: base.env,
        files: [
          ...baseFiles(request),
          { path: "GEMINI.md", text: context(request) },
          {
            path: ".gemini/settings.json",
            text: `${JSON.stringify(settings(request), null, 2)}\n`,
            secret: true,
          },
          { path: HOOK_FILE, text: "" },
        ],
        providerSessionId: request.conversation.kind === "new"
          ? request.conversation.freshId
          : request.conversation.providerSessionId,
      });
    },
    parseHookLine: parseGeminiHook,
    conversationOfCall: () => undefined,
    // Hooks announce the path.
    findTranscript: () => Promise.resolve(undefined),
    async readTranscript(path, fromOffset) {
      const { lines, nextOffset } = await readAppendedLines(path, fromOffset);
      return { turns: lines.map(parseGeminiTurn).filter((turn) => turn !== undefined), nextOffset };
    },
  };
}
