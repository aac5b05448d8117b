import assert from "node:assert/strict";
import { join } from "node:path";
import { createFolderBrowser } from "../../adapters/folder_picker/mod.ts";

Deno.test("folder picker: folders by name, projects marked, hidden last, files left out, links followed", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, "b", ".ideai"), { recursive: true });
    await Deno.mkdir(join(root, ".a"));
    await Deno.writeTextFile(join(root, "file"), "");
    await Deno.symlink(join(root, "b"), join(root, "link"));
    await Deno.symlink(join(root, "nowhere"), join(root, "dangling"));
    const listed = await createFolderBrowser().list(root);
    assert.ok(listed.ok);
    assert.equal(listed.value.path, root);
    assert.deepEqual(listed.value.folders, [
      { name: "b", path: join(root, "b"), isProject: true, isHidden: false },
      { name: "link", path: join(root, "link"), isProject: true, isHidden: false },
      { name: ".a", path: join(root, ".a"), isProject: false, isHidden: true },
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("folder picker: no path is the home folder, a missing folder and a file are not found", async () => {
  const browser = createFolderBrowser();
  const home = await browser.list(undefined);
  assert.ok(home.ok);
  assert.equal(home.value.path, await Deno.realPath(home.value.home));
  const file = await Deno.makeTempFile();
  try {
    for (const path of ["/no/such/folder", file]) {
      assert.deepEqual(await browser.list(path), { ok: false, error: { kind: "folderNotFound", path } });
    }
  } finally {
    await Deno.remove(file);
  }
});
