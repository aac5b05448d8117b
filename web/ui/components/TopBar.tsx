/** Projects as tabs, what needs the person, and the way to everything else. */
import type { JSX } from "preact";
import { closeProject, switchProject } from "../interactions/projects.ts";
import type { ProjectState } from "../state/project.ts";
import { shortcuts } from "../state/shortcuts.ts";
import { isRunning, summariseStates } from "../state/status.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { KeyCaps } from "./KeyCaps.tsx";
import { Logo } from "./Logo.tsx";
import { StateIcon } from "./StateIcon.tsx";

export function TopBar(): JSX.Element {
  const store = useStore();
  const words = useWords();
  const { view, projects } = store;
  const waiting = store.attention.value.length;
  return (
    <header class="topbar">
      <Logo />
      <div class="tabs" role="tablist" aria-label={words.topbar.projects}>
        {projects.tabs.value.map((tab) => <ProjectTab key={tab.id} project={tab} />)}
      </div>
      <IconButton
        icon="plus"
        label={words.topbar.openProject}
        onClick={() => {
          view.dialog.value = { kind: "picker" };
        }}
      />
      <span class="topbar-space" />
      <button
        type="button"
        class={`needs-you-button ${waiting > 0 ? "waiting" : ""}`}
        aria-expanded={view.needsYouOpen.value}
        aria-label={waiting > 0 ? words.topbar.needsYouCount(waiting) : words.topbar.needsYou}
        title={words.topbar.needsYou}
        onClick={() => {
          view.needsYouOpen.value = !view.needsYouOpen.value;
        }}
      >
        <Icon name="bell" />
        {waiting > 0 && <span class="count" aria-hidden="true">{waiting}</span>}
      </button>
      <button
        type="button"
        class="palette-button"
        onClick={() => {
          view.dialog.value = { kind: "palette" };
        }}
      >
        <Icon name="search" size={14} />
        <span class="palette-button-text">{words.topbar.commands}</span>
        {shortcuts.palette && <KeyCaps shortcut={shortcuts.palette} />}
      </button>
      <IconButton
        icon="gear"
        label={words.topbar.settings}
        onClick={() => {
          view.dialog.value = { kind: "settings", page: "general" };
        }}
      />
    </header>
  );
}

function ProjectTab({ project }: { readonly project: ProjectState }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const { name, root } = project.view.value;
  const isActive = store.projects.active.value === project;
  const running = project.agents.value.filter(isRunning);
  const state = summariseStates(project.agents.value);
  return (
    <div class={`tab ${isActive ? "active" : ""}`} role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={isActive}
        tabIndex={isActive ? 0 : -1}
        class="tab-name"
        title={`${root}\n${words.agents.runningCount(running.length, project.agents.value.length)}`}
        onClick={() => store.projects.activate(project.id)}
        onKeyDown={(event) => {
          if (event.key === "Delete") void closeProject(store, project.id);
          if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
          switchProject(store, event.key === "ArrowLeft" ? -1 : 1);
          const tabs = event.currentTarget.closest("[role=tablist]");
          requestAnimationFrame(() => tabs?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
        }}
      >
        <StateIcon state={state} />
        <span>{name}</span>
      </button>
      {/* For the mouse. A list of tabs has nothing but tabs for a screen reader; the keyboard has Delete and the palette. */}
      <button
        type="button"
        class="icon-button tab-close"
        aria-hidden="true"
        tabIndex={-1}
        title={words.topbar.closeProject(name)}
        onClick={() => void closeProject(store, project.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
