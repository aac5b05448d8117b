/** The programs port on the real system: the allow-list, its bounds, and shells that behave as badly as they do. */
import assert from "node:assert/strict";
import { createPrograms, type ProgramsOptions } from "../../adapters/process/programs.ts";
import { waitFor } from "../helpers/wait_for.ts";

const isUnix = Deno.build.os !== "windows";
const PATH = "/usr/local/bin:/usr/bin:/bin";

interface Person {
  readonly home: string;
  readonly programs: (options?: Partial<ProgramsOptions>) => ReturnType<typeof createPrograms>;
  file(name: string, text: string, mode?: number): Promise<string>;
}

function test(what: string, body: (person: Person) => Promise<void>): void {
  Deno.test({
    name: `programs: ${what}`,
    ignore: !isUnix,
    async fn() {
      const home = await Deno.realPath(await Deno.makeTempDir());
      const file = async (name: string, text: string, mode = 0o755) => {
        await Deno.writeTextFile(`${home}/${name}`, text, { mode });
        return `${home}/${name}`;
      };
      const env = { PATH, HOME: home, SHELL: "/bin/sh", LC_ALL: "C" };
      try {
        await body({
          home,
          file,
          programs: (options) => createPrograms({ allows: () => true, env, ...options }),
        });
      } finally {
        await Deno.remove(home, { recursive: true });
      }
    },
  });
}

const hasEnded = async (pid: number) => !(await Deno.lstat(`/proc/${pid}`).then(() => true, () => false));

test("gives code and output of a program that is allowed", async ({ programs, home }) => {
  await using runner = programs({ allows: (program) => program === "sh" });
  const ran = await runner.run(["sh", "-c", "echo out; echo err >&2; pwd; exit 3"], { timeoutMs: 10_000, cwd: home });
  assert.deepEqual(ran, { ok: true, value: { code: 3, stdout: `out\n${home}\n`, stderr: "err\n" } });
});

test("runs nothing else, and a path only as what an allowed name means", async ({ programs, file }) => {
  await using runner = programs({ allows: (program) => program === "sh" });
  const run = async (program: string) => {
    const ran = await runner.run([program, "-c", "exit 0"], { timeoutMs: 10_000 });
    return ran.ok ? "ran" : ran.error.kind;
  };
  assert.equal(await run("bash"), "notAllowed");
  assert.equal(await run(await file("sh", "#!/bin/sh\n")), "notAllowed");
  assert.equal(await run("./sh"), "notAllowed");
  const found = await runner.find("sh");
  assert.ok(found !== undefined);
  assert.equal(await run(found), "ran");
});

test("finds what the login PATH has, and only what can be run", async ({ programs, home, file }) => {
  await file(".profile", `PATH="${home}:$PATH"\nexport PATH\n`);
  await file("my-tool", "#!/bin/sh\n");
  await file("my-text", "text", 0o644);
  await Deno.mkdir(`${home}/my-folder`);
  await using runner = programs();
  assert.equal(await runner.find("my-tool"), `${home}/my-tool`);
  assert.equal(await runner.find(`${home}/my-tool`), `${home}/my-tool`);
  assert.equal(await runner.find("my-text"), undefined);
  assert.equal(await runner.find("my-folder"), undefined);
  assert.equal(await runner.find("../my-tool"), undefined);
  assert.deepEqual(await runner.run(["my-text"], { timeoutMs: 1_000 }), {
    ok: false,
    error: { kind: "notFound", program: "my-text" },
  });
});

test("a folder that is not there is not a program that is not there", async ({ programs, home }) => {
  await using runner = programs();
  const ran = await runner.run(["true"], { timeoutMs: 10_000, cwd: `${home}/no` });
  assert.equal(ran.ok ? "ran" : ran.error.kind, "io");
});

test("ends all of a program that takes too long", async ({ programs }) => {
  await using runner = programs({ outputLimitBytes: 1_000 });
  await runner.loginEnvironment();
  const script = "sleep 60 & echo $! > pid; wait";
  const folder = await Deno.makeTempDir();
  const ran = await runner.run(["sh", "-c", script], { timeoutMs: 400, cwd: folder });
  assert.deepEqual(ran, { ok: false, error: { kind: "timedOut", program: "sh", timeoutMs: 400 } });
  const child = Number(await Deno.readTextFile(`${folder}/pid`));
  if (Deno.build.os === "linux") await waitFor("the child's end", () => hasEnded(child));
  await Deno.remove(folder, { recursive: true });
});

test("ends a program that prints without end", async ({ programs }) => {
  await using runner = programs({ outputLimitBytes: 100_000 });
  for (const script of ["yes", "yes >&2"]) {
    assert.deepEqual(await runner.run(["sh", "-c", script], { timeoutMs: 20_000 }), {
      ok: false,
      error: { kind: "outputTooLong", program: "sh", limitBytes: 100_000 },
    });
  }
  const exact = await runner.run(["sh", "-c", "head -c 100000 /dev/zero"], { timeoutMs: 20_000 });
  assert.equal(exact.ok && exact.value.stdout.length, 100_000);
});

test("does not wait for what a program leaves in the background", async ({ programs }) => {
  await using runner = programs();
  const ran = await runner.run(["sh", "-c", "sleep 5 & echo $!"], { timeoutMs: 4_000 });
  assert.ok(ran.ok);
  Deno.kill(Number(ran.value.stdout), "SIGKILL");
});

test("dispose ends what still runs", async ({ programs }) => {
  const runner = programs();
  await runner.loginEnvironment();
  const running = runner.run(["sleep", "60"], { timeoutMs: 60_000 });
  await runner[Symbol.asyncDispose]();
  const ran = await running;
  assert.equal(ran.ok ? "ran" : ran.error.kind, "io");
});

test("login environment: what start-up files set, whatever they print, and nothing of the shell's own", async ({ programs, home, file }) => {
  await file(
    ".profile",
    'echo "Welcome back"; printf "\\033[1mhello\\n"\n' +
      'export PATH=/theirs:/usr/bin GREETING="two\nlines=2" EDITOR=vim TERM=weird\nunset LC_ALL\nread answer\ncd /\n',
  );
  await using runner = programs();
  const env = await runner.loginEnvironment();
  const path = "/theirs:/usr/bin:/usr/local/bin:/bin";
  assert.deepEqual(env, { PATH: path, HOME: home, SHELL: "/bin/sh", GREETING: "two\nlines=2", EDITOR: "vim" });
  assert.equal(await runner.loginEnvironment(), env);
});

test("login environment: bash with its own start-up file", async ({ programs, home, file }) => {
  await file(".bash_profile", ". ~/.bashrc\n");
  await file(".bashrc", '[ -z "$PS1" ] && return\nexport FROM_RC=1\n');
  await using runner = programs({ env: { PATH, HOME: home, SHELL: "/bin/bash" } });
  assert.equal((await runner.loginEnvironment())["FROM_RC"], "1");
});

for (
  const [what, profile] of [
    ["hangs", "sleep 60"],
    ["ends at once", "exit 1"],
    ["becomes something else", "exec true"],
    ["floods", "exec yes"],
    ["stops itself", "kill -STOP $$"],
  ] as const
) {
  test(`login environment: a shell that ${what} is given up, and ours is used`, async ({ programs, home, file }) => {
    await file(".profile", profile);
    await using runner = programs({
      env: { PATH, HOME: home, SHELL: "/bin/sh", TERM: "xterm", APPDIR: "/a", LD_LIBRARY_PATH: "/a/lib" },
      loginTimeoutMs: 1_500,
    });
    assert.deepEqual(await runner.loginEnvironment(), { PATH, HOME: home, SHELL: "/bin/sh" });
  });
}

test("login environment: a shell that hangs after its answer has answered", async ({ programs, file }) => {
  await file(".profile", "export ANSWERED=yes\ntrap 'sleep 60' EXIT\n");
  await using runner = programs({ loginTimeoutMs: 1_500 });
  assert.equal((await runner.loginEnvironment())["ANSWERED"], "yes");
});

test("login environment: a shell that is not there, or speaks another language, is not asked", async ({ programs, home }) => {
  for (const SHELL of ["/no/such/sh", "/usr/bin/env"]) {
    await using runner = programs({ env: { PATH, HOME: home, SHELL } });
    assert.deepEqual(await runner.loginEnvironment(), { PATH, HOME: home, SHELL });
  }
});
