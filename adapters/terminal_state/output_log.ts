/**
 * The output of one session: how its state at some offset is rebuilt (the base), and the raw output and size changes
 * since then. Chunks are packed into blocks, so that a thousand short writes cost no thousand arrays; blocks of output
 * that is forgotten are used again, since making new ones at the rate of a flood costs more than all the rest.
 */
import type { PtySize } from "../../core/ports/pty.ts";
import type { SnapshotPart } from "../../core/ports/terminal_state.ts";

const FIRST_BLOCK_BYTES = 1024;
const BLOCK_BYTES = 64 * 1024;
/** Blocks that wait to be used again, over all sessions. */
const MAX_SPARE_BLOCKS = 32;

export interface BlockPool {
  take(): Uint8Array<ArrayBuffer>;
  give(block: Uint8Array<ArrayBuffer>): void;
}

/** Blocks of BLOCK_BYTES; what is in them is left over from before. */
export function createBlockPool(): BlockPool {
  const spare: Uint8Array<ArrayBuffer>[] = [];
  return {
    take: () => spare.pop() ?? new Uint8Array(BLOCK_BYTES),
    give(block) {
      if (block.length === BLOCK_BYTES && spare.length < MAX_SPARE_BLOCKS) spare.push(block);
    },
  };
}

/** Played into a fresh terminal of this size, the bytes give the state at the offset. */
export interface Base {
  readonly offset: number;
  readonly size: PtySize;
  readonly bytes: Uint8Array;
  /**
   * Where in the bytes the alternate buffer comes into use: those from there on, in a fresh terminal, give the same but
   * for the normal buffer. undefined when it is not in use, or the bytes do not come apart like this.
   */
  readonly alternateAt: number | undefined;
  /** What may stand for the bytes before alternateAt where no lines above the normal screen are wanted. */
  readonly normalScreen: Uint8Array | undefined;
  /** Size changes of the session until then: several can be at one offset. */
  readonly resizes: number;
}

interface Block {
  readonly kind: "bytes";
  /** Offset of its first byte. */
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

interface Resize {
  readonly kind: "resize";
  readonly start: number;
  readonly size: PtySize;
  /** 1 for the first of the session. */
  readonly number: number;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Size changes up to this number are left out, and those after the other. */
  readonly afterResize?: number;
  readonly upToResize?: number;
}

export interface OutputLog {
  base(): Base;
  /** Copies the bytes. */
  append(bytes: Uint8Array): void;
  appendResize(size: PtySize): void;
  endOffset(): number;
  resizeCount(): number;
  /** Size changes before an offset. */
  resizesBefore(offset: number): number;
  /**
   * What came from one offset (not before the base's) up to another, size changes at both included: views, good until more is
   * forgotten.
   */
  slice(stretch: Stretch): readonly SnapshotPart[];
  /** Bytes that are kept. */
  keptBytes(): number;
  /** Forgets what came before the offset of the base. */
  rebase(base: Base): void;
  /** Forgets everything; the log is not used any more. */
  clear(): void;
}

/** A copy that stays good, with as few parts as there can be. */
export function copyParts(parts: readonly SnapshotPart[]): readonly SnapshotPart[] {
  const copied: SnapshotPart[] = [];
  let run: Uint8Array[] = [];
  const flush = () => {
    if (run.length > 0) copied.push({ kind: "bytes", bytes: concat(run) });
    run = [];
  };
  for (const part of parts) {
    if (part.kind === "bytes") run.push(part.bytes);
    else {
      flush();
      copied.push(part);
    }
  }
  flush();
  return copied;
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export function createOutputLog(size: PtySize, pool: BlockPool): OutputLog {
  let base: Base = {
    offset: 0,
    size,
    bytes: new Uint8Array(0),
    alternateAt: undefined,
    normalScreen: undefined,
    resizes: 0,
  };
  let entries: (Block | Resize)[] = [];
  let end = 0;
  let resizes = 0;
  return {
    base: () => base,
    append(bytes) {
      let at = 0;
      while (at < bytes.length) {
        let last = entries.at(-1);
        if (last?.kind !== "bytes" || last.length === last.bytes.length) {
          // Small at first: most sessions say little.
          const grown = last?.kind === "bytes" ? last.length * 2 : FIRST_BLOCK_BYTES;
          const room = Math.min(BLOCK_BYTES, Math.max(grown, bytes.length - at));
          const block = room === BLOCK_BYTES ? pool.take() : new Uint8Array(room);
          last = { kind: "bytes", start: end, bytes: block, length: 0 };
          entries.push(last);
        }
        const count = Math.min(bytes.length - at, last.bytes.length - last.length);
        last.bytes.set(count === bytes.length ? bytes : bytes.subarray(at, at + count), last.length);
        last.length += count;
        at += count;
        end += count;
      }
    },
    appendResize(next) {
      resizes++;
      entries.push({ kind: "resize", start: end, size: next, number: resizes });
    },
    endOffset: () => end,
    resizeCount: () => resizes,
    resizesBefore(offset) {
      let count = base.resizes;
      for (const entry of entries) if (entry.kind === "resize" && entry.start < offset) count = entry.number;
      return count;
    },
    slice({ from, to, afterResize = base.resizes, upToResize = Infinity }) {
      const parts: SnapshotPart[] = [];
      for (const entry of entries) {
        if (entry.start > to) break;
        if (entry.kind === "resize") {
          if (entry.start < from || entry.number <= afterResize || entry.number > upToResize) continue;
          parts.push({ kind: "resize", size: entry.size });
          continue;
        }
        const first = Math.max(from - entry.start, 0);
        const last = Math.min(to - entry.start, entry.length);
        if (first < last) parts.push({ kind: "bytes", bytes: entry.bytes.subarray(first, last) });
      }
      return parts;
    },
    keptBytes: () => base.bytes.length + end - base.offset,
    rebase(next) {
      base = next;
      entries = entries.filter((entry) => {
        if (entry.kind === "resize") return entry.number > base.resizes;
        if (entry.start + entry.length > base.offset) return true;
        pool.give(entry.bytes);
        return false;
      });
    },
    clear() {
      for (const entry of entries) if (entry.kind === "bytes") pool.give(entry.bytes);
      entries = [];
    },
  };
}
