/** What `.ideai/` consists of, and which of it git does not see. */

/** Held while the project is open; in a folder that git ignores. */
export const LOCK_PATH = "state/idea.lock";

/** Folders of live, derived or private data. */
export const IGNORED_FOLDERS = ["state", "requests", "run", "worktrees", "memory/.index"] as const;

/** Large, or an index of ours: nobody waits for their events. */
export const UNWATCHED_FOLDERS = ["worktrees", "memory/.index"] as const;

/** How programs talk to IdeA: heard by the part of the app that it is meant for; no change of the project for others. */
const TALK_FOLDERS = ["run", "requests"] as const;

export const GITIGNORE_PATH = ".gitignore";

export function formatGitignore(): string {
  const aside = ["*.corrupt-*", "*.torn-*", "*.idea-tmp-*"];
  return [...IGNORED_FOLDERS.map((folder) => `/${folder}/`), ...aside].map((line) => `${line}\n`).join("");
}

export function isIgnored(path: string): boolean {
  return isIn(IGNORED_FOLDERS, path);
}

/** Whether a change of this file is one of the project. */
export function isProjectContent(path: string): boolean {
  return !isIn(TALK_FOLDERS, path);
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The last name of a root, for a project that was given none; "project" for a root like "/". */
export function nameOfRoot(root: string): string {
  return root.split(/[/\\]/).findLast((name) => name !== "") ?? "project";
}
