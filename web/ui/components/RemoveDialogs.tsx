/** What cannot be undone is asked for once. */
import type { JSX } from "preact";
import type { AgentId, LayoutId, ProfileId } from "../../../core/ids.ts";
import { removeAgent } from "../interactions/agents.ts";
import { changeLayouts } from "../interactions/layout.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly lead: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function Confirm({ title, lead, onConfirm, onClose }: ConfirmProps): JSX.Element {
  const words = useWords();
  return (
    <Modal
      title={title}
      lead={lead}
      size="small"
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" data-autofocus onClick={onClose}>{words.actions.cancel}</button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {words.actions.remove}
          </button>
        </>
      }
    />
  );
}

export function RemoveLayoutDialog(
  { project, layoutId, onClose }: {
    readonly project: ProjectState;
    readonly layoutId: LayoutId;
    readonly onClose: () => void;
  },
): JSX.Element {
  const store = useStore();
  const { layouts } = useWords();
  const name = project.layouts.value.find((layout) => layout.layoutId === layoutId)?.name ?? "";
  return (
    <Confirm
      title={layouts.removeTitle(name)}
      lead={layouts.removeLead}
      onConfirm={() => void changeLayouts({ store, project, layoutId, operation: { op: "remove" } })}
      onClose={onClose}
    />
  );
}

export function RemoveAgentDialog(
  { project, agentId, onClose }: {
    readonly project: ProjectState;
    readonly agentId: AgentId;
    readonly onClose: () => void;
  },
): JSX.Element {
  const store = useStore();
  const words = useWords();
  return (
    <Confirm
      title={words.agents.removeTitle(project.agent(agentId)?.name ?? "")}
      lead={words.agents.removeLead}
      onConfirm={() => void removeAgent({ store, project, agentId })}
      onClose={onClose}
    />
  );
}

export function RemoveProfileDialog(
  { profileId, name, onClose }: {
    readonly profileId: ProfileId;
    readonly name: string;
    readonly onClose: () => void;
  },
): JSX.Element {
  const { profiles, view } = useStore();
  const words = useWords();
  const back = () => {
    onClose();
    view.dialog.value = { kind: "settings", page: "profiles" };
  };
  return (
    <Confirm
      title={words.profiles.removeTitle(name)}
      lead={words.profiles.removeLead}
      onConfirm={() => void profiles.remove(profileId)}
      onClose={back}
    />
  );
}
