/** The FolderBrowser of this machine's file system. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { BrowsedFolder, FolderBrowser } from "../../core/ports/folder_browser.ts";
import { err, ok } from "../../core/result.ts";
import { expandHome } from "../process/expand_home.ts";

/** A folder with more folders than this is not one to pick from by eye. */
const MAX_FOLDERS = 2_000;

export function createFolderBrowser(): FolderBrowser {
  return {
    async list(path) {
      const home = homedir();
      const wanted = resolve(home, expandHome(path ?? home));
      try {
        const real = await Deno.realPath(wanted);
        const folders = await readFolders(real);
        const parent = dirname(real);
        return ok({ path: real, ...(parent === real ? {} : { parent }), home, folders });
      } catch (error) {
        const isMissing = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
        return err({ kind: isMissing ? "folderNotFound" : "folderNotReadable", path: wanted });
      }
    },
  };
}

async function readFolders(parent: string): Promise<readonly BrowsedFolder[]> {
  const folders: BrowsedFolder[] = [];
  for await (const entry of Deno.readDir(parent)) {
    if (folders.length >= MAX_FOLDERS) break;
    const path = join(parent, entry.name);
    // Links are followed: a person's projects often lie behind one.
    const isFolder = entry.isDirectory || (entry.isSymlink && await isDirectory(path));
    if (!isFolder) continue;
    const isProject = await isDirectory(join(path, ".ideai"));
    folders.push({ name: entry.name, path, isProject, isHidden: entry.name.startsWith(".") });
  }
  return folders.sort((a, b) => Number(a.isHidden) - Number(b.isHidden) || a.name.localeCompare(b.name));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}
