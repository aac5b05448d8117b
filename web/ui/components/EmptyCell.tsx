/** What an empty cell offers: a terminal, an agent, a new agent. */
import type { JSX } from "preact";
import type { CellId, SessionId } from "../../../core/ids.ts";
import { launchAgent, moveAgent } from "../interactions/agents.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import { openTerminal, showTerminal } from "../interactions/layout.ts";
import { leavesOf } from "../../../core/layout/tree.ts";
import { terminalsWithoutCell } from "../state/cells.ts";
import type { ProjectState } from "../state/project.ts";
import { isRunning } from "../state/status.ts";
import type { AgentView } from "../state/views.ts";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { StateIcon } from "./StateIcon.tsx";

export interface EmptyCellProps {
  readonly project: ProjectState;
  readonly cellId: CellId;
}

export function EmptyCell({ project, cellId }: EmptyCellProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const focus = () => focusCellSoon(cellId);
  const leaves = project.layouts.value.flatMap((layout) => leavesOf(layout.tree));
  const shown = new Set(leaves.map((leaf) => leaf.agent));
  // First those that run unseen, then those that could be started.
  const agents = [...project.agents.value]
    .filter((agent) => !(isRunning(agent) && shown.has(agent.agentId)))
    .sort((a, b) => Number(isRunning(b)) - Number(isRunning(a)));
  const bring = (sessionId: SessionId) => void showTerminal({ store, project, cellId, sessionId }).then(focus);
  return (
    <div class="empty-cell" data-cell-body>
      <div class="empty-cell-box">
        <div class="choices">
          <button type="button" class="choice" onClick={() => void openTerminal(store, project, cellId).then(focus)}>
            <Icon name="terminal" size={20} />
            <strong>{words.layouts.terminal}</strong>
            <span class="muted">{words.layouts.terminalLead}</span>
          </button>
          <button
            type="button"
            class="choice"
            onClick={() => {
              store.view.dialog.value = { kind: "newAgent", project, cellId };
            }}
          >
            <Icon name="plus" size={20} />
            <strong>{words.agents.new}</strong>
            <span class="muted">{words.layouts.newAgentLead}</span>
          </button>
        </div>
        {agents.length > 0 && (
          <div class="choice-list">
            <h3>{words.sidebar.agents}</h3>
            {agents.map((agent) => <AgentChoice key={agent.agentId} project={project} cellId={cellId} agent={agent} />)}
          </div>
        )}
        {terminalsWithoutCell(project.terminals.value, leaves).map((terminal) => (
          <button
            key={terminal.sessionId}
            type="button"
            class="choice-row"
            onClick={() => bring(terminal.sessionId)}
          >
            <Icon name="terminal" size={14} />
            <span class="clip">{terminal.title || words.layouts.terminal}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function AgentChoice({ project, cellId, agent }: EmptyCellProps & { readonly agent: AgentView }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId: agent.agentId };
  const running = isRunning(agent);
  const choose = () => {
    const done = running ? moveAgent(target, cellId) : launchAgent(target, { cellId });
    void done.then((ok) => ok && focusCellSoon(cellId));
  };
  return (
    <button type="button" class="choice-row" onClick={choose}>
      <StateIcon state={agent.state} />
      <span class="clip">{agent.name}</span>
      <span class="faint clip">{agent.profileName ?? words.agents.chooseProfile}</span>
      <span class="grow" />
      <span class="choice-verb">{running ? words.alreadyRunning.moveHere : words.actions.launch}</span>
    </button>
  );
}
