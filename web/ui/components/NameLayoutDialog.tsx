/** The name of a layout: of a new one, or another one for one that is there. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LayoutId } from "../../../core/ids.ts";
import { changeLayouts } from "../interactions/layout.ts";
import type { ProjectState } from "../state/project.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface NameLayoutDialogProps {
  readonly project: ProjectState;
  readonly layoutId: LayoutId;
  readonly isNew: boolean;
  readonly onClose: () => void;
}

export function NameLayoutDialog({ project, layoutId, isNew, onClose }: NameLayoutDialogProps): JSX.Element {
  const store = useStore();
  const { layouts, actions } = useWords();
  const before = project.layouts.value.find((layout) => layout.layoutId === layoutId)?.name ?? "";
  const [name, setName] = useState(isNew ? "" : before);
  const trimmed = name.trim();
  const operation = isNew
    ? { op: "add", name: trimmed, kind: "terminal" } as const
    : { op: "rename", name: trimmed } as const;
  return (
    <Modal title={isNew ? layouts.newTitle : layouts.renameTitle(before)} size="small" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void changeLayouts({ store, project, layoutId, operation }).then((done) => done && onClose());
        }}
      >
        <label class="field">
          <span>{layouts.name}</span>
          <input
            type="text"
            required
            maxLength={80}
            data-autofocus
            placeholder={layouts.namePlaceholder}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <div class="form-foot">
          <button type="button" onClick={onClose}>{actions.cancel}</button>
          <button type="submit" class="primary" disabled={trimmed === ""}>
            {isNew ? actions.create : actions.rename}
          </button>
        </div>
      </form>
    </Modal>
  );
}
