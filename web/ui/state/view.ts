/** What the window shows around the grid: which panel, which dialog, which thread. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AgentId, CellId, ConversationId, LayoutId, ProfileId } from "../../../core/ids.ts";
import { remembered, type WindowMemory } from "./memory.ts";
import type { ProjectState } from "./project.ts";

export type Panel = "agents" | "conversations";
export type ConversationTab = "threads" | "delegations";
export type SettingsPage = "general" | "profiles" | "shortcuts" | "about";

/** At most one dialog is open; it covers the page and has the keyboard. */
export type Dialog =
  | { readonly kind: "palette" }
  | { readonly kind: "picker" }
  | { readonly kind: "firstRun" }
  | { readonly kind: "settings"; readonly page: SettingsPage }
  | { readonly kind: "resume"; readonly project: ProjectState }
  | { readonly kind: "newAgent"; readonly project: ProjectState; readonly cellId: CellId | undefined }
  | { readonly kind: "renameAgent"; readonly project: ProjectState; readonly agentId: AgentId }
  | { readonly kind: "removeAgent"; readonly project: ProjectState; readonly agentId: AgentId }
  | { readonly kind: "changeProfile"; readonly project: ProjectState; readonly agentId: AgentId }
  | { readonly kind: "agentContext"; readonly project: ProjectState; readonly agentId: AgentId }
  | { readonly kind: "explain"; readonly project: ProjectState; readonly agentId: AgentId }
  | {
    readonly kind: "file";
    /** Relative to the project's root. */
    readonly path: string;
    readonly text: string;
    /** The one that is meant; 1-based. */
    readonly line: number | undefined;
  }
  /** layoutId: of the layout to be named, or behind which a new one is made. */
  | {
    readonly kind: "nameLayout";
    readonly project: ProjectState;
    readonly layoutId: LayoutId;
    readonly isNew: boolean;
  }
  | { readonly kind: "removeLayout"; readonly project: ProjectState; readonly layoutId: LayoutId }
  | { readonly kind: "limit"; readonly project: ProjectState; readonly agentId: AgentId }
  | { readonly kind: "removeProfile"; readonly profileId: ProfileId; readonly name: string }
  | {
    readonly kind: "alreadyRunning";
    readonly project: ProjectState;
    readonly agentId: AgentId;
    /** Where it lives; undefined when no cell shows it. */
    readonly liveIn: CellId | undefined;
    /** Where it was asked for. */
    readonly wantedIn: CellId;
  };

export interface View {
  /** Undefined: the sidebar is collapsed. */
  readonly panel: ReadonlySignal<Panel | undefined>;
  readonly sidebarWidth: ReadonlySignal<number>;
  readonly conversationTab: Signal<ConversationTab>;
  readonly openThread: Signal<ConversationId | undefined>;
  readonly dialog: Signal<Dialog | undefined>;
  readonly needsYouOpen: Signal<boolean>;
  showPanel(panel: Panel | undefined): void;
  toggleSidebar(): void;
  setSidebarWidth(px: number): void;
}

export const SIDEBAR = { minPx: 200, maxPx: 520, defaultPx: 272 } as const;

export function createView(memory: WindowMemory): View {
  const keptPanel = remembered(memory, "panel");
  const keptWidth = remembered(memory, "sidebarWidth");
  const last = signal<Panel>("agents");
  const panel = computed((): Panel | undefined => {
    if (keptPanel.value === "none") return undefined;
    return keptPanel.value === "conversations" ? "conversations" : "agents";
  });
  const showPanel = (wanted: Panel | undefined) => {
    if (wanted !== undefined) last.value = wanted;
    keptPanel.value = wanted ?? "none";
  };
  return {
    panel,
    sidebarWidth: computed(() => clampWidth(Number(keptWidth.value ?? SIDEBAR.defaultPx))),
    conversationTab: signal<ConversationTab>("threads"),
    openThread: signal<ConversationId | undefined>(undefined),
    dialog: signal<Dialog | undefined>(undefined),
    needsYouOpen: signal(false),
    showPanel,
    toggleSidebar: () => showPanel(panel.value === undefined ? last.value : undefined),
    setSidebarWidth(px) {
      keptWidth.value = String(Math.round(clampWidth(px)));
    },
  };
}

function clampWidth(px: number): number {
  return Number.isFinite(px) ? Math.min(Math.max(px, SIDEBAR.minPx), SIDEBAR.maxPx) : SIDEBAR.defaultPx;
}
