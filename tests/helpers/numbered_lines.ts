/**
 * Output in which a lost, doubled or swapped piece shows: lines that are numbers of nine digits, one after the other.
 * A snapshot begins with some later number and goes on from there.
 */
const DIGITS = 9;

/** For python3: prints KB of lines ten times a second until the file is there, then a last word. `FILE KB` */
export const NUMBERED_LINES = `import sys,os,time
n=0
while not os.path.exists(sys.argv[1]):
  count=int(sys.argv[2])*1024//${DIGITS + 2}
  sys.stdout.write("".join("%0${DIGITS}d\\n"%(n+i) for i in range(count))); sys.stdout.flush(); n+=count
  time.sleep(0.1)
print("LAST %0${DIGITS}d ALLDONE"%(n-1),flush=True)
sys.stdin.readline()
`;

export interface NumberedLines {
  take(bytes: Uint8Array): void;
  /** What follows was shown anew. */
  restart(): void;
  /** The first break in the sequence. */
  fault(): string | undefined;
  /** All has come: the number that the last word names is the last that was read. */
  isComplete(): boolean;
  restarts(): number;
}

export function createNumberedLines(): NumberedLines {
  const decoder = new TextDecoder();
  let rest = "";
  let last: number | undefined;
  let fault: string | undefined;
  let complete = false;
  let restarts = 0;
  return {
    take(bytes) {
      const text = rest + decoder.decode(bytes, { stream: true });
      let end = 0;
      for (const match of text.matchAll(/(LAST )?(?<!\d)(\d{9})(?!\d)( ALLDONE)?(?=[^\d])/g)) {
        const number = Number(match[2]);
        end = match.index + match[0].length;
        if (match[1] !== undefined) {
          complete ||= match[3] !== undefined && number === last;
          if (match[3] === undefined) end = match.index;
          continue;
        }
        if (last !== undefined && number !== last + 1) fault ??= `${number} came after ${last}`;
        last = number;
      }
      rest = text.slice(Math.max(end, text.length - 2 * DIGITS - 16));
    },
    restart() {
      rest = "";
      last = undefined;
      restarts++;
    },
    fault: () => fault,
    isComplete: () => complete,
    restarts: () => restarts,
  };
}
