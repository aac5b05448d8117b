/**
 * What every pty must do, the fake and the real ones. A harness says how a behaviour is started on its machine; a
 * behaviour with output writes it raw, so that "\n" stays "\n".
 */
import assert from "node:assert/strict";
import {
  MAX_PTY_CELLS,
  MAX_QUEUED_INPUT_BYTES,
  type Pty,
  type PtyExit,
  type PtyProcess,
  type PtySize,
} from "../../core/ports/pty.ts";

export type Behaviour =
  | { readonly kind: "exits"; readonly code: number }
  | { readonly kind: "dies"; readonly signal: number }
  /** Prints the text, then exits with the code. */
  | { readonly kind: "prints"; readonly text: string; readonly code: number }
  /** Prints that many "x", then exits with 0. */
  | { readonly kind: "floods"; readonly bytes: number }
  /** Prints "ready", repeats that many bytes of input as they are, then exits with 0. */
  | { readonly kind: "echoes"; readonly bytes: number }
  /** Prints "<rows> <cols>\n" at the start and whenever the size has changed. */
  | { readonly kind: "reportsSize" }
  /** Prints "ready" and never ends of its own. */
  | { readonly kind: "ignoresHangUp" }
  /** Prints "ready", and on SIGHUP exits with the code. */
  | { readonly kind: "handlesHangUp"; readonly code: number }
  /** Prints "ready" and never reads. */
  | { readonly kind: "neverReads" };

export interface PtyHarness {
  create(): Pty;
  argv(behaviour: Behaviour): readonly [string, ...string[]];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** How the end of a killed program is told. */
  readonly killed: PtyExit;
}

export interface Run {
  readonly process: PtyProcess;
  readonly exit: Promise<PtyExit>;
  output(): Uint8Array;
  text(): string;
  exits(): readonly PtyExit[];
  /** Until the output satisfies, looked at whenever some came; fails after a bounded time. */
  until(satisfied: (text: string) => boolean): Promise<void>;
}

const SIZE: PtySize = { cols: 80, rows: 24 };
const BOUND_MS = 20_000;

export interface StartOptions {
  readonly argv: readonly [string, ...string[]];
  readonly size?: PtySize;
  /** Called before the bytes are kept. */
  readonly onData?: (run: Run, bytes: Uint8Array) => void;
}

/** Starts a program and keeps all it prints. */
export function start(pty: Pty, harness: Pick<PtyHarness, "folder" | "env">, options: StartOptions): Run {
  const exit = Promise.withResolvers<PtyExit>();
  const exits: PtyExit[] = [];
  const output = createGrowing();
  const waiters = new Set<() => void>();
  const lookAgain = () => {
    for (const waiter of [...waiters]) waiter();
  };
  const spawned = pty.spawn({
    argv: options.argv,
    cwd: harness.folder,
    env: harness.env,
    size: options.size ?? SIZE,
    onData(bytes) {
      options.onData?.(run, bytes);
      output.push(bytes);
      lookAgain();
    },
    onExit(how) {
      exits.push(how);
      exit.resolve(how);
      lookAgain();
    },
  });
  assert.ok(spawned.ok, JSON.stringify(spawned));
  const run: Run = {
    process: spawned.value,
    exit: bounded(exit.promise, () => `no exit; output so far ${JSON.stringify(run.text().slice(-300))}`),
    output: output.bytes,
    text: () => new TextDecoder().decode(output.bytes()),
    exits: () => exits,
    until(satisfied) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (satisfied(run.text())) resolve();
      };
      waiters.add(look);
      look();
      return bounded(promise, () => `not seen in ${JSON.stringify(run.text().slice(-300))}`)
        .finally(() => waiters.delete(look));
    },
  };
  // Not every test waits for the end.
  run.exit.catch(() => {});
  return run;
}

export async function bounded<T>(promise: Promise<T>, what: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${BOUND_MS} ms: ${what()}`)), BOUND_MS);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function createGrowing(): { push(bytes: Uint8Array): void; bytes(): Uint8Array } {
  let held = new Uint8Array(1024);
  let length = 0;
  return {
    push(bytes) {
      if (length + bytes.length > held.length) {
        const bigger = new Uint8Array(Math.max(held.length * 2, length + bytes.length));
        bigger.set(held.subarray(0, length));
        held = bigger;
      }
      held.set(bytes, length);
      length += bytes.length;
    },
    bytes: () => held.subarray(0, length),
  };
}

/** A turn of the event loop in which timers and microtasks that were due have run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

export function testPtyContract(name: string, harness: PtyHarness): void {
  const test = (what: string, body: (pty: Pty) => Promise<void> | void) =>
    Deno.test(`pty ${name}: ${what}`, async () => {
      await using pty = harness.create();
      await body(pty);
    });
  const startAs = (pty: Pty, behaviour: Behaviour, options: Omit<StartOptions, "argv"> = {}) =>
    start(pty, harness, { ...options, argv: harness.argv(behaviour) });

  test("reports the exit code once, after all output", async (pty) => {
    const text = "last words\n".repeat(500);
    let atExit = "";
    const run = startAs(pty, { kind: "prints", text, code: 7 });
    run.exit.then(() => atExit = run.text());
    assert.deepEqual(await run.exit, { kind: "exited", code: 7 });
    await turn();
    assert.equal(atExit, text);
    assert.deepEqual(run.exits(), [{ kind: "exited", code: 7 }]);
  });

  if (harness.killed.kind === "signalled") {
    test("reports the signal that ended the program", async (pty) => {
      assert.deepEqual(await startAs(pty, { kind: "dies", signal: 11 }).exit, { kind: "signalled", signal: 11 });
    });
  }

  test("calls nobody back during spawn or write", async (pty) => {
    let inCall = true;
    let calledWithin = false;
    const run = startAs(pty, { kind: "echoes", bytes: 1 }, { onData: () => calledWithin ||= inCall });
    inCall = false;
    await run.until((text) => text === "ready");
    inCall = true;
    run.process.write("k");
    inCall = false;
    await run.exit;
    assert.equal(calledWithin, false);
    assert.equal(run.text(), "readyk");
  });

  test("carries every byte both ways in order, and text as UTF-8", async (pty) => {
    const bytes = Uint8Array.from({ length: 40_000 }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
    const word = "é漢🦊";
    const tail = new TextEncoder().encode(word);
    const run = startAs(pty, { kind: "echoes", bytes: bytes.length + tail.length });
    await run.until((text) => text === "ready");
    for (let offset = 0; offset < bytes.length; offset += 997) {
      assert.deepEqual(run.process.write(bytes.subarray(offset, offset + 997)), { ok: true, value: undefined });
    }
    run.process.write(word);
    assert.deepEqual(await run.exit, { kind: "exited", code: 0 });
    assert.deepEqual(run.output().slice(5), new Uint8Array([...bytes, ...tail]));
  });

  test("keeps no array it was given", async (pty) => {
    const run = startAs(pty, { kind: "echoes", bytes: 30_000 });
    await run.until((text) => text === "ready");
    const input = new Uint8Array(30_000).fill(0x61);
    run.process.write(input);
    input.fill(0x62);
    await run.exit;
    assert.equal(run.text(), "ready" + "a".repeat(30_000));
  });

  test("may be written to from onData, which is not called again within itself", async (pty) => {
    const total = 300;
    let depth = 0;
    let deepest = 0;
    let echoed = -5;
    const run = startAs(pty, { kind: "echoes", bytes: total }, {
      onData(run, bytes) {
        depth++;
        deepest = Math.max(deepest, depth);
        echoed += bytes.length;
        if (echoed < total) run.process.write("a");
        depth--;
      },
    });
    await run.exit;
    assert.equal(deepest, 1);
    assert.equal(run.text(), "ready" + "a".repeat(total));
  });

  test("starts with the size asked for, and of several new ones tells the last", async (pty) => {
    const run = startAs(pty, { kind: "reportsSize" }, { size: { cols: 91, rows: 33 } });
    await run.until((text) => text === "33 91\n");
    for (const cols of [92, 93, 123]) assert.ok(run.process.resize({ cols, rows: 45 }).ok);
    await run.until((text) => text.endsWith("45 123\n"));
    assert.equal(run.text(), "33 91\n45 123\n");
    await run.process.close(0);
  });

  test("refuses sizes that no terminal has", async (pty) => {
    const run = startAs(pty, { kind: "ignoresHangUp" });
    for (
      const size of [{ cols: 0, rows: 1 }, { cols: 1, rows: MAX_PTY_CELLS + 1 }, { cols: 80.5, rows: 24 }, {
        cols: NaN,
        rows: 24,
      }]
    ) {
      const refusal = { ok: false, error: { kind: "invalidSize", size } };
      assert.deepEqual(run.process.resize(size), refusal);
      const { folder: cwd, env } = harness;
      const argv = harness.argv({ kind: "exits", code: 0 });
      assert.deepEqual(pty.spawn({ argv, cwd, env, size, onData() {}, onExit() {} }), refusal);
    }
    await run.process.close(0);
  });

  test("says which program or folder is not there", (pty) => {
    const common = { env: harness.env, size: SIZE, onData() {}, onExit() {} };
    assert.deepEqual(pty.spawn({ ...common, argv: ["no-such-program"], cwd: harness.folder }), {
      ok: false,
      error: { kind: "programNotFound", program: "no-such-program" },
    });
    const argv = harness.argv({ kind: "exits", code: 0 });
    assert.deepEqual(pty.spawn({ ...common, argv, cwd: "no/such/folder" }), {
      ok: false,
      error: { kind: "folderNotFound", path: "no/such/folder" },
    });
    const withZero = pty.spawn({ ...common, argv: [...argv, "a\0b"], cwd: harness.folder });
    assert.equal(withZero.ok, false);
  });

  test("takes no input after the end", async (pty) => {
    const run = startAs(pty, { kind: "exits", code: 0 });
    await run.exit;
    assert.deepEqual(run.process.write("x"), { ok: false, error: { kind: "closed" } });
    assert.equal(run.process.queuedInputBytes(), 0);
  });

  test("queues what is not read up to the bound, whole writes only", async (pty) => {
    const run = startAs(pty, { kind: "neverReads" });
    await run.until((text) => text === "ready");
    const piece = new Uint8Array(MAX_QUEUED_INPUT_BYTES / 4).fill(0x61);
    // The kernel takes some itself, so five quarters need not fit and six cannot.
    let refused = false;
    for (let count = 0; count < 6 && !refused; count++) {
      const before = run.process.queuedInputBytes();
      const written = run.process.write(piece);
      if (written.ok) continue;
      refused = true;
      assert.deepEqual(written.error, {
        kind: "inputQueueFull",
        queuedBytes: before,
        limitBytes: MAX_QUEUED_INPUT_BYTES,
      });
      assert.equal(run.process.queuedInputBytes(), before);
    }
    assert.ok(refused);
    await run.process.close(0);
    assert.equal(run.process.queuedInputBytes(), 0);
  });

  test("hands nothing over while paused, not even the exit, and everything afterwards", async (pty) => {
    const bytes = 300_000;
    let calls = 0;
    const run = startAs(pty, { kind: "floods", bytes }, {
      onData(run) {
        calls++;
        run.process.pause();
      },
    });
    while (run.output().length < bytes) {
      const before = calls;
      const length = run.output().length;
      run.process.resume();
      await run.until(() => calls > before);
      // Several turns in which more would have come.
      for (let count = 0; count < 3; count++) await turn();
      assert.equal(calls, before + 1);
      assert.ok(run.output().length > length);
      assert.deepEqual(run.exits(), []);
      if (calls > 20) break;
    }
    run.process.resume();
    const resuming = setInterval(() => run.process.resume(), 1);
    assert.deepEqual(await run.exit, { kind: "exited", code: 0 });
    clearInterval(resuming);
    assert.equal(run.text(), "x".repeat(bytes));
  });

  test("close ends a program by SIGHUP, and says how it ended", async (pty) => {
    const run = startAs(pty, { kind: "handlesHangUp", code: 3 });
    await run.until((text) => text === "ready");
    const closing = run.process.close(BOUND_MS);
    assert.equal(run.process.close(BOUND_MS), closing);
    assert.deepEqual(await closing, { kind: "exited", code: 3 });
    assert.deepEqual(await run.process.close(0), { kind: "exited", code: 3 });
    assert.deepEqual(run.exits(), [{ kind: "exited", code: 3 }]);
  });

  test("close kills a program that ignores SIGHUP", async (pty) => {
    const run = startAs(pty, { kind: "ignoresHangUp" });
    await run.until((text) => text === "ready");
    assert.deepEqual(await run.process.close(30), harness.killed);
  });

  test("close reports the exit of a paused program too", async (pty) => {
    const run = startAs(pty, { kind: "floods", bytes: 5_000_000 }, { onData: (run) => run.process.pause() });
    await run.until((text) => text.length > 0);
    const exit = await bounded(run.process.close(30), () => "close of a paused program");
    assert.deepEqual(run.exits(), [exit]);
  });

  Deno.test(`pty ${name}: dispose ends everything and reports it`, async () => {
    const pty = harness.create();
    const runs = [startAs(pty, { kind: "ignoresHangUp" }), startAs(pty, { kind: "handlesHangUp", code: 4 })];
    for (const run of runs) await run.until((text) => text === "ready");
    await pty[Symbol.asyncDispose]();
    assert.deepEqual(runs.map((run) => run.exits()), [[harness.killed], [{ kind: "exited", code: 4 }]]);
  });
}
