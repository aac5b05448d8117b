/** What only a real disk has: links, modes, leftovers, lock files, and faults. */
import assert from "node:assert/strict";
import { createClock } from "../../adapters/clock/mod.ts";
import { toFolderError } from "../../adapters/store/errors.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import { parseStat, readProcessStart } from "../../adapters/store/process_start.ts";
import { error, value } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { waitFor } from "../helpers/wait_for.ts";
import type { Need } from "../helpers/requires.ts";

const posix = Deno.build.os === "windows" ? { ignore: true } : {};

async function withBase(check: (base: string) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-store-" }));
  try {
    await check(base);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const open = (root: string, options = {}) => createFolders(createClock()).open(root, options);

Deno.test({
  name: "store: what others put there is read when it is a file, and a pipe is none",
  ...posix,
  fn: () =>
    withBase(async (base) => {
      await using folder = value(await open(`${base}/owned`));
      assert.ok((await new Deno.Command("mkfifo", { args: [`${folder.root}/pipe`] }).output()).success);
      const { cause: _, ...refused } = { cause: undefined, ...error(await folder.readText("pipe", { maxBytes: 10 })) };
      assert.deepEqual(refused, { kind: "io", path: "pipe", code: "notAFile" });
    }),
});

Deno.test({
  name: "store: links that lead out are refused, links that stay inside are followed",
  ...posix,
  fn: () =>
    withBase(async (base) => {
      await Deno.mkdir(`${base}/outside`);
      await Deno.writeTextFile(`${base}/outside/secret`, "s");
      await using folder = value(await open(`${base}/owned`));
      value(await folder.writeText("real/x.md", "x"));
      await Deno.symlink(`${base}/outside`, `${folder.root}/out`);
      await Deno.symlink(`${base}/outside/secret`, `${folder.root}/file`);
      await Deno.symlink(`${base}/outside/none`, `${folder.root}/dangling`);
      await Deno.symlink("real", `${folder.root}/in`);
      await Deno.symlink("real/x.md", `${folder.root}/x.md`);
      for (const path of ["out/secret", "out/new/deep", "file", "dangling"]) {
        const refused = { kind: "outsideFolder", path } as const;
        assert.deepEqual(error(await folder.readText(path)), refused);
        assert.deepEqual(error(await folder.writeText(path, "x")), refused);
        assert.deepEqual(error(await folder.appendLine(path, "{}")), refused);
        assert.deepEqual(error(await folder.readLines(path)), refused);
      }
      assert.deepEqual(error(await folder.list("out")), { kind: "outsideFolder", path: "out" });
      assert.deepEqual(error(await folder.remove("out/secret")), { kind: "outsideFolder", path: "out/secret" });
      assert.equal(value(await folder.readText("in/x.md"))?.text, "x");
      value(await folder.writeText("x.md", "y"));
      assert.equal(await Deno.readTextFile(`${folder.root}/real/x.md`), "y");
      assert.ok((await Deno.lstat(`${folder.root}/x.md`)).isSymlink);
      value(await folder.remove("out"));
      assert.equal(await Deno.readTextFile(`${base}/outside/secret`), "s");
      assert.deepEqual([...Deno.readDirSync(`${base}/outside`)].map(({ name }) => name), ["secret"]);
    }),
});

Deno.test({
  name: "store: a file that was put in place of the one appended to gets the next line, and a link out none",
  ...posix,
  fn: () =>
    withBase(async (base) => {
      await Deno.writeTextFile(`${base}/outside`, "");
      await using folder = value(await open(`${base}/owned`));
      const place = `${folder.root}/x.jsonl`;
      value(await folder.appendLine("x.jsonl", '{"a":1}'));
      await Deno.writeTextFile(`${base}/fresh`, '{"b":2}\n');
      await Deno.rename(`${base}/fresh`, place);
      value(await folder.appendLine("x.jsonl", '{"c":3}'));
      assert.equal(await Deno.readTextFile(place), '{"b":2}\n{"c":3}\n');
      await Deno.remove(place);
      await Deno.symlink(`${base}/outside`, place);
      assert.equal(error(await folder.appendLine("x.jsonl", '{"d":4}')).kind, "outsideFolder");
      assert.equal(await Deno.readTextFile(`${base}/outside`), "");
    }),
});

Deno.test({
  name: "store: files that are appended to stay open for a while, and not too many",
  // The system that tells which files a process has open.
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withBase(async (base) => {
      const clock = createFakeClock();
      await using folder = value(await createFolders(clock).open(`${base}/owned`));
      const countOpen = () =>
        [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => linkOf(`/proc/self/fd/${name}`)?.endsWith(".jsonl"))
          .length;
      for (let at = 0; at < 70; at++) value(await folder.appendLine(`${at}.jsonl`, "{}"));
      await waitFor("those beyond the bound are closed", () => countOpen() <= 64);
      assert.ok(countOpen() > 50);
      for (let at = 0; at < 70; at++) value(await folder.appendLine(`${at}.jsonl`, "[]"));
      for (let at = 0; at < 70; at++) {
        assert.deepEqual(value(await folder.readLines(`${at}.jsonl`)).lines, ["{}", "[]"]);
      }
      clock.advance(10_000);
      await waitFor("those that nobody needs are closed", () => countOpen() === 0);
      clock.advance(10_000);
      assert.equal(clock.pendingTimers(), 0);
    }),
});

function linkOf(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

Deno.test({
  name: "store: a folder that is a link out of where it must lie is not opened, and nothing is made there",
  ...posix,
  fn: () =>
    withBase(async (base) => {
      await Deno.mkdir(`${base}/elsewhere`);
      await Deno.mkdir(`${base}/project`);
      await Deno.symlink(`${base}/elsewhere`, `${base}/project/.ideai`);
      const refused = await open(`${base}/project/.ideai`, { within: `${base}/project` });
      assert.equal(error(refused).kind, "outsideFolder");
      assert.deepEqual([...Deno.readDirSync(`${base}/elsewhere`)], []);
    }),
});

Deno.test({
  name: "store: secrets are readable by the owner only, and a person's mode of a file is kept",
  ...posix,
  fn: () =>
    withBase(async (base) => {
      await using folder = value(await open(`${base}/owned`));
      value(await folder.writeText("run/a/secret", "s", { secret: true }));
      value(await folder.writeText("plain", "1"));
      await Deno.chmod(`${folder.root}/plain`, 0o640);
      value(await folder.writeText("plain", "2"));
      const modeOf = (path: string) => ((Deno.statSync(`${folder.root}/${path}`).mode ?? 0) & 0o777).toString(8);
      assert.deepEqual(["run", "run/a", "run/a/secret", "plain"].map(modeOf), ["700", "700", "600", "640"]);
    }),
});

Deno.test("store: what a crash left unfinished is removed at the next opening, a person's files are not", () =>
  withBase(async (base) => {
    await Deno.mkdir(`${base}/owned/sub`, { recursive: true });
    await Deno.writeTextFile(`${base}/owned/sub/.x.json.idea-tmp-99-0`, "half");
    await Deno.writeTextFile(`${base}/owned/sub/.keep.idea-tmp`, "theirs");
    await using folder = value(await open(`${base}/owned`));
    assert.deepEqual([...Deno.readDirSync(`${folder.root}/sub`)].map(({ name }) => name), [".keep.idea-tmp"]);
  }));

Deno.test("store: lock files that no living owner holds are taken over, whatever is in them", () =>
  withBase(async (base) => {
    const start = await readProcessStart(Deno.pid) ?? "unknown";
    const leftovers = [
      "",
      "{half",
      JSON.stringify({ pid: 2 ** 22 + 1, startedAtMs: 1, processStart: start }),
      // A process with that pid runs, but it began at another time: the pid was given again.
      JSON.stringify({ pid: Deno.pid, startedAtMs: 1, processStart: "another boot:12" }),
    ];
    for (const leftover of leftovers) {
      await Deno.writeTextFile(`${base}/idea.lock`, leftover);
      await using folder = value(await open(base));
      assert.equal(folder.root, base);
    }
  }));

Deno.test("store: where the kernel knows no locks, a living owner with the same start is respected", () =>
  withBase(async (base) => {
    const startOf = (pid: number) => Promise.resolve(pid === 4_242 ? "boot:7" : undefined);
    const owner = JSON.stringify({ pid: 4_242, startedAtMs: 1, processStart: "boot:7" });
    await Deno.writeTextFile(`${base}/idea.lock`, owner);
    const refused = await createFolders(createClock(), startOf).open(base);
    assert.deepEqual(refused, { ok: false, error: { kind: "locked", path: base, pid: 4_242 } });
    assert.equal(await Deno.readTextFile(`${base}/idea.lock`), owner);
  }));

Deno.test("store: the kernel's lock alone keeps out all but one, however fast it changes hands", () =>
  withBase(async (base) => {
    const folders = createFolders(createClock(), () => Promise.resolve(undefined));
    let holders = 0;
    let held = 0;
    const contend = async () => {
      while (held < 150) {
        const opened = await folders.open(`${base}/owned`, { lockPath: "state/idea.lock" });
        if (!opened.ok) {
          assert.equal(opened.error.kind, "locked", JSON.stringify(opened.error));
          continue;
        }
        held++;
        assert.equal(++holders, 1);
        await opened.value.readText("x");
        holders--;
        await opened.value[Symbol.asyncDispose]();
      }
    };
    await Promise.all(Array.from({ length: 6 }, contend));
  }));

Deno.test("store: where the system has no watches left, changes are found by looking", () =>
  withBase(async (base) => {
    const clock = createFakeClock();
    const watchFs = Deno.watchFs;
    Deno.watchFs = () => {
      throw new Error("no space left on device: inotify watches");
    };
    try {
      await using folder = value(await createFolders(clock).open(`${base}/owned`));
      const reported: string[] = [];
      using _watch = folder.watch((paths) => reported.push(...paths));
      value(await folder.writeText("own.md", "x"));
      await Deno.mkdir(`${folder.root}/fresh`);
      await Deno.writeTextFile(`${folder.root}/fresh/theirs.md`, "x");
      await waitFor("a look at the folder", () => {
        clock.advance(3_000);
        return reported.length > 0;
      });
      assert.deepEqual(reported, ["fresh/theirs.md"]);
    } finally {
      Deno.watchFs = watchFs;
    }
  }));

Deno.test("store: a process's start is read past any name, and a zombie has ended", () => {
  const fields = ["S", ...Array.from({ length: 18 }, (_, at) => String(at)), "1234", "99"];
  assert.equal(parseStat(`7 (a) b (c)) ${fields.join(" ")}`, "boot"), "boot:1234");
  assert.equal(parseStat(`7 (a) ${fields.with(0, "Z").join(" ")}`, "boot"), undefined);
  assert.equal(parseStat("", "boot"), undefined);
});

Deno.test("store: what the system says becomes the port's errors", () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  const kinds = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOENT", "ENOTDIR"].map((code) =>
    toFolderError("x", failure(code)).kind
  );
  const expected = ["notPermitted", "notPermitted", "notPermitted", "diskFull", "diskFull", "notFound", "notFound"];
  assert.deepEqual(kinds, expected);
  const cause = failure("EIO");
  assert.deepEqual(toFolderError("x", cause), { kind: "io", path: "x", code: "EIO", cause });
});

/** A small file system of its own, which can be filled and made read-only. */
const smallDisk: Need = Deno.build.os === "linux" && Deno.uid() === 0 && mountWorks()
  ? { met: true, path: "mount" }
  : { met: false, reason: "needs the right to mount a tmpfs (Linux, root)" };

function skipUnless(need: Need): { readonly ignore: boolean } {
  if (!need.met) console.log(`skipped: ${need.reason}`);
  return { ignore: !need.met };
}

function mountWorks(): boolean {
  const probe = Deno.makeTempDirSync({ prefix: "idea-mount-" });
  const mounted = mount(["-t", "tmpfs", "-o", "size=64k", "tmpfs", probe]);
  if (mounted) unmount(probe);
  Deno.removeSync(probe);
  return mounted;
}

function mount(args: readonly string[]): boolean {
  return new Deno.Command("mount", { args: [...args], stderr: "null" }).outputSync().success;
}

function unmount(path: string): void {
  new Deno.Command("umount", { args: [path] }).outputSync();
}

Deno.test({
  // Not a need of CI, which may have no root: the mapping of the codes above runs everywhere.
  name: "store: a full and a read-only disk are typed errors, nothing is half-written, and it goes on afterwards",
  ...skipUnless(smallDisk),
  fn: () =>
    withBase(async (base) => {
      assert.ok(mount(["-t", "tmpfs", "-o", "size=256k", "tmpfs", base]));
      try {
        const folder = value(await open(`${base}/owned`));
        value(await folder.writeText("x.json", "old"));
        value(await folder.appendLine("x.jsonl", '{"a":1}'));
        await Deno.writeFile(`${base}/filler`, new Uint8Array(240 * 1024)).catch(() => {});
        const large = "x".repeat(100_000);
        assert.deepEqual(error(await folder.writeText("x.json", large)), { kind: "diskFull", path: "x.json" });
        assert.deepEqual(error(await folder.appendLine("x.jsonl", large)), { kind: "diskFull", path: "x.jsonl" });
        assert.equal(value(await folder.readText("x.json"))?.text, "old");
        await Deno.remove(`${base}/filler`);
        value(await folder.appendLine("x.jsonl", '{"b":2}'));
        assert.deepEqual(value(await folder.readLines("x.jsonl")), { lines: ['{"a":1}', '{"b":2}'] });
        assert.equal(await Deno.readTextFile(`${folder.root}/x.jsonl`), '{"a":1}\n{"b":2}\n');
        await folder[Symbol.asyncDispose]();
        assert.ok(mount(["-o", "remount,ro", base]));
        assert.equal(error(await open(`${base}/owned`)).kind, "notPermitted");
        assert.equal(error(await open(`${base}/fresh`)).kind, "notPermitted");
      } finally {
        unmount(base);
      }
    }),
});
