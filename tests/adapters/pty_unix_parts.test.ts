/** The parts of the Unix terminals that need no terminal: layouts, look-ups, queues, statuses. */
import assert from "node:assert/strict";
import { cString, cStrings, fromCString } from "../../adapters/pty/unix/c_strings.ts";
import { parseWaitStatus } from "../../adapters/pty/unix/exit_watch.ts";
import { createInputQueue } from "../../adapters/pty/input_queue.ts";
import { formatKevent } from "../../adapters/pty/unix/kqueue.ts";
import { type Access, findProgram, isFolder } from "../../adapters/pty/unix/lookup.ts";
import { unixPlatform } from "../../adapters/pty/unix/platform.ts";
import { createSessionSignals } from "../../adapters/pty/unix/session_signals.ts";
import { type Libc, openLibc } from "../../adapters/pty/unix/libc.ts";
import { openTerminal, startProgram } from "../../adapters/pty/unix/spawn.ts";
import { createRandom } from "../helpers/random.ts";
import { waitFor } from "../helpers/wait_for.ts";

Deno.test("c strings: an array of pointers is followed by what it points to", () => {
  const texts = ["sh", "", "é漢", "x".repeat(300)];
  const packed = cStrings(texts);
  const pointers = new BigUint64Array(packed.buffer, 0, texts.length + 1);
  const read = [...pointers.subarray(0, -1)].map((value) => {
    const pointer = Deno.UnsafePointer.create(value);
    assert.ok(pointer !== null);
    return Deno.UnsafePointerView.getCString(pointer);
  });
  assert.deepEqual(read, texts);
  assert.equal(pointers.at(-1), 0n);
  assert.deepEqual(cString("é"), new Uint8Array([0xc3, 0xa9, 0]));
  assert.equal(fromCString(new Uint8Array([97, 98, 0, 99])), "ab");
});

Deno.test("wait status: exit codes and signals, with and without a core dump", () => {
  assert.deepEqual(parseWaitStatus(0x0700), { kind: "exited", code: 7 });
  assert.deepEqual(parseWaitStatus(0xff00), { kind: "exited", code: 255 });
  assert.deepEqual(parseWaitStatus(9), { kind: "signalled", signal: 9 });
  assert.deepEqual(parseWaitStatus(11 | 0x80), { kind: "signalled", signal: 11 });
});

Deno.test("kevent: the layout of XNU's struct", () => {
  const event = formatKevent({ ident: 5, filter: -1, flags: 0x21, fflags: 0x01000000, key: 7 });
  const hex = [...event].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  assert.equal(hex, "0500000000000000" + "ffff" + "2100" + "00000001" + "0000000000000000" + "0700000000000000");
});

Deno.test("platforms: two have a table, and only Apple's arm64 passes variadic arguments on the stack", () => {
  const variadic = (os: string, arch: string) => unixPlatform(os, arch)?.variadicOnStack;
  assert.deepEqual(
    [variadic("linux", "x86_64"), variadic("linux", "aarch64"), variadic("darwin", "x86_64")],
    [false, false, false],
  );
  assert.equal(variadic("darwin", "aarch64"), true);
  assert.equal(unixPlatform("windows", "x86_64"), undefined);
});

/** A file system of names: "x" can be executed, "-" cannot, "/" is a folder. */
function files(entries: Record<string, "x" | "-" | "/">): Access {
  return (path, mode) => {
    if (path.endsWith("/.")) return entries[path.slice(0, -2)] === "/";
    const entry = entries[path];
    return entry !== undefined && (mode === "exists" || entry !== "-");
  };
}

Deno.test("lookup: a name is looked up in PATH, a path is taken from the folder, wrong kinds are told apart", () => {
  const access = files({
    "/bin/sh": "x",
    "/home/me/bin/sh": "-",
    "/home/me/bin/tool": "-",
    "/home/me/bin/folder": "/",
    "/work/./here": "x",
    "/work": "/",
  });
  const find = (program: string, searchPath?: string) => {
    const found = findProgram(access, { program, folder: "/work", searchPath });
    return found.ok ? found.value : found.error.kind;
  };
  assert.equal(find("sh", "/home/me/bin:/bin"), "/bin/sh");
  assert.equal(find("sh"), "/bin/sh");
  assert.equal(find("tool", "/home/me/bin:/bin"), "programNotExecutable");
  assert.equal(find("folder", "/home/me/bin:/bin"), "programNotExecutable");
  assert.equal(find("nothing", "/home/me/bin:/bin"), "programNotFound");
  assert.equal(find("", "/bin"), "programNotFound");
  assert.equal(find("here", ":/bin"), "/work/./here");
  assert.equal(find("here", "/bin"), "programNotFound");
  assert.equal(find("./here"), "/work/./here");
  assert.equal(find("/bin/sh", ""), "/bin/sh");
  assert.equal(isFolder(access, "/work"), true);
  assert.equal(isFolder(access, "/bin/sh"), false);
});

Deno.test("input queue: whole writes up to the bound, in order, through a pipe that takes what it likes", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const accepted: number[] = [];
    const taken: number[] = [];
    let room = random.int(100);
    let blocked = false;
    const queue = createInputQueue({
      limitBytes: 300,
      take(bytes) {
        if (room === 0) return "full";
        const count = Math.min(room, bytes.length, random.int(50));
        taken.push(...bytes.subarray(0, count));
        room -= count;
        return count;
      },
      onBlocked(value) {
        assert.notEqual(value, blocked);
        blocked = value;
      },
    });
    for (let step = 0; step < 100; step++) {
      const bytes = Uint8Array.from({ length: random.int(200) }, () => random.int(256));
      const before = queue.queuedBytes();
      const fits = before + bytes.length <= 300;
      assert.equal(queue.push(bytes), fits);
      if (fits) accepted.push(...bytes);
      else assert.equal(queue.queuedBytes(), before);
      assert.equal(queue.queuedBytes(), accepted.length - taken.length);
      assert.equal(queue.isBlocked(), queue.queuedBytes() > 0);
      assert.equal(blocked, queue.isBlocked());
      if (random.int(2) === 0) {
        room = random.int(400);
        queue.flush();
      }
    }
    room = Infinity;
    queue.flush();
    assert.deepEqual(taken, accepted, `seed ${seed}`);
  }
});

Deno.test("input queue: what nobody will read is forgotten", () => {
  let state: "full" | "broken" = "full";
  const queue = createInputQueue({ limitBytes: 10, take: () => state, onBlocked() {} });
  assert.ok(queue.push(new Uint8Array(10)));
  assert.equal(queue.push(new Uint8Array(1)), false);
  state = "broken";
  queue.flush();
  assert.equal(queue.queuedBytes(), 0);
  assert.equal(queue.isBlocked(), false);
});

Deno.test({
  name:
    "spawn: C libraries that cannot enter a folder or close what is open have it done by a shell and by close-on-exec",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const platform = unixPlatform("linux", Deno.build.arch);
    assert.ok(platform !== undefined);
    const libc = openLibc(platform);
    const old: Libc = {
      ...libc,
      symbols: {
        ...libc.symbols,
        posix_spawn_file_actions_addchdir_np: null,
        posix_spawn_file_actions_addclosefrom_np: null,
      },
    };
    const folder = await Deno.makeTempDir();
    using _open = await Deno.open(`${folder}/private`, { write: true, create: true });
    const terminal = openTerminal(old);
    assert.ok(terminal.ok);
    const script = "pwd > place; readlink /proc/$$/fd/* > descriptors; echo $0 > name";
    const started = startProgram(old, terminal.value, {
      path: "/bin/sh",
      argv: ["sh", "-c", script, "it's me"],
      folder,
      env: { PATH: "/usr/bin:/bin" },
    });
    assert.ok(started.ok);
    const status = new Int32Array(1);
    await waitFor("the end", () => libc.symbols.waitpid(started.value, new Uint8Array(status.buffer), 1) !== 0);
    assert.equal(status[0], 0);
    const read = (name: string) => Deno.readTextFile(`${folder}/${name}`);
    assert.equal(await read("place"), `${await Deno.realPath(folder)}\n`);
    assert.equal(await read("name"), "it's me\n");
    // Whoever started the tests may have left something open for everybody; what we open is not.
    assert.doesNotMatch(await read("descriptors"), /private|ptmx/);
    libc.symbols.close(terminal.value.master);
    libc.symbols.close(terminal.value.slave);
    libc.close();
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test({
  name: "session signals: a session has its members and no others; an ended one whose number is in use is spared",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const platform = unixPlatform("linux", Deno.build.arch);
    assert.ok(platform !== undefined);
    const libc = openLibc(platform);
    const signals = createSessionSignals(libc);
    const session = libc.symbols.getsid(0);
    assert.ok(signals.members(session).includes(Deno.pid));
    assert.deepEqual(signals.members(0x3fff_fff0), []);
    const child = new Deno.Command("setsid", { args: ["sleep", "60"] }).spawn();
    await waitFor("the child's session", () => libc.symbols.getsid(child.pid) === child.pid);
    signals.killGroups(child.pid, [child.pid], true);
    assert.equal(libc.symbols.kill(child.pid, 0), 0);
    signals.killGroups(child.pid, [child.pid], false);
    libc.close();
    assert.equal((await child.status).signal, "SIGKILL");
  },
});
