/** Delegations as a timeline that can be followed live: who asked whom, what, how long, the answer. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Delegation, isEnded, listDelegations } from "../state/delegations.ts";
import { firstLine } from "../state/attention.ts";
import type { ProjectState } from "../state/project.ts";
import { formatAgo, formatClock, formatDuration } from "../state/time.ts";
import type { Ticket } from "../state/views.ts";
import type { Words } from "../words/en.ts";
import { useNow, useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { Markdown } from "./Markdown.tsx";

/** So many are drawn at first. */
const PAGE = 50;

export function DelegationList({ project }: { readonly project: ProjectState }): JSX.Element {
  const words = useWords();
  const [openOnly, setOpenOnly] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const all = listDelegations(project.tickets.value, {
    agents: project.agents.value,
    you: words.you,
    unknown: words.unknownAgent,
  });
  if (all.length === 0) {
    return (
      <div class="nothing">
        <Icon name="flow" size={28} />
        <strong>{words.conversations.noDelegations}</strong>
        <p>{words.conversations.noDelegationsLead}</p>
      </div>
    );
  }
  const wanted = openOnly ? all.filter(({ endedAtMs }) => endedAtMs === undefined) : all;
  return (
    <>
      <label class="panel-option">
        <input type="checkbox" checked={openOnly} onChange={(event) => setOpenOnly(event.currentTarget.checked)} />
        {words.conversations.openOnly}
      </label>
      <ol class="timeline">
        {wanted.slice(0, shown).map((delegation) => (
          <DelegationRow
            key={delegation.ticketId}
            delegation={delegation}
          />
        ))}
      </ol>
      {wanted.length > shown && (
        <button type="button" class="quiet wide" onClick={() => setShown(shown + PAGE)}>
          {words.conversations.showMore}
        </button>
      )}
    </>
  );
}

function DelegationRow({ delegation }: { readonly delegation: Delegation }): JSX.Element {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const { ticket, fromName, toName, askedAtMs, endedAtMs } = delegation;
  const now = useNow(endedAtMs === undefined ? 1_000 : 60_000);
  return (
    <li class={`delegation ticket-${ticket.state}`} style={{ "--depth": String(delegation.depth) }}>
      <button type="button" class="delegation-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="delegation-names">
          <strong>{fromName}</strong> <span class="faint">→</span> <strong>{toName}</strong>
        </span>
        <span class="clip muted">{firstLine(ticket.task)}</span>
        <span class="small">
          <TicketState ticket={ticket} words={words} />{" "}
          <span class="faint">
            · {formatDuration((endedAtMs ?? now) - askedAtMs)} · {formatAgo(askedAtMs, now, words)}
          </span>
        </span>
      </button>
      {open && <DelegationDetail ticket={ticket} />}
    </li>
  );
}

function TicketState({ ticket, words }: { readonly ticket: Ticket; readonly words: Words }): JSX.Element {
  return <span class={`ticket-state ticket-${ticket.state}`}>{words.ticketStates[ticket.state]}</span>;
}

function DelegationDetail({ ticket }: { readonly ticket: Ticket }): JSX.Element {
  const { settings } = useStore();
  const words = useWords();
  const now = useNow(60_000);
  const { reply, failure } = ticket;
  return (
    <div class="delegation-detail">
      <h4>{words.conversations.task}</h4>
      <Markdown text={ticket.task} />
      <h4>{words.conversations.answer}</h4>
      {reply !== undefined
        ? (
          <>
            <Markdown text={reply.text} />
            {reply.source === "lastAnswer" && <p class="small muted">{words.conversations.lastAnswer}</p>}
          </>
        )
        : (
          <p class="muted">
            {isEnded(ticket) ? words.ticketStates[ticket.state] : words.conversations.waitingFor}
            {failure !== undefined && "detail" in failure && `: ${failure.detail}`}
          </p>
        )}
      <h4>{words.conversations.steps}</h4>
      <ol class="receipts">
        {ticket.receipts.map((receipt, index) => (
          <li key={index}>
            <time>{formatClock(receipt.atMs, { nowMs: now, language: settings.language.value })}</time>
            <span>{words.ticketStates[receipt.state]}</span>
            <span class="faint clip" title={receipt.cause}>{receipt.cause}</span>
          </li>
        ))}
      </ol>
      {ticket.repeat > 0 && <p class="small muted">{words.conversations.repeat(ticket.repeat)}</p>}
    </div>
  );
}
