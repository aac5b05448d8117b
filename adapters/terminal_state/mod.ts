/**
 * The state of each session's terminal. See core/ports/terminal_state.ts for what is promised.
 */
import type {
  SnapshotPart,
  TerminalState,
  TerminalStateOptions,
  TerminalStates,
  TerminalText,
} from "../../core/ports/terminal_state.ts";
import { createEscapeScanner } from "../../core/terminals/escape_scanner.ts";
import { formatStaleModesOff, toTerminalModes } from "../../core/terminals/modes.ts";
import { createTerminalFacts } from "../../core/terminals/terminal_facts.ts";
import { encodeUtf8 } from "../../core/terminals/utf8.ts";
import { createEmulator, type Emulator } from "./emulator.ts";
import { createOutputLog } from "./output_log.ts";

function play(emulator: Emulator, parts: readonly SnapshotPart[]): void {
  for (const part of parts) {
    if (part.kind === "bytes") emulator.write(part.bytes);
    else emulator.resize(part.size);
  }
}

function createTerminalState(options: TerminalStateOptions): TerminalState {
  const log = createOutputLog();
  let size = options.size;
  let screen: { readonly emulator: Emulator; offset: number } | undefined;

  /** The emulator at an offset that lies at or behind all that was asked before. */
  function screenAt(offset: number): Emulator {
    screen ??= { emulator: createEmulator(options.size, options.scrollback), offset: 0 };
    play(screen.emulator, log.slice(screen.offset, offset));
    screen.offset = offset;
    return screen.emulator;
  }

  const facts = createTerminalFacts({
    onSignal: options.onSignal,
    answer: options.answer,
    size: () => size,
    cursor() {
      const { x, y } = screenAt(scanner.position()).active();
      return { col: Math.min(x, size.cols - 1), row: y };
    },
    margins() {
      const { scrollTop, scrollBottom } = screenAt(scanner.position()).active();
      return { top: scrollTop + 1, bottom: scrollBottom + 1 };
    },
  });
  const scanner = createEscapeScanner(facts);

  function write(bytes: Uint8Array): void {
    const offset = log.endOffset();
    log.append(bytes);
    facts.beginWrite();
    scanner.scan(bytes, offset);
  }

  function readLines(emulator: Emulator, from: number, to: number): string[] {
    const buffer = emulator.terminal.buffer.active;
    const lines: string[] = [];
    for (let row = from; row < to; row++) lines.push(buffer.getLine(row)?.translateToString(true).trimEnd() ?? "");
    return lines;
  }

  return {
    write,
    resize(next) {
      if (next.cols === size.cols && next.rows === size.rows) return;
      size = { cols: next.cols, rows: next.rows };
      log.appendResize(size);
    },
    offset: () => log.endOffset(),
    backlogBytes: () => 0,
    digested: () => Promise.resolve(),
    read(scrollbackLines) {
      const emulator = screenAt(log.endOffset());
      const { baseY, length, cursorX, cursorY } = emulator.terminal.buffer.active;
      const folder = facts.folder();
      const text: TerminalText = {
        screen: readLines(emulator, baseY, Math.min(length, baseY + size.rows)),
        scrollback: readLines(emulator, Math.max(0, baseY - scrollbackLines), baseY),
        cursor: { col: Math.min(cursorX, size.cols - 1), row: cursorY },
        title: facts.title(),
        ...(folder === undefined ? {} : { folder }),
        size,
        modes: toTerminalModes(facts.modes),
        offset: log.endOffset(),
      };
      return Promise.resolve(text);
    },
    snapshot() {
      const offset = log.endOffset();
      return Promise.resolve({ size: options.size, parts: log.slice(0, offset), offset });
    },
    since(offset) {
      if (offset < log.startOffset() || offset > log.endOffset()) return undefined;
      return log.slice(offset, log.endOffset());
    },
    clearStaleModes() {
      const bytes = encodeUtf8(formatStaleModesOff(facts.modes));
      write(bytes);
      return bytes;
    },
    setColors: (colors) => facts.setColors(colors),
    [Symbol.dispose]() {
      screen?.emulator[Symbol.dispose]();
      screen = undefined;
    },
  };
}

export function createTerminalStates(): TerminalStates {
  return { create: createTerminalState };
}
