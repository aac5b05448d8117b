/** The slot of an agent after an event of its program or of the one who types into its terminal. */
import { unreachable } from "../result.ts";
import type { AgentEvent } from "./mediator_events.ts";
import { type AgentSlot, EMPTY_SLOT } from "./mediator_state.ts";

export function slotAfter(slot: AgentSlot, event: Exclude<AgentEvent, { kind: "agentRemoved" }>): AgentSlot {
  const { atMs } = event;
  switch (event.kind) {
    case "launchWanted":
      return {
        ...fresh(slot),
        presence: "starting",
        relaunchedAtMs: event.cause === "crashed" ? [...slot.relaunchedAtMs.slice(-9), atMs] : slot.relaunchedAtMs,
      };
    case "agentStarting":
      return { ...fresh(slot), presence: "starting" };
    case "agentReady":
      return {
        ...slot,
        presence: "live",
        ready: true,
        reportsTurnEnd: slot.reportsTurnEnd || event.reportsTurnEnd,
      };
    case "agentGone":
      // Another provider has its own limits; the same one still has this one.
      return event.cause === "swapped" ? { ...fresh(slot), limit: undefined } : fresh(slot);
    case "turnBegan":
      return { ...slot, reportsTurnEnd: true, turn: turnBegun(slot, event) };
    case "turnEnded":
      return { ...slot, reportsTurnEnd: true, turn: { kind: "free" } };
    case "reminderDue":
      return {
        ...slot,
        turn: { kind: "ticket", ticketId: event.ticketId, phase: "reminderDue", sinceMs: atMs },
      };
    case "blocked":
      return { ...slot, blocked: { signal: event.signal, sinceMs: atMs } };
    case "unblocked":
      return { ...slot, blocked: undefined };
    case "limited":
      return { ...slot, turn: { kind: "free" }, limit: { sinceMs: atMs, resetsAtMs: event.resetsAtMs } };
    case "unlimited":
      return { ...slot, limit: undefined };
    case "personTyped":
      return { ...slot, personTyping: event.typing, personTypedAtMs: atMs };
    case "typingSubmitted":
      return { ...slot, typing: slot.typing && { ...slot.typing, submitted: true } };
    case "typingRetried": {
      // What was submitted once may still begin to work before the second submit.
      const submitted = event.how === "submitAgain" && slot.typing?.submitted === true;
      return { ...slot, typing: slot.typing && { ...slot.typing, attempt: 2, submitted } };
    }
    case "typingEnded":
      return { ...slot, typing: undefined };
    case "inputLeft":
      return slot;
    default:
      return unreachable(event);
  }
}

/** The slot of a program that is not there: what waits for it stays. */
function fresh(slot: AgentSlot): AgentSlot {
  const { queue, limit, lastTypingNo, relaunchedAtMs } = slot;
  return { ...EMPTY_SLOT, queue, limit, lastTypingNo, relaunchedAtMs };
}

function turnBegun(slot: AgentSlot, event: AgentEvent & { readonly kind: "turnBegan" }): AgentSlot["turn"] {
  if (event.whose !== "ticket") return { kind: event.whose, signal: event.signal, sinceMs: event.atMs };
  return slot.turn.kind === "ticket" ? { ...slot.turn, phase: "running", sinceMs: event.atMs } : slot.turn;
}
