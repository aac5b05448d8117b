/**
 * Live sessions: a pseudo-terminal, what it shows, and who watches it. The only place that holds a PTY.
 */
import type { Events, IdeaEvent } from "../events.ts";
import { type AgentId, createId, type ProjectId, type SessionId } from "../ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Programs } from "../ports/programs.ts";
import type { Pty, PtyExit, PtySize, PtySpawnError, PtyWriteError } from "../ports/pty.ts";
import type { TerminalColors, TerminalSignal, TerminalStates, TerminalText } from "../ports/terminal_state.ts";
import { err, ok, type Result } from "../result.ts";
import type { Lane } from "../terminals/flow.ts";
import { planShell, shellMarks, terminalEnvironment, type TerminalPlatform } from "../terminals/shell.ts";
import { openSession, type Session, type SessionPorts } from "./terminal_session.ts";
import { waitForText } from "./wait_text.ts";

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
  readonly send: (frame: Uint8Array<ArrayBuffer>) => void;
  /** The session's number on this viewer's connection. */
  readonly channel: number;
  /** Where the viewer already is, when it had this session before the connection broke, and its size there. */
  readonly from?: { readonly offset: number; readonly size: PtySize };
  /** false: attached hidden, so nothing is sent before it is shown. */
  readonly visible?: boolean;
  /** Of the viewer's connection. */
  readonly lane: Lane;
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
  /** What was written; the array is only valid during the call. */
  readonly onInput?: (source: InputSource, input: Uint8Array | string) => void;
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
  /** Until disposed, only deliveries reach the program; what others write waits in its order. */
  hold(sessionId: SessionId): Result<Disposable, SessionNotFound>;
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

export interface TerminalsPorts {
  readonly pty: Pty;
  readonly states: TerminalStates;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly programs: Programs;
  readonly events: Events;
  /** What a listener threw, or a port that broke its promise: the log. */
  readonly onDefect: (error: unknown) => void;
}

export interface TerminalsLimits {
  readonly platform: TerminalPlatform;
  readonly maxSessions: number;
  /** Lines kept above the screen of each session. */
  readonly scrollbackLines: number;
  /** Between SIGHUP and SIGKILL. */
  readonly closeGraceMs: number;
}

export const defaultTerminalsLimits = { maxSessions: 500, scrollbackLines: 10_000, closeGraceMs: 2_000 } as const;

export function createTerminals(ports: TerminalsPorts, limits: TerminalsLimits): Terminals {
  const sessions = new Map<SessionId, Session>();
  const closings = new Map<SessionId, Promise<PtyExit>>();
  let opening = 0;
  let disposed = false;
  let colors: TerminalColors | undefined;
  const publish = (event: IdeaEvent) => ports.events.publish(event);
  const sessionPorts: SessionPorts = { ...ports, publish };

  function withSession<T, E>(
    sessionId: SessionId,
    use: (session: Session) => Result<T, E>,
  ): Result<T, E | SessionNotFound> {
    const session = sessions.get(sessionId);
    return session === undefined ? err({ kind: "sessionNotFound", sessionId }) : use(session);
  }

  async function open(options: OpenTerminal): Promise<Result<TerminalInfo, OpenTerminalError>> {
    if (sessions.size + opening >= limits.maxSessions) {
      return err({ kind: "tooManySessions", limit: limits.maxSessions });
    }
    opening++;
    const login = await ports.programs.loginEnvironment().finally(() => opening--);
    // Shutting down: nothing may start that nobody would end.
    if (disposed) return err({ kind: "tooManySessions", limit: 0 });
    const argv = options.argv ?? planShell(login, limits.platform);
    const sessionId = createId("session", ports.entropy.newId());
    const opened = openSession(sessionPorts, {
      sessionId,
      projectId: options.projectId,
      ...(options.agentId !== undefined && { agentId: options.agentId }),
      argv,
      cwd: options.cwd,
      env: terminalEnvironment(login, {
        ...(options.agentId === undefined && shellMarks(argv, login)),
        ...options.env,
      }),
      size: options.size,
      title: options.title ?? argv[0].split(/[\\/]/).at(-1) ?? argv[0],
      scrollback: limits.scrollbackLines,
      colors,
    });
    if (!opened.ok) return opened;
    sessions.set(sessionId, opened.value);
    publish({
      kind: "sessionOpened",
      projectId: options.projectId,
      sessionId,
      ...(options.agentId !== undefined && { agentId: options.agentId }),
    });
    return ok(opened.value.info());
  }

  function close(sessionId: SessionId): Promise<PtyExit> | undefined {
    const session = sessions.get(sessionId);
    if (session === undefined) return undefined;
    const under = closings.get(sessionId);
    if (under !== undefined) return under;
    const { projectId } = session.info();
    const closing = session.close(limits.closeGraceMs).finally(() => {
      sessions.delete(sessionId);
      closings.delete(sessionId);
      publish({ kind: "sessionClosed", projectId, sessionId });
    });
    closings.set(sessionId, closing);
    return closing;
  }

  return {
    open,
    list(projectId) {
      const infos = [...sessions.values()].map((session) => session.info());
      return projectId === undefined ? infos : infos.filter((info) => info.projectId === projectId);
    },
    get: (sessionId) => sessions.get(sessionId)?.info(),
    write: (sessionId, input, source) => withSession(sessionId, (session) => session.write(input, source)),
    paste: (sessionId, text, source) => withSession(sessionId, (session) => session.paste(text, source)),
    hold: (sessionId) => withSession(sessionId, (session) => ok(session.hold())),
    resize: (sessionId, size) => withSession(sessionId, (session) => session.resize(size)),
    async read(sessionId, scrollbackLines) {
      const session = sessions.get(sessionId);
      if (session === undefined) return err({ kind: "sessionNotFound", sessionId });
      return ok(await session.read(scrollbackLines));
    },
    async waitText(sessionId, options) {
      const session = sessions.get(sessionId);
      if (session === undefined) return err({ kind: "sessionNotFound", sessionId });
      return await waitForText(session, ports.clock, options);
    },
    attach: (sessionId, viewer) => withSession(sessionId, (session) => ok(session.attach(viewer))),
    listen: (sessionId, listener) => withSession(sessionId, (session) => ok(session.listen(listener))),
    async close(sessionId) {
      const closing = close(sessionId);
      return closing === undefined ? err({ kind: "sessionNotFound", sessionId }) : ok(await closing);
    },
    setColors(wanted) {
      colors = wanted;
      for (const session of sessions.values()) session.setColors(wanted);
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await Promise.all([...sessions.keys()].map(close));
    },
  };
}
