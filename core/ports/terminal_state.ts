/**
 * What a terminal shows, kept on the server: the screen and scrollback of one session, so that a window that attaches
 * gets the exact screen, scripts read text and profiles look at the screen.
 *
 * Offsets count the bytes of output since the session began. A snapshot says at which offset it was true, and since()
 * gives the raw output after an offset, so a viewer can always be brought from where it is to now without a byte lost
 * or doubled.
 */
import type { TerminalColors } from "../terminals/queries.ts";
import type { TerminalModes } from "../terminals/modes.ts";
import type { ProgramStatus, TerminalSignal } from "../terminals/signals.ts";
import type { PtySize } from "./pty.ts";

export type { ProgramStatus, TerminalColors, TerminalModes, TerminalSignal };

export interface TerminalStateOptions {
  readonly size: PtySize;
  /** Lines kept above the screen. */
  readonly scrollback: number;
  /** Answers to the program's queries (device attributes, cursor position, colours, OSC 7501): each exactly once. */
  readonly answer: (reply: string) => void;
  readonly onSignal: (signal: TerminalSignal) => void;
}

export interface TerminalText {
  /** The visible rows, trailing blanks cut; always size.rows of them. */
  readonly screen: readonly string[];
  /** Lines above the screen, oldest first; wrapped lines are not joined. Empty unless asked for. */
  readonly scrollback: readonly string[];
  readonly cursor: { readonly col: number; readonly row: number };
  readonly title: string;
  readonly folder?: string;
  readonly size: PtySize;
  readonly modes: TerminalModes;
  readonly offset: number;
}

export type SnapshotPart =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "resize"; readonly size: PtySize };

/** Played in order into a fresh xterm.js of `size`, the parts give the exact state at `offset`. */
export interface TerminalSnapshot {
  readonly size: PtySize;
  readonly parts: readonly SnapshotPart[];
  readonly offset: number;
}

export interface TerminalState extends Disposable {
  /** Takes the next output. The bytes are copied. */
  write(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  /** Total bytes written so far. */
  offset(): number;
  /** Bytes that write() has taken and that are not digested yet: above a bound the caller pauses the PTY. */
  backlogBytes(): number;
  /** Resolves when the backlog is digested. */
  digested(): Promise<void>;
  /** scrollbackLines 0 for the screen alone; Infinity for all that is kept. */
  read(scrollbackLines: number): Promise<TerminalText>;
  snapshot(scrollbackLines: number): Promise<TerminalSnapshot>;
  /** Raw output (and size changes) after that offset, or undefined when it is no longer kept. */
  since(offset: number): readonly SnapshotPart[] | undefined;
  /**
   * The program that set input modes is gone and the shell is back: clears mouse, kitty keyboard, bracketed paste, focus
   * events and the alternate screen, those of them that were last set up to that offset (Infinity: all). Returns the
   * escape sequences that viewers need too; they count as output.
   */
  clearStaleModes(upToOffset: number): Uint8Array;
  setColors(colors: TerminalColors): void;
}

export interface TerminalStates {
  create(options: TerminalStateOptions): TerminalState;
}
