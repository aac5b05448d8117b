/** Pseudo-terminals of Windows: ConPTY through kernel32. */
import { err, ok, type Result } from "../../../core/result.ts";
import {
  isPtySize,
  MAX_QUEUED_INPUT_BYTES,
  type Pty,
  type PtySpawnError,
  type PtySpawnOptions,
} from "../../../core/ports/pty.ts";
import { programCandidates, searchPathOf } from "../../process/search_path.ts";
import { planCommandLine } from "./command_line.ts";
import { environmentBlock } from "./environment_block.ts";
import type { Kernel, KernelError } from "./kernel.ts";
import { type CompletionLoop, createCompletionLoop } from "./loop.ts";
import { createWindowsProcess, type WindowsProcess } from "./process.ts";
import { type ConsoleProgram, startErrorKind, startOnConsole } from "./spawn.ts";

/** What is still running when everything ends gets this long after its console was closed. */
const DISPOSE_GRACE_MS = 500;
const DISPOSE_LIMIT_MS = 5_000;
/** winerror.h: what cannot be written as a command line or an environment. */
const ERROR_INVALID_PARAMETER = 87;

export interface Files {
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
}

export interface WindowsPtyOptions {
  readonly openKernel: () => Kernel;
  readonly files: Files;
}

export function createWindowsPty({ openKernel, files }: WindowsPtyOptions): Pty {
  const running = new Set<WindowsProcess>();
  let deps: { readonly kernel: Kernel; readonly loop: CompletionLoop } | undefined;
  let nextKey = 1;
  let isDisposed = false;

  // Nothing is opened until there is a terminal to open.
  function open() {
    const kernel = openKernel();
    return { kernel, loop: createCompletionLoop(kernel) };
  }

  return {
    spawn(options) {
      if (isDisposed) throw new Error("spawn after dispose");
      const { size, argv, cwd, onData, onExit } = options;
      if (!isPtySize(size)) return err({ kind: "invalidSize", size });
      if (!files.isFolder(cwd)) return err({ kind: "folderNotFound", path: cwd });
      const program = planProgram(files, options);
      if (!program.ok) return program;
      try {
        deps ??= open();
      } catch {
        // Windows before 10 1809 has no pseudo-consoles.
        return err({ kind: "unsupportedPlatform", platform: "windows" });
      }
      const key = nextKey++;
      const session = startOnConsole(deps.kernel, program.value, { key, size });
      if (!session.ok) return err(toSpawnError(session.error, { program: argv[0], folder: cwd }));
      const created = createWindowsProcess(deps, {
        ...session.value,
        key,
        size,
        inputLimitBytes: MAX_QUEUED_INPUT_BYTES,
        onData,
        onExit,
      });
      running.add(created);
      created.gone.then(() => running.delete(created));
      return ok(created.process);
    },
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      if (deps === undefined) return;
      await endAll([...running]);
      await deps.loop[Symbol.asyncDispose]();
    },
  };
}

function planProgram(files: Files, { argv, cwd, env }: PtySpawnOptions): Result<ConsoleProgram, PtySpawnError> {
  const [name, ...args] = argv;
  const invalid = { kind: "system", call: "CreateProcessW", code: ERROR_INVALID_PARAMETER } as const;
  if (argv.some((argument) => argument.includes("\0"))) return err(invalid);
  const candidates = programCandidates({
    program: name,
    searchPath: searchPathOf(env, "windows"),
    folder: cwd,
    platform: "windows",
  });
  const program = candidates.find((path) => files.isFile(path));
  if (program === undefined) return err({ kind: "programNotFound", program: name });
  const environment = environmentBlock(env);
  const planned = planCommandLine(program, args, commandInterpreter(env));
  if (environment === undefined || !planned.ok) return err(invalid);
  return ok({ ...planned.value, folder: cwd, environment });
}

function commandInterpreter(env: Readonly<Record<string, string>>): string {
  const variable = (name: string) => Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  return variable("COMSPEC") ?? `${variable("SYSTEMROOT") ?? "C:\\Windows"}\\System32\\cmd.exe`;
}

function toSpawnError(
  error: KernelError,
  { program, folder }: { readonly program: string; readonly folder: string },
): PtySpawnError {
  const kind = error.call === "CreateProcessW" ? startErrorKind(error) : "other";
  switch (kind) {
    case "programNotFound":
    case "programNotExecutable":
      return { kind, program };
    case "folderNotFound":
      return { kind, path: folder };
    case "other":
      return { kind: "system", call: error.call, code: error.code };
  }
}

async function endAll(running: readonly WindowsProcess[]): Promise<void> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => limit = setTimeout(resolve, DISPOSE_LIMIT_MS));
  for (const { process } of running) void process.close(DISPOSE_GRACE_MS);
  await Promise.race([Promise.all(running.map(({ gone }) => gone)), tooLong]);
  clearTimeout(limit);
}
