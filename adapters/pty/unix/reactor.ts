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
import type { Descriptors } from "./descriptors.ts";
import { createInputQueue, type InputQueue } from "../input_queue.ts";
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
  /** Unless paused, hands over what was read and what can be read now, up to about limitBytes. */
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

export function createReactor(descriptors: Descriptors, poller: Poller): Reactor {
  const states = new Map<number, LineState>();
  const unhanded = new Set<LineState>();
  const chunks: Bytes[] = [];
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
    const result = descriptors.read(state.line.fd, state.chunk.subarray(state.length));
    reads++;
    if (typeof result === "number") {
      state.length += result;
      unhanded.add(state);
      return result;
    }
    if (state.length === 0) handOver(state);
    if (result === "ended") {
      state.hungUp = true;
      setInterest(state);
    }
    return 0;
  }

  function setInterest(state: LineState): void {
    // A closed line's descriptor may be another one's by now.
    if (state.closed) return;
    poller.setInterest(state.line.fd, state.key, {
      read: !state.hungUp && !state.paused,
      write: !state.hungUp && state.blocked,
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

  function close(state: LineState): void {
    if (state.closed) return;
    state.closed = true;
    poller.setInterest(state.line.fd, state.key, { read: false, write: false });
    handOver(state);
    states.delete(state.key);
    if (states.size === 0) poller.wake();
  }

  async function run(): Promise<void> {
    while (states.size > 0) turn(await poller.park());
    loop = undefined;
  }

  function awaitEcho(state: LineState): void {
    // What is written from onData answers a program's query; nobody waits at a keyboard for what comes next.
    if (handingOver || state.paused || state.hungUp || state.blocked || state.length > 0) return;
    if (state.echoMisses >= MISSES_BEFORE_DOUBT && state.echoMisses++ % 16 !== 0) return;
    if (!descriptors.awaitReadable(state.line.fd, ECHO_WAIT_US)) {
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
      take: (bytes) => descriptors.write(line.fd, bytes),
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
          for (let got = 0; got < limitBytes && !state.hungUp && !state.paused;) {
            const count = readOnce(state);
            if (count === 0) break;
            got += count;
          }
          if (!state.paused) handOver(state);
        },
        close: () => close(state),
      };
    },
    stats: () => ({ turns, reads, echoesAtOnce }),
    async [Symbol.asyncDispose]() {
      // Only what the kernel could not kill is left by now.
      for (const state of [...states.values()]) close(state);
      if (loop !== undefined) {
        poller.wake();
        await loop;
      }
      poller.close();
    },
  };
}
