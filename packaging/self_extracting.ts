/**
 * One file that runs anywhere without an installation, made of npm parts only. On Linux and macOS: a shell script of
 * HEADER_BYTES, then two gzipped archives, the runtime and the app, each unpacked once under its own hash, so that a new
 * version of the app does not unpack the runtime again. On Windows: the stub of npm's caxa, one archive, and its footer.
 *
 * gzip because xz and zstd are not on every machine.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { concat, createTar, type TarEntry } from "./tar.ts";
import { denoName, type Target } from "./target.ts";

export interface Packed {
  /** Of the content before compression. */
  readonly hash: string;
  readonly gzipped: Uint8Array;
}

export interface LauncherOptions {
  /** Name of the program and of its cache folder. */
  readonly name: string;
  readonly version: string;
  readonly target: Target;
  /** Flags of `deno run`. */
  readonly flags: readonly string[];
  /** header.sh */
  readonly template: string;
  readonly runtime: Packed;
  readonly app: Packed;
}

const HEADER_BYTES = 4096;
const HASH_CHARS = 16;
/** The launcher takes a folder without it for a damaged one. */
const WHOLE: TarEntry = { name: ".whole", bytes: new TextEncoder().encode("whole\n"), mode: 0o644 };

export function pack(entries: readonly TarEntry[]): Packed {
  const tar = createTar([...entries, WHOLE]);
  return { hash: hashOf(tar), gzipped: gzipSync(tar) };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, HASH_CHARS);
}

export function createShellExecutable(options: LauncherOptions): Uint8Array {
  const { runtime, app } = options;
  const values: Readonly<Record<string, string>> = {
    NAME: options.name,
    VERSION: options.version,
    TARGET: `${options.target.os}-${options.target.arch}`,
    UNAME: options.target.uname,
    CACHE: options.target.os === "macos" ? "Library/Caches" : ".cache",
    LIBC: libcCheck(options.target),
    RUNTIMEHASH: runtime.hash,
    // `tail -c +N` counts from 1.
    RUNTIMEAT: String(HEADER_BYTES + 1),
    RUNTIMESIZE: String(runtime.gzipped.length),
    APPHASH: app.hash,
    APPAT: String(HEADER_BYTES + 1 + runtime.gzipped.length),
    APPSIZE: String(app.gzipped.length),
    FLAGS: options.flags.map(quote).join(" "),
  };
  const script = options.template.replace(
    /@([A-Z]+)@/g,
    (_, key: string) => values[key] ?? fail(`no value for ${key}`),
  );
  const header = new TextEncoder().encode(script);
  if (header.length >= HEADER_BYTES) fail(`the header is ${header.length} bytes, more than ${HEADER_BYTES}`);
  const rest = new TextEncoder().encode(`${"#".repeat(HEADER_BYTES - header.length - 1)}\n`);
  return concat([header, rest, runtime.gzipped, app.gzipped]);
}

export interface WindowsOptions {
  readonly name: string;
  readonly target: Target;
  readonly flags: readonly string[];
  /** caxa's stub.exe: unpacks the archive behind it into the temporary folder once, and runs the footer's command. */
  readonly stub: Uint8Array;
  readonly runtime: TarEntry;
  readonly app: readonly TarEntry[];
}

export function createWindowsExecutable(options: WindowsOptions): Uint8Array {
  const { hash, gzipped } = pack([options.runtime, ...options.app]);
  const command = [`{{caxa}}/${denoName(options.target)}`, "run", ...options.flags, "{{caxa}}/main.js"];
  const footer = JSON.stringify({ identifier: `${options.name}/${hash}`, command });
  return concat([options.stub, gzipped, new TextEncoder().encode(`\n${footer}`)]);
}

/** A system without glibc says so in one line, not by "not found" for a file that is there. */
function libcCheck({ os, arch }: Target): string {
  if (os !== "linux") return ":";
  const loader = arch === "x64" ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1";
  return `[ -e ${loader} ] || die "needs a system with glibc"`;
}

function quote(flag: string): string {
  return /^[\w=.,:-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", `'\\''`)}'`;
}

function fail(message: string): never {
  throw new Error(message);
}
