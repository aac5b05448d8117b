/** What the grid needs of the part of the page that draws terminals (web/ui/terminal, the sole owner of xterm). */
import type { SessionId } from "../../../core/ids.ts";

export interface TerminalHandle extends Disposable {
  /** A hidden view gets no stream, and a snapshot when it is shown again. */
  setVisible(visible: boolean): void;
  /** What a screen reader calls it. */
  setLabel(label: string): void;
  openFind(): void;
  /** To a prompt that the shell has marked, above or below what is shown. */
  jumpToPrompt(direction: "previous" | "next"): void;
}

export interface TerminalHost {
  /** Draws a session inside element until the handle is disposed. */
  mount(
    element: HTMLElement,
    session: { readonly sessionId: SessionId; readonly label: string },
  ): TerminalHandle;
}
