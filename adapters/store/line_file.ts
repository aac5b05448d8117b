/**
 * A JSON Lines file that stays open for appending: to find it, to open it and to look at its end is what costs, a line
 * itself is one write and one fsync.
 *
 * What must stay true: a torn line is moved away before anything is appended; on failure the file is as long as before.
 */
import { dirname } from "node:path";
import { makeFolders, syncFolder, writeAll, writeAllNow } from "./atomic.ts";
import { isNotFound } from "./errors.ts";
import { repairEnd } from "./lines.ts";
import { stampOf } from "./stamp.ts";

/** So much goes into the memory of the system in no time; by way of another thread it would take many times that. */
const WRITTEN_ON_THE_SPOT_BYTES = 64 * 1024;

export interface LineFile extends Disposable {
  /** Whether what is at that path now is this file as the last append left it. */
  isAsLeft(path: string): boolean;
  /**
   * One write, and one fsync when lasting. Gives what identifies the file after it; throws what the file system throws,
   * and is of no use any more then.
   */
  append(lines: readonly string[], options: { readonly lasting: boolean }): Promise<Deno.FileInfo>;
}

/** Made when it is missing, with its folders. */
export async function openLineFile(path: string, nowMs: number): Promise<LineFile> {
  const { file, isNew } = await openForAppend(path);
  try {
    const lineBreak = await repairEnd({ file, path, nowMs });
    return createLineFile({ file, path, lineBreak, isNew });
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openForAppend(path: string): Promise<{ readonly file: Deno.FsFile; readonly isNew: boolean }> {
  try {
    return { file: await Deno.open(path, { read: true, append: true }), isNew: false };
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  await makeFolders(dirname(path), 0o777);
  return { file: await Deno.open(path, { read: true, append: true, create: true }), isNew: true };
}

interface Opened {
  readonly file: Deno.FsFile;
  readonly path: string;
  /** What must precede the first line. */
  readonly lineBreak: "" | "\n";
  readonly isNew: boolean;
}

function createLineFile({ file, path, lineBreak, isNew }: Opened): LineFile {
  const encoder = new TextEncoder();
  let prefix: string = lineBreak;
  /** A synced file could vanish with its entry in the folder. */
  let folderIsDue = isNew;
  let left = file.statSync();

  return {
    isAsLeft(at) {
      try {
        return prefix === "" && stampOf(Deno.statSync(at)) === stampOf(left);
      } catch {
        return false;
      }
    },
    async append(lines, { lasting }) {
      try {
        const bytes = encoder.encode(prefix + lines.map((line) => `${line}\n`).join(""));
        if (bytes.length > WRITTEN_ON_THE_SPOT_BYTES) await writeAll(file, bytes);
        else writeAllNow(file, bytes);
        if (lasting) await file.sync();
      } catch (error) {
        // Best effort: whoever opens it next looks at its end anyway.
        await file.truncate(left.size).catch(() => {});
        throw error;
      }
      prefix = "";
      if (lasting && folderIsDue) {
        await syncFolder(dirname(path));
        folderIsDue = false;
      }
      return left = file.statSync();
    },
    [Symbol.dispose]: () => file.close(),
  };
}
