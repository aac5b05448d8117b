/** Pseudo-terminals of this machine. Nothing is loaded before the first terminal is opened. */
import { err } from "../../core/result.ts";
import type { Pty } from "../../core/ports/pty.ts";
import { unixPlatform } from "./unix/platform.ts";
import { createUnixPty } from "./unix/pty.ts";
import { openKernel32 } from "./windows/kernel32.ts";
import { createWindowsPty } from "./windows/pty.ts";

export function createPty(): Pty {
  const { os, arch } = Deno.build;
  if (os === "windows") return createWindowsPty({ openKernel: openKernel32, files: { isFile, isFolder } });
  const unix = unixPlatform(os, arch);
  return unix === undefined ? createUnsupportedPty(os) : createUnixPty(unix);
}

function isFile(path: string): boolean {
  return info(path)?.isFile ?? false;
}

function isFolder(path: string): boolean {
  return info(path)?.isDirectory ?? false;
}

function info(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function createUnsupportedPty(platform: string): Pty {
  return {
    spawn: () => err({ kind: "unsupportedPlatform", platform }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
