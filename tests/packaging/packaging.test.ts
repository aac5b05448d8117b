import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { permissionFlags } from "../../packaging/permission_flags.ts";
import { createWindowsExecutable } from "../../packaging/self_extracting.ts";
import { createTar } from "../../packaging/tar.ts";
import { TARGETS } from "../../packaging/target.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("tar: the system's tar reads it, and the same files give the same bytes", async () => {
  const entries = [
    { name: "b/long.js", bytes: bytes("x".repeat(1000)), mode: 0o644 },
    { name: "a", bytes: bytes(""), mode: 0o755 },
    { name: "ünï.txt", bytes: bytes("y".repeat(512)), mode: 0o644 },
  ];
  assert.deepEqual(createTar(entries), createTar(entries.toReversed()));
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(join(folder, "x.tar"), createTar(entries));
    const untar = await new Deno.Command("tar", { args: ["-xf", "x.tar"], cwd: folder }).output();
    assert.equal(new TextDecoder().decode(untar.stderr), "");
    for (const entry of entries) assert.deepEqual(await Deno.readFile(join(folder, entry.name)), entry.bytes);
    if (Deno.build.os !== "windows") assert.equal((await Deno.stat(join(folder, "a"))).mode ?? 0 & 0o777, 0o100755);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assert.throws(() => createTar([{ name: "n".repeat(101), bytes: bytes(""), mode: 0o644 }]));
});

Deno.test("permissions: the executable gets the very set of deno.json", async () => {
  assert.deepEqual(
    permissionFlags(JSON.stringify({ permissions: { default: { read: true, import: false, net: ["a", "[::1]"] } } })),
    ["--no-prompt", "--allow-read", "--allow-net=a,[::1]"],
  );
  assert.throws(() => permissionFlags("{}"));
  const flags = permissionFlags(await Deno.readTextFile(join(fileURLToPath(import.meta.url), "../../../deno.json")));
  assert.ok(flags.includes("--allow-net=127.0.0.1,localhost,[::1]"));
  assert.ok(!flags.some((flag) => flag === "--allow-all" || flag === "--allow-net"));
});

Deno.test("windows: stub, archive and a footer that the stub finds at the last line", () => {
  const executable = createWindowsExecutable({
    ...{ name: "idea", target: TARGETS["windows-x64"] ?? assert.fail(), flags: ["--quiet"], stub: bytes("MZ") },
    runtime: { name: "deno.exe", bytes: bytes("runtime"), mode: 0o755 },
    app: [{ name: "main.js", bytes: bytes("app"), mode: 0o644 }],
  });
  assert.deepEqual([...executable.subarray(0, 4)], [0x4d, 0x5a, 0x1f, 0x8b]);
  const footer = executable.subarray(executable.lastIndexOf(0x0a) + 1);
  const { identifier, command } = JSON.parse(new TextDecoder().decode(footer));
  assert.match(identifier, /^idea\/[0-9a-f]{16}$/);
  assert.deepEqual(command, ["{{caxa}}/deno.exe", "run", "--quiet", "{{caxa}}/main.js"]);
});
