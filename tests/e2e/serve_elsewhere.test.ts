/** `idea serve --host`: the permission set allows the loopback alone, so IdeA starts itself once more. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { parseServerFile } from "../../web/server/instance.ts";
import { ROOT } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

const START_MS = 60_000;

Deno.test({
  name: "serve: on all addresses it warns, asks for the token there too, and ends with its first process",
  ignore: Deno.build.os === "windows",
  async fn() {
    const dataFolder = await Deno.makeTempDir({ prefix: "idea-e2e-" });
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-P", "--no-prompt", join(ROOT, "main.ts"), "serve", "--no-open", "--host", "0.0.0.0"],
      env: { IDEA_HOME: dataFolder },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let said = "";
    const decoder = new TextDecoder();
    const listening = (async () => {
      for await (const bytes of child.stderr) said += decoder.decode(bytes, { stream: true });
    })();
    try {
      await waitFor("it answers", () => said.includes("Open http"), START_MS);
      assert.match(said, /^IdeA listens on 0\.0\.0\.0:\d+, which other machines may reach/m);
      const server = parseServerFile(await Deno.readTextFile(join(dataFolder, "server.json"))) ?? assert.fail();
      assert.notEqual(server.pid, child.pid, "a process of its own has the wider permission");
      const outside = Deno.networkInterfaces().find(({ address, family }) =>
        family === "IPv4" && !address.startsWith("127.")
      );
      const address = `http://${outside?.address ?? "127.0.0.1"}:${new URL(server.url).port}/api/health`;
      const statuses = [];
      for (const headers of [{}, { authorization: `Bearer ${server.token}` }]) {
        const response = await fetch(address, { headers });
        statuses.push(response.status);
        await response.body?.cancel();
      }
      assert.deepEqual(statuses, [401, 200]);
    } finally {
      child.kill("SIGTERM");
      assert.equal((await child.status).code, 0);
      await listening;
      await assert.rejects(Deno.stat(join(dataFolder, "server.json")), Deno.errors.NotFound);
      await Deno.remove(dataFolder, { recursive: true });
    }
  },
});
