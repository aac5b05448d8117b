/** Files of npm packages, by npm itself: it knows the registry and checks the integrity of what it downloads. */
import { join } from "node:path";

export interface PackageFile {
  readonly name: string;
  readonly version: string;
  /** Inside the package. */
  readonly path: string;
}

/** Reads a file of a package at an exact version, kept in cacheFolder. */
export async function readPackageFile({ name, version, path }: PackageFile, cacheFolder: string): Promise<Uint8Array> {
  const folder = join(cacheFolder, `${name.replace("/", "+")}-${version}`);
  const file = join(folder, path);
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(cacheFolder, { recursive: true });
  // Unpacked beside and renamed, so that a half-unpacked package is never taken for a whole one.
  const draft = await Deno.makeTempDir({ dir: cacheFolder });
  try {
    await run(Deno.build.os === "windows" ? "npm.cmd" : "npm", [
      ...["pack", "--silent", "--pack-destination", draft, `${name}@${version}`],
    ]);
    const archive = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    await run("tar", ["-xzf", join(draft, archive), "-C", draft, "--strip-components=1"]);
    await Deno.remove(join(draft, archive));
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.rename(draft, folder);
  } finally {
    await Deno.remove(draft, { recursive: true }).catch(() => {});
  }
  return await Deno.readFile(file);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(program, { args: [...args], stdin: "null", stdout: "null" }).spawn().status;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
}
