/**
 * One terminal on the page: an xterm.js, drawn from a stream and feeding it. This folder is the sole owner of xterm.js.
 *
 * 1. What is drawn follows the stream in order: sizes and resets are written into the same queue as output, so none of
 *    them overtakes output that is not drawn yet.
 * 2. The terminal has the session's size, whatever its element has; what fits the element is what it asks for.
 * 3. The screen comes first; the scrollback follows in the background and takes its place in one piece.
 * 4. The page answers nothing (silence.ts): only keys, pastes and the mouse become input, and they go out at once.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { FitAddon } from "@xterm/addon-fit";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/xterm";
import type { SessionId } from "../../../core/ids.ts";
import { framePaste } from "../../../core/terminals/paste.ts";
import type { FrameExit, FrameSize } from "../../../core/terminals/wire.ts";
import type { TerminalConnection } from "./connection.ts";
import { accelerate } from "./renderer.ts";
import { silence } from "./silence.ts";
import type { TerminalStream } from "./stream.ts";
import { readTheme } from "./theme.ts";

export interface TerminalSettings {
  readonly fontFamily: string;
  readonly fontSizePx: number;
  readonly scrollbackLines: number;
  readonly copyOnSelection: boolean;
  readonly screenReader: boolean;
}

export interface TerminalHooks {
  /** Asked before many lines are pasted into a program that takes each of them as Enter. */
  readonly confirmPaste?: (paste: { readonly lines: number; readonly text: string }) => Promise<boolean>;
  /** A program wants to write the clipboard (OSC 52). */
  readonly allowClipboard?: (text: string) => Promise<boolean>;
  readonly openLink?: (url: string) => void;
  readonly openPath?: (place: { readonly path: string; readonly line?: number; readonly column?: number }) => void;
  /** Paths, on the machine of the session, of files that were dropped. */
  readonly pathsOf?: (files: readonly File[]) => Promise<readonly string[]>;
  /** More was typed or pasted than a program that does not read can be sent. */
  readonly onInputRefused?: () => void;
}

export interface TerminalViewOptions {
  readonly connection: TerminalConnection;
  readonly sessionId: SessionId;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly settings: ReadonlySignal<TerminalSettings>;
  /** Changes when the page's theme does: its tokens are then read again. */
  readonly theme: ReadonlySignal<unknown>;
  readonly visible: boolean;
  /** Draws the session at its size and never asks for another. */
  readonly preview?: boolean;
  readonly hooks?: TerminalHooks;
}

export type ViewStatus = "loading" | "live" | "exited" | "closed" | "failed";

export interface TerminalView extends Disposable {
  readonly status: ReadonlySignal<ViewStatus>;
  readonly exit: ReadonlySignal<FrameExit | undefined>;
  /** The size of the session, which may be another window's. */
  readonly size: ReadonlySignal<FrameSize>;
  focus(): void;
  /** A hidden view gets no stream, and what it missed when it is shown. */
  setVisible(visible: boolean): void;
  setLabel(label: string): void;
  /** Pastes as the program asked for it, after the question for many lines. */
  paste(text: string): Promise<void>;
  selection(): string;
}

const WARN_LINES = 5;
/** Aborts whatever sequence or character the output was cut in, then resets everything; and holds drawing back. */
const RESET_AND_HOLD = new Uint8Array([0x00, 0x18, 0x1b, 0x63, ...new TextEncoder().encode("\x1b[?2026h")]);
const RELEASE = new TextEncoder().encode("\x1b[?2026l");

export function createTerminalView(element: HTMLElement, options: TerminalViewOptions): TerminalView {
  const { connection, sessionId, settings, hooks = {}, preview = false } = options;
  const status = signal<ViewStatus>("loading");
  const exit = signal<FrameExit | undefined>(undefined);
  const size = signal<FrameSize>({ cols: 80, rows: 24 });
  const terminal = new Terminal({
    ...terminalOptions(settings.value),
    theme: readTheme(document.documentElement),
    allowProposedApi: true,
    cursorBlink: false,
    macOptionIsMeta: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new UnicodeGraphemesAddon());
  let visible = options.visible;
  let muted = false;
  let restoring = false;
  let hasHistory = false;
  let disposed = false;
  let acceleration: Disposable | undefined;

  terminal.open(element);
  const stream: TerminalStream = connection.attach(
    { sessionId, visible, focused: false, ...(!preview && fittingSize()) },
    {
      onAttached: () => void (status.value = exit.value === undefined ? "live" : "exited"),
      onFailed: () => void (status.value = "failed"),
      onSnapshotBegin(snapshot) {
        restoring = true;
        hasHistory = snapshot.history;
        terminal.write(RESET_AND_HOLD, () => resize(snapshot.size));
      },
      onOutput: (bytes) => terminal.write(bytes, () => stream.acknowledge(bytes.length)),
      onResize: (next) => terminal.write("", () => resize(next)),
      onSnapshotEnd() {
        terminal.write(RELEASE, () => {
          restoring = false;
          if (!hasHistory && !disposed) requestIdle(() => stream.requestHistory());
        });
      },
      onExit(reported) {
        exit.value = reported;
        status.value = "exited";
      },
      onClosed: () => void (status.value = "closed"),
    },
  );

  function resize(next: FrameSize): void {
    if (disposed) return;
    size.value = next;
    if (terminal.cols !== next.cols || terminal.rows !== next.rows) terminal.resize(next.cols, next.rows);
  }

  function fittingSize(): { readonly size: FrameSize } | undefined {
    const proposed = fit.proposeDimensions();
    if (proposed === undefined || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return undefined;
    const cells = (count: number) => Math.max(2, Math.min(1000, count));
    return { size: { cols: cells(proposed.cols), rows: cells(proposed.rows) } };
  }

  function askForSize(): void {
    if (preview || !visible || disposed) return;
    const fitting = fittingSize();
    if (fitting !== undefined) stream.setSize(fitting.size);
  }

  function send(input: string | Uint8Array): void {
    if (muted || exit.value !== undefined) return;
    if (!stream.send(input)) hooks.onInputRefused?.();
  }

  async function paste(text: string): Promise<void> {
    const lines = text.trimEnd().split(/\r\n|\r|\n/).length;
    const framed = terminal.modes.bracketedPasteMode;
    if (lines >= WARN_LINES && !framed && await hooks.confirmPaste?.({ lines, text }) === false) return;
    if (disposed) return;
    send(framePaste(text, terminal.modes.bracketedPasteMode));
    terminal.scrollToBottom();
  }

  function updateAcceleration(): void {
    if (!visible || preview) {
      acceleration?.[Symbol.dispose]();
      acceleration = undefined;
      return;
    }
    if (acceleration !== undefined) return;
    void accelerate(terminal).then((made) => {
      if (!visible || disposed || acceleration !== undefined) made?.[Symbol.dispose]();
      else acceleration = made;
    });
  }

  silence(terminal.parser, {
    onMuted: (next) => muted = next,
    onClipboard: (text) => void writeClipboard(text),
  });

  async function writeClipboard(text: string): Promise<void> {
    // What is only drawn again is nobody's wish now.
    if (restoring || !document.hasFocus()) return;
    if (await hooks.allowClipboard?.(text) === true) await navigator.clipboard.writeText(text);
  }

  terminal.onData(send);
  terminal.onBinary((data) => send(Uint8Array.from(data, (character) => character.charCodeAt(0))));

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text !== "") void paste(text);
  };
  const onFocus = () => {
    stream.setFocused(true);
    askForSize();
  };
  const onBlur = () => stream.setFocused(false);
  element.addEventListener("paste", onPaste, { capture: true });
  terminal.textarea?.addEventListener("focus", onFocus);
  terminal.textarea?.addEventListener("blur", onBlur);

  const observer = new ResizeObserver(() => askForSize());
  observer.observe(element);
  const stopSettings = settings.subscribe((next) => {
    Object.assign(terminal.options, terminalOptions(next));
    askForSize();
  });
  const stopTheme = options.theme.subscribe(() => {
    terminal.options.theme = readTheme(document.documentElement);
  });
  setLabel(options.label);
  updateAcceleration();

  function setLabel(label: string): void {
    terminal.textarea?.setAttribute("aria-label", label);
  }

  return {
    status,
    exit,
    size,
    focus: () => terminal.focus(),
    setVisible(next) {
      if (visible === next) return;
      visible = next;
      updateAcceleration();
      askForSize();
      stream.setVisible(next);
    },
    setLabel,
    paste,
    selection: () => terminal.getSelection(),
    [Symbol.dispose]() {
      disposed = true;
      stopSettings();
      stopTheme();
      observer.disconnect();
      element.removeEventListener("paste", onPaste, { capture: true });
      acceleration?.[Symbol.dispose]();
      stream[Symbol.dispose]();
      terminal.dispose();
    },
  };
}

function terminalOptions(settings: TerminalSettings) {
  return {
    fontFamily: settings.fontFamily,
    fontSize: settings.fontSizePx,
    scrollback: settings.scrollbackLines,
    screenReaderMode: settings.screenReader,
  };
}

function requestIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 200 });
  else setTimeout(run, 50);
}
