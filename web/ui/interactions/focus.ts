/**
 * The keyboard's place. Cells mark what takes it: the terminal is xterm's own text area inside, the composer says so
 * itself, and an empty cell's first button will do.
 */
import type { CellId } from "../../../core/ids.ts";

const inOrder = [
  "textarea.xterm-helper-textarea",
  // A terminal that is still being loaded: it passes the focus on when it is there.
  "[data-session]",
  "[data-composer]",
  "[data-cell-body] button",
] as const;

/** After the next paint, when what a change of state makes is there. */
export function focusCellSoon(cellId: CellId | undefined): void {
  if (cellId !== undefined) requestAnimationFrame(() => void focusCell(cellId));
}

export function focusCell(cellId: CellId): boolean {
  const cell = cellElement(cellId);
  if (cell === undefined) return false;
  for (const selector of inOrder) {
    const target = cell.querySelector(selector);
    if (target instanceof HTMLElement) {
      target.focus({ preventScroll: true });
      return true;
    }
  }
  return false;
}

/** From the terminal to the composer and back. */
export function toggleComposer(cellId: CellId): void {
  const cell = cellElement(cellId);
  const composer = cell?.querySelector("[data-composer]");
  if (!(composer instanceof HTMLElement) || document.activeElement === composer) return void focusCell(cellId);
  composer.focus();
}

function cellElement(cellId: CellId): Element | undefined {
  return document.querySelector(`[data-cell="${CSS.escape(cellId)}"]`) ?? undefined;
}
