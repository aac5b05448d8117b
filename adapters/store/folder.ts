/** The files of one open folder. Everything that touches a file goes through the queue of its path. */
import { join } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { Folder, FolderEntry, FolderError, TextFile, WriteOptions } from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { createAppends } from "./appends.ts";
import { isTemporary, removeIfThere, syncFolder, writeAtomically } from "./atomic.ts";
import { isNotFound, toFolderError } from "./errors.ts";
import { readLines, unusedName } from "./lines.ts";
import type { FolderLock } from "./lock.ts";
import { locate, locateEntry } from "./paths.ts";
import type { Queue } from "./queue.ts";
import type { TreeWatch } from "./watch.ts";

export interface FolderParts {
  readonly root: string;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly watch: TreeWatch;
  readonly lock: FolderLock;
  readonly lockPath: string;
  readonly hashOf: (bytes: Uint8Array) => string;
}

export function createFolder(parts: FolderParts): Folder {
  const { root, clock, queue, watch, hashOf } = parts;
  const appends = createAppends({ root, clock, queue, watch });

  /** Runs work in the path's turn; what it throws becomes the port's error. */
  const inTurn = <T>(path: string, work: () => Promise<Result<T, FolderError>>): Promise<Result<T, FolderError>> =>
    queue.run(path, async () => {
      try {
        return await work();
      } catch (cause) {
        return err(toFolderError(path, cause));
      }
    });

  return {
    root,
    readText: (path, { maxBytes } = {}) =>
      inTurn(path, async () => {
        const place = await locate(root, path);
        if (!place.ok) return place;
        const tooLarge = await checkSize({ path, place: place.value, maxBytes });
        if (tooLarge !== undefined) return err(tooLarge);
        const bytes = await readIfThere(place.value);
        return bytes === undefined ? ok(undefined) : decode(path, bytes, hashOf);
      }),

    writeText: (path, text, options = {}) =>
      inTurn(path, async () => {
        const place = await locate(root, path);
        if (!place.ok) return place;
        const clash = await checkExpected({ path, place: place.value, options, hashOf });
        if (clash !== undefined) return err(clash);
        const bytes = new TextEncoder().encode(text);
        const info = await writeAtomically({ target: place.value, bytes, secret: options.secret === true });
        watch.noteOwn(path, info);
        return ok({ hash: hashOf(bytes) });
      }),

    appendLine: (path, line, options) => appends.append(path, line, options),

    readLines: (path) =>
      inTurn(path, async () => {
        const place = await locate(root, path);
        if (!place.ok) return place;
        const read = await readLines(place.value, clock.nowMs());
        if (read?.tornTo === undefined) return ok({ lines: read?.lines ?? [] });
        const tornTo = siblingPath(path, read.tornTo);
        watch.noteOwn(path, await Deno.stat(place.value));
        watch.noteOwn(tornTo, await Deno.stat(read.tornTo));
        return ok({ lines: read.lines, tornTo });
      }),

    list: (path, { times = false } = {}) =>
      inTurn(path, async () => {
        const place = await locate(root, path);
        return place.ok ? ok(await listEntries(place.value, times)) : place;
      }),

    remove: (path) =>
      inTurn(path, async () => {
        const place = await locateEntry(root, path);
        if (!place.ok) return place;
        await appends.release(path);
        await removeIfThere(place.value);
        watch.noteOwn(path, undefined);
        return ok();
      }),

    setAside: (path) =>
      inTurn(path, async () => {
        const place = await locateEntry(root, path);
        if (!place.ok) return place;
        await appends.release(path);
        const target = await unusedName(`${place.value}.corrupt-${clock.nowMs()}`);
        await Deno.rename(place.value, target);
        await syncFolder(join(target, ".."));
        const asidePath = siblingPath(path, target);
        watch.noteOwn(path, undefined);
        watch.noteOwn(asidePath, await Deno.lstat(target));
        return ok(asidePath);
      }),

    watch: (onChange) => watch.subscribe(onChange),

    async [Symbol.asyncDispose]() {
      await appends[Symbol.asyncDispose]();
      await queue.idle();
      await watch[Symbol.asyncDispose]();
      await parts.lock.release();
    },
  };
}

/** The relative path of `place`, which lies beside the file at `path`. */
function siblingPath(path: string, place: string): string {
  const name = place.split(/[/\\]/).at(-1) ?? "";
  return [...path.split("/").slice(0, -1), name].join("/");
}

async function checkSize(
  { path, place, maxBytes }: { path: string; place: string; maxBytes: number | undefined },
): Promise<FolderError | undefined> {
  if (maxBytes === undefined) return undefined;
  try {
    const { size, isFile } = await Deno.stat(place);
    // A pipe that somebody put there would be read for ever.
    if (!isFile) return { kind: "io", path, code: "notAFile", cause: undefined };
    return size > maxBytes ? { kind: "tooLarge", path, sizeBytes: size, limitBytes: maxBytes } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface ExpectedCheck {
  readonly path: string;
  readonly place: string;
  readonly options: WriteOptions;
  readonly hashOf: (bytes: Uint8Array) => string;
}

async function checkExpected({ path, place, options, hashOf }: ExpectedCheck): Promise<FolderError | undefined> {
  if (options.expectedHash === undefined) return undefined;
  const bytes = await readIfThere(place);
  const actualHash = bytes === undefined ? undefined : hashOf(bytes);
  return actualHash === (options.expectedHash ?? undefined) ? undefined : { kind: "changedOutside", path, actualHash };
}

async function readIfThere(place: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(place);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function decode(path: string, bytes: Uint8Array, hashOf: (bytes: Uint8Array) => string): Result<TextFile, FolderError> {
  try {
    // The byte order mark stays in the text: what is read and written again is the same file.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return ok({ text, hash: hashOf(bytes) });
  } catch {
    return err({ kind: "notText", path });
  }
}

async function listEntries(place: string, times: boolean): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = [];
  try {
    for await (const { name, isFile, isDirectory } of Deno.readDir(place)) {
      if (isDirectory) entries.push({ name, kind: "folder" });
      else if (isFile && !isTemporary(name)) {
        entries.push({ name, kind: "file", ...(times ? await timeOf(join(place, name)) : {}) });
      }
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Nothing for a file that is gone by now. */
async function timeOf(path: string): Promise<Pick<FolderEntry, "modifiedAtMs">> {
  try {
    const { mtime } = await Deno.lstat(path);
    return mtime === null ? {} : { modifiedAtMs: mtime.getTime() };
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}
