/**
 * Ends what runs on a terminal: SIGHUP to the whole session, and after a grace time SIGKILL to the program's process
 * group and to the one in the foreground. Others that ignored SIGHUP were asked to outlive their terminal (nohup).
 */
import type { SessionSignals } from "./session_signals.ts";

/** How often to look whether others of the session still live when the program is gone. */
const LOOK_MS = 50;

export interface SessionEnd {
  /** Of several grace times the one that ends first counts. */
  begin(graceMs: number): void;
  /** The session's first process was reaped. */
  programReaped(): void;
  /** The program is gone and, once begun, all others that had to go. */
  readonly done: Promise<void>;
}

export function createSessionEnd(
  sessions: SessionSignals,
  { session, terminal }: { readonly session: number; readonly terminal: number },
): SessionEnd {
  const done = Promise.withResolvers<void>();
  let state: "idle" | "begun" | "killed" | "done" = "idle";
  let isReaped = false;
  let foreground: number | undefined;
  let killAtMs = Infinity;
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  let lookTimer: ReturnType<typeof setTimeout> | undefined;

  function kill(): void {
    state = "killed";
    if (!isReaped) foreground = sessions.foregroundGroup(terminal) ?? foreground;
    sessions.killGroups(session, foreground === undefined ? [session] : [session, foreground], isReaped);
    if (isReaped) finish();
  }

  function awaitOthers(): void {
    if (state === "begun" && sessions.members(session).length > 0) lookTimer = setTimeout(awaitOthers, LOOK_MS);
    else finish();
  }

  function finish(): void {
    state = "done";
    clearTimeout(killTimer);
    clearTimeout(lookTimer);
    done.resolve();
  }

  return {
    begin(graceMs) {
      if (state === "killed" || state === "done") return;
      if (state === "idle") {
        state = "begun";
        foreground = sessions.foregroundGroup(terminal);
        sessions.hangUp(session);
      }
      const atMs = performance.now() + graceMs;
      if (atMs >= killAtMs) return;
      killAtMs = atMs;
      clearTimeout(killTimer);
      killTimer = setTimeout(kill, graceMs);
    },
    programReaped() {
      isReaped = true;
      awaitOthers();
    },
    done: done.promise,
  };
}
