/**
 * A headless xterm.js that is fed in one call: the only user of its internals. The version is pinned; what is used of
 * it is checked when the first one is made, so a new version that moves something fails at once and not in a screen.
 *
 * The width of characters is that of the page: xterm.js with the unicode-graphemes addon, on both sides.
 */
import xterm from "@xterm/headless";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import type { PtySize } from "../../core/ports/pty.ts";
import { incompleteTailLength } from "../../core/terminals/utf8.ts";

type Terminal = InstanceType<typeof xterm.Terminal>;

/** What is used of a buffer besides its public face. */
export interface ScreenBuffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
}

interface Internals {
  writeSync(data: Uint8Array | string): void;
  readonly buffers: { readonly active: ScreenBuffer; readonly normal: ScreenBuffer; readonly alt: ScreenBuffer };
}

export interface Emulator extends Disposable {
  readonly terminal: Terminal;
  /** Takes output at once; a character cut in two is held back until the rest comes. */
  write(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  size(): PtySize;
  active(): ScreenBuffer;
}

/** The package has no types for its inside; what is used of it is proved by the tests of this adapter. */
function isInternals(core: unknown): core is Internals {
  return typeof core === "object" && core !== null && "writeSync" in core && "buffers" in core;
}

function internalsOf(terminal: Terminal): Internals {
  const core: unknown = Reflect.get(terminal, "_core");
  if (!isInternals(core)) throw new Error("@xterm/headless is not the version this adapter is written for");
  return core;
}

export function createEmulator(size: PtySize, scrollback: number): Emulator {
  const terminal = new xterm.Terminal({
    cols: size.cols,
    rows: size.rows,
    scrollback,
    allowProposedApi: true,
    logLevel: "off",
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  const internals = internalsOf(terminal);
  let held = new Uint8Array(0);
  return {
    terminal,
    write(bytes) {
      let whole = bytes;
      if (held.length > 0) {
        whole = new Uint8Array(held.length + bytes.length);
        whole.set(held);
        whole.set(bytes, held.length);
      }
      const tail = incompleteTailLength(whole);
      held = whole.slice(whole.length - tail);
      if (whole.length > tail) internals.writeSync(whole.subarray(0, whole.length - tail));
    },
    resize: ({ cols, rows }) => terminal.resize(cols, rows),
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    active: () => internals.buffers.active,
    [Symbol.dispose]: () => terminal.dispose(),
  };
}
