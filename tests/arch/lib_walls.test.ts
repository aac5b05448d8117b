/**
 * The walls that the compiler keeps: core knows no runtime, the page knows no Deno. Checked on a copy of the real
 * configuration with files that break it.
 */
import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

const RUNTIME = [
  ...["Deno", "process", "Buffer", "require"],
  ...["document", "window", "self", "navigator", "localStorage"],
  ...["setTimeout", "setInterval", "queueMicrotask", "performance", "requestAnimationFrame"],
  ...["crypto", "fetch", "WebSocket", "Request", "Response"],
  ...["console", "URL", "TextEncoder", "TextDecoder", "AbortController", "structuredClone", "atob"],
];

/** The names that the compiler does not find when a file of that folder uses each of them. */
async function unknownNames(folder: string, names: readonly string[]): Promise<readonly string[]> {
  await using copy = await copyOfConfiguration();
  const file = join(copy.root, folder, "wall.ts");
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, `export const used = [${names.join(", ")}];\n`);
  const check = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-lock", file],
    cwd: copy.root,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  const unknown = new TextDecoder().decode(check.stderr).matchAll(/Cannot find name '(\w+)'/g);
  const found = [...unknown].map(([, name = ""]) => name);
  assert.equal(check.success, found.length === 0);
  return found;
}

async function copyOfConfiguration(): Promise<AsyncDisposable & { readonly root: string }> {
  const root = await Deno.makeTempDir();
  for (const file of ["deno.json", "core/deno.json", "web/ui/deno.json"]) {
    await Deno.mkdir(dirname(join(root, file)), { recursive: true });
    await Deno.copyFile(join(ROOT, file), join(root, file));
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

Deno.test("lib walls: core sees the language and nothing of any runtime", async () => {
  assert.deepEqual(await unknownNames("core/layout", RUNTIME), RUNTIME);
});

Deno.test("lib walls: the page sees the browser, and no Deno", async () => {
  assert.deepEqual(await unknownNames("web/ui/state", ["document", "fetch", "setTimeout", "Deno"]), ["Deno"]);
});

Deno.test("lib walls: the server sees Deno", async () => {
  assert.deepEqual(await unknownNames("adapters/clock", ["Deno", "fetch", "setTimeout"]), []);
});
