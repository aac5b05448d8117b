/**
 * The last messages of one connection, so that a client whose stream broke gets what it missed. An event's id names its
 * stream, since a client resumes a stream, not the connection.
 */
import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

const MAX_EVENTS = 1_000;
const MAX_CHARS = 8 * 1_048_576;

interface StoredEvent {
  readonly number: number;
  readonly streamId: string;
  /** undefined: it only gave the stream its first id. */
  readonly message: JSONRPCMessage | undefined;
  readonly chars: number;
}

export interface ResumableEvents extends EventStore {
  /** Which stream the event is of, and whether that stream has had messages since. */
  after(eventId: string): { readonly streamId: string; readonly hasMessages: boolean } | undefined;
}

/** onStored hears synchronously to which stream a message goes. */
export function createEventStore(onStored: (streamId: string) => void): ResumableEvents {
  const events: StoredEvent[] = [];
  let count = 0;
  let chars = 0;

  function add(streamId: string, message: JSONRPCMessage): string {
    const isMessage = Object.keys(message).length > 0;
    const size = isMessage ? JSON.stringify(message).length : 0;
    events.push({ number: ++count, streamId, message: isMessage ? message : undefined, chars: size });
    chars += size;
    while (events.length > MAX_EVENTS || (chars > MAX_CHARS && events.length > 1)) chars -= events.shift()?.chars ?? 0;
    return `${count}.${streamId}`;
  }

  return {
    after(eventId) {
      const last = parseEventId(eventId);
      if (last === undefined) return undefined;
      const isLater = (one: StoredEvent) =>
        one.streamId === last.streamId && one.number > last.number && one.message !== undefined;
      return { streamId: last.streamId, hasMessages: events.some(isLater) };
    },
    storeEvent(streamId, message) {
      onStored(streamId);
      return Promise.resolve(add(streamId, message));
    },
    getStreamIdForEventId: (eventId) => Promise.resolve(parseEventId(eventId)?.streamId),
    async replayEventsAfter(lastEventId, { send }) {
      const last = parseEventId(lastEventId);
      if (last === undefined) throw new Error("not an event id of this server");
      for (const { number, streamId, message } of [...events]) {
        if (streamId !== last.streamId || number <= last.number || message === undefined) continue;
        await send(`${number}.${streamId}`, message);
      }
      return last.streamId;
    },
  };
}

function parseEventId(eventId: string): { readonly number: number; readonly streamId: string } | undefined {
  const [, number, streamId] = /^(\d{1,15})\.(.{1,100})$/.exec(eventId) ?? [];
  return streamId === undefined ? undefined : { number: Number(number), streamId };
}
