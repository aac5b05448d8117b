/** What is checked before a process is made, so that a wrong name is a typed error and not a shell's complaint. */
import { err, ok, type Result } from "../../../core/result.ts";
import type { PtySpawnError } from "../../../core/ports/pty.ts";
import { programCandidates } from "../../process/search_path.ts";
import { cString } from "./c_strings.ts";
import type { Libc } from "./libc.ts";

const EXISTS = 0;
const EXECUTABLE = 1;

export type Access = (path: string, mode: "exists" | "executable") => boolean;

export function createAccess(libc: Libc): Access {
  return (path, mode) => libc.symbols.access(cString(path), mode === "exists" ? EXISTS : EXECUTABLE) === 0;
}

/** A folder that can be entered. */
export function isFolder(access: Access, path: string): boolean {
  return access(`${path}/.`, "executable");
}

/** The absolute path of the program, as seen from folder: a path is taken as it is, a name is looked up in searchPath. */
export function findProgram(
  access: Access,
  { program, folder, searchPath }: {
    readonly program: string;
    readonly folder: string;
    readonly searchPath: string | undefined;
  },
): Result<string, PtySpawnError> {
  const candidates = programCandidates({ program, folder, searchPath, platform: "unix" });
  const present = candidates.filter((path) => access(path, "exists"));
  const found = present.find((path) => access(path, "executable") && !isFolder(access, path));
  if (found !== undefined) return ok(found);
  return err({ kind: present.length > 0 ? "programNotExecutable" : "programNotFound", program });
}
