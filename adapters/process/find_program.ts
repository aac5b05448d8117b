/** Where a program is, as a shell would find it. */
import { delimiter, isAbsolute, join } from "node:path";

/** Absolute path of a program by name in path (the variable PATH), or of itself when it is a path already. */
export function findProgram(program: string, path: string): string | undefined {
  const names = Deno.build.os === "windows" ? [program, `${program}.exe`, `${program}.cmd`] : [program];
  const folders = isAbsolute(program) ? [""] : path.split(delimiter).filter((folder) => folder !== "");
  for (const folder of folders) {
    const found = names.map((name) => folder === "" ? name : join(folder, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
