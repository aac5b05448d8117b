/**
 * One process at a time per folder. The file says who: pid, when that process began, and since when. The kernel's lock
 * on the same file (flock, LockFileEx) is held as long as the owner lives and falls with it, however it dies, so a dead
 * owner's file is taken over at once and two that try at the same moment cannot both win. Where a file system knows no
 * such locks, the pid and its start alone decide.
 */
import { dirname } from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";
import { makeFolders, removeIfThere, writeAll } from "./atomic.ts";
import { isNotFound } from "./errors.ts";
import type { ProcessStart } from "./process_start.ts";

const OwnerSchema = z.object({
  pid: z.number().int().positive(),
  startedAtMs: z.number(),
  processStart: z.string().optional(),
});

type Owner = z.infer<typeof OwnerSchema>;

export interface FolderLock {
  /** Removes the file, and the folder it is in when `root` is another one and nothing else is there. */
  release(): Promise<void>;
}

/** The owner's pid; 0 when it cannot be read. */
export interface OwnedByOther {
  readonly kind: "owned";
  readonly pid: number;
}

export interface LockPlace {
  readonly root: string;
  readonly path: string;
}

/** Throws what the file system throws, with nothing left behind. */
export async function takeLock(
  { root, path }: LockPlace,
  startOf: ProcessStart,
): Promise<Result<FolderLock, OwnedByOther>> {
  for (;;) {
    const file = await openLockFile(path);
    // Its folder went away with the last owner's lock, just now.
    if (file === undefined) continue;
    let keep = false;
    try {
      if (!await holdsKernelLock(file)) return err({ kind: "owned", pid: (await readOwner(path))?.pid ?? 0 });
      // The last owner removed the file after we opened it: ours is no longer the one that others see.
      if (!await isSameFile(file, path)) continue;
      const owner = await readOwner(path);
      if (owner !== undefined && await isAlive(owner, startOf)) return err({ kind: "owned", pid: owner.pid });
      await writeOwner(file, await startOf(Deno.pid));
      keep = true;
      return ok({ release: () => release(file, { root, path }) });
    } finally {
      if (!keep) file.close();
    }
  }
}

async function openLockFile(path: string): Promise<Deno.FsFile | undefined> {
  await makeFolders(dirname(path), 0o777);
  try {
    return await Deno.open(path, { read: true, write: true, create: true });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function holdsKernelLock(file: Deno.FsFile): Promise<boolean> {
  try {
    return await file.tryLock(true);
  } catch (error) {
    if (error instanceof Deno.errors.NotSupported) return true;
    throw error;
  }
}

async function isSameFile(file: Deno.FsFile, path: string): Promise<boolean> {
  // Windows refuses to remove a file that somebody has open.
  if (Deno.build.os === "windows") return true;
  try {
    const [ours, theirs] = [await file.stat(), await Deno.stat(path)];
    return ours.ino === theirs.ino && ours.dev === theirs.dev;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const parsed = OwnerSchema.safeParse(JSON.parse(await Deno.readTextFile(path)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Empty or half-written: its owner died while it took the lock. On Windows a locked file cannot be read.
    return undefined;
  }
}

async function isAlive(owner: Owner, startOf: ProcessStart): Promise<boolean> {
  return owner.processStart !== undefined && await startOf(owner.pid) === owner.processStart;
}

async function writeOwner(file: Deno.FsFile, processStart: string | undefined): Promise<void> {
  const owner: Owner = {
    pid: Deno.pid,
    startedAtMs: Math.round(performance.timeOrigin),
    ...(processStart === undefined ? {} : { processStart }),
  };
  await file.truncate(0);
  await file.seek(0, Deno.SeekMode.Start);
  await writeAll(file, new TextEncoder().encode(`${JSON.stringify(owner, null, 2)}\n`));
  await file.sync();
}

async function release(file: Deno.FsFile, { root, path }: LockPlace): Promise<void> {
  try {
    // While the kernel's lock is still ours, so that nobody can take a file that is about to vanish.
    await removeIfThere(path);
  } finally {
    file.close();
  }
  if (dirname(path) === root) return;
  // Refused while the folder holds anything, which is what is wanted.
  await Deno.remove(dirname(path)).catch(() => {});
}
