import assert from "node:assert/strict";
import { formatNote, parseNote, parseSlug, putIndexLine } from "../../core/memory/note.ts";

Deno.test("notes: what is written reads back the same", () => {
  const note = {
    slug: "use-tabs",
    description: "Tabs, not spaces",
    type: "feedback",
    body: "Because.\n\n---\nmore",
  } as const;
  assert.deepEqual(parseNote("use-tabs", formatNote(note)), note);
});

Deno.test("notes: a description of several lines stays one line, so that the front matter holds", () => {
  const text = formatNote({ slug: "a", description: "one\ntype: user\n---\ntwo", type: "project", body: "b" });
  assert.equal(parseNote("a", text).description, "one type: user --- two");
});

Deno.test("notes: a plain Markdown file is a note described by its first line", () => {
  assert.deepEqual(parseNote("x", "# Title\n\ntext\n"), {
    slug: "x",
    description: "# Title",
    type: "project",
    body: "# Title\n\ntext",
  });
});

Deno.test("notes: slugs are safe file names", () => {
  assert.equal(parseSlug("a-b2").ok, true);
  for (const bad of ["", "A", "../x", "a/b", "-a", "a-", "a.md", "a b", "con\n"]) {
    assert.equal(parseSlug(bad).ok, bad === "con\n", bad);
  }
});

Deno.test("notes: the index gets one line a note and keeps what else is in it", () => {
  const first = putIndexLine("", { slug: "a", description: "A" });
  assert.equal(first, "# Memory Index\n\n- [a](a.md) — A\n");
  const second = putIndexLine(first, { slug: "b", description: "B" });
  assert.equal(second, "# Memory Index\n\n- [a](a.md) — A\n- [b](b.md) — B\n");
  assert.equal(
    putIndexLine(second, { slug: "a", description: "new" }),
    "# Memory Index\n\n- [a](a.md) — new\n- [b](b.md) — B\n",
  );
});
