/** What a cell shows: the one place that decides it from the layout, the agents and the live terminals. */
import type { CellId, SessionId } from "../../../core/ids.ts";
import type { Leaf } from "../../../core/layout/tree.ts";
import type { CellBox } from "./geometry.ts";
import { isRunning } from "./status.ts";
import type { AgentView, TerminalInfo } from "./views.ts";

export type CellContent =
  | { readonly kind: "empty" }
  | { readonly kind: "terminal"; readonly sessionId: SessionId; readonly info: TerminalInfo }
  /** sessionId is there while a terminal can be shown; an ended one stays readable. */
  | { readonly kind: "agent"; readonly agent: AgentView; readonly sessionId: SessionId | undefined }
  /** The layout names an agent that the project does not have any more, or a session that is gone. */
  | { readonly kind: "gone" };

export interface LiveThings {
  readonly agents: readonly AgentView[];
  readonly terminals: readonly TerminalInfo[];
}

export function contentOf(leaf: Leaf, { agents, terminals }: LiveThings): CellContent {
  const agent = agents.find((one) => one.cellId === leaf.id && one.sessionId !== undefined) ??
    agents.find((one) => one.agentId === leaf.agent);
  if (agent !== undefined) {
    // Its session is shown where it lives: a second cell that names the agent offers to bring it over.
    const livesHere = agent.cellId === undefined || agent.cellId === leaf.id;
    return { kind: "agent", agent, sessionId: livesHere ? agent.sessionId : undefined };
  }
  if (leaf.agent !== undefined) return { kind: "gone" };
  if (leaf.session === undefined) return { kind: "empty" };
  const info = terminals.find((terminal) => terminal.sessionId === leaf.session);
  if (info === undefined) return { kind: "gone" };
  const owner = agents.find((one) => one.agentId === info.agentId);
  return owner === undefined
    ? { kind: "terminal", sessionId: info.sessionId, info }
    : { kind: "agent", agent: owner, sessionId: info.sessionId };
}

/** Plain terminals that live and that no cell of any layout shows. */
export function terminalsWithoutCell(
  terminals: readonly TerminalInfo[],
  leaves: readonly Leaf[],
): readonly TerminalInfo[] {
  const shown = new Set(leaves.map((leaf) => leaf.session));
  return terminals.filter(({ sessionId, agentId, exit }) =>
    agentId === undefined && exit === undefined && !shown.has(sessionId)
  );
}

export type CellPlan =
  | { readonly kind: "use"; readonly cellId: CellId }
  | { readonly kind: "split"; readonly cellId: CellId; readonly side: "right" | "below" };

export interface PlanCellOptions {
  readonly cells: readonly CellBox[];
  readonly focused: CellId | undefined;
  readonly isEmpty: (leaf: Leaf) => boolean;
  /** Width divided by height of the grid on screen. */
  readonly aspect: number;
}

/** Where something new goes: the focused cell if it is empty, else any empty one, else half of the largest one. */
export function planCell({ cells, focused, isEmpty, aspect }: PlanCellOptions): CellPlan | undefined {
  const empty = cells.find(({ leaf }) => leaf.id === focused && isEmpty(leaf)) ??
    cells.find(({ leaf }) => isEmpty(leaf));
  if (empty !== undefined) return { kind: "use", cellId: empty.leaf.id };
  const [first, ...rest] = cells;
  if (first === undefined) return undefined;
  const area = ({ rect }: CellBox) => rect.width * rect.height;
  const largest = rest.reduce((best, cell) => area(cell) > area(best) + 1e-9 ? cell : best, first);
  // A character is about twice as high as wide, so a square cell is better halved into two rows than into two columns.
  const isWide = largest.rect.width * aspect > largest.rect.height * 1.2;
  return { kind: "split", cellId: largest.leaf.id, side: isWide ? "right" : "below" };
}

/** Agents whose cell says that they ran when IdeA was closed, and that do not run now. */
export function agentsToResume(leaves: readonly Leaf[], agents: readonly AgentView[]): readonly ResumableAgent[] {
  return leaves.flatMap((leaf) => {
    const agent = agents.find(({ agentId }) => agentId === leaf.agent);
    const wants = leaf.agentWasRunning === true && agent !== undefined && agent.profileName !== undefined;
    return wants && !isRunning(agent) && agent.sessionId === undefined ? [{ agent, cellId: leaf.id }] : [];
  });
}

export interface ResumableAgent {
  readonly agent: AgentView;
  readonly cellId: CellId;
}
