/** A usage limit: until when, and when the agent goes on by itself. */
import type { JSX } from "preact";
import type { ProjectState } from "../state/project.ts";
import { formatClock, formatCountdown } from "../state/time.ts";
import type { AgentView } from "../state/views.ts";
import { useNow, useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";

export function LimitBadge(
  { project, agent }: { readonly project: ProjectState; readonly agent: AgentView },
): JSX.Element | null {
  if (agent.state !== "limited") return null;
  const endsAtMs = project.resumes.value.get(agent.agentId) ?? agent.resetsAtMs;
  return <Countdown endsAtMs={endsAtMs} />;
}

function Countdown({ endsAtMs }: { readonly endsAtMs: number | undefined }): JSX.Element {
  const { settings } = useStore();
  const words = useWords();
  const now = useNow(1_000);
  const title = endsAtMs === undefined
    ? words.limits.unknown
    : words.limits.until(formatClock(endsAtMs, { nowMs: now, language: settings.language.value }));
  return (
    <span class="limit-badge" title={title} role="timer" aria-label={title}>
      <Icon name="clock" size={12} />
      {endsAtMs === undefined ? "?" : formatCountdown(endsAtMs - now)}
    </span>
  );
}
