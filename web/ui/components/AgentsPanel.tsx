/** The agents of a project: who there is, what each does, and what can be done with it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { launchAgent, showAgent, stopAgent } from "../interactions/agents.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import type { ProjectState } from "../state/project.ts";
import { searchBy } from "../state/search.ts";
import { isRunning } from "../state/status.ts";
import type { AgentLimit, AgentView } from "../state/views.ts";
import { agentMenu } from "./agent_menu.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { LimitBadge, useLimitText } from "./LimitBadge.tsx";
import { Menu } from "./Menu.tsx";
import { StateIcon } from "./StateIcon.tsx";

/** Below this many they are all seen at once. */
const FILTER_FROM = 9;

export function AgentsPanel({ project }: { readonly project: ProjectState }): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  const [query, setQuery] = useState("");
  const agents = project.agents.value;
  const add = () => {
    view.dialog.value = { kind: "newAgent", project, cellId: undefined };
  };
  return (
    <section class="panel" aria-label={words.sidebar.agents}>
      <header class="panel-head">
        <h2>{words.sidebar.agents}</h2>
        {agents.length > 0 && (
          <span class="muted small">
            {words.agents.runningCount(agents.filter(isRunning).length, agents.length)}
          </span>
        )}
        <span class="grow" />
        <IconButton icon="plus" label={words.agents.new} onClick={add} />
      </header>
      {agents.length >= FILTER_FROM && (
        <input
          type="search"
          class="panel-filter"
          placeholder={words.agents.filter}
          aria-label={words.agents.filter}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <div class="panel-body">
        {agents.length === 0 && project.loaded.value && (
          <div class="nothing">
            <Icon name="agent" size={28} />
            <strong>{words.agents.none}</strong>
            <p>{words.agents.noneLead}</p>
            <button type="button" class="primary" onClick={add}>
              <Icon name="plus" size={14} />
              {words.agents.new}
            </button>
          </div>
        )}
        <ul class="agent-list">
          {searchBy(agents, query, (agent) => agent.name).map((agent) => (
            <AgentRow key={agent.agentId} project={project} agent={agent} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function AgentRow({ project, agent }: { readonly project: ProjectState; readonly agent: AgentView }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId: agent.agentId };
  const running = isRunning(agent);
  const isFocused = agent.cellId !== undefined && agent.cellId === project.focusedCell.value;
  const open = () => {
    const shown = running ? showAgent(target) : launchAgent(target);
    void shown.then((done) => done && focusCellSoon(project.focusedCell.value));
  };
  return (
    <li class={`agent-row ${isFocused ? "focused" : ""} ${running ? "" : "at-rest"}`}>
      <button
        type="button"
        class="agent-main"
        onClick={open}
        title={running ? words.agents.goTo : words.commands.launch(agent.name)}
      >
        <StateIcon state={agent.state} />
        <span class="agent-text">
          <span class="agent-name">
            <span class="clip">{agent.name}</span>
            {agent.queueLength > 0 && (
              <span class="count" title={words.agents.queue(agent.queueLength)}>{agent.queueLength}</span>
            )}
          </span>
          <AgentDetail agent={agent} />
        </span>
      </button>
      <LimitBadge limit={agent.limit} />
      <span class="agent-actions">
        {agent.limit !== undefined && (
          <IconButton
            icon="clock"
            label={words.commands.limit(agent.name)}
            onClick={() => {
              store.view.dialog.value = { kind: "limit", project, agentId: agent.agentId };
            }}
          />
        )}
        {running
          ? <IconButton icon="stop" label={words.commands.stop(agent.name)} onClick={() => void stopAgent(target)} />
          : <IconButton icon="play" label={words.commands.launch(agent.name)} onClick={open} />}
        <Menu icon="dots" label={words.actions.more} entries={agentMenu(store, project, agent)} />
      </span>
    </li>
  );
}

function AgentDetail({ agent }: { readonly agent: AgentView }): JSX.Element {
  const words = useWords();
  if (agent.profileName === undefined) return <span class="agent-detail warning">{words.agents.chooseProfile}</span>;
  if (agent.limit !== undefined) return <LimitDetail limit={agent.limit} />;
  if (agent.worksOn !== undefined) {
    const { summary, from } = agent.worksOn;
    return (
      <span class="agent-detail clip" title={`${summary}\n${words.agents.worksOnFrom(from)}`}>
        {summary} <span class="faint">{words.agents.worksOnFrom(from)}</span>
      </span>
    );
  }
  return (
    <span class="agent-detail clip">
      {words.states[agent.state]} <span class="faint">· {agent.profileName}</span>
    </span>
  );
}

function LimitDetail({ limit }: { readonly limit: AgentLimit }): JSX.Element {
  const text = useLimitText(limit).join(" · ");
  return <span class="agent-detail clip-2" title={text}>{text}</span>;
}
