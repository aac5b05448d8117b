/**
 * The poller of macOS. Constants and layout: sys/event.h of XNU. Written from the headers, not run.
 *
 * struct kevent is 32 bytes: ident u64, filter i16, flags u16, fflags u32, data i64, udata u64 (our key).
 */
import { type Interest, type Poller, WAKE_KEY } from "./poller.ts";

const SYMBOLS = {
  kqueue: { parameters: [], result: "i32" },
  kevent: { parameters: ["i32", "buffer", "i32", "buffer", "i32", "buffer"], result: "i32" },
  kevent_park: {
    name: "kevent",
    parameters: ["i32", "buffer", "i32", "buffer", "i32", "buffer"],
    result: "i32",
    nonblocking: true,
  },
  close: { parameters: ["i32"], result: "i32" },
} as const;

const EVENT_BYTES = 32;
const MAX_EVENTS = 64;
const FILTER = { read: -1, write: -2, user: -10 };
const FLAG = { add: 0x1, delete: 0x2, clear: 0x20 };
const NOTE_TRIGGER = 0x0100_0000;

interface Change {
  readonly ident: number;
  readonly filter: number;
  readonly flags: number;
  readonly fflags?: number;
  readonly key: number;
}

export function formatKevent({ ident, filter, flags, fflags = 0, key }: Change): Uint8Array<ArrayBuffer> {
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  view.setBigUint64(0, BigInt(ident), true);
  view.setInt16(8, filter, true);
  view.setUint16(10, flags, true);
  view.setUint32(12, fflags, true);
  view.setBigUint64(24, BigInt(key), true);
  return event;
}

export function createKqueue(libraryName: string): Poller {
  const library = Deno.dlopen(libraryName, SYMBOLS);
  const { symbols } = library;
  const events = new Uint8Array(EVENT_BYTES * MAX_EVENTS);
  const view = new DataView(events.buffer);
  const noTime = new Uint8Array(16);
  const known = new Map<number, Interest>();
  const queue = symbols.kqueue();
  if (queue < 0) throw new Error("kqueue failed");
  apply({ ident: 0, filter: FILTER.user, flags: FLAG.add | FLAG.clear, key: WAKE_KEY });

  function apply(change: Change): void {
    if (symbols.kevent(queue, formatKevent(change), 1, null, 0, null) < 0) throw new Error("kevent failed");
  }

  function setFilter(fd: number, key: number, filter: number, { was, is }: { was: boolean; is: boolean }): void {
    if (was !== is) apply({ ident: fd, filter, flags: is ? FLAG.add : FLAG.delete, key });
  }

  const filterAt = (index: number) => view.getInt16(index * EVENT_BYTES + 8, true);

  return {
    setInterest(fd, key, interest) {
      const before = known.get(fd) ?? { read: false, write: false };
      setFilter(fd, key, FILTER.read, { was: before.read, is: interest.read });
      setFilter(fd, key, FILTER.write, { was: before.write, is: interest.write });
      if (interest.read || interest.write) known.set(fd, interest);
      else known.delete(fd);
    },
    park: async () => Math.max(0, await symbols.kevent_park(queue, null, 0, events, MAX_EVENTS, null)),
    poll: () => Math.max(0, symbols.kevent(queue, null, 0, events, MAX_EVENTS, noTime)),
    key: (index) => view.getUint32(index * EVENT_BYTES + 24, true),
    isReadable: (index) => filterAt(index) === FILTER.read,
    isWritable: (index) => filterAt(index) === FILTER.write,
    wake() {
      apply({ ident: 0, filter: FILTER.user, flags: 0, fflags: NOTE_TRIGGER, key: WAKE_KEY });
    },
    close() {
      symbols.close(queue);
      library.close();
    },
  };
}
