/**
 * Live sessions: a pseudo-terminal, what it shows, and who watches it. The only place that holds a PTY.
 */
import type { AgentId, ProjectId, SessionId } from "../ids.ts";
import type { PtyExit, PtySize, PtySpawnError, PtyWriteError } from "../ports/pty.ts";
import type { TerminalColors, TerminalSignal, TerminalText } from "../ports/terminal_state.ts";
import type { Result } from "../result.ts";

export interface OpenTerminal {
  readonly projectId: ProjectId;
  readonly agentId?: AgentId;
  /** Left out: the person's shell. */
  readonly argv?: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the person's login environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly size: PtySize;
  readonly title?: string;
}

export type OpenTerminalError = PtySpawnError | { readonly kind: "tooManySessions"; readonly limit: number };

export interface TerminalInfo {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly agentId?: AgentId;
  readonly pid: number;
  readonly title: string;
  readonly folder?: string;
  readonly size: PtySize;
  readonly startedAtMs: number;
  /** Set when the program has ended; the session stays readable until it is closed. */
  readonly exit?: PtyExit;
}

export interface SessionNotFound {
  readonly kind: "sessionNotFound";
  readonly sessionId: SessionId;
}

/** person: keys of a human; delivery: typed by IdeA into an agent's terminal; script: HTTP or CLI. */
export type InputSource = "person" | "delivery" | "script";

/** One window's view of one session. send must copy or transmit at once; frames are built by core/terminals/wire.ts. */
export interface Viewer {
  readonly send: (frame: Uint8Array) => void;
  /** The session's number on this viewer's connection. */
  readonly channel: number;
  /** Where the viewer already is, when it had this session before the connection broke. */
  readonly fromOffset?: number;
}

export interface Attachment extends Disposable {
  /** The viewer has drawn this many bytes more. */
  acknowledge(bytes: number): void;
  /** The viewer that is focused sets the size. */
  setFocused(focused: boolean): void;
  setSize(size: PtySize): void;
  /** A hidden view gets no stream, and a snapshot when it is shown. */
  setVisible(visible: boolean): void;
  /** Asks for the scrollback above the screen. */
  requestHistory(): void;
}

/** What the app that owns a session hears of it, synchronously and in order. */
export interface SessionListener {
  readonly onSignal?: (signal: TerminalSignal) => void;
  /** After output was taken; not once per read but at most once per turn of the event loop. */
  readonly onOutput?: () => void;
  readonly onInput?: (source: InputSource, bytes: number) => void;
  readonly onExit?: (exit: PtyExit) => void;
}

export type WaitTextResult =
  | { readonly kind: "found"; readonly line: string; readonly text: TerminalText }
  | { readonly kind: "timedOut"; readonly text: TerminalText }
  | { readonly kind: "exited"; readonly exit: PtyExit; readonly text: TerminalText };

export interface Terminals extends AsyncDisposable {
  open(options: OpenTerminal): Promise<Result<TerminalInfo, OpenTerminalError>>;
  list(projectId?: ProjectId): readonly TerminalInfo[];
  get(sessionId: SessionId): TerminalInfo | undefined;
  /** Raw bytes or text into the terminal, whole or not at all. */
  write(
    sessionId: SessionId,
    input: Uint8Array | string,
    source: InputSource,
  ): Result<void, SessionNotFound | PtyWriteError>;
  /**
   * Pastes text as the program asked for it (framed when bracketed paste is on); end markers inside are removed, so
   * that pasted text cannot leave its frame.
   */
  paste(sessionId: SessionId, text: string, source: InputSource): Result<void, SessionNotFound | PtyWriteError>;
  resize(sessionId: SessionId, size: PtySize): Result<void, SessionNotFound | { readonly kind: "invalidSize" }>;
  read(sessionId: SessionId, scrollbackLines: number): Promise<Result<TerminalText, SessionNotFound>>;
  /** Waits until a line of screen or scrollback matches the regular expression, bounded by timeoutMs. */
  waitText(
    sessionId: SessionId,
    options: { readonly pattern: string; readonly timeoutMs: number },
  ): Promise<Result<WaitTextResult, SessionNotFound | { readonly kind: "invalidPattern"; readonly pattern: string }>>;
  attach(sessionId: SessionId, viewer: Viewer): Result<Attachment, SessionNotFound>;
  listen(sessionId: SessionId, listener: SessionListener): Result<Disposable, SessionNotFound>;
  /** Ends the program (SIGHUP, then SIGKILL) if it lives, and forgets the session. */
  close(sessionId: SessionId): Promise<Result<PtyExit, SessionNotFound>>;
  setColors(colors: TerminalColors): void;
}
