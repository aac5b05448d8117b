/**
 * One loop for all terminals. A turn parks until some of them are ready, then reads in rounds, one read of each ready
 * terminal, until nothing is ready or the turn's budget is spent; then each terminal's bytes are handed over in one
 * piece. So a turn costs one hop between threads however much came, and no terminal waits long for another.
 *
 * What must stay true: bytes of one terminal are handed over in the order they were read; nothing is handed over while
 * it is paused; onData is never called from within another call on the line.
 *
 * The numbers are those measured best on two cores (README, decisions).
 */
import { createInputQueue, type InputQueue } from "./input_queue.ts";
import type { Libc } from "./libc.ts";
import type { Poller } from "./poller.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK_BYTES = 128 * 1024;
const READ_BYTES = 16 * 1024;
/** Chunks kept for the next turn; more were only needed while many terminals flooded at once. */
const POOLED_CHUNKS = 16;
/** A terminal that is alone may be read this often before the others are asked again. */
const READS_WHEN_ALONE = 4;
/** A read shorter than this has emptied the terminal: the next one would only learn that. */
const SHORT_READ_BYTES = 2_048;
/** So little is the echo of a key: handed over at once instead of at the end of the turn. */
const ECHO_BYTES = 512;
const TURN_BYTES = 64 * 1024;
/** For a while after a key, turns are short, so that its echo waits behind little of what others print. */
const INTERACTIVE_TURN_BYTES = 8 * 1024;
const INTERACTIVE_MS = 250;
/** Input this short is a key. Its echo is awaited on the spot: most programs answer sooner than a turn takes. */
const KEY_BYTES = 32;
const ECHO_WAIT_US = 600;
/** After so many vain waits in a row (echo is off, or slow) only every sixteenth key is waited for. */
const MISSES_BEFORE_DOUBT = 4;

export interface Line {
  /** The master, non-blocking; owned by the caller. */
  readonly fd: number;
  readonly inputLimitBytes: number;
  readonly onData: (bytes: Bytes) => void;
  /** Nobody has the terminal open any more and everything was handed over; reading has stopped until rearm. */
  readonly onHangUp: () => void;
}

export interface OpenLine {
  /** False, and nothing is taken, when too much waits already. */
  write(bytes: Bytes): boolean;
  queuedInputBytes(): number;
  dropInput(): void;
  setPaused(paused: boolean): void;
  isPaused(): boolean;
  /** Reads again after a hang-up: programs can close their terminal and open it anew. */
  rearm(): void;
  /** Hands over, even while paused, what was read and what can be read now, up to about limitBytes. */
  drain(limitBytes: number): void;
  /** After it nothing is called and the descriptor may be closed. */
  close(): void;
}

export interface ReactorStats {
  readonly turns: number;
  readonly reads: number;
  readonly echoesAtOnce: number;
}

export interface Reactor extends AsyncDisposable {
  open(line: Line): OpenLine;
  stats(): ReactorStats;
}

interface LineState {
  readonly key: number;
  readonly line: Line;
  readonly input: InputQueue;
  /** Read and not handed over yet. */
  chunk: Bytes | undefined;
  length: number;
  paused: boolean;
  blocked: boolean;
  hungUp: boolean;
  closed: boolean;
  echoMisses: number;
}

export function createReactor(libc: Libc, createPoller: () => Poller): Reactor {
  const { symbols, platform, errno } = libc;
  const { wouldBlock, interrupted } = platform.errors;
  const poller = createPoller();
  const states = new Map<number, LineState>();
  const unhanded = new Set<LineState>();
  const chunks: Bytes[] = [];
  const readBytes = BigInt(READ_BYTES);
  let nextKey = 1;
  let loop: Promise<void> | undefined;
  let handingOver = false;
  let interactiveUntilMs = 0;
  let flushQueued = false;
  let turns = 0, reads = 0, echoesAtOnce = 0;

  function handOver(state: LineState): void {
    unhanded.delete(state);
    const { chunk, length } = state;
    if (chunk === undefined) return;
    state.chunk = undefined;
    state.length = 0;
    if (length > 0 && !state.closed) {
      handingOver = true;
      try {
        state.line.onData(chunk.subarray(0, length));
      } catch (error) {
        // A listener's bug must not end every other terminal's loop.
        reportError(error);
      } finally {
        handingOver = false;
      }
    }
    if (chunks.length < POOLED_CHUNKS) chunks.push(chunk);
  }

  function handOverAll(): void {
    for (const state of [...unhanded]) {
      if (!state.paused) handOver(state);
    }
  }

  /** The callers of a line must not find their own onData on the stack. */
  function handOverSoon(): void {
    if (flushQueued) return;
    flushQueued = true;
    queueMicrotask(() => {
      flushQueued = false;
      handOverAll();
    });
  }

  /** How many bytes came; 0 when there are none now, or none any more. */
  function readOnce(state: LineState): number {
    if (state.length + READ_BYTES > CHUNK_BYTES) handOver(state);
    state.chunk ??= chunks.pop() ?? new Uint8Array(CHUNK_BYTES);
    const count = symbols.read(state.line.fd, state.chunk.subarray(state.length), readBytes);
    reads++;
    if (count > 0) {
      state.length += count;
      unhanded.add(state);
      return count;
    }
    const reason = count < 0 ? errno() : 0;
    if (state.length === 0) handOver(state);
    if (count < 0 && (reason === wouldBlock || reason === interrupted)) return 0;
    state.hungUp = true;
    setInterest(state);
    return 0;
  }

  function setInterest(state: LineState): void {
    const listening = !state.closed && !state.hungUp;
    poller.setInterest(state.line.fd, state.key, {
      read: listening && !state.paused,
      write: listening && state.blocked,
    });
  }

  function rearm(state: LineState): void {
    state.hungUp = false;
    setInterest(state);
  }

  /** Reads one ready terminal in this round; the bytes that came. */
  function serve(state: LineState, isAlone: boolean): number {
    let total = 0;
    for (let left = isAlone ? READS_WHEN_ALONE : 1; left > 0 && !state.paused && !state.hungUp; left--) {
      const isFirst = state.length === 0;
      const count = readOnce(state);
      total += count;
      if (isFirst && count > 0 && count < ECHO_BYTES) handOver(state);
      if (count <= SHORT_READ_BYTES) break;
    }
    if (state.hungUp) {
      handOver(state);
      if (!state.closed) state.line.onHangUp();
    }
    return total;
  }

  function turn(events: number): void {
    turns++;
    if (interactiveUntilMs !== 0 && performance.now() > interactiveUntilMs) interactiveUntilMs = 0;
    const budget = interactiveUntilMs === 0 ? TURN_BYTES : INTERACTIVE_TURN_BYTES;
    let got = 0;
    for (let count = events; count > 0; count = got < budget ? poller.poll() : 0) {
      for (let index = 0; index < count; index++) {
        const state = states.get(poller.key(index));
        if (state === undefined) continue;
        if (poller.isWritable(index)) state.input.flush();
        if (poller.isReadable(index)) got += serve(state, count === 1);
      }
    }
    handOverAll();
  }

  async function run(): Promise<void> {
    while (states.size > 0) turn(await poller.park());
    loop = undefined;
  }

  function awaitEcho(state: LineState): void {
    if (handingOver || state.paused || state.hungUp || state.blocked || state.length > 0) return;
    if (state.echoMisses >= MISSES_BEFORE_DOUBT && state.echoMisses++ % 16 !== 0) return;
    if (!libc.awaitReadable(state.line.fd, ECHO_WAIT_US)) {
      state.echoMisses++;
      return;
    }
    state.echoMisses = 0;
    if (readOnce(state) > 0) {
      echoesAtOnce++;
      handOverSoon();
    } else if (state.hungUp) {
      // The loop reports hang-ups, never a caller's write: let it find this one.
      rearm(state);
    }
  }

  function openInput(state: () => LineState, line: Line): InputQueue {
    return createInputQueue({
      limitBytes: line.inputLimitBytes,
      take(bytes) {
        const count = symbols.write(line.fd, bytes, BigInt(bytes.length));
        if (count >= 0) return count;
        const reason = errno();
        if (reason === interrupted) return 0;
        return reason === wouldBlock ? "full" : "broken";
      },
      onBlocked(blocked) {
        state().blocked = blocked;
        setInterest(state());
      },
    });
  }

  return {
    open(line) {
      const state: LineState = {
        key: nextKey++,
        line,
        input: openInput(() => state, line),
        chunk: undefined,
        length: 0,
        paused: false,
        blocked: false,
        hungUp: false,
        closed: false,
        echoMisses: 0,
      };
      states.set(state.key, state);
      setInterest(state);
      loop ??= run();

      return {
        write(bytes) {
          if (!state.input.push(bytes)) return false;
          if (bytes.length <= KEY_BYTES) {
            interactiveUntilMs = performance.now() + INTERACTIVE_MS;
            awaitEcho(state);
          }
          return true;
        },
        queuedInputBytes: () => state.input.queuedBytes(),
        dropInput: () => state.input.clear(),
        setPaused(paused) {
          if (state.paused === paused) return;
          state.paused = paused;
          setInterest(state);
          if (!paused && state.length > 0) handOverSoon();
        },
        isPaused: () => state.paused,
        rearm: () => rearm(state),
        drain(limitBytes) {
          for (let got = 0; got < limitBytes && !state.hungUp;) {
            const count = readOnce(state);
            if (count === 0) break;
            got += count;
          }
          handOver(state);
        },
        close() {
          if (state.closed) return;
          state.closed = true;
          setInterest(state);
          handOver(state);
          states.delete(state.key);
          if (states.size === 0) poller.wake();
        },
      };
    },
    stats: () => ({ turns, reads, echoesAtOnce }),
    async [Symbol.asyncDispose]() {
      if (states.size > 0) throw new Error("terminals are still open");
      if (loop !== undefined) {
        poller.wake();
        await loop;
      }
      poller.close();
    },
  };
}
