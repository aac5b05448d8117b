/**
 * Paths of a folder's files: relative, "/" between names, and never out of the folder, also not through a symbolic
 * link. Names that only one system can hold (control characters, backslashes, drive letters) are refused everywhere,
 * so that a project can be moved.
 */
import { basename, dirname, join, sep as SEPARATOR } from "node:path";
import type { FolderError } from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isNotFound, toFolderError } from "./errors.ts";

// deno-lint-ignore no-control-regex -- refusing them is the purpose
const UNUSABLE = /[\u0000-\u001f\u007f\\:]/;

/** The names of a relative path ("" is the folder itself), or undefined when it is none of ours. */
export function splitPath(path: string): readonly string[] | undefined {
  if (path === "") return [];
  const names = path.split("/");
  const usable = names.every((name) => name !== "" && name !== "." && name !== ".." && !UNUSABLE.test(name));
  return usable ? names : undefined;
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(SEPARATOR) ? root : root + SEPARATOR);
}

/** Where the file really is (links followed), or would be made; refused when that is not inside root. */
export async function locate(root: string, path: string): Promise<Result<string, FolderError>> {
  const names = splitPath(path);
  if (names === undefined) return err({ kind: "outsideFolder", path });
  try {
    const real = await realPathOfMissing(join(root, ...names));
    return real !== undefined && isInside(root, real) ? ok(real) : err({ kind: "outsideFolder", path });
  } catch (cause) {
    return err(toFolderError(path, cause));
  }
}

/** Where the entry itself is: the last name is not followed when it is a link. */
export async function locateEntry(root: string, path: string): Promise<Result<string, FolderError>> {
  const names = splitPath(path);
  const name = names?.at(-1);
  if (names === undefined || name === undefined) return err({ kind: "outsideFolder", path });
  const parent = await locate(root, names.slice(0, -1).join("/"));
  return parent.ok ? ok(join(parent.value, name)) : err({ ...parent.error, path });
}

/** undefined: a link that leads nowhere is in the way, and following it could lead anywhere. */
async function realPathOfMissing(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  if (await isLink(path)) return undefined;
  const parent = dirname(path);
  const realParent = parent === path ? path : await realPathOfMissing(parent);
  return realParent === undefined ? undefined : join(realParent, basename(path));
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
