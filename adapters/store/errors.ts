/** The one place where what the file system says becomes the port's union. */
import type { FolderError } from "../../core/ports/folder.ts";

export function toFolderError(path: string, cause: unknown): FolderError {
  const code = codeOf(cause);
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return { kind: "notPermitted", path };
    case "ENOSPC":
    case "EDQUOT":
      return { kind: "diskFull", path };
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "notFound", path };
    default:
      return { kind: "io", path, code, cause };
  }
}

export function isNotFound(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === "ENOENT" || code === "ENOTDIR";
}

export function codeOf(cause: unknown): string {
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  // Errors that Deno raises itself, before the system is asked, have a class and no code.
  if (cause instanceof Deno.errors.NotFound) return "ENOENT";
  if (cause instanceof Deno.errors.PermissionDenied || cause instanceof Deno.errors.NotCapable) return "EACCES";
  return cause instanceof Error ? cause.name : "unknown";
}
