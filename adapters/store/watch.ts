/**
 * Tells what others changed in a folder. What every file looked like is remembered (size, time, inode), also after each
 * own write, so that only a difference from that is reported and own writes never are. One watcher of the system over
 * the folders worth watching; where the system refuses one, the folder is looked through every few seconds.
 *
 * Looking at a file takes microseconds and a hop to another thread many times that, so files are looked at on the spot,
 * with a rest for all others now and then.
 */
import { join, relative, sep } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import { isTemporary, removeIfThere } from "./atomic.ts";
import { isNotFound } from "./errors.ts";
import { stampOf } from "./stamp.ts";

/** Editors and git write in bursts: one report for all of it. */
const COALESCE_MS = 50;
const POLL_MS = 3_000;
const MAX_WORK_MS = 5;

export interface TreeWatchOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly isIgnored: (path: string) => boolean;
  /** Runs the task when no own write of that path is under way. */
  readonly afterOwnWrites: <T>(path: string, task: () => Promise<T>) => Promise<T>;
}

export interface TreeWatch extends AsyncDisposable {
  /** What this process has just written, or removed (undefined; with all that was in it). */
  noteOwn(path: string, info: Deno.FileInfo | undefined): void;
  subscribe(onChange: (paths: readonly string[]) => void): Disposable;
}

/** Looks through the folder once, and removes temporary files that a crash left. */
export async function createTreeWatch(options: TreeWatchOptions): Promise<TreeWatch> {
  const { root, clock, isIgnored, afterOwnWrites } = options;
  const seen = new Map<string, string>();
  const listeners = new Set<(paths: readonly string[]) => void>();
  const dirty = new Set<string>();
  let folders: readonly string[] = [];
  let watcher: Deno.FsWatcher | undefined;
  /** A folder that is listened to is gone, or another has its name: the system tells nothing of that one. */
  let isOutdated = false;
  let timer: Disposable | undefined;
  let following: Promise<void> = Promise.resolve();
  let work: Promise<void> = Promise.resolve();
  let started = false;
  let closed = false;

  const publish = (paths: readonly string[]) => {
    if (paths.length === 0 || closed) return;
    for (const listener of [...listeners]) listener(paths);
  };

  /** True when the file is not what we remember; remembers it. */
  const refresh = (path: string) =>
    afterOwnWrites(path, async () => {
      const stamp = stampAt(join(root, path));
      if (stamp === seen.get(path)) return false;
      if (stamp === undefined) seen.delete(path);
      else seen.set(path, stamp);
      return true;
    });

  const refreshAll = async (paths: Iterable<string>) => {
    const changed: string[] = [];
    const pace = createPace();
    for (const path of paths) {
      if (await refresh(path)) changed.push(path);
      await pace.rest();
    }
    publish(changed.sort());
  };

  const rescan = async () => {
    let tree = await walk(root, isIgnored);
    // Until no folder came in while we began to listen: what was put into such a one would go unheard.
    const mustListen = () => watcher === undefined || isOutdated || !isEqual(tree.folders, folders);
    for (let round = 0; round < 10 && mustListen(); round++) {
      folders = tree.folders;
      await listenToSystem();
      tree = await walk(root, isIgnored);
      if (watcher === undefined) break;
    }
    await refreshAll(new Set([...tree.files, ...seen.keys()]));
  };

  const listenToSystem = async () => {
    watcher?.close();
    watcher = undefined;
    // Deno takes a folder that is still listened to for the one that now has its name.
    await following;
    isOutdated = false;
    if (closed) return;
    try {
      const fresh = Deno.watchFs(folders.map((path) => join(root, path)), { recursive: false });
      watcher = fresh;
      following = follow(fresh);
    } catch {
      // No watches left, or a file system without them.
      schedule(POLL_MS);
    }
  };

  const follow = async (source: Deno.FsWatcher) => {
    for await (const event of source) {
      if (event.kind === "access") continue;
      const paths = event.flag === "rescan"
        ? [""]
        : event.paths.map((path) => relative(root, path).replaceAll(sep, "/"));
      const relevant = paths.filter((path) => !isIgnored(path));
      for (const path of relevant) dirty.add(path);
      if (relevant.some((path) => folders.includes(path))) isOutdated = true;
      if (relevant.length > 0) schedule(COALESCE_MS);
    }
  };

  const schedule = (delayMs: number) => {
    if (timer !== undefined || closed) return;
    timer = clock.startTimer(delayMs, () => {
      timer = undefined;
      work = work.then(lookAtDirty);
    });
  };

  const lookAtDirty = async () => {
    const paths = [...dirty];
    dirty.clear();
    const filesOnly = watcher !== undefined && everyIsFile(root, paths, folders);
    await (filesOnly ? refreshAll(paths) : rescan());
    if (watcher === undefined) schedule(POLL_MS);
  };

  const first = await walk(root, isIgnored, { removeTemporary: true });
  folders = first.folders;
  for (const path of first.files) {
    const stamp = stampAt(join(root, path));
    if (stamp !== undefined) seen.set(path, stamp);
  }

  return {
    noteOwn(path, info) {
      if (isIgnored(path)) return;
      if (info !== undefined) return void seen.set(path, stampOf(info));
      for (const known of seen.keys()) if (known === path || known.startsWith(`${path}/`)) seen.delete(known);
    },
    subscribe(onChange) {
      const own = (paths: readonly string[]) => onChange(paths);
      listeners.add(own);
      if (!started) {
        started = true;
        // Folders may have come since the first look.
        work = work.then(rescan);
      }
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      timer?.[Symbol.dispose]();
      watcher?.close();
      await work;
    },
  };
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

interface Tree {
  /** Sorted; "" is the root. */
  readonly folders: readonly string[];
  readonly files: Set<string>;
}

async function walk(
  root: string,
  isIgnored: (path: string) => boolean,
  { removeTemporary = false } = {},
): Promise<Tree> {
  const folders: string[] = [];
  const files = new Set<string>();
  const pace = createPace();
  const visit = async (folder: string): Promise<void> => {
    folders.push(folder);
    await pace.rest();
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (removeTemporary && entry.isFile && isTemporary(entry.name)) await removeIfThere(join(root, path));
      if (isIgnored(path)) continue;
      if (entry.isDirectory) await visit(path);
      else files.add(path);
    }
  };
  await visit("");
  return { folders: folders.sort(), files };
}

interface Pace {
  /** Lets others work when it has been long enough since the last rest. */
  rest(): Promise<void>;
}

function createPace(): Pace {
  let begunMs = performance.now();
  return {
    async rest() {
      if (performance.now() - begunMs < MAX_WORK_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      begunMs = performance.now();
    },
  };
}

function entriesOf(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    // Gone meanwhile, or not ours to read: nothing to report there.
    if (isNotFound(error) || error instanceof Deno.errors.PermissionDenied) return [];
    throw error;
  }
}

function everyIsFile(root: string, paths: readonly string[], folders: readonly string[]): boolean {
  for (const path of paths) {
    if (folders.includes(path)) return false;
    try {
      if (Deno.lstatSync(join(root, path)).isDirectory) return false;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return true;
}

function stampAt(path: string): string | undefined {
  try {
    const info = Deno.statSync(path);
    return info.isDirectory ? undefined : stampOf(info);
  } catch (error) {
    if (isNotFound(error) || error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}
