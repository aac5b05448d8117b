import assert from "node:assert/strict";
import {
  type ClientFrame,
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
  HEADER_BYTES,
  MAX_INPUT_BYTES,
  MAX_OUTPUT_BYTES,
  type ServerFrame,
} from "../../core/terminals/wire.ts";
import { createRandom } from "../helpers/random.ts";

const channel = 0xfedcba98;
const size = { cols: 1000, rows: 1 };
const bytes = new Uint8Array([0, 27, 255]);

const serverFrames: readonly ServerFrame[] = [
  { kind: "output", channel, bytes },
  { kind: "resize", channel, size },
  { kind: "snapshotBegin", channel, size, offset: 2 ** 52 + 1, history: true },
  { kind: "snapshotBegin", channel, size, offset: 0, history: false },
  { kind: "snapshotEnd", channel },
  { kind: "exited", channel, exit: { kind: "exited", code: 0xc0000005 } },
  { kind: "exited", channel, exit: { kind: "signalled", signal: 9 } },
  { kind: "closed", channel },
  { kind: "inputAccepted", channel, sequence: 0xffffffff },
];

const clientFrames: readonly ClientFrame[] = [
  { kind: "input", channel, sequence: 0x80000000, bytes },
  { kind: "acknowledge", channel, bytes: 0xffffffff },
  { kind: "resize", channel, size },
  { kind: "focus", channel, focused: true },
  { kind: "visibility", channel, visible: false },
  { kind: "history", channel },
];

Deno.test("every frame comes out as it went in", () => {
  for (const frame of serverFrames) {
    assert.deepEqual(decodeServerFrame(encodeServerFrame(frame)), { ok: true, value: frame });
  }
  for (const frame of clientFrames) {
    assert.deepEqual(decodeClientFrame(encodeClientFrame(frame)), { ok: true, value: frame });
  }
});

Deno.test("a frame that is cut, longer than it should be, or of no type is refused", () => {
  const variable = new Set(["output", "input"]);
  const cases = [
    ...serverFrames.map((frame) => ({ frame, encoded: encodeServerFrame(frame), decode: decodeServerFrame })),
    ...clientFrames.map((frame) => ({ frame, encoded: encodeClientFrame(frame), decode: decodeClientFrame })),
  ];
  for (const { frame, encoded, decode } of cases) {
    assert.equal(decode(encoded.subarray(0, HEADER_BYTES - 1)).ok, false);
    if (variable.has(frame.kind)) continue;
    assert.equal(decode(new Uint8Array([...encoded, 0])).ok, false, frame.kind);
    if (encoded.length > HEADER_BYTES) assert.equal(decode(encoded.subarray(0, -1)).ok, false, frame.kind);
  }
  assert.deepEqual(decodeClientFrame(new Uint8Array([1, 0, 0, 0, 0])), {
    ok: false,
    error: { kind: "unknownFrameType", type: 1 },
  });
  assert.equal(decodeServerFrame(new Uint8Array([0x41, 0, 0, 0, 0, 1])).ok, false);
});

Deno.test("lengths and values at their bounds", () => {
  const input = (length: number) =>
    decodeClientFrame(encodeClientFrame({ kind: "input", channel, sequence: 1, bytes: new Uint8Array(length) })).ok;
  assert.deepEqual([0, 1, MAX_INPUT_BYTES, MAX_INPUT_BYTES + 1].map(input), [false, true, true, false]);
  const output = (length: number) =>
    decodeServerFrame(encodeServerFrame({ kind: "output", channel, bytes: new Uint8Array(length) })).ok;
  assert.deepEqual([0, 1, MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES + 1].map(output), [false, true, true, false]);
  const resize = (cols: number) =>
    decodeClientFrame(encodeClientFrame({ kind: "resize", channel, size: { cols, rows: 5 } })).ok;
  assert.deepEqual([0, 1, 1000, 1001].map(resize), [false, true, true, false]);
  const focus = encodeClientFrame({ kind: "focus", channel, focused: true });
  focus[HEADER_BYTES] = 2;
  assert.deepEqual(decodeClientFrame(focus), {
    ok: false,
    error: { kind: "invalidFrameValue", type: 0x44, value: 2 },
  });
});

Deno.test("random bytes never throw", () => {
  const random = createRandom(7);
  const types = [1, 2, 3, 4, 5, 6, 7, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46];
  for (let n = 0; n < 20_000; n++) {
    const frame = Uint8Array.from({ length: random.int(24) }, () => random.int(256));
    if (random.int(2) === 0 && frame.length > 0) frame[0] = random.pick(types);
    const server = decodeServerFrame(frame);
    if (server.ok) assert.deepEqual(decodeServerFrame(encodeServerFrame(server.value)), server);
    const client = decodeClientFrame(frame);
    if (client.ok) assert.deepEqual(encodeClientFrame(client.value), frame);
  }
});
