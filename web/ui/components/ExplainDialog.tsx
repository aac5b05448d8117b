/** Why an agent is in its state: which signal said so, since when, and what its queue waits for. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentId } from "../../../core/ids.ts";
import type { ProjectState } from "../state/project.ts";
import { formatAgo, formatDuration } from "../state/time.ts";
import type { AgentExplanation } from "../state/views.ts";
import { useNow, useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";
import { StateBadge, StateIcon } from "./StateIcon.tsx";

export interface ExplainDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

export function ExplainDialog({ project, agentId, onClose }: ExplainDialogProps): JSX.Element {
  const store = useStore();
  const words = useWords();
  const [explanation, setExplanation] = useState<AgentExplanation>();
  const agent = project.agent(agentId);
  useEffect(() => {
    const params = { projectId: project.id, agentId };
    void store.api.call("GET /api/projects/{projectId}/agents/{agentId}/explain", { params }).then((result) => {
      if (result.ok) setExplanation(result.value);
      else store.report(result.error);
    });
    // Read again whenever the agent's state or queue moves.
  }, [agentId, agent]);
  return (
    <Modal title={words.explain.title(agent?.name ?? "")} onClose={onClose}>
      {explanation === undefined ? <p class="muted">{words.loading}</p> : <Explanation explanation={explanation} />}
    </Modal>
  );
}

function Explanation({ explanation }: { readonly explanation: AgentExplanation }): JSX.Element {
  const words = useWords();
  const now = useNow(1_000);
  const { agent, authority, signals, waitsFor } = explanation;
  return (
    <div class="explain">
      <dl>
        <dt>
          <StateBadge state={agent.state} />
        </dt>
        <dd>{words.for(formatDuration(now - agent.stateSinceMs))}</dd>
        <dt>{words.explain.authority}</dt>
        <dd>{words.explain.authorities[authority] ?? authority}</dd>
        <dt>{words.explain.waitsFor}</dt>
        <dd>{waitsFor.length === 0 ? words.explain.nothing : waitsFor.join(", ")}</dd>
      </dl>
      <h3>{words.explain.signals}</h3>
      {signals.length === 0 && <p class="muted">{words.explain.noSignals}</p>}
      <ol class="signals">
        {signals.map((signal, index) => (
          <li key={index}>
            <StateIcon state={signal.state} />
            <span>{signal.signal}</span>
            <time class="faint small">{formatAgo(signal.atMs, now, words)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
