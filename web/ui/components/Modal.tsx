/** A dialog over the page: the browser keeps the focus inside, Escape and a press on the backdrop close it. */
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./Button.tsx";
import { useWords } from "./context.ts";

export interface ModalProps {
  readonly title: string;
  readonly lead?: string;
  readonly size?: "small" | "medium" | "large";
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

export function Modal({ title, lead, size = "medium", onClose, footer, children, ...rest }: ModalProps): JSX.Element {
  const words = useWords();
  const id = useId();
  const dialog = useOpenDialog();
  return (
    <dialog
      ref={dialog}
      class={`modal modal-${size} ${rest.class ?? ""}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={lead === undefined ? undefined : `${id}-lead`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="modal-box" tabIndex={-1}>
        <header class="modal-head">
          <div>
            <h2 id={`${id}-title`}>{title}</h2>
            {lead !== undefined && <p id={`${id}-lead`} class="muted">{lead}</p>}
          </div>
          <IconButton icon="close" label={words.actions.close} onClick={onClose} />
        </header>
        <div class="modal-body">{children}</div>
        {footer !== undefined && <footer class="modal-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}

/** Shows a dialog element while it is mounted; closing gives the keyboard back to where it was. */
export function useOpenDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  // In the same turn as the key that asked for it: what is typed next belongs to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const first = element?.querySelector<HTMLElement>("[data-autofocus]:not(:disabled)");
    (first ?? element?.querySelector<HTMLElement>("[tabindex='-1']"))?.focus();
    return () => element?.close();
  }, []);
  return dialog;
}
