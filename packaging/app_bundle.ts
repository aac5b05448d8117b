/**
 * The app as files: main.js with everything it imports, pieces that are loaded when needed, and the page under ui/.
 * All of it is made from source by `deno bundle` and build_ui.ts; nothing is read from node_modules afterwards.
 */
import { join, relative } from "node:path";
import { z } from "zod";
import { bundleUi } from "../build_ui.ts";

/** Builds into folder, which must be empty or missing. */
export async function buildApp(root: string, folder: string): Promise<void> {
  await bundleMain(root, folder);
  for (const [path, { bytes }] of await bundleUi({ root })) {
    const file = join(folder, "ui", path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeFile(file, bytes);
  }
}

/** Packages whose package.json names an ES module that is not in them: the file to take instead. */
const ENTRY_FILES: Readonly<Record<string, string>> = { "@xterm/headless": "lib-headless/xterm-headless.js" };

/** Bundles the program into main.js and pieces. build_ui.ts stays outside: an executable has its page already. */
async function bundleMain(root: string, folder: string): Promise<void> {
  const config = await Deno.makeTempDir({ prefix: "idea-bundle-" });
  try {
    await Deno.writeTextFile(join(config, "deno.json"), bundleConfig(await Deno.readTextFile(join(root, "deno.json"))));
    await Deno.copyFile(join(root, "deno.lock"), join(config, "deno.lock"));
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "--quiet", `--config=${join(config, "deno.json")}`, "--platform=deno", "--format=esm"],
        ...["--minify", "--keep-names", "--code-splitting", "--external=*/build_ui.ts"],
        ...[`--outdir=${folder}`, join(root, "main.ts")],
      ],
      stdin: "null",
    }).spawn().status;
    if (code !== 0) throw new Error(`deno bundle ended with ${code}`);
  } finally {
    await Deno.remove(config, { recursive: true });
  }
}

const ImportsSchema = z.object({ imports: z.record(z.string(), z.string()) });

function bundleConfig(denoJson: string): string {
  const { imports } = ImportsSchema.parse(JSON.parse(denoJson));
  const entries = Object.entries(imports).map(([name, specifier]) => {
    const file = ENTRY_FILES[name];
    return [name, file === undefined ? specifier : `${specifier}/${file}`];
  });
  return JSON.stringify({ nodeModulesDir: "none", imports: Object.fromEntries(entries) });
}

/** Every file below a folder, by path relative to it with "/". */
export async function filesBelow(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const visit = async (current: string) => {
    for await (const entry of Deno.readDir(current)) {
      const path = join(current, entry.name);
      if (entry.isDirectory) await visit(path);
      else files.set(relative(folder, path).replaceAll("\\", "/"), await Deno.readFile(path));
    }
  };
  await visit(folder);
  return files;
}
