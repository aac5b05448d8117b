/** Gemini CLI: a settings file of its own level (system settings) adds MCP and hooks to the person's. For 0.61.0. */
import { z } from "zod";
import type { AgentCli, CliReport, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";
import { stdinHookCommand } from "./hook_command.ts";
import { parseJsonLine } from "./transcript_file.ts";

const HOOK_FILE = "hooks.jsonl";
const HOOKS = ["SessionStart", "BeforeAgent", "AfterAgent", "Notification"];

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
  };
}

const Hook = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().optional(),
  transcript_path: z.string().optional(),
  prompt: z.string().optional(),
  prompt_response: z.string().optional(),
  notification_type: z.string().optional(),
  message: z.string().optional(),
});

export function parseGeminiHook(line: string): readonly CliReport[] {
  const parsed = Hook.safeParse(parseJsonLine(line));
  if (!parsed.success) return [];
  const hook = parsed.data;
  const conversation: CliReport[] = hook.session_id === undefined ? [] : [{
    kind: "conversation",
    providerSessionId: hook.session_id,
    ...(hook.transcript_path === undefined ? {} : { transcriptPath: hook.transcript_path }),
  }];
  switch (hook.hook_event_name) {
    case "BeforeAgent":
      return [...conversation, { kind: "turnStarted", ...(hook.prompt === undefined ? {} : { prompt: hook.prompt }) }];
    case "AfterAgent":
      return [...conversation, {
        kind: "turnEnded",
        ...(hook.prompt_response === undefined ? {} : { lastAnswer: hook.prompt_response }),
      }];
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

export function createGeminiCli(): AgentCli {
  return {
    hookFile: HOOK_FILE,
    hooksTellTurns: true,
    planLaunch(request) {
      const base = planBase(request);
      const conversation = request.conversation.kind === "new"
        ? ["--session-id", request.conversation.freshId]
        : ["--resume", request.conversation.providerSessionId];
      return ok({
        // The GEMINI.md of an included folder is loaded beside the project's own.
        argv: [base.command, ...base.args, ...conversation, "--include-directories", `${request.runDir}/include`],
        cwd: base.cwd,
        env: { ...base.env, GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${request.runDir}/settings.json` },
        files: [
          ...baseFiles(request),
          { path: "include/GEMINI.md", text: request.context },
          { path: "settings.json", text: `${JSON.stringify(settings(request), null, 2)}\n`, secret: true },
          { path: HOOK_FILE, text: "" },
        ],
        providerSessionId: request.conversation.kind === "new"
          ? request.conversation.freshId
          : request.conversation.providerSessionId,
      });
    },
    parseHookLine: parseGeminiHook,
    conversationOfCall: () => undefined,
    findTranscript: () => Promise.resolve(undefined),
    // Its chats are one JSON file each, rewritten whole; the hooks carry prompt and answer instead.
    readTranscript: (_path, fromOffset) => Promise.resolve({ turns: [], nextOffset: fromOffset }),
  };
}
