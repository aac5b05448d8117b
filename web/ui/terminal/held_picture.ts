/**
 * Keeps a terminal's picture while old output is drawn again behind it. Synchronized output (DEC 2026) is not enough: it
 * ends by itself after a second, and size changes in the old output clear and resize the canvas all the same. There is no
 * public way, so the renderer's side of both is taken out for that time. With an xterm.js that has moved it nothing is
 * held, and the picture may flicker.
 */
interface Sized {
  readonly cols: number;
  readonly rows: number;
}

interface Painter {
  handleResize: (cols: number, rows: number) => void;
  /** Asks for rows to be drawn in the next frame. */
  refreshRows: (start: number, end: number, isRedrawOnly?: boolean) => void;
  /** Draws them; a frame may have been asked for before. */
  _renderRows: (start: number, end: number) => void;
}

/** Returns what lets the picture through again: all of it, at the size it has by then. */
export function holdPicture(terminal: Sized): () => void {
  const painter = painterOf(terminal);
  if (painter === undefined) return () => {};
  const { handleResize, refreshRows, _renderRows } = painter;
  painter.handleResize = painter.refreshRows = painter._renderRows = () => {};
  return () => {
    Object.assign(painter, { handleResize, refreshRows, _renderRows });
    handleResize.call(painter, terminal.cols, terminal.rows);
  };
}

function painterOf(terminal: Sized): Painter | undefined {
  const core: unknown = Reflect.get(terminal, "_core");
  if (typeof core !== "object" || core === null) return undefined;
  const painter: unknown = Reflect.get(core, "_renderService");
  return isPainter(painter) ? painter : undefined;
}

function isPainter(value: unknown): value is Painter {
  return typeof value === "object" && value !== null &&
    "handleResize" in value && typeof value.handleResize === "function" &&
    "refreshRows" in value && typeof value.refreshRows === "function" &&
    "_renderRows" in value && typeof value._renderRows === "function";
}
