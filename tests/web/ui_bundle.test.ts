/** What the browser is sent: small, hashed, nothing inline, nothing from elsewhere. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { bundleUi } from "../../build_ui.ts";
import { ROOT } from "../helpers/server.ts";

const FIRST_PAINT_BYTES = 300 * 1024;

Deno.test("the page's files", async (t) => {
  const assets = await bundleUi({ root: ROOT });
  const page = new TextDecoder().decode(assets.get("index.html")?.bytes);
  const named = [...page.matchAll(/(?:href|src)="\/([^"]+)"/g)].map((match) => match[1] ?? "");
  const gzipped = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(assets.get(path)?.bytes ?? new Uint8Array()).length, 0);

  await t.step("the page names files that are there, by their hash", () => {
    assert.ok(named.length >= 3, page);
    for (const path of named) {
      assert.ok(assets.has(path), path);
      assert.match(path, /-[A-Z0-9]{8}\.\w+$/);
    }
  });
  await t.step("the page itself has no script, style or event attribute of its own", () => {
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    assert.doesNotMatch(page, /(?:href|src)="(?:https?:|\/\/)/);
  });
  await t.step("nothing is fetched from elsewhere by a style", () => {
    for (const [path, { bytes, contentType }] of assets) {
      if (!contentType.startsWith("text/css")) continue;
      assert.doesNotMatch(new TextDecoder().decode(bytes), /url\(["']?(?:https?:)?\/\//, path);
    }
  });
  await t.step("first paint, and it with every terminal part, stay under 300 KB gzipped", () => {
    const first = gzipped(["index.html", ...named]);
    const view = [...assets.keys()].filter((path) => /\/view-/.test(path));
    assert.equal(view.length, 1, "the terminal is a piece of its own");
    console.log(`first paint ${first} bytes gzipped, with a terminal ${first + gzipped(view)}`);
    assert.ok(first + gzipped(view) < FIRST_PAINT_BYTES);
    assert.ok(first < FIRST_PAINT_BYTES / 2, "the shell waits for no terminal");
  });
});
