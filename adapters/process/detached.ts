/** Programs that have a life of their own: a browser's window, a server that outlives who started it. */
import { err, ok, type Result } from "../../core/result.ts";
import { withoutLauncher } from "./launcher_environment.ts";

export type StartError =
  | { readonly kind: "notFound"; readonly program: string }
  | { readonly kind: "io"; readonly program: string; readonly cause: unknown };

export interface Detached {
  readonly pid: number;
  /** Its exit code; never resolves while it runs. */
  readonly ended: Promise<number>;
}

/** Starts a program without terminal or pipes, in a session of its own, that we do not wait for when we end. */
export function startDetached(argv: readonly [string, ...string[]]): Result<Detached, StartError> {
  const [program, ...args] = argv;
  try {
    const child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: { ...withoutLauncher(Deno.env.toObject()) },
      detached: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    child.unref();
    return ok({ pid: child.pid, ended: child.status.then(({ code }) => code) });
  } catch (cause) {
    return err(cause instanceof Deno.errors.NotFound ? { kind: "notFound", program } : { kind: "io", program, cause });
  }
}

/** Whether it still runs after that time, or has ended well: what can be known of a program that opens a window. */
export async function isUpAfter(started: Detached, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), ms);
  started.ended.then((code) => resolve(code === 0));
  return await promise.finally(() => clearTimeout(timer));
}
