/** Folders that IdeA owns, on this machine's disk. */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { Folder, FolderError, FolderLockedError, Folders, OpenFolderOptions } from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isFolder, isTemporary, makeFolders } from "./atomic.ts";
import { toFolderError } from "./errors.ts";
import { createFolder } from "./folder.ts";
import { type FolderLock, takeLock } from "./lock.ts";
import { isInside, locate } from "./paths.ts";
import { type ProcessStart, readProcessStart } from "./process_start.ts";
import { createQueue } from "./queue.ts";
import { createTreeWatch } from "./watch.ts";

const DEFAULT_LOCK = "idea.lock";

/** startOf tells apart an owner that lives from another process with its old pid, where the kernel's locks do not. */
export function createFolders(clock: Clock, startOf: ProcessStart = readProcessStart): Folders {
  return {
    async open(root, options = {}) {
      try {
        const real = await makeRoot(root, options);
        return real.ok ? await openRoot({ root: real.value, options, clock, startOf }) : real;
      } catch (cause) {
        return err(toFolderError(root, cause));
      }
    },
    async resolve(path) {
      try {
        const real = await Deno.realPath(path);
        return await isFolder(real) ? ok(real) : err({ kind: "notFound", path });
      } catch (cause) {
        return err(toFolderError(path, cause));
      }
    },
  };
}

async function makeRoot(
  root: string,
  { createParents, within }: OpenFolderOptions,
): Promise<Result<string, FolderError>> {
  const parent = await realParent(root, createParents === true);
  const place = join(parent, basename(root));
  // Looked at before anything is made: a link in the way must not make a folder elsewhere.
  const real = await Deno.realPath(place).catch(() => place);
  if (within !== undefined && !isInside(await Deno.realPath(within), real)) {
    return err({ kind: "outsideFolder", path: root });
  }
  await makeFolders(place, 0o777);
  return ok(await Deno.realPath(place));
}

async function realParent(root: string, create: boolean): Promise<string> {
  const parent = dirname(root);
  if (create) await makeFolders(parent, 0o777);
  return await Deno.realPath(parent);
}

interface OpenRoot {
  readonly root: string;
  readonly options: OpenFolderOptions;
  readonly clock: Clock;
  readonly startOf: ProcessStart;
}

async function openRoot(
  { root, options, clock, startOf }: OpenRoot,
): Promise<Result<Folder, FolderError | FolderLockedError>> {
  const lockPath = options.lockPath ?? DEFAULT_LOCK;
  const lockFile = await locate(root, lockPath);
  if (!lockFile.ok) return lockFile;
  const lock = await takeLock({ root, path: lockFile.value }, startOf);
  if (!lock.ok) return err({ kind: "locked", path: root, pid: lock.error.pid });
  try {
    return ok(await openLocked({ root, lockPath, lock: lock.value, clock, unwatched: options.unwatched ?? [] }));
  } catch (cause) {
    await lock.value.release();
    throw cause;
  }
}

interface OpenLocked {
  readonly root: string;
  readonly lockPath: string;
  readonly lock: FolderLock;
  readonly clock: Clock;
  readonly unwatched: readonly string[];
}

async function openLocked({ root, lockPath, lock, clock, unwatched }: OpenLocked): Promise<Folder> {
  const queue = createQueue();
  const isIgnored = (path: string) =>
    path === lockPath || isTemporary(basename(path)) ||
    unwatched.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const watch = await createTreeWatch({ root, clock, isIgnored, afterOwnWrites: queue.run });
  return createFolder({ root, clock, queue, watch, lock, lockPath, hashOf });
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
