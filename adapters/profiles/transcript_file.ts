/** Reads what was appended to a JSON Lines transcript of a CLI since the last time; only whole lines count. */

export interface AppendedLines {
  readonly lines: readonly string[];
  readonly nextOffset: number;
}

/** One read is bounded: a transcript of hundreds of megabytes is taken in pieces. */
const READ_LIMIT_BYTES = 8 * 1024 * 1024;

export async function readAppendedLines(path: string, fromOffset: number): Promise<AppendedLines> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { lines: [], nextOffset: fromOffset };
    throw error;
  }
  using open = file;
  const { size } = await open.stat();
  // A file that shrank was written anew: read it from the start.
  const start = size < fromOffset ? 0 : fromOffset;
  const length = Math.min(size - start, READ_LIMIT_BYTES);
  if (length <= 0) return { lines: [], nextOffset: start };
  await open.seek(start, Deno.SeekMode.Start);
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await open.read(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  const end = buffer.subarray(0, filled).lastIndexOf(0x0a) + 1;
  if (end === 0) {
    // A single line longer than the limit can never be taken whole: step over it.
    return { lines: [], nextOffset: filled === READ_LIMIT_BYTES ? start + filled : start };
  }
  const text = new TextDecoder().decode(buffer.subarray(0, end));
  return { lines: text.split("\n").filter((line) => line.trim() !== ""), nextOffset: start + end };
}

/** JSON or undefined: transcripts belong to other programs, so a line we cannot read is passed over. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
