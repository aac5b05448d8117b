/**
 * The numbers in which Linux and macOS differ, one table each. Linux: glibc 2.36 headers, the same on x64 and arm64
 * unless said otherwise. macOS: XNU and Libc headers; written from them, not run.
 */
export interface UnixPlatform {
  readonly os: "linux" | "darwin";
  readonly library: string;
  readonly flags: {
    readonly openMaster: number;
    readonly openSlave: number;
    readonly readWrite: number;
    readonly spawn: number;
  };
  readonly requests: {
    readonly setWindowSize: bigint;
    /** Set on the master after it is opened, where posix_openpt takes no such flags. */
    readonly closeOnExec?: bigint;
    readonly nonBlocking?: bigint;
  };
  readonly termios: {
    readonly bytes: number;
    /** c_iflag comes first on both; the erase key takes whole UTF-8 characters when this bit is set. */
    readonly inputIsUtf8: number;
  };
  readonly signalSetBytes: number;
  readonly signals: {
    readonly hangUp: number;
    readonly kill: number;
    readonly resume: number;
    /** Their action cannot be set, so they are left out of the set of defaults. */
    readonly unsettable: readonly number[];
  };
  readonly errors: {
    readonly notFound: number;
    readonly interrupted: number;
    readonly notAProgram: number;
    readonly wouldBlock: number;
    readonly notPermitted: number;
    readonly invalid: number;
  };
  /** "shell": the new session begins after the file actions, so a shell opens the terminal for the program. */
  readonly controllingTerminal: "fileAction" | "shell";
  /** Variadic arguments (ioctl's third) go on the stack although registers are free. */
  readonly variadicOnStack: boolean;
}

const O_RDWR = 2;
// sysexits of errno.h that are the same on both.
const SAME_ERRORS = { notFound: 2, interrupted: 4, notAProgram: 8, notPermitted: 13, invalid: 22 };

/** asm-generic/fcntl.h, ioctls.h, termbits.h, errno.h; spawn.h of glibc. */
const LINUX: UnixPlatform = {
  os: "linux",
  library: "libc.so.6",
  flags: {
    // O_RDWR | O_NOCTTY 0o400 | O_NONBLOCK 0o4000 | O_CLOEXEC 0o2000000
    openMaster: O_RDWR | 0o400 | 0o4000 | 0o2000000,
    openSlave: O_RDWR | 0o400 | 0o2000000,
    readWrite: O_RDWR,
    // POSIX_SPAWN_SETSIGDEF | SETSIGMASK | SETSID
    spawn: 0x04 | 0x08 | 0x80,
  },
  requests: { setWindowSize: 0x5414n },
  termios: { bytes: 60, inputIsUtf8: 0x4000 },
  signalSetBytes: 128,
  signals: { hangUp: 1, kill: 9, resume: 18, unsettable: [9, 19] },
  errors: { ...SAME_ERRORS, wouldBlock: 11 },
  controllingTerminal: "fileAction",
  variadicOnStack: false,
};

/** sys/fcntl.h, sys/ttycom.h, sys/filio.h, sys/termios.h, sys/signal.h, sys/errno.h, sys/spawn.h of XNU. */
const MACOS: UnixPlatform = {
  os: "darwin",
  library: "/usr/lib/libSystem.B.dylib",
  flags: {
    // O_RDWR | O_NOCTTY 0x20000; the others by ioctl, since posix_openpt promises these two only.
    openMaster: O_RDWR | 0x20000,
    // ... | O_CLOEXEC 0x1000000
    openSlave: O_RDWR | 0x20000 | 0x1000000,
    readWrite: O_RDWR,
    // POSIX_SPAWN_SETSIGDEF | SETSIGMASK | SETSID 0x400 | CLOEXEC_DEFAULT 0x4000
    spawn: 0x04 | 0x08 | 0x400 | 0x4000,
  },
  requests: {
    // _IOW('t', 103, struct winsize), _IO('f', 1), _IOW('f', 126, int)
    setWindowSize: 0x80087467n,
    closeOnExec: 0x20006601n,
    nonBlocking: 0x8004667en,
  },
  termios: { bytes: 72, inputIsUtf8: 0x4000 },
  signalSetBytes: 4,
  signals: { hangUp: 1, kill: 9, resume: 19, unsettable: [9, 17] },
  errors: { ...SAME_ERRORS, wouldBlock: 35 },
  controllingTerminal: "shell",
  variadicOnStack: false,
};

export function unixPlatform(os: string, arch: string): UnixPlatform | undefined {
  switch (os) {
    case "linux":
      return LINUX;
    case "darwin":
      // Apple's ABI for arm64, "Update code that passes arguments to variadic functions".
      return { ...MACOS, variadicOnStack: arch === "aarch64" };
    default:
      return undefined;
  }
}
