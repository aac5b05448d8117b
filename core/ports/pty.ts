/**
 * Pseudo-terminals. Bytes are never lost, reordered or doubled in either direction; the exit is reported exactly once,
 * after the last byte of output; nothing here blocks the event loop.
 */
import type { Result } from "../result.ts";

export interface PtySize {
  /** 1..1000 */
  readonly cols: number;
  /** 1..1000 */
  readonly rows: number;
}

export const MAX_PTY_CELLS = 1_000;

/** What write takes before the child reads; past it a sender hears inputQueueFull. */
export const MAX_QUEUED_INPUT_BYTES = 16 * 1024 * 1024;

export function isPtySize(size: PtySize): boolean {
  return [size.cols, size.rows].every((cells) => Number.isInteger(cells) && cells >= 1 && cells <= MAX_PTY_CELLS);
}

export interface PtySpawnOptions {
  /** Program (a path, or a name looked up in env.PATH) and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the child: nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly size: PtySize;
  /** The array is only valid during the call (the reactor uses it again): copy or send what must be kept. */
  readonly onData: (bytes: Uint8Array) => void;
  /** Neither callback is called during spawn, write, pause, resume or resize: only in a later turn. */
  readonly onExit: (exit: PtyExit) => void;
}

export type PtyExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: number };

export type PtySpawnError =
  | { readonly kind: "programNotFound"; readonly program: string }
  | { readonly kind: "programNotExecutable"; readonly program: string }
  | { readonly kind: "folderNotFound"; readonly path: string }
  | { readonly kind: "invalidSize"; readonly size: PtySize }
  | { readonly kind: "unsupportedPlatform"; readonly platform: string }
  | { readonly kind: "system"; readonly call: string; readonly code: number };

export type PtyWriteError =
  | { readonly kind: "closed" }
  /** More than the bound waits for a reader that does not read; nothing of this write was taken. */
  | { readonly kind: "inputQueueFull"; readonly queuedBytes: number; readonly limitBytes: number };

export interface PtyProcess {
  readonly pid: number;
  /** Queues the whole of it, or nothing. Text is sent as UTF-8. The array may be used again after the call. */
  write(input: Uint8Array | string): Result<void, PtyWriteError>;
  /** Bytes accepted by write that the kernel has not taken yet. */
  queuedInputBytes(): number;
  /** Coalesced: of several sizes in one turn of the event loop the last one reaches the child. */
  resize(size: PtySize): Result<void, { readonly kind: "invalidSize"; readonly size: PtySize }>;
  /**
   * Who has the terminal's foreground: the program itself, or another job that it started (a shell's command). unknown
   * where the system does not say, and once the program has ended.
   */
  foreground(): "itself" | "another" | "unknown";
  /** Stops reading, so that the child blocks when the kernel's buffer is full. Idempotent, not counted. */
  pause(): void;
  resume(): void;
  /**
   * SIGHUP to the session, SIGKILL to its process group after graceMs; resolves when the exit was reported. Once the
   * program has ended, a pause no longer holds its last output back.
   */
  close(graceMs: number): Promise<PtyExit>;
}

export interface Pty extends AsyncDisposable {
  spawn(options: PtySpawnOptions): Result<PtyProcess, PtySpawnError>;
}
