/** What needs the person, across all projects. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { showAgent } from "../interactions/agents.ts";
import { focusCellSoon } from "../interactions/focus.ts";
import type { AttentionItem } from "../state/attention.ts";
import { formatAgo, formatClock } from "../state/time.ts";
import { IconButton } from "./Button.tsx";
import { useNow, useStore, useWords } from "./context.ts";
import { Icon, type IconName } from "./Icon.tsx";

const icons: Readonly<Record<AttentionItem["kind"], IconName>> = {
  blocked: "alert",
  error: "alert",
  ticket: "queue",
  failed: "queue",
  suspected: "clock",
  limited: "clock",
  profile: "swap",
};

export function NeedsYou(): JSX.Element {
  const { attention, view } = useStore();
  const words = useWords();
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    view.needsYouOpen.value = false;
  };
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>(".attention-row, button")?.focus();
    const onPress = (event: PointerEvent) => {
      const inside = event.target instanceof Element && event.target.closest(".needs-you, .needs-you-button") !== null;
      if (!inside) close();
    };
    document.addEventListener("pointerdown", onPress, { capture: true });
    return () => document.removeEventListener("pointerdown", onPress, { capture: true });
  }, []);
  const items = attention.value;
  return (
    <aside
      ref={panel}
      class="needs-you"
      aria-label={words.attention.title}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <header class="panel-head">
        <h2>{words.attention.title}</h2>
        <span class="grow" />
        <IconButton icon="close" label={words.actions.close} onClick={close} />
      </header>
      {items.length === 0
        ? (
          <div class="nothing">
            <Icon name="check" size={28} />
            <strong>{words.attention.none}</strong>
            <p>{words.attention.noneLead}</p>
          </div>
        )
        : (
          <ul>
            {items.map((item) => (
              <AttentionRow key={`${item.kind}:${item.agentId}:${item.ticketId ?? ""}`} item={item} onDone={close} />
            ))}
          </ul>
        )}
    </aside>
  );
}

function AttentionRow({ item, onDone }: { readonly item: AttentionItem; readonly onDone: () => void }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const now = useNow(10_000);
  const { kind, agentName, detail, resetsAtMs, projectName, sinceMs, projectId, agentId } = item;
  const go = () => {
    const project = store.projects.tabs.value.find((tab) => tab.id === projectId);
    onDone();
    if (project === undefined) return;
    store.projects.activate(projectId);
    if (kind === "profile") store.view.dialog.value = { kind: "changeProfile", project, agentId };
    else {
      void showAgent({ store, project, agentId }).then((shown) => {
        if (shown) focusCellSoon(project.focusedCell.value);
        else store.view.showPanel("agents");
      });
    }
  };
  return (
    <li>
      <button type="button" class={`attention-row attention-${kind}`} onClick={go}>
        <Icon name={icons[kind]} />
        <span class="attention-text">
          <strong>{words.attention[kind](agentName)}</strong>
          {detail !== undefined && <span class="clip muted">{detail}</span>}
          {resetsAtMs !== undefined && (
            <span class="muted">
              {words.limits.until(formatClock(resetsAtMs, { nowMs: now, language: store.settings.language.value }))}
            </span>
          )}
          <span class="faint small">{projectName} · {formatAgo(sinceMs, now, words)}</span>
        </span>
        <Icon name="chevronRight" />
      </button>
    </li>
  );
}
