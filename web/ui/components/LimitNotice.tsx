/** In an agent's cell: its usage limit, what happens at its end, and what a person may say of it. */
import type { JSX } from "preact";
import { cancelResume, liftLimit, setLimit } from "../interactions/limits.ts";
import type { ProjectState } from "../state/project.ts";
import type { AgentLimit, AgentView } from "../state/views.ts";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { useLimitText } from "./LimitBadge.tsx";

export interface LimitProps {
  readonly project: ProjectState;
  readonly agent: AgentView;
}

export function LimitNotice({ project, agent }: LimitProps): JSX.Element | null {
  const { limit } = agent;
  if (limit === undefined) return null;
  return <Notice project={project} agent={agent} limit={limit} />;
}

function Notice({ project, agent, limit }: LimitProps & { readonly limit: AgentLimit }): JSX.Element {
  const store = useStore();
  const { limits } = useWords();
  const [first, second] = useLimitText(limit);
  const target = { store, project, agentId: agent.agentId };
  const { resetsAtMs } = limit;
  const ask = () => {
    store.view.dialog.value = { kind: "limit", project, agentId: agent.agentId };
  };
  return (
    <div class="cell-notice limit-notice" role="status">
      <Icon name="clock" size={14} />
      <span>
        <strong>{first}</strong>
        {second !== undefined && ` · ${second}`}
      </span>
      <div class="row">
        {limit.source === "suspected" && (
          <button type="button" onClick={() => void liftLimit(target)}>{limits.deny}</button>
        )}
        {limit.resumesAtMs !== undefined && (
          <button type="button" onClick={() => void cancelResume(target)}>{limits.cancelResume}</button>
        )}
        {limit.resumesAtMs === undefined && resetsAtMs !== undefined && (
          <button
            type="button"
            onClick={() => void setLimit(target, resetsAtMs)}
          >
            {limits.planResume}
          </button>
        )}
        <button type="button" onClick={ask}>{resetsAtMs === undefined ? limits.sayUntil : limits.change}</button>
      </div>
    </div>
  );
}
