/**
 * Terminals for the grid. What draws them (xterm.js and its addons) is fetched when the first one is shown, so that the
 * page is there before it.
 */
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Store } from "../state/store.ts";
import type { TerminalHandle, TerminalHost } from "../state/terminal_host.ts";
import { openFile } from "./files.ts";
import type { TerminalConnection } from "../terminal/connection.ts";
import type { PathPlace } from "../terminal/links.ts";
import type { TerminalSettings, TerminalView } from "../terminal/view.ts";

const DEFAULT_FONT =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
export const DEFAULT_FONT_PX = 13;
const DEFAULT_SCROLLBACK_LINES = 10_000;

export function createTerminalHost(store: Store, connection: TerminalConnection): TerminalHost {
  const settings = terminalSettings(store);
  const { theme } = store.settings;
  const loading = () => import("../terminal/view.ts");
  return {
    mount(element, { sessionId, label }) {
      let view: TerminalView | undefined;
      let visible = false;
      let disposed = false;
      loading().then(({ createTerminalView }) => {
        if (disposed) return;
        const hooks = { openPath: (place: PathPlace) => void openFile(store, { sessionId, place }) };
        view = createTerminalView(element, { connection, sessionId, label, settings, theme, visible, hooks });
        // Somebody went to it before it was there.
        if (document.activeElement === element) view.focus();
      }).catch((error: unknown) => {
        const { toasts } = store.settings.words.value;
        const detail = error instanceof Error ? error.message : String(error);
        store.toasts.error({ title: toasts.unreachable, detail, hint: toasts.unreachableHint });
      });
      const handle: TerminalHandle = {
        setVisible(next) {
          visible = next;
          view?.setVisible(next);
        },
        setLabel: (next) => view?.setLabel(next),
        openFind: () => view?.openFind(),
        jumpToPrompt: (direction) => void view?.jumpToPrompt(direction),
        [Symbol.dispose]() {
          disposed = true;
          if (store.terminals.get(sessionId) === handle) store.terminals.delete(sessionId);
          view?.[Symbol.dispose]();
        },
      };
      store.terminals.set(sessionId, handle);
      return handle;
    },
  };
}

function terminalSettings(store: Store): ReadonlySignal<TerminalSettings> {
  return computed(() => {
    const { fontFamily, fontSizePx, scrollbackLines, copyOnSelection, screenReader } =
      store.settings.values.value.terminal ?? {};
    return {
      fontFamily: fontFamily ?? DEFAULT_FONT,
      fontSizePx: fontSizePx ?? DEFAULT_FONT_PX,
      scrollbackLines: scrollbackLines ?? DEFAULT_SCROLLBACK_LINES,
      copyOnSelection: copyOnSelection ?? false,
      screenReader: screenReader === true,
    };
  });
}
