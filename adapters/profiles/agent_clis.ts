/** Picks the adapter that a profile names. */
import type { AgentClis } from "../../core/ports/agent_cli.ts";
import { createClaudeCli } from "./claude.ts";
import { createCodexCli } from "./codex.ts";
import { createGeminiCli } from "./gemini.ts";
import { createGenericCli } from "./generic.ts";
import { createOpencodeCli } from "./opencode.ts";

export function createAgentClis(): AgentClis {
  const generic = createGenericCli();
  const special = {
    claude: createClaudeCli(),
    codex: createCodexCli(),
    gemini: createGeminiCli(),
    opencode: createOpencodeCli(),
    aider: generic,
    generic,
  };
  return { for: (profile) => profile.config === undefined ? generic : special[profile.config] };
}
