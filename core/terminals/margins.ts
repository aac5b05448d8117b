/** Scroll margins (DECSTBM) of both buffers. Rows count from 0. */
import type { CsiParams } from "./csi_params.ts";

export interface Margins {
  readonly top: number;
  readonly bottom: number;
}

export interface MarginsOfBuffers {
  /** Of the buffer in use. */
  current(): Margins;
  /** CSI Pt ; Pb r for the buffer in use; says whether they were valid. */
  set(params: CsiParams): boolean;
  /** None in the buffer in use. */
  clearCurrent(): void;
  clearAlternate(): void;
  clear(): void;
  /** Both buffers lose theirs; the alternate one only when it is there, it keeps its top otherwise. */
  resized(rows: number): void;
}

export function createMargins(rowsAtFirst: number, isAlternate: () => boolean): MarginsOfBuffers {
  let rows = rowsAtFirst;
  let normal: Margins = { top: 0, bottom: rows - 1 };
  let alternate = normal;

  function change(to: Margins): void {
    if (isAlternate()) alternate = to;
    else normal = to;
  }

  return {
    current: () => isAlternate() ? alternate : normal,
    set(params) {
      const top = params.at(0) || 1;
      const asked = params.at(1);
      const bottom = params.count < 2 || asked > rows || asked === 0 ? rows : asked;
      if (bottom <= top) return false;
      change({ top: top - 1, bottom: bottom - 1 });
      return true;
    },
    clearCurrent: () => change({ top: 0, bottom: rows - 1 }),
    clearAlternate() {
      alternate = { top: 0, bottom: rows - 1 };
    },
    clear() {
      normal = { top: 0, bottom: rows - 1 };
      alternate = normal;
    },
    resized(next) {
      rows = next;
      normal = { top: 0, bottom: rows - 1 };
      alternate = { top: isAlternate() ? 0 : alternate.top, bottom: rows - 1 };
    },
  };
}
