/** All that the window knows and can do, put together once by main.tsx and given to the components. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import { type AttentionItem, collectAttention } from "./attention.ts";
import { describeError } from "./errors.ts";
import { parseEvent } from "./events.ts";
import { remembered, type WindowMemory } from "./memory.ts";
import { createProfiles, type Profiles } from "./profiles.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createSettings, type SettingsState } from "./settings.ts";
import type { SessionId } from "../../../core/ids.ts";
import type { TerminalHandle } from "./terminal_host.ts";
import { createToasts, type Toasts } from "./toasts.ts";
import { createView, type View } from "./view.ts";

/** lost: being re-made. refused: the server does not know this window any more. */
export type ConnectionState = "connecting" | "connected" | "lost" | "refused";

export interface Store {
  readonly api: ApiClient;
  readonly settings: SettingsState;
  readonly toasts: Toasts;
  readonly profiles: Profiles;
  readonly projects: Projects;
  readonly view: View;
  readonly connection: ReadonlySignal<ConnectionState>;
  readonly attention: ReadonlySignal<readonly AttentionItem[]>;
  /** The terminals that are on the page now, by session. */
  readonly terminals: Map<SessionId, TerminalHandle>;
  readonly nowMs: () => number;
  readonly memory: WindowMemory;
  /** Shows what the server refused. */
  report(error: ApiError): void;
  /** How the connection is; what failed to be read while it was away is read when it is back. */
  follow(state: "connecting" | "connected" | "lost"): void;
  /** An event of the server, as it came. */
  receive(event: unknown): void;
}

export interface StoreOptions {
  readonly api: ApiClient;
  readonly memory: WindowMemory;
  readonly languages: readonly string[];
  readonly systemIsLight: Signal<boolean>;
  readonly nowMs: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

export function createStore({ api, memory, languages, systemIsLight, nowMs, later }: StoreOptions): Store {
  const toasts = createToasts(later);
  const connection = signal<ConnectionState>("connecting");
  const report = (error: ApiError) => {
    if (error.kind === "problem" && error.problem.status === 401) connection.value = "refused";
    // A lost connection has its own banner: a toast for each request that failed with it would only repeat it.
    else if (error.kind === "problem" || connection.value === "connected") {
      toasts.error(describeError(error, settings.words.value));
    }
  };
  const settings = createSettings({ api, memory, languages, systemIsLight, onError: report });
  const profiles = createProfiles({ api, onError: report });
  const projects = createProjects({ api, onError: report, lastActive: remembered(memory, "project") });
  const attention = computed(() =>
    collectAttention(projects.tabs.value.map((tab) => ({
      projectId: tab.id,
      projectName: tab.view.value.name,
      agents: tab.agents.value,
      tickets: tab.tickets.value,
    })))
  );
  return {
    api,
    settings,
    toasts,
    profiles,
    projects,
    view: createView(memory),
    connection,
    attention,
    terminals: new Map(),
    nowMs,
    memory,
    report,
    follow(state) {
      const before = connection.peek();
      if (before === "refused") return;
      connection.value = state;
      if (before === "lost" && state === "connected") void projects.refreshAll();
      // A socket that is refused does not say why; a request does.
      if (state === "lost") void api.call("GET /api/health").then((result) => result.ok || report(result.error));
    },
    receive(value) {
      const event = parseEvent(value);
      if (event === undefined) return;
      if (event.kind === "profiles") void profiles.refresh();
      projects.apply(event);
    },
  };
}
