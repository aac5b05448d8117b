/** Pseudo-terminals of Linux and macOS through the C library. */
import { err, ok } from "../../../core/result.ts";
import { isPtySize, MAX_QUEUED_INPUT_BYTES, type Pty, type PtySpawnError } from "../../../core/ports/pty.ts";
import { createDescriptors, type Descriptors } from "./descriptors.ts";
import { createEpoll } from "./epoll.ts";
import { createExitWatch, type ExitWatch } from "./exit_watch.ts";
import { createKqueue } from "./kqueue.ts";
import { type Libc, openLibc } from "./libc.ts";
import { createAccess, findProgram, isFolder } from "./lookup.ts";
import type { UnixPlatform } from "./platform.ts";
import { createProcess, type ProcessDeps, type UnixProcess } from "./process.ts";
import { createReactor, type Reactor, type ReactorStats } from "./reactor.ts";
import { createSessionSignals } from "./session_signals.ts";
import { openTerminal, startProgram } from "./spawn.ts";

/** What is still running when everything ends gets this long after SIGHUP. */
const DISPOSE_GRACE_MS = 500;
/** A process that the kernel cannot kill (a dead network drive) must not keep us. */
const DISPOSE_LIMIT_MS = 3_000;

export interface UnixPty extends Pty {
  stats(): ReactorStats;
}

interface UnixDeps extends ProcessDeps {
  readonly libc: Libc;
  readonly descriptors: Descriptors;
  readonly reactor: Reactor;
  readonly exits: ExitWatch;
}

export function createUnixPty(platform: UnixPlatform): UnixPty {
  const running = new Set<UnixProcess>();
  let deps: UnixDeps | undefined;
  let isDisposed = false;

  // Nothing is opened until there is a terminal to open.
  function open(): UnixDeps {
    const libc = openLibc(platform);
    const descriptors = createDescriptors(libc);
    const poller = platform.os === "linux" ? createEpoll(platform.library) : createKqueue(platform.library);
    return {
      libc,
      descriptors,
      reactor: createReactor(descriptors, poller),
      exits: createExitWatch(libc),
      sessions: createSessionSignals(libc),
    };
  }

  return {
    spawn({ argv, cwd, env, size, onData, onExit }) {
      if (isDisposed) throw new Error("spawn after dispose");
      if (!isPtySize(size)) return err({ kind: "invalidSize", size });
      try {
        deps ??= open();
      } catch {
        // A C library of another make, as musl's.
        return err({ kind: "unsupportedPlatform", platform: platform.os });
      }
      const { libc } = deps;
      const access = createAccess(libc);
      if (!isFolder(access, cwd)) return err({ kind: "folderNotFound", path: cwd });
      const found = findProgram(access, { program: argv[0], folder: cwd, searchPath: env.PATH });
      if (!found.ok) return found;

      deps.exits.start();
      const opened = openTerminal(libc);
      if (!opened.ok) return opened;
      const terminal = opened.value;
      // On the program's end: on macOS ours takes no size before somebody has that one open.
      deps.descriptors.setWindowSize(terminal.slave, size);
      const started = startProgram(libc, terminal, { path: found.value, argv, folder: cwd, env });
      if (!started.ok) {
        deps.descriptors.close(terminal.slave);
        deps.descriptors.close(terminal.master);
        return err(programError(libc, argv[0], started.error));
      }
      const created = createProcess(deps, {
        terminal,
        pid: started.value,
        size,
        inputLimitBytes: MAX_QUEUED_INPUT_BYTES,
        onData,
        onExit,
      });
      running.add(created);
      created.gone.then(() => running.delete(created));
      return ok(created.process);
    },
    stats: () => deps?.reactor.stats() ?? { turns: 0, reads: 0, echoesAtOnce: 0 },
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      if (deps === undefined) return;
      await endAll([...running]);
      await deps.reactor[Symbol.asyncDispose]();
      deps.exits[Symbol.dispose]();
      deps.libc.close();
    },
  };
}

async function endAll(running: readonly UnixProcess[]): Promise<void> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => limit = setTimeout(resolve, DISPOSE_LIMIT_MS));
  for (const { process } of running) void process.close(DISPOSE_GRACE_MS);
  await Promise.race([Promise.all(running.map(({ gone }) => gone)), tooLong]);
  clearTimeout(limit);
}

/** The checks before the start can be overtaken, and say nothing about a script's interpreter. */
function programError(
  { platform }: Libc,
  program: string,
  error: Extract<PtySpawnError, { kind: "system" }>,
): PtySpawnError {
  switch (error.code) {
    case platform.errors.notFound:
      return { kind: "programNotFound", program };
    case platform.errors.notPermitted:
    case platform.errors.notAProgram:
      return { kind: "programNotExecutable", program };
    default:
      return error;
  }
}
