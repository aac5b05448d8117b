/** A usage limit in short, how long it lasts; and in words: until when, and what happens then. */
import type { JSX } from "preact";
import { formatClock, formatCountdown } from "../state/time.ts";
import type { AgentLimit } from "../state/views.ts";
import type { Words } from "../words/en.ts";
import { useNow, useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";

export function LimitBadge({ limit }: { readonly limit: AgentLimit | undefined }): JSX.Element | null {
  return limit === undefined ? null : <Countdown limit={limit} />;
}

function Countdown({ limit }: { readonly limit: AgentLimit }): JSX.Element {
  const now = useNow(1_000);
  const title = useLimitText(limit).join(", ");
  const endsAtMs = limit.resumesAtMs ?? limit.resetsAtMs;
  return (
    <span class="limit-badge" title={title} role="timer" aria-label={title}>
      <Icon name="clock" size={12} />
      {endsAtMs === undefined ? "?" : formatCountdown(endsAtMs - now)}
    </span>
  );
}

/** Until when, and what happens then. */
export function useLimitText(limit: AgentLimit): readonly [string, string?] {
  const { settings, nowMs } = useStore();
  const words = useWords();
  const clock = (atMs: number) => formatClock(atMs, { nowMs: nowMs(), language: settings.language.value });
  return limitText(limit, { words, clock });
}

function limitText(
  { source, resetsAtMs, resumesAtMs }: AgentLimit,
  { words: { limits }, clock }: { readonly words: Words; readonly clock: (atMs: number) => string },
): readonly [string, string?] {
  if (source === "suspected") return [limits.suspected];
  if (resetsAtMs === undefined) return [limits.unknown];
  if (resumesAtMs === undefined) return [limits.until(clock(resetsAtMs)), limits.held];
  const [ends, resumes] = [clock(resetsAtMs), clock(resumesAtMs)];
  return [limits.until(ends), ends === resumes ? limits.resumes : limits.resumesAt(resumes)];
}
