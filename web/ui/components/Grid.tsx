/**
 * The cells of a project's active layout, as one flat list of boxes (see geometry.ts), and the borders between them.
 * In a narrow window there is room for one cell: the focused one, with a strip to choose another.
 */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { followPointer } from "../interactions/drag.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import { operate } from "../interactions/layout.ts";
import { contentOf } from "../state/cells.ts";
import {
  type Border,
  type CellBox,
  type Drop,
  dropAt,
  percent,
  placeCells,
  type Rect,
  withBorder,
} from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import type { CellId } from "../../../core/ids.ts";
import { BorderHandle, type BorderPreview } from "./BorderHandle.tsx";
import { Cell } from "./Cell.tsx";
import { useStore, useWords } from "./context.ts";
import { LayoutTabs } from "./LayoutTabs.tsx";
import { StateIcon } from "./StateIcon.tsx";

export function Grid({ project, hidden }: { readonly project: ProjectState; readonly hidden: boolean }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const [preview, setPreview] = useState<BorderPreview>();
  const [drop, setDrop] = useState<Drop>();
  const grid = useRef<HTMLDivElement>(null);
  const layout = project.activeLayout.value;
  const resized = preview && layout && withBorder(layout.tree, preview.of, preview.weights);
  const { cells, borders } = resized === undefined ? project.geometry.value : placeCells(resized);
  const maximised = project.maximisedCell.value;
  const startMove = (cellId: CellId, press: PointerEvent) => {
    const area = grid.current?.getBoundingClientRect();
    if (area === undefined || maximised !== undefined || cells.length < 2) return;
    let found: Drop | undefined;
    followPointer(press, {
      onMove({ x, y }, at) {
        const point = { x: (at.clientX - area.left) / area.width, y: (at.clientY - area.top) / area.height };
        found = Math.hypot(x, y) < MOVE_FROM_PX ? undefined : dropAt(cells, cellId, point);
        setDrop(found);
      },
      onEnd(outcome) {
        setDrop(undefined);
        if (outcome === "cancelled" || found === undefined) return;
        const { targetId, place } = found;
        void operate({ store, project, operation: { op: "move", cellId, targetId, place } })
          .then(() => focusCellSoon(cellId));
      },
    });
  };
  return (
    <section class={`grid-frame ${maximised === undefined ? "" : "has-maximised"}`} hidden={hidden}>
      <LayoutTabs project={project} />
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
            onMove={startMove}
          />
        ))}
        {maximised === undefined && borders.map((border) => (
          <BorderHandle
            key={keyOf(border)}
            project={project}
            border={border}
            grid={grid.current}
            onPreview={setPreview}
          />
        ))}
        {drop !== undefined && (
          <div
            class="drop"
            style={{
              left: percent(drop.rect.x),
              top: percent(drop.rect.y),
              width: percent(drop.rect.width),
              height: percent(drop.rect.height),
            }}
          />
        )}
      </div>
    </section>
  );
}

function keyOf({ of, index, direction, area }: Border): string {
  const owner = of.kind === "split" ? of.splitId : `${of.gridId}:${of.axis}`;
  return `${owner}:${index}:${direction === "row" ? area.y : area.x}`;
}

const WHOLE: Rect = { x: 0, y: 0, width: 1, height: 1 };
/** A press that moves less is a click. */
const MOVE_FROM_PX = 8;

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
