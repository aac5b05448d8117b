/**
 * The page as files: bundles web/ui with esbuild into hashed, minified, code-split assets and an index.html that names
 * them. The server and the packaging script serve the result as it is.
 *
 * What must stay true: nothing inline (the CSP allows neither inline script nor event attributes), nothing remote, and
 * every file but index.html carries its content's hash in its name, so that it may be cached for ever.
 *
 * As a program, `deno run -A build_ui.ts [FOLDER]` writes the files below FOLDER/<hash of the sources> unless they are
 * there already, and prints that folder.
 */
import * as esbuild from "esbuild";
import { join, relative } from "node:path";
import { z } from "zod";
import { contentTypeOf } from "./web/api/content_types.ts";

export interface UiAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** By URL path without its leading slash: "index.html", "assets/main-1A2B3C4D.js". */
export type UiAssets = ReadonlyMap<string, UiAsset>;

export interface BundleUiOptions {
  /** The folder of deno.json. */
  readonly root: string;
  /** false keeps names and lines, and adds source maps, for work on the page. */
  readonly minify?: boolean;
}

const ENTRY = "web/ui/main.tsx";
const STYLES = "web/ui/styles/main.css";
const PAGE = "web/ui/index.html";
const ICON = "web/ui/favicon.svg";

export async function bundleUi(options: BundleUiOptions): Promise<UiAssets> {
  const { root, minify = true } = options;
  const packages = await linkPackages(root);
  try {
    const result = await esbuild.build({
      absWorkingDir: root,
      entryPoints: { main: ENTRY, style: STYLES },
      outdir: "assets",
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      assetNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "browser",
      target: ["es2022", "safari16.4"],
      minify,
      sourcemap: minify ? false : "linked",
      metafile: true,
      write: false,
      legalComments: "none",
      jsx: "automatic",
      jsxImportSource: "preact",
      nodePaths: [packages],
      // The packages are links into Deno's cache: their own imports must be looked up beside the link.
      preserveSymlinks: true,
      loader: { ".wasm": "file", ".woff2": "file", ".svg": "file" },
      logLevel: "silent",
    });
    return await withPage(root, result);
  } finally {
    await esbuild.stop();
    await Deno.remove(packages, { recursive: true });
  }
}

type Result = esbuild.BuildResult<{ metafile: true; write: false }>;

async function withPage(root: string, { outputFiles, metafile }: Result): Promise<UiAssets> {
  const assets = new Map<string, UiAsset>();
  for (const file of outputFiles) {
    assets.set(keyOf(relative(root, file.path)), {
      bytes: new Uint8Array(file.contents),
      contentType: contentTypeOf(file.path),
    });
  }
  const icon = await Deno.readFile(join(root, ICON));
  const iconKey = `assets/favicon-${(await sha256(icon)).slice(0, 8).toUpperCase()}.svg`;
  assets.set(iconKey, { bytes: icon, contentType: contentTypeOf(ICON) });

  const outputs = Object.entries(metafile.outputs);
  const script = outputs.find(([, output]) => output.entryPoint === ENTRY);
  const style = outputs.find(([, output]) => output.entryPoint === STYLES);
  if (script === undefined || style === undefined) throw new Error("the bundle has no entry script or style");
  const preloads = script[1].imports
    .filter((imported) => imported.kind === "import-statement")
    .map((imported) => `<link rel="modulepreload" href="/${keyOf(imported.path)}">`);
  const html = (await Deno.readTextFile(join(root, PAGE)))
    .replace("<!-- preloads -->", preloads.join("\n    "))
    .replace("favicon.svg", `/${iconKey}`)
    .replace("main.tsx", `/${keyOf(script[0])}`)
    .replace("styles/main.css", `/${keyOf(style[0])}`);
  assets.set("index.html", { bytes: new TextEncoder().encode(html), contentType: contentTypeOf(PAGE) });
  return assets;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function keyOf(path: string): string {
  return path.replaceAll("\\", "/");
}

/** What this file reads of `deno info --json`. */
const InfoSchema = z.object({
  roots: z.array(z.string()),
  redirects: z.record(z.string(), z.string()),
  modules: z.array(z.object({
    specifier: z.string(),
    npmPackage: z.string().optional(),
    /** `code` is absent of what is imported for its types. */
    dependencies: z.array(z.object({ code: z.object({ specifier: z.string().optional() }).optional() })).default([]),
  })),
  npmPackages: z.record(
    z.string(),
    z.object({ name: z.string(), version: z.string(), localPath: z.string(), dependencies: z.array(z.string()) }),
  ),
});

type Info = z.output<typeof InfoSchema>;
type Package = Info["npmPackages"][string];

/**
 * esbuild looks packages up in node_modules folders, and Deno keeps them in its cache: makes a folder of links to what
 * the page uses. The caller removes it.
 */
async function linkPackages(root: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "idea-ui-" });
  const versions = new Map<string, string>();
  for (const { name, version, localPath } of usedPackages(await readInfo(root))) {
    const known = versions.get(name);
    if (known !== undefined) throw new Error(`the page would hold ${name} twice: ${known} and ${version}`);
    versions.set(name, version);
    if (name.includes("/")) await Deno.mkdir(join(folder, name.slice(0, name.indexOf("/"))), { recursive: true });
    // A junction needs no privilege on Windows; the type is ignored elsewhere.
    await Deno.symlink(localPath, join(folder, name), { type: "junction" });
  }
  return folder;
}

/** Of all packages that Deno resolves for the page, those that are imported for more than their types. */
function usedPackages({ roots, modules, redirects, npmPackages }: Info): readonly Package[] {
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const seen = new Set<string>();
  const used = new Map<string, Package>();
  const addPackage = (id: string) => {
    const found = npmPackages[id];
    if (found === undefined || used.has(id)) return;
    used.set(id, found);
    found.dependencies.forEach(addPackage);
  };
  const visit = (specifier: string) => {
    const module = bySpecifier.get(redirects[specifier] ?? specifier);
    if (module === undefined || seen.has(module.specifier)) return;
    seen.add(module.specifier);
    if (module.npmPackage !== undefined) addPackage(module.npmPackage);
    for (const { code } of module.dependencies) if (code?.specifier !== undefined) visit(code.specifier);
  };
  roots.forEach(visit);
  return [...used.values()];
}

async function readInfo(root: string): Promise<Info> {
  const run = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ENTRY],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!run.success) throw new Error(`deno info failed: ${new TextDecoder().decode(run.stderr)}`);
  return InfoSchema.parse(JSON.parse(new TextDecoder().decode(run.stdout)));
}

/**
 * The bundle in a folder of its own below cacheFolder, made when the sources are not those of any kept one. Returns the
 * folder; older bundles are removed.
 */
export async function bundleUiInto(cacheFolder: string, options: BundleUiOptions): Promise<string> {
  const hash = await hashOfSources(options.root);
  const folder = join(cacheFolder, hash);
  if (await exists(join(folder, "index.html"))) return folder;
  const assets = await bundleUi(options);
  await Deno.mkdir(cacheFolder, { recursive: true });
  // Written beside and renamed, so that a half-written bundle is never taken for a whole one.
  const draft = await Deno.makeTempDir({ dir: cacheFolder, prefix: "draft-" });
  for (const [path, asset] of assets) {
    const target = join(draft, path);
    await Deno.mkdir(join(target, ".."), { recursive: true });
    await Deno.writeFile(target, asset.bytes);
  }
  try {
    await Deno.rename(draft, folder);
  } catch (error) {
    // Another start was faster with the same bundle.
    await Deno.remove(draft, { recursive: true });
    if (!await exists(join(folder, "index.html"))) throw error;
    return folder;
  }
  for await (const { name } of Deno.readDir(cacheFolder)) {
    // A draft is perhaps being written by another start.
    if (name !== hash && !name.startsWith("draft-")) await Deno.remove(join(cacheFolder, name), { recursive: true });
  }
  return folder;
}

/** The page may use anything of web and core, by the versions of the lock file, bundled by this file. */
async function hashOfSources(root: string): Promise<string> {
  const folders = await Promise.all(["web", "core"].map((folder) => filesBelow(join(root, folder))));
  const files = [...folders.flat(), ...["deno.json", "deno.lock", "build_ui.ts"].map((name) => join(root, name))]
    .sort();
  const hashes = await Promise.all(
    files.map(async (path) => `${relative(root, path)} ${await sha256(await Deno.readFile(path))}`),
  );
  return (await sha256(new TextEncoder().encode(hashes.join("\n")))).slice(0, 20);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) paths.push(...await filesBelow(path));
    else if (entry.isFile) paths.push(path);
  }
  return paths.sort();
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) {
  const root = import.meta.dirname ?? Deno.cwd();
  console.log(await bundleUiInto(Deno.args[0] ?? join(root, ".cache", "ui"), { root }));
}
