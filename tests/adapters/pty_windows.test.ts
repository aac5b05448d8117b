/**
 * What of the terminals of Windows can be shown without Windows: the contract and the order of calls on a strict fake of
 * its kernel, command lines as its programs take them apart, and the layout of its structures.
 */
import assert from "node:assert/strict";
import { planCommandLine, quoteArgument } from "../../adapters/pty/windows/command_line.ts";
import { environmentBlock } from "../../adapters/pty/windows/environment_block.ts";
import {
  jobPort,
  packCoord,
  parseOverlapped,
  parseOverlappedEntries,
  parseProcessInformation,
  startupInfo,
  utf16,
} from "../../adapters/pty/windows/layout.ts";
import { createWindowsPty, type Files } from "../../adapters/pty/windows/pty.ts";
import { type Behaviour, bounded, type PtyHarness, start, testPtyContract } from "../contracts/pty.ts";
import { CONSOLE_CLOSED_CODE, createFakeKernel, type FakeConsoleProgram } from "../fakes/windows_kernel.ts";
import { createRandom } from "../helpers/random.ts";

const FOLDER = "C:\\project";
const files: Files = { isFile: (path) => path === "C:\\bin\\play.exe", isFolder: (path) => path === FOLDER };
const place = { folder: FOLDER, env: { Path: "C:\\bin" } };
const argvOf = (behaviour: Behaviour): readonly [string, ...string[]] => ["play", JSON.stringify(behaviour)];

function setup(play: (program: FakeConsoleProgram) => void = playBehaviour) {
  const kernel = createFakeKernel(play);
  return { kernel, pty: createWindowsPty({ openKernel: () => kernel, files }) };
}

const harness: PtyHarness = {
  ...place,
  create: () => setup().pty,
  argv: argvOf,
  killed: { kind: "exited", code: 1 },
};

function playBehaviour(program: FakeConsoleProgram): void {
  const behaviour: Behaviour = JSON.parse(splitArguments(program.options.line)[1] ?? "");
  switch (behaviour.kind) {
    case "exits":
      return program.exit(behaviour.code);
    case "dies":
      throw new Error("there are no signals here");
    case "prints":
      program.emit(behaviour.text);
      return program.exit(behaviour.code);
    case "floods":
      for (let left = behaviour.bytes; left > 0; left -= 65_536) program.emit("x".repeat(Math.min(left, 65_536)));
      return program.exit(0);
    case "echoes": {
      let left = behaviour.bytes;
      program.emit("ready");
      return program.onInput((bytes) => {
        program.emit(bytes);
        left -= bytes.length;
        if (left <= 0) program.exit(0);
      });
    }
    case "reportsSize": {
      const report = () => program.emit(`${program.size().rows} ${program.size().cols}\n`);
      report();
      return program.onResize(report);
    }
    case "ignoresHangUp":
      program.onClose(() => {});
      return program.emit("ready");
    case "handlesHangUp":
      program.onClose(() => program.exit(behaviour.code));
      return program.emit("ready");
    case "neverReads":
      program.setReading(false);
      return program.emit("ready");
  }
}

testPtyContract("windows on a fake kernel", harness);

Deno.test("pty windows: every handle is closed, however the program ends", async () => {
  const { kernel, pty } = setup();
  const kinds: Behaviour[] = [{ kind: "exits", code: 3 }, { kind: "floods", bytes: 200_000 }, {
    kind: "ignoresHangUp",
  }];
  const runs = kinds.map((behaviour) => start(pty, place, { argv: argvOf(behaviour) }));
  await runs[0]?.exit;
  await runs[1]?.exit;
  await runs[2]?.until((text) => text === "ready");
  await runs[2]?.process.close(0);
  // Dispose of the kernel throws when a handle is open.
  await pty[Symbol.asyncDispose]();
  assert.equal(kernel.openHandles(), 0);
});

Deno.test("pty windows: the end is seen though the job does not report it", async () => {
  const { kernel, pty } = setup();
  kernel.setReporting(false);
  const run = start(pty, place, { argv: argvOf({ kind: "prints", text: "last", code: 5 }) });
  assert.deepEqual(await run.exit, { kind: "exited", code: 5 });
  assert.equal(run.text(), "last");
  await pty[Symbol.asyncDispose]();
});

Deno.test("pty windows: close closes the console, which ends what does not care", async () => {
  await using pty = setup(() => {}).pty;
  const run = start(pty, place, { argv: argvOf({ kind: "exits", code: 0 }) });
  assert.deepEqual(await bounded(run.process.close(60_000), () => "close"), {
    kind: "exited",
    code: CONSOLE_CLOSED_CODE,
  });
  assert.deepEqual(run.process.write("x"), { ok: false, error: { kind: "closed" } });
});

Deno.test("pty windows: a start that fails leaves nothing open, and says which kind of failure it was", async () => {
  const { kernel, pty } = setup();
  const spawn = () =>
    pty.spawn({
      argv: ["play"],
      cwd: FOLDER,
      env: place.env,
      size: { cols: 80, rows: 24 },
      onData() {},
      onExit() {},
    });
  const failing = [
    ["CreateNamedPipeW", 231, { kind: "system", call: "CreateNamedPipeW", code: 231 }],
    ["CreatePseudoConsole", -2147024809, { kind: "system", call: "CreatePseudoConsole", code: -2147024809 }],
    ["CreateProcessW", 2, { kind: "programNotFound", program: "play" }],
    ["CreateProcessW", 193, { kind: "programNotExecutable", program: "play" }],
    ["CreateProcessW", 267, { kind: "folderNotFound", path: FOLDER }],
    ["CreateProcessW", 8, { kind: "system", call: "CreateProcessW", code: 8 }],
  ] as const;
  for (const [call, code, error] of failing) {
    kernel.fail(call, code);
    assert.deepEqual(spawn(), { ok: false, error });
    kernel.fail(call, undefined);
    assert.equal(kernel.openHandles(), 0, call);
  }
  await pty[Symbol.asyncDispose]();
});

Deno.test("pty windows: without pseudo-consoles the platform is not supported", () => {
  const pty = createWindowsPty({
    openKernel() {
      throw new Error("CreatePseudoConsole is not there");
    },
    files,
  });
  const argv = argvOf({ kind: "exits", code: 0 });
  const options = { argv, cwd: FOLDER, env: place.env, size: { cols: 80, rows: 24 }, onData() {}, onExit() {} };
  assert.deepEqual(pty.spawn(options), { ok: false, error: { kind: "unsupportedPlatform", platform: "windows" } });
});

/** CommandLineToArgvW, from its documentation: the program first (no escapes), then the arguments. */
function splitArguments(line: string): string[] {
  const [, program = "", rest = ""] = /^(?:"([^"]*)"|[^\s"]*)\s*(.*)$/s.exec(line) ?? [];
  const first = program || line.slice(0, line.length - rest.length).trim();
  const result = [first.replaceAll('"', "")];
  let current: string | undefined;
  let quoted = false;
  for (let index = 0; index < rest.length;) {
    const [slashes = ""] = /^\\*/.exec(rest.slice(index)) ?? [];
    index += slashes.length;
    const next = rest[index];
    if (next === '"') {
      current = (current ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
      if (slashes.length % 2 === 1) current += '"';
      else if (quoted && rest[index + 1] === '"') {
        current += '"';
        index++;
      } else quoted = !quoted;
      index++;
      continue;
    }
    if (slashes !== "") current = (current ?? "") + slashes;
    if (next === undefined) break;
    if (!quoted && (next === " " || next === "\t")) {
      if (current !== undefined) result.push(current);
      current = undefined;
    } else current = (current ?? "") + next;
    index++;
  }
  if (current !== undefined) result.push(current);
  return result;
}

Deno.test("command line: known hard arguments", () => {
  assert.equal(quoteArgument("plain"), "plain");
  assert.equal(quoteArgument(""), '""');
  assert.equal(quoteArgument("C:\\a b\\"), '"C:\\a b\\\\"');
  assert.equal(quoteArgument('say "hi"'), '"say \\"hi\\""');
  assert.equal(quoteArgument('\\"'), '"\\\\\\""');
  assert.equal(quoteArgument("a\\b"), "a\\b");
});

Deno.test("command line: any arguments arrive as they were", () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = createRandom(seed);
    const args = Array.from(
      { length: random.int(5) },
      () =>
        Array.from({ length: random.int(8) }, () => random.pick(["\\", '"', " ", "\t", "a", "é", "%", "&", "'"])).join(
          "",
        ),
    );
    const planned = planCommandLine("C:\\my tools\\x.exe", args, "cmd.exe");
    assert.ok(planned.ok);
    assert.deepEqual(splitArguments(planned.value.line), ["C:\\my tools\\x.exe", ...args], `seed ${seed}`);
  }
});

/**
 * What cmd.exe makes of a line given to /c: the outermost quotes go, variables are replaced from left to right in one
 * pass, and nothing outside quotes may be an operator.
 */
function readByCommandInterpreter(line: string): string {
  const [, inner = ""] = /^\S+ \/e:on \/v:off \/d \/s \/c "(.*)"$/s.exec(line) ?? [];
  let expanded = "";
  for (let index = 0; index < inner.length;) {
    const end = inner.indexOf("%", index + 1);
    const name = inner[index] === "%" && end >= 0 ? inner.slice(index + 1, end) : "";
    if (name === "") expanded += inner[index++];
    else {
      assert.equal(name, "cd:~,", `a variable in ${line}`);
      index = end + 1;
    }
  }
  let quoted = false;
  for (const char of expanded) {
    if (char === '"') quoted = !quoted;
    else assert.ok(quoted || !/[&|<>^()\n]/.test(char), `an operator outside quotes in ${line}`);
  }
  assert.equal(quoted, false);
  return expanded;
}

Deno.test("command line: batch files go through cmd.exe, which runs nothing of their arguments", () => {
  const shim = "C:\\npm\\claude.cmd";
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = createRandom(seed);
    const args = Array.from({ length: 1 + random.int(4) }, () =>
      Array.from(
        { length: random.int(8) },
        () => random.pick(["\\", '"', " ", "%", "PATH", "&", "|", "^", ">", "(", "!", "a", "é"]),
      ).join(""));
    const planned = planCommandLine(shim, args, "C:\\Windows\\System32\\cmd.exe");
    assert.ok(planned.ok);
    assert.equal(planned.value.application, "C:\\Windows\\System32\\cmd.exe");
    assert.deepEqual(splitArguments(readByCommandInterpreter(planned.value.line)), [shim, ...args], `seed ${seed}`);
  }
  assert.deepEqual(planCommandLine(shim, ["two\nlines"], "cmd.exe"), {
    ok: false,
    error: { kind: "unquotable", argument: "two\nlines" },
  });
});

const textOf = (bytes: Uint8Array) => new TextDecoder("utf-16le").decode(bytes);

Deno.test("environment block: sorted without regard to case, one of each name, ended by an empty one", () => {
  const block = environmentBlock({ b: "2", Path: "C:\\x", A: "1", PATH: "C:\\y", "=C:": "C:\\z", É: "é" });
  assert.ok(block !== undefined);
  assert.equal(textOf(block), "=C:=C:\\z\0A=1\0b=2\0PATH=C:\\y\0É=é\0\0");
  const empty = environmentBlock({});
  assert.ok(empty !== undefined);
  assert.deepEqual([...empty], [0, 0, 0, 0]);
  assert.equal(environmentBlock({ "A=B": "1" }), undefined);
  assert.equal(environmentBlock({ A: "1\0B=2" }), undefined);
  assert.equal(environmentBlock({ "": "1" }), undefined);
});

Deno.test("layouts: sizes and offsets as in the SDK's headers", () => {
  assert.deepEqual([...utf16("aé")], [0x61, 0, 0xe9, 0, 0, 0]);
  assert.equal(packCoord({ cols: 120, rows: 40 }), (40 << 16) | 120);
  const startup = new DataView(startupInfo(0x1122_3344_5566_7788n).buffer);
  assert.equal(startup.byteLength, 112);
  assert.equal(startup.getUint32(0, true), 112);
  assert.equal(startup.getUint32(60, true), 0x100);
  assert.equal(startup.getBigUint64(104, true), 0x1122_3344_5566_7788n);

  const information = new Uint8Array(24);
  const view = new DataView(information.buffer);
  view.setBigUint64(0, 8n, true);
  view.setBigUint64(8, 12n, true);
  view.setUint32(16, 4_242, true);
  assert.deepEqual(parseProcessInformation(information), { process: 8n, thread: 12n, pid: 4_242 });

  const overlapped = new Uint8Array(32);
  new DataView(overlapped.buffer).setUint32(0, 0xc000_014b, true);
  new DataView(overlapped.buffer).setUint32(8, 77, true);
  assert.deepEqual(parseOverlapped(overlapped), { status: 0xc000_014b, transferred: 77 });

  const entries = new Uint8Array(64);
  const entry = new DataView(entries.buffer, 32);
  entry.setBigUint64(0, 9n, true);
  entry.setBigUint64(8, 0xdead_beefn, true);
  entry.setUint32(24, 5, true);
  assert.deepEqual(parseOverlappedEntries(entries, 2)[1], { key: 9, overlapped: 0xdead_beefn, transferred: 5 });
  assert.deepEqual([...jobPort(3, 16n)], [3, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0]);
});
