/** Where a program is, as a shell would find it. */
import { isAbsolutePath, type PathPlatform, programCandidates } from "./search_path.ts";

const PLATFORM: PathPlatform = Deno.build.os === "windows" ? "windows" : "unix";

/**
 * Absolute path of a program by name in searchPath (the variable PATH), or of itself when it is an absolute path
 * already. Entries and programs that are relative are passed over: they would mean another file in each folder.
 */
export function findProgram(program: string, searchPath: string | undefined): string | undefined {
  if (/[\\/]/.test(program) && !isAbsolutePath(program, PLATFORM)) return undefined;
  return programCandidates({ program, searchPath, folder: ".", platform: PLATFORM })
    .find((path) => isAbsolutePath(path, PLATFORM) && isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || PLATFORM === "windows" || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
