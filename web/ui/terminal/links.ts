/**
 * Links of a terminal: addresses, OSC 8 hyperlinks and path:line. A click follows one only when the terminal had the
 * keyboard already, so that the click that takes the keyboard opens nothing; with Ctrl or Command it always does.
 */
import type { IBufferRange, ILink, Terminal } from "@xterm/xterm";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { findPathLinks } from "./path_links.ts";
import { parseUrl } from "./quote_path.ts";

export interface PathPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

export interface LinkOptions {
  readonly openLink: (url: string) => void;
  /** Left out: paths are no links. */
  readonly openPath: ((place: PathPlace) => void) | undefined;
}

/** A wrapped line is looked at as one, up to this many rows. */
const MAX_ROWS = 32;

export function attachLinks(terminal: Terminal, options: LinkOptions): void {
  let hadFocus = false;
  terminal.element?.addEventListener("mousedown", () => hadFocus = document.activeElement === terminal.textarea, {
    capture: true,
  });
  const isMeant = (event: MouseEvent) => hadFocus || event.ctrlKey || event.metaKey;

  const open = (uri: string) => {
    const url = parseUrl(uri);
    if (url === undefined) return;
    if (url.protocol === "http:" || url.protocol === "https:" || url.protocol === "mailto:") options.openLink(url.href);
    else if (url.protocol === "file:") options.openPath?.({ path: decodeURIComponent(url.pathname) });
  };
  const follow = (event: MouseEvent, uri: string) => isMeant(event) && open(uri);
  terminal.loadAddon(new WebLinksAddon(follow));
  // What a program may name is bounded by open(), not by the protocol alone.
  terminal.options.linkHandler = { activate: follow, allowNonHttpProtocols: true };

  const { openPath } = options;
  if (openPath === undefined) return;
  terminal.registerLinkProvider({
    provideLinks(row, callback) {
      const text = readWrappedLine(terminal, row - 1);
      const links = findPathLinks(text.text).map(({ start, end, path, line, column }): ILink => ({
        range: text.range(start, end),
        text: text.text.slice(start, end),
        activate: (event) => isMeant(event) && openPath({ path, line, ...(column !== undefined && { column }) }),
      })).filter(({ range }) => range.start.y <= row && row <= range.end.y);
      callback(links);
    },
  });
}

interface WrappedLine {
  readonly text: string;
  /** The cells of a stretch of the text; 1-based, the end included. */
  range(start: number, end: number): IBufferRange;
}

function readWrappedLine(terminal: Terminal, row: number): WrappedLine {
  const buffer = terminal.buffer.active;
  let first = row;
  while (first > 0 && row - first < MAX_ROWS && buffer.getLine(first)?.isWrapped === true) first--;
  let text = "";
  const cells: { readonly x: number; readonly y: number }[] = [];
  for (let y = first; y - first < 2 * MAX_ROWS; y++) {
    const line = buffer.getLine(y);
    if (line === undefined || y > first && !line.isWrapped) break;
    for (let x = 0; x < line.length; x++) {
      const cell = line.getCell(x);
      // The second half of a wide character has no text of its own.
      if (cell === undefined || cell.getWidth() === 0) continue;
      const characters = cell.getChars() || " ";
      for (let unit = 0; unit < characters.length; unit++) cells.push({ x: x + 1, y: y + 1 });
      text += characters;
    }
  }
  const at = (index: number) => cells[index] ?? { x: 1, y: row + 1 };
  return { text, range: (start, end) => ({ start: at(start), end: at(end - 1) }) };
}
