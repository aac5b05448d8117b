/** A place for one session's terminal. It stays attached while it is hidden, and is drawn anew only for another session. */
import { createContext, type JSX } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { SessionId } from "../../../core/ids.ts";
import type { TerminalHandle, TerminalHost } from "../state/terminal_host.ts";

const HostContext = createContext<TerminalHost | undefined>(undefined);

export const TerminalHostProvider = HostContext.Provider;

export interface TerminalPaneProps {
  readonly sessionId: SessionId;
  readonly label: string;
  readonly visible: boolean;
}

export function TerminalPane({ sessionId, label, visible }: TerminalPaneProps): JSX.Element {
  const host = useContext(HostContext);
  const place = useRef<HTMLDivElement>(null);
  const handle = useRef<TerminalHandle | undefined>(undefined);
  useEffect(() => {
    if (host === undefined || place.current === null) return;
    const mounted = host.mount(place.current, { sessionId, label });
    mounted.setVisible(visible);
    handle.current = mounted;
    return () => {
      handle.current = undefined;
      mounted[Symbol.dispose]();
    };
  }, [host, sessionId]);
  useEffect(() => handle.current?.setLabel(label), [label]);
  useEffect(() => handle.current?.setVisible(visible), [visible]);
  return <div ref={place} class="terminal-place" tabIndex={-1} data-session={sessionId} />;
}
