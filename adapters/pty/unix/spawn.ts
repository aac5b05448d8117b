/**
 * Starts a program on a new pseudo-terminal: new session, the terminal its controlling one, default signals, no
 * descriptor but the terminal.
 *
 * We keep the program's end of the terminal open as well, until the program was reaped. So the terminal does not hang
 * up when a program closes its own end for a while, its size can be set on macOS, and all output that came before the
 * end can still be read.
 */
import { err, ok, type Result } from "../../../core/result.ts";
import type { PtySpawnError } from "../../../core/ports/pty.ts";
import { cString, cStrings, fromCString } from "./c_strings.ts";
import type { Libc } from "./libc.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Terminal {
  /** Ours: non-blocking, closed on exec. */
  readonly master: number;
  /** The program's end, held open by us too. */
  readonly slave: number;
  readonly name: string;
}

export interface Program {
  /** Absolute. */
  readonly path: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

type SystemError = Extract<PtySpawnError, { kind: "system" }>;

// glibc needs 80 and 336 bytes, macOS a pointer each.
const FILE_ACTIONS_BYTES = 128;
const ATTRIBUTES_BYTES = 512;
const NAME_BYTES = 128;
const TCSANOW = 0;

/** Opens the terminal that "$0" names as this session's, then becomes the program. */
const TAKE_TERMINAL = 'exec 0<>"$0" 1>&0 2>&0; exec "$@"';
/** The same after entering a folder, for C libraries that cannot do it themselves. */
const ENTER_FOLDER = 'cd -- "$0" && exec "$@"';

export function openTerminal(libc: Libc): Result<Terminal, SystemError> {
  const { symbols, platform } = libc;
  const failed = (call: string) => err({ kind: "system", call, code: libc.errno() } as const);

  const master = symbols.posix_openpt(platform.flags.openMaster);
  if (master < 0) return failed("posix_openpt");
  const name = new Uint8Array(NAME_BYTES);
  const prepared = prepareMaster(libc, master);
  const named = prepared !== undefined
    ? prepared
    : symbols.ptsname_r(master, name, BigInt(NAME_BYTES)) !== 0
    ? "ptsname_r"
    : undefined;
  const slave = named === undefined ? symbols.open(name, platform.flags.openSlave) : -1;
  if (slave < 0) {
    const failure = failed(named ?? "open");
    symbols.close(master);
    return failure;
  }
  setInputUtf8(libc, slave);
  return ok({ master, slave, name: fromCString(name) });
}

/** The call that failed, if one did. */
function prepareMaster(libc: Libc, master: number): string | undefined {
  const { symbols, platform: { requests } } = libc;
  if (symbols.grantpt(master) !== 0) return "grantpt";
  if (symbols.unlockpt(master) !== 0) return "unlockpt";
  const on = new Uint8Array(new Int32Array([1]).buffer);
  if (requests.closeOnExec !== undefined && libc.ioctl(master, requests.closeOnExec, on) < 0) return "ioctl FIOCLEX";
  if (requests.nonBlocking !== undefined && libc.ioctl(master, requests.nonBlocking, on) < 0) return "ioctl FIONBIO";
  return undefined;
}

function setInputUtf8(libc: Libc, slave: number): void {
  const { symbols, platform: { termios } } = libc;
  const settings = new Uint8Array(termios.bytes);
  if (symbols.tcgetattr(slave, settings) !== 0) return;
  const view = new DataView(settings.buffer);
  view.setUint32(0, view.getUint32(0, true) | termios.inputIsUtf8, true);
  symbols.tcsetattr(slave, TCSANOW, settings);
}

export function startProgram(libc: Libc, terminal: Terminal, program: Program): Result<number, SystemError> {
  const { symbols, platform } = libc;
  const environment = Object.entries(program.env);
  const texts = [program.path, program.folder, ...program.argv, ...environment.flat()];
  // C strings end at a zero byte: the program would get something else than it was given.
  if (texts.some((text) => text.includes("\0")) || environment.some(([key]) => key === "" || key.includes("="))) {
    return err({ kind: "system", call: "posix_spawn", code: platform.errors.invalid });
  }
  const { path, argv, entersFolder } = wrapped(libc, terminal, program);
  const actions = fileActions(libc, terminal, entersFolder ? program.folder : undefined);
  const attributes = spawnAttributes(libc);
  const pid = new Int32Array(1);
  const code = symbols.posix_spawn(
    new Uint8Array(pid.buffer),
    cString(path),
    actions,
    attributes,
    cStrings(argv),
    cStrings(environment.map(([key, value]) => `${key}=${value}`)),
  );
  symbols.posix_spawn_file_actions_destroy(actions);
  symbols.posix_spawnattr_destroy(attributes);
  return code === 0 && pid[0] !== undefined ? ok(pid[0]) : err({ kind: "system", call: "posix_spawn", code });
}

/** The program as it is, or behind a shell that does what this system's posix_spawn cannot. */
function wrapped({ symbols, platform }: Libc, terminal: Terminal, program: Program) {
  const canEnterFolder = symbols.posix_spawn_file_actions_addchdir_np !== null;
  // A wrapped program's name is its path: exec of a shell looks a name up again, and may find another one.
  const [name = program.path, ...args] = program.argv;
  let argv = [name, ...args];
  let path = program.path;
  if (!canEnterFolder) {
    argv = ["sh", "-c", ENTER_FOLDER, program.folder, program.path, ...args];
    path = "/bin/sh";
  }
  if (platform.controllingTerminal === "shell") {
    argv = ["sh", "-c", TAKE_TERMINAL, terminal.name, path, ...argv.slice(1)];
    path = "/bin/sh";
  }
  return { path, argv, entersFolder: canEnterFolder };
}

function fileActions({ symbols, platform }: Libc, terminal: Terminal, folder: string | undefined): Bytes {
  const actions = new Uint8Array(FILE_ACTIONS_BYTES);
  symbols.posix_spawn_file_actions_init(actions);
  if (folder !== undefined) symbols.posix_spawn_file_actions_addchdir_np?.(actions, cString(folder));
  // The first terminal that a session without one opens becomes its controlling terminal.
  const input = platform.controllingTerminal === "fileAction" ? terminal.name : "/dev/null";
  symbols.posix_spawn_file_actions_addopen(actions, 0, cString(input), platform.flags.readWrite, 0);
  symbols.posix_spawn_file_actions_adddup2(actions, 0, 1);
  symbols.posix_spawn_file_actions_adddup2(actions, 0, 2);
  // Older libraries: everything we and the runtime open is closed on exec.
  symbols.posix_spawn_file_actions_addclosefrom_np?.(actions, 3);
  return actions;
}

/** The runtime ignores SIGPIPE, and a child would inherit that: every signal back to its default, none blocked. */
function spawnAttributes({ symbols, platform }: Libc): Bytes {
  const attributes = new Uint8Array(ATTRIBUTES_BYTES);
  const all = new Uint8Array(platform.signalSetBytes).fill(0xff);
  for (const signal of platform.signals.unsettable) {
    const byte = (signal - 1) >> 3;
    all[byte] = (all[byte] ?? 0) & ~(1 << ((signal - 1) & 7));
  }
  symbols.posix_spawnattr_init(attributes);
  symbols.posix_spawnattr_setsigdefault(attributes, all);
  symbols.posix_spawnattr_setsigmask(attributes, new Uint8Array(platform.signalSetBytes));
  symbols.posix_spawnattr_setflags(attributes, platform.flags.spawn);
  return attributes;
}
