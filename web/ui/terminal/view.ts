/**
 * One terminal on the page: an xterm.js, drawn from a stream and feeding it. This folder is the sole owner of xterm.js.
 *
 * 1. The terminal has the session's size, whatever its element has; what fits the element is what it asks for.
 * 2. The page answers nothing (silence.ts): only keys, pastes and the mouse become input, and they go out at once.
 * 3. What a view holds of the browser (a WebGL context, observers, listeners) goes with it.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/xterm";
import type { SessionId } from "../../../core/ids.ts";
import type { FrameExit, FrameSize } from "../../../core/terminals/wire.ts";
import { fixXterm } from "../../../core/terminals/xterm_fixes.ts";
import { attachClipboard } from "./clipboard.ts";
import { browserTimers, type TerminalConnection } from "./connection.ts";
import { createDrawing } from "./drawing.ts";
import { acceptDrops } from "./drop.ts";
import { createFind, type Find } from "./find.ts";
import { createFindBar } from "./find_bar.ts";
import { attachKeyboard } from "./keyboard.ts";
import { attachLinks, type PathPlace } from "./links.ts";
import { createNotices } from "./notice.ts";
import { loadImages } from "./images.ts";
import { createPriority } from "./priority.ts";
import { followPrompts } from "./prompts.ts";
import { createAcceleration } from "./renderer.ts";
import { syncScrollbarPerFrame } from "./scroll_sync.ts";
import { silence } from "./silence.ts";
import type { TerminalStream } from "./stream.ts";
import { colorsOf, readTheme } from "./theme.ts";
import { createViewSize } from "./view_size.ts";
import { terminalWords } from "./words.ts";

export interface TerminalSettings {
  readonly fontFamily: string;
  readonly fontSizePx: number;
  readonly scrollbackLines: number;
  readonly copyOnSelection: boolean;
  readonly screenReader: boolean;
}

/** What the page may take over; what is left out is done within the terminal. */
export interface TerminalHooks {
  /** Asked before many lines are pasted into a program that takes each of them as Enter. */
  readonly confirmPaste?: (paste: { readonly lines: number; readonly text: string }) => Promise<boolean>;
  /** A program wants to write the clipboard (OSC 52); a yes holds as long as the view. */
  readonly allowClipboard?: (text: string) => Promise<boolean>;
  readonly openLink?: (url: string) => void;
  /** Left out: paths are no links. */
  readonly openPath?: (place: PathPlace) => void;
  /** Paths, on the machine of the session, of files that were dropped and whose paths the browser does not tell. */
  readonly pathsOf?: (files: readonly File[]) => Promise<readonly string[]>;
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
  /** Shows the whole session, small, and never asks for a size. */
  readonly preview?: boolean;
  readonly hooks?: TerminalHooks;
}

export type ViewStatus = "loading" | "live" | "exited" | "closed" | "failed";

export interface TerminalView extends Disposable {
  readonly status: ReadonlySignal<ViewStatus>;
  readonly exit: ReadonlySignal<FrameExit | undefined>;
  /** The size of the session, which may be another window's. */
  readonly size: ReadonlySignal<FrameSize>;
  readonly find: Find;
  focus(): void;
  /** A hidden view gets no stream, and what it missed when it is shown. */
  setVisible(visible: boolean): void;
  setLabel(label: string): void;
  /** Pastes as the program asked for it, after the question for many lines. */
  paste(text: string): Promise<void>;
  selection(): string;
  copySelection(): boolean;
  openFind(): void;
  /** Scrolls to a prompt that the shell has marked (OSC 133); false when there is none that way. */
  jumpToPrompt(direction: "previous" | "next"): boolean;
}

/** One for all terminals of the page. */
const priority = createPriority(browserTimers);

export function createTerminalView(element: HTMLElement, options: TerminalViewOptions): TerminalView {
  const { connection, sessionId, settings, hooks = {}, preview = false } = options;
  const status = signal<ViewStatus>("loading");
  const exit = signal<FrameExit | undefined>(undefined);
  const size = signal<FrameSize>({ cols: 80, rows: 24 });
  let visible = options.visible;
  let disposed = false;
  let muted = false;

  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const terminal = new Terminal({
    ...terminalOptions(settings.value),
    theme: readTheme(document.documentElement),
    allowProposedApi: true,
    cursorBlink: !isCalm,
    cursorInactiveStyle: "outline",
    disableStdin: preview,
    rightClickSelectsWord: false,
    macOptionClickForcesSelection: true,
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  fixXterm(terminal);
  terminal.open(element);
  syncScrollbarPerFrame(terminal);

  // Undone in reverse.
  const undo: (() => void)[] = [() => terminal.dispose()];
  const own = <T extends Disposable>(part: T): T => {
    undo.push(() => part[Symbol.dispose]());
    return part;
  };
  const focus = () => terminal.focus();
  const notices = own(createNotices(element, focus));
  const find = createFind(terminal);
  const findBar = own(createFindBar(element, find, focus));
  const prompts = followPrompts(terminal);
  const openFind = () => findBar.open(terminal.getSelection());

  const queue = own(priority.createQueue(() => document.activeElement === terminal.textarea));
  const drawing = createDrawing(terminal, {
    queue,
    onSize(next) {
      size.value = next;
      if (preview) viewSize.update();
    },
    acknowledge: (bytes) => stream.acknowledge(bytes),
    onHistoryMissing: () => whenIdle(() => !disposed && stream.requestHistory()),
  });
  undo.push(() => drawing.dispose());

  const viewSize = createViewSize(terminal, element, {
    preview,
    fontSizePx: () => settings.value.fontSizePx,
    onWanted: (wanted) => stream.setSize(wanted),
  });
  const updateSize = () => visible && !disposed && acceleration.isSettled() && viewSize.update();
  const acceleration = own(createAcceleration(terminal, updateSize));
  acceleration.set(visible && !preview);

  const isShown = () => visible && !document.hidden;
  const fitting = acceleration.isSettled() ? viewSize.fitting() : undefined;
  const stream: TerminalStream = own(connection.attach(
    { sessionId, visible: isShown(), focused: false, ...(fitting !== undefined && { size: fitting }) },
    {
      ...drawing.handlers,
      onAttached: () => void (status.value = exit.value === undefined ? "live" : "exited"),
      onFailed: () => void (status.value = "failed"),
      onExit(reported) {
        exit.value = reported;
        status.value = "exited";
      },
      onClosed: () => void (status.value = "closed"),
    },
  ));

  function send(input: string | Uint8Array): void {
    priority.noteKey();
    if (muted || preview || exit.value !== undefined || stream.send(input)) return;
    const words = terminalWords();
    notices.tell({ text: words.inputRefused, dismiss: words.dismiss });
  }

  const clipboard = own(attachClipboard(element, terminal, {
    send,
    copyOnSelection: () => settings.value.copyOnSelection,
    confirmPaste: hooks.confirmPaste ?? (({ lines }) => {
      const words = terminalWords();
      return notices.ask({ text: words.pasteLines(lines), yes: words.paste, no: words.cancel });
    }),
    allowWrite: hooks.allowClipboard ?? (() => {
      const words = terminalWords();
      return notices.ask({ text: words.clipboard, yes: words.allow, no: words.refuse });
    }),
  }));

  let quiet = keepSilent();
  function keepSilent() {
    return silence(terminal.parser, {
      onMuted: (next) => muted = next,
      onClipboard: (text) => !drawing.isRestoring() && void clipboard.write(text),
    });
  }
  void loadImages(terminal, () => disposed).then((loaded) => {
    if (!loaded) return;
    // The addon answers too: it must be asked after us.
    quiet.dispose();
    quiet = keepSilent();
  });

  attachKeyboard(terminal, { send, isMac, onKeyDown: takeKey });
  terminal.onData(send);
  terminal.onBinary((data) => send(Uint8Array.from(data, (character) => character.charCodeAt(0))));
  attachLinks(terminal, { openLink: hooks.openLink ?? openInNewTab, openPath: hooks.openPath });
  own(acceptDrops(element, { paste: (text) => void clipboard.paste(text), pathsOf: hooks.pathsOf }));

  /** The terminal's own keys. */
  function takeKey(event: KeyboardEvent): boolean {
    const isOurs = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && event.shiftKey && !event.metaKey;
    if (!isOurs || event.altKey) return false;
    switch (event.code) {
      case "KeyF":
        openFind();
        return true;
      case "KeyC":
        return clipboard.copySelection();
      case "ArrowUp":
        return prompts.jump("previous");
      case "ArrowDown":
        return prompts.jump("next");
      default:
        return false;
    }
  }

  const listen = (target: EventTarget | undefined, type: string, listener: () => void) => {
    target?.addEventListener(type, listener);
    undo.push(() => target?.removeEventListener(type, listener));
  };
  listen(terminal.textarea, "focus", () => {
    updateSize();
    stream.setFocused(true);
  });
  listen(terminal.textarea, "blur", () => stream.setFocused(false));
  listen(document, "visibilitychange", () => stream.setVisible(isShown()));

  const observer = new ResizeObserver(updateSize);
  observer.observe(element);
  undo.push(() => observer.disconnect());
  undo.push(settings.subscribe((next) => {
    Object.assign(terminal.options, terminalOptions(next));
    updateSize();
  }));
  undo.push(options.theme.subscribe(() => {
    // The document takes on the theme in the same turn; its tokens are those of the new one afterwards.
    queueMicrotask(() => {
      if (disposed) return;
      const theme = readTheme(document.documentElement);
      terminal.options.theme = theme;
      const colors = colorsOf(theme);
      if (colors !== undefined) connection.setColors(colors);
    });
  }));
  setLabel(options.label);

  function setLabel(label: string): void {
    terminal.textarea?.setAttribute("aria-label", label);
  }

  return {
    status,
    exit,
    size,
    find,
    focus,
    setVisible(next) {
      if (visible === next) return;
      visible = next;
      acceleration.set(visible && !preview);
      updateSize();
      stream.setVisible(isShown());
    },
    setLabel,
    paste: clipboard.paste,
    selection: () => terminal.getSelection(),
    copySelection: clipboard.copySelection,
    openFind,
    jumpToPrompt: prompts.jump,
    [Symbol.dispose]() {
      disposed = true;
      for (const each of undo.toReversed()) each();
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

function openInNewTab(url: string): void {
  open(url, "_blank", "noopener,noreferrer");
}

function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 200 });
  else setTimeout(run, 50);
}
