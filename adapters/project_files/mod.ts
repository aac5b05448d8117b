/** The ProjectFiles of this machine's file system. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ProjectFileError, ProjectFiles } from "../../core/ports/project_files.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { expandHome } from "../process/expand_home.ts";

/** More than a person reads, and than a page should have to draw. */
const LIMIT_BYTES = 2 * 1024 * 1024;

export function createProjectFiles(): ProjectFiles {
  return {
    async read({ path, bases, within }) {
      const found = await find(path, bases);
      const root = await ifThere(Deno.realPath(within));
      if (found === undefined || root === undefined) return err({ kind: "fileNotFound", path });
      const inside = relative(root, found);
      if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
        return err({ kind: "fileOutsideProject", path });
      }
      const text = await readText(found, path);
      return text.ok ? ok({ path: inside.replaceAll(sep, "/"), text: text.value }) : text;
    },
  };
}

/** Its path without symbolic links. */
async function find(path: string, bases: readonly string[]): Promise<string | undefined> {
  const wanted = expandHome(path);
  for (const base of bases) {
    const real = await ifThere(Deno.realPath(resolve(base, wanted)));
    if (real !== undefined && (await ifThere(Deno.lstat(real)))?.isFile) return real;
  }
  return undefined;
}

/** What is not there, and what may not be seen, is the same to a reader. */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch {
    return undefined;
  }
}

async function readText(file: string, path: string): Promise<Result<string, ProjectFileError>> {
  try {
    using opened = await Deno.open(file);
    const { size, isFile } = await opened.stat();
    if (!isFile) return err({ kind: "fileNotFound", path });
    if (size > LIMIT_BYTES) return err({ kind: "fileTooLarge", path, sizeBytes: size, limitBytes: LIMIT_BYTES });
    const bytes = new Uint8Array(size);
    let length = 0;
    for (let count = await opened.read(bytes); count !== null && count > 0;) {
      length += count;
      count = await opened.read(bytes.subarray(length));
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
    return text.includes("\0") ? err({ kind: "fileNotText", path }) : ok(text);
  } catch (error) {
    return err({ kind: error instanceof TypeError ? "fileNotText" : "fileNotReadable", path });
  }
}
