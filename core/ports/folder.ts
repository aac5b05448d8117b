/**
 * The files of one folder that IdeA owns (a project's `.ideai/`, or the data folder), by path relative to it with "/".
 * Writes are atomic and durable before they are acknowledged. Paths that leave the folder, also through a symbolic
 * link, are refused. One process at a time: open() takes the folder's lock.
 */
import type { Result } from "../result.ts";

export interface FolderLockedError {
  readonly kind: "locked";
  readonly path: string;
  readonly pid: number;
}

export type FolderError =
  | { readonly kind: "outsideFolder"; readonly path: string }
  | { readonly kind: "notFound"; readonly path: string }
  | { readonly kind: "notPermitted"; readonly path: string }
  | { readonly kind: "diskFull"; readonly path: string }
  /** The file is not what the caller last read: somebody edited it. Nothing was written. */
  | { readonly kind: "changedOutside"; readonly path: string; readonly actualHash: string | undefined }
  | { readonly kind: "notText"; readonly path: string }
  | { readonly kind: "tooLarge"; readonly path: string; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly kind: "io"; readonly path: string; readonly code: string; readonly cause: unknown };

export interface TextFile {
  readonly text: string;
  /** Hash of the content: compare before writing. */
  readonly hash: string;
}

export interface ReadOptions {
  /** A longer file, or what is no file, is refused before it is read: for what others put there. */
  readonly maxBytes?: number;
}

export interface WriteOptions {
  /** Hash the caller last read, null for "must not exist"; left out: written whatever is there. */
  readonly expectedHash?: string | null;
  /** Only the owner may read it (0600). */
  readonly secret?: boolean;
}

export interface AppendOptions {
  /**
   * false: written, and not fsynced. It survives the end of this process however that comes, and is on the disk with the
   * next lasting line of its file; a crash of the machine may lose it. For what is known from elsewhere too.
   */
  readonly lasting?: boolean;
}

export interface Lines {
  readonly lines: readonly string[];
  /** Where a torn last line was moved to. */
  readonly tornTo?: string;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Of a file, when it was asked for: the last write, by whomever. */
  readonly modifiedAtMs?: number;
}

export interface ListOptions {
  /** With the time of each file, which costs a look at each. */
  readonly times?: boolean;
}

export interface Folder extends AsyncDisposable {
  /** Absolute path. */
  readonly root: string;
  /** undefined when the file does not exist. */
  readText(path: string, options?: ReadOptions): Promise<Result<TextFile | undefined, FolderError>>;
  /** Temporary file, fsync, rename, fsync of the folder; missing folders are made (0700 when secret). */
  writeText(
    path: string,
    text: string,
    options?: WriteOptions,
  ): Promise<Result<{ readonly hash: string }, FolderError>>;
  /**
   * Written and fsynced before it resolves; appends to one file are in call order, and those that wait together share
   * one write and one fsync. Lines that belong together may be given as one, joined by "\n".
   */
  appendLine(path: string, line: string, options?: AppendOptions): Promise<Result<void, FolderError>>;
  /**
   * All whole lines; a torn last line is cut off into `<name>.torn-<epoch ms>`. No file: no lines. A last line that is
   * whole JSON and only lacks its "\n" (an editor took it) counts as whole, and nothing is written.
   */
  readLines(path: string): Promise<Result<Lines, FolderError>>;
  /** Entries sorted by name; a folder that does not exist is empty. */
  list(path: string, options?: ListOptions): Promise<Result<readonly FolderEntry[], FolderError>>;
  /** Removes a file, or a folder with all in it; what does not exist is fine. */
  remove(path: string): Promise<Result<void, FolderError>>;
  /** Moves a corrupt file to `<name>.corrupt-<epoch ms>` and gives that name. */
  setAside(path: string): Promise<Result<string, FolderError>>;
  /** Calls back, coalesced, with the relative paths that somebody else changed (own writes are not reported). */
  watch(onChange: (paths: readonly string[]) => void): Disposable;
}

export interface OpenFolderOptions {
  /** Left out: the folder's parent must exist. */
  readonly createParents?: boolean;
  /** Where the lock is, relative to the folder; "idea.lock" when left out. */
  readonly lockPath?: string;
  /** Absolute: the folder must really lie in there once symbolic links are resolved. */
  readonly within?: string;
  /** Folders, relative to this one, whose changes are not watched: large, or written by others all the time. */
  readonly unwatched?: readonly string[];
}

export interface Folders {
  /** Makes the folder when it is missing, and takes its lock. */
  open(root: string, options?: OpenFolderOptions): Promise<Result<Folder, FolderError | FolderLockedError>>;
  /** The absolute path, without symbolic links, of a folder that exists; notFound for a file, too. */
  resolve(path: string): Promise<Result<string, FolderError>>;
}
