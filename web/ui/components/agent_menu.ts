/** The menu of an agent: the same in the list and on its cell. */
import { launchAgent, stopAgent } from "../interactions/agents.ts";
import type { ProjectState } from "../state/project.ts";
import { isRunning } from "../state/status.ts";
import type { Store } from "../state/store.ts";
import type { AgentView } from "../state/views.ts";
import type { MenuEntry } from "./Menu.tsx";

export function agentMenu(store: Store, project: ProjectState, agent: AgentView): readonly MenuEntry[] {
  const words = store.settings.words.value;
  const { agentId } = agent;
  const target = { store, project, agentId };
  const { dialog } = store.view;
  const life: readonly MenuEntry[] = isRunning(agent)
    ? [{ label: words.actions.stop, icon: "stop", onSelect: () => void stopAgent(target) }]
    : [
      { label: words.actions.launch, icon: "play", onSelect: () => void launchAgent(target) },
      { label: words.agents.fresh, icon: "refresh", onSelect: () => void launchAgent(target, { resume: false }) },
    ];
  return [
    ...life,
    {
      label: words.agents.explain,
      icon: "help",
      onSelect: () => {
        dialog.value = { kind: "explain", project, agentId };
      },
    },
    {
      label: words.limits.menu,
      icon: "clock",
      onSelect: () => {
        dialog.value = { kind: "limit", project, agentId };
      },
    },
    "line",
    {
      label: words.agents.changeProfile,
      icon: "swap",
      onSelect: () => {
        dialog.value = { kind: "changeProfile", project, agentId };
      },
    },
    {
      label: words.agents.editContext,
      icon: "edit",
      onSelect: () => {
        dialog.value = { kind: "agentContext", project, agentId };
      },
    },
    {
      label: words.actions.rename,
      icon: "edit",
      onSelect: () => {
        dialog.value = { kind: "renameAgent", project, agentId };
      },
    },
    {
      label: words.actions.remove,
      icon: "trash",
      danger: true,
      onSelect: () => {
        dialog.value = { kind: "removeAgent", project, agentId };
      },
    },
  ];
}
