/** The programs port: finds and runs what the composition allows, in the person's login environment. */
import { userInfo } from "node:os";
import type { ProgramError, ProgramRun, Programs } from "../../core/ports/programs.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { findProgram } from "./find_program.ts";
import { readLoginEnvironment } from "./login_environment.ts";
import { type RunOutcome, runProgram } from "./run.ts";
import { isAbsolutePath, type PathPlatform, searchPathOf } from "./search_path.ts";

const PLATFORM: PathPlatform = Deno.build.os === "windows" ? "windows" : "unix";

/** Start-up files that load version managers take seconds; past this they hang. */
const LOGIN_TIMEOUT_MS = 8_000;
const OUTPUT_LIMIT_BYTES = 4 * 1024 * 1024;

export interface ProgramsOptions {
  /**
   * Whether a program of that name may be run: what IdeA itself needs, and the commands of the person's profiles. A
   * path may be run when it is allowed itself, or is what an allowed name is found as.
   */
  readonly allows: (program: string) => boolean;
  /** Ours; left out: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly loginTimeoutMs?: number;
  readonly outputLimitBytes?: number;
}

export interface ProgramsAdapter extends Programs, AsyncDisposable {}

export function createPrograms(options: ProgramsOptions): ProgramsAdapter {
  const limitBytes = options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES;
  const ending = new AbortController();
  const running = new Set<Promise<unknown>>();
  let login: Promise<Readonly<Record<string, string>>> | undefined;

  /** Remembered until it has ended, so that dispose can wait. */
  function tracked<T>(run: Promise<T>): Promise<T> {
    running.add(run);
    return run.finally(() => running.delete(run));
  }

  function loginEnvironment(): Promise<Readonly<Record<string, string>>> {
    login ??= tracked(readLoginEnvironment({
      env: options.env ?? Deno.env.toObject(),
      os: Deno.build.os,
      shell: accountShell(),
      timeoutMs: options.loginTimeoutMs ?? LOGIN_TIMEOUT_MS,
      signal: ending.signal,
    }));
    return login;
  }

  async function find(program: string): Promise<string | undefined> {
    return findProgram(program, searchPathOf(await loginEnvironment(), PLATFORM));
  }

  async function isAllowed(program: string): Promise<boolean> {
    if (options.allows(program)) return true;
    const file = program.split(PLATFORM === "windows" ? /[\\/]/ : "/").at(-1) ?? "";
    const name = PLATFORM === "windows" ? file.replace(/\.[^.]*$/, "") : file;
    return isAbsolutePath(program, PLATFORM) && options.allows(name) && await find(name) === program;
  }

  return {
    find,
    loginEnvironment,
    async run([program, ...args], { timeoutMs, cwd }) {
      if (ending.signal.aborted) throw new Error("run after dispose");
      if (!await isAllowed(program)) return err({ kind: "notAllowed", program });
      const path = await find(program);
      if (path === undefined) return err({ kind: "notFound", program });
      const env = await loginEnvironment();
      const run = runProgram({ program: path, args, cwd, env, timeoutMs, limitBytes, signal: ending.signal });
      const ran = await tracked(run);
      if (!ran.ok) return err({ ...ran.error, program });
      return toProgramRun(ran.value, { program, timeoutMs, limitBytes });
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.allSettled(running);
    },
  };
}

function toProgramRun(
  { end, stdout, stderr }: RunOutcome,
  { program, timeoutMs, limitBytes }: {
    readonly program: string;
    readonly timeoutMs: number;
    readonly limitBytes: number;
  },
): Result<ProgramRun, ProgramError> {
  const decoder = new TextDecoder();
  switch (end.kind) {
    case "exited":
      return ok({ code: end.code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) });
    case "timedOut":
      return err({ kind: "timedOut", program, timeoutMs });
    case "outputTooLong":
      return err({ kind: "outputTooLong", program, limitBytes });
    case "aborted":
      return err({ kind: "io", program, cause: new Error("IdeA is ending") });
  }
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // An account without an entry, as in some containers.
    return undefined;
  }
}
