/**
 * Server-sent events for scripts: each IdeaEvent with an id, and what a client missed since its Last-Event-ID. Ids are
 * "<serverId>.<number>", so that an id of an earlier run of the server is not taken for one of this run; then, or when
 * too much was missed, the stream begins with `event: eventsMissed`, and the client reads all state again.
 *
 * A client that does not read is cut off; it connects again and gets what it missed, so memory stays bounded.
 */
import type { Clock } from "../../core/ports/clock.ts";
import { problemResponse } from "./errors.ts";
import type { EventLog, LoggedEvent } from "./event_log.ts";

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
const MAX_WAITING_CHUNKS = 1_000;
const RETRY_MS = 1_000;

export interface EventStreams extends Disposable {
  open(request: Request): Response;
}

export function createEventStreams(options: { readonly eventLog: EventLog; readonly clock: Clock }): EventStreams {
  const { eventLog, clock } = options;
  const encoder = new TextEncoder();
  const open = new Set<() => void>();

  const format = ({ id, event }: LoggedEvent) =>
    `id: ${eventLog.serverId}.${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;

  /** Gives the function that forgets a stream whose client is gone. */
  function start(controller: ReadableStreamDefaultController<Uint8Array>, lastEventId: string | null): () => void {
    let beating: Disposable | undefined;
    const send = (text: string) => {
      controller.enqueue(encoder.encode(text));
      if ((controller.desiredSize ?? 0) < -MAX_WAITING_CHUNKS) end();
    };
    const beat = () => {
      beating = clock.startTimer(HEARTBEAT_MS, () => {
        send(":\n\n");
        beat();
      });
    };
    const following = eventLog.subscribe((logged) => send(format(logged)));
    function forget(): void {
      following[Symbol.dispose]();
      beating?.[Symbol.dispose]();
      open.delete(end);
    }
    function end(): void {
      forget();
      controller.close();
    }
    open.add(end);
    send([`retry: ${RETRY_MS}\n\n`, ...missedSince(lastEventId)].join(""));
    beat();
    return forget;
  }

  function missedSince(lastEventId: string | null): readonly string[] {
    if (lastEventId === null) return [];
    const [, serverId, number] = /^(.*)\.(\d{1,15})$/.exec(lastEventId) ?? [];
    const missed = serverId === eventLog.serverId ? eventLog.since(Number(number)) : undefined;
    return missed?.map(format) ?? [`id: ${eventLog.serverId}.${eventLog.lastId()}\nevent: eventsMissed\ndata: {}\n\n`];
  }

  return {
    open(request) {
      if (open.size >= MAX_STREAMS) return problemResponse({ kind: "tooManyStreams", limit: MAX_STREAMS });
      const lastEventId = request.headers.get("last-event-id");
      let forget: (() => void) | undefined;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => void (forget = start(controller, lastEventId)),
        cancel: () => forget?.(),
      });
      return new Response(stream, {
        headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
      });
    },
    [Symbol.dispose]() {
      for (const end of [...open]) end();
    },
  };
}
