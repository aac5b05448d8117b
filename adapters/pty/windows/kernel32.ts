/**
 * The kernel port on kernel32.dll, from Microsoft's documentation of each function. Opened when the first terminal is.
 *
 * Pipes have names because only such can be used without a thread each: our end is made with FILE_FLAG_OVERLAPPED, the
 * console's is opened as its client, for blocking use.
 */
import { err, ok, type Result } from "../../../core/result.ts";
import {
  jobPort,
  OVERLAPPED_BYTES,
  OVERLAPPED_ENTRY_BYTES,
  packCoord,
  parseOverlapped,
  parseOverlappedEntries,
  parseProcessInformation,
  PROCESS_INFORMATION_BYTES,
  startupInfo,
  utf16,
} from "./layout.ts";
import type { Completion, Handle, Kernel, KernelError, Operation, Started, StartOptions } from "./kernel.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const SYMBOLS = {
  AssignProcessToJobObject: { parameters: ["usize", "usize"], result: "i32" },
  CancelIoEx: { parameters: ["usize", "pointer"], result: "i32" },
  CloseHandle: { parameters: ["usize"], result: "i32" },
  ClosePseudoConsole: { parameters: ["usize"], result: "void", nonblocking: true },
  CreateFileW: { parameters: ["buffer", "u32", "u32", "pointer", "u32", "u32", "usize"], result: "usize" },
  CreateIoCompletionPort: { parameters: ["usize", "usize", "usize", "u32"], result: "usize" },
  CreateJobObjectW: { parameters: ["pointer", "pointer"], result: "usize" },
  CreateNamedPipeW: { parameters: ["buffer", "u32", "u32", "u32", "u32", "u32", "u32", "pointer"], result: "usize" },
  CreateProcessW: {
    parameters: ["buffer", "buffer", "pointer", "pointer", "i32", "u32", "buffer", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  CreatePseudoConsole: { parameters: ["u32", "usize", "usize", "u32", "buffer"], result: "i32" },
  DeleteProcThreadAttributeList: { parameters: ["buffer"], result: "void" },
  GetExitCodeProcess: { parameters: ["usize", "buffer"], result: "i32" },
  GetLastError: { parameters: [], result: "u32" },
  GetQueuedCompletionStatusEx: {
    parameters: ["usize", "buffer", "u32", "buffer", "u32", "i32"],
    result: "i32",
    nonblocking: true,
  },
  InitializeProcThreadAttributeList: { parameters: ["buffer", "u32", "u32", "buffer"], result: "i32" },
  PostQueuedCompletionStatus: { parameters: ["usize", "u32", "usize", "pointer"], result: "i32" },
  ReadFile: { parameters: ["usize", "buffer", "u32", "pointer", "buffer"], result: "i32" },
  ResizePseudoConsole: { parameters: ["usize", "u32"], result: "i32" },
  ResumeThread: { parameters: ["usize"], result: "u32" },
  SetInformationJobObject: { parameters: ["usize", "i32", "buffer", "u32"], result: "i32" },
  TerminateJobObject: { parameters: ["usize", "u32"], result: "i32" },
  TerminateProcess: { parameters: ["usize", "u32"], result: "i32" },
  UpdateProcThreadAttribute: {
    parameters: ["buffer", "u32", "usize", "usize", "usize", "pointer", "pointer"],
    result: "i32",
  },
  WaitForSingleObject: { parameters: ["usize", "u32"], result: "u32" },
  WriteFile: { parameters: ["usize", "buffer", "u32", "pointer", "buffer"], result: "i32" },
} as const;

const INVALID_HANDLE = 0xffff_ffff_ffff_ffffn;
const ERROR_IO_PENDING = 997;
const INFINITE = 0xffff_ffff;
const STATUS_SUCCESS = 0;

// CreateNamedPipeW: access, flags, type; one instance, ours to open first, from this machine only.
const PIPE_ACCESS = { read: 0x1, write: 0x2 };
const FILE_FLAG_OVERLAPPED = 0x4000_0000;
const FILE_FLAG_FIRST_PIPE_INSTANCE = 0x0008_0000;
const PIPE_REJECT_REMOTE_CLIENTS = 0x8;
const PIPE_BUFFER_BYTES = 64 * 1024;
// CreateFileW: what the console does with its end is the other thing than we do with ours.
const CLIENT_ACCESS = { read: 0x4000_0000, write: 0x8000_0000 };
const OPEN_EXISTING = 3;

const PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE = 0x0002_0016n;
const EXTENDED_STARTUPINFO_PRESENT = 0x0008_0000;
const CREATE_UNICODE_ENVIRONMENT = 0x400;
const CREATE_SUSPENDED = 0x4;

const JOB_ASSOCIATE_COMPLETION_PORT = 7;
const JOB_OBJECT_MSG_EXIT_PROCESS = 7;
const JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS = 8;

// A job's report has a process id where a pipe's has an address, so they must not be taken for each other.
const WAKE_KEY = 0;
const pipeKey = (key: number) => key * 2;
const jobKey = (key: number) => key * 2 + 1;
const isJobKey = (key: number) => key % 2 === 1;
const ownKey = (key: number) => Math.floor(key / 2);
const MAX_ENTRIES = 64;
/** What a killed program's exit code is, as of the system's own taskkill. */
const KILLED_CODE = 1;

export function openKernel32(libraryName = "kernel32.dll"): Kernel {
  const library = Deno.dlopen(libraryName, SYMBOLS);
  const k32 = library.symbols;
  const failed = (call: string): Result<never, KernelError> => err({ call, code: k32.GetLastError() });

  const port = k32.CreateIoCompletionPort(INVALID_HANDLE, 0n, 0n, 0);
  if (port === 0n) throw new Error(`CreateIoCompletionPort: ${k32.GetLastError()}`);
  const entries = new Uint8Array(MAX_ENTRIES * OVERLAPPED_ENTRY_BYTES);
  const count = new Uint32Array(1);
  const countBytes = new Uint8Array(count.buffer);
  /** By the address of its OVERLAPPED: also what keeps the memory, until the system has reported. */
  const underWay = new Map<bigint, Operation>();

  function begin(operation: Operation, start: () => number): boolean {
    operation.overlapped.fill(0);
    const address = addressOf(operation.overlapped);
    underWay.set(address, operation);
    // Done at once or later, a completion is reported; only a failure is not.
    if (start() !== 0 || k32.GetLastError() === ERROR_IO_PENDING) return true;
    underWay.delete(address);
    return false;
  }

  function toCompletion(entry: ReturnType<typeof parseOverlappedEntries>[number]): Completion[] {
    if (entry.key === WAKE_KEY) return [{ kind: "woken" }];
    const key = ownKey(entry.key);
    if (isJobKey(entry.key)) {
      const hasEnded = entry.transferred === JOB_OBJECT_MSG_EXIT_PROCESS ||
        entry.transferred === JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS;
      return hasEnded ? [{ kind: "processEnded", key, pid: Number(entry.overlapped) }] : [];
    }
    const operation = underWay.get(entry.overlapped);
    if (operation === undefined) return [];
    underWay.delete(entry.overlapped);
    const { status, transferred } = parseOverlapped(operation.overlapped);
    return [{ kind: "transferred", key, operation, bytes: transferred, failed: status !== STATUS_SUCCESS }];
  }

  function createJob(key: number): Result<Handle, KernelError> {
    const job = k32.CreateJobObjectW(null, null);
    if (job === 0n) return failed("CreateJobObjectW");
    const association = jobPort(jobKey(key), port);
    const isSet =
      k32.SetInformationJobObject(job, JOB_ASSOCIATE_COMPLETION_PORT, association, association.length) !== 0;
    if (isSet) return ok(job);
    const failure = failed("SetInformationJobObject");
    k32.CloseHandle(job);
    return failure;
  }

  function attributeList(console: Handle): Bytes | undefined {
    const size = new BigUint64Array(1);
    const sizeBytes = new Uint8Array(size.buffer);
    // Fails by design, and tells how much is needed.
    k32.InitializeProcThreadAttributeList(null, 1, 0, sizeBytes);
    const list = new Uint8Array(Number(size[0] ?? 0n));
    if (k32.InitializeProcThreadAttributeList(list, 1, 0, sizeBytes) === 0) return undefined;
    const attribute = PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE;
    return k32.UpdateProcThreadAttribute(list, 0, attribute, console, 8n, null, null) === 0 ? undefined : list;
  }

  function createProcess(options: StartOptions): Result<ReturnType<typeof parseProcessInformation>, KernelError> {
    const list = attributeList(options.console);
    if (list === undefined) return failed("UpdateProcThreadAttribute");
    const information = new Uint8Array(PROCESS_INFORMATION_BYTES);
    const created = k32.CreateProcessW(
      utf16(options.application),
      utf16(options.line),
      null,
      null,
      0,
      EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_SUSPENDED,
      options.environment,
      utf16(options.folder),
      startupInfo(addressOf(list)),
      information,
    );
    const result = created === 0 ? failed("CreateProcessW") : ok(parseProcessInformation(information));
    k32.DeleteProcThreadAttributeList(list);
    return result;
  }

  /** Suspended until it is in its job, so that nothing it starts can be outside. */
  function start(options: StartOptions): Result<Started, KernelError> {
    const job = createJob(options.key);
    if (!job.ok) return job;
    const created = createProcess(options);
    if (!created.ok) {
      k32.CloseHandle(job.value);
      return created;
    }
    const { process, thread, pid } = created.value;
    if (k32.AssignProcessToJobObject(job.value, process) === 0) {
      const failure = failed("AssignProcessToJobObject");
      k32.TerminateProcess(process, KILLED_CODE);
      for (const handle of [thread, process, job.value]) k32.CloseHandle(handle);
      return failure;
    }
    k32.ResumeThread(thread);
    k32.CloseHandle(thread);
    return ok({ process, job: job.value, pid });
  }

  return {
    async wait() {
      const done = await k32.GetQueuedCompletionStatusEx(port, entries, MAX_ENTRIES, countBytes, INFINITE, 0);
      return done === 0 ? [] : parseOverlappedEntries(entries, count[0] ?? 0).flatMap(toCompletion);
    },
    wake() {
      k32.PostQueuedCompletionStatus(port, 0, BigInt(WAKE_KEY), null);
    },
    createPipe(direction, key) {
      const name = utf16(`\\\\.\\pipe\\idea-${crypto.randomUUID()}`);
      const ours = k32.CreateNamedPipeW(
        name,
        PIPE_ACCESS[direction] | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
        PIPE_REJECT_REMOTE_CLIENTS,
        1,
        PIPE_BUFFER_BYTES,
        PIPE_BUFFER_BYTES,
        0,
        null,
      );
      if (ours === INVALID_HANDLE) return failed("CreateNamedPipeW");
      const theirs = k32.CreateFileW(name, CLIENT_ACCESS[direction], 0, null, OPEN_EXISTING, 0, 0n);
      if (theirs !== INVALID_HANDLE && k32.CreateIoCompletionPort(ours, port, BigInt(pipeKey(key)), 0) !== 0n) {
        return ok({ ours, theirs });
      }
      const failure = failed(theirs === INVALID_HANDLE ? "CreateFileW" : "CreateIoCompletionPort");
      if (theirs !== INVALID_HANDLE) k32.CloseHandle(theirs);
      k32.CloseHandle(ours);
      return failure;
    },
    createConsole(size, { input, output }) {
      const console = new BigUint64Array(1);
      const code = k32.CreatePseudoConsole(packCoord(size), input, output, 0, new Uint8Array(console.buffer));
      return code === 0 ? ok(console[0] ?? 0n) : err({ call: "CreatePseudoConsole", code });
    },
    resizeConsole(console, size) {
      k32.ResizePseudoConsole(console, packCoord(size));
    },
    closeConsole: (console) => k32.ClosePseudoConsole(console),
    start,
    createOperation: (bytes) => ({ bytes, overlapped: new Uint8Array(OVERLAPPED_BYTES) }),
    read: (pipe, operation) =>
      begin(
        operation,
        () => k32.ReadFile(pipe, operation.bytes, operation.bytes.length, null, operation.overlapped),
      ),
    write: (pipe, operation) =>
      begin(
        operation,
        () => k32.WriteFile(pipe, operation.bytes, operation.bytes.length, null, operation.overlapped),
      ),
    exitCode(process) {
      // An exit code of 259 means "still active" to GetExitCodeProcess, so the process itself is asked.
      if (k32.WaitForSingleObject(process, 0) !== 0) return undefined;
      const code = new Uint32Array(1);
      k32.GetExitCodeProcess(process, new Uint8Array(code.buffer));
      return code[0] ?? 0;
    },
    endJob(job) {
      k32.TerminateJobObject(job, KILLED_CODE);
    },
    close(handle) {
      k32.CancelIoEx(handle, null);
      k32.CloseHandle(handle);
    },
    dispose() {
      k32.CloseHandle(port);
      library.close();
    },
  };
}

function addressOf(bytes: Bytes): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
}
