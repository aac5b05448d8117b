/** The page of terminal_page.ts: views are opened and closed by the test, which reaches them as `globalThis.kit`. */
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { createId } from "../../core/ids.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import { createTerminalView, type TerminalSettings, type TerminalView } from "../../web/ui/terminal/view.ts";

export interface Kit {
  readonly events: unknown[];
  /** What the page was asked, or asked to do. */
  readonly asked: string[];
  /** The answer to questions. */
  answer: boolean;
  open(cell: string, sessionId: string, more?: { readonly preview?: boolean; readonly visible?: boolean }): void;
  close(cell: string): void;
  view(cell: string): TerminalView;
  connection(): string;
  set(change: Partial<TerminalSettings>): void;
}

const views = new Map<string, TerminalView>();
const settings = signal<TerminalSettings>({
  fontFamily: '"DejaVu Sans Mono", monospace',
  fontSizePx: 13,
  scrollbackLines: 10_000,
  copyOnSelection: false,
  screenReader: false,
});
const theme = signal(0);
const events: unknown[] = [];
const asked: string[] = [];
const connection = createTerminalConnection({
  url: `ws://${location.host}/api/socket`,
  onEvent: (event) => events.push(event),
});

const kit: Kit = {
  events,
  asked,
  answer: true,
  open(cell, sessionId, more = {}) {
    const element = document.createElement("div");
    element.id = cell;
    element.className = "cell";
    document.getElementById("grid")?.append(element);
    const view = createTerminalView(element, {
      connection,
      sessionId: createId("session", sessionId),
      label: cell,
      settings,
      theme,
      visible: true,
      hooks: {
        confirmPaste({ lines }) {
          asked.push(`paste ${lines} lines`);
          return Promise.resolve(kit.answer);
        },
        openPath: ({ path, line, column }) => void asked.push(`open ${path}:${line}:${column}`),
        openLink: (url) => void asked.push(`open ${url}`),
        allowClipboard(text) {
          asked.push(`clipboard ${text}`);
          return Promise.resolve(kit.answer);
        },
      },
      ...more,
    });
    views.set(cell, view);
  },
  close(cell) {
    views.get(cell)?.[Symbol.dispose]();
    views.delete(cell);
    document.getElementById(cell)?.remove();
  },
  view(cell) {
    const view = views.get(cell);
    if (view === undefined) throw new Error(`no view ${cell}`);
    return view;
  },
  connection: () => connection.state.value,
  set: (change) => void (settings.value = { ...settings.value, ...change }),
};

Object.assign(globalThis, { kit });
