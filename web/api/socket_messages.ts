/**
 * The text messages of a window's socket: JSON, one object a message, told apart by `type`. Output and input of
 * terminals go beside them as binary frames (core/terminals/wire.ts).
 *
 * A window says hello once after it connected, then attaches to the sessions it shows. The server pings; every ping is
 * answered by a pong, and a side that hears nothing at all for DEAD_AFTER_MS takes the connection for dead, so that a
 * half-open one is found within 15 s on both sides.
 */
import { z } from "zod";
import type { TerminalInfo } from "../../core/app/terminals.ts";
import type { IdeaEvent } from "../../core/events.ts";
import { PtySizeSchema, SessionIdSchema } from "./values.ts";

export const PING_INTERVAL_MS = 4_000;
export const DEAD_AFTER_MS = 10_000;

const Color = z.string().regex(/^#[0-9a-f]{6}$/);
const Channel = z.int().min(0).max(0xffffffff);
const EventId = z.int().min(0);

export const ClientMessageSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("hello"),
    /** The last event this window has seen, of which run of the server. */
    lastEvent: z.strictObject({ serverId: z.string().max(128), id: EventId }).exactOptional(),
  }),
  z.strictObject({
    type: z.literal("attach"),
    /** Chosen by the window, higher than any it has used on this connection. */
    channel: Channel,
    sessionId: SessionIdSchema,
    /** Where its terminal stands when it had this session before, and the size it has there. */
    from: z.strictObject({ offset: z.int().min(0), size: PtySizeSchema }).exactOptional(),
    visible: z.boolean(),
    focused: z.boolean(),
    /** The size that fits its cell; left out by a preview, which takes whatever size there is. */
    size: PtySizeSchema.exactOptional(),
  }),
  z.strictObject({ type: z.literal("detach"), channel: Channel }),
  /** The colours of the window's theme, for programs that ask for them; those of the window that said so last count. */
  z.strictObject({
    type: z.literal("colors"),
    colors: z.strictObject({
      foreground: Color,
      background: Color,
      cursor: Color,
      palette: z.array(Color).length(16),
    }),
  }),
  z.strictObject({ type: z.literal("ping") }),
  z.strictObject({ type: z.literal("pong") }),
]);

export type ClientMessage = z.infer<typeof ClientMessageSchema>;

export type AttachError =
  | { readonly kind: "sessionNotFound" }
  | { readonly kind: "tooManyChannels"; readonly limit: number };

export type ServerMessage =
  | { readonly type: "welcome"; readonly serverId: string; readonly lastEventId: number }
  | { readonly type: "event"; readonly id: number; readonly event: IdeaEvent }
  /** Events between the window's last one and now are no longer known: it reads all state again. */
  | { readonly type: "eventsMissed" }
  | {
    readonly type: "attached";
    readonly channel: number;
    readonly info: TerminalInfo;
    /** Input of this window up to this sequence number has arrived. */
    readonly inputSequence: number;
  }
  | { readonly type: "attachFailed"; readonly channel: number; readonly error: AttachError }
  | { readonly type: "ping" }
  | { readonly type: "pong" };
