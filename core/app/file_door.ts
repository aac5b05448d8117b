/**
 * The third door: agents without MCP write requests into `.ideai/requests/<agent>/`, those that are there when the
 * project opens and those that come. file_request.ts answers one of them; here is which one when.
 *
 * What must stay true: a requester with a thousand files, or with files that never become JSON, keeps only itself
 * waiting; a question that waits for its answer keeps nobody waiting, or the answer to it could never come.
 */
import { parseRequestPath, parseResponsePath, REQUESTS_FOLDER } from "../orchestration/file_requests.ts";
import type { Clock } from "../ports/clock.ts";
import type { FolderEntry, ListOptions } from "../ports/folder.ts";
import { answerRequest, type FileRequestPorts, type FileTurn, removeOldAnswer, resumeRequest } from "./file_request.ts";
import type { OpenProject } from "./projects.ts";

/** Of one requester, at a time. */
const MAX_TURNS = 4;
/** Of one requester; beyond it a question is answered with its ticket, to be waited for later. */
const MAX_WAITS = 64;
/** After the disk refused. */
const RETRY_MS = 5_000;
/**
 * An answer stays for a week after it was written: nobody can tell whether it was read, and an agent may come back after
 * days. What the agent removes itself is gone earlier; the answers to tasks can be asked for again with agent.wait.
 */
export const ANSWER_KEPT_MS = 7 * 24 * 60 * 60_000;
/** In scans: an hour. */
const SWEEP_EVERY = 60;
/** Systems lose changes, or have nobody who tells of them: then a request waits no longer than this. */
const SCAN_MS = 60_000;

export interface FileDoorPorts extends FileRequestPorts {
  readonly clock: Clock;
  readonly onDefect: (error: unknown) => void;
}

export interface FileDoor {
  /** For Projects.whileOpen. */
  start(project: OpenProject): Promise<AsyncDisposable>;
}

interface Requester {
  /** Paths, the oldest first. */
  readonly queue: Set<string>;
  /** Came again while it had its turn: what is there then is another request. */
  readonly again: Set<string>;
  readonly turns: Set<string>;
  waits: number;
}

export function createFileDoor(ports: FileDoorPorts): FileDoor {
  return { start: (project) => Promise.resolve(openDoor(ports, project)) };
}

function openDoor(ports: FileDoorPorts, project: OpenProject): AsyncDisposable {
  const { clock, onDefect } = ports;
  const requesters = new Map<string, Requester>();
  const timers = new Map<Disposable, () => void>();
  /** What must be over before the folder closes. */
  const busy = new Set<Promise<unknown>>();
  let isClosing = false;
  let isClosed = false;

  function keepBusy<T>(work: Promise<T>): Promise<T> {
    const done = () => void busy.delete(settled);
    const settled: Promise<void> = work.then(done, done);
    busy.add(settled);
    return work;
  }

  function pause(ms: number): Promise<void> {
    if (isClosing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = clock.startTimer(ms, () => {
        timers.delete(timer);
        resolve();
      });
      timers.set(timer, resolve);
    });
  }

  function requesterOf(path: string): Requester | undefined {
    const name = parseRequestPath(path)?.requester;
    if (name === undefined) return undefined;
    const known = requesters.get(name) ?? { queue: new Set(), again: new Set(), turns: new Set(), waits: 0 };
    requesters.set(name, known);
    return known;
  }

  function take(path: string): void {
    const requester = requesterOf(path);
    if (requester === undefined || isClosing) return;
    if (requester.turns.has(path)) requester.again.add(path);
    else requester.queue.add(path);
    next(requester);
  }

  function next(requester: Requester): void {
    for (const path of requester.queue) {
      if (isClosing || requester.turns.size >= MAX_TURNS) return;
      requester.queue.delete(path);
      give(requester, path, async (turn) => {
        const taken = await answerRequest(ports, turn);
        if (taken.ok) return;
        onDefect(taken.error);
        void pause(RETRY_MS).then(() => take(path));
      });
    }
  }

  /** A turn ends when the work does, or when all that is left of it is to wait. */
  function give(requester: Requester, path: string, work: (turn: FileTurn) => Promise<void>): void {
    const ended = Promise.withResolvers<void>();
    let hasClaimed = false;
    let isOver = false;
    requester.turns.add(path);
    void keepBusy(ended.promise);

    function end(): void {
      // Another one of that name may have its turn by now.
      if (isOver) return;
      isOver = true;
      requester.turns.delete(path);
      if (requester.again.delete(path)) requester.queue.add(path);
      ended.resolve();
      next(requester);
    }

    const turn: FileTurn = {
      project,
      path,
      pause,
      isClosing: () => isClosing,
      claimWait() {
        if (requester.waits >= MAX_WAITS) return false;
        hasClaimed = true;
        requester.waits++;
        return true;
      },
      onWaiting: end,
      async conclude(write) {
        if (isClosed) return;
        await keepBusy(writeUntilDone(write));
      },
    };
    work(turn).catch(onDefect).finally(() => {
      if (hasClaimed) requester.waits--;
      end();
    });
  }

  async function writeUntilDone(write: () => Promise<boolean>): Promise<void> {
    while (!await write() && !isClosing) await pause(RETRY_MS);
  }

  async function keepScanning(): Promise<void> {
    for (let round = 0; !isClosing; round++) {
      await keepBusy(scan(round === 0)).catch(onDefect);
      if (round % SWEEP_EVERY === 0 && !isClosing) await keepBusy(sweep()).catch(onDefect);
      await pause(SCAN_MS);
    }
  }

  /** Answers that have stood for as long as they are kept. */
  async function sweep(): Promise<void> {
    const beforeMs = clock.nowMs() - ANSWER_KEPT_MS;
    const folders = await entries(REQUESTS_FOLDER);
    for (const { name: folder } of folders.filter(({ kind }) => kind === "folder")) {
      for (const { name, modifiedAtMs } of await entries(`${REQUESTS_FOLDER}/${folder}`, { times: true })) {
        const path = parseResponsePath(`${REQUESTS_FOLDER}/${folder}/${name}`);
        if (isClosing) return;
        if (path !== undefined && modifiedAtMs !== undefined && modifiedAtMs < beforeMs) {
          await removeAnswer(path, beforeMs);
        }
      }
    }
  }

  /** As a turn of that name, so that no request of it is answered meanwhile. */
  function removeAnswer(path: string, beforeMs: number): Promise<void> {
    const requester = requesterOf(path);
    if (requester === undefined || requester.turns.has(path) || requester.queue.has(path)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    give(requester, path, async (turn) => {
      const removed = await removeOldAnswer(turn, beforeMs);
      if (!removed.ok) onDefect(removed.error);
      resolve();
    });
    return promise;
  }

  /** Requests that nobody has told of, and at first what was under way when IdeA went down. */
  async function scan(isFirst: boolean): Promise<void> {
    const folders = await entries(REQUESTS_FOLDER);
    for (const { name: folder } of folders.filter(({ kind }) => kind === "folder")) {
      const files = await entries(`${REQUESTS_FOLDER}/${folder}`);
      const paths = files.filter(({ kind }) => kind === "file").map(({ name }) =>
        `${REQUESTS_FOLDER}/${folder}/${name}`
      );
      const there = new Set(paths);
      for (const path of paths) {
        if (isClosing) return;
        const answered = parseResponsePath(path);
        if (answered === undefined) take(path);
        else if (isFirst && !there.has(answered)) resume(answered);
      }
    }
  }

  function resume(path: string): void {
    const requester = requesterOf(path);
    // Its request came while we looked.
    if (requester === undefined || requester.turns.has(path) || requester.queue.has(path)) return;
    give(requester, path, (turn) => resumeRequest(ports, turn));
  }

  async function entries(path: string, options: ListOptions = {}): Promise<readonly FolderEntry[]> {
    const listed = await project.folder.list(path, options);
    if (!listed.ok) onDefect(listed.error);
    return listed.ok ? listed.value : [];
  }

  const watching = project.folder.watch((paths) => paths.forEach(take));
  void keepScanning();

  return {
    async [Symbol.asyncDispose]() {
      isClosing = true;
      watching[Symbol.dispose]();
      for (const [timer, resolve] of timers) {
        timer[Symbol.dispose]();
        resolve();
      }
      while (busy.size > 0) await Promise.all(busy);
      isClosed = true;
    },
  };
}
