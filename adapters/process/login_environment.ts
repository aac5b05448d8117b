/**
 * The environment that a person's login shell has. A program started from a desktop lacks what start-up files set:
 * PATH to their tools, locale, proxies. Asked once, bounded in time; whatever goes wrong, our own environment is used.
 */
import { withoutLauncher } from "./launcher_environment.ts";
import { environmentArgs, joinPaths, parseEnvironment, RESOLVING } from "./login_shell.ts";
import { withoutOuterTerminal } from "./outer_terminal.ts";
import { runProgram } from "./run.ts";

type Environment = Readonly<Record<string, string>>;

/** More than any environment the kernel would pass on, with what start-up files print. */
const LIMIT_BYTES = 8 * 1024 * 1024;

export interface LoginEnvironmentOptions {
  /** Ours. */
  readonly env: Environment;
  readonly os: string;
  /** The account's shell, for when the environment names none. */
  readonly shell?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export async function readLoginEnvironment(options: LoginEnvironmentOptions): Promise<Environment> {
  const { os, timeoutMs, signal } = options;
  const own = withoutOuterTerminal(withoutLauncher(options.env));
  const shell = own["SHELL"] || options.shell || (os === "darwin" ? "/bin/zsh" : "/bin/sh");
  const marker = crypto.randomUUID();
  const args = os === "windows" ? undefined : environmentArgs(shell, marker);
  if (args === undefined) return own;
  const ran = await runProgram({
    program: shell,
    args,
    cwd: own["HOME"],
    env: { ...own, TERM: "dumb", [RESOLVING]: "1" },
    timeoutMs,
    limitBytes: LIMIT_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  // Also of a shell that had to be ended: it may have answered and then hung in its exit.
  const answered = ran.ok ? parseEnvironment(new TextDecoder().decode(ran.value.stdout), marker) : undefined;
  if (answered === undefined) return own;
  const path = joinPaths(answered["PATH"], own["PATH"]);
  return { SHELL: shell, ...withoutOuterTerminal(answered), ...(path === undefined ? {} : { PATH: path }) };
}
