/** Opening a window for real, with browsers that are shell scripts. */
import assert from "node:assert/strict";
import { join } from "node:path";

const MODULE = new URL("../../adapters/webview/open.ts", import.meta.url);

/** What openWindow says on a machine that has these programs, and what each of them was given. */
async function open(programs: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, script] of Object.entries(programs)) {
      const text = `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/${name}.args'\n${script}\n`;
      await Deno.writeTextFile(join(folder, name), text, { mode: 0o755 });
    }
    const code = `import { openWindow } from "${MODULE}";
      const shown = await openWindow("http://127.0.0.1:1/", "/data/window");
      if (shown.kind !== "nothing") try { Deno.kill(shown.pid, "SIGTERM"); } catch { /* it has ended well */ }
      console.log(shown.kind);`;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", "--ext=ts", `data:application/typescript,${encodeURIComponent(code)}`],
      clearEnv: true,
      env: { PATH: `${folder}:/bin`, HOME: folder, DISPLAY: ":77", DENO_DIR: join(folder, "deno") },
      signal: AbortSignal.timeout(30_000),
    }).output();
    const decoder = new TextDecoder();
    const given = async (name: string) =>
      (await Deno.readTextFile(join(folder, `${name}.args`)).catch(() => "")).split("\n").filter((line) => line !== "");
    return {
      shown: decoder.decode(stdout).trim(),
      stderr: decoder.decode(stderr),
      chromium: await given("chromium"),
      xdgOpen: await given("xdg-open"),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "window: a browser that stays up is the window",
  ignore,
  async fn() {
    const { shown, chromium, xdgOpen, stderr } = await open({ chromium: "exec sleep 20", "xdg-open": "exit 0" });
    assert.deepEqual({ shown, xdgOpen, stderr }, { shown: "app", xdgOpen: [], stderr: "" });
    assert.deepEqual(chromium.slice(0, 2), ["--app=http://127.0.0.1:1/", "--user-data-dir=/data/window"]);
  },
});

Deno.test({
  name: "window: when it fails the person's browser is asked, and when nothing works nothing is shown",
  ignore,
  async fn() {
    const second = await open({ chromium: "exit 1", "xdg-open": "exit 0" });
    assert.deepEqual([second.shown, second.xdgOpen], ["browser", ["http://127.0.0.1:1/"]]);
    assert.equal((await open({ chromium: "exit 1", "xdg-open": "exit 3" })).shown, "nothing");
  },
});
