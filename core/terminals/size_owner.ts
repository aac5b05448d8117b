/**
 * Which of several viewers sets the size of a session: the one that had the focus last. One that never had it counts
 * only while no other does, in the order they came, so that a preview that opens beside never shrinks the terminal.
 */
import type { FrameSize } from "./wire.ts";

export interface SizedViewer {
  readonly visible: boolean;
  /** Counts up with every focus; 0: never had it. */
  readonly lastFocus: number;
  readonly size: FrameSize | undefined;
}

/** Viewers in the order they attached; undefined when none that is visible has a size: the session keeps its own. */
export function decideSize(viewers: Iterable<SizedViewer>): FrameSize | undefined {
  let owner: SizedViewer | undefined;
  for (const viewer of viewers) {
    if (!viewer.visible || viewer.size === undefined) continue;
    if (owner === undefined || viewer.lastFocus > owner.lastFocus) owner = viewer;
  }
  return owner?.size;
}
