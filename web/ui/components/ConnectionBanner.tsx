/** Says that the server is away; only when it lasts, so that a blink is not an alarm. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";

const QUIET_MS = 700;

export function ConnectionBanner(): JSX.Element | null {
  const { connection } = useStore();
  const words = useWords();
  const state = connection.value;
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (state !== "lost") return;
    const timer = setTimeout(() => setLasts(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === "refused") {
    return (
      <div class="banner error" role="alert">
        <Icon name="alert" />
        <strong>{words.connection.unauthorised}</strong>
        <span>{words.connection.unauthorisedLead}</span>
      </div>
    );
  }
  if (state !== "lost" || !lasts) return null;
  return (
    <div class="banner" role="status">
      <Icon name="refresh" />
      <strong>{words.connection.lost}</strong>
      <span>{words.connection.lostLead}</span>
    </div>
  );
}
