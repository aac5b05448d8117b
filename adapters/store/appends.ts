/**
 * Appends to JSON Lines files. While one batch is being synced the next lines gather, and then share one write and one
 * fsync: many writers cost little more than one, and each still hears of its line only when it is on the disk. Files
 * stay open for a while, since who appends usually appends again.
 */
import { join } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { AppendOptions, FolderError } from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { toFolderError } from "./errors.ts";
import { type LineFile, openLineFile } from "./line_file.ts";
import { locate } from "./paths.ts";
import type { Queue } from "./queue.ts";
import type { TreeWatch } from "./watch.ts";

const BATCH_CHARS = 4 * 1024 * 1024;
const MAX_OPEN_FILES = 64;
/** A file that nobody appends to is closed: on some systems an open one cannot be moved or removed by others. */
const IDLE_MS = 10_000;

type AppendResult = Result<void, FolderError>;

interface Waiting {
  readonly line: string;
  readonly lasting: boolean;
  readonly settle: (result: AppendResult) => void;
}

interface OpenFile {
  readonly file: LineFile;
  usedAtMs: number;
}

export interface Appends extends AsyncDisposable {
  append(path: string, line: string, options?: AppendOptions): Promise<AppendResult>;
  /** Closes what is open at that path or in that folder, in whose turn of the queue this is called. */
  release(path: string): Promise<void>;
}

export interface AppendsOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly watch: TreeWatch;
}

export function createAppends({ root, clock, queue, watch }: AppendsOptions): Appends {
  const waitingByPath = new Map<string, Waiting[]>();
  /** The one not used for longest is the first. */
  const open = new Map<string, OpenFile>();
  let idleTimer: Disposable | undefined;
  let disposed = false;

  async function writeBatch(path: string): Promise<void> {
    const batch = takeBatch(waitingByPath, path);
    if (batch.length === 0) return;
    const result = await write(path, batch);
    for (const { settle } of batch) settle(result);
  }

  async function write(path: string, batch: readonly Waiting[]): Promise<AppendResult> {
    try {
      const file = await fileAt(path);
      if (!file.ok) return file;
      const lasting = batch.some((waiting) => waiting.lasting);
      watch.noteOwn(path, await file.value.append(batch.map(({ line }) => line), { lasting }));
      return ok();
    } catch (cause) {
      close(path);
      return err(toFolderError(path, cause));
    }
  }

  async function fileAt(path: string): Promise<Result<LineFile, FolderError>> {
    const known = open.get(path);
    // By the path as it was given: a link on the way may lead elsewhere by now.
    if (known?.file.isAsLeft(join(root, path))) return ok(use(path, known.file));
    close(path);
    const place = await locate(root, path);
    if (!place.ok) return place;
    return ok(use(path, await openLineFile(place.value, clock.nowMs())));
  }

  function use(path: string, file: LineFile): LineFile {
    open.delete(path);
    open.set(path, { file, usedAtMs: clock.monotonicMs() });
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN_FILES && oldest !== undefined) void queue.run(oldest, async () => close(oldest));
    if (!disposed) idleTimer ??= clock.startTimer(IDLE_MS, closeIdle);
    return file;
  }

  function closeIdle(): void {
    idleTimer = undefined;
    const isIdle = (path: string) => clock.monotonicMs() - (open.get(path)?.usedAtMs ?? Infinity) >= IDLE_MS;
    for (const path of [...open.keys()].filter(isIdle)) {
      void queue.run(path, async () => void (isIdle(path) && close(path)));
    }
    if (open.size > 0) idleTimer = clock.startTimer(IDLE_MS, closeIdle);
  }

  /** In the path's turn of the queue only: nothing is being written then. */
  function close(path: string): void {
    open.get(path)?.file[Symbol.dispose]();
    open.delete(path);
  }

  return {
    append(path, line, { lasting = true } = {}) {
      if (line === "" || line.endsWith("\n")) throw new Error("a line has content, and no line break at its end");
      const { promise, resolve } = Promise.withResolvers<AppendResult>();
      const waiting = waitingByPath.get(path) ?? [];
      waitingByPath.set(path, waiting);
      waiting.push({ line, lasting, settle: resolve });
      // One turn per line; a turn whose lines went with an earlier batch finds nothing to do.
      void queue.run(path, () => writeBatch(path));
      return promise;
    },
    async release(path) {
      close(path);
      const inside = [...open.keys()].filter((each) => each.startsWith(`${path}/`));
      await Promise.all(inside.map((each) => queue.run(each, async () => close(each))));
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      idleTimer?.[Symbol.dispose]();
      await queue.idle();
      for (const path of [...open.keys()]) close(path);
    },
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
