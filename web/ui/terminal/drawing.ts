/**
 * From the stream into the terminal.
 *
 * 1. Sizes and resets go through the terminal's own queue of writes, so none of them overtakes output that is not drawn
 *    yet, and output is acknowledged when it is drawn.
 * 2. A snapshot is drawn in one piece: the display is held (DEC 2026) from the reset until its end, whatever it says of
 *    holding itself, and the person's place in the scrollback is kept.
 * 3. The screen alone comes first; when it is there, the scrollback is asked for.
 */
import type { IDisposable, Terminal } from "@xterm/xterm";
import type { FrameSize } from "../../../core/terminals/wire.ts";
import type { StreamHandlers } from "./stream.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** NUL and CAN end a character or a sequence that the output was cut in; then everything is reset and held. */
const RESET_AND_HOLD = encode("\x00\x18\x1bc\x1b[?2026h");
const RELEASE = encode("\x1b[?2026l");

/** Zero-byte chunks carry a callback through the queue. */
const NOTHING = new Uint8Array(0);

export interface DrawingOptions {
  readonly onSize: (size: FrameSize) => void;
  readonly acknowledge: (bytes: number) => void;
  /** The screen is drawn, and what is above it is not there yet. */
  readonly onHistoryMissing: () => void;
}

export interface Drawing extends IDisposable {
  readonly handlers: Pick<StreamHandlers, "onSnapshotBegin" | "onOutput" | "onResize" | "onSnapshotEnd">;
  /** Old output is being drawn again: what it asks for is nobody's wish now. */
  isRestoring(): boolean;
}

export function createDrawing(terminal: Terminal, options: DrawingOptions): Drawing {
  let restoring = false;
  let holding = false;
  let disposed = false;
  let linesBelow = 0;

  function resize(size: FrameSize): void {
    if (disposed) return;
    if (terminal.cols !== size.cols || terminal.rows !== size.rows) terminal.resize(size.cols, size.rows);
    options.onSize(size);
  }

  function rememberPlace(): void {
    const { baseY, viewportY } = terminal.buffer.active;
    linesBelow = baseY - viewportY;
  }

  const ignoreHold = (params: readonly (number | number[])[]) => holding && params.length === 1 && params[0] === 2026;
  const disposables = [
    terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, ignoreHold),
    terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, ignoreHold),
  ];

  return {
    handlers: {
      onSnapshotBegin({ size }) {
        terminal.write(NOTHING, rememberPlace);
        terminal.write(RESET_AND_HOLD, () => {
          restoring = true;
          holding = true;
          resize(size);
        });
      },
      onOutput: (bytes) => terminal.write(bytes, () => options.acknowledge(bytes.length)),
      onResize: (size) => terminal.write(NOTHING, () => resize(size)),
      onSnapshotEnd({ history }) {
        terminal.write(NOTHING, () => void (holding = false));
        terminal.write(RELEASE, () => {
          restoring = false;
          if (disposed) return;
          if (linesBelow > 0) terminal.scrollLines(-linesBelow);
          if (!history) options.onHistoryMissing();
        });
      },
    },
    isRestoring: () => restoring,
    dispose() {
      disposed = true;
      for (const each of disposables) each.dispose();
    },
  };
}
