/**
 * The reference profiles, as data. What was proved against the real programs is marked with the version it was proved
 * on; what comes from documentation only is marked unproved. Ids are fixed: projects of older versions name them.
 */
import { createId } from "../ids.ts";
import { type AgentProfile, ProfileSchema } from "./profile.ts";

/** Longest a tool call may take: a question to a colleague can wait for a day. */
const TOOL_TIMEOUT_MS = 86_400_000;

/** Proved on Claude Code 2.1.332. */
const claude = {
  id: "664cc20c-47b8-53ad-9351-dce3c09c0de4",
  name: "Claude Code",
  command: "claude",
  // Its default is a mode that approves by itself; IdeA's permissions decide, so it has to ask.
  args: ["--permission-mode", "manual"],
  env: {
    // Calls of 120 s and more would move to the background and end the turn before the answer is there.
    CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
    MCP_TOOL_TIMEOUT: String(TOOL_TIMEOUT_MS),
    // Over HTTP a call without traffic would end after 5 minutes.
    CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: "0",
  },
  detect: ["claude", "--version"],
  contextInjection: { strategy: "flag", flag: "--append-system-prompt-file", value: "path" },
  mcp: {
    config: { strategy: "flag", flag: "--mcp-config" },
    transport: "http",
    timeoutMs: TOOL_TIMEOUT_MS,
    waitForToolsList: true,
  },
  session: { assignFlag: "--session-id", resumeFlag: "--resume", forkFlag: "--fork-session", idFrom: "assigned" },
  // Pastes of 4 lines or 800 characters are wrapped as untrusted content; what is typed plainly is not.
  input: { submit: "\r", paste: "plain", submitDelayMs: 150, interrupt: "\u001b" },
  ready: { screenPattern: "^❯[\\u00a0 ]*", titlePattern: "^✳" },
  busy: { screenPattern: "esc to interrupt", titlePattern: "^[◐◑◒◓]" },
  turnEnd: { hook: "Stop" },
  attention: { screenPattern: "❯ 1\\. Yes|Enter to confirm" },
  programStatus: true,
  rateLimit: { pattern: "You've hit your [\\w-]+(?: [\\w-]+)? limit · resets ([^\\n]+)" },
  transcript: "claude",
  structured: "claude",
  config: "claude",
};

/** Proved on Codex 0.171.0. */
const codex = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000002",
  name: "Codex",
  command: "codex",
  // The daemon would copy 400 MB and outlive the session.
  args: ["--no-daemon"],
  detect: ["codex", "--version"],
  contextInjection: { strategy: "flag", flag: "-c", value: "text" },
  mcp: { config: { strategy: "flag", flag: "-c" }, transport: "http", timeoutMs: TOOL_TIMEOUT_MS },
  session: { resumeArgs: ["resume", "{sessionId}"], idFrom: "hook" },
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 150, interrupt: "\u001b" },
  ready: { screenPattern: "› " },
  busy: { screenPattern: "esc to interrupt", titlePattern: "^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]" },
  turnEnd: { hook: "agent-turn-complete" },
  attention: { titlePattern: "Action Required" },
  programStatus: true,
  rateLimit: { pattern: "You[’']ve hit your usage limit[\\s\\S]*?try again (?:at )?([^\\n]+?)\\.(?:\\s|$)" },
  transcript: "codex",
  structured: "codex",
  config: "codex",
};

/** Tried by hand on Gemini CLI 0.61.0, from launch to resume; no automated test with the real program yet. */
const gemini = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000003",
  name: "Gemini CLI",
  command: "gemini",
  // It takes settings and context from its folder only; the project's root is an included directory.
  cwd: "{runDir}",
  // Of the run folder, which is IdeA's own.
  env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  detect: ["gemini", "--version"],
  contextInjection: { strategy: "conventionFile", target: "GEMINI.md" },
  mcp: {
    config: { strategy: "configFile", target: ".gemini/settings.json" },
    transport: "http",
    timeoutMs: TOOL_TIMEOUT_MS,
    waitForToolsList: true,
  },
  session: { assignFlag: "--session-id", resumeFlag: "--resume", idFrom: "assigned" },
  // An Enter that is read together with the paste becomes a line break.
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 400, echoTimeoutMs: 5_000, interrupt: "\u001b" },
  // Its title says so before it takes input, so only the hook tells.
  ready: { screenPattern: "Type your message or @path", titlePattern: "^◇ +Ready", hook: "SessionStart" },
  busy: { screenPattern: "esc to cancel", titlePattern: "^[✦⏲]" },
  attention: { titlePattern: "^✋", screenPattern: "^[│ ]*● \\d+\\. " },
  rateLimit: {
    pattern: "Usage limit reached for \\S+\\.(?:[\\s\\S]*?Access resets at ([^\\n│]+?)\\.)?",
    // "Stop" is the last choice, and the one above the first; Esc leaves the dialog open.
    dialog: { screenPattern: "Usage limit reached for[\\s\\S]*^[│ ]*● 1\\. ", leave: ["\u001b[A", "\r"] },
  },
  config: "gemini",
};

/**
 * Markers and flags proved on opencode 1.18.33 alone, not yet through IdeA. How to know its session's id is not proved, so
 * it goes on from the handoff instead of resuming.
 */
const opencode = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000004",
  name: "opencode",
  command: "opencode",
  detect: ["opencode", "--version"],
  contextInjection: { strategy: "env", var: "OPENCODE_CONFIG_CONTENT", value: "path" },
  mcp: { config: { strategy: "env", var: "OPENCODE_CONFIG_CONTENT" }, transport: "http", timeoutMs: TOOL_TIMEOUT_MS },
  session: { resumeFlag: "--session", forkFlag: "--fork", idFrom: "transcript" },
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 300, interrupt: "\u001b\u001b" },
  ready: { screenPattern: "Ask anything…|ctrl\\+p commands" },
  busy: { screenPattern: "esc (?:again to )?interrupt" },
  attention: { screenPattern: "△ Permission required" },
  rateLimit: { pattern: "\\[retry(?:ing)?\\s+(in \\S+) attempt #\\d+\\]" },
  config: "opencode",
};

/** From aider's documentation, unproved: it is a Python program and has no MCP, so it works by the file protocol. */
const aider = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000005",
  name: "aider",
  command: "aider",
  args: ["--no-check-update"],
  detect: ["aider", "--version"],
  contextInjection: { strategy: "flag", flag: "--read", value: "path" },
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 100, interrupt: "\u0003" },
  // The blanks at the end of a row are no text of the screen.
  ready: { screenPattern: "^(?:[\\w-]+)?>$" },
  busy: { screenPattern: "Waiting for|Thinking" },
  config: "aider",
};

/** In the order they are proposed at the first run. */
export const referenceProfiles: readonly AgentProfile[] = [claude, codex, gemini, opencode, aider].map((data) => {
  const profile = ProfileSchema.parse(data);
  return { ...profile, id: createId("profile", profile.id) };
});
