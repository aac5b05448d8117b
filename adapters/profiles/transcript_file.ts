/** Reads what was appended to a JSON Lines transcript of a CLI since the last time; only whole lines count. */
import type { TranscriptChunk, TranscriptTurn } from "../../core/ports/agent_cli.ts";

export interface AppendedLines {
  readonly lines: readonly string[];
  /** Where each of them begins. */
  readonly offsets: readonly number[];
  readonly nextOffset: number;
  /** There may be more. */
  readonly isCut: boolean;
}

export interface ParsedTurns {
  readonly turns: readonly TranscriptTurn[];
  /** The first line of a turn that is not written to its end. */
  readonly openFrom?: number;
}

/** One read is bounded: a transcript of hundreds of megabytes is taken in pieces. */
const READ_LIMIT_BYTES = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** A turn whose end is still to come is read again from its begin, whoever reads on, and whenever. */
export async function readTurns(
  path: string,
  fromOffset: number,
  parse: (lines: readonly string[]) => ParsedTurns,
): Promise<TranscriptChunk> {
  const { lines, offsets, nextOffset, isCut } = await readAppendedLines(path, fromOffset);
  const { turns, openFrom } = parse(lines);
  // As long as all that can be read at once, it has no end that could be waited for.
  const isEndless = openFrom === 0 && isCut;
  const openOffset = openFrom === undefined || isEndless ? undefined : offsets[openFrom];
  return { turns, nextOffset: openOffset ?? nextOffset };
}

export async function readAppendedLines(path: string, fromOffset: number): Promise<AppendedLines> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { ...NO_LINES, nextOffset: fromOffset };
    throw error;
  }
  using open = file;
  const { size } = await open.stat();
  // A file that shrank was written anew: read it from the start.
  const start = size < fromOffset ? 0 : fromOffset;
  const length = Math.min(size - start, READ_LIMIT_BYTES);
  if (length <= 0) return { ...NO_LINES, nextOffset: start };
  await open.seek(start, Deno.SeekMode.Start);
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await open.read(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  const isCut = filled === READ_LIMIT_BYTES;
  const { lines, offsets, end } = splitLines(buffer.subarray(0, filled));
  // A single line longer than the limit can never be taken whole: step over it.
  if (end === 0) return { ...NO_LINES, nextOffset: isCut ? start + filled : start, isCut };
  return { lines, offsets: offsets.map((offset) => start + offset), nextOffset: start + end, isCut };
}

const NO_LINES = { lines: [], offsets: [], isCut: false } as const;

/** Lines that are not blank, and the end of the last whole one. */
function splitLines(bytes: Uint8Array) {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  const offsets: number[] = [];
  let begin = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, begin)) {
    const line = decoder.decode(bytes.subarray(begin, at));
    if (line.trim() !== "") {
      lines.push(line);
      offsets.push(begin);
    }
    begin = at + 1;
  }
  return { lines, offsets, end: begin };
}

/** JSON or undefined: transcripts belong to other programs, so a line we cannot read is passed over. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
