/**
 * What a test needs of the machine besides deno, npm and git. A test whose need is missing is skipped with the reason
 * written out; in CI (`CI=true`) a missing need is a failure, so nothing is ever skipped there by accident.
 *
 *   Deno.test({ name: "...", ...requires(chromium()), fn() { ... } });
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export type Need = { readonly met: true; readonly path: string } | { readonly met: false; readonly reason: string };

export function requires(...needs: readonly Need[]): { readonly ignore: boolean } {
  const missing = needs.flatMap((need) => need.met ? [] : [need.reason]);
  if (missing.length === 0) return { ignore: false };
  if (Deno.env.get("CI") === "true") throw new Error(missing.join("; "));
  console.log(`skipped: ${missing.join("; ")}`);
  return { ignore: true };
}

/** A file or folder of the project's shared data, which lies beside the repository: fixtures, data sets. */
export function shared(path: string): Need {
  const found = join(resolve(fileURLToPath(import.meta.url), "../../../../shared"), path);
  return exists(found) ? { met: true, path: found } : { met: false, reason: `needs ../shared/${path}` };
}

const CHROMIUM_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** A Chromium-like browser for playwright-core: IDEA_CHROMIUM, else one that is installed. */
export function chromium(): Need {
  const path = [Deno.env.get("IDEA_CHROMIUM") ?? "", ...CHROMIUM_PATHS].find((candidate) => exists(candidate));
  if (path !== undefined) return { met: true, path };
  return { met: false, reason: "needs Chromium (apt-get install chromium, or IDEA_CHROMIUM=/path/to/it)" };
}

/** A program of the machine, by name. */
export function program(name: string): Need {
  const path = (Deno.env.get("PATH") ?? "").split(":").map((folder) => join(folder, name)).find(exists);
  return path === undefined ? { met: false, reason: `needs ${name} in PATH` } : { met: true, path };
}

/** The path of a need whose test is running, so it is met. */
export function pathOf(need: Need): string {
  if (!need.met) throw new Error(need.reason);
  return need.path;
}

function exists(path: string): boolean {
  try {
    return path !== "" && Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}
