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
import { fixXterm } from "../../core/terminals/xterm_fixes.ts";

type Terminal = InstanceType<typeof xterm.Terminal>;

/** What a cell has besides its two words of attributes. */
export interface ExtendedCell {
  readonly underlineStyle: number;
  readonly underlineColor: number;
  readonly urlId: number;
  /** The style itself is in bits 26 to 28, also where a link hides it. */
  readonly _ext: number;
}

export interface BufferLine {
  readonly isWrapped: boolean;
  readonly length: number;
  /** Three words a cell: content (width << 22 | combined flag << 21 | code point), fg, bg. */
  readonly _data: Uint32Array;
  readonly _combined: { readonly [col: number]: string | undefined };
  readonly _extendedAttrs: { readonly [col: number]: ExtendedCell | undefined };
}

export interface ScreenBuffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly tabs: { readonly [col: number]: boolean | undefined };
  readonly lines: { readonly length: number; get(index: number): BufferLine | undefined };
  readonly _memoryCleanupQueue: { enqueue: (task: () => boolean) => void };
}

interface Internals {
  writeSync(data: Uint8Array | string): void;
  readonly _writeBuffer: { _isSyncWriting: boolean };
  readonly buffers: { readonly active: ScreenBuffer; readonly normal: ScreenBuffer; readonly alt: ScreenBuffer };
  readonly unicodeService: { charProperties(codePoint: number, preceding: number): number };
  readonly _oscLinkService: {
    getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined;
    _removeMarkerFromLink: () => void;
  };
  readonly _inputHandler: { readonly _parser: { readonly precedingJoinState: number } };
}

export interface Emulator extends Disposable {
  readonly terminal: Terminal;
  /** Takes output at once; a character cut in two is held back until the rest comes. */
  write(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  size(): PtySize;
  active(): ScreenBuffer;
  normal(): ScreenBuffer;
  alternate(): ScreenBuffer;
  /** As OSC 8 writes it: parameters, ";", address. */
  link(id: number): string;
  /** Whether a character would join the one whose properties are given (0: none), and its own properties. */
  join(codePoint: number, preceding: number): { readonly joins: boolean; readonly properties: number };
  /** What was printed last can still be joined by the next character. */
  isJoinable(): boolean;
}

const INTERNALS = ["writeSync", "buffers", "unicodeService", "_oscLinkService", "_inputHandler", "_writeBuffer"];

/** The package has no types for its inside; what is used of it is proved by the tests of this adapter. */
function isInternals(core: unknown): core is Internals {
  return typeof core === "object" && core !== null && INTERNALS.every((name) => name in core);
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
  fixXterm(terminal);
  const internals = internalsOf(terminal);
  // A link is forgotten there once the line it began in is erased, though other cells still have it. Emulators are
  // short-lived, so they can afford to remember.
  internals._oscLinkService._removeMarkerFromLink = () => {};
  let held = new Uint8Array(0);

  /** A defect of xterm.js must not end a session: what follows in this piece is lost to the copy, and it goes on. */
  function feed(bytes: Uint8Array): void {
    try {
      internals.writeSync(bytes);
    } catch {
      internals._writeBuffer._isSyncWriting = false;
    }
  }

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
      if (whole.length > tail) feed(whole.subarray(0, whole.length - tail));
    },
    resize({ cols, rows }) {
      // Gives memory back later, by a timer that would outlive the emulator.
      for (const { _memoryCleanupQueue: queue } of [internals.buffers.normal, internals.buffers.alt]) {
        queue.enqueue = () => {};
      }
      terminal.resize(cols, rows);
    },
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    active: () => internals.buffers.active,
    normal: () => internals.buffers.normal,
    alternate: () => internals.buffers.alt,
    link(id) {
      const data = internals._oscLinkService.getLinkData(id);
      if (data === undefined) return "";
      return `${data.id === undefined ? "" : `id=${data.id}`};${data.uri}`;
    },
    join(codePoint, preceding) {
      const properties = internals.unicodeService.charProperties(codePoint, preceding);
      return { joins: (properties & 1) !== 0, properties };
    },
    isJoinable: () => internals._inputHandler._parser.precedingJoinState !== 0,
    [Symbol.dispose]: () => terminal.dispose(),
  };
}
