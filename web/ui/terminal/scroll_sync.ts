/**
 * The scrollbar follows the output once a frame. xterm.js 6.0 has it follow every line that scrolls, with events, timers
 * and measures each time, which costs as much as the parsing of a flood. There is no public way; with an xterm.js that
 * has moved it nothing is changed.
 */
interface Scrollbar {
  /** With a position from a frame, without one when a line has scrolled. */
  _sync: (...position: readonly (number | undefined)[]) => void;
  scrollLines: (lines: number) => void;
  scrollToLine: (line: number, isImmediate?: boolean) => void;
}

interface Frames {
  addRefreshCallback: (callback: () => void) => unknown;
}

export function syncScrollbarPerFrame(terminal: object): void {
  const core: unknown = Reflect.get(terminal, "_core");
  if (typeof core !== "object" || core === null) return;
  const scrollbar: unknown = Reflect.get(core, "_viewport");
  const frames: unknown = Reflect.get(core, "_renderService");
  if (!isScrollbar(scrollbar) || !isFrames(frames)) return;
  const { _sync, scrollLines, scrollToLine } = scrollbar;
  let due = false;

  function catchUp(): void {
    if (!due) return;
    due = false;
    _sync.call(scrollbar);
  }

  Object.assign(scrollbar, {
    _sync(...position: readonly (number | undefined)[]) {
      if (position.length > 0) {
        due = false;
        return _sync.call(scrollbar, ...position);
      }
      if (!due) frames.addRefreshCallback(catchUp);
      due = true;
    },
    // They start from where the scrollbar is.
    scrollLines(lines: number) {
      catchUp();
      scrollLines.call(scrollbar, lines);
    },
    scrollToLine(line: number, isImmediate?: boolean) {
      catchUp();
      scrollToLine.call(scrollbar, line, isImmediate);
    },
  });
}

function isScrollbar(value: unknown): value is Scrollbar {
  return typeof value === "object" && value !== null &&
    "_sync" in value && typeof value._sync === "function" &&
    "scrollLines" in value && typeof value.scrollLines === "function" &&
    "scrollToLine" in value && typeof value.scrollToLine === "function";
}

function isFrames(value: unknown): value is Frames {
  return typeof value === "object" && value !== null &&
    "addRefreshCallback" in value && typeof value.addRefreshCallback === "function";
}
