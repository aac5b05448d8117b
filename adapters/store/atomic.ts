/**
 * Whole files, written so that a reader, a crash or a power cut sees the old content or the new one and nothing else:
 * temporary file in the same folder, fsync, rename over, fsync of the folder.
 */
import { basename, dirname, join } from "node:path";
import { isNotFound } from "./errors.ts";

const TEMPORARY = /^\..+\.idea-tmp-\d+-\d+$/;
let written = 0;

/** Such a file is ours and unfinished: never listed, never reported, removed when its folder is opened next. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

export interface AtomicWrite {
  readonly target: string;
  readonly bytes: Uint8Array;
  readonly secret: boolean;
}

/**
 * Missing folders are made. Returns what identifies the new file, taken before anybody else could see it. Throws what
 * the file system throws; then the target is untouched.
 */
export async function writeAtomically({ target, bytes, secret }: AtomicWrite): Promise<Deno.FileInfo> {
  const folder = dirname(target);
  await makeFolders(folder, secret ? 0o700 : 0o777);
  const temporary = join(folder, `.${basename(target)}.idea-tmp-${Deno.pid}-${written++}`);
  let info: Deno.FileInfo;
  try {
    info = await writeSynced(temporary, bytes, secret ? 0o600 : await modeOf(target));
    await Deno.rename(temporary, target);
  } catch (error) {
    // What went wrong first is what counts: on a disk that went read-only, removing fails too.
    await removeIfThere(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
  return info;
}

async function writeSynced(path: string, bytes: Uint8Array, mode: number | undefined): Promise<Deno.FileInfo> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: mode ?? 0o666 });
  await writeAll(file, bytes);
  // The umask took bits from the mode that the file had before.
  if (mode !== undefined && Deno.build.os !== "windows") await Deno.chmod(path, mode);
  await file.sync();
  return await file.stat();
}

export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += await file.write(bytes.subarray(done));
}

export function writeAllNow(file: Deno.FsFile, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += file.writeSync(bytes.subarray(done));
}

/** Permission bits of the file to be replaced, so that a person's choice survives our rewriting. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    const { mode } = await Deno.stat(path);
    return mode === null ? undefined : mode & 0o777;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Each new folder is made durable in its parent: else a synced file could vanish with its folder. */
export async function makeFolders(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolders(parent, mode);
  try {
    await Deno.mkdir(path, { mode });
  } catch (error) {
    // Made by a parallel write meanwhile.
    if (error instanceof Deno.errors.AlreadyExists && await isFolder(path)) return;
    throw error;
  }
  await syncFolder(parent);
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows has no handle to sync for a folder; NTFS journals the rename itself.
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}
