/** Claude Code: flags, MCP config, settings with hooks, transcript. Proved on 2.1.332. */
import { z } from "zod";
import type { AgentCli, CliReport, LaunchRequest, TranscriptTurn } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";
import { stdinHookCommand } from "./hook_command.ts";
import { conversationOf, StdinHook } from "./stdin_hook.ts";
import { type ParsedTurns, parseJsonLine, readTurns } from "./transcript_file.ts";

const HOOK_FILE = "hooks.jsonl";
const HOOKS = ["SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "Notification", "PermissionRequest"];

function settings(request: LaunchRequest): unknown {
  const hook = [{ hooks: [{ type: "command", command: stdinHookCommand(`${request.runDir}/${HOOK_FILE}`) }] }];
  return {
    // IdeA's own tools only: everything else stays with the person's permissions.
    permissions: { allow: ["mcp__idea"] },
    // IdeA resumes after a limit itself; both would submit twice.
    autoContinueAtUsageLimit: false,
    hooks: Object.fromEntries(HOOKS.map((name) => [name, hook])),
  };
}

function mcpConfig(request: LaunchRequest): unknown {
  const { mcp, profile } = request;
  const server = profile.mcp?.transport === "stdio"
    ? { command: mcp.bridge[0], args: mcp.bridge.slice(1) }
    : { type: "http", url: mcp.url, headers: { Authorization: `Bearer ${mcp.secret}` } };
  // Without alwaysLoad the tools hide behind a search tool and the first turn does not see them.
  return { mcpServers: { idea: { alwaysLoad: true, ...server } } };
}

const Hook = StdinHook.extend({
  prompt_id: z.string().optional(),
  last_assistant_message: z.string().optional(),
  error: z.string().optional(),
  error_type: z.string().optional(),
  tool_name: z.string().optional(),
});

export function parseClaudeHook(line: string): readonly CliReport[] {
  const parsed = Hook.safeParse(parseJsonLine(line));
  if (!parsed.success) return [];
  const hook = parsed.data;
  return [...conversationOf(hook), ...reportsOf(hook)];
}

function reportsOf(hook: z.infer<typeof Hook>): readonly CliReport[] {
  const turn = hook.prompt_id === undefined ? {} : { turnId: hook.prompt_id };
  switch (hook.hook_event_name) {
    case "UserPromptSubmit":
      return [{ kind: "turnStarted", ...turn, ...(hook.prompt === undefined ? {} : { prompt: hook.prompt }) }];
    case "Stop":
      return [{
        kind: "turnEnded",
        ...turn,
        ...(hook.last_assistant_message === undefined ? {} : { lastAnswer: hook.last_assistant_message }),
      }];
    case "StopFailure": {
      const type = hook.error_type ?? hook.error ?? "unknown";
      const detail = hook.last_assistant_message ?? hook.message ?? type;
      return [/rate_limit|billing/.test(type) ? { kind: "limited", detail } : { kind: "failed", detail, ...turn }];
    }
    case "PermissionRequest":
      return [{ kind: "blocked", detail: hook.tool_name ?? "permission" }];
    case "Notification":
      return hook.notification_type === "permission_prompt"
        ? [{ kind: "blocked", detail: hook.message ?? "permission" }]
        : [];
    default:
      return [];
  }
}

const Block = z.looseObject({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() });
const Row = z.looseObject({
  type: z.enum(["user", "assistant"]),
  uuid: z.string(),
  timestamp: z.string(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  message: z.looseObject({
    role: z.enum(["user", "assistant"]),
    content: z.union([z.string(), z.array(Block)]),
  }),
});

/** What the program itself puts into the person's mouth. */
const NOTE = /^\[Request interrupted by user/;

/**
 * Prompts and answers of the main thread; tool calls, their results and side threads are none. What the model thought
 * is a row of its own before the answer that it led to.
 */
export function parseClaudeTurns(lines: readonly string[]): ParsedTurns {
  const turns: TranscriptTurn[] = [];
  let thoughts: readonly string[] = [];
  let openFrom = 0;
  for (const [at, line] of lines.entries()) {
    const row = parseRow(line);
    if (row === undefined) continue;
    const { text, thinking = "", role } = row;
    if (thoughts.length === 0) openFrom = at;
    thoughts = role === "prompt" ? [] : [...thoughts, thinking].filter((thought) => thought !== "");
    if (text === "" || (role === "prompt" && NOTE.test(text))) continue;
    const { thinking: _, ...turn } = row;
    turns.push(thoughts.length === 0 ? turn : { ...turn, thinking: thoughts.join("\n\n") });
    thoughts = [];
  }
  return thoughts.length === 0 ? { turns } : { turns, openFrom };
}

function parseRow(line: string): TranscriptTurn | undefined {
  const parsed = Row.safeParse(parseJsonLine(line));
  if (!parsed.success || parsed.data.isSidechain === true || parsed.data.isMeta === true) return undefined;
  const { message, uuid, timestamp } = parsed.data;
  const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const text = blocks.filter((block) => block.type === "text").map((block) => block.text ?? "").join("\n").trim();
  const thinking = blocks.map((block) => "thinking" in block ? block.thinking ?? "" : "").join("\n").trim();
  if (text === "" && thinking === "") return undefined;
  const atMs = Date.parse(timestamp);
  return {
    key: uuid,
    atMs: Number.isNaN(atMs) ? 0 : atMs,
    role: message.role === "user" ? "prompt" : "response",
    text,
    ...(thinking === "" ? {} : { thinking }),
  };
}

export function createClaudeCli(): AgentCli {
  return {
    hookFile: HOOK_FILE,
    hooksTellTurns: true,
    planLaunch(request) {
      const base = planBase(request);
      const conversation = request.conversation.kind === "new"
        ? ["--session-id", request.conversation.freshId]
        : ["--resume", request.conversation.providerSessionId];
      return ok({
        argv: [
          base.command,
          ...base.args,
          ...conversation,
          "--append-system-prompt-file",
          base.contextPath,
          "--mcp-config",
          `${request.runDir}/mcp.json`,
          "--settings",
          `${request.runDir}/settings.json`,
        ],
        cwd: base.cwd,
        env: base.env,
        files: [
          ...baseFiles(request),
          { path: "mcp.json", text: `${JSON.stringify(mcpConfig(request), null, 2)}\n`, secret: true },
          { path: "settings.json", text: `${JSON.stringify(settings(request), null, 2)}\n` },
          { path: HOOK_FILE, text: "" },
        ],
        providerSessionId: request.conversation.kind === "new"
          ? request.conversation.freshId
          : request.conversation.providerSessionId,
      });
    },
    parseHookLine: parseClaudeHook,
    conversationOfCall: () => undefined,
    // Hooks announce the path; the folder's name is the CLI's own business.
    findTranscript: () => Promise.resolve(undefined),
    readTranscript: (path, fromOffset) => readTurns(path, fromOffset, parseClaudeTurns),
  };
}
