/** Usage limits of agents: seen, planned for, survived. */
import type { AgentId, ProjectId } from "../ids.ts";
import type { TerminalText } from "../ports/terminal_state.ts";
import type { LiveSession } from "./project_runtime.ts";

export interface LimitWatch {
  onReport(session: LiveSession, report: { readonly detail: string; readonly resetsAtMs?: number }): void;
  onScreen(session: LiveSession, text: TerminalText): void;
  /** The agent has another program, or is gone. */
  forget(projectId: ProjectId, agentId: AgentId): void;
}
