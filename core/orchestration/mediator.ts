/**
 * The mediator of one project: everything that enters an agent passes through its one queue. Pure and event sourced:
 * decide says what happens, evolve (evolve.ts) is the state after it, planEffects (effects.ts) what the app must do.
 *
 * Invariants, besides those of ticket.ts (checked by tests/core/mediator_properties_test.ts):
 *  1. An open ticket is either queued in its agent's queue or that agent's turn; none is lost, none closed twice.
 *  2. A task is typed only when the agent is there, ready, free, not blocked, not limited, nobody types in its
 *     terminal, and nothing else is being typed there.
 *  3. An agent is busy only with a cause that has a name, and every cause ends: by a signal, by the report of the one
 *     who types, or because the program is gone.
 *  4. The wait-for graph has no circle, and no edge without an open ticket and a live waiter.
 *  5. After a restart nothing that was queued is gone, and what was in work is offered again as a repeat.
 */
import { err, ok, type Result, unreachable } from "../result.ts";
import {
  decideCancel,
  decideEnqueue,
  decideQueueEdit,
  decideRedeliver,
  decideReply,
  decideTaskFetched,
  decideWait,
  decideWaitEnd,
} from "./decide_tickets.ts";
import {
  decideCrashed,
  decideLaunchFailed,
  decideReady,
  decideRecovered,
  decideRemoved,
  decideStarting,
  decideStopped,
  decideSwapped,
} from "./decide_presence.ts";
import {
  decideBlocked,
  decideBusy,
  decideIdle,
  decideInterrupted,
  decideLimited,
  decidePersonTyping,
  decideUnlimited,
} from "./decide_signals.ts";
import { decideConfirmed, decideDeferred, decideSubmitted, decideUnconfirmed } from "./decide_typing.ts";
import { beginDecision, type Decision, settle, touchedAgents } from "./decision.ts";
import type { MediatorEvent } from "./mediator_events.ts";
import type { MediatorError, MediatorInput } from "./mediator_inputs.ts";
import type { MediatorState } from "./mediator_state.ts";

/** An input that changes nothing (stale, repeated) gives no event. An error has no events: nothing happened. */
export function decide(
  state: MediatorState,
  input: MediatorInput,
  nowMs: number,
): Result<readonly MediatorEvent[], MediatorError> {
  const decision = beginDecision(state, nowMs);
  const done = dispatch(decision, input) ?? ok();
  if (!done.ok) return err(done.error);
  settle(decision, touchedAgents(decision));
  return ok(decision.events);
}

function dispatch(decision: Decision, input: MediatorInput): Result<void, MediatorError> | void {
  switch (input.kind) {
    case "enqueue":
      return decideEnqueue(decision, input);
    case "wait":
      return decideWait(decision, input);
    case "stopWaiting":
    case "callerGone":
      return decideWaitEnd(decision, input);
    case "cancel":
      return decideCancel(decision, input);
    case "replied":
      return decideReply(decision, input);
    case "taskFetched":
      return decideTaskFetched(decision, input);
    case "editQueued":
    case "moveQueued":
    case "removeQueued":
      return decideQueueEdit(decision, input);
    case "redeliver":
      return decideRedeliver(decision, input);
    case "interrupted":
      return decideInterrupted(decision, input);
    case "agentStarting":
      return decideStarting(decision, input);
    case "agentReady":
      return decideReady(decision, input);
    case "agentStopped":
      return decideStopped(decision, input);
    case "agentCrashed":
      return decideCrashed(decision, input);
    case "launchFailed":
      return decideLaunchFailed(decision, input);
    case "agentSwapped":
      return decideSwapped(decision, input);
    case "agentRemoved":
      return decideRemoved(decision, input);
    case "recovered":
      return decideRecovered(decision);
    case "agentBusy":
      return decideBusy(decision, input);
    case "agentIdle":
      return decideIdle(decision, input);
    case "agentBlocked":
      return decideBlocked(decision, input);
    case "agentLimited":
      return decideLimited(decision, input);
    case "agentUnlimited":
      return decideUnlimited(decision, input);
    case "personTyping":
      return decidePersonTyping(decision, input);
    case "deliverySubmitted":
      return decideSubmitted(decision, input);
    case "deliveryConfirmed":
      return decideConfirmed(decision, input);
    case "deliveryUnconfirmed":
      return decideUnconfirmed(decision, input);
    case "deliveryDeferred":
      return decideDeferred(decision, input);
    default:
      return unreachable(input);
  }
}
