/** Makes a pseudo-console and starts a program on it; what was made is undone when a later step fails. */
import { err, ok, type Result } from "../../../core/result.ts";
import type { PtySize } from "../../../core/ports/pty.ts";
import type { Handle, Kernel, KernelError, Started } from "./kernel.ts";

export interface ConsoleProgram {
  readonly application: string;
  readonly line: string;
  readonly folder: string;
  readonly environment: Uint8Array<ArrayBuffer>;
}

export interface ConsoleSession {
  readonly console: Handle;
  readonly input: Handle;
  readonly output: Handle;
  readonly started: Started;
}

export function startOnConsole(
  kernel: Kernel,
  program: ConsoleProgram,
  { key, size }: { readonly key: number; readonly size: PtySize },
): Result<ConsoleSession, KernelError> {
  const undo: (() => void)[] = [];
  const failed = (error: KernelError): Result<never, KernelError> => {
    for (const step of undo.reverse()) step();
    return err(error);
  };
  const input = kernel.createPipe("write", key);
  if (!input.ok) return failed(input.error);
  undo.push(() => kernel.close(input.value.ours), () => kernel.close(input.value.theirs));
  const output = kernel.createPipe("read", key);
  if (!output.ok) return failed(output.error);
  undo.push(() => kernel.close(output.value.ours), () => kernel.close(output.value.theirs));
  const console = kernel.createConsole(size, { input: input.value.theirs, output: output.value.theirs });
  if (!console.ok) return failed(console.error);
  undo.push(() => void kernel.closeConsole(console.value));
  const started = kernel.start({ ...program, console: console.value, key });
  if (!started.ok) return failed(started.error);
  // The console has its own by now, and the output must end with it.
  kernel.close(input.value.theirs);
  kernel.close(output.value.theirs);
  return ok({
    console: console.value,
    input: input.value.ours,
    output: output.value.ours,
    started: started.value,
  });
}

/** What kernel errors of a start mean; from winerror.h. */
export function startErrorKind(
  { code }: KernelError,
): "programNotFound" | "programNotExecutable" | "folderNotFound" | "other" {
  switch (code) {
    case 2: // ERROR_FILE_NOT_FOUND
    case 3: // ERROR_PATH_NOT_FOUND
      return "programNotFound";
    case 5: // ERROR_ACCESS_DENIED
    case 193: // ERROR_BAD_EXE_FORMAT
    case 216: // ERROR_EXE_MACHINE_TYPE_MISMATCH
      return "programNotExecutable";
    case 267: // ERROR_DIRECTORY
      return "folderNotFound";
    default:
      return "other";
  }
}
