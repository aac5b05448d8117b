/** What every folder promises, whatever holds its files: run on the fake and on the disk. */
import assert from "node:assert/strict";
import type { Folder, FolderError, FolderLockedError, Folders, OpenFolderOptions } from "../../core/ports/folder.ts";
import type { Result } from "../../core/result.ts";
import { waitFor } from "../helpers/wait_for.ts";

export interface FolderWorld extends AsyncDisposable {
  readonly folders: Folders;
  /** An absolute path whose folder exists and is empty. */
  readonly base: string;
  /** As somebody else; absolute path, folders on the way are made. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string | undefined>;
}

export function testFolderContract(of: string, createWorld: () => Promise<FolderWorld>): void {
  const test = (name: string, check: (open: OpenedWorld) => Promise<void>) =>
    Deno.test(`folder contract, ${of}: ${name}`, async () => {
      await using world = await createWorld();
      const root = `${world.base}/owned`;
      const open = (options?: OpenFolderOptions) => world.folders.open(root, options);
      await check({ world, root, open });
    });

  interface OpenedWorld {
    readonly world: FolderWorld;
    readonly root: string;
    readonly open: (options?: OpenFolderOptions) => Promise<Result<Folder, FolderError | FolderLockedError>>;
  }

  test("what is written is read, and equal content has an equal hash", async ({ open }) => {
    await using folder = value(await open());
    assert.deepEqual(await folder.readText("a/b.json"), { ok: true, value: undefined });
    const { hash } = value(await folder.writeText("a/b.json", "é\n"));
    assert.deepEqual(await folder.readText("a/b.json"), { ok: true, value: { text: "é\n", hash } });
    assert.deepEqual(await folder.writeText("other", "é\n"), { ok: true, value: { hash } });
    assert.notEqual(value(await folder.writeText("other", "e\n")).hash, hash);
  });

  test("an edit by somebody else is not written over", async ({ open, world, root }) => {
    await using folder = value(await open());
    const { hash } = value(await folder.writeText("x.json", "ours"));
    await world.write(`${root}/x.json`, "theirs");
    const actualHash = value(await folder.readText("x.json"))?.hash;
    const clash = { kind: "changedOutside", path: "x.json", actualHash } as const;
    assert.deepEqual(error(await folder.writeText("x.json", "ours 2", { expectedHash: hash })), clash);
    assert.deepEqual(error(await folder.writeText("x.json", "ours 2", { expectedHash: null })), clash);
    assert.deepEqual(error(await folder.writeText("gone.json", "x", { expectedHash: hash })), {
      kind: "changedOutside",
      path: "gone.json",
      actualHash: undefined,
    });
    assert.equal(await world.read(`${root}/x.json`), "theirs");
    assert.ok(actualHash !== undefined);
    value(await folder.writeText("x.json", "ours 2", { expectedHash: actualHash }));
    value(await folder.writeText("new.json", "new", { expectedHash: null }));
    assert.equal(await world.read(`${root}/x.json`), "ours 2");
  });

  test("paths that are no plain relative ones are refused by every call", async ({ open, world }) => {
    await world.write(`${world.base}/secret`, "s");
    await using folder = value(await open());
    for (const path of ["../secret", "a/../../secret", "/etc/passwd", "a//b", "./a", "a\\b", "C:a", "a\u0000b", "a/"]) {
      const refused = { kind: "outsideFolder", path } as const;
      assert.deepEqual(error(await folder.readText(path)), refused, path);
      assert.deepEqual(error(await folder.writeText(path, "x")), refused, path);
      assert.deepEqual(error(await folder.appendLine(path, "{}")), refused, path);
      assert.deepEqual(error(await folder.readLines(path)), refused, path);
      assert.deepEqual(error(await folder.remove(path)), refused, path);
      assert.deepEqual(error(await folder.setAside(path)), refused, path);
    }
    assert.deepEqual(error(await folder.remove("")), { kind: "outsideFolder", path: "" });
    assert.equal(await world.read(`${world.base}/secret`), "s");
  });

  test("lines come back in the order they were appended in", async ({ open, world, root }) => {
    await using folder = value(await open());
    const lines = Array.from({ length: 100 }, (_, at) => JSON.stringify({ at }));
    const appended = await Promise.all(lines.map((line) => folder.appendLine("logs/x.jsonl", line)));
    assert.ok(appended.every((result) => result.ok));
    assert.deepEqual(await folder.readLines("logs/x.jsonl"), { ok: true, value: { lines } });
    assert.equal(await world.read(`${root}/logs/x.jsonl`), lines.map((line) => `${line}\n`).join(""));
    assert.deepEqual(await folder.readLines("none.jsonl"), { ok: true, value: { lines: [] } });
  });

  test("a torn last line is moved away, and only that", async ({ open, world, root }) => {
    await world.write(`${root}/x.jsonl`, '{"a":1}\n{"b":"é');
    await using folder = value(await open());
    const { lines, tornTo } = value(await folder.readLines("x.jsonl"));
    assert.deepEqual(lines, ['{"a":1}']);
    assert.match(tornTo ?? "", /^x\.jsonl\.torn-\d+$/);
    assert.equal(await world.read(`${root}/${tornTo}`), '{"b":"é');
    assert.equal(await world.read(`${root}/x.jsonl`), '{"a":1}\n');
    assert.deepEqual(await folder.readLines("x.jsonl"), { ok: true, value: { lines } });
  });

  test("an append never meets a torn line", async ({ open, world, root }) => {
    await world.write(`${root}/x.jsonl`, '{"a":1}\n{"b":');
    await using folder = value(await open());
    value(await folder.appendLine("x.jsonl", '{"c":3}'));
    assert.equal(await world.read(`${root}/x.jsonl`), '{"a":1}\n{"c":3}\n');
    const names = value(await folder.list("")).map(({ name }) => name).filter((name) => name.startsWith("x."));
    assert.equal(names.length, 2);
  });

  test("a last line that only lacks its line break is whole", async ({ open, world, root }) => {
    await world.write(`${root}/x.jsonl`, '{"a":1}\n{"b":2}');
    await using folder = value(await open());
    assert.deepEqual(await folder.readLines("x.jsonl"), { ok: true, value: { lines: ['{"a":1}', '{"b":2}'] } });
    assert.equal(await world.read(`${root}/x.jsonl`), '{"a":1}\n{"b":2}');
    value(await folder.appendLine("x.jsonl", '{"c":3}'));
    assert.equal(await world.read(`${root}/x.jsonl`), '{"a":1}\n{"b":2}\n{"c":3}\n');
  });

  test("lines that belong together are one append; an empty line is a bug", async ({ open, world, root }) => {
    await using folder = value(await open());
    value(await folder.appendLine("x.jsonl", '{"a":1}\n{"b":2}'));
    assert.equal(await world.read(`${root}/x.jsonl`), '{"a":1}\n{"b":2}\n');
    await assert.rejects(async () => await folder.appendLine("x.jsonl", ""));
    await assert.rejects(async () => await folder.appendLine("x.jsonl", "{}\n"));
  });

  test("lines that need not last keep their place among those that must", async ({ open, world, root }) => {
    await using folder = value(await open());
    const lines = Array.from({ length: 20 }, (_, at) => JSON.stringify({ at }));
    const appended = lines.map((line, at) => folder.appendLine("x.jsonl", line, { lasting: at % 3 === 1 }));
    assert.ok((await Promise.all(appended)).every((result) => result.ok));
    assert.equal(await world.read(`${root}/x.jsonl`), lines.map((line) => `${line}\n`).join(""));
    assert.deepEqual(value(await folder.readLines("x.jsonl")), { lines });
  });

  test("what others make of a file between two appends is found at the next", async ({ open, world, root }) => {
    await using folder = value(await open());
    value(await folder.appendLine("logs/x.jsonl", '{"a":1}'));
    await world.write(`${root}/logs/x.jsonl`, '{"b":2}\n{"to');
    value(await folder.appendLine("logs/x.jsonl", '{"c":3}'));
    assert.equal(await world.read(`${root}/logs/x.jsonl`), '{"b":2}\n{"c":3}\n');
    value(await folder.remove("logs"));
    value(await folder.appendLine("logs/x.jsonl", '{"d":4}'));
    assert.equal(await world.read(`${root}/logs/x.jsonl`), '{"d":4}\n');
    const aside = value(await folder.setAside("logs/x.jsonl"));
    value(await folder.appendLine("logs/x.jsonl", '{"e":5}'));
    assert.equal(await world.read(`${root}/logs/x.jsonl`), '{"e":5}\n');
    assert.equal(await world.read(`${root}/${aside}`), '{"d":4}\n');
  });

  test("entries are listed by name, a missing folder is empty", async ({ open }) => {
    await using folder = value(await open({ lockPath: "state/idea.lock" }));
    for (const path of ["b.md", "a/x.md", "c/y.md", "B.md"]) value(await folder.writeText(path, ""));
    const listed = value(await folder.list("")).filter(({ name }) => name !== "state");
    assert.deepEqual(listed, [
      { name: "B.md", kind: "file" },
      { name: "a", kind: "folder" },
      { name: "b.md", kind: "file" },
      { name: "c", kind: "folder" },
    ]);
    assert.deepEqual(value(await folder.list("a")), [{ name: "x.md", kind: "file" }]);
    assert.deepEqual(value(await folder.list("nope")), []);
  });

  test("files are listed with the time of their last write when it is asked for", async ({ open, world, root }) => {
    await using folder = value(await open());
    value(await folder.writeText("d/ours", ""));
    value(await folder.writeText("d/deep/x", ""));
    await world.write(`${root}/d/theirs`, "");
    const [deep, ours, theirs] = value(await folder.list("d", { times: true }));
    assert.deepEqual(deep, { name: "deep", kind: "folder" });
    assert.deepEqual([ours?.name, theirs?.name], ["ours", "theirs"]);
    assert.ok(ours?.modifiedAtMs !== undefined && theirs?.modifiedAtMs !== undefined);
    assert.ok(Math.abs(theirs.modifiedAtMs - ours.modifiedAtMs) < 60_000);
  });

  test("files and folders are removed, what is not there is fine", async ({ open }) => {
    await using folder = value(await open());
    for (const path of ["d/x", "d/e/y", "z"]) value(await folder.writeText(path, ""));
    for (const path of ["z", "d", "nope", "nope/deep"]) value(await folder.remove(path));
    assert.equal(value(await folder.readText("d/e/y")), undefined);
    assert.deepEqual(value(await folder.list("d")), []);
    assert.equal(value(await folder.readText("z")), undefined);
  });

  test("a corrupt file is set aside whole", async ({ open, world, root }) => {
    await world.write(`${root}/in/x.json`, "{broken");
    await using folder = value(await open());
    const name = value(await folder.setAside("in/x.json"));
    assert.match(name, /^in\/x\.json\.corrupt-\d+$/);
    assert.equal(await world.read(`${root}/${name}`), "{broken");
    assert.equal(value(await folder.readText("in/x.json")), undefined);
    assert.deepEqual(error(await folder.setAside("in/x.json")), { kind: "notFound", path: "in/x.json" });
  });

  test("bytes that are no text are an error, and stay", async ({ open, world, root }) => {
    await world.write(`${root}/x.json`, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
    await using folder = value(await open());
    assert.deepEqual(error(await folder.readText("x.json")), { kind: "notText", path: "x.json" });
  });

  test("a file above the caller's bound is not read", async ({ open }) => {
    await using folder = value(await open());
    value(await folder.writeText("x", "12345"));
    assert.equal(value(await folder.readText("x", { maxBytes: 5 }))?.text, "12345");
    assert.deepEqual(error(await folder.readText("x", { maxBytes: 4 })), {
      kind: "tooLarge",
      path: "x",
      sizeBytes: 5,
      limitBytes: 4,
    });
    assert.equal(value(await folder.readText("none", { maxBytes: 4 })), undefined);
  });

  test("a second owner is refused until the first has closed", async ({ open, root, world }) => {
    const first = value(await open({ lockPath: "state/idea.lock" }));
    const refused = error(await open({ lockPath: "state/idea.lock" }));
    assert.ok(refused.kind === "locked" && refused.path === root && refused.pid > 0);
    await first[Symbol.asyncDispose]();
    assert.equal(await world.read(`${root}/state/idea.lock`), undefined);
    await using second = value(await open({ lockPath: "state/idea.lock" }));
    assert.equal(second.root, root);
  });

  test("the parent must exist unless it may be made; the folder lies where it must", async ({ world }) => {
    const { folders, base } = world;
    const path = `${base}/deep/owned`;
    assert.equal(error(await folders.open(path)).kind, "notFound");
    const outside = await folders.open(`${base}/owned`, { within: `${base}/owned/deeper` });
    assert.ok(!outside.ok);
    await using folder = value(await folders.open(path, { createParents: true, within: base }));
    assert.equal(folder.root, path);
  });

  test("resolve gives existing folders only", async ({ world }) => {
    await world.write(`${world.base}/dir/file`, "");
    assert.deepEqual(await world.folders.resolve(`${world.base}/dir`), { ok: true, value: `${world.base}/dir` });
    assert.equal(error(await world.folders.resolve(`${world.base}/nope`)).kind, "notFound");
    assert.equal(error(await world.folders.resolve(`${world.base}/dir/file`)).kind, "notFound");
  });

  test("changes of others are reported, own ones and unwatched ones are not", async ({ open, world, root }) => {
    await world.write(`${root}/old.md`, "1");
    await world.write(`${root}/gone.md`, "1");
    await using folder = value(await open({ unwatched: ["work"] }));
    const reported = new Set<string>();
    using _watch = folder.watch((paths) => paths.forEach((path) => reported.add(path)));
    value(await folder.writeText("own.json", "{}"));
    value(await folder.appendLine("own.jsonl", "{}"));
    value(await folder.writeText("own/deep/x.json", "{}"));
    await world.write(`${root}/work/tree.md`, "x");
    await world.write(`${root}/old.md`, "22");
    await world.write(`${root}/fresh/folder/new.md`, "new");
    const expected = ["fresh/folder/new.md", "old.md"];
    await waitFor("both reports", () => expected.every((path) => reported.has(path)));
    value(await folder.remove("gone.md"));
    value(await folder.remove("own"));
    // In a folder that was watched only since a moment ago.
    await world.write(`${root}/fresh/folder/last.md`, "last");
    await waitFor("the last report", () => reported.has("fresh/folder/last.md"));
    assert.deepEqual([...reported].sort(), ["fresh/folder/last.md", ...expected]);
  });

  test("a folder that is made anew under its name is watched like the first one", async ({ open, world, root }) => {
    await world.write(`${root}/run/first.md`, "1");
    await using folder = value(await open());
    let reported = new Set<string>();
    using _watch = folder.watch((paths) => paths.forEach((path) => reported.add(path)));
    await world.write(`${root}/run/second.md`, "2");
    await waitFor("a report from the first", () => reported.has("run/second.md"));
    for (const again of ["once", "twice"]) {
      value(await folder.remove("run"));
      value(await folder.writeText("run/own.md", again));
      // Another file, so that the folder has been looked at since.
      await world.write(`${root}/${again}.md`, "x");
      await waitFor("a look at the folder", () => reported.has(`${again}.md`));
      reported = new Set();
      await world.write(`${root}/run/theirs.md`, again);
      await waitFor("a report from the one in its place", () => reported.has("run/theirs.md"));
    }
  });

  test("no report comes after the subscription ended", async ({ open, world, root }) => {
    await using folder = value(await open());
    const [kept, ended] = [new Set<string>(), new Set<string>()];
    using _kept = folder.watch((paths) => paths.forEach((path) => kept.add(path)));
    const subscription = folder.watch((paths) => paths.forEach((path) => ended.add(path)));
    subscription[Symbol.dispose]();
    await world.write(`${root}/x.md`, "x");
    await waitFor("the report to the other", () => kept.has("x.md"));
    assert.deepEqual([...ended], []);
  });
}

export function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) assert.fail(`expected a value, got ${JSON.stringify(result.error)}`);
  return result.value;
}

export function error<T, E>(result: Result<T, E>): E {
  if (result.ok) assert.fail(`expected an error, got ${JSON.stringify(result.value)}`);
  return result.error;
}
