/**
 * The two sizes of a view: how many cells fit its element, which it asks for, and the session's, which it shows. A
 * preview asks for nothing and makes its text as small as the session needs.
 */
import { FitAddon } from "@xterm/addon-fit";
import type { Terminal } from "@xterm/xterm";
import { type FrameSize, MAX_CELLS } from "../../../core/terminals/wire.ts";

export interface ViewSizeOptions {
  readonly preview: boolean;
  readonly fontSizePx: () => number;
  readonly onWanted: (size: FrameSize) => void;
}

export interface ViewSize {
  /** Undefined while the element has no size, or for a preview. */
  fitting(): FrameSize | undefined;
  /** After the element, the text or the session has changed its size. */
  update(): void;
}

const MIN_CELLS = 2;
/** Steps of a preview's text, so that it does not creep on rounding. */
const FONT_STEP_PX = 0.25;

export function createViewSize(terminal: Terminal, element: HTMLElement, options: ViewSizeOptions): ViewSize {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  let asked: FrameSize | undefined;

  function fitting(): FrameSize | undefined {
    const proposed = options.preview ? undefined : fit.proposeDimensions();
    if (proposed === undefined || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return undefined;
    const cells = (count: number) => Math.max(MIN_CELLS, Math.min(MAX_CELLS, count));
    return { cols: cells(proposed.cols), rows: cells(proposed.rows) };
  }

  function shrink(): void {
    const screen = terminal.element?.querySelector(".xterm-screen");
    if (!(screen instanceof HTMLElement) || screen.clientWidth === 0 || screen.clientHeight === 0) return;
    const largest = options.fontSizePx();
    const { fontSize = largest } = terminal.options;
    const ratio = Math.min(element.clientWidth / screen.clientWidth, element.clientHeight / screen.clientHeight);
    const wanted = Math.min(largest, Math.floor(fontSize * ratio / FONT_STEP_PX) * FONT_STEP_PX);
    if (wanted !== fontSize) terminal.options.fontSize = Math.max(1, wanted);
  }

  return {
    fitting,
    update() {
      if (options.preview) return shrink();
      const size = fitting();
      if (size === undefined || size.cols === asked?.cols && size.rows === asked.rows) return;
      asked = size;
      options.onWanted(size);
    },
  };
}
