import assert from "node:assert/strict";
import { join } from "node:path";
import { createProjectFiles } from "../../adapters/project_files/mod.ts";

async function inProject(run: (bed: { readonly base: string; readonly root: string }) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const root = join(base, "project");
  try {
    await Deno.mkdir(join(root, "src"), { recursive: true });
    await Deno.writeTextFile(join(root, "src/a.ts"), "one\nécrit\n");
    await Deno.writeTextFile(join(root, "a.ts"), "at the root\n");
    await Deno.writeTextFile(join(base, "secret"), "not yours\n");
    await run({ base, root });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("project files: where the program was comes first, then the root; absolute paths as they are", () =>
  inProject(async ({ root }) => {
    const files = createProjectFiles();
    const read = (path: string, bases: readonly string[]) => files.read({ path, bases, within: root });
    const inSource = { ok: true, value: { path: "src/a.ts", text: "one\nécrit\n" } };
    assert.deepEqual(await read("a.ts", [join(root, "src"), root]), inSource);
    assert.deepEqual(await read("src/a.ts", [join(root, "src"), root]), inSource);
    assert.deepEqual(await read("./src/../src/a.ts", [root]), inSource);
    assert.deepEqual(await read(join(root, "src/a.ts"), [root]), inSource);
  }));

Deno.test("project files: nothing outside of the project, also not through a link", () =>
  inProject(async ({ base, root }) => {
    const files = createProjectFiles();
    await Deno.symlink(join(base, "secret"), join(root, "link"));
    for (const path of ["../secret", join(base, "secret"), "link", "src/../../secret"]) {
      const read = await files.read({ path, bases: [root], within: root });
      assert.deepEqual(read, { ok: false, error: { kind: "fileOutsideProject", path } });
    }
  }));

Deno.test("project files: what is no text, too long, a folder or not there is refused by name", () =>
  inProject(async ({ root }) => {
    const files = createProjectFiles();
    await Deno.writeFile(join(root, "picture"), new Uint8Array([0x89, 0x50, 0xff, 0x00]));
    await Deno.writeFile(join(root, "zeros"), new Uint8Array(10));
    await Deno.writeFile(join(root, "long"), new Uint8Array(2 * 1024 * 1024 + 1).fill(0x61));
    const refusal = async (path: string) => {
      const read = await files.read({ path, bases: [root], within: root });
      return read.ok ? "read" : read.error.kind;
    };
    assert.equal(await refusal("picture"), "fileNotText");
    assert.equal(await refusal("zeros"), "fileNotText");
    assert.equal(await refusal("long"), "fileTooLarge");
    assert.equal(await refusal("src"), "fileNotFound");
    assert.equal(await refusal("nowhere/a.ts"), "fileNotFound");
  }));
