/** One program's life on a made-up terminal: when its end is reported, and what close does when. */
import assert from "node:assert/strict";
import { createProcess } from "../../adapters/pty/unix/process.ts";
import type { Line } from "../../adapters/pty/unix/reactor.ts";
import type { PtyExit } from "../../core/ports/pty.ts";
import { bounded } from "../contracts/pty.ts";

const PID = 77;
const EXIT: PtyExit = { kind: "exited", code: 5 };

function setup() {
  const log: string[] = [];
  const living = new Set([PID]);
  /** What a drain finds. */
  let waiting = "";
  let paused = false;
  let line: Line | undefined;
  let ended: ((exit: PtyExit) => void) | undefined;
  const said = Promise.withResolvers<PtyExit>();
  const rearmed = { count: 0, changed: Promise.withResolvers<void>() };

  const emit = (text: string) => line?.onData(new TextEncoder().encode(text));
  const { process, gone } = createProcess({
    descriptors: {
      close: (fd) => log.push(`close ${fd}`),
      setWindowSize: (fd, { cols, rows }) => log.push(`size ${fd} ${cols}x${rows}`),
      foregroundGroup: () => undefined,
    },
    reactor: {
      open(opened) {
        line = opened;
        return {
          write: () => true,
          queuedInputBytes: () => 0,
          dropInput() {},
          setPaused: (value) => paused = value,
          isPaused: () => paused,
          rearm() {
            rearmed.count++;
            rearmed.changed.resolve();
            rearmed.changed = Promise.withResolvers();
          },
          drain(limitBytes) {
            const taken = waiting.slice(0, limitBytes);
            waiting = waiting.slice(taken.length);
            if (taken !== "") emit(taken);
          },
          close: () => log.push("line closed"),
        };
      },
    },
    exits: { watch: (_pid, onEnded) => ended = onEnded },
    sessions: {
      members: () => [...living],
      hangUp: (session) => log.push(`hang up ${session}`),
      killGroups: (session, groups) => log.push(`kill ${groups.join("+")} of ${session}`),
      foregroundGroup: () => 99,
    },
  }, {
    terminal: { master: 3, slave: 4, name: "/dev/pts/9" },
    pid: PID,
    size: { cols: 80, rows: 24 },
    inputLimitBytes: 1_000,
    onData(bytes) {
      log.push(bytes.length > 20 ? `${bytes.length} bytes` : new TextDecoder().decode(bytes));
      if (log.includes("pausing")) process.pause();
    },
    onExit(exit) {
      log.push("exit");
      said.resolve(exit);
    },
  });
  return {
    log,
    living,
    process,
    gone,
    rearmed,
    emit,
    exit: () => bounded(said.promise, () => log.join()),
    keepWaiting: (text: string) => waiting = text,
    hangUp: () => line?.onHangUp(),
    end() {
      living.delete(PID);
      ended?.(EXIT);
    },
  };
}

Deno.test("process: the end is reported when the terminal hangs up, after everything it printed", async () => {
  const { log, end, emit, hangUp, exit, gone } = setup();
  end();
  emit("last");
  hangUp();
  assert.deepEqual(await exit(), EXIT);
  await gone;
  assert.deepEqual(log, ["close 4", "last", "line closed", "close 3", "exit"]);
});

Deno.test("process: ... or after a while when something holds the terminal, with what waits by then", async () => {
  const { log, end, keepWaiting, exit } = setup();
  keepWaiting("waiting");
  end();
  assert.deepEqual(await exit(), EXIT);
  assert.deepEqual(log, ["close 4", "waiting", "line closed", "close 3", "exit"]);
});

Deno.test("process: a flood that goes on does not hold up the end of who pauses at every piece", async () => {
  const { log, end, keepWaiting, process, exit } = setup();
  keepWaiting("x".repeat(10 * 1024 * 1024));
  log.push("pausing");
  end();
  const resuming = setInterval(() => process.resume(), 1);
  await exit();
  clearInterval(resuming);
  assert.deepEqual(log, ["pausing", "close 4", "1048576 bytes", "line closed", "close 3", "exit"]);
});

Deno.test("process: who pauses at the last of the output hears of the end when it resumes", async () => {
  const { log, end, emit, hangUp, process, exit } = setup();
  log.push("pausing");
  end();
  emit("last");
  hangUp();
  const before = [...log];
  process.resume();
  await exit();
  assert.deepEqual(before, ["pausing", "close 4", "last"]);
  assert.deepEqual(log, [...before, "line closed", "close 3", "exit"]);
});

Deno.test("process: once closed and ended, it cannot be paused any more", async () => {
  const { log, end, emit, hangUp, process } = setup();
  log.push("pausing");
  const closing = process.close(60_000);
  end();
  emit("last");
  hangUp();
  await bounded(closing, () => log.join());
});

Deno.test("process: a hang-up before the end is not the end", async () => {
  const { log, hangUp, rearmed, end, emit, exit } = setup();
  hangUp();
  await bounded(rearmed.changed.promise, () => "rearm");
  emit("back");
  hangUp();
  end();
  hangUp();
  await exit();
  assert.deepEqual(log, ["back", "close 4", "line closed", "close 3", "exit"]);
});

Deno.test("process: of several sizes the last is set, and none that is already so", async () => {
  const { log, process, end, hangUp } = setup();
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 2));
  for (const cols of [90, 100]) process.resize({ cols, rows: 30 });
  await turn();
  process.resize({ cols: 100, rows: 30 });
  await turn();
  process.resize({ cols: 5, rows: 5 });
  process.resize({ cols: 100, rows: 30 });
  await turn();
  assert.deepEqual(log, ["size 3 100x30"]);
  end();
  hangUp();
});

Deno.test("process: close hangs up once, and kills what is left after the shortest grace", async () => {
  const { log, process, living, end, hangUp, gone } = setup();
  living.add(78);
  const closing = process.close(60_000);
  process.close(20);
  process.close(60_000);
  end();
  hangUp();
  assert.deepEqual(await closing, EXIT);
  await bounded(gone, () => log.join());
  assert.deepEqual(log, [
    "hang up 77",
    "close 4",
    "line closed",
    "close 3",
    "exit",
    "kill 77+99 of 77",
  ]);
});

Deno.test("process: close waits for the others of the session no longer than they live", async () => {
  const { log, process, living, end, hangUp, gone } = setup();
  living.add(78);
  process.close(60_000);
  end();
  hangUp();
  living.delete(78);
  await bounded(gone, () => log.join());
  assert.equal(log.some((entry) => entry.startsWith("kill")), false);
});

Deno.test("process: close after the end signals nobody", async () => {
  const { log, process, living, end, hangUp, gone } = setup();
  end();
  hangUp();
  await gone;
  living.add(PID);
  assert.deepEqual(await process.close(0), EXIT);
  assert.deepEqual(log, ["close 4", "line closed", "close 3", "exit"]);
});
