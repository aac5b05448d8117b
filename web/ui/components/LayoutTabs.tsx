/** The named layouts of a project, when there is more than one. */
import type { JSX } from "preact";
import { activateLayout } from "../interactions/layout.ts";
import { type ProjectState, terminalLayouts } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";

export function LayoutTabs({ project }: { readonly project: ProjectState }): JSX.Element | null {
  const store = useStore();
  const words = useWords();
  const layouts = terminalLayouts(project);
  if (layouts.length < 2) return null;
  const active = project.activeLayout.value;
  return (
    <div class="layout-tabs" role="group" aria-label={words.layouts.label}>
      {layouts.map((layout) => (
        <button
          key={layout.layoutId}
          type="button"
          aria-pressed={layout === active}
          onClick={() => void activateLayout(store, project, layout.layoutId)}
        >
          <span class="clip">{layout.name}</span>
        </button>
      ))}
    </div>
  );
}
