/**
 * The system's C library through FFI, as plain functions. Opened when the first terminal is, never at import.
 *
 * Every call here returns at once; the one that waits (the poller's) is in poller files. A negative result means that
 * errno() tells why, and it must be read before anything else is called.
 */
import type { UnixPlatform } from "./platform.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type Libc = ReturnType<typeof openLibc>;

// Results of read and write fit in 32 bits: they are bounded by the length asked for, which is far below.
const SYMBOLS = {
  posix_openpt: { parameters: ["i32"], result: "i32" },
  grantpt: { parameters: ["i32"], result: "i32" },
  unlockpt: { parameters: ["i32"], result: "i32" },
  ptsname_r: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  write: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  ppoll: { parameters: ["buffer", "usize", "buffer", "pointer"], result: "i32", optional: true },
  access: { parameters: ["buffer", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  // Six arguments fill the registers, so that the seventh is where a variadic function of Apple's arm64 looks for it.
  ioctl_stack: {
    name: "ioctl",
    parameters: ["i32", "u64", "u64", "u64", "u64", "u64", "u64", "u64", "buffer"],
    result: "i32",
  },
  tcgetattr: { parameters: ["i32", "buffer"], result: "i32" },
  tcsetattr: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  tcgetpgrp: { parameters: ["i32"], result: "i32" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
  getsid: { parameters: ["i32"], result: "i32" },
  waitpid: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  posix_spawn: { parameters: ["buffer", "buffer", "buffer", "buffer", "buffer", "buffer"], result: "i32" },
  posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_addopen: { parameters: ["buffer", "i32", "buffer", "i32", "u32"], result: "i32" },
  posix_spawn_file_actions_adddup2: { parameters: ["buffer", "i32", "i32"], result: "i32" },
  // glibc 2.29, macOS 10.15
  posix_spawn_file_actions_addchdir_np: { parameters: ["buffer", "buffer"], result: "i32", optional: true },
  // glibc 2.34
  posix_spawn_file_actions_addclosefrom_np: { parameters: ["buffer", "i32"], result: "i32", optional: true },
  posix_spawnattr_init: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_setflags: { parameters: ["buffer", "i16"], result: "i32" },
  posix_spawnattr_setsigdefault: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_setsigmask: { parameters: ["buffer", "buffer"], result: "i32" },
  __errno_location: { parameters: [], result: "pointer", optional: true },
  __error: { parameters: [], result: "pointer", optional: true },
  opendir: { parameters: ["buffer"], result: "pointer" },
  readdir: { parameters: ["pointer"], result: "pointer" },
  closedir: { parameters: ["pointer"], result: "i32" },
  proc_listallpids: { parameters: ["buffer", "i32"], result: "i32", optional: true },
} as const;

export function openLibc(platform: UnixPlatform) {
  const library = Deno.dlopen(platform.library, SYMBOLS);
  const { symbols } = library;
  const errno = openErrno(symbols.__errno_location?.() ?? symbols.__error?.() ?? null);
  const pollRequest = new Int32Array(2);
  const pollBytes = new Uint8Array(pollRequest.buffer);
  const patience = new BigInt64Array(2);
  const patienceBytes = new Uint8Array(patience.buffer);

  return {
    platform,
    symbols,
    errno,
    ioctl(fd: number, request: bigint, argument: Bytes): number {
      return platform.variadicOnStack
        ? symbols.ioctl_stack(fd, request, 0n, 0n, 0n, 0n, 0n, 0n, argument)
        : symbols.ioctl(fd, request, argument);
    },
    /** Blocks, for at most this long, until fd can be read. */
    awaitReadable(fd: number, atMostUs: number): boolean {
      pollRequest[0] = fd;
      pollRequest[1] = POLLIN;
      if (symbols.ppoll === null) return symbols.poll(pollBytes, 1n, Math.ceil(atMostUs / 1_000)) > 0;
      patience[1] = BigInt(atMostUs * 1_000);
      return symbols.ppoll(pollBytes, 1n, patienceBytes, null) > 0;
    },
    close(): void {
      library.close();
    },
  };
}

const POLLIN = 1;

/** errno is one per thread: this is the calling thread's own word, seen without a call. */
function openErrno(location: Deno.PointerValue): () => number {
  if (location === null) throw new Error("the C library has no errno");
  const view = new Int32Array(Deno.UnsafePointerView.getArrayBuffer(location, 4));
  return () => view[0] ?? 0;
}
