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

/** Proved on Gemini CLI 0.61.0, with a key; there it waits in silence for a limit that names its end. */
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

/** Proved on opencode 1.18.33. Its plugin (adapters/profiles/opencode_plugin.ts) tells everything but the prompt. */
const opencode = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000004",
  name: "opencode",
  command: "opencode",
  detect: ["opencode", "--version"],
  contextInjection: { strategy: "env", var: "OPENCODE_CONFIG_CONTENT", value: "path" },
  mcp: {
    config: { strategy: "env", var: "OPENCODE_CONFIG_CONTENT" },
    transport: "http",
    timeoutMs: TOOL_TIMEOUT_MS,
    waitForToolsList: true,
  },
  session: { resumeFlag: "--session", forkFlag: "--fork", idFrom: "hook" },
  // Esc twice, as the keyboard protocol that it asks for writes it: a bare one it takes for the begin of something.
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 300, interrupt: "\u001b[27u\u001b[27u" },
  ready: { screenPattern: "Ask anything…|ctrl\\+p commands" },
  busy: { screenPattern: "esc (?:again to )?interrupt" },
  turnEnd: { hook: "session.idle" },
  attention: { screenPattern: "△ Permission required|enter submit +esc dismiss" },
  // It tries again by itself, in seconds after an error, and at the reset after a limit: only the long waits are limits.
  rateLimit: { pattern: "\\[retrying (in (?:\\d+[dhm] ?)+)" },
  transcript: "opencode",
  config: "opencode",
};

/**
 * Unproved: from aider's documentation, never run. It is a Python program and has no MCP, so it works by the file
 * protocol, as far as its person lets it write there; it does not resume, but goes on from the handoff.
 */
const aider = {
  id: "c0de0001-0c1d-4a6e-9b1f-1dea00000005",
  name: "aider",
  command: "aider",
  args: [
    // Each would ask its person something at the start.
    "--no-check-update",
    "--no-show-release-notes",
    // By themselves these lie in the project's root, shared by all that run there.
    "--chat-history-file",
    "{runDir}/aider.chat.history.md",
    "--input-history-file",
    "{runDir}/aider.input.history",
  ],
  detect: ["aider", "--version"],
  contextInjection: { strategy: "flag", flag: "--read", value: "path" },
  input: { submit: "\r", paste: "bracketed", submitDelayMs: 100, interrupt: "\u0003" },
  // The prompt with nothing in it, in the last row that has something: older ones stay above. A mode stands before it.
  ready: { screenPattern: "^(?:[\\w-]+ )?[\\w-]*>\\s*(?![\\s\\S])" },
  busy: { screenPattern: "Waiting for " },
  attention: { screenPattern: "\\(Y\\)es/\\(N\\)o[^\\n]*: *\\s*(?![\\s\\S])" },
  config: "aider",
};

/** In the order they are proposed at the first run. */
export const referenceProfiles: readonly AgentProfile[] = [claude, codex, gemini, opencode, aider].map((data) => {
  const profile = ProfileSchema.parse(data);
  return { ...profile, id: createId("profile", profile.id) };
});
