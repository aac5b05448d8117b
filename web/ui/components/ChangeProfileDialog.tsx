/** Moves an agent to another CLI; also the answer to an agent whose profile this person does not have. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AgentId, ProfileId } from "../../../core/ids.ts";
import { changeProfile } from "../interactions/agents.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";
import { ProfileChoice } from "./ProfileChoice.tsx";

export interface ChangeProfileDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

export function ChangeProfileDialog({ project, agentId, onClose }: ChangeProfileDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const agent = project.agent(agentId);
  const isUnknown = agent?.profileName === undefined;
  const [profileId, setProfileId] = useState<ProfileId | undefined>(isUnknown ? undefined : agent?.profileId);
  const apply = async () => {
    if (profileId !== undefined && await changeProfile({ store, project, agentId }, profileId)) onClose();
  };
  return (
    <Modal
      title={`${isUnknown ? words.agents.chooseProfile : words.agents.changeProfile} – ${agent?.name ?? ""}`}
      lead={isUnknown ? words.agents.chooseProfileLead : words.agents.changeProfileLead}
      size="small"
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" onClick={onClose}>{words.actions.cancel}</button>
          <button
            type="button"
            class="primary"
            disabled={profileId === undefined || (!isUnknown && profileId === agent?.profileId)}
            onClick={() => void apply()}
          >
            {words.actions.apply}
          </button>
        </>
      }
    >
      <ProfileChoice value={profileId} onChange={setProfileId} />
    </Modal>
  );
}
