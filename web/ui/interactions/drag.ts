/** Dragging with pointer capture: one gesture from press to release, cancelled by Escape. */

export interface DragHandlers {
  /** Pixels since the press. */
  readonly onMove: (delta: { readonly x: number; readonly y: number }, at: PointerEvent) => void;
  readonly onEnd: (outcome: "dropped" | "cancelled") => void;
}

export function followPointer(press: PointerEvent, { onMove, onEnd }: DragHandlers): void {
  const { currentTarget, clientX, clientY, pointerId } = press;
  if (press.button !== 0 || !(currentTarget instanceof HTMLElement)) return;
  const handle = currentTarget;
  press.preventDefault();
  handle.setPointerCapture(pointerId);
  const stop = new AbortController();
  const end = (outcome: "dropped" | "cancelled") => {
    stop.abort();
    onEnd(outcome);
  };
  const { signal } = stop;
  handle.addEventListener("pointermove", (event) => {
    onMove({ x: event.clientX - clientX, y: event.clientY - clientY }, event);
  }, { signal });
  handle.addEventListener("pointerup", () => end("dropped"), { signal });
  handle.addEventListener("pointercancel", () => end("cancelled"), { signal });
  globalThis.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end("cancelled");
  }, { signal, capture: true });
}
