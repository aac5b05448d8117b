/** What every launch has in common: the profile's own command, arguments and environment with its placeholders filled. */
import type { LaunchPlan, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { fillPlaceholders } from "./placeholders.ts";

export interface BasePlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly contextPath: string;
}

export const CONTEXT_FILE = "context.md";
export const SECRET_FILE = "secret";

export function planBase(request: LaunchRequest): BasePlan {
  const contextPath = `${request.runDir}/${CONTEXT_FILE}`;
  const values = {
    projectRoot: request.projectRoot,
    runDir: request.runDir,
    mcpUrl: request.mcp.url,
    contextFile: contextPath,
    secretFile: `${request.runDir}/${SECRET_FILE}`,
    sessionId: request.conversation.kind === "new"
      ? request.conversation.freshId
      : request.conversation.providerSessionId,
  };
  const { profile } = request;
  return {
    command: profile.command,
    args: profile.args.map((arg) => fillPlaceholders(arg, values)),
    env: {
      // For the stdio bridge, and for scripts that the agent runs.
      IDEA_MCP_URL: request.mcp.url,
      IDEA_MCP_SECRET_FILE: `${request.runDir}/${SECRET_FILE}`,
      ...Object.fromEntries(
        Object.entries(profile.env).map(([name, value]) => [name, fillPlaceholders(value, values)]),
      ),
    },
    cwd: fillPlaceholders(profile.cwd, values),
    contextPath,
  };
}

/** The files that every launch writes. */
export function baseFiles(request: LaunchRequest): LaunchPlan["files"] {
  return [
    { path: CONTEXT_FILE, text: request.context },
    { path: SECRET_FILE, text: request.mcp.secret, secret: true },
  ];
}
