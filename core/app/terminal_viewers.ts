/**
 * The windows that look at one session, and what each of them gets of its output.
 *
 * 1. A viewer gets every byte after its offset once and in order, or a snapshot that stands for all before it.
 * 2. Live output goes to a viewer in the call that brought it, and only when the viewer has everything before it;
 *    whatever else it misses comes from the state. So a restore and live output never interleave.
 * 3. What waits for a viewer waits in the state, which all viewers share: a slow one costs no memory of its own beyond
 *    its credit and one snapshot.
 * 4. The frame is only valid while send() runs: all viewers of all sessions share one buffer.
 */
import { CATCH_UP_LIMIT_BYTES, type Credit, shouldThrottle } from "../terminals/flow.ts";
import { decideSize } from "../terminals/size_owner.ts";
import {
  encodeServerFrame,
  HEADER_BYTES,
  MAX_OUTPUT_BYTES,
  serverFrames,
  writeChannel,
  writeHeader,
} from "../terminals/wire.ts";
import type { PtyExit, PtySize } from "../ports/pty.ts";
import type { SnapshotPart, TerminalSnapshot, TerminalState } from "../ports/terminal_state.ts";
import type { Attachment, Viewer } from "./terminals.ts";

export interface ViewersOptions {
  readonly state: TerminalState;
  readonly size: () => PtySize;
  /** The viewers want another size. */
  readonly onSizeWanted: (size: PtySize) => void;
  /** Something changed that shouldThrottle looks at. */
  readonly onPaceChanged: () => void;
  /** The state could not give a snapshot: a defect, told once; the viewer stays where it is. */
  readonly onDefect: (error: unknown) => void;
}

export interface Viewers {
  attach(viewer: Viewer): Attachment;
  /** Output that the state has already taken. */
  output(bytes: Uint8Array): void;
  /** A size that the state has already taken. */
  resized(size: PtySize): void;
  exited(exit: PtyExit): void;
  /** Tells every viewer that the session is gone. */
  close(): void;
  shouldThrottle(backlogBytes: number): boolean;
}

interface View {
  readonly viewer: Viewer;
  readonly credit: Credit;
  visible: boolean;
  lastFocus: number;
  size: PtySize | undefined;
  /** Output sent so far; undefined: it has nothing that could be continued. */
  offset: number | undefined;
  /** The size its terminal has after what was sent. */
  shownSize: PtySize | undefined;
  /** Has all output there is: the next goes to it directly. */
  live: boolean;
  /** The restore under way; a result that is not of this one is late and dropped. */
  restore: { readonly history: boolean } | undefined;
  historyWanted: boolean;
  exitSent: boolean;
  gone: boolean;
}

const frameBuffer = new Uint8Array(HEADER_BYTES + MAX_OUTPUT_BYTES);

export function createViewers(options: ViewersOptions): Viewers {
  const { state } = options;
  const views = new Set<View>();
  let focusCount = 0;
  let exit: PtyExit | undefined;

  function sendOutput(view: View, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !view.credit.isBlocked(); at += MAX_OUTPUT_BYTES) {
      const part = bytes.subarray(at, at + MAX_OUTPUT_BYTES);
      writeHeader(frameBuffer, serverFrames.output, view.viewer.channel);
      frameBuffer.set(part, HEADER_BYTES);
      view.viewer.send(frameBuffer.subarray(0, HEADER_BYTES + part.length));
      countSent(view, part.length);
    }
  }

  function countSent(view: View, bytes: number): void {
    if (view.offset !== undefined) view.offset += bytes;
    view.credit.take(bytes);
    if (!view.credit.isBlocked()) return;
    view.live = false;
    options.onPaceChanged();
  }

  function sendSize(view: View, size: PtySize): void {
    if (isSameSize(view.shownSize, size)) return;
    view.shownSize = size;
    view.viewer.send(encodeServerFrame({ kind: "resize", channel: view.viewer.channel, size }));
  }

  function sendParts(view: View, parts: readonly SnapshotPart[]): void {
    let index = skipKnownSizes(parts, view.shownSize);
    for (; index < parts.length && !view.credit.isBlocked(); index++) {
      const part = parts[index];
      if (part?.kind === "bytes") sendOutput(view, part.bytes);
      else if (part?.kind === "resize") sendSize(view, part.size);
    }
  }

  /** Brings a view as far as its credit allows. */
  function pump(view: View): void {
    if (view.gone || !view.visible || view.credit.isBlocked() || view.restore !== undefined || view.live) return;
    if (view.historyWanted) return restore(view, true);
    const missing = view.offset === undefined ? Infinity : state.offset() - view.offset;
    const parts = view.offset === undefined || missing < 0 || missing > CATCH_UP_LIMIT_BYTES
      ? undefined
      : state.since(view.offset);
    if (parts === undefined) return restore(view, false);
    sendParts(view, parts);
    if (view.credit.isBlocked()) return;
    sendSize(view, options.size());
    view.live = true;
    sendExit(view);
  }

  function sendExit(view: View): void {
    if (exit === undefined || view.exitSent) return;
    view.exitSent = true;
    view.viewer.send(encodeServerFrame({ kind: "exited", channel: view.viewer.channel, exit }));
  }

  function restore(view: View, history: boolean): void {
    const ticket = { history };
    view.live = false;
    view.restore = ticket;
    state.snapshot(history ? Infinity : 0).then((snapshot) => {
      if (view.restore !== ticket) return;
      view.restore = undefined;
      if (history) view.historyWanted = false;
      sendSnapshot(view, snapshot, history);
      pump(view);
    }).catch(options.onDefect);
  }

  /** The scrollback is fetched while live output goes on; the snapshot then takes its place as a whole. */
  function fetchHistory(view: View): void {
    view.historyWanted = true;
    if (!view.live) return pump(view);
    state.snapshot(Infinity).then((snapshot) => {
      if (view.gone || !view.historyWanted || !view.live) return;
      view.historyWanted = false;
      view.live = false;
      sendSnapshot(view, snapshot, true);
      pump(view);
    }).catch(options.onDefect);
  }

  function sendSnapshot(view: View, snapshot: TerminalSnapshot, history: boolean): void {
    const { channel, send } = view.viewer;
    const { size, offset } = snapshot;
    send(encodeServerFrame({ kind: "snapshotBegin", channel, size, offset, history }));
    view.shownSize = size;
    let sentBytes = 0;
    for (const part of snapshot.parts) {
      if (part.kind === "resize") {
        sendSize(view, part.size);
        continue;
      }
      for (let at = 0; at < part.bytes.length; at += MAX_OUTPUT_BYTES) {
        const bytes = part.bytes.subarray(at, at + MAX_OUTPUT_BYTES);
        send(encodeServerFrame({ kind: "output", channel, bytes }));
      }
      sentBytes += part.bytes.length;
    }
    send(encodeServerFrame({ kind: "snapshotEnd", channel }));
    view.offset = offset;
    view.credit.take(sentBytes);
    if (view.credit.isBlocked()) options.onPaceChanged();
  }

  function checkSize(): void {
    const wanted = decideSize(views);
    if (wanted !== undefined && !isSameSize(wanted, options.size())) options.onSizeWanted(wanted);
  }

  function attachmentOf(view: View): Attachment {
    return {
      acknowledge: (bytes) => view.credit.give(bytes),
      setFocused(focused) {
        if (!focused) return;
        view.lastFocus = ++focusCount;
        checkSize();
      },
      setSize(size) {
        view.size = size;
        checkSize();
      },
      setVisible(visible) {
        if (view.visible === visible) return;
        view.visible = visible;
        if (!visible) {
          view.live = false;
          view.restore = undefined;
        }
        checkSize();
        pump(view);
        options.onPaceChanged();
      },
      requestHistory() {
        if (!view.gone) fetchHistory(view);
      },
      [Symbol.dispose]() {
        view.gone = true;
        view.live = false;
        view.restore = undefined;
        if (!views.delete(view)) return;
        view.credit[Symbol.dispose]();
        checkSize();
        options.onPaceChanged();
      },
    };
  }

  return {
    attach(viewer) {
      const view: View = {
        viewer,
        credit: viewer.lane.createCredit(() => {
          pump(view);
          options.onPaceChanged();
        }),
        visible: viewer.visible ?? true,
        lastFocus: 0,
        size: undefined,
        offset: viewer.from?.offset,
        shownSize: viewer.from?.size,
        live: false,
        restore: undefined,
        historyWanted: false,
        exitSent: false,
        gone: false,
      };
      views.add(view);
      // Later in this turn: the caller has then answered the window and set its size, so the snapshot has that size.
      Promise.resolve().then(() => pump(view)).catch(options.onDefect);
      return attachmentOf(view);
    },
    output(bytes) {
      for (let at = 0; at < bytes.length; at += MAX_OUTPUT_BYTES) {
        let frame: Uint8Array<ArrayBuffer> | undefined;
        for (const view of views) {
          if (!view.live) continue;
          if (frame === undefined) {
            const part = bytes.subarray(at, at + MAX_OUTPUT_BYTES);
            frameBuffer[0] = serverFrames.output;
            frameBuffer.set(part, HEADER_BYTES);
            frame = frameBuffer.subarray(0, HEADER_BYTES + part.length);
          }
          writeChannel(frame, view.viewer.channel);
          view.viewer.send(frame);
          countSent(view, frame.length - HEADER_BYTES);
        }
      }
    },
    resized(size) {
      for (const view of views) if (view.live) sendSize(view, size);
    },
    exited(reported) {
      exit = reported;
      for (const view of views) if (view.live) sendExit(view);
    },
    close() {
      for (const view of views) {
        view.gone = true;
        view.live = false;
        view.restore = undefined;
        view.viewer.send(encodeServerFrame({ kind: "closed", channel: view.viewer.channel }));
        view.credit[Symbol.dispose]();
      }
      views.clear();
    },
    shouldThrottle: (backlogBytes) => shouldThrottle(views, backlogBytes),
  };
}

/**
 * Size changes at the very offset a viewer stands at may be known to it already: those up to the last that is the size
 * it shows.
 */
function skipKnownSizes(parts: readonly SnapshotPart[], shown: PtySize | undefined): number {
  let known = 0;
  for (const [index, part] of parts.entries()) {
    if (part.kind !== "resize") break;
    if (isSameSize(part.size, shown)) known = index + 1;
  }
  return known;
}

export function isSameSize(a: PtySize | undefined, b: PtySize | undefined): boolean {
  return a !== undefined && b !== undefined && a.cols === b.cols && a.rows === b.rows;
}
