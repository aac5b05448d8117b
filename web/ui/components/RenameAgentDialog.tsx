import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AgentId } from "../../../core/ids.ts";
import { renameAgent } from "../interactions/agents.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface RenameAgentDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

export function RenameAgentDialog({ project, agentId, onClose }: RenameAgentDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const before = project.agent(agentId)?.name ?? "";
  const [name, setName] = useState(before);
  return (
    <Modal title={words.agents.renameTitle(before)} size="small" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void renameAgent({ store, project, agentId }, name.trim()).then((done) => done && onClose());
        }}
      >
        <label class="field">
          <span>{words.agents.name}</span>
          <input
            type="text"
            required
            maxLength={80}
            data-autofocus
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <div class="form-foot">
          <button type="button" onClick={onClose}>{words.actions.cancel}</button>
          <button type="submit" class="primary" disabled={name.trim() === ""}>{words.actions.rename}</button>
        </div>
      </form>
    </Modal>
  );
}
