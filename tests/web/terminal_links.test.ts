import assert from "node:assert/strict";
import { findPathLinks } from "../../web/ui/terminal/path_links.ts";
import { pathsOfUriList, quotePath } from "../../web/ui/terminal/quote_path.ts";

const links = (text: string) =>
  findPathLinks(text).map(({ path, line, column }) => column === undefined ? [path, line] : [path, line, column]);

Deno.test("places that tools write are links", () => {
  const cases: readonly (readonly [string, readonly (readonly (string | number)[])[]])[] = [
    ["src/main.ts:12:5 - error TS2322", [["src/main.ts", 12, 5]]],
    ["    at file (src/a.ts:3:4)", [["src/a.ts", 3, 4]]],
    ["./x.py:7: warning", [["./x.py", 7]]],
    ["/usr/include/stdio.h:33:10: note", [["/usr/include/stdio.h", 33, 10]]],
    ["Makefile.am:9", [["Makefile.am", 9]]],
    ['  File "/home/ann/app.py", line 42, in run', [["/home/ann/app.py", 42]]],
    ["Program.cs(10,33): error CS1002", [["Program.cs", 10, 33]]],
    ["C:\\work\\a.cpp(7): error", [["C:\\work\\a.cpp", 7]]],
    ["a.ts:1 b/c.rs:2:3", [["a.ts", 1], ["b/c.rs", 2, 3]]],
    ["see pages/[id].tsx:8", [["pages/[id].tsx", 8]]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(links(text), expected, text);
});

Deno.test("times, ratios, ports and addresses are none", () => {
  for (
    const text of ["12:30:15", "ratio 4:3", "localhost:8080", "http://a.example:80/x", "note:3", "::1:5", "a.b", ""]
  ) {
    assert.deepEqual(links(text), [], text);
  }
});

Deno.test("a link is where it is in the text", () => {
  const text = "error in lib/a.ts:10:2, see";
  const [link] = findPathLinks(text);
  assert.equal(text.slice(link?.start, link?.end), "lib/a.ts:10:2");
});

Deno.test("a line that is made to be slow is not", () => {
  const started = performance.now();
  for (const piece of ["a", "a/", "a.", "a:", "1:", "\\a"]) findPathLinks(piece.repeat(2000).slice(0, 4096));
  assert.ok(performance.now() - started < 2000);
  assert.deepEqual(findPathLinks(`${"x".repeat(5000)} a.ts:1`), []);
});

Deno.test("a path is one word for the shell", () => {
  assert.equal(quotePath("/home/ann/a-b_c.txt"), "/home/ann/a-b_c.txt");
  assert.equal(quotePath("/tmp/my file.txt"), "'/tmp/my file.txt'");
  assert.equal(quotePath("/tmp/it's $HOME; rm"), `'/tmp/it'\\''s $HOME; rm'`);
  assert.equal(quotePath("C:\\Program Files\\x"), `"C:\\Program Files\\x"`);
  assert.deepEqual(pathsOfUriList("# comment\r\nfile:///tmp/a%20b\r\nhttps://x.example/\r\nfile:///C:/x/y.txt\r\n"), [
    "/tmp/a b",
    "C:\\x\\y.txt",
  ]);
});
