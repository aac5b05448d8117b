/** The left side: a rail to choose a panel, and the panel. In a narrow window the panel lies over the grid. */
import type { JSX } from "preact";
import { followPointer } from "../interactions/drag.ts";
import type { ProjectState } from "../state/project.ts";
import { type Panel, SIDEBAR } from "../state/view.ts";
import { AgentsPanel } from "./AgentsPanel.tsx";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { ConversationsPanel } from "./ConversationsPanel.tsx";
import { Icon, type IconName } from "./Icon.tsx";

const icons: Readonly<Record<Panel, IconName>> = { agents: "agent", conversations: "conversations" };
const panels: readonly Panel[] = ["agents", "conversations"];
const KEY_STEP_PX = 16;

export function Sidebar({ project }: { readonly project: ProjectState }): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  const open = view.panel.value;
  return (
    <>
      <nav class="rail" aria-label={words.sidebar.label}>
        {panels.map((panel) => (
          <button
            key={panel}
            type="button"
            class={panel === open ? "active" : ""}
            aria-pressed={panel === open}
            onClick={() => view.showPanel(panel === open ? undefined : panel)}
          >
            <Icon name={icons[panel]} size={18} />
            <span>{words.sidebar[panel]}</span>
          </button>
        ))}
        <span class="rail-space" />
        <IconButton
          icon="sidebar"
          class="rail-toggle"
          label={open === undefined ? words.sidebar.show : words.sidebar.hide}
          onClick={() => view.toggleSidebar()}
        />
      </nav>
      {open !== undefined && (
        <aside class="sidebar" style={{ "--sidebar": `${view.sidebarWidth.value}px` }}>
          {open === "agents" ? <AgentsPanel project={project} /> : <ConversationsPanel project={project} />}
          <SidebarBorder />
        </aside>
      )}
    </>
  );
}

function SidebarBorder(): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  const width = view.sidebarWidth.value;
  return (
    <div
      class="sidebar-border"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={words.sidebar.resize}
      aria-valuenow={width}
      aria-valuemin={SIDEBAR.minPx}
      aria-valuemax={SIDEBAR.maxPx}
      onPointerDown={(press) =>
        followPointer(press, {
          onMove: ({ x }) => view.setSidebarWidth(width + x),
          onEnd: (outcome) => {
            if (outcome === "cancelled") view.setSidebarWidth(width);
          },
        })}
      onDblClick={() => view.setSidebarWidth(SIDEBAR.defaultPx)}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") view.setSidebarWidth(width - KEY_STEP_PX);
        else if (event.key === "ArrowRight") view.setSidebarWidth(width + KEY_STEP_PX);
      }}
    />
  );
}
