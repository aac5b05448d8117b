import assert from "node:assert/strict";
import { z } from "zod";
import { openDocument } from "../../core/app/documents.ts";
import { err, ok } from "../../core/result.ts";
import { deriveUuid } from "../../core/workspace/derived_id.ts";
import { type DocumentFormat, formatDocument, parseDocument } from "../../core/workspace/document.ts";
import { formatSlug, isSameName, parseName } from "../../core/workspace/names.ts";
import { error, value } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeDisk } from "../fakes/folder.ts";

interface Counts {
  readonly version: number;
  readonly items: readonly { readonly name: string }[];
}

const format: DocumentFormat<Counts> = {
  version: 2,
  schema: z.looseObject({
    version: z.number().default(1),
    items: z.array(z.looseObject({ name: z.string() })),
  }),
};

const INITIAL: Counts = { version: 2, items: [] };
const PATH = "/data/counts.json";

async function setup(text?: string) {
  const clock = createFakeClock(1_000);
  const disk = createFakeDisk(clock);
  if (text !== undefined) disk.write(PATH, text);
  const folder = value(await disk.folders.open("/data"));
  const document = await openDocument({ folder, path: "counts.json", format, initial: INITIAL });
  const add = (name: string) => document.update((current) => ok({ ...current, items: [...current.items, { name }] }));
  return { disk, folder, document, add };
}

Deno.test("documents: unknown fields survive, at every depth, and equal content is equal text", () => {
  const text = formatDocument({ version: 2, ours: 1, items: [{ name: "a", extra: { deep: [1] } }], later: null });
  const parsed = value(parseDocument(format, text));
  assert.deepEqual(JSON.parse(formatDocument(parsed)), JSON.parse(text));
  assert.equal(formatDocument(value(parseDocument(format, formatDocument(parsed)))), formatDocument(parsed));
  assert.ok(formatDocument(parsed).startsWith('{\n  "version": 2,\n'));
  assert.ok(formatDocument(parsed).endsWith("}\n"));
});

Deno.test("documents: a byte order mark, Windows line ends and a missing version are read", () => {
  assert.deepEqual(value(parseDocument(format, '\uFEFF{\r\n"items":[]\r\n}')), { version: 1, items: [] });
});

Deno.test("documents: what is wrong is said with its place", () => {
  const corrupt = (text: string) => {
    const flaw = error(parseDocument(format, text));
    return flaw.kind === "corrupt" ? flaw.detail : flaw.kind;
  };
  assert.match(corrupt('{"items":[{"name":1}]}'), /^items\.0\.name: /);
  assert.match(corrupt("{"), /JSON/);
  assert.match(corrupt("[]"), /expected object/);
  assert.match(corrupt("<<<<<<< HEAD\n{}"), /JSON/);
});

Deno.test("documents: a newer version is read as far as it goes and never written", async () => {
  const text = '{"version":3,"items":[{"name":"a"}],"new":true}';
  const { document, add, disk } = await setup(text);
  assert.deepEqual(document.value().items, [{ name: "a" }]);
  const problem = { kind: "newerVersion", path: "counts.json", version: 3, knownVersion: 2 };
  assert.deepEqual(document.problem(), problem);
  assert.deepEqual(error(await add("b")), problem);
  assert.equal(disk.read(PATH), text);
  const { document: strange } = await setup('{"version":9,"things":{}}');
  assert.deepEqual(strange.value(), INITIAL);
  assert.equal(strange.problem()?.kind, "newerVersion");
});

Deno.test("documents: a corrupt file is moved aside at opening, and the document works", async () => {
  const { document, add, disk } = await setup("{half");
  const problem = document.problem();
  assert.ok(problem?.kind === "corrupt" && problem.movedTo === "counts.json.corrupt-1000", JSON.stringify(problem));
  assert.deepEqual(document.value(), INITIAL);
  value(await add("a"));
  assert.equal(disk.read("/data/counts.json.corrupt-1000"), "{half");
  assert.deepEqual(JSON.parse(disk.read(PATH) ?? ""), { version: 2, items: [{ name: "a" }] });
});

Deno.test("documents: a file that turns corrupt stays until we must write; the last good value is the base", async () => {
  const { document, add, disk } = await setup();
  value(await add("a"));
  disk.write(PATH, "<<<<<<< HEAD");
  assert.equal(await document.reload(), true);
  assert.deepEqual(document.value().items, [{ name: "a" }]);
  assert.equal(disk.read(PATH), "<<<<<<< HEAD");
  value(await add("b"));
  assert.equal(disk.read("/data/counts.json.corrupt-1000"), "<<<<<<< HEAD");
  assert.deepEqual(document.value().items, [{ name: "a" }, { name: "b" }]);
});

Deno.test("documents: an outside edit is kept, the edit is made again on it", async () => {
  const { document, add, disk } = await setup('{"version":2,"items":[]}');
  disk.write(PATH, '{"version":2,"items":[{"name":"theirs"}],"note":"x"}');
  value(await add("ours"));
  const expected = { version: 2, items: [{ name: "theirs" }, { name: "ours" }], note: "x" };
  assert.deepEqual(JSON.parse(disk.read(PATH) ?? ""), expected);
  assert.deepEqual(document.value(), expected);
});

Deno.test("documents: edits are made one after the other, and one without effect writes nothing", async () => {
  const { document, add, disk } = await setup();
  await Promise.all(Array.from({ length: 20 }, (_, at) => add(String(at))));
  assert.deepEqual(document.value().items.map(({ name }) => Number(name)), Array.from({ length: 20 }, (_, at) => at));
  disk.failWrites("diskFull");
  value(await document.update((current) => ok(current)));
  assert.deepEqual(error(await document.update(() => err({ kind: "refused" } as const))), { kind: "refused" });
  const full = { kind: "storage", error: { kind: "diskFull", path: "counts.json" } };
  assert.deepEqual(error(await add("x")), full);
  assert.equal(document.value().items.length, 20);
  disk.failWrites(undefined);
  value(await add("x"));
});

Deno.test("documents: reload tells whether something changed; a file that is gone gives the initial value", async () => {
  const { document, disk } = await setup('{"version":2,"items":[{"name":"a"}]}');
  assert.equal(await document.reload(), false);
  disk.remove(PATH);
  assert.equal(await document.reload(), true);
  assert.deepEqual(document.value(), INITIAL);
  assert.equal(document.exists(), false);
});

Deno.test("documents: what cannot be read is not written over, and works again when it can", async () => {
  const clock = createFakeClock();
  const disk = createFakeDisk(clock);
  disk.write(PATH, '{"version":2,"items":[{"name":"a"}]}');
  const folder = value(await disk.folders.open("/data"));
  let broken = true;
  const refused = { kind: "io", path: "counts.json", code: "EIO", cause: undefined } as const;
  const flaky: typeof folder = {
    ...folder,
    readText: (path, options) => broken ? Promise.resolve(err(refused)) : folder.readText(path, options),
  };
  const document = await openDocument({ folder: flaky, path: "counts.json", format, initial: INITIAL });
  const add = () => document.update((current) => ok({ ...current, items: [...current.items, { name: "b" }] }));
  assert.deepEqual(error(await add()), { kind: "storage", error: refused });
  assert.equal(disk.read(PATH), '{"version":2,"items":[{"name":"a"}]}');
  broken = false;
  assert.deepEqual(value(await add()).items, [{ name: "a" }, { name: "b" }]);
  assert.equal(document.problem(), undefined);
});

Deno.test("names: what could be more than a name is refused, with the reason", () => {
  const reasonOf = (text: string) => {
    const parsed = parseName(text);
    return parsed.ok ? parsed.value : parsed.error.reason;
  };
  assert.deepEqual(
    [
      "  Développeur 1 ",
      " \t",
      "x".repeat(81),
      "a\nb",
      "a\u001b[2J",
      "a\u202eb",
      "a/b",
      "a\\b",
      "-rf",
      "..",
      "COM1.txt",
    ]
      .map(reasonOf),
    [
      "Développeur 1",
      "empty",
      "tooLong",
      "controlCharacter",
      "controlCharacter",
      "controlCharacter",
      "separator",
      "separator",
      "leadingCharacter",
      "leadingCharacter",
      "reserved",
    ],
  );
  assert.ok(isSameName("Développeur", "DE\u0301VELOPPEUR"));
});

Deno.test("names: slugs are plain file names", () => {
  const slugs = ["DevBackend", "Été & Hiver!", "日本", "con", "a".repeat(99), "--x--"].map((name) =>
    formatSlug(name, "agent")
  );
  assert.deepEqual(slugs, ["devbackend", "ete-hiver", "agent", "con-agent", "a".repeat(60), "x"]);
});

Deno.test("derived ids: the same text gives the same id, in the form of a UUID", () => {
  // FNV-1a 128 of nothing is its offset basis.
  assert.equal(deriveUuid("").replaceAll("-", "").slice(0, 12), "6c62272e07bb");
  assert.match(deriveUuid("a"), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const ids = new Set(Array.from({ length: 10_000 }, (_, at) => deriveUuid(`project ${at}`)));
  assert.equal(ids.size, 10_000);
  assert.equal(deriveUuid("é"), deriveUuid("é"));
  assert.notEqual(deriveUuid("ab"), deriveUuid("ba"));
});
