/** A CLI that IdeA knows nothing special about: the strategies of the profile's data, and no more. */
import type { AgentCli, LaunchFile, LaunchRequest } from "../../core/ports/agent_cli.ts";
import { ok } from "../../core/result.ts";
import { baseFiles, type BasePlan, planBase } from "./base_plan.ts";

interface Additions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly LaunchFile[];
  readonly firstInput?: string;
}

const NOTHING: Additions = { args: [], env: {}, files: [] };

function contextAdditions(request: LaunchRequest, base: BasePlan): Additions {
  const injection = request.profile.contextInjection;
  switch (injection?.strategy) {
    case undefined:
      return NOTHING;
    case "conventionFile":
      // Only useful with cwd {runDir}: nothing is written into the project's root.
      return { ...NOTHING, files: [{ path: injection.target, text: request.context }] };
    case "flag":
      return { ...NOTHING, args: [injection.flag, injection.value === "text" ? request.context : base.contextPath] };
    case "env":
      return {
        ...NOTHING,
        env: { [injection.var]: injection.value === "text" ? request.context : base.contextPath },
      };
    case "stdin":
      return { ...NOTHING, firstInput: request.context };
  }
}

function mcpAdditions(request: LaunchRequest): Additions {
  const { profile, mcp, runDir } = request;
  if (profile.mcp === undefined) return NOTHING;
  const server = profile.mcp.transport === "stdio"
    ? { command: mcp.bridge[0], args: mcp.bridge.slice(1) }
    : { type: "http", url: mcp.url, headers: { Authorization: `Bearer ${mcp.secret}` } };
  // The form that most clients share.
  const text = `${JSON.stringify({ mcpServers: { idea: server } }, null, 2)}\n`;
  const { config } = profile.mcp;
  switch (config.strategy) {
    case "configFile":
      return { ...NOTHING, files: [{ path: config.target, text, secret: true }] };
    case "flag":
      return {
        ...NOTHING,
        args: [config.flag, `${runDir}/mcp.json`],
        files: [{ path: "mcp.json", text, secret: true }],
      };
    case "env":
      return {
        ...NOTHING,
        env: { [config.var]: `${runDir}/mcp.json` },
        files: [{ path: "mcp.json", text, secret: true }],
      };
  }
}

function conversationArgs(request: LaunchRequest): readonly string[] {
  const { session } = request.profile;
  if (session === undefined) return [];
  if (request.conversation.kind === "new") {
    return session.assignFlag === undefined ? [] : [session.assignFlag, request.conversation.freshId];
  }
  const id = request.conversation.providerSessionId;
  if (session.resumeArgs !== undefined) return session.resumeArgs.map((arg) => arg.replaceAll("{sessionId}", id));
  return session.resumeFlag === undefined ? [] : [session.resumeFlag, id];
}

export function createGenericCli(): AgentCli {
  return {
    hooksTellTurns: false,
    planLaunch(request) {
      const base = planBase(request);
      const context = contextAdditions(request, base);
      const mcp = mcpAdditions(request);
      const providerSessionId = request.conversation.kind === "resume"
        ? request.conversation.providerSessionId
        : request.profile.session?.assignFlag === undefined
        ? undefined
        : request.conversation.freshId;
      return ok({
        argv: [base.command, ...base.args, ...conversationArgs(request), ...context.args, ...mcp.args],
        cwd: base.cwd,
        env: { ...base.env, ...context.env, ...mcp.env },
        files: [...baseFiles(request), ...context.files, ...mcp.files],
        ...(providerSessionId === undefined ? {} : { providerSessionId }),
        ...(context.firstInput === undefined ? {} : { firstInput: context.firstInput }),
      });
    },
    parseHookLine: () => [],
    conversationOfCall: () => undefined,
    findTranscript: () => Promise.resolve(undefined),
    readTranscript: (_path, fromOffset) => Promise.resolve({ turns: [], nextOffset: fromOffset }),
  };
}
