/** The border between two cells of a split: dragged, moved by the arrow keys, evened out by a double click. */
import type { JSX } from "preact";
import { sumOf } from "../../../core/layout/weights.ts";
import { followPointer } from "../interactions/drag.ts";
import { MIN_FRACTION, resizeSplit } from "../interactions/layout.ts";
import { type Border, moveBorder, percent } from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";

/** What is shown while it is dragged. */
export interface BorderPreview {
  readonly splitId: string;
  readonly weights: readonly number[];
}

const KEY_STEP = 0.02;

export interface BorderHandleProps {
  readonly project: ProjectState;
  readonly border: Border;
  readonly grid: HTMLElement | null;
  readonly onPreview: (preview: BorderPreview | undefined) => void;
}

export function BorderHandle({ project, border, grid, onPreview }: BorderHandleProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const { splitId, split, direction, weights, index, at } = border;
  const isRow = direction === "row";
  const total = sumOf(weights);
  const before = sumOf(weights.slice(0, index + 1));
  const apply = (moved: readonly number[]) => void resizeSplit({ store, project, splitId, weights: moved });
  const onPointerDown = (press: PointerEvent) => {
    const size = grid?.getBoundingClientRect();
    if (size === undefined) return;
    const lengthPx = isRow ? size.width * split.width : size.height * split.height;
    let moved = weights;
    followPointer(press, {
      onMove(delta) {
        moved = moveBorder(border, { by: (isRow ? delta.x : delta.y) / lengthPx, minFraction: MIN_FRACTION });
        onPreview({ splitId, weights: moved });
      },
      onEnd(outcome) {
        if (outcome === "dropped" && moved !== weights) apply(moved);
        onPreview(undefined);
      },
    });
  };
  return (
    <div
      class={`border ${isRow ? "border-row" : "border-column"}`}
      style={isRow
        ? { left: percent(at), top: percent(split.y), height: percent(split.height) }
        : { top: percent(at), left: percent(split.x), width: percent(split.width) }}
      role="separator"
      tabIndex={0}
      aria-orientation={isRow ? "vertical" : "horizontal"}
      aria-label={words.layouts.resizeHandle}
      aria-valuenow={Math.round(100 * before / total)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={onPointerDown}
      onDblClick={() => apply(weights.map(() => 1))}
      onKeyDown={(event) => {
        const step = stepOf(event.key, isRow);
        if (step === 0) return;
        event.preventDefault();
        apply(moveBorder(border, { by: step, minFraction: MIN_FRACTION }));
      }}
    />
  );
}

function stepOf(key: string, isRow: boolean): number {
  if (key === (isRow ? "ArrowLeft" : "ArrowUp")) return -KEY_STEP;
  return key === (isRow ? "ArrowRight" : "ArrowDown") ? KEY_STEP : 0;
}
