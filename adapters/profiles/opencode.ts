/**
 * opencode: one environment variable carries config that is merged over the person's, with a plugin that tells what
 * happens (opencode_plugin.ts). Proved on 1.18.33.
 */
import { pathToFileURL } from "node:url";
import type { AgentCli, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";
import { OPENCODE_PLUGIN, PLUGIN_FILE, PLUGIN_RECORDS_FILE } from "./opencode_plugin.ts";
import { parseOpencodeRecord, parseOpencodeTurn } from "./opencode_records.ts";
import { readAppendedLines } from "./transcript_file.ts";

function config(request: LaunchRequest, contextPath: string): unknown {
  const { mcp, profile } = request;
  const server = profile.mcp?.transport === "stdio"
    ? { type: "local", command: mcp.bridge }
    : { type: "remote", url: mcp.url, oauth: false, headers: { Authorization: `Bearer ${mcp.secret}` } };
  return {
    instructions: [contextPath],
    plugin: [pathToFileURL(`${request.runDir}/${PLUGIN_FILE}`).href],
    // IdeA's own tools only: everything else stays with the person's permissions.
    permission: { "idea_*": "allow" },
    // The default ends a tool call after a minute.
    mcp: { idea: { enabled: true, timeout: profile.mcp?.timeoutMs ?? 86_400_000, ...server } },
  };
}

export function createOpencodeCli(): AgentCli {
  return {
    hookFile: PLUGIN_RECORDS_FILE,
    hooksTellTurns: true,
    planLaunch(request) {
      const base = planBase(request);
      const resume = request.conversation.kind === "resume"
        ? ["--session", request.conversation.providerSessionId]
        : [];
      return ok({
        argv: [base.command, ...base.args, ...resume],
        cwd: base.cwd,
        env: { ...base.env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config(request, base.contextPath)) },
        files: [
          ...baseFiles(request),
          { path: PLUGIN_FILE, text: OPENCODE_PLUGIN },
          { path: PLUGIN_RECORDS_FILE, text: "" },
        ],
        ...(request.conversation.kind === "resume"
          ? { providerSessionId: request.conversation.providerSessionId }
          : {}),
      });
    },
    parseHookLine: (line) => parseOpencodeRecord(line, Date.now()),
    conversationOfCall: () => undefined,
    // The plugin announces the path.
    findTranscript: () => Promise.resolve(undefined),
    async readTranscript(path, fromOffset) {
      const { lines, nextOffset } = await readAppendedLines(path, fromOffset);
      return { turns: lines.map(parseOpencodeTurn).filter((turn) => turn !== undefined), nextOffset };
    },
  };
}
