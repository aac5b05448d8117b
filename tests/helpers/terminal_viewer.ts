/** A viewer as the window is one: a fresh terminal that plays a snapshot and then what came since, sizes not twice. */
import type { SnapshotPart, TerminalSnapshot } from "../../core/ports/terminal_state.ts";
import { createReference, type Reference } from "./terminal_screen.ts";

export interface ReplayingViewer extends Disposable {
  readonly terminal: Reference;
  readonly offset: () => number;
  catchUp(parts: readonly SnapshotPart[]): void;
}

export function createReplayingViewer(snapshot: TerminalSnapshot, scrollback: number): ReplayingViewer {
  const terminal = createReference(snapshot.size, scrollback);
  let size = snapshot.size;
  let offset = snapshot.offset;

  function play(part: SnapshotPart): void {
    terminal.play([part]);
    if (part.kind === "resize") size = part.size;
  }

  snapshot.parts.forEach(play);
  return {
    terminal,
    offset: () => offset,
    catchUp(parts) {
      // Size changes at the offset itself may have been part of the snapshot: all up to the one that is shown.
      let first = 0;
      for (let index = 0; parts[index]?.kind === "resize"; index++) {
        const part = parts[index];
        if (part?.kind === "resize" && part.size.cols === size.cols && part.size.rows === size.rows) first = index + 1;
      }
      for (const part of parts.slice(first)) {
        play(part);
        if (part.kind === "bytes") offset += part.bytes.length;
      }
    },
    [Symbol.dispose]: () => terminal[Symbol.dispose](),
  };
}
