/**
 * From the stream into the terminal.
 *
 * 1. Sizes and resets go through the terminal's own queue of writes, so none of them overtakes output that is not drawn
 *    yet, and output is acknowledged when it is drawn.
 * 2. A snapshot is drawn in one piece: the picture is held (held_picture.ts) from before the reset until its end, and the
 *    person's place in the scrollback is kept.
 * 3. The screen alone comes first; when it is there, the scrollback is asked for.
 */
import type { IDisposable, ITerminalOptions, Terminal } from "@xterm/xterm";
import type { FrameSize } from "../../../core/terminals/wire.ts";
import { incompleteTailLength } from "../../../core/terminals/utf8.ts";
import { holdPicture } from "./held_picture.ts";
import type { OutputQueue } from "./priority.ts";
import type { StreamHandlers } from "./stream.ts";

/**
 * Makes a terminal as it was when it was new. NUL and CAN end a character or a sequence that the output was cut in; then
 * everything is reset, and what xterm.js leaves alone at that: the cursor's visibility, line feed mode, colours.
 */
export const RESET = new TextEncoder().encode(
  "\x00\x18\x1bc\x1b[?25h\x1b[20l\x1b]2;\x07\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07",
);

/** Zero-byte chunks carry a callback through the queue. */
const NOTHING = new Uint8Array(0);

/** What is used of a terminal; one without a browser has it too. */
export type DrawnTerminal =
  & Pick<Terminal, "cols" | "rows" | "write" | "resize" | "scrollToBottom" | "scrollLines">
  & {
    readonly options: Pick<ITerminalOptions, "cursorBlink" | "cursorStyle">;
    readonly buffer: { readonly active: Pick<Terminal["buffer"]["active"], "baseY" | "viewportY"> };
    readonly parser: Pick<Terminal["parser"], "registerCsiHandler">;
  };

export interface DrawingOptions {
  readonly onSize: (size: FrameSize) => void;
  readonly acknowledge: (bytes: number) => void;
  /** The screen is drawn, and what is above it is not there yet. */
  readonly onHistoryMissing: () => void;
  /** Says when it is this terminal's turn to draw; left out: always. */
  readonly queue?: OutputQueue;
}

export interface Drawing extends IDisposable {
  readonly handlers: Pick<StreamHandlers, "onSnapshotBegin" | "onOutput" | "onResize" | "onSnapshotEnd">;
  /** Old output is being drawn again: what it asks for is nobody's wish now. */
  isRestoring(): boolean;
}

export function createDrawing(terminal: DrawnTerminal, options: DrawingOptions): Drawing {
  let restoring = false;
  let releasePicture: (() => void) | undefined;
  let disposed = false;
  let linesBelow = 0;

  function resize(size: FrameSize): void {
    if (disposed) return;
    if (terminal.cols !== size.cols || terminal.rows !== size.rows) terminal.resize(size.cols, size.rows);
    if (!restoring) options.onSize(size);
  }

  // Programs change it (DEC 12, DECSCUSR), and a reset leaves it.
  const { cursorBlink = false, cursorStyle = "block" } = terminal.options;

  function hold(): void {
    const { baseY, viewportY } = terminal.buffer.active;
    linesBelow = baseY - viewportY;
    restoring = true;
    releasePicture ??= holdPicture(terminal);
  }

  function release(history: boolean): void {
    restoring = false;
    if (disposed) return;
    // The reset has moved the scrollbar to the top, which xterm.js takes for the person's wish.
    terminal.scrollToBottom();
    if (linesBelow > 0) terminal.scrollLines(-linesBelow);
    releasePicture?.();
    releasePicture = undefined;
    options.onSize({ cols: terminal.cols, rows: terminal.rows });
    if (!history) options.onHistoryMissing();
  }

  // Synchronized output within a snapshot was for the screen of its time.
  function draw(bytes: Uint8Array, onDrawn: () => void): void {
    if (options.queue === undefined) terminal.write(bytes, onDrawn);
    else options.queue.push(bytes.length, () => terminal.write(bytes, onDrawn));
  }

  /** Bytes of a character that was cut in two: xterm.js mistakes one that comes in three pieces. */
  let tail = NOTHING;

  function write(bytes: Uint8Array): void {
    const whole = tail.length === 0 ? bytes : joinBytes(tail, bytes);
    const end = whole.length - incompleteTailLength(whole);
    tail = whole.slice(end);
    draw(whole.subarray(0, end), () => options.acknowledge(bytes.length));
  }

  const ignoreHold = (params: readonly (number | number[])[]) => restoring && params.length === 1 && params[0] === 2026;
  const disposables = [
    terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, ignoreHold),
    terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, ignoreHold),
  ];

  return {
    handlers: {
      onSnapshotBegin({ size }) {
        tail = NOTHING;
        draw(NOTHING, hold);
        draw(RESET, () => {
          Object.assign(terminal.options, { cursorBlink, cursorStyle });
          resize(size);
        });
      },
      onOutput: write,
      onResize: (size) => draw(NOTHING, () => resize(size)),
      onSnapshotEnd: ({ history }) => draw(NOTHING, () => release(history)),
    },
    isRestoring: () => restoring,
    dispose() {
      disposed = true;
      for (const each of disposables) each.dispose();
    },
  };
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
