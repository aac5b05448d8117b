/** The dialog that is open, if any. */
import type { JSX } from "preact";
import { resumableIn } from "../interactions/projects.ts";
import { unreachable } from "../../../core/result.ts";
import type { Dialog } from "../state/view.ts";
import { AgentContextDialog } from "./AgentContextDialog.tsx";
import { AlreadyRunningDialog } from "./AlreadyRunningDialog.tsx";
import { ChangeProfileDialog } from "./ChangeProfileDialog.tsx";
import { useStore, useWords } from "./context.ts";
import { ExplainDialog } from "./ExplainDialog.tsx";
import { FileDialog } from "./FileDialog.tsx";
import { FirstRunDialog } from "./FirstRunDialog.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import { Modal } from "./Modal.tsx";
import { NameLayoutDialog } from "./NameLayoutDialog.tsx";
import { NewAgentDialog } from "./NewAgentDialog.tsx";
import { Palette } from "./Palette.tsx";
import { ProjectPicker } from "./ProjectPicker.tsx";
import { RemoveAgentDialog, RemoveLayoutDialog, RemoveProfileDialog } from "./RemoveDialogs.tsx";
import { RenameAgentDialog } from "./RenameAgentDialog.tsx";
import { ResumeDialog } from "./ResumeDialog.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";

export function Dialogs(): JSX.Element | null {
  const { view } = useStore();
  const dialog = view.dialog.value;
  if (dialog === undefined) return null;
  const close = () => {
    // Only itself: what was chosen in it may have opened the next one already.
    if (view.dialog.value === dialog) view.dialog.value = undefined;
  };
  return <Open dialog={dialog} onClose={close} />;
}

function Open({ dialog, onClose }: { readonly dialog: Dialog; readonly onClose: () => void }): JSX.Element {
  const words = useWords();
  switch (dialog.kind) {
    case "palette":
      return <Palette onClose={onClose} />;
    case "picker":
      return (
        <Modal title={words.picker.title} lead={words.picker.lead} size="large" onClose={onClose}>
          <ProjectPicker onDone={onClose} />
        </Modal>
      );
    case "firstRun":
      return <FirstRunDialog onClose={onClose} />;
    case "settings":
      return <SettingsDialog page={dialog.page} onClose={onClose} />;
    case "resume":
      return <ResumeDialog project={dialog.project} resumable={resumableIn(dialog.project)} onClose={onClose} />;
    case "newAgent":
      return <NewAgentDialog {...dialog} onClose={onClose} />;
    case "renameAgent":
      return <RenameAgentDialog {...dialog} onClose={onClose} />;
    case "removeAgent":
      return <RemoveAgentDialog {...dialog} onClose={onClose} />;
    case "changeProfile":
      return <ChangeProfileDialog {...dialog} onClose={onClose} />;
    case "agentContext":
      return <AgentContextDialog {...dialog} onClose={onClose} />;
    case "explain":
      return <ExplainDialog {...dialog} onClose={onClose} />;
    case "file":
      return <FileDialog {...dialog} onClose={onClose} />;
    case "nameLayout":
      return <NameLayoutDialog {...dialog} onClose={onClose} />;
    case "removeLayout":
      return <RemoveLayoutDialog {...dialog} onClose={onClose} />;
    case "limit":
      return <LimitDialog {...dialog} onClose={onClose} />;
    case "removeProfile":
      return <RemoveProfileDialog {...dialog} onClose={onClose} />;
    case "alreadyRunning":
      return <AlreadyRunningDialog {...dialog} onClose={onClose} />;
    default:
      return unreachable(dialog);
  }
}
