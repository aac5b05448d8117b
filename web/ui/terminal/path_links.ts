/** `path:line` in the text of a terminal, as compilers, test runners and agents write it. Pure. */

export interface PathLink {
  /** Where the link is in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Longer lines are not looked at: nobody reads them, and they would cost on every move of the mouse. */
const MAX_TEXT_LENGTH = 4096;

// A path has a "/" or "\" in it, or an extension, so that "12:30" and "note:3" are none. The parts are of different
// characters or bounded, so that matching stays linear.
const PATH = String.raw`(?:[A-Za-z]:)?[\w.@~/\\+#=\[\]-]{1,512}`;
const PLACE = String.raw`(?::(\d{1,7})(?::(\d{1,7}))?|\((\d{1,7})(?:,\s?(\d{1,7}))?\)|", line (\d{1,7}))`;
const LINK = new RegExp(`(?<![\\w.@~/\\\\:-])(${PATH})${PLACE}`, "g");

export function findPathLinks(text: string): readonly PathLink[] {
  if (text.length > MAX_TEXT_LENGTH) return [];
  const links: PathLink[] = [];
  for (const match of text.matchAll(LINK)) {
    const path = match[1] ?? "";
    if (!isPath(path)) continue;
    const line = Number(match[2] ?? match[4] ?? match[6]);
    const column = match[3] ?? match[5];
    const start = match.index;
    const end = start + match[0].length;
    links.push({ start, end, path, line, ...(column !== undefined && { column: Number(column) }) });
  }
  return links;
}

function isPath(path: string): boolean {
  if (/^https?$/i.test(path) || path.startsWith("//")) return false;
  return /[/\\]/.test(path) ? /\w/.test(path) : /^[\w@+#=-][\w.@+#=-]*\.[A-Za-z]\w{0,9}$/.test(path);
}
