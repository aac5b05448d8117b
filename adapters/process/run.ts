/**
 * Runs a program to its end, bounded in time and output. It runs in a session of its own, without a terminal: a shell
 * cannot take ours away, and the whole of what it started can be ended.
 */
import { err, ok, type Result } from "../../core/result.ts";

export interface RunOptions {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of stdout and stderr, each. */
  readonly limitBytes: number;
  readonly signal?: AbortSignal;
}

export interface RunOutcome {
  readonly end: { readonly kind: "exited"; readonly code: number } | { readonly kind: RunStop };
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Why it was ended by us. */
export type RunStop = "timedOut" | "outputTooLong" | "aborted";

export type RunError =
  | { readonly kind: "notFound"; readonly program: string }
  | { readonly kind: "io"; readonly program: string; readonly cause: unknown };

/** What a program left running in the background may hold its output open for ever. */
const OUTPUT_AFTER_END_MS = 200;

export async function runProgram(options: RunOptions): Promise<Result<RunOutcome, RunError>> {
  const { program } = options;
  try {
    return ok(await run(options));
  } catch (cause) {
    // A folder that is not there is the same error to the runtime.
    const isProgramMissing = cause instanceof Deno.errors.NotFound && !cause.message.includes("No such cwd");
    return err(isProgramMissing ? { kind: "notFound", program } : { kind: "io", program, cause });
  }
}

async function run(options: RunOptions): Promise<RunOutcome> {
  const { program, args, cwd, env, timeoutMs, limitBytes, signal } = options;
  const child = new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    clearEnv: true,
    env: { ...env },
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  let stopped: RunStop | undefined;
  const stop = (why: RunStop) => {
    stopped ??= why;
    killAll(child);
  };
  const onAbort = () => stop("aborted");
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => stop("timedOut"), timeoutMs);
  const stdout = collect(child.stdout, limitBytes, () => stop("outputTooLong"));
  const stderr = collect(child.stderr, limitBytes, () => stop("outputTooLong"));

  const { code } = await child.status;
  clearTimeout(timer);
  signal?.removeEventListener("abort", onAbort);
  const late = setTimeout(() => {
    stdout.cancel();
    stderr.cancel();
  }, OUTPUT_AFTER_END_MS);
  const [out, error] = await Promise.all([stdout.bytes, stderr.bytes]);
  clearTimeout(late);
  return { end: stopped === undefined ? { kind: "exited", code } : { kind: stopped }, stdout: out, stderr: error };
}

/** The program leads a process group: a negative id is all of it. */
function killAll(child: Deno.ChildProcess): void {
  try {
    Deno.kill(Deno.build.os === "windows" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

interface Collected {
  readonly bytes: Promise<Uint8Array>;
  cancel(): void;
}

function collect(stream: ReadableStream<Uint8Array>, limitBytes: number, onTooLong: () => void): Collected {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  async function read(): Promise<Uint8Array> {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const room = limitBytes - length;
      parts.push(part.value.subarray(0, room));
      length += Math.min(room, part.value.length);
      if (part.value.length <= room) continue;
      onTooLong();
      await reader.cancel();
    }
    return joined(parts, length);
  }
  return { bytes: read(), cancel: () => void reader.cancel() };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
