/**
 * Input of this window to one session, until the server has confirmed it. Kept across connections: what is typed while
 * the connection is broken waits here and is sent once, in order.
 */
import { MAX_INPUT_BYTES } from "../../../core/terminals/wire.ts";

/** Unconfirmed bytes under way at a time; the server holds four times as much for a program that does not read. */
export const WINDOW_BYTES = 256 * 1024;
/** A person who pastes more than this into a program that does not read is told so. */
export const MAX_OUTBOX_BYTES = 16 * 1024 * 1024;

export interface OutboxEntry {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

export interface Outbox {
  /** Takes all of it or nothing; false: it is full. */
  add(bytes: Uint8Array): boolean;
  /** What may be sent now: in order, each entry once per connection. */
  takeSendable(): readonly OutboxEntry[];
  confirm(sequence: number): void;
  /**
   * A connection is there, and the server has input up to that number: all after it is sent again. A number below one
   * that was confirmed means that the server knows nothing of this window any more; what is kept might then arrive twice,
   * so it is dropped, and counting goes on from there.
   */
  restart(sequence: number): void;
  pendingBytes(): number;
}

export function createOutbox(): Outbox {
  let entries: OutboxEntry[] = [];
  let pendingBytes = 0;
  let lastSequence = 0;
  let confirmed = 0;
  /** Entries before this index are under way. */
  let sent = 0;
  let sentBytes = 0;

  function confirm(sequence: number): void {
    let count = 0;
    for (const entry of entries) {
      if (entry.sequence > sequence) break;
      pendingBytes -= entry.bytes.length;
      if (count < sent) sentBytes -= entry.bytes.length;
      count++;
    }
    entries = entries.slice(count);
    sent = Math.max(0, sent - count);
    confirmed = Math.max(confirmed, sequence);
  }

  return {
    add(bytes) {
      if (pendingBytes + bytes.length > MAX_OUTBOX_BYTES) return false;
      for (let at = 0; at < bytes.length; at += MAX_INPUT_BYTES) {
        entries.push({ sequence: ++lastSequence, bytes: bytes.subarray(at, at + MAX_INPUT_BYTES) });
      }
      pendingBytes += bytes.length;
      return true;
    },
    takeSendable() {
      const from = sent;
      for (let next = entries[sent]; next !== undefined && sentBytes < WINDOW_BYTES; next = entries[sent]) {
        sentBytes += next.bytes.length;
        sent++;
      }
      return entries.slice(from, sent);
    },
    confirm,
    restart(sequence) {
      sent = 0;
      sentBytes = 0;
      if (sequence >= confirmed) return confirm(sequence);
      entries = [];
      pendingBytes = 0;
      lastSequence = sequence;
      confirmed = sequence;
    },
    pendingBytes: () => pendingBytes,
  };
}
