/**
 * Makes one executable that holds the server, the page and the runtime:
 *
 *   deno task build [--mode auto|compile|sfx|desktop] [--target linux-x64] [--out dist]
 *
 * compile  `deno compile`: downloads Deno's runtime from its own host, or takes DENORT_BIN
 * sfx      a self-extracting file, from npm alone: what CI builds and tests
 * desktop  `deno desktop`: a window of its own; downloads as compile does
 * auto     compile, and sfx where its download does not work (the default)
 */
import { dirname, join } from "node:path";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { VERSION } from "./core/version.ts";
import { buildApp, filesBelow } from "./packaging/app_bundle.ts";
import { readPackageFile } from "./packaging/npm_package.ts";
import { permissionFlags } from "./packaging/permission_flags.ts";
import { createShellExecutable, createWindowsExecutable, pack, type Packed } from "./packaging/self_extracting.ts";
import type { TarEntry } from "./packaging/tar.ts";
import { denoName, hostTarget, type Target, TARGETS } from "./packaging/target.ts";

const ROOT = import.meta.dirname ?? Deno.cwd();
const NAME = "idea";
/** Nothing is fetched when the executable starts: all it needs is in it. */
const OFFLINE_FLAGS = ["--quiet", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--cached-only"];
const CAXA = { name: "caxa", version: "3.0.1", path: "stubs/stub--win32--x64" };

interface Build {
  readonly target: Target;
  /** The folder of buildApp. */
  readonly app: string;
  readonly out: string;
}

function cacheFolder(): string {
  return join(Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache"), "idea-build");
}

async function permissions(): Promise<readonly string[]> {
  return permissionFlags(await Deno.readTextFile(join(ROOT, "deno.json")));
}

async function buildSelfExtracting({ target, app, out }: Build): Promise<void> {
  const flags = [...OFFLINE_FLAGS, ...await permissions()];
  const entries = [...await filesBelow(app)].map(([name, bytes]): TarEntry => ({ name, bytes, mode: 0o644 }));
  const executable = target.os === "windows"
    ? createWindowsExecutable({
      ...{ name: NAME, target, flags, app: entries },
      stub: await readPackageFile(CAXA, cacheFolder()),
      runtime: { name: denoName(target), bytes: await readRuntime(target), mode: 0o755 },
    })
    : createShellExecutable({
      ...{ name: NAME, version: VERSION, target, flags },
      template: await Deno.readTextFile(join(ROOT, "packaging/header.sh")),
      runtime: await packRuntime(target),
      app: pack(entries),
    });
  await Deno.writeFile(out, executable, { mode: 0o755 });
  await Deno.chmod(out, 0o755).catch(() => {});
}

function readRuntime(target: Target): Promise<Uint8Array> {
  const version = Deno.version.deno;
  return readPackageFile({ name: target.runtime, version, path: denoName(target) }, cacheFolder());
}

/** Packing takes ten seconds and gives the same for the same Deno, so it is kept. */
async function packRuntime(target: Target): Promise<Packed> {
  const name = `${target.os}-${target.arch}-${Deno.version.deno}`;
  const kept = join(cacheFolder(), `${name}.tar.gz`);
  try {
    return { hash: name, gzipped: await Deno.readFile(kept) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const { gzipped } = pack([{ name: denoName(target), bytes: await readRuntime(target), mode: 0o755 }]);
  const draft = await Deno.makeTempFile({ dir: cacheFolder() });
  await Deno.writeFile(draft, gzipped);
  await Deno.rename(draft, kept);
  return { hash: name, gzipped };
}

/** `deno compile` or `deno desktop`, with the bundled pieces and the page inside. Returns whether it worked. */
async function buildByDeno(command: "compile" | "desktop", { target, app, out }: Build): Promise<boolean> {
  const included = [...(await filesBelow(app)).keys()].filter((name) => name !== "main.js");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...[command, "--no-check", "--no-config", "--no-lock", ...await permissions()],
      ...included.map((name) => `--include=${join(app, name)}`),
      ...[`--target=${target.triple}`, `--output=${out}`, join(app, "main.js")],
    ],
    stdin: "null",
  }).spawn().status;
  return success;
}

function parseOptions() {
  const { values } = parseArgs({
    options: {
      mode: { type: "string", default: "auto" },
      target: { type: "string", default: hostTarget() },
      out: { type: "string", default: join(ROOT, "dist") },
    },
  });
  const target = TARGETS[values.target];
  const { mode } = values;
  if (target === undefined) throw new Error(`--target is one of ${Object.keys(TARGETS).join(", ")}`);
  if (mode !== "auto" && mode !== "compile" && mode !== "sfx" && mode !== "desktop") {
    throw new Error("--mode is one of auto, compile, sfx, desktop");
  }
  return { mode, target, out: join(values.out, `${NAME}-${values.target}${target.os === "windows" ? ".exe" : ""}`) };
}

async function build(): Promise<void> {
  const { mode, target, out } = parseOptions();
  await Deno.mkdir(dirname(out), { recursive: true });
  const app = await Deno.makeTempDir({ prefix: "idea-app-" });
  try {
    await buildApp(ROOT, app);
    const plan = { target, app, out };
    if (mode === "compile" || mode === "desktop") {
      if (!await buildByDeno(mode, plan)) throw new Error(`deno ${mode} failed; --mode sfx needs npm only`);
    } else if (mode === "sfx" || !await buildByDeno("compile", plan)) await buildSelfExtracting(plan);
    const megabytes = (await Deno.stat(out)).size / 1e6;
    console.log(`${out} (${megabytes.toFixed(1)} MB)`);
  } finally {
    await Deno.remove(app, { recursive: true });
  }
}

await build();
