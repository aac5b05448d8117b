/** Pseudo-terminals of this machine. Nothing is loaded before the first terminal is opened. */
import { err } from "../../core/result.ts";
import type { Pty } from "../../core/ports/pty.ts";
import { unixPlatform } from "./unix/platform.ts";
import { createUnixPty } from "./unix/pty.ts";

export function createPty(): Pty {
  const { os, arch } = Deno.build;
  const unix = unixPlatform(os, arch);
  return unix === undefined ? createUnsupportedPty(os) : createUnixPty(unix);
}

function createUnsupportedPty(platform: string): Pty {
  return {
    spawn: () => err({ kind: "unsupportedPlatform", platform }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
