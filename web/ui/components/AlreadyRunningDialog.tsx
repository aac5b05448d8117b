/** The agent lives elsewhere: go there, or move it here. */
import type { JSX } from "preact";
import type { AgentId, CellId } from "../../../core/ids.ts";
import { moveAgent, showAgent } from "../interactions/agents.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface AlreadyRunningDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly liveIn: CellId | undefined;
  readonly wantedIn: CellId;
  readonly onClose: () => void;
}

export function AlreadyRunningDialog(
  { project, agentId, liveIn, wantedIn, onClose }: AlreadyRunningDialogProps,
): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId };
  const finish = (done: Promise<boolean>) => {
    onClose();
    void done.then((ok) => ok && focusCellSoon(project.focusedCell.value));
  };
  return (
    <Modal
      title={words.alreadyRunning.title(project.agent(agentId)?.name ?? "")}
      lead={liveIn === undefined ? words.alreadyRunning.leadHidden : words.alreadyRunning.lead}
      size="small"
      onClose={onClose}
      footer={
        <>
          <button type="button" class="quiet" onClick={onClose}>{words.actions.cancel}</button>
          <span class="grow" />
          <button type="button" onClick={() => finish(moveAgent(target, wantedIn))}>
            {words.alreadyRunning.moveHere}
          </button>
          {liveIn !== undefined && (
            <button
              type="button"
              class="primary"
              data-autofocus
              onClick={() => finish(showAgent(target))}
            >
              {words.alreadyRunning.goThere}
            </button>
          )}
        </>
      }
    />
  );
}
