/**
 * The first of the README's two commands, as somebody runs it who has just cloned the repository on a machine with
 * Node, npm and git: nothing is in any cache.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { parseServerFile } from "../../web/server/instance.ts";
import { ROOT } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

/** The promise is a minute; a machine that runs other tests beside may take longer. */
const START_MS = 180_000;

/** What a clone would have if the working tree were committed. */
async function clone(folder: string): Promise<void> {
  const listed = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: ROOT,
  }).output();
  const files = new TextDecoder().decode(listed.stdout).split("\0").filter((file) => file !== "");
  assert.ok(files.includes("main.ts"), "this is a git repository");
  for (const file of files) {
    await Deno.mkdir(dirname(join(folder, file)), { recursive: true });
    await Deno.copyFile(join(ROOT, file), join(folder, file)).catch((error) => {
      // Deleted and not committed yet.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

/** How this machine reaches the registry: proxies and certificates. */
function networkSettings(): Readonly<Record<string, string>> {
  const isOne = /proxy|_cert|_ca_|ca_bundle|ca_store|^npm_config_registry$/i;
  return Object.fromEntries(Object.entries(Deno.env.toObject()).filter(([name]) => isOne.test(name)));
}

Deno.test("fresh clone: npx deno task start prints an address, and its page works", async () => {
  const folder = await Deno.makeTempDir({ prefix: "idea-clone-" });
  const [repository, home, dataFolder] = ["repository", "home", "data"].map((name) => join(folder, name));
  if (repository === undefined || home === undefined || dataFolder === undefined) throw new Error("three names");
  await Deno.mkdir(home);
  await clone(repository);
  const begunMs = performance.now();
  const starting = new Deno.Command("npx", {
    args: ["-y", "deno@2.9.6", "task", "start"],
    cwd: repository,
    clearEnv: true,
    env: { ...networkSettings(), PATH: Deno.env.get("PATH") ?? "", HOME: home, IDEA_HOME: dataFolder, CI: "true" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  const decoder = new TextDecoder();
  const listening = [starting.stdout, starting.stderr].map(async (stream) => {
    for await (const bytes of stream) said += decoder.decode(bytes, { stream: true });
  });
  const readServer = async () =>
    parseServerFile(await Deno.readTextFile(join(dataFolder, "server.json")).catch(() => ""));
  let ended = false;
  void starting.status.then(() => ended = true);
  try {
    await waitFor("it prints an address", () => {
      assert.ok(!ended, said);
      return /^Open http\S+$/m.test(said);
    }, START_MS);
    console.log(`the address is there after ${Math.round((performance.now() - begunMs) / 1000)} s`);
    const address = /^Open (http\S+)$/m.exec(said)?.[1] ?? assert.fail(said);
    const signedIn = await fetch(address, { redirect: "manual" });
    await signedIn.body?.cancel();
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie");
    const page = await fetch(new URL("/", address), { headers: { cookie } });
    assert.equal(page.status, 200);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? assert.fail("no script");
    const asset = await fetch(new URL(script, address), { headers: { cookie } });
    assert.equal(asset.status, 200);
    assert.ok((await asset.text()).length > 10_000);
  } finally {
    const server = await readServer();
    // The commands around the server end with it.
    if (server !== undefined) Deno.kill(server.pid, "SIGTERM");
    else if (!ended) starting.kill("SIGTERM");
    await starting.status;
    await Promise.all(listening);
    await Deno.remove(folder, { recursive: true });
  }
});
