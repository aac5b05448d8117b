/** The named layouts of a project, when there is more than one; the first further one is made in the cell's menu. */
import type { JSX } from "preact";
import { changeLayouts } from "../interactions/layout.ts";
import { type ProjectState, terminalLayouts } from "../state/project.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Menu } from "./Menu.tsx";

export function LayoutTabs({ project }: { readonly project: ProjectState }): JSX.Element | null {
  const store = useStore();
  const words = useWords();
  const { dialog } = store.view;
  const layouts = terminalLayouts(project);
  const active = project.activeLayout.value;
  if (layouts.length < 2 || active === undefined) return null;
  const { layoutId } = active;
  const name = (isNew: boolean) => {
    dialog.value = { kind: "nameLayout", project, layoutId, isNew };
  };
  return (
    <div class="layout-tabs" role="group" aria-label={words.layouts.label}>
      {layouts.map((layout) => (
        <button
          key={layout.layoutId}
          type="button"
          class="layout-tab"
          aria-pressed={layout === active}
          onClick={() =>
            void changeLayouts({ store, project, layoutId: layout.layoutId, operation: { op: "activate" } })}
        >
          <span class="clip">{layout.name}</span>
        </button>
      ))}
      <IconButton icon="plus" label={words.layouts.new} onClick={() => name(true)} />
      <Menu
        icon="dots"
        label={words.layouts.moreOf(active.name)}
        entries={[
          { label: words.layouts.rename, icon: "edit", onSelect: () => name(false) },
          {
            label: words.layouts.remove,
            icon: "trash",
            danger: true,
            onSelect: () => {
              dialog.value = { kind: "removeLayout", project, layoutId };
            },
          },
        ]}
      />
    </div>
  );
}
