/** Which of many descriptors are ready: epoll or kqueue behind one small interface. */

export interface Interest {
  readonly read: boolean;
  readonly write: boolean;
}

/** The key under which a wake-up is reported; terminals have keys from 1. */
export const WAKE_KEY = 0;

export interface Poller {
  /** With no interest at all the descriptor is taken out, since a hang-up would be reported again and again. */
  setInterest(fd: number, key: number, interest: Interest): void;
  /** Parks until something is ready, without blocking the event loop; how many events there are. One at a time. */
  park(): Promise<number>;
  /** How many events there are now. */
  poll(): number;
  /** Of the event at index, of the last park or poll. A hang-up counts as readable: the read tells what it is. */
  key(index: number): number;
  isReadable(index: number): boolean;
  isWritable(index: number): boolean;
  /** Ends a park, now or the next one. */
  wake(): void;
  /** Must not be called while parked. */
  close(): void;
}
