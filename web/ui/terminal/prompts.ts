/** Prompts of a shell that marks them (OSC 133;A): to jump from one to the next. */
import type { IMarker, Terminal } from "@xterm/xterm";

export interface Prompts {
  /** Scrolls to the prompt above or below what is shown; false when there is none. */
  jump(direction: "previous" | "next"): boolean;
}

/** Older ones are forgotten; they are far up by then. */
const MAX_PROMPTS = 2_000;

export function followPrompts(terminal: Terminal): Prompts {
  let markers: IMarker[] = [];
  terminal.parser.registerOscHandler(133, (data) => {
    if (data !== "A" && !data.startsWith("A;")) return true;
    const marker = terminal.registerMarker(0);
    // The screen of a full-screen program has no prompts.
    if (marker === undefined) return true;
    if (markers.length >= MAX_PROMPTS) markers.shift()?.dispose();
    markers.push(marker);
    return true;
  });
  return {
    jump(direction) {
      markers = markers.filter(({ isDisposed }) => !isDisposed);
      const top = terminal.buffer.active.viewportY;
      const lines = markers.map(({ line }) => line);
      const target = direction === "previous" ? lines.findLast((line) => line < top) : lines.find((line) => line > top);
      if (target === undefined) return false;
      terminal.scrollToLine(target);
      return true;
    },
  };
}
