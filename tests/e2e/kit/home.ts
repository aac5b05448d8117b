/**
 * The home of a person who has used a CLI before: logged in (to the scripted model), through with its first questions,
 * trusting the folder. Nothing of IdeA is in it: MCP servers, hooks and flags are what profiles are for.
 */
import { dirname, join } from "node:path";
import { type CliName, CLIS } from "../clis.ts";

export interface HomeOptions {
  readonly home: string;
  /** The project folder that the person has already trusted. */
  readonly cwd: string;
  /** The scripted model. */
  readonly url: string;
}

// Claude Code remembers the last 20 characters of a key that the person approved.
const KEY = "sk-ant-dummy-000000000000000000000000";

/**
 * Writes what the CLI expects to find, and the environment into the login profile of the shell, where a person has it.
 * Several CLIs may share one home. Returns that environment.
 */
export async function prepareHome(cli: CliName, options: HomeOptions): Promise<Readonly<Record<string, string>>> {
  const env = await writeHome[cli](options);
  const exports = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`).join("");
  for (const profile of [".profile", ".zprofile"]) {
    await Deno.writeTextFile(join(options.home, profile), exports, { append: true });
  }
  return env;
}

const writeHome: Readonly<Record<CliName, (options: HomeOptions) => Promise<Readonly<Record<string, string>>>>> = {
  async claude({ home, cwd, url }) {
    await write(join(home, ".claude.json"), {
      hasCompletedOnboarding: true,
      theme: "dark",
      hasSeenAutoDefaultNotice: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    });
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
  },

  async codex({ home, cwd, url }) {
    // The last entry: else a dialog about a newer model eats the first Enter.
    await write(
      join(home, ".codex/config.toml"),
      `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false

[model_providers.fake]
name = "fake"
base_url = ${JSON.stringify(`${url}/v1`)}
env_key = "FAKE_API_KEY"
wire_api = "responses"

[projects.${JSON.stringify(cwd)}]
trust_level = "trusted"

[notice]
hide_rate_limit_model_nudge = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
`,
    );
    return { FAKE_API_KEY: "dummy" };
  },

  async gemini({ home, cwd, url }) {
    await write(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
    });
    await write(join(home, ".gemini/trustedFolders.json"), { [cwd]: "TRUST_FOLDER" });
    return { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  },

  async opencode({ home, url }) {
    const options = { baseURL: `${url}/v1`, apiKey: "dummy" };
    const models = { "gpt-fake": { name: "Fake", limit: { context: 200_000, output: 8_000 } } };
    await write(join(home, ".config/opencode/opencode.json"), {
      autoupdate: false,
      share: "disabled",
      model: "fake/gpt-fake",
      small_model: "fake/gpt-fake",
      provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "Fake", options, models } },
    });
    // What it installs at its first start, when there is a plugin: it is written as done, and no plugin here needs it.
    const dependencies = { "@opencode-ai/plugin": CLIS.opencode.version };
    await write(join(home, ".config/opencode/package.json"), { dependencies });
    await write(join(home, ".config/opencode/package-lock.json"), { packages: { "": { dependencies } } });
    await Deno.mkdir(join(home, ".config/opencode/node_modules"), { recursive: true });
    return {
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    };
  },
};

async function write(path: string, content: string | object): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}
