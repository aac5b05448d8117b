/** Short-lived programs of the machine: detection of CLIs, login environment. Never a shell line from outside. */
import type { Result } from "../result.ts";

export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type ProgramError =
  | { readonly kind: "notAllowed"; readonly program: string }
  | { readonly kind: "notFound"; readonly program: string }
  | { readonly kind: "timedOut"; readonly program: string; readonly timeoutMs: number }
  | { readonly kind: "outputTooLong"; readonly program: string; readonly limitBytes: number }
  | { readonly kind: "io"; readonly program: string; readonly cause: unknown };

export interface Programs {
  /** Absolute path of a program in the person's login PATH, or undefined. */
  find(program: string): Promise<string | undefined>;
  run(
    argv: readonly [string, ...string[]],
    options: { readonly timeoutMs: number; readonly cwd?: string },
  ): Promise<Result<ProgramRun, ProgramError>>;
  /** The environment of the person's login shell, without what the launcher put in (AppImage, our own runtime). */
  loginEnvironment(): Promise<Readonly<Record<string, string>>>;
}
