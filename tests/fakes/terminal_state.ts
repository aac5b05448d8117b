/**
 * Terminal states for tests: signals, answers and modes by the pure parts that the real one uses, on a screen that
 * knows text, line ends, clearing and the alternate screen. It throws at a sequence that would move or draw otherwise,
 * so that no test depends on what it does not do.
 */
import type {
  SnapshotPart,
  TerminalState,
  TerminalStateOptions,
  TerminalStates,
} from "../../core/ports/terminal_state.ts";
import { createEscapeScanner } from "../../core/terminals/escape_scanner.ts";
import { toTerminalModes } from "../../core/terminals/modes.ts";
import { createTerminalFacts } from "../../core/terminals/terminal_facts.ts";

// deno-lint-ignore no-control-regex
const SEQUENCE = /^\x1b(?:\[([0-?]*)([ -/]*[@-~])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[=>\\])/;
const encoder = new TextEncoder();
/** Set colours, modes and keyboard flags, or ask something: nothing moves. */
const STILL = ["m", "h", "l", "n", "c", "u", "$p", " q", "q", "t"];

interface Screen {
  /** One character, or a whole sequence. */
  take(piece: string): void;
  resize(size: { cols: number; rows: number }): void;
  cursor(): { col: number; row: number };
  /** The visible rows, and so many of those above. */
  rows(above: number): { screen: string[]; scrollback: string[] };
}

function createScreen(size: { cols: number; rows: number }): Screen {
  let { cols, rows } = size;
  let lines = [""];
  let col = 0;
  /** The cursor is at the top, over lines that are not cleared yet. */
  let atHome = false;
  let normal: { lines: string[]; col: number } | undefined;

  function print(character: string): void {
    if (atHome) throw new Error("text over text that is there, which this screen does not know");
    if (col === cols) {
      lines.push("");
      col = 0;
    }
    const line = (lines.at(-1) ?? "").padEnd(col);
    lines[lines.length - 1] = line.slice(0, col) + character + line.slice(col + 1);
    col++;
  }

  function switchTo(alternate: boolean): void {
    if (alternate && normal === undefined) {
      normal = { lines, col };
      lines = [""];
      col = 0;
    } else if (!alternate && normal !== undefined) {
      ({ lines, col } = normal);
      normal = undefined;
    }
  }

  function control(parameters: string, final: string): void {
    if (final === "J") {
      lines = [""];
      atHome = false;
    } else if (final === "H" && /^[1;]*$/.test(parameters)) {
      col = 0;
      atHome = lines.length > 1 || lines[0] !== "";
    } else if (!STILL.includes(final)) throw new Error(`a CSI that this screen does not know: ${parameters}${final}`);
    if (/^\?(.*;)?(47|1047|1049)(;|$)/.test(parameters) && (final === "h" || final === "l")) switchTo(final === "h");
  }

  return {
    take(piece) {
      const sequence = SEQUENCE.exec(piece);
      if (sequence) {
        if (sequence[2] !== undefined) control(sequence[1] ?? "", sequence[2]);
      } else if (piece === "\n") lines.push("");
      else if (piece === "\r") col = 0;
      else if (piece.startsWith("\x1b")) throw new Error(`an escape that this screen does not know: ${piece}`);
      else if (piece >= " ") print(piece);
    },
    resize: (next) => ({ cols, rows } = next),
    cursor: () => ({ col: Math.min(col, cols - 1), row: Math.min(lines.length, rows) - 1 }),
    rows(above) {
      const trimmed = lines.map((line) => line.trimEnd());
      const screen = trimmed.slice(-rows);
      while (screen.length < rows) screen.push("");
      const all = trimmed.slice(0, -rows);
      return { screen, scrollback: above === 0 ? [] : all.slice(-Math.min(all.length, above)) };
    },
  };
}

/** Cuts output into characters and whole sequences, over the chunks it comes in. */
function createCutter(take: (piece: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let open: string[] = [];

  function isWhole(last: string): boolean {
    const kind = open[1];
    if (kind === undefined) return false;
    const isEnd = last === "\\" && open.at(-2) === "\x1b";
    if (kind === "]") return last === "\x07" || isEnd;
    if (kind === "P") return isEnd;
    return kind === "[" ? open.length > 2 && last >= "@" : last > "/";
  }

  return (bytes) => {
    for (const character of decoder.decode(bytes, { stream: true })) {
      if (open.length === 0 && character !== "\x1b") {
        take(character);
        continue;
      }
      open.push(character);
      if (!isWhole(character)) continue;
      const sequence = open.join("");
      open = [];
      take(sequence);
    }
  };
}

function createFakeState(options: TerminalStateOptions): TerminalState {
  const parts: { readonly start: number; readonly part: SnapshotPart }[] = [];
  let { size } = options;
  let offset = 0;
  let disposed = false;
  const screen = createScreen(size);
  // Piece by piece, the screen first: a question about the cursor is answered where it stands.
  const cut = createCutter((piece) => {
    screen.take(piece);
    scanner.scan(encoder.encode(piece), 0);
  });
  const facts = createTerminalFacts({
    ...options,
    pointDistanceBytes: Infinity,
    position: () => scanner.position(),
    onRestored() {},
    cursor: () => screen.cursor(),
  });
  const scanner = createEscapeScanner(facts);

  function refuseWhenDisposed(): void {
    if (disposed) throw new Error("used after it was disposed");
  }

  function write(bytes: Uint8Array): void {
    refuseWhenDisposed();
    parts.push({ start: offset, part: { kind: "bytes", bytes: bytes.slice() } });
    offset += bytes.length;
    facts.beginWrite();
    cut(bytes);
  }

  function since(from: number): SnapshotPart[] | undefined {
    if (from < 0 || from > offset) return undefined;
    return parts.flatMap(({ start, part }): SnapshotPart[] => {
      if (part.kind === "resize") return start >= from ? [part] : [];
      const bytes = part.bytes.subarray(Math.max(0, from - start));
      return bytes.length > 0 ? [{ kind: "bytes", bytes }] : [];
    });
  }

  return {
    write,
    resize(next) {
      refuseWhenDisposed();
      if (next.cols === size.cols && next.rows === size.rows) return;
      size = next;
      parts.push({ start: offset, part: { kind: "resize", size } });
      screen.resize(size);
      facts.resized(size);
    },
    offset: () => offset,
    backlogBytes: () => 0,
    digested: () => Promise.resolve(),
    read(scrollbackLines) {
      refuseWhenDisposed();
      const folder = facts.folder();
      return Promise.resolve({
        ...screen.rows(scrollbackLines),
        cursor: screen.cursor(),
        title: facts.title(),
        ...(folder === undefined ? {} : { folder }),
        size,
        modes: toTerminalModes(facts.modes),
        offset,
      });
    },
    snapshot: () => Promise.resolve({ size: options.size, parts: since(0) ?? [], offset }),
    since,
    clearStaleModes(upToOffset) {
      const bytes = encoder.encode(facts.staleModesOff(upToOffset));
      if (bytes.length > 0) write(bytes);
      return bytes;
    },
    setColors: (colors) => facts.setColors(colors),
    [Symbol.dispose]: () => void (disposed = true),
  };
}

export function createFakeStates(): TerminalStates {
  return { create: createFakeState };
}
