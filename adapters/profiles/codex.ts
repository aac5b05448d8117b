/** Codex: everything by -c overrides, so the person's own config stays as it is. Proved on 0.171.0. */
import { z } from "zod";
import type { AgentCli, CliReport, LaunchRequest, TranscriptTurn } from "../../core/ports/agent_cli.ts";
import { err, ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";
import { type ParsedTurns, parseJsonLine, readTurns } from "./transcript_file.ts";

const HOOK_FILE = "hooks.jsonl";

/**
 * Linux takes at most 128 KiB in one argument (MAX_ARG_STRLEN of execve(2)); escapes and the name of the setting count.
 */
const ARGUMENT_LIMIT_BYTES = 128 * 1024 - 64;

/** A TOML basic string. JSON's escapes are a subset of TOML's, but for DEL, which TOML wants escaped. */
export function formatTomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}

function mcpSetting(request: LaunchRequest): string {
  const { mcp, profile } = request;
  const connection = profile.mcp?.transport === "stdio"
    ? `command=${formatTomlString(mcp.bridge[0])},args=[${mcp.bridge.slice(1).map(formatTomlString).join(",")}],` +
      // Codex starts MCP servers with an environment of its own making.
      `env={IDEA_MCP_URL=${formatTomlString(mcp.url)},IDEA_MCP_SECRET_FILE=${
        formatTomlString(`${request.runDir}/secret`)
      }}`
    // By variable, so that the secret is on no command line.
    : `url=${formatTomlString(mcp.url)},bearer_token_env_var="IDEA_MCP_SECRET"`;
  const timeoutSeconds = Math.ceil((profile.mcp?.timeoutMs ?? 86_400_000) / 1_000);
  // required: the first turn waits for the server. approve: IdeA's own tools only.
  return `mcp_servers.idea={${connection},required=true,default_tools_approval_mode="approve",` +
    `tool_timeout_sec=${timeoutSeconds},startup_timeout_sec=30}`;
}

function notifySetting(request: LaunchRequest): string {
  // $1 is the JSON that codex appends as the last argument.
  const script = `printf '%s\\n' "$1" >> "$0"`;
  const argv = ["sh", "-c", script, `${request.runDir}/${HOOK_FILE}`];
  return `notify=[${argv.map(formatTomlString).join(",")}]`;
}

const Notify = z.looseObject({
  type: z.string(),
  "thread-id": z.string().optional(),
  "turn-id": z.string().optional(),
  /** Of the whole conversation, this turn's last. */
  "input-messages": z.array(z.string()).optional(),
  "last-assistant-message": z.string().nullish(),
});

export function parseCodexNotify(line: string): readonly CliReport[] {
  const parsed = Notify.safeParse(parseJsonLine(line));
  if (!parsed.success || parsed.data.type !== "agent-turn-complete") return [];
  const threadId = parsed.data["thread-id"];
  const lastAnswer = parsed.data["last-assistant-message"] ?? undefined;
  const turnId = parsed.data["turn-id"];
  const prompts = parsed.data["input-messages"];
  return [
    ...(threadId === undefined ? [] : [{ kind: "conversation", providerSessionId: threadId } as const]),
    {
      kind: "turnEnded",
      ...(turnId === undefined ? {} : { turnId }),
      ...(prompts === undefined ? {} : { prompts }),
      ...(lastAnswer === undefined ? {} : { lastAnswer }),
    },
  ];
}

const Item = z.looseObject({
  timestamp: z.string(),
  type: z.literal("event_msg"),
  payload: z.looseObject({
    type: z.literal("item_completed"),
    item: z.looseObject({
      type: z.enum(["UserMessage", "AgentMessage", "Reasoning"]),
      id: z.string(),
      content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
      summary_text: z.array(z.string()).optional(),
    }),
  }),
});

/** Harness messages that codex puts into the user's mouth. */
const HARNESS = /^\s*<(environment_context|user_instructions|permissions|skills_instructions|turn_aborted)/;

export function parseCodexTurns(lines: readonly string[]): ParsedTurns {
  const turns: TranscriptTurn[] = [];
  let thinking = "";
  let openFrom = 0;
  for (const [at, line] of lines.entries()) {
    const parsed = Item.safeParse(parseJsonLine(line));
    if (!parsed.success) continue;
    const { item } = parsed.data.payload;
    if (item.type === "Reasoning") {
      if (thinking === "") openFrom = at;
      thinking = [thinking, ...(item.summary_text ?? [])].filter((part) => part !== "").join("\n");
      continue;
    }
    const text = (item.content ?? []).map((part) => part.text ?? "").join("\n").trim();
    if (text === "" || HARNESS.test(text)) continue;
    const atMs = Date.parse(parsed.data.timestamp);
    turns.push({
      key: item.id,
      atMs: Number.isNaN(atMs) ? 0 : atMs,
      role: item.type === "UserMessage" ? "prompt" : "response",
      text,
      ...(thinking !== "" && item.type === "AgentMessage" ? { thinking } : {}),
    });
    thinking = "";
  }
  return thinking === "" ? { turns } : { turns, openFrom };
}

const CallMeta = z.looseObject({ sessionId: z.string().optional(), threadId: z.string().optional() });

export function createCodexCli(): AgentCli {
  return {
    hookFile: HOOK_FILE,
    hooksTellTurns: false,
    planLaunch(request) {
      const base = planBase(request);
      const instructions = `developer_instructions=${formatTomlString(request.context)}`;
      const bytes = new TextEncoder().encode(instructions).length;
      if (bytes > ARGUMENT_LIMIT_BYTES) {
        return err({ kind: "contextTooLong", bytes, limitBytes: ARGUMENT_LIMIT_BYTES });
      }
      const settings = [instructions, mcpSetting(request), notifySetting(request)];
      const resume = request.conversation.kind === "resume" ? ["resume", request.conversation.providerSessionId] : [];
      return ok({
        argv: [base.command, ...resume, ...base.args, ...settings.flatMap((setting) => ["-c", setting])],
        cwd: base.cwd,
        env: { ...base.env, IDEA_MCP_SECRET: request.mcp.secret },
        files: [...baseFiles(request), { path: HOOK_FILE, text: "" }],
        ...(request.conversation.kind === "resume"
          ? { providerSessionId: request.conversation.providerSessionId }
          : {}),
      });
    },
    parseHookLine: parseCodexNotify,
    conversationOfCall(meta) {
      const parsed = CallMeta.safeParse(meta);
      return parsed.success ? parsed.data.sessionId ?? parsed.data.threadId : undefined;
    },
    async findTranscript(providerSessionId, environment) {
      const home = environment["CODEX_HOME"] ?? `${environment["HOME"] ?? ""}/.codex`;
      return await findRollout(`${home}/sessions`, providerSessionId);
    },
    readTranscript: (path, fromOffset) => readTurns(path, fromOffset, parseCodexTurns),
  };
}

/** sessions/Y/M/D/rollout-<time>-<id>.jsonl; the newest days first. */
async function findRollout(folder: string, id: string): Promise<string | undefined> {
  const names: string[] = [];
  const folders: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) (entry.isDirectory ? folders : names).push(entry.name);
  } catch {
    return undefined;
  }
  const file = names.find((name) => name.startsWith("rollout-") && name.endsWith(`-${id}.jsonl`));
  if (file !== undefined) return `${folder}/${file}`;
  for (const name of folders.sort().reverse()) {
    const found = await findRollout(`${folder}/${name}`, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
