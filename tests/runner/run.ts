/**
 * Runs the guards and the tests in order and says, in the last line, how it went:
 *
 *   deno run -A tests/runner/run.ts ok      format, lint, types, then every fast test
 *   deno run -A tests/runner/run.ts all     the same, then the end-to-end tests, one file after the other
 *
 * A guard counts as one test. Whatever happens, the last line is `N passed, N failed, N skipped`, and the exit code is
 * 0 only when nothing failed. Every step has a time limit, so the run ends.
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../helpers/requires.ts";
import { countJunit, type Counts, formatCounts, NOTHING, slowTests, sum } from "./counts.ts";
import { installChromium } from "./install_chromium.ts";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");
const MINUTE_MS = 60_000;
/** `deno lint` with a plugin crashes by itself once in a hundred runs (seen here, and reported of Deno 2.9). */
const MAX_CRASHES = 3;

const SLOW = { seconds: 5, count: 10 };

// -A: tests start servers, browsers and shells. Sanitizers are off by default in Deno 2.9. Types have been checked.
const TEST = ["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"];
/** Folders of tests/ that are no fast tests. */
const APART = ["e2e", "bench", "fixtures"];

const GUARDS: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  { name: "types", args: ["check"] },
];

/** Runs deno with args; kills it with everything it started when the time is over. */
async function deno(args: readonly string[], timeoutMs: number): Promise<Deno.CommandStatus> {
  // A session of its own, so that one signal reaches it and what it started.
  const child = new Deno.Command(Deno.execPath(), { args: [...args], cwd: ROOT, detached: true }).spawn();
  const killAll = () => {
    try {
      Deno.kill(Deno.build.os === "windows" ? child.pid : -child.pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  const stop = () => {
    killAll();
    Deno.exit(130);
  };
  Deno.addSignalListener("SIGINT", stop);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  const timer = setTimeout(() => {
    console.error(`over its time limit of ${timeoutMs / 1000} s: deno ${args.join(" ")}`);
    killAll();
  }, timeoutMs);
  try {
    return await child.status;
  } finally {
    clearTimeout(timer);
    Deno.removeSignalListener("SIGINT", stop);
    if (Deno.build.os !== "windows") Deno.removeSignalListener("SIGTERM", stop);
  }
}

async function guard(name: string, args: readonly string[]): Promise<Counts> {
  console.log(`\n== ${name}`);
  let status = await deno(args, 5 * MINUTE_MS);
  for (let tries = 1; status.signal === "SIGSEGV" && tries < MAX_CRASHES; tries++) {
    console.error(`deno ${args.join(" ")} crashed; once more`);
    status = await deno(args, 5 * MINUTE_MS);
  }
  return status.success ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/** Runs `deno test` and counts what it reports; a run that ends badly without a failed test counts as one failure. */
async function tests(args: readonly string[], timeoutMs: number): Promise<Counts> {
  console.log(`\n== test ${args.join(" ")}`);
  const report = await Deno.makeTempFile({ suffix: ".xml" });
  try {
    const { success } = await deno([...TEST, `--junit-path=${report}`, ...args], timeoutMs);
    const xml = await Deno.readTextFile(report);
    const counts = countJunit(xml);
    for (const { name, seconds } of slowTests(xml, SLOW)) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
    return success || counts.failed > 0 ? counts : sum(counts, { ...NOTHING, failed: 1 });
  } finally {
    await Deno.remove(report);
  }
}

/** Paths below the repository of what is in tests/folder, sorted. */
async function entriesOf(folder: string, fits: (entry: Deno.DirEntry) => boolean): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(join(ROOT, folder))) if (fits(entry)) paths.push(`${folder}/${entry.name}`);
  return paths.toSorted();
}

async function runAll(endToEnd: boolean): Promise<Counts> {
  let counts = NOTHING;
  for (const { name, args } of GUARDS) counts = sum(counts, await guard(name, args));
  // A run for each folder: when one hangs, it is known which, and the others are counted.
  for (const folder of await entriesOf("tests", (entry) => entry.isDirectory && !APART.includes(entry.name))) {
    counts = sum(counts, await tests(["--parallel", "--permit-no-files", folder], 5 * MINUTE_MS));
  }
  if (!endToEnd) return counts;
  if (!chromium().met) await installChromium();
  if (Deno.env.get("IDEA_E2E_CLIS") === "1") {
    // Not a test: when it fails, the tests that need the CLIs say so.
    await deno(["run", "-A", "tests/e2e/clis.ts"], 10 * MINUTE_MS);
  }
  for (const file of await entriesOf("tests/e2e", ({ name }) => name.endsWith(".test.ts"))) {
    counts = sum(counts, await tests([file], 6 * MINUTE_MS));
  }
  return counts;
}

const [mode] = Deno.args;
if (mode !== "ok" && mode !== "all") {
  console.error("usage: deno run -A tests/runner/run.ts ok|all");
  Deno.exit(2);
}
const counts = await runAll(mode === "all");
console.log(`\n${formatCounts(counts)}`);
Deno.exitCode = counts.failed === 0 ? 0 : 1;
