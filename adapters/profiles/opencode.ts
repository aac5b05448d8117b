/** opencode: one environment variable carries config that is merged over the person's. For 1.18.33. */
import type { AgentCli, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, planBase } from "./base_plan.ts";

function config(request: LaunchRequest, contextPath: string): unknown {
  const { mcp, profile } = request;
  const server = profile.mcp?.transport === "stdio"
    ? { type: "local", command: mcp.bridge }
    : { type: "remote", url: mcp.url, oauth: false, headers: { Authorization: `Bearer ${mcp.secret}` } };
  return {
    instructions: [contextPath],
    permission: { "idea_*": "allow" },
    // The default ends a tool call after a minute.
    mcp: { idea: { enabled: true, timeout: profile.mcp?.timeoutMs ?? 86_400_000, ...server } },
  };
}

export function createOpencodeCli(): AgentCli {
  return {
    hooksTellTurns: false,
    planLaunch(request) {
      const base = planBase(request);
      const resume = request.conversation.kind === "resume"
        ? ["--session", request.conversation.providerSessionId]
        : [];
      return ok({
        argv: [base.command, ...base.args, ...resume],
        cwd: base.cwd,
        env: { ...base.env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config(request, base.contextPath)) },
        files: baseFiles(request),
        ...(request.conversation.kind === "resume"
          ? { providerSessionId: request.conversation.providerSessionId }
          : {}),
      });
    },
    parseHookLine: () => [],
    conversationOfCall: () => undefined,
    findTranscript: () => Promise.resolve(undefined),
    readTranscript: (_path, fromOffset) => Promise.resolve({ turns: [], nextOffset: fromOffset }),
  };
}
