/** What a cell is, how it is, and what can be done with it. */
import type { JSX } from "preact";
import type { CellId } from "../../../core/ids.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import { splitCell } from "../interactions/layout.ts";
import type { CellContent } from "../state/cells.ts";
import type { ProjectState } from "../state/project.ts";
import type { Leaf } from "../../../core/layout/tree.ts";
import type { AgentView } from "../state/views.ts";
import { agentMenu } from "./agent_menu.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { LimitBadge } from "./LimitBadge.tsx";
import { cellMenu } from "./cell_menu.ts";
import { Menu } from "./Menu.tsx";
import { StateBadge } from "./StateIcon.tsx";

export interface CellHeaderProps {
  readonly project: ProjectState;
  readonly leaf: Leaf;
  readonly content: CellContent;
  readonly number: number;
  readonly alone: boolean;
  readonly onMove: (cellId: CellId, press: PointerEvent) => void;
}

export function CellHeader({ project, leaf, content, number, alone, onMove }: CellHeaderProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const isMaximised = project.maximisedCell.value === leaf.id;
  const canMaximise = !alone || isMaximised;
  const toggle = () => {
    project.maximise(isMaximised ? undefined : leaf.id);
    focusCellSoon(leaf.id);
  };
  const split = (side: "right" | "below") =>
    void splitCell({ store, project, cellId: leaf.id, side }).then(focusCellSoon);
  return (
    <header
      class="cell-head"
      onDblClick={canMaximise ? toggle : undefined}
      onPointerDown={(press) => {
        const onButton = press.target instanceof Element && press.target.closest("button, [popover]") !== null;
        if (!onButton) onMove(leaf.id, press);
      }}
    >
      <Title project={project} content={content} number={number} />
      <span class="grow" />
      <span class="cell-actions" onDblClick={(event) => event.stopPropagation()}>
        <span class="cell-more-actions">
          <IconButton icon="splitRight" label={words.layouts.splitRight} onClick={() => split("right")} />
          <IconButton icon="splitDown" label={words.layouts.splitDown} onClick={() => split("below")} />
        </span>
        {canMaximise && (
          <IconButton
            icon={isMaximised ? "minimise" : "maximise"}
            label={isMaximised ? words.layouts.restore : words.layouts.maximise}
            onClick={toggle}
          />
        )}
        <Menu
          icon="dots"
          label={words.actions.more}
          entries={[
            ...(content.kind === "agent" ? [...agentMenu(store, project, content.agent), "line" as const] : []),
            ...cellMenu({ store, project, leaf, isEmpty: content.kind === "empty" }),
          ]}
        />
      </span>
    </header>
  );
}

function Title(
  { project, content, number }: Pick<CellHeaderProps, "project" | "content" | "number">,
): JSX.Element {
  const words = useWords();
  switch (content.kind) {
    case "agent":
      return <AgentTitle project={project} agent={content.agent} />;
    case "terminal":
      return (
        <>
          <Icon name="terminal" size={14} />
          <strong class="clip">{content.info.title || words.layouts.terminal}</strong>
          {content.info.folder !== undefined && <span class="muted clip path">{content.info.folder}</span>}
        </>
      );
    case "empty":
    case "gone":
      return <span class="muted">{words.layouts.cell(number)}</span>;
  }
}

function AgentTitle({ project, agent }: { readonly project: ProjectState; readonly agent: AgentView }): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  return (
    <>
      <strong class="clip cell-name">{agent.name}</strong>
      <span class="muted clip cell-profile">{agent.profileName ?? words.agents.chooseProfile}</span>
      <button
        type="button"
        class="bare"
        title={words.agents.explain}
        onClick={() => {
          view.dialog.value = { kind: "explain", project, agentId: agent.agentId };
        }}
      >
        <StateBadge state={agent.state} />
      </button>
      <LimitBadge limit={agent.limit} />
      {agent.worksOn !== undefined && (
        <span
          class="cell-work clip"
          title={`${agent.worksOn.summary}\n${words.agents.worksOnFrom(agent.worksOn.from)}`}
        >
          {agent.worksOn.summary}
        </span>
      )}
    </>
  );
}
