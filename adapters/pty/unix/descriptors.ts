/** What is done with open terminals, all of it at once done: what errno says is turned into values. */
import type { PtySize } from "../../../core/ports/pty.ts";
import type { Libc } from "./libc.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Descriptors {
  /** How many bytes came; "none": nothing now; "ended": the other side has hung up. */
  read(fd: number, into: Bytes): number | "none" | "ended";
  /** How many bytes were taken; "full": none now; "broken": nobody will ever read. */
  write(fd: number, bytes: Bytes): number | "full" | "broken";
  /** Blocks, for at most this long, until fd can be read. */
  awaitReadable(fd: number, atMostUs: number): boolean;
  close(fd: number): void;
  setWindowSize(terminal: number, size: PtySize): void;
  /** The process group in the terminal's foreground; undefined when there is none. */
  foregroundGroup(terminal: number): number | undefined;
}

export function createDescriptors(libc: Libc): Descriptors {
  const { symbols, errno } = libc;
  const { wouldBlock, interrupted } = libc.platform.errors;
  return {
    read(fd, into) {
      const count = symbols.read(fd, into, BigInt(into.length));
      if (count > 0) return count;
      if (count === 0) return "ended";
      const reason = errno();
      return reason === wouldBlock || reason === interrupted ? "none" : "ended";
    },
    write(fd, bytes) {
      const count = symbols.write(fd, bytes, BigInt(bytes.length));
      if (count >= 0) return count;
      const reason = errno();
      if (reason === interrupted) return 0;
      return reason === wouldBlock ? "full" : "broken";
    },
    awaitReadable: libc.awaitReadable,
    close(fd) {
      symbols.close(fd);
    },
    setWindowSize(terminal, { cols, rows }) {
      // struct winsize: rows, columns, and pixels that nobody knows here.
      const size = new Uint16Array([rows, cols, 0, 0]);
      libc.ioctl(terminal, libc.platform.requests.setWindowSize, new Uint8Array(size.buffer));
    },
    foregroundGroup(terminal) {
      const group = symbols.tcgetpgrp(terminal);
      return group > 0 ? group : undefined;
    },
  };
}
