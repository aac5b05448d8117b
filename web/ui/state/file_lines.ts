/** The part of a file that is drawn: a page with all lines of a long one would be slow. Pure. */

export interface FileSlice {
  readonly lines: readonly string[];
  /** Number of the first of them; 1-based. */
  readonly first: number;
  /** Lines of the whole file. */
  readonly all: number;
}

const MAX_LINES = 2_000;

/** Around a line (1-based), or from the beginning. */
export function sliceAround(text: string, line: number | undefined, maxLines = MAX_LINES): FileSlice {
  const lines = text.split(/\r\n|\n/);
  // A line feed ends a line, it begins none.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  const wanted = Math.floor((line ?? 1) - maxLines / 2);
  const from = Math.max(0, Math.min(wanted, lines.length - maxLines));
  return { lines: lines.slice(from, from + maxLines), first: from + 1, all: lines.length };
}
