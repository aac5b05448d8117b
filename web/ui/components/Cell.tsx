/** One cell of the grid: a header, what it shows, and under an agent's terminal the composer. */
import type { JSX } from "preact";
import type { CellId } from "../../../core/ids.ts";
import { launchAgent, moveAgent } from "../interactions/agents.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import { emptyCell, openTerminal } from "../interactions/layout.ts";
import { type CellContent, contentOf } from "../state/cells.ts";
import { percent, type Rect } from "../state/geometry.ts";
import type { ProjectState } from "../state/project.ts";
import { isRunning } from "../state/status.ts";
import type { Leaf } from "../../../core/layout/tree.ts";
import type { AgentView, TerminalInfo } from "../state/views.ts";
import { CellHeader } from "./CellHeader.tsx";
import { Composer } from "./Composer.tsx";
import { useStore, useWords } from "./context.ts";
import { EmptyCell } from "./EmptyCell.tsx";
import { Icon } from "./Icon.tsx";
import { LimitNotice } from "./LimitNotice.tsx";
import { StateIcon } from "./StateIcon.tsx";
import { TerminalPane } from "./TerminalPane.tsx";

export interface CellProps {
  readonly project: ProjectState;
  readonly leaf: Leaf;
  readonly rect: Rect;
  readonly number: number;
  /** The only one of its layout. */
  readonly alone: boolean;
  /** Another cell is maximised over it. */
  readonly covered: boolean;
  readonly gridHidden: boolean;
  /** Somebody takes it by its header. */
  readonly onMove: (cellId: CellId, press: PointerEvent) => void;
}

export function Cell(props: CellProps): JSX.Element {
  const { project, leaf, rect, number, covered } = props;
  const words = useWords();
  const content = contentOf(leaf, { agents: project.agents.value, terminals: project.terminals.value });
  const focused = project.focusedCell.value === leaf.id;
  return (
    <div
      class={`cell ${focused ? "focused" : ""} ${props.alone ? "alone" : ""}`}
      role="group"
      aria-label={labelOf(content) ?? words.layouts.cell(number)}
      data-cell={leaf.id}
      hidden={covered}
      style={{ left: percent(rect.x), top: percent(rect.y), width: percent(rect.width), height: percent(rect.height) }}
      onFocusIn={() => project.focusCell(leaf.id)}
      onPointerDown={() => project.focusCell(leaf.id)}
    >
      <div class="cell-box">
        <CellHeader {...props} content={content} />
        <CellBody {...props} content={content} />
      </div>
    </div>
  );
}

function labelOf(content: CellContent): string | undefined {
  if (content.kind === "agent") return content.agent.name;
  return content.kind === "terminal" ? content.info.title || undefined : undefined;
}

interface CellBodyProps extends CellProps {
  readonly content: CellContent;
}

function CellBody({ project, leaf, content, covered, gridHidden }: CellBodyProps): JSX.Element {
  const visible = !covered && !gridHidden;
  switch (content.kind) {
    case "empty":
      return <EmptyCell project={project} cellId={leaf.id} />;
    case "gone":
      return <Gone project={project} leaf={leaf} />;
    case "terminal":
      return (
        <>
          <TerminalPane
            sessionId={content.sessionId}
            label={content.info.title}
            visible={visible}
          />
          {content.info.exit !== undefined && <Ended project={project} leaf={leaf} info={content.info} />}
        </>
      );
    case "agent": {
      const { agent, sessionId } = content;
      if (sessionId === undefined) {
        return (
          <>
            <AgentAtRest project={project} leaf={leaf} agent={agent} />
            <LimitNotice project={project} agent={agent} />
          </>
        );
      }
      return (
        <>
          <TerminalPane sessionId={sessionId} label={agent.name} visible={visible} />
          <LimitNotice project={project} agent={agent} />
          {isRunning(agent)
            ? <Composer key={agent.agentId} project={project} agent={agent} />
            : <AgentEnded project={project} leaf={leaf} agent={agent} />}
        </>
      );
    }
  }
}

interface InCell {
  readonly project: ProjectState;
  readonly leaf: Leaf;
}

/** A plain terminal whose program has ended: its screen stays readable above this line. */
function Ended({ project, leaf, info }: InCell & { readonly info: TerminalInfo }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const { exit } = info;
  return (
    <div class="cell-notice" data-cell-body>
      <span>
        {exit?.kind === "signalled" ? words.layouts.signalled(exit.signal) : words.layouts.exited(exit?.code ?? 0)}
      </span>
      <button
        type="button"
        onClick={() => void openTerminal(store, project, leaf.id).then(() => focusCellSoon(leaf.id))}
      >
        {words.layouts.reopen}
      </button>
      <button type="button" onClick={() => void emptyCell(store, project, leaf.id)}>{words.layouts.release}</button>
    </div>
  );
}

function AgentEnded({ project, leaf, agent }: InCell & { readonly agent: AgentView }): JSX.Element {
  const store = useStore();
  const words = useWords();
  return (
    <div class="cell-notice" data-cell-body>
      <StateIcon state={agent.state} />
      <span>{words.layouts.agentStopped(agent.name)}</span>
      <button
        type="button"
        class="primary"
        onClick={() => void launchAgent({ store, project, agentId: agent.agentId }, { cellId: leaf.id })}
      >
        {words.actions.launch}
      </button>
    </div>
  );
}

/** The cell is an agent's, and the agent is stopped or lives in another cell. */
function AgentAtRest({ project, leaf, agent }: InCell & { readonly agent: AgentView }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId: agent.agentId };
  const elsewhere = isRunning(agent);
  const act = () => {
    const done = elsewhere ? moveAgent(target, leaf.id) : launchAgent(target, { cellId: leaf.id });
    void done.then(() => focusCellSoon(leaf.id));
  };
  return (
    <div class="cell-center" data-cell-body>
      <StateIcon state={agent.state} />
      <strong>{elsewhere ? words.alreadyRunning.title(agent.name) : words.layouts.agentStopped(agent.name)}</strong>
      {!elsewhere && leaf.agentWasRunning === true && <p class="muted">{words.layouts.wasRunning}</p>}
      <div class="row">
        <button type="button" class="primary" onClick={act}>
          <Icon name={elsewhere ? "swap" : "play"} size={14} />
          {elsewhere
            ? words.alreadyRunning.moveHere
            : agent.profileName === undefined
            ? words.agents.chooseProfile
            : words.actions.launch}
        </button>
        <button type="button" onClick={() => void emptyCell(store, project, leaf.id)}>{words.layouts.release}</button>
      </div>
    </div>
  );
}

function Gone({ project, leaf }: InCell): JSX.Element {
  const store = useStore();
  const words = useWords();
  return (
    <div class="cell-center" data-cell-body>
      <strong>{words.layouts.sessionGone}</strong>
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => void openTerminal(store, project, leaf.id).then(() => focusCellSoon(leaf.id))}
        >
          <Icon name="terminal" size={14} />
          {words.layouts.reopen}
        </button>
        <button type="button" onClick={() => void emptyCell(store, project, leaf.id)}>{words.layouts.release}</button>
      </div>
    </div>
  );
}
