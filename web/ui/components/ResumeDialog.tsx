/** After a restart: go on with all, some or none of the agents that were running. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AgentId } from "../../../core/ids.ts";
import { resumeAgents } from "../interactions/projects.ts";
import type { ResumableAgent } from "../state/cells.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface ResumeDialogProps {
  readonly project: ProjectState;
  readonly resumable: readonly ResumableAgent[];
  readonly onClose: () => void;
}

export function ResumeDialog({ project, resumable, onClose }: ResumeDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const [without, setWithout] = useState<ReadonlySet<AgentId>>(new Set());
  const chosen = resumable.filter(({ agent }) => !without.has(agent.agentId));
  const toggle = (agentId: AgentId) => {
    const next = new Set(without);
    if (!next.delete(agentId)) next.add(agentId);
    setWithout(next);
  };
  return (
    <Modal
      title={words.resume.title}
      lead={words.resume.lead(resumable.length)}
      size="small"
      onClose={onClose}
      footer={
        <>
          <button type="button" class="quiet" onClick={onClose}>{words.resume.none}</button>
          <span class="grow" />
          <button
            type="button"
            class="primary"
            data-autofocus
            disabled={chosen.length === 0}
            onClick={() => {
              onClose();
              void resumeAgents(store, project, chosen);
            }}
          >
            {without.size === 0 ? words.resume.all : words.resume.some(chosen.length)}
          </button>
        </>
      }
    >
      <div class="radio-list">
        {resumable.map(({ agent }) => (
          <label key={agent.agentId} class={`radio-row ${without.has(agent.agentId) ? "" : "chosen"}`}>
            <input
              type="checkbox"
              checked={!without.has(agent.agentId)}
              onChange={() =>
                toggle(agent.agentId)}
            />
            <span class="radio-text">
              <strong>{agent.name}</strong>
              <span class="muted small">{agent.profileName}</span>
            </span>
          </label>
        ))}
      </div>
    </Modal>
  );
}
