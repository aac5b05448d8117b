/** The Markdown that says who an agent is. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentId } from "../../../core/ids.ts";
import { readContext, writeContext } from "../interactions/agents.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface AgentContextDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

export function AgentContextDialog({ project, agentId, onClose }: AgentContextDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const target = { store, project, agentId };
  const [content, setContent] = useState<string>();
  useEffect(() => void readContext(target).then(setContent), [agentId]);
  const save = async () => {
    if (content !== undefined && await writeContext(target, content)) onClose();
  };
  return (
    <Modal
      title={`${words.agents.editContext} – ${project.agent(agentId)?.name ?? ""}`}
      lead={words.agents.context}
      size="large"
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" onClick={onClose}>{words.actions.cancel}</button>
          <button type="button" class="primary" disabled={content === undefined} onClick={() => void save()}>
            {words.actions.save}
          </button>
        </>
      }
    >
      <textarea
        class="mono tall"
        aria-label={words.agents.context}
        disabled={content === undefined}
        value={content ?? words.loading}
        onInput={(event) => setContent(event.currentTarget.value)}
      />
    </Modal>
  );
}
