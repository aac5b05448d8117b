/**
 * Structures of the Windows API as bytes, for 64-bit Windows (x64 and arm64 are the same). Sizes and offsets follow from
 * the declarations in the Windows SDK, named at each; handles and pointers are 8 bytes.
 */
import type { PtySize } from "../../../core/ports/pty.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Zero-terminated UTF-16, little-endian. */
export function utf16(text: string): Bytes {
  const bytes = new Uint8Array((text.length + 1) * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), true);
  return bytes;
}

/** COORD (wincontypes.h), passed by value: X in the low half, Y in the high one. */
export function packCoord({ cols, rows }: PtySize): number {
  return ((rows << 16) | cols) >>> 0;
}

/** STARTUPINFOEXW (winbase.h, processthreadsapi.h): STARTUPINFOW of 104 bytes, then lpAttributeList. */
export const STARTUP_INFO_BYTES = 112;
const STARTF_USESTDHANDLES = 0x100;

export function startupInfo(attributeList: bigint): Bytes {
  const bytes = new Uint8Array(STARTUP_INFO_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, STARTUP_INFO_BYTES, true); // cb
  // With null handles: else a program would get what our own output was redirected to, instead of its console.
  view.setUint32(60, STARTF_USESTDHANDLES, true); // dwFlags
  view.setBigUint64(104, attributeList, true);
  return bytes;
}

/** PROCESS_INFORMATION (processthreadsapi.h): hProcess, hThread, dwProcessId, dwThreadId. */
export const PROCESS_INFORMATION_BYTES = 24;

export function parseProcessInformation(bytes: Bytes): {
  readonly process: bigint;
  readonly thread: bigint;
  readonly pid: number;
} {
  const view = new DataView(bytes.buffer);
  return {
    process: view.getBigUint64(0, true),
    thread: view.getBigUint64(8, true),
    pid: view.getUint32(16, true),
  };
}

/** OVERLAPPED (minwinbase.h): Internal (an NTSTATUS), InternalHigh (bytes transferred), Offset, OffsetHigh, hEvent. */
export const OVERLAPPED_BYTES = 32;

export function parseOverlapped(bytes: Bytes): { readonly status: number; readonly transferred: number } {
  const view = new DataView(bytes.buffer);
  return { status: view.getUint32(0, true), transferred: view.getUint32(8, true) };
}

/** OVERLAPPED_ENTRY (minwinbase.h): lpCompletionKey, lpOverlapped, Internal, dwNumberOfBytesTransferred, padding. */
export const OVERLAPPED_ENTRY_BYTES = 32;

export interface OverlappedEntry {
  readonly key: number;
  /** An address, or a process id when a job wrote it. */
  readonly overlapped: bigint;
  /** Bytes, or the number of a job's message. */
  readonly transferred: number;
}

export function parseOverlappedEntries(bytes: Bytes, count: number): readonly OverlappedEntry[] {
  const view = new DataView(bytes.buffer);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * OVERLAPPED_ENTRY_BYTES;
    return {
      key: Number(view.getBigUint64(offset, true)),
      overlapped: view.getBigUint64(offset + 8, true),
      transferred: view.getUint32(offset + 24, true),
    };
  });
}

/** JOBOBJECT_ASSOCIATE_COMPLETION_PORT (winnt.h): CompletionKey, CompletionPort. */
export function jobPort(key: number, port: bigint): Bytes {
  return new Uint8Array(new BigUint64Array([BigInt(key), port]).buffer);
}
