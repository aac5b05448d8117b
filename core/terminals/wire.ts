/**
 * The binary frames between the server and a window: `type u8, channel u32 LE, payload`. A channel is the number the
 * window gave a session when it attached; it means nothing beyond one connection.
 *
 * Output and snapshot frames are built in place (writeHeader before the payload) because they are the hot path; all
 * other frames have an encode function. Decoding is strict: a frame with a byte too many is refused as one with a byte
 * too few, and refused frames are data (FrameError), never a throw.
 */
import { err, ok, type Result } from "../result.ts";

export const HEADER_BYTES = 5;
/** Longest payload of one frame from the server; longer output is cut into several frames. */
export const MAX_OUTPUT_BYTES = 256 * 1024;
/** Longest payload of one input frame; the window cuts longer input into several. */
export const MAX_INPUT_BYTES = 64 * 1024;
export const MAX_CELLS = 1000;

/** Server to window. */
export const serverFrames = {
  output: 0x01,
  /** The session has this size from here on in its output. */
  resize: 0x02,
  /** The window resets its terminal to the size given; what follows until snapshotEnd rebuilds the state at offset. */
  snapshotBegin: 0x03,
  snapshotEnd: 0x04,
  exited: 0x05,
  /** The session is gone; the channel is free again. */
  closed: 0x06,
  /** Input up to this sequence number has reached the terminal. */
  inputAccepted: 0x07,
} as const;

/** Window to server. */
export const clientFrames = {
  input: 0x41,
  acknowledge: 0x42,
  resize: 0x43,
  focus: 0x44,
  visibility: 0x45,
  history: 0x46,
} as const;

export interface FrameSize {
  readonly cols: number;
  readonly rows: number;
}

export type FrameExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: number };

export type ServerFrame =
  | { readonly kind: "output"; readonly channel: number; readonly bytes: Uint8Array }
  | { readonly kind: "resize"; readonly channel: number; readonly size: FrameSize }
  | {
    readonly kind: "snapshotBegin";
    readonly channel: number;
    readonly size: FrameSize;
    /** Bytes of output since the session began at which the snapshot is true. */
    readonly offset: number;
    /** true: with the scrollback; false: the screen alone, so that it is there quickly. */
    readonly history: boolean;
  }
  | { readonly kind: "snapshotEnd"; readonly channel: number }
  | { readonly kind: "exited"; readonly channel: number; readonly exit: FrameExit }
  | { readonly kind: "closed"; readonly channel: number }
  | { readonly kind: "inputAccepted"; readonly channel: number; readonly sequence: number };

export type ClientFrame =
  /** sequence counts the input frames of one window to one session from 1, across connections. */
  | { readonly kind: "input"; readonly channel: number; readonly sequence: number; readonly bytes: Uint8Array }
  | { readonly kind: "acknowledge"; readonly channel: number; readonly bytes: number }
  | { readonly kind: "resize"; readonly channel: number; readonly size: FrameSize }
  | { readonly kind: "focus"; readonly channel: number; readonly focused: boolean }
  | { readonly kind: "visibility"; readonly channel: number; readonly visible: boolean }
  | { readonly kind: "history"; readonly channel: number };

export type FrameError =
  | { readonly kind: "frameTooShort"; readonly length: number }
  | { readonly kind: "unknownFrameType"; readonly type: number }
  | { readonly kind: "wrongPayloadLength"; readonly type: number; readonly length: number }
  | { readonly kind: "invalidFrameValue"; readonly type: number; readonly value: number };

const UINT32 = 2 ** 32;

export function writeHeader(buffer: Uint8Array, type: number, channel: number): void {
  buffer[0] = type;
  writeUint32(buffer, 1, channel);
}

/** For a frame whose payload goes to several windows: only the channel differs. */
export function writeChannel(buffer: Uint8Array, channel: number): void {
  writeUint32(buffer, 1, channel);
}

export function encodeServerFrame(frame: ServerFrame): Uint8Array<ArrayBuffer> {
  switch (frame.kind) {
    case "output":
      return withPayload(serverFrames.output, frame.channel, frame.bytes);
    case "resize":
      return encodeSize(serverFrames.resize, frame.channel, frame.size);
    case "snapshotBegin": {
      const bytes = emptyFrame(serverFrames.snapshotBegin, frame.channel, 13);
      writeSize(bytes, frame.size);
      const view = new DataView(bytes.buffer);
      view.setFloat64(HEADER_BYTES + 4, frame.offset, true);
      bytes[HEADER_BYTES + 12] = frame.history ? 1 : 0;
      return bytes;
    }
    case "snapshotEnd":
      return emptyFrame(serverFrames.snapshotEnd, frame.channel, 0);
    case "exited": {
      const bytes = emptyFrame(serverFrames.exited, frame.channel, 5);
      bytes[HEADER_BYTES] = frame.exit.kind === "exited" ? 0 : 1;
      writeUint32(bytes, HEADER_BYTES + 1, frame.exit.kind === "exited" ? frame.exit.code : frame.exit.signal);
      return bytes;
    }
    case "closed":
      return emptyFrame(serverFrames.closed, frame.channel, 0);
    case "inputAccepted":
      return encodeUint32(serverFrames.inputAccepted, frame.channel, frame.sequence);
  }
}

export function decodeServerFrame(frame: Uint8Array): Result<ServerFrame, FrameError> {
  if (frame.length < HEADER_BYTES) return err({ kind: "frameTooShort", length: frame.length });
  const type = byteAt(frame, 0);
  const channel = readUint32(frame, 1);
  const length = frame.length - HEADER_BYTES;
  const expect = (bytes: number) => length === bytes;
  const wrongLength = err({ kind: "wrongPayloadLength", type, length } as const);
  switch (type) {
    case serverFrames.output:
      return length > 0 && length <= MAX_OUTPUT_BYTES
        ? ok({ kind: "output", channel, bytes: frame.subarray(HEADER_BYTES) })
        : wrongLength;
    case serverFrames.resize:
      return expect(4) ? decodeSize(frame, (size) => ({ kind: "resize", channel, size })) : wrongLength;
    case serverFrames.snapshotBegin:
      return expect(13) ? decodeSnapshotBegin(frame, channel) : wrongLength;
    case serverFrames.snapshotEnd:
      return expect(0) ? ok({ kind: "snapshotEnd", channel }) : wrongLength;
    case serverFrames.exited:
      return expect(5) ? decodeExit(frame, channel) : wrongLength;
    case serverFrames.closed:
      return expect(0) ? ok({ kind: "closed", channel }) : wrongLength;
    case serverFrames.inputAccepted:
      return expect(4)
        ? ok({ kind: "inputAccepted", channel, sequence: readUint32(frame, HEADER_BYTES) })
        : wrongLength;
    default:
      return err({ kind: "unknownFrameType", type });
  }
}

export function encodeClientFrame(frame: ClientFrame): Uint8Array<ArrayBuffer> {
  switch (frame.kind) {
    case "input": {
      const bytes = emptyFrame(clientFrames.input, frame.channel, 4 + frame.bytes.length);
      writeUint32(bytes, HEADER_BYTES, frame.sequence);
      bytes.set(frame.bytes, HEADER_BYTES + 4);
      return bytes;
    }
    case "acknowledge":
      return encodeUint32(clientFrames.acknowledge, frame.channel, frame.bytes);
    case "resize":
      return encodeSize(clientFrames.resize, frame.channel, frame.size);
    case "focus":
      return encodeFlag(clientFrames.focus, frame.channel, frame.focused);
    case "visibility":
      return encodeFlag(clientFrames.visibility, frame.channel, frame.visible);
    case "history":
      return emptyFrame(clientFrames.history, frame.channel, 0);
  }
}

export function decodeClientFrame(frame: Uint8Array): Result<ClientFrame, FrameError> {
  if (frame.length < HEADER_BYTES) return err({ kind: "frameTooShort", length: frame.length });
  const type = byteAt(frame, 0);
  const channel = readUint32(frame, 1);
  const length = frame.length - HEADER_BYTES;
  const wrongLength = err({ kind: "wrongPayloadLength", type, length } as const);
  switch (type) {
    case clientFrames.input:
      return length > 4 && length <= 4 + MAX_INPUT_BYTES
        ? ok({
          kind: "input",
          channel,
          sequence: readUint32(frame, HEADER_BYTES),
          bytes: frame.subarray(HEADER_BYTES + 4),
        })
        : wrongLength;
    case clientFrames.acknowledge:
      return length === 4 ? ok({ kind: "acknowledge", channel, bytes: readUint32(frame, HEADER_BYTES) }) : wrongLength;
    case clientFrames.resize:
      return length === 4 ? decodeSize(frame, (size) => ({ kind: "resize", channel, size })) : wrongLength;
    case clientFrames.focus:
      return length === 1 ? decodeFlag(frame, (focused) => ({ kind: "focus", channel, focused })) : wrongLength;
    case clientFrames.visibility:
      return length === 1 ? decodeFlag(frame, (visible) => ({ kind: "visibility", channel, visible })) : wrongLength;
    case clientFrames.history:
      return length === 0 ? ok({ kind: "history", channel }) : wrongLength;
    default:
      return err({ kind: "unknownFrameType", type });
  }
}

function decodeSnapshotBegin(frame: Uint8Array, channel: number): Result<ServerFrame, FrameError> {
  const offset = new DataView(frame.buffer, frame.byteOffset).getFloat64(HEADER_BYTES + 4, true);
  const history = byteAt(frame, HEADER_BYTES + 12);
  if (!Number.isSafeInteger(offset) || offset < 0) return invalid(frame, offset);
  if (history > 1) return invalid(frame, history);
  return decodeSize(frame, (size) => ({ kind: "snapshotBegin", channel, size, offset, history: history === 1 }));
}

function decodeExit(frame: Uint8Array, channel: number): Result<ServerFrame, FrameError> {
  const value = readUint32(frame, HEADER_BYTES + 1);
  switch (byteAt(frame, HEADER_BYTES)) {
    case 0:
      // Windows reports exit codes above 2^31: they stay unsigned.
      return ok({ kind: "exited", channel, exit: { kind: "exited", code: value } });
    case 1:
      return ok({ kind: "exited", channel, exit: { kind: "signalled", signal: value } });
    default:
      return invalid(frame, byteAt(frame, HEADER_BYTES));
  }
}

function decodeSize<F>(frame: Uint8Array, build: (size: FrameSize) => F): Result<F, FrameError> {
  const cols = byteAt(frame, HEADER_BYTES) | byteAt(frame, HEADER_BYTES + 1) << 8;
  const rows = byteAt(frame, HEADER_BYTES + 2) | byteAt(frame, HEADER_BYTES + 3) << 8;
  if (cols < 1 || cols > MAX_CELLS) return invalid(frame, cols);
  if (rows < 1 || rows > MAX_CELLS) return invalid(frame, rows);
  return ok(build({ cols, rows }));
}

function decodeFlag<F>(frame: Uint8Array, build: (flag: boolean) => F): Result<F, FrameError> {
  const flag = byteAt(frame, HEADER_BYTES);
  return flag > 1 ? invalid(frame, flag) : ok(build(flag === 1));
}

function invalid(frame: Uint8Array, value: number): Result<never, FrameError> {
  return err({ kind: "invalidFrameValue", type: byteAt(frame, 0), value });
}

function emptyFrame(type: number, channel: number, payloadBytes: number): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEADER_BYTES + payloadBytes);
  writeHeader(frame, type, channel);
  return frame;
}

function withPayload(type: number, channel: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = emptyFrame(type, channel, payload.length);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

function encodeUint32(type: number, channel: number, value: number): Uint8Array<ArrayBuffer> {
  const frame = emptyFrame(type, channel, 4);
  writeUint32(frame, HEADER_BYTES, value);
  return frame;
}

function encodeFlag(type: number, channel: number, flag: boolean): Uint8Array<ArrayBuffer> {
  const frame = emptyFrame(type, channel, 1);
  frame[HEADER_BYTES] = flag ? 1 : 0;
  return frame;
}

function encodeSize(type: number, channel: number, size: FrameSize): Uint8Array<ArrayBuffer> {
  const frame = emptyFrame(type, channel, 4);
  writeSize(frame, size);
  return frame;
}

function writeSize(frame: Uint8Array, size: FrameSize): void {
  frame[HEADER_BYTES] = size.cols & 0xff;
  frame[HEADER_BYTES + 1] = size.cols >>> 8;
  frame[HEADER_BYTES + 2] = size.rows & 0xff;
  frame[HEADER_BYTES + 3] = size.rows >>> 8;
}

function writeUint32(buffer: Uint8Array, at: number, value: number): void {
  buffer[at] = value & 0xff;
  buffer[at + 1] = (value >>> 8) & 0xff;
  buffer[at + 2] = (value >>> 16) & 0xff;
  buffer[at + 3] = (value >>> 24) & 0xff;
}

function readUint32(buffer: Uint8Array, at: number): number {
  const value = byteAt(buffer, at) | byteAt(buffer, at + 1) << 8 | byteAt(buffer, at + 2) << 16 |
    byteAt(buffer, at + 3) << 24;
  return value < 0 ? value + UINT32 : value;
}

// Callers have checked the length; the 0 is for the compiler.
function byteAt(buffer: Uint8Array, at: number): number {
  return buffer[at] ?? 0;
}
