/**
 * The real agent CLIs of the end-to-end tests, from npm at pinned versions, in a cache outside the repository:
 * IDEA_CLIS, else `idea-test-clis` in the user's cache folder. 800 MB for the two that CI needs, 450 MB for the others, so
 * tests that use them run with IDEA_E2E_CLIS=1 only.
 *
 *   deno run -A tests/e2e/clis.ts [claude codex gemini opencode]
 *
 * installs them now: those that are named, else all, of which Claude Code and Codex must be there in the end.
 */
import { join } from "node:path";
import { homedir } from "node:os";
import { z } from "zod";
import type { Need } from "../helpers/requires.ts";

export const CLIS = {
  claude: { package: "@anthropic-ai/claude-code", version: "2.1.332", finish: ["install.cjs"] },
  codex: { package: "@openai/codex", version: "0.171.0", finish: [] },
  gemini: { package: "@google/gemini-cli", version: "0.61.0", finish: [] },
  opencode: { package: "opencode-ai", version: "1.18.33", finish: ["postinstall.mjs"] },
} as const;

export type CliName = keyof typeof CLIS;

/** The CLIs that CI must have. */
export const NEEDED: readonly CliName[] = ["claude", "codex"];

const PackageSchema = z.object({ version: z.string() });

function cacheFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");
  return Deno.env.get("IDEA_CLIS") || join(cache, "idea-test-clis");
}

/** The others are tried wherever they are, which may be nowhere. */
const OPTIONAL: readonly CliName[] = ["gemini", "opencode"];

/** A CLI as a need of a test: its program, when the tests with real CLIs are asked for and it is installed. */
export function cli(name: CliName): Need {
  if (Deno.env.get("IDEA_E2E_CLIS") !== "1") return { met: false, reason: "needs IDEA_E2E_CLIS=1" };
  const path = programOf(name);
  return isInstalled(name)
    ? { met: true, path }
    : { met: false, reason: `needs deno run -A tests/e2e/clis.ts ${name}` };
}

/**
 * For a CLI that is not NEEDED: where it is missing the test is skipped with the reason, in CI too, since it may be that
 * it cannot be installed there. What must be there besides goes through requires().
 */
export function optional(need: Need): { readonly ignore: boolean } {
  if (!need.met) console.log(`skipped: ${need.reason}`);
  return { ignore: !need.met };
}

function programOf(name: CliName): string {
  return join(cacheFolder(), name, "node_modules/.bin", name);
}

function isInstalled(name: CliName): boolean {
  try {
    const manifest = join(cacheFolder(), name, "node_modules", CLIS[name].package, "package.json");
    const { version } = PackageSchema.parse(JSON.parse(Deno.readTextFileSync(manifest)));
    return version === CLIS[name].version && Deno.statSync(programOf(name)).isFile;
  } catch {
    return false;
  }
}

/** Installs the CLIs that are missing or of another version; throws when one does not run afterwards. */
export async function installClis(names: readonly CliName[]): Promise<void> {
  for (const name of names) {
    if (isInstalled(name) && await isRunning(name)) continue;
    const folder = join(cacheFolder(), name);
    console.log(`installing ${CLIS[name].package}@${CLIS[name].version} into ${folder}`);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "package.json"), '{"private":true}\n');
    const wanted = `${CLIS[name].package}@${CLIS[name].version}`;
    await run("npm", { args: ["install", "--no-audit", "--no-fund", "--loglevel=error", wanted], cwd: folder });
    // Two packages ship a stub that their install script replaces by the program; some npm settings run no scripts.
    for (const script of CLIS[name].finish) {
      if (await isRunning(name)) break;
      await run("node", { args: [script], cwd: join(folder, "node_modules", CLIS[name].package) });
    }
    if (!await isRunning(name)) throw new Error(`${programOf(name)} --version does not answer ${CLIS[name].version}`);
  }
}

async function isRunning(name: CliName): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command(programOf(name), { args: ["--version"], stderr: "null" }).output();
    return new TextDecoder().decode(stdout).includes(CLIS[name].version);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function run(
  program: string,
  { args, cwd }: { readonly args: readonly string[]; readonly cwd: string },
): Promise<void> {
  const { code } = await new Deno.Command(program, { args: [...args], cwd, stdin: "null" }).spawn().status;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} in ${cwd} ended with ${code}`);
}

function isCliName(name: string): name is CliName {
  return name in CLIS;
}

/** Those that CI can do without. */
async function tryToInstall(names: readonly CliName[]): Promise<void> {
  for (const name of names) {
    try {
      await installClis([name]);
    } catch (error) {
      console.log(`${name} is not installed: ${error instanceof Error ? error.message : error}`);
    }
  }
}

if (import.meta.main) {
  const named = Deno.args.filter(isCliName);
  await installClis(named.length > 0 ? named : NEEDED);
  if (named.length === 0) await tryToInstall(OPTIONAL);
}
