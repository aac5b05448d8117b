/**
 * Signals to all processes of a terminal's session, background jobs in groups of their own among them. A session's
 * number is its first process's id, and the kernel gives that id to nobody else while a process of the session lives.
 */
import { cString } from "./c_strings.ts";
import type { Libc } from "./libc.ts";

/** struct dirent of glibc: d_ino 8, d_off 8, d_reclen 2, d_type 1, then the name. */
const NAME_OFFSET = 19;
const NAME_BYTES = 256;

export interface SessionSignals {
  members(session: number): readonly number[];
  /** SIGHUP to every process of the session; those that are stopped go on, so that they see it. */
  hangUp(session: number): void;
  /** SIGKILL to process groups of the session; nothing when the session has ended and its number is in use again. */
  killGroups(session: number, groups: readonly number[], leaderWasReaped: boolean): void;
  /** Group that has the terminal's keyboard, or undefined. */
  foregroundGroup(terminal: number): number | undefined;
}

export function createSessionSignals(libc: Libc): SessionSignals {
  const { symbols, platform } = libc;
  let sessions: ReadonlyMap<number, readonly number[]> | undefined;

  /** Looked at once however many terminals are closed in one go. */
  function members(session: number): readonly number[] {
    if (sessions === undefined) {
      const pids = platform.os === "linux" ? listProc(libc) : listAllPids(libc);
      sessions = Map.groupBy(pids, (pid) => symbols.getsid(pid));
      queueMicrotask(() => sessions = undefined);
    }
    return sessions.get(session) ?? [];
  }

  return {
    members,
    hangUp(session) {
      for (const pid of members(session)) {
        symbols.kill(pid, platform.signals.hangUp);
        symbols.kill(pid, platform.signals.resume);
      }
    },
    killGroups(session, groups, leaderWasReaped) {
      const living = members(session);
      if (living.length === 0 || (leaderWasReaped && living.includes(session))) return;
      for (const group of new Set(groups)) symbols.kill(-group, platform.signals.kill);
    },
    foregroundGroup(terminal) {
      const group = symbols.tcgetpgrp(terminal);
      return group > 1 ? group : undefined;
    },
  };
}

/** Read by the C library: the runtime asks for full permissions before it opens anything in /proc. */
function listProc({ symbols }: Libc): readonly number[] {
  const directory = symbols.opendir(cString("/proc"));
  if (directory === null) return [];
  const pids: number[] = [];
  for (let entry = symbols.readdir(directory); entry !== null; entry = symbols.readdir(directory)) {
    const name = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(entry, NAME_BYTES, NAME_OFFSET));
    const pid = parsePid(name);
    if (pid !== undefined) pids.push(pid);
  }
  symbols.closedir(directory);
  return pids;
}

/** Looks no further than the zero at the end: what follows it may not be ours to read. */
function parsePid(name: Uint8Array): number | undefined {
  let pid = 0;
  for (const byte of name) {
    if (byte === 0) return pid;
    if (byte < 0x30 || byte > 0x39) return undefined;
    pid = pid * 10 + byte - 0x30;
  }
  return undefined;
}

/** libproc.h of macOS: asked without a buffer it tells how many there are. */
function listAllPids({ symbols }: Libc): readonly number[] {
  if (symbols.proc_listallpids === null) return [];
  const pids = new Int32Array(symbols.proc_listallpids(null, 0) + 64);
  const count = symbols.proc_listallpids(new Uint8Array(pids.buffer), pids.byteLength);
  return [...pids.subarray(0, Math.max(0, count))].filter((pid) => pid > 0);
}
