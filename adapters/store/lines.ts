/**
 * JSON Lines files. What was acknowledged is on the disk and stays; what a crash left unfinished at the end is moved
 * away before anything is read or appended, so a torn line never meets the next one.
 */
import { isNotFound } from "./errors.ts";
import { writeAtomically } from "./atomic.ts";

const NEWLINE = 0x0a;
/** How much is read at a time when the last line's start is looked for. */
const TAIL_STEP_BYTES = 64 * 1024;

/** Moves a torn last line away. Gives what must precede the next line: "\n" when the last one is whole and lacks it. */
export async function repairEnd(at: { file: Deno.FsFile; path: string; nowMs: number }): Promise<"" | "\n"> {
  const { size } = await at.file.stat();
  const start = await lastLineStart(at.file, size);
  if (start === size) return "";
  const tail = await readRange(at.file, start, size);
  if (isWholeJson(tail)) return "\n";
  await moveTail({ file: at.file, path: at.path, start, tail, nowMs: at.nowMs });
  return "";
}

export interface ReadLines {
  readonly lines: readonly string[];
  readonly tornTo?: string;
}

/** undefined when there is no such file. Bytes that are not UTF-8 become U+FFFD, so that one bad line hides no other. */
export async function readLines(path: string, nowMs: number): Promise<ReadLines | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  const start = bytes.lastIndexOf(NEWLINE) + 1;
  const tail = bytes.subarray(start);
  const isTorn = tail.length > 0 && !isWholeJson(tail);
  const text = new TextDecoder().decode(isTorn ? bytes.subarray(0, start) : bytes);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
  if (!isTorn) return { lines };
  using file = await Deno.open(path, { write: true });
  return { lines, tornTo: await moveTail({ file, path, start, tail, nowMs }) };
}

interface TornTail {
  readonly file: Deno.FsFile;
  readonly path: string;
  readonly start: number;
  readonly tail: Uint8Array;
  readonly nowMs: number;
}

/** The copy is durable before the cut: a crash in between leaves the tail twice, never nowhere. */
async function moveTail({ file, path, start, tail, nowMs }: TornTail): Promise<string> {
  const target = await unusedName(`${path}.torn-${nowMs}`);
  await writeAtomically({ target, bytes: tail, secret: false });
  await file.truncate(start);
  await file.sync();
  return target;
}

/** name, or name-2, name-3 and so on: two repairs within one millisecond keep both. */
export async function unusedName(name: string): Promise<string> {
  for (let count = 1;; count++) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    try {
      await Deno.lstat(candidate);
    } catch (error) {
      if (isNotFound(error)) return candidate;
      throw error;
    }
  }
}

// A torn object or array never parses, for its closing bracket is its last byte.
function isWholeJson(tail: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(tail));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

async function lastLineStart(file: Deno.FsFile, size: number): Promise<number> {
  let end = size;
  while (end > 0) {
    // Almost always the last byte is the newline: look at that alone first.
    const start = end === size ? size - 1 : Math.max(0, end - TAIL_STEP_BYTES);
    const at = (await readRange(file, start, end)).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

async function readRange(file: Deno.FsFile, start: number, end: number): Promise<Uint8Array> {
  await file.seek(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
