/** A person says until when an agent's usage limit lasts, or that there is none. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AgentId } from "../../../core/ids.ts";
import { liftLimit, setLimit } from "../interactions/limits.ts";
import type { ProjectState } from "../state/project.ts";
import { formatLocalInput, parseLocalInput } from "../state/time.ts";
import type { AgentLimit } from "../state/views.ts";
import { useStore, useWords } from "./context.ts";
import { useLimitText } from "./LimitBadge.tsx";
import { Modal } from "./Modal.tsx";

/** What is proposed where nothing is known. */
const HOUR_MS = 3_600_000;

export interface LimitDialogProps {
  readonly project: ProjectState;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

export function LimitDialog({ project, agentId, onClose }: LimitDialogProps): JSX.Element {
  const store = useStore();
  const { limits, actions } = useWords();
  const agent = project.agent(agentId);
  const limit = agent?.limit;
  const target = { store, project, agentId };
  const [until, setUntil] = useState(formatLocalInput(limit?.resetsAtMs ?? store.nowMs() + HOUR_MS));
  const resetsAtMs = parseLocalInput(until);
  const closeWhenDone = (done: Promise<boolean>) => void done.then((isDone) => isDone && onClose());
  return (
    <Modal title={limits.title(agent?.name ?? "")} size="small" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (resetsAtMs !== undefined) closeWhenDone(setLimit(target, resetsAtMs));
        }}
      >
        {limit === undefined ? <p class="muted">{limits.none}</p> : <Known limit={limit} />}
        <label class="field">
          <span>{limits.lasts}</span>
          <input
            type="datetime-local"
            required
            data-autofocus
            min={formatLocalInput(store.nowMs())}
            value={until}
            onInput={(event) => setUntil(event.currentTarget.value)}
          />
        </label>
        <p class="muted small">{limits.lead}</p>
        <div class="form-foot">
          {limit !== undefined && (
            <button type="button" class="quiet" onClick={() => closeWhenDone(liftLimit(target))}>
              {limit.source === "suspected" ? limits.deny : limits.over}
            </button>
          )}
          <span class="grow" />
          <button type="button" onClick={onClose}>{actions.cancel}</button>
          <button type="submit" class="primary" disabled={resetsAtMs === undefined}>{actions.apply}</button>
        </div>
      </form>
    </Modal>
  );
}

function Known({ limit }: { readonly limit: AgentLimit }): JSX.Element {
  const text = useLimitText(limit).join(" · ");
  const said = limit.source === "structured" || limit.source === "screen" ? limit.detail : "";
  return (
    <div>
      <p>{text}</p>
      {said !== "" && <p class="muted small path">“{said}”</p>}
    </div>
  );
}
