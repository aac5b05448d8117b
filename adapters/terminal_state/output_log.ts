/**
 * The output of one session since a known state: chunks of bytes and size changes, by offset. Chunks are packed into
 * blocks, so that a thousand short writes cost no thousand arrays.
 */
import type { PtySize } from "../../core/ports/pty.ts";
import type { SnapshotPart } from "../../core/ports/terminal_state.ts";

const BLOCK_BYTES = 64 * 1024;

interface Block {
  readonly kind: "bytes";
  /** Offset of its first byte. */
  readonly start: number;
  readonly bytes: Uint8Array;
  length: number;
}

interface Resize {
  readonly kind: "resize";
  readonly start: number;
  readonly size: PtySize;
}

export interface OutputLog {
  /** Copies the bytes. */
  append(bytes: Uint8Array): void;
  appendResize(size: PtySize): void;
  startOffset(): number;
  endOffset(): number;
  /** What came from one offset up to another, size changes at `from` included; views, not copies. */
  slice(from: number, to: number): readonly SnapshotPart[];
}

export function createOutputLog(): OutputLog {
  const entries: (Block | Resize)[] = [];
  let end = 0;
  return {
    append(bytes) {
      let at = 0;
      while (at < bytes.length) {
        let last = entries.at(-1);
        if (last?.kind !== "bytes" || last.length === last.bytes.length) {
          // Small at first: most sessions say little.
          const room = Math.min(
            BLOCK_BYTES,
            Math.max(1024, bytes.length - at, last?.kind === "bytes" ? last.length * 2 : 0),
          );
          last = { kind: "bytes", start: end, bytes: new Uint8Array(room), length: 0 };
          entries.push(last);
        }
        const count = Math.min(bytes.length - at, last.bytes.length - last.length);
        last.bytes.set(bytes.subarray(at, at + count), last.length);
        last.length += count;
        at += count;
        end += count;
      }
    },
    appendResize(size) {
      entries.push({ kind: "resize", start: end, size });
    },
    startOffset: () => 0,
    endOffset: () => end,
    slice(from, to) {
      const parts: SnapshotPart[] = [];
      for (const entry of entries) {
        if (entry.kind === "resize") {
          if (entry.start >= from && entry.start <= to) parts.push({ kind: "resize", size: entry.size });
          continue;
        }
        const first = Math.max(from - entry.start, 0);
        const last = Math.min(to - entry.start, entry.length);
        if (first < last) parts.push({ kind: "bytes", bytes: entry.bytes.subarray(first, last) });
      }
      return parts;
    },
  };
}
