/**
 * The journal of tickets, `state/tickets.jsonl`: one event a line. What must stay true: replaying any prefix of it gives a
 * state that opens, and a line that this version does not know is skipped and named, never an error.
 *
 * After a replay the mediator is told "recovered", which offers again what was in work.
 */
import { z } from "zod";
import { type IdKind, parseId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { applyEvent, frozen, mutableCopy } from "./evolve.ts";
import type { TicketEvent } from "./mediator_events.ts";
import { EMPTY_MEDIATOR, type MediatorState, type OpenTicket } from "./mediator_state.ts";
import type { Ticket } from "./ticket.ts";

const VERSION = 1;

/** A line that was left out. lineNumber counts from 1. */
export interface JournalWarning {
  readonly lineNumber: number;
  readonly kind: "notJson" | "newerVersion" | "unknownEvent" | "invalidEvent";
  readonly detail: string;
}

function idSchema<K extends IdKind>(kind: K) {
  return z.string().transform((text, context) => {
    const id = parseId(kind, text);
    if (id.ok) return id.value;
    context.addIssue({ code: "custom", message: `not an id of a ${kind}` });
    return z.NEVER;
  });
}

const AtMs = z.number();
const TicketIdSchema = idSchema("ticket");
const AgentIdSchema = idSchema("agent");
const OfferReasonSchema = z.enum(["first", "afterLimit", "afterRestart", "afterSwap", "byPerson"]);
const TicketKind = z.enum(["delegation", "message"]);
const ReplySource = z.enum(["reply", "lastAnswer"]);
const Cancellation = z.enum(["callerGone", "byCaller", "byPerson", "agentRemoved"]);
const TicketStateSchema = z.enum([
  "queued",
  "delivering",
  "delivered",
  "accepted",
  "answered",
  "cancelled",
  "failed",
]);

const PartySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("human") }),
  z.object({ kind: z.literal("agent"), agentId: AgentIdSchema }),
  z.object({ kind: z.literal("external"), name: z.string() }),
]);

const FailureSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("agentStopped") }),
  z.object({ kind: z.literal("agentCrashed"), detail: z.string() }),
  z.object({ kind: z.literal("launchFailed"), detail: z.string() }),
  z.object({ kind: z.literal("noReply") }),
]);

const TicketSchema = z.object({
  id: TicketIdSchema,
  from: PartySchema,
  to: AgentIdSchema,
  kind: TicketKind,
  task: z.string(),
  state: TicketStateSchema,
  receipts: z.array(z.object({ state: TicketStateSchema, atMs: AtMs, cause: z.string() })),
  repeat: z.number().int().min(0),
  needsAttention: z.boolean(),
  reminded: z.boolean(),
  reply: z.object({ text: z.string(), atMs: AtMs, source: ReplySource }).exactOptional(),
  failure: FailureSchema.exactOptional(),
  cancellation: Cancellation.exactOptional(),
});

const common = { atMs: AtMs, ticketId: TicketIdSchema };
const typingNo = z.number().int().min(0);
const schemas = {
  ticketQueued: z.object({
    ...common,
    kind: z.literal("ticketQueued"),
    from: PartySchema,
    to: AgentIdSchema,
    ticketKind: TicketKind,
    task: z.string(),
    waiting: z.boolean(),
    first: z.boolean(),
  }),
  ticketDelivering: z.object({
    ...common,
    kind: z.literal("ticketDelivering"),
    typingNo,
    reason: OfferReasonSchema,
  }),
  ticketReturned: z.object({ ...common, kind: z.literal("ticketReturned"), cause: z.string() }),
  ticketRequeued: z.object({ ...common, kind: z.literal("ticketRequeued"), reason: OfferReasonSchema }),
  ticketWentOn: z.object({ ...common, kind: z.literal("ticketWentOn"), signal: z.string() }),
  ticketDelivered: z.object({ ...common, kind: z.literal("ticketDelivered"), signal: z.string() }),
  ticketAccepted: z.object({ ...common, kind: z.literal("ticketAccepted"), signal: z.string() }),
  ticketNeedsAttention: z.object({ ...common, kind: z.literal("ticketNeedsAttention"), cause: z.string() }),
  ticketReminded: z.object({ ...common, kind: z.literal("ticketReminded"), typingNo }),
  ticketAnswered: z.object({ ...common, kind: z.literal("ticketAnswered"), text: z.string(), source: ReplySource }),
  ticketCancelled: z.object({ ...common, kind: z.literal("ticketCancelled"), cancellation: Cancellation }),
  ticketFailed: z.object({ ...common, kind: z.literal("ticketFailed"), failure: FailureSchema }),
  ticketEdited: z.object({ ...common, kind: z.literal("ticketEdited"), task: z.string() }),
  ticketMoved: z.object({ ...common, kind: z.literal("ticketMoved"), toIndex: z.number().int().min(0) }),
  ticketRestored: z.object({
    ...common,
    kind: z.literal("ticketRestored"),
    ticket: TicketSchema,
    offers: z.number().int().min(0),
    nextOffer: OfferReasonSchema,
  }),
} as const satisfies Record<TicketEvent["kind"], z.ZodType<TicketEvent>>;

const Envelope = z.looseObject({ v: z.number().int(), kind: z.string() });

/** One line, without its line end. */
export function formatTicketEvent(event: TicketEvent): string {
  return JSON.stringify({ v: VERSION, ...event });
}

export function parseTicketEvent(line: string): Result<TicketEvent, Omit<JournalWarning, "lineNumber">> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return err({ kind: "notJson", detail: line.slice(0, 80) });
  }
  const envelope = Envelope.safeParse(json);
  if (!envelope.success) return err({ kind: "invalidEvent", detail: line.slice(0, 80) });
  const { v, kind } = envelope.data;
  if (v > VERSION) return err({ kind: "newerVersion", detail: `version ${v}` });
  if (!isKnownKind(kind)) return err({ kind: "unknownEvent", detail: kind.slice(0, 80) });
  const event = schemas[kind].safeParse(json);
  if (event.success) return ok(event.data);
  const issue = event.error.issues[0];
  return err({ kind: "invalidEvent", detail: `${kind}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` });
}

function isKnownKind(kind: string): kind is TicketEvent["kind"] {
  return Object.hasOwn(schemas, kind);
}

export function replayJournal(
  lines: readonly string[],
): { readonly state: MediatorState; readonly warnings: readonly JournalWarning[] } {
  const state = mutableCopy(EMPTY_MEDIATOR);
  const warnings: JournalWarning[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    const event = parseTicketEvent(line);
    if (event.ok) applyEvent(state, event.value);
    else warnings.push({ lineNumber: index + 1, ...event.error });
  });
  return { state: frozen(state), warnings };
}

/** A whole journal that replays to the same tickets and queues, in place of the events that led there. */
export function compactJournal(state: MediatorState, nowMs: number): string {
  const closed = [...state.closed.values()].map((ticket) => restored({ ticket, offers: 0 }, nowMs));
  return [...closed, ...openInOrder(state).map((entry) => restored(entry, nowMs))]
    .map((event) => formatTicketEvent(event) + "\n").join("");
}

function restored(
  { ticket, offers, nextOffer = "first" }: { ticket: Ticket; offers: number; nextOffer?: OpenTicket["nextOffer"] },
  atMs: number,
): TicketEvent {
  return { kind: "ticketRestored", atMs, ticketId: ticket.id, ticket, offers, nextOffer };
}

/** In work first, then each queue in its order, which need not be the order in which the tickets came. */
function openInOrder(state: MediatorState): readonly OpenTicket[] {
  const queued = [...state.agents.values()].flatMap(({ queue }) => queue)
    .flatMap((ticketId) => state.open.get(ticketId) ?? []);
  const inWork = [...state.open.values()].filter(({ ticket }) => ticket.state !== "queued");
  return [...inWork, ...queued];
}
