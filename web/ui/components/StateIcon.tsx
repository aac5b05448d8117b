/** A state by shape and colour, so that neither alone carries it; with its name for those who see neither. */
import type { JSX } from "preact";
import type { AgentState } from "../state/views.ts";
import { useWords } from "./context.ts";

export function StateIcon(
  { state, label = true }: { readonly state: AgentState; readonly label?: boolean },
): JSX.Element {
  const name = useWords().states[state];
  // The whole drawing turns, not a part of it: that is left to the compositor and costs the page nothing.
  const turns = state === "working" || state === "starting";
  return (
    <svg
      class={`state-icon state-${state} ${turns ? "spin" : ""}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      role={label ? "img" : undefined}
      aria-label={label ? name : undefined}
      aria-hidden={label ? undefined : "true"}
    >
      <Shape state={state} />
    </svg>
  );
}

function Shape({ state }: { readonly state: AgentState }): JSX.Element {
  const stroke = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" } as const;
  switch (state) {
    case "working":
    case "starting":
      return (
        <g {...stroke}>
          <circle cx="6" cy="6" r="4.4" opacity=".28" />
          <path d={state === "working" ? "M6 1.6A4.4 4.4 0 0 1 10.4 6" : "M6 1.6a4.4 4.4 0 0 1 2.2.6"} />
        </g>
      );
    case "blocked":
      return (
        <g>
          <path d="M6 .9 11.6 10.8H.4L6 .9Z" fill="currentColor" stroke="currentColor" stroke-linejoin="round" />
          <path d="M6 4.4v2.9M6 9v.1" class="state-cut" />
        </g>
      );
    case "limited":
      return (
        <g {...stroke} stroke-width="1.5">
          <circle cx="6" cy="6" r="4.8" />
          <path d="M6 3.4V6l1.8 1.2" />
        </g>
      );
    case "error":
      return (
        <g>
          <circle cx="6" cy="6" r="5.4" fill="currentColor" />
          <path d="m4 4 4 4M8 4 4 8" class="state-cut" />
        </g>
      );
    case "done":
      return (
        <g>
          <circle cx="6" cy="6" r="5.4" fill="currentColor" />
          <path d="m3.5 6.2 1.8 1.8 3.2-3.7" class="state-cut" />
        </g>
      );
    case "idle":
      return <circle cx="6" cy="6" r="4" fill="currentColor" />;
    case "stopped":
      return <circle cx="6" cy="6" r="4" {...stroke} stroke-width="1.4" stroke-dasharray="2 2" />;
  }
}

export function StateBadge({ state }: { readonly state: AgentState }): JSX.Element {
  const words = useWords();
  return (
    <span class={`state-badge state-${state}`}>
      <StateIcon state={state} label={false} />
      {words.states[state]}
    </span>
  );
}
