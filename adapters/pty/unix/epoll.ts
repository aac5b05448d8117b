/** The poller of Linux. Constants and layout: sys/epoll.h, sys/eventfd.h, asm-generic/fcntl.h. */
import { type Interest, type Poller, WAKE_KEY } from "./poller.ts";

const SYMBOLS = {
  epoll_create1: { parameters: ["i32"], result: "i32" },
  epoll_ctl: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
  epoll_wait: { parameters: ["i32", "buffer", "i32", "i32"], result: "i32" },
  epoll_park: { name: "epoll_wait", parameters: ["i32", "buffer", "i32", "i32"], result: "i32", nonblocking: true },
  eventfd: { parameters: ["u32", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  write: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

const EPOLL_CLOEXEC = 0o2000000;
const EFD_CLOEXEC_NONBLOCK = 0o2004000;
const ADD = 1;
const REMOVE = 2;
const CHANGE = 3;
const IN = 0x001;
const OUT = 0x004;
const READABLE = 0x001 | 0x008 | 0x010; // EPOLLIN | EPOLLERR | EPOLLHUP

const MAX_EVENTS = 64;
/** struct epoll_event is packed on x64 only: events u32, then the key as u64. */
const EVENT_BYTES = Deno.build.arch === "x86_64" ? 12 : 16;
const KEY_OFFSET = EVENT_BYTES - 8;

export function createEpoll(libraryName: string): Poller {
  const library = Deno.dlopen(libraryName, SYMBOLS);
  const { symbols } = library;
  const events = new Uint8Array(EVENT_BYTES * MAX_EVENTS);
  const eventsView = new DataView(events.buffer);
  const change = new Uint8Array(EVENT_BYTES);
  const changeView = new DataView(change.buffer);
  const counter = new Uint8Array(8);
  const known = new Set<number>();

  const epoll = mustOpen("epoll_create1", symbols.epoll_create1(EPOLL_CLOEXEC));
  const waker = mustOpen("eventfd", symbols.eventfd(0, EFD_CLOEXEC_NONBLOCK));
  control(ADD, waker, WAKE_KEY, IN);

  function control(operation: number, fd: number, key: number, mask: number): void {
    changeView.setUint32(0, mask, true);
    changeView.setBigUint64(KEY_OFFSET, BigInt(key), true);
    if (symbols.epoll_ctl(epoll, operation, fd, change) < 0) throw new Error(`epoll_ctl ${operation} on ${fd} failed`);
  }

  // A signal may end a wait early: a negative count is no event.
  const settled = (count: number) => {
    const events = Math.max(0, count);
    for (let index = 0; index < events; index++) {
      if (keyAt(index) === WAKE_KEY) symbols.read(waker, counter, 8n);
    }
    return events;
  };
  const keyAt = (index: number) => eventsView.getUint32(index * EVENT_BYTES + KEY_OFFSET, true);
  const maskAt = (index: number) => eventsView.getUint32(index * EVENT_BYTES, true);

  return {
    setInterest(fd: number, key: number, interest: Interest) {
      const mask = (interest.read ? IN : 0) | (interest.write ? OUT : 0);
      if (mask === 0) {
        if (known.delete(fd)) control(REMOVE, fd, key, 0);
      } else if (known.has(fd)) {
        control(CHANGE, fd, key, mask);
      } else {
        control(ADD, fd, key, mask);
        known.add(fd);
      }
    },
    park: async () => settled(await symbols.epoll_park(epoll, events, MAX_EVENTS, -1)),
    poll: () => settled(symbols.epoll_wait(epoll, events, MAX_EVENTS, 0)),
    key: keyAt,
    isReadable: (index) => (maskAt(index) & READABLE) !== 0,
    isWritable: (index) => (maskAt(index) & OUT) !== 0,
    wake() {
      symbols.write(waker, new Uint8Array(new BigUint64Array([1n]).buffer), 8n);
    },
    close() {
      symbols.close(waker);
      symbols.close(epoll);
      library.close();
    },
  };
}

function mustOpen(call: string, fd: number): number {
  if (fd < 0) throw new Error(`${call} failed`);
  return fd;
}
