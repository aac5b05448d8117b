/** The border between two cells of a split or a grid: dragged, moved by the arrow keys, evened out by a double click. */
import type { JSX } from "preact";
import { sumOf } from "../../../core/layout/weights.ts";
import { followPointer } from "../interactions/drag.ts";
import { MIN_FRACTION, resizeBorder } from "../interactions/layout.ts";
import { type Border, type BorderOwner, moveBorder, percent } from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";

/** What is shown while it is dragged. */
export interface BorderPreview {
  readonly of: BorderOwner;
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
  const { of, area, direction, weights, index, at } = border;
  const isRow = direction === "row";
  const total = sumOf(weights);
  const before = sumOf(weights.slice(0, index + 1));
  const apply = (moved: readonly number[]) => void resizeBorder({ store, project, of, weights: moved });
  const onPointerDown = (press: PointerEvent) => {
    const size = grid?.getBoundingClientRect();
    if (size === undefined) return;
    const lengthPx = isRow ? size.width * area.width : size.height * area.height;
    let moved = weights;
    followPointer(press, {
      onMove(delta) {
        moved = moveBorder(border, { by: (isRow ? delta.x : delta.y) / lengthPx, minFraction: MIN_FRACTION });
        onPreview({ of, weights: moved });
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
        ? { left: percent(at), top: percent(area.y), height: percent(area.height) }
        : { top: percent(at), left: percent(area.x), width: percent(area.width) }}
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
