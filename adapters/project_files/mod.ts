/** The ProjectFiles of this machine's file system. */
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ProjectFileError, ProjectFiles } from "../../core/ports/project_files.ts";
import { err, ok, type Result } from "../../core/result.ts";

/** More than a person reads, and than a page should have to draw. */
const LIMIT_BYTES = 2 * 1024 * 1024;

export function createProjectFiles(): ProjectFiles {
  return {
    async read({ path, bases, within }) {
      const found = await find(path, bases);
      if (found === undefined) return err({ kind: "fileNotFound", path });
      const root = await Deno.realPath(within);
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
  const wanted = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
  for (const base of bases) {
    try {
      const real = await Deno.realPath(resolve(base, wanted));
      if ((await Deno.stat(real)).isFile) return real;
    } catch {
      // Not there, or not to be seen: it is looked for in the next.
    }
  }
  return undefined;
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
