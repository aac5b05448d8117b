import assert from "node:assert/strict";
import { join } from "node:path";
import { isUpAfter, startDetached } from "../../adapters/process/detached.ts";
import { findProgram } from "../../adapters/process/find_program.ts";
import { withoutLauncher } from "../../adapters/process/launcher_environment.ts";
import { selfCommand } from "../../adapters/process/self_command.ts";
import { waitFor } from "../helpers/wait_for.ts";

const isUnix = Deno.build.os !== "windows";

Deno.test("launcher environment: what our launcher put in is gone, and the person's DENO_DIR is back", () => {
  const ours = { IDEA_SELF: "/idea", DENO_DIR: "/ours", DENO_NO_UPDATE_CHECK: "1", IDEA_NET: "x", PATH: "/bin" };
  assert.deepEqual(withoutLauncher(ours), { PATH: "/bin" });
  assert.deepEqual(withoutLauncher({ ...ours, IDEA_USER_DENO_DIR: "/theirs" }), { PATH: "/bin", DENO_DIR: "/theirs" });
  const theirs = { DENO_DIR: "/theirs", DENO_NO_UPDATE_CHECK: "1" };
  assert.deepEqual(withoutLauncher(theirs), theirs);
});

Deno.test("self: the launcher's file, the compiled program, or deno with main.ts", () => {
  const self = { execPath: "/x/deno", mainModule: "file:///m.ts", standalone: false, env: {} };
  assert.deepEqual(selfCommand(self), ["/x/deno", "run", "--quiet", "-P", "--no-prompt", "file:///m.ts"]);
  assert.deepEqual(selfCommand({ ...self, standalone: true }), ["/x/deno"]);
  assert.deepEqual(selfCommand({ ...self, env: { IDEA_SELF: "/idea" } }), ["/idea"]);
});

Deno.test({
  name: "find program: by name in PATH, by path, and only what can be run",
  ignore: !isUnix,
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(join(folder, "tool"), "", { mode: 0o755 });
      await Deno.writeTextFile(join(folder, "text"), "", { mode: 0o644 });
      await Deno.mkdir(join(folder, "folder"));
      const path = `:/nowhere:${folder}`;
      assert.equal(findProgram("tool", path), join(folder, "tool"));
      assert.equal(findProgram(join(folder, "tool"), ""), join(folder, "tool"));
      assert.deepEqual(["text", "folder", "none"].map((name) => findProgram(name, path)), Array(3).fill(undefined));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "detached: is up while it runs, or when it has ended well; not when it failed or is not there",
  ignore: !isUnix,
  // What is unref'd on purpose outlives the test.
  sanitizeResources: false,
  async fn() {
    const start = (...argv: [string, ...string[]]) => {
      const started = startDetached(argv);
      return started.ok ? started.value : assert.fail(started.error.kind);
    };
    assert.equal(await isUpAfter(start("/bin/true"), 5_000), true);
    assert.equal(await isUpAfter(start("/bin/false"), 5_000), false);
    const sleeping = start("/bin/sleep", "30");
    assert.equal(await isUpAfter(sleeping, 20), true);
    Deno.kill(sleeping.pid, "SIGKILL");
    // Its end alone keeps no event loop alive, so that a command that started it may end before it.
    let code: number | undefined;
    void sleeping.ended.then((ended) => code = ended);
    await waitFor("it ended", () => code !== undefined);
    assert.notEqual(code, 0);
    const missing = startDetached(["/nowhere/program"]);
    assert.equal(missing.ok ? "started" : missing.error.kind, "notFound");
  },
});

Deno.test({
  name: "foreground: gives the exit code, and hands on the signal of whoever stops us",
  ignore: !isUnix,
  async fn() {
    const module = new URL("../../adapters/process/foreground.ts", import.meta.url);
    const run = (script: string) => {
      const argv = JSON.stringify(["/bin/sh", "-c", script]);
      const code =
        `import { runInForeground } from "${module}"; Deno.exit(await runInForeground(${argv}, { A: "b" }));`;
      return new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", "--ext=ts", `data:application/typescript,${encodeURIComponent(code)}`],
        stdout: "piped",
      }).spawn();
    };
    const ended = await run('echo "$A"; exit 9').output();
    assert.deepEqual([ended.code, new TextDecoder().decode(ended.stdout)], [9, "b\n"]);

    const folder = await Deno.makeTempDir();
    try {
      const ready = join(folder, "ready");
      const child = run(`trap 'exit 7' TERM; : > '${ready}'; while :; do sleep 0.05; done`);
      await waitFor("the program runs", () => findsFile(ready));
      child.kill("SIGTERM");
      assert.equal((await child.output()).code, 7);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

function findsFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
