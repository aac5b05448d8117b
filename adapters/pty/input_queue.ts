/**
 * What the kernel has not taken yet of one terminal's input. Bytes leave in the order they came, whole writes are
 * accepted or refused, and a full pipe is waited for, never blocked on.
 */

type Bytes = Uint8Array<ArrayBuffer>;

export interface InputQueueOptions {
  readonly limitBytes: number;
  /** How many bytes were taken; "full": none now, call flush when there is room; "broken": nobody will ever read. */
  readonly take: (bytes: Bytes) => number | "full" | "broken";
  /** Whether to hear of room in the pipe. Called only when it changes. */
  readonly onBlocked: (blocked: boolean) => void;
}

export interface InputQueue {
  /** False, and nothing is taken, when the whole of it would go past the limit. Bytes are kept: hand over a copy. */
  push(bytes: Bytes): boolean;
  flush(): void;
  clear(): void;
  isBlocked(): boolean;
  queuedBytes(): number;
}

export function createInputQueue({ limitBytes, take, onBlocked }: InputQueueOptions): InputQueue {
  let waiting: Bytes[] = [];
  let queued = 0;
  let blocked = false;

  function setBlocked(value: boolean): void {
    if (blocked === value) return;
    blocked = value;
    onBlocked(value);
  }

  function clear(): void {
    waiting = [];
    queued = 0;
    setBlocked(false);
  }

  function flush(): void {
    let first = 0;
    for (let bytes = waiting[first]; bytes !== undefined; bytes = waiting[first]) {
      const taken = take(bytes);
      if (taken === "broken") return clear();
      if (taken === "full") break;
      queued -= taken;
      if (taken < bytes.length) waiting[first] = bytes.subarray(taken);
      else first++;
    }
    waiting.splice(0, first);
    setBlocked(waiting.length > 0);
  }

  return {
    push(bytes) {
      if (queued + bytes.length > limitBytes) return false;
      if (bytes.length === 0) return true;
      waiting.push(bytes);
      queued += bytes.length;
      if (!blocked) flush();
      return true;
    },
    flush,
    clear,
    isBlocked: () => blocked,
    queuedBytes: () => queued,
  };
}
