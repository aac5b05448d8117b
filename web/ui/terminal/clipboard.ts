/**
 * The clipboard. A person copies and pastes as anywhere; a program may write it (OSC 52) when the person has allowed it
 * once for this terminal, and can never read it.
 */
import type { Terminal } from "@xterm/xterm";
import { framePaste } from "../../../core/terminals/paste.ts";

export interface ClipboardOptions {
  readonly send: (input: string) => void;
  readonly copyOnSelection: () => boolean;
  /** Asked before many lines go to a program that takes each of them as Enter. */
  readonly confirmPaste: (paste: { readonly lines: number; readonly text: string }) => Promise<boolean>;
  readonly allowWrite: (text: string) => Promise<boolean>;
}

export interface TerminalClipboard extends Disposable {
  paste(text: string): Promise<void>;
  /** False when nothing is selected. */
  copySelection(): boolean;
  /** A program's wish. */
  write(text: string): Promise<void>;
}

const WARN_LINES = 5;

export function attachClipboard(
  element: HTMLElement,
  terminal: Terminal,
  options: ClipboardOptions,
): TerminalClipboard {
  let allowed: Promise<boolean> | undefined;

  async function paste(text: string): Promise<void> {
    const lines = text.trimEnd().split(/\r\n|\r|\n/).length;
    const isFramed = terminal.modes.bracketedPasteMode;
    if (lines >= WARN_LINES && !isFramed && !await options.confirmPaste({ lines, text })) return;
    options.send(framePaste(text, terminal.modes.bracketedPasteMode));
    terminal.scrollToBottom();
  }

  function copySelection(): boolean {
    const text = terminal.getSelection();
    if (text === "") return false;
    // Refused by the browser without a gesture of the person: then there was none, and nothing is lost.
    navigator.clipboard.writeText(text).catch(() => {});
    return true;
  }

  const onPaste = (event: ClipboardEvent) => {
    // What lies over the terminal, its search line, has pastes of its own.
    if (!(event.target instanceof Node) || !terminal.element?.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text !== "") void paste(text);
  };
  // The selection grows with every move of the mouse: it is copied when the button is let go, wherever that is.
  let hasNewSelection = false;
  const selecting = terminal.onSelectionChange(() => hasNewSelection = true);
  const onPointerUp = () => {
    if (hasNewSelection && options.copyOnSelection()) copySelection();
    hasNewSelection = false;
  };
  element.addEventListener("paste", onPaste, { capture: true });
  addEventListener("pointerup", onPointerUp);

  return {
    paste,
    copySelection,
    async write(text) {
      // Several windows may show the session: the one the person is in writes.
      if (!document.hasFocus()) return;
      if (!await (allowed ??= options.allowWrite(text))) {
        // Asked again the next time: a refusal may have meant that one text.
        allowed = undefined;
        return;
      }
      await navigator.clipboard.writeText(text).catch(() => {});
    },
    [Symbol.dispose]() {
      element.removeEventListener("paste", onPaste, { capture: true });
      removeEventListener("pointerup", onPointerUp);
      selecting.dispose();
    },
  };
}
