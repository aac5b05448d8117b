/**
 * Appends to JSON Lines files. While one batch is being synced the next lines gather, and then share one write and one
 * fsync: many writers cost little more than one, and each still hears of its line only when it is on the disk.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { FolderError } from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { toFolderError } from "./errors.ts";
import { appendLines } from "./lines.ts";
import { locate } from "./paths.ts";
import type { Queue } from "./queue.ts";
import type { TreeWatch } from "./watch.ts";

const BATCH_CHARS = 4 * 1024 * 1024;

type AppendResult = Result<void, FolderError>;

interface Waiting {
  readonly line: string;
  readonly settle: (result: AppendResult) => void;
}

export interface Appends {
  append(path: string, line: string): Promise<AppendResult>;
  idle(): Promise<void>;
}

export function createAppends(
  { root, clock, queue, watch }: { root: string; clock: Clock; queue: Queue; watch: TreeWatch },
): Appends {
  const waitingByPath = new Map<string, Waiting[]>();

  const writeBatch = async (path: string) => {
    const batch = takeBatch(waitingByPath, path);
    if (batch.length === 0) return;
    const result = await write(path, batch.map(({ line }) => line));
    for (const { settle } of batch) settle(result);
  };

  const write = async (path: string, lines: readonly string[]): Promise<AppendResult> => {
    try {
      const place = await locate(root, path);
      if (!place.ok) return place;
      watch.noteOwn(path, await appendLines(place.value, lines, clock.nowMs()));
      return ok();
    } catch (cause) {
      return err(toFolderError(path, cause));
    }
  };

  return {
    append(path, line) {
      if (line === "" || line.endsWith("\n")) throw new Error("a line has content, and no line break at its end");
      const { promise, resolve } = Promise.withResolvers<AppendResult>();
      const waiting = waitingByPath.get(path) ?? [];
      waitingByPath.set(path, waiting);
      waiting.push({ line, settle: resolve });
      // One turn per line; a turn whose lines went with an earlier batch finds nothing to do.
      void queue.run(path, () => writeBatch(path));
      return promise;
    },
    idle: () => queue.idle(),
  };
}

function takeBatch(waitingByPath: Map<string, Waiting[]>, path: string): readonly Waiting[] {
  const waiting = waitingByPath.get(path) ?? [];
  let chars = 0;
  let count = 0;
  while (count < waiting.length && (count === 0 || chars < BATCH_CHARS)) chars += waiting[count++]?.line.length ?? 0;
  const batch = waiting.splice(0, count);
  if (waiting.length === 0) waitingByPath.delete(path);
  return batch;
}
