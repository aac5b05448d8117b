/**
 * The cells of a project's active layout, as one flat list of boxes (see geometry.ts), and the borders between them.
 * In a narrow window there is room for one cell: the focused one, with a strip to choose another.
 */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { followPointer } from "../interactions/drag.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import { MIN_FRACTION, resizeSplit } from "../interactions/layout.ts";
import { contentOf } from "../state/cells.ts";
import { type Border, type CellBox, moveBorder, percent, placeCells, type Rect } from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import { resizeSplit as withWeights } from "../../../core/layout/arrange.ts";
import { sumOf } from "../../../core/layout/weights.ts";
import { Cell } from "./Cell.tsx";
import { useStore, useWords } from "./context.ts";
import { StateIcon } from "./StateIcon.tsx";

interface Preview {
  readonly splitId: string;
  readonly weights: readonly number[];
}

export function Grid({ project, hidden }: { readonly project: ProjectState; readonly hidden: boolean }): JSX.Element {
  const words = useWords();
  const [preview, setPreview] = useState<Preview>();
  const grid = useRef<HTMLDivElement>(null);
  const layout = project.activeLayout.value;
  const resized = preview && layout && withWeights(layout.tree, preview.splitId, preview.weights);
  const { cells, borders } = resized?.ok ? placeCells(resized.value) : project.geometry.value;
  const maximised = project.maximisedCell.value;
  return (
    <section class={`grid-frame ${maximised === undefined ? "" : "has-maximised"}`} hidden={hidden}>
      {cells.length > 1 && <CellStrip project={project} cells={cells} />}
      <div ref={grid} class="grid" role="group" aria-label={words.layouts.gridLabel}>
        {cells.map((box, index) => (
          <Cell
            key={box.leaf.id}
            project={project}
            leaf={box.leaf}
            rect={maximised === box.leaf.id ? WHOLE : box.rect}
            number={index + 1}
            alone={cells.length === 1}
            covered={maximised !== undefined && maximised !== box.leaf.id}
            gridHidden={hidden}
          />
        ))}
        {maximised === undefined && borders.map((border) => (
          <BorderHandle
            key={`${border.splitId}:${border.index}`}
            project={project}
            border={border}
            grid={grid.current}
            onPreview={setPreview}
          />
        ))}
      </div>
    </section>
  );
}

const WHOLE: Rect = { x: 0, y: 0, width: 1, height: 1 };
const KEY_STEP = 0.02;

interface BorderHandleProps {
  readonly project: ProjectState;
  readonly border: Border;
  readonly grid: HTMLElement | null;
  readonly onPreview: (preview: Preview | undefined) => void;
}

function BorderHandle({ project, border, grid, onPreview }: BorderHandleProps): JSX.Element {
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

function CellStrip(
  { project, cells }: { readonly project: ProjectState; readonly cells: readonly CellBox[] },
): JSX.Element {
  const words = useWords();
  const things = { agents: project.agents.value, terminals: project.terminals.value };
  return (
    <div class="cell-strip" role="group" aria-label={words.layouts.gridLabel}>
      {cells.map(({ leaf }, index) => {
        const content = contentOf(leaf, things);
        const title = content.kind === "agent"
          ? content.agent.name
          : content.kind === "terminal"
          ? content.info.title || words.layouts.terminal
          : words.layouts.cell(index + 1);
        return (
          <button
            key={leaf.id}
            type="button"
            aria-pressed={leaf.id === project.focusedCell.value}
            onClick={() => {
              project.focusCell(leaf.id);
              focusCellSoon(leaf.id);
            }}
          >
            {content.kind === "agent" && <StateIcon state={content.agent.state} />}
            <span class="clip">{title}</span>
          </button>
        );
      })}
    </div>
  );
}
