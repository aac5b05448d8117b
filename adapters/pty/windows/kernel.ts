/**
 * What the terminals of Windows need of the system: pseudo-consoles, pipes, processes in jobs, and one completion port
 * through which all of them report. kernel32.ts does it; tests play it.
 */
import type { PtySize } from "../../../core/ports/pty.ts";
import type { Result } from "../../../core/result.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type Handle = bigint;

export interface KernelError {
  readonly call: string;
  /** Of GetLastError, or an HRESULT. */
  readonly code: number;
}

export interface Pipe {
  /** Reports to the completion port. */
  readonly ours: Handle;
  /** For the console. */
  readonly theirs: Handle;
}

/** A read or write that is under way. The system writes into it until it has reported: it must be kept till then. */
export interface Operation {
  readonly bytes: Bytes;
  readonly overlapped: Bytes;
}

export interface StartOptions {
  readonly application: string;
  readonly line: string;
  readonly folder: string;
  readonly environment: Bytes;
  readonly console: Handle;
  readonly key: number;
}

export interface Started {
  readonly process: Handle;
  readonly job: Handle;
  readonly pid: number;
}

export type Completion =
  | { readonly kind: "woken" }
  | {
    readonly kind: "transferred";
    readonly key: number;
    readonly operation: Operation;
    readonly bytes: number;
    readonly failed: boolean;
  }
  /** A process of the job has ended. */
  | { readonly kind: "processEnded"; readonly key: number; readonly pid: number };

/** Keys say whose a completion is; from 1. */
export interface Kernel {
  /** Parks until something is reported. One call at a time. */
  wait(): Promise<readonly Completion[]>;
  wake(): void;
  createPipe(direction: "read" | "write", key: number): Result<Pipe, KernelError>;
  createConsole(size: PtySize, pipes: { readonly input: Handle; readonly output: Handle }): Result<Handle, KernelError>;
  resizeConsole(console: Handle, size: PtySize): void;
  /** Ends the programs on it; older systems return only when all output was read. */
  closeConsole(console: Handle): Promise<void>;
  start(options: StartOptions): Result<Started, KernelError>;
  createOperation(bytes: Bytes): Operation;
  /** False when the other side is gone; else a completion will tell. */
  read(pipe: Handle, operation: Operation): boolean;
  write(pipe: Handle, operation: Operation): boolean;
  /** undefined while it runs. */
  exitCode(process: Handle): number | undefined;
  endJob(job: Handle): void;
  /** Operations under way are ended, and report so. */
  close(handle: Handle): void;
  /** Must not be called while parked. */
  dispose(): void;
}
