/** A new employee: a name, a profile, and who it is. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CellId, ProfileId } from "../../../core/ids.ts";
import { createAgent } from "../interactions/agents.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";
import { ProfileChoice } from "./ProfileChoice.tsx";

export interface NewAgentDialogProps {
  readonly project: ProjectState;
  readonly cellId: CellId | undefined;
  readonly onClose: () => void;
}

export function NewAgentDialog({ project, cellId, onClose }: NewAgentDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const profiles = store.profiles.list.value ?? [];
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ProfileId>();
  const [context, setContext] = useState("");
  const [launch, setLaunch] = useState(true);
  const [busy, setBusy] = useState(false);
  const profileId = chosen ?? profiles[0]?.id;
  const submit = async () => {
    if (profileId === undefined || name.trim() === "") return;
    setBusy(true);
    const done = await createAgent(store, project, { name: name.trim(), profileId, context, launch, cellId });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Modal title={words.agents.new} lead={words.agents.noneLead} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
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
            placeholder={words.agents.namePlaceholder}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <div class="field">
          <span>{words.agents.profile}</span>
          <ProfileChoice value={profileId} onChange={setChosen} />
        </div>
        <label class="field">
          <span>{words.agents.context}</span>
          <textarea
            rows={6}
            class="mono"
            value={context}
            placeholder={words.agents.contextPlaceholder}
            onInput={(event) => setContext(event.currentTarget.value)}
          />
        </label>
        <div class="form-foot">
          <label class="check">
            <input type="checkbox" checked={launch} onChange={(event) => setLaunch(event.currentTarget.checked)} />
            {words.agents.launchNow}
          </label>
          <span class="grow" />
          <button type="button" onClick={onClose}>{words.actions.cancel}</button>
          <button type="submit" class="primary" disabled={busy || profileId === undefined || name.trim() === ""}>
            {words.actions.create}
          </button>
        </div>
      </form>
    </Modal>
  );
}
