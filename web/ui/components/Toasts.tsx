/** Messages in the corner. */
import type { JSX } from "preact";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";

export function Toasts(): JSX.Element {
  const { toasts } = useStore();
  const words = useWords();
  return (
    <section class="toasts" aria-label={words.toasts.label}>
      {toasts.list.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.tone}`} role={toast.tone === "error" ? "alert" : "status"}>
          <Icon name={toast.tone === "error" ? "alert" : "check"} />
          <div class="toast-text">
            <strong>
              {toast.title}
              {toast.times > 1 && <span class="count">{`×${toast.times}`}</span>}
            </strong>
            {toast.detail !== undefined && <p>{toast.detail}</p>}
            {toast.hint !== undefined && <p class="muted">{toast.hint}</p>}
          </div>
          <IconButton
            icon="close"
            label={words.actions.dismiss}
            onClick={() =>
              toasts.dismiss(toast.id)}
          />
        </div>
      ))}
    </section>
  );
}
