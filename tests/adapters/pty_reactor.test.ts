/** The reactor on made-up terminals: order, pauses, hang-ups and full pipes, in thousands of interleavings. */
import assert from "node:assert/strict";
import { createReactor, type OpenLine } from "../../adapters/pty/unix/reactor.ts";
import { type Interest, type Poller, WAKE_KEY } from "../../adapters/pty/unix/poller.ts";
import type { Descriptors } from "../../adapters/pty/unix/descriptors.ts";
import { createRandom, type Random } from "../helpers/random.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface MadeTerminal {
  /** How many bytes it printed, each one's value following from its place, and how many of them were read. */
  printed: number;
  read: number;
  hasHungUp: boolean;
  room: number;
  readonly taken: number[];
}

const byteAt = (place: number) => (place * 7 + (place >> 8)) & 0xff;

/** A kernel with level-triggered readiness, whose reads and writes are as partial as the random says. */
function createKernel(random: Random) {
  const terminals = new Map<number, MadeTerminal>();
  const interests = new Map<number, Interest & { readonly key: number }>();
  let ready: { key: number; readable: boolean; writable: boolean }[] = [];
  let parked: ((count: number) => void) | undefined;
  let isWoken = false;

  const terminal = (fd: number) => {
    const found = terminals.get(fd);
    assert.ok(found !== undefined, `descriptor ${fd} is not open`);
    return found;
  };

  function look(): number {
    ready = [...interests].flatMap(([fd, { key, read, write }]) => {
      const { printed, read: count, hasHungUp, room } = terminal(fd);
      const readable = read && (printed > count || hasHungUp);
      const writable = write && room > 0;
      return readable || writable ? [{ key, readable, writable }] : [];
    });
    if (isWoken) ready.push({ key: WAKE_KEY, readable: true, writable: false });
    isWoken = false;
    return ready.length;
  }

  /** After each change: what is parked goes on when there is something. */
  function changed(): void {
    if (parked === undefined) return;
    const count = look();
    if (count === 0) return;
    const goOn = parked;
    parked = undefined;
    goOn(count);
  }

  const descriptors: Descriptors = {
    read(fd, into: Bytes) {
      const from = terminal(fd);
      const left = from.printed - from.read;
      if (left === 0) return from.hasHungUp ? "ended" : "none";
      const count = Math.min(left, into.length, 1 + random.int(4_096));
      for (let index = 0; index < count; index++) into[index] = byteAt(from.read + index);
      from.read += count;
      return count;
    },
    write(fd, bytes) {
      const to = terminal(fd);
      if (to.hasHungUp) return "broken";
      if (to.room === 0) return "full";
      const count = Math.min(to.room, bytes.length, 1 + random.int(500));
      to.taken.push(...bytes.subarray(0, count));
      to.room -= count;
      return count;
    },
    awaitReadable: (fd) => terminal(fd).printed > terminal(fd).read || terminal(fd).hasHungUp,
    close: (fd) => void terminals.delete(fd),
    setWindowSize() {},
    foregroundGroup: () => undefined,
  };
  const poller: Poller = {
    setInterest(fd, key, interest) {
      if (interest.read || interest.write) interests.set(fd, { ...interest, key });
      else interests.delete(fd);
      changed();
    },
    park() {
      return new Promise((resolve) => {
        parked = resolve;
        changed();
      });
    },
    poll: look,
    key: (index) => ready[index]?.key ?? -1,
    isReadable: (index) => ready[index]?.readable ?? false,
    isWritable: (index) => ready[index]?.writable ?? false,
    wake() {
      isWoken = true;
      changed();
    },
    close: () => assert.equal(interests.size, 0),
  };
  return {
    descriptors,
    poller,
    changed,
    open(fd: number) {
      terminals.set(fd, { printed: 0, read: 0, hasHungUp: false, room: 1_000, taken: [] });
      return terminal(fd);
    },
  };
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("reactor: whatever the interleaving, every byte once and in order, nothing while paused, the hang-up last", async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed);
    const kernel = createKernel(random);
    const reactor = createReactor(kernel.descriptors, kernel.poller);
    let depth = 0;
    let mayWrite = true;
    const lines = Array.from({ length: 1 + random.int(4) }, (_, index) => {
      const fd = 10 + index;
      const made = kernel.open(fd);
      let seen = 0;
      const sent: number[] = [];
      let hangUps = 0;
      let paused = false;
      const line: OpenLine = reactor.open({
        fd,
        inputLimitBytes: 3_000,
        onData(bytes) {
          assert.equal(++depth, 1, "onData within onData");
          assert.equal(paused, false, "onData while paused");
          assert.equal(hangUps, 0, "onData after the hang-up");
          assert.ok(bytes.every((byte, index) => byte === byteAt(seen + index)), `seed ${seed}: wrong byte`);
          seen += bytes.length;
          if (random.int(3) === 0) random.pick(lines).setPaused(true);
          if (random.int(5) === 0) write(1 + random.int(10));
          depth--;
        },
        onHangUp: () => hangUps++,
      });
      function write(length: number): void {
        const bytes = Uint8Array.from({ length }, () => random.int(256));
        if (mayWrite && line.write(bytes)) sent.push(...bytes);
      }
      return {
        made,
        seen: () => seen,
        sent,
        line,
        write,
        hangUps: () => hangUps,
        setPaused(value: boolean) {
          paused = value;
          line.setPaused(value);
        },
      };
    });

    for (let step = 0; step < 60; step++) {
      const chosen = random.pick(lines);
      const act = random.pick([
        () => chosen.made.printed += 1 + random.int(20),
        () => chosen.made.printed += random.int(200_000),
        () => chosen.setPaused(true),
        () => chosen.setPaused(false),
        () => chosen.write(1 + random.int(20)),
        () => chosen.write(1 + random.int(2_000)),
        () => chosen.made.room = random.int(3_000),
      ]);
      act();
      kernel.changed();
      if (random.int(4) === 0) await turn();
      else await Promise.resolve();
    }
    mayWrite = false;
    for (const { made } of lines) made.room = Infinity;
    kernel.changed();
    while (lines.some(({ line }) => line.queuedInputBytes() > 0)) await turn();
    for (const { made } of lines) made.hasHungUp = true;
    while (lines.some(({ hangUps }) => hangUps() === 0)) {
      for (const chosen of lines) chosen.setPaused(false);
      kernel.changed();
      await turn();
    }
    for (const { made, seen, sent, hangUps, line } of lines) {
      assert.equal(seen(), made.printed, `seed ${seed}`);
      assert.deepEqual(made.taken, sent, `seed ${seed}: input`);
      assert.equal(hangUps(), 1);
      line.close();
    }
    await reactor[Symbol.asyncDispose]();
  }
});

Deno.test("reactor: reads again after a hang-up once it is rearmed", async () => {
  const kernel = createKernel(createRandom(1));
  await using reactor = createReactor(kernel.descriptors, kernel.poller);
  const made = kernel.open(7);
  const heard: string[] = [];
  const line = reactor.open({
    fd: 7,
    inputLimitBytes: 1_000,
    onData: (bytes) => heard.push(`${bytes.length} bytes`),
    onHangUp: () => heard.push("hung up"),
  });
  made.printed += 1;
  made.hasHungUp = true;
  kernel.changed();
  await turn();
  made.hasHungUp = false;
  made.printed += 2;
  kernel.changed();
  await turn();
  line.rearm();
  await turn();
  assert.deepEqual(heard, ["1 bytes", "hung up", "2 bytes"]);
  line.close();
});

Deno.test("reactor: a line that is closed is never called again, and its descriptor may be another's", async () => {
  const kernel = createKernel(createRandom(1));
  await using reactor = createReactor(kernel.descriptors, kernel.poller);
  const heard: string[] = [];
  const open = (name: string) =>
    reactor.open({
      fd: 7,
      inputLimitBytes: 1_000,
      onData: () => heard.push(name),
      onHangUp: () => heard.push(`${name} hung up`),
    });
  kernel.open(7).room = 0;
  const first = open("first");
  first.write(new Uint8Array(100));
  first.close();
  const made = kernel.open(7);
  const second = open("second");
  first.dropInput();
  first.setPaused(true);
  first.rearm();
  made.printed = 1;
  kernel.changed();
  await turn();
  assert.deepEqual(heard, ["second"]);
  second.close();
});

Deno.test("reactor: a drain stops where its reader pauses, and when it has read enough", async () => {
  const kernel = createKernel(createRandom(1));
  await using reactor = createReactor(kernel.descriptors, kernel.poller);
  const made = kernel.open(7);
  let received = 0;
  let pauses = true;
  const line: OpenLine = reactor.open({
    fd: 7,
    inputLimitBytes: 1_000,
    onData(bytes) {
      received += bytes.length;
      if (pauses) line.setPaused(true);
    },
    onHangUp() {},
  });
  made.printed = 500_000;
  line.drain(1_000_000);
  assert.ok(received > 0 && received < 200_000, `${received}`);
  const before = received;
  line.drain(1_000_000);
  assert.equal(received, before);
  pauses = false;
  line.setPaused(false);
  line.drain(50_000);
  assert.ok(received < before + 60_000);
  line.drain(1_000_000);
  assert.equal(received, 500_000);
  line.close();
});
