/**
 * What only a real Linux kernel can show: sessions, signals, descriptors, processes left behind, and bytes in bulk.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createPty } from "../../adapters/pty/mod.ts";
import { unixPlatform } from "../../adapters/pty/unix/platform.ts";
import { createUnixPty } from "../../adapters/pty/unix/pty.ts";
import type { Pty } from "../../core/ports/pty.ts";
import { bounded, type Run, start, type StartOptions } from "../contracts/pty.ts";
import { createRandom } from "../helpers/random.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { sh, unixHarness } from "./pty_harness.ts";

const isLinux = Deno.build.os === "linux";

function test(what: string, body: (pty: Pty) => Promise<void>): void {
  Deno.test({
    name: `pty on linux: ${what}`,
    ignore: !isLinux,
    async fn() {
      await using pty = createPty();
      await body(pty);
    },
  });
}

function run(pty: Pty, script: string, options: Omit<StartOptions, "argv"> = {}): Run {
  return start(pty, unixHarness, { ...options, argv: sh(script) });
}

const descriptors = () => [...Deno.readDirSync("/proc/self/fd")].length;

/** "R", "S", "Z", ... or undefined when there is no such process. */
function processState(pid: number): string | undefined {
  return statFields(String(pid))?.[0];
}

/** State, parent, group, session, ... of /proc/<pid>/stat. */
function statFields(pid: string): string[] | undefined {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ");
  } catch {
    return undefined;
  }
}

const hasEnded = (pid: number) => [undefined, "Z"].includes(processState(pid));

function zombiesOfOurs(): number {
  return [...Deno.readDirSync("/proc")]
    .map(({ name }) => /^\d+$/.test(name) ? statFields(name) : undefined)
    .filter((fields) => fields?.[0] === "Z" && Number(fields[1]) === Deno.pid).length;
}

test("the program leads a session of which the terminal is the controlling one", async (pty) => {
  const ended = run(pty, "ps -o pid=,sid=,tpgid=,tty= -p $$; tty; : < /dev/tty && echo opened");
  await ended.exit;
  const [ids = "", terminal, opened] = ended.text().split("\r\n");
  const [pid, session, foreground, name] = ids.trim().split(/ +/);
  assert.deepEqual([session, foreground], [pid, pid]);
  assert.equal(terminal, `/dev/${name}`);
  assert.equal(opened, "opened");
});

test("the program starts where and with what it was told, and nothing else", async (pty) => {
  const spawned = Promise.withResolvers<string>();
  let output = "";
  const result = pty.spawn({
    argv: ["env"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", GREETING: "h é" },
    size: { cols: 80, rows: 24 },
    onData: (bytes) => output += new TextDecoder().decode(bytes),
    onExit: () => spawned.resolve(output),
  });
  assert.ok(result.ok);
  assert.deepEqual((await spawned.promise).trim().split("\r\n").sort(), ["GREETING=h é", "PATH=/usr/bin:/bin"]);
  const folder = run(pty, "pwd");
  await folder.exit;
  assert.equal(folder.text(), `${unixHarness.folder}\r\n`);
});

test("no signal is ignored or blocked, and erase takes whole characters", async (pty) => {
  const ended = run(pty, "grep -E 'SigIgn|SigBlk' /proc/self/status; stty -a | grep -o -- '-\\?iutf8'");
  await ended.exit;
  assert.deepEqual(ended.text().trim().split("\r\n"), [
    "SigBlk:\t0000000000000000",
    "SigIgn:\t0000000000000000",
    "iutf8",
  ]);
});

test("the program gets no descriptor but its terminal", async (pty) => {
  using _open = await Deno.open("/dev/null");
  using _listening = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const other = run(pty, "sleep 60");
  const ended = run(pty, "tty; for f in /proc/$$/fd/*; do readlink $f; done");
  await ended.exit;
  const [terminal, ...open] = ended.text().trim().split("\r\n");
  // A shell may hold a copy of its terminal under a number of its own.
  assert.deepEqual([...new Set(open)], [terminal]);
  await other.process.close(0);
});

test("says why a file cannot be run", async (pty) => {
  const folder = await Deno.makeTempDir();
  const spawn = async (name: string, text: string, mode: number) => {
    const path = `${folder}/${name}`;
    await Deno.writeTextFile(path, text);
    await Deno.chmod(path, mode);
    const { env } = unixHarness;
    const common = { cwd: folder, env, size: { cols: 80, rows: 24 }, onData() {}, onExit() {} };
    const result = pty.spawn({ ...common, argv: [`./${name}`] });
    return result.ok ? "started" : result.error.kind;
  };
  assert.equal(await spawn("plain", "#!/bin/sh\n", 0o644), "programNotExecutable");
  assert.equal(await spawn("noise", "\x01\x02", 0o755), "programNotExecutable");
  assert.equal(await spawn("lost", "#!/no/such/interpreter\n", 0o755), "programNotFound");
  assert.equal(await spawn("script", "#!/bin/sh\nexit 0\n", 0o755), "started");
  await Deno.remove(folder, { recursive: true });
});

test("final output is never lost, a hundred times", async (pty) => {
  const whole = Array.from({ length: 2_000 }, (_, index) => `${index + 1}\r\n`).join("");
  for (let count = 0; count < 100; count++) {
    const ended = start(pty, unixHarness, { argv: ["seq", "1", "2000"] });
    await ended.exit;
    assert.equal(ended.text(), whole);
  }
});

test("the exit is reported though a background child holds the terminal", async (pty) => {
  const ended = run(pty, "trap '' HUP; sleep 30 & echo $!; exit 5");
  assert.deepEqual(await ended.exit, { kind: "exited", code: 5 });
  const child = Number(ended.text());
  assert.equal(hasEnded(child), false);
  Deno.kill(child, "SIGKILL");
});

test("... and though it floods", async (pty) => {
  const ended = run(pty, "trap '' HUP; yes & exit 5");
  assert.deepEqual(await ended.exit, { kind: "exited", code: 5 });
});

test("close reaches background jobs in groups of their own", async (pty) => {
  const shell = start(pty, unixHarness, { argv: ["bash", "-c", "set -m; sleep 100 & echo job=$!; wait"] });
  await shell.until((text) => /job=\d+\r\n/.test(text));
  const job = Number(/job=(\d+)\r\n/.exec(shell.text())?.[1]);
  assert.notEqual(statFields(String(job))?.[2], statFields(String(shell.process.pid))?.[2]);
  await shell.process.close(5_000);
  await waitFor("the job's end", () => hasEnded(job));
});

test("what ignores SIGHUP in the program's group gets the same end after the grace, also when the program is gone", async (pty) => {
  const ended = run(pty, "(trap '' HUP; echo job=$(sh -c 'echo $PPID'); while :; do sleep 1; done) & wait");
  await ended.until((text) => /job=\d+\r\n/.test(text));
  const job = Number(/job=(\d+)\r\n/.exec(ended.text())?.[1]);
  assert.deepEqual(await ended.process.close(300), { kind: "signalled", signal: 1 });
  assert.equal(hasEnded(job), false);
  await waitFor("the job's end", () => hasEnded(job));
});

test("a stopped program is closed too", async (pty) => {
  const stopped = run(pty, "trap 'exit 6' HUP; echo on; kill -STOP $$; sleep 60");
  await stopped.until((text) => text === "on\r\n");
  await waitFor("the stop", () => processState(stopped.process.pid) === "T");
  assert.deepEqual(await stopped.process.close(10_000), { kind: "exited", code: 6 });
});

test("a program may close its terminal and open it again", async (pty) => {
  const ended = run(pty, "exec 0<&- 1>&- 2>&-; sleep 0.3; echo back > /dev/tty");
  assert.deepEqual(await ended.exit, { kind: "exited", code: 0 });
  assert.equal(ended.text(), "back\r\n");
});

test("8 MiB into a slow reader arrive whole, and the event loop goes on meanwhile", async (pty) => {
  const bytes = new Uint8Array(8 * 1024 * 1024).map((_, index) => (index * 2_654_435_761) >>> 24);
  const slow = run(pty, `stty raw -echo; printf ready; sleep 1; head -c ${bytes.length} | sha256sum`);
  await slow.until((text) => text === "ready");
  let last = performance.now();
  let worstGapMs = 0;
  const watch = setInterval(() => {
    worstGapMs = Math.max(worstGapMs, performance.now() - last);
    last = performance.now();
  }, 5);
  assert.ok(slow.process.write(bytes).ok);
  assert.ok(slow.process.queuedInputBytes() > 4 * 1024 * 1024);
  await slow.exit;
  clearInterval(watch);
  assert.ok(slow.text().includes(createHash("sha256").update(bytes).digest("hex")));
  assert.ok(worstGapMs < 700, `the event loop stood still for ${worstGapMs} ms`);
});

test("50 MB out and 10 MB in are the same bytes, under resizing, pauses and in pieces", async (pty) => {
  const folder = await Deno.makeTempDir();
  const random = createRandom(2);
  const word = new Uint32Array(12_500_000).map(() => random.int(2 ** 32));
  const bytes = new Uint8Array(word.buffer);
  await Deno.writeFile(`${folder}/out`, bytes);
  const input = bytes.subarray(7, 10_000_007);
  const received = createHash("sha256");
  // Not counted: "ready", which comes alone, before any input is sent.
  let length = -5;
  const ended = Promise.withResolvers<void>();
  const spawned = pty.spawn({
    argv: sh("stty raw -echo; printf ready; (head -c 10000000 < /dev/tty | sha256sum > in) & sleep 0.1; cat out; wait"),
    cwd: folder,
    env: unixHarness.env,
    size: { cols: 80, rows: 24 },
    onData(data) {
      if (length >= 0) received.update(data);
      length += data.length;
      if (random.int(200) === 0) spawned.ok && spawned.value.pause();
    },
    onExit: () => ended.resolve(),
  });
  assert.ok(spawned.ok);
  const { value: process } = spawned;
  let sent = 0;
  const disturb = setInterval(() => {
    process.resize({ cols: 1 + random.int(1_000), rows: 1 + random.int(1_000) });
    process.resume();
    while (length >= 0 && sent < input.length) {
      const piece = input.subarray(sent, sent + 1 + random.int(300_000));
      if (process.queuedInputBytes() > 1_000_000 || !process.write(piece).ok) break;
      sent += piece.length;
    }
  }, 1);
  await bounded(ended.promise, () => `the end after ${length} bytes`);
  clearInterval(disturb);
  assert.equal(length, bytes.length);
  assert.equal(received.digest("hex"), createHash("sha256").update(bytes).digest("hex"));
  const inHash = (await Deno.readTextFile(`${folder}/in`)).split(" ")[0];
  assert.equal(inHash, createHash("sha256").update(input).digest("hex"));
  await Deno.remove(folder, { recursive: true });
});

test("500 launches beside other programs leave no descriptor, no zombie and no output behind", async (pty) => {
  await run(pty, "true").exit;
  const before = descriptors();
  for (let round = 0; round < 25; round++) {
    const terminals = Array.from({ length: 20 }, (_, index) => run(pty, `echo ${index}; exit ${index}`));
    const command = new Deno.Command("sh", { args: ["-c", `echo out; exit ${round}`] }).output();
    const exits = await Promise.all(terminals.map(({ exit }) => exit));
    assert.deepEqual(exits, terminals.map((_, code) => ({ kind: "exited", code })));
    assert.deepEqual(terminals.map((terminal) => terminal.text()), terminals.map((_, index) => `${index}\r\n`));
    const { code, stdout } = await command;
    assert.deepEqual([code, new TextDecoder().decode(stdout)], [round, "out\n"]);
  }
  await waitFor("the descriptors to be as many as before", () => descriptors() === before);
  assert.equal(zombiesOfOurs(), 0);
});

Deno.test({
  name: "pty on linux: a terminal that ended while paused costs nothing, and gives its output when resumed",
  ignore: !isLinux,
  async fn() {
    const platform = unixPlatform("linux", Deno.build.arch);
    assert.ok(platform !== undefined);
    await using pty = createUnixPty(platform);
    const ended = run(pty, "echo first; read _; echo last; exit 3", { onData: (run) => run.process.pause() });
    await ended.until((text) => text.includes("first"));
    ended.process.write("\n");
    await waitFor("the program's end", () => processState(ended.process.pid) === undefined);
    const { turns } = pty.stats();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(pty.stats().turns - turns < 5, "the reactor spins");
    assert.deepEqual(ended.exits(), []);
    const resuming = setInterval(() => ended.process.resume(), 1);
    assert.deepEqual(await ended.exit, { kind: "exited", code: 3 });
    clearInterval(resuming);
    assert.ok(ended.text().endsWith("last\r\n"));
  },
});

Deno.test({
  name: "pty on linux: terminals that have ended keep no process alive, disposed or not; nothing is loaded at import",
  ignore: !isLinux,
  async fn() {
    const module = new URL("../../adapters/pty/mod.ts", import.meta.url);
    const spawn = (then: string) => `
      import { createPty } from ${JSON.stringify(module.href)};
      const pty = createPty();
      pty.spawn({
        argv: ["sh", "-c", "echo hello; exit 3"], cwd: "/", env: { PATH: "/usr/bin:/bin" },
        size: { cols: 80, rows: 24 }, onData() {}, onExit: async (exit) => { console.log(exit.code); ${then} },
      });`;
    const output = async (code: string, ...flags: string[]) => {
      const command = new Deno.Command(Deno.execPath(), { args: ["eval", ...flags, code], stderr: "inherit" });
      return new TextDecoder().decode((await bounded(command.output(), () => "the process goes on")).stdout);
    };
    assert.equal(await output(spawn("")), "3\n");
    assert.equal(await output(spawn("await pty[Symbol.asyncDispose]();")), "3\n");
  },
});
