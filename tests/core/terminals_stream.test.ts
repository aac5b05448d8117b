import assert from "node:assert/strict";
import { HIGH_WATER_BYTES, LOW_WATER_BYTES } from "../../core/terminals/flow.ts";
import { createRandom } from "../helpers/random.ts";
import { attach, bytesOf, createWindow, openPlayed, settle, setup, size } from "./terminals_setup.ts";

const block = (bytes: number, letter = "x") => letter.repeat(bytes);

Deno.test("a window that attaches gets a snapshot, then live output in the call that brings it", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  program.output("before ");
  const window = createWindow();
  attach(parts.terminals, sessionId, window);
  await settle();
  assert.deepEqual(window.frames, ["snapshotBegin", "output", "snapshotEnd"]);
  program.output("after");
  assert.equal(window.text(), "before after");
  assert.equal(window.offset(), 12);
  assert.deepEqual(window.size(), size);
});

Deno.test("output that comes while a snapshot is made follows it", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  program.output("one ");
  const window = createWindow();
  attach(parts.terminals, sessionId, window);
  state.holdSnapshots(true);
  await settle();
  program.output("two ");
  assert.equal(window.text(), "");
  state.holdSnapshots(false);
  await settle();
  program.output("three");
  assert.equal(window.text(), "one two three");
});

Deno.test("a window that goes or hides while its snapshot is made gets nothing of it", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  program.output("text");
  const [gone, hidden] = [createWindow(1), createWindow(2)];
  const goneAttachment = attach(parts.terminals, sessionId, gone);
  const hiddenAttachment = attach(parts.terminals, sessionId, hidden);
  state.holdSnapshots(true);
  await settle();
  goneAttachment[Symbol.dispose]();
  hiddenAttachment.setVisible(false);
  state.holdSnapshots(false);
  await settle();
  assert.deepEqual([gone.frames, hidden.frames], [[], []]);
});

Deno.test("a window that comes back goes on where it was, without a snapshot", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const first = createWindow(1);
  const attachment = attach(parts.terminals, sessionId, first);
  await settle();
  program.output("seen ");
  attachment[Symbol.dispose]();
  program.output("missed ");
  const second = createWindow(2, { continues: first });
  attach(parts.terminals, sessionId, second);
  await settle();
  program.output("new");
  assert.equal(second.text(), "seen missed new");
  assert.deepEqual(second.frames, ["output", "output"]);
  assert.deepEqual(state.snapshots, [0]);
});

Deno.test("a window that comes back too late, or from nowhere, gets a snapshot", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const first = createWindow(1);
  attach(parts.terminals, sessionId, first)[Symbol.dispose]();
  program.output("all of it");
  state.forgetBefore = 5;
  for (const offset of [3, 1_000_000]) {
    const window = createWindow();
    const attached = parts.terminals.attach(sessionId, { ...window.viewer, from: { offset, size } });
    assert.ok(attached.ok);
    await settle();
    assert.equal(window.text(), "all of it");
  }
});

Deno.test("a session whose only window is slow is throttled, and the window gets all of it in the end", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const window = createWindow();
  const attachment = attach(parts.terminals, sessionId, window);
  await settle();
  let sent = 0;
  while (!program.paused()) {
    program.output(block(65_536));
    sent += 65_536;
  }
  assert.ok(window.unacknowledged() <= HIGH_WATER_BYTES + 65_536);
  window.takeAcknowledgement();
  attachment.acknowledge(sent - LOW_WATER_BYTES);
  assert.equal(program.paused(), true, "not below the low mark yet");
  attachment.acknowledge(1);
  assert.equal(program.paused(), false);
  attachment.acknowledge(LOW_WATER_BYTES);
  program.output("end");
  assert.equal(window.text(), new TextDecoder().decode(bytesOf(state.log)));
});

Deno.test("a stopped window neither slows another one nor costs more than its credit", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const stopped = createWindow(1);
  const quick = createWindow(2);
  const stoppedAttachment = attach(parts.terminals, sessionId, stopped);
  const quickAttachment = attach(parts.terminals, sessionId, quick);
  await settle();
  for (let n = 0; n < 400; n++) {
    program.output(block(65_536, String(n % 10)));
    quickAttachment.acknowledge(quick.takeAcknowledgement());
    assert.equal(program.paused(), false);
  }
  assert.ok(stopped.unacknowledged() <= HIGH_WATER_BYTES + 65_536);
  assert.equal(quick.offset(), 400 * 65_536);
  // It comes back: too far behind for the log, so it gets a snapshot and is whole again.
  stoppedAttachment.acknowledge(stopped.takeAcknowledgement());
  await settle();
  assert.equal(stopped.offset(), 400 * 65_536);
  assert.equal(stopped.text(), quick.text());
});

Deno.test("a window that is a little behind catches up from the log", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const slow = createWindow(1);
  const quick = createWindow(2);
  const slowAttachment = attach(parts.terminals, sessionId, slow);
  const quickAttachment = attach(parts.terminals, sessionId, quick);
  await settle();
  for (let n = 0; n < 16; n++) {
    program.output(block(65_536, String(n % 10)));
    quickAttachment.acknowledge(quick.takeAcknowledgement());
  }
  assert.notEqual(slow.offset(), quick.offset());
  while (slow.unacknowledged() > 0) slowAttachment.acknowledge(slow.takeAcknowledgement());
  assert.equal(slow.text(), quick.text());
  assert.deepEqual(state.snapshots, [0, 0]);
});

Deno.test("a session that nobody looks at runs freely; so does one whose windows are hidden", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  program.output(block(2_000_000));
  const window = createWindow(1);
  const attachment = attach(parts.terminals, sessionId, window);
  await settle();
  assert.equal(program.paused(), true, "the snapshot counts");
  attachment.setVisible(false);
  assert.equal(program.paused(), false);
  const drawn = window.text().length;
  program.output(block(2_000_000));
  assert.equal(window.text().length, drawn, "a hidden window gets no stream");
  attachment.acknowledge(window.takeAcknowledgement());
  attachment.setVisible(true);
  await settle();
  assert.equal(window.text().length, 4_000_000);
});

Deno.test("a window that goes while it holds the session back lets it go on", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const attachment = attach(parts.terminals, sessionId, createWindow());
  await settle();
  while (!program.paused()) program.output(block(65_536));
  attachment[Symbol.dispose]();
  assert.equal(program.paused(), false);
});

Deno.test("a state that lags behind pauses the terminal until it is digested", async () => {
  const parts = setup();
  const { program, state } = await openPlayed(parts);
  state.holdSnapshots(true);
  state.backlog = 9 * 1024 * 1024;
  program.output("x");
  assert.equal(program.paused(), true);
  state.holdSnapshots(false);
  await settle();
  assert.equal(program.paused(), false);
});

Deno.test("history comes as one snapshot with the scrollback, and live output goes on around it", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  program.output("old ");
  const window = createWindow();
  const attachment = attach(parts.terminals, sessionId, window);
  await settle();
  state.holdSnapshots(true);
  attachment.requestHistory();
  program.output("live ");
  assert.equal(window.text(), "old live ");
  state.holdSnapshots(false);
  await settle();
  program.output("later");
  assert.equal(window.text(), "old live later");
  assert.equal(window.offset(), 14);
  assert.deepEqual(state.snapshots, [0, Infinity]);
});

Deno.test("history asked for by a window that is behind comes when it can take it", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const window = createWindow();
  const attachment = attach(parts.terminals, sessionId, window);
  await settle();
  while (!program.paused()) program.output(block(65_536));
  attachment.requestHistory();
  assert.deepEqual(state.snapshots, [0]);
  attachment.acknowledge(window.takeAcknowledgement());
  await settle();
  assert.deepEqual(state.snapshots, [0, Infinity]);
  assert.equal(window.text(), new TextDecoder().decode(bytesOf(state.log)));
});

Deno.test("the exit comes after the last byte, to a window that is behind as well", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const slow = createWindow(1);
  const quick = createWindow(2);
  const slowAttachment = attach(parts.terminals, sessionId, slow);
  const quickAttachment = attach(parts.terminals, sessionId, quick);
  await settle();
  for (let n = 0; n < 10; n++) {
    program.output(block(65_536));
    quickAttachment.acknowledge(quick.takeAcknowledgement());
  }
  program.exit({ kind: "exited", code: 3 });
  assert.deepEqual(quick.exit(), { kind: "exited", code: 3 });
  assert.equal(slow.exit(), undefined);
  slowAttachment.acknowledge(slow.takeAcknowledgement());
  assert.deepEqual(slow.exit(), { kind: "exited", code: 3 });
  assert.equal(slow.text(), quick.text());
});

Deno.test("the size is that of the window focused last; a preview changes nothing", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const sizes = [{ cols: 100, rows: 30 }, { cols: 20, rows: 5 }, { cols: 60, rows: 20 }] as const;
  const [main, preview, second] = [createWindow(1), createWindow(2), createWindow(3)];
  const mainAttachment = attach(parts.terminals, sessionId, main);
  mainAttachment.setSize(sizes[0]);
  assert.deepEqual(program.size(), sizes[0]);
  const previewAttachment = attach(parts.terminals, sessionId, preview);
  previewAttachment.setSize(sizes[1]);
  assert.deepEqual(program.size(), sizes[0]);
  const secondAttachment = attach(parts.terminals, sessionId, second);
  secondAttachment.setSize(sizes[2]);
  secondAttachment.setFocused(true);
  assert.deepEqual(program.size(), sizes[2]);
  await settle();
  for (const window of [main, preview, second]) assert.deepEqual(window.size(), sizes[2]);
  secondAttachment.setVisible(false);
  assert.deepEqual(program.size(), sizes[0]);
  assert.deepEqual(main.size(), sizes[0]);
});

Deno.test("any order of output, acknowledgements, hiding, returns and sizes: every window draws the same bytes", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const parts = setup();
    const { sessionId, program, state } = await openPlayed(parts);
    let windows = [1, 2, 3].map((channel) => {
      const window = createWindow(channel);
      return { window, attachment: attach(parts.terminals, sessionId, window) };
    });
    let channel = 3;
    for (let step = 0; step < 120; step++) {
      const at = random.int(windows.length);
      const { window, attachment } = windows[at] ?? assert.fail();
      switch (random.int(9)) {
        case 0:
        case 1:
        case 2:
          if (!program.paused()) program.output(block(1 + random.int(200_000), String(step % 10)));
          break;
        case 3:
          attachment.acknowledge(window.takeAcknowledgement());
          break;
        case 4:
          attachment.setVisible(random.int(2) === 0);
          break;
        case 5: {
          attachment[Symbol.dispose]();
          const back = createWindow(++channel, random.int(3) === 0 ? {} : { continues: window });
          windows[at] = { window: back, attachment: attach(parts.terminals, sessionId, back) };
          break;
        }
        case 6:
          attachment.setSize({ cols: 20 + random.int(100), rows: 5 + random.int(40) });
          if (random.int(2) === 0) attachment.setFocused(true);
          break;
        case 7:
          attachment.requestHistory();
          break;
        case 8:
          state.holdSnapshots(random.int(2) === 0);
          if (random.int(3) === 0) state.forgetBefore = state.offset();
          await settle();
          break;
      }
    }
    state.holdSnapshots(false);
    for (const { attachment } of windows) attachment.setVisible(true);
    for (let turn = 0; turn < 40; turn++) {
      for (const { window, attachment } of windows) attachment.acknowledge(window.takeAcknowledgement());
      await settle();
    }
    assert.equal(program.paused(), false, `seed ${seed}`);
    program.output("end");
    const all = new TextDecoder().decode(bytesOf(state.log));
    for (const { window } of windows) {
      assert.equal(window.text().length, all.length, `seed ${seed}`);
      assert.ok(window.text() === all, `seed ${seed}`);
      assert.deepEqual(window.size(), program.size(), `seed ${seed}`);
    }
    windows = [];
    assert.deepEqual(parts.defects, []);
  }
});
