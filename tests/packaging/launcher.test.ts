/**
 * The shell part of the self-extracting executable, with a shell script in the place of Deno: what it unpacks, repairs,
 * refuses, and hands on.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createShellExecutable, pack } from "../../packaging/self_extracting.ts";
import { hostTarget, TARGETS } from "../../packaging/target.ts";
import { waitFor } from "../helpers/wait_for.ts";

const isUnix = Deno.build.os !== "windows";
const bytes = (text: string) => new TextEncoder().encode(text);

/** Says its arguments one a line; with "wait" as the last one it stays, and says when it is told to stop. */
const RUNTIME = `#!/bin/sh
for argument in "$@"; do printf '<%s>\\n' "$argument"; done
[ "\${IDEA_SELF:-}" ] && printf 'self=%s cache=%s user=%s\\n' "$IDEA_SELF" "$DENO_DIR" "\${IDEA_USER_DENO_DIR-none}"
eval "last=\\\${$#}"
[ "$last" = wait ] || exit 0
trap 'echo stopped; exit 7' TERM
echo "pid=$$"
while :; do sleep 0.05; done
`;

interface Packaged extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  readonly cache: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

interface RunOptions {
  readonly file?: string;
  readonly interpreter?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function packaged(fillerBytes = 0): Promise<Packaged> {
  const folder = await Deno.makeTempDir();
  const [file, cache] = [join(folder, "idea"), join(folder, "cache")];
  const target = TARGETS[hostTarget()] ?? assert.fail();
  const filler = crypto.getRandomValues(new Uint8Array(65_536));
  const template = join(fileURLToPath(import.meta.url), "../../../packaging/header.sh");
  await Deno.writeFile(
    file,
    createShellExecutable({
      ...{ name: "idea", version: "1.2.3", target, flags: ["--allow-net=127.0.0.1,[::1]", "--quiet"] },
      template: await Deno.readTextFile(template),
      runtime: pack([
        { name: "deno", bytes: bytes(RUNTIME), mode: 0o755 },
        ...Array.from(
          { length: fillerBytes / filler.length },
          (_, i) => ({ name: `f${i}`, bytes: filler, mode: 0o644 }),
        ),
      ]),
      app: pack([{ name: "main.js", bytes: bytes("main"), mode: 0o644 }]),
    }),
    { mode: 0o755 },
  );
  async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const [program = file, ...before] = [...(options.interpreter ?? []), options.file ?? file];
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args: [...before, ...args],
      clearEnv: true,
      env: options.env ?? { PATH: "/usr/bin:/bin", IDEA_CACHE: cache },
      cwd: options.cwd ?? folder,
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }
  return { folder, file, cache, run, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

async function entries(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).toSorted();
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `launcher: ${name}`, ignore: !isUnix, fn });
}

test("hands on every argument as it is, after the flags and main.js, and says nothing of its own", async () => {
  await using idea = await packaged();
  const args = ["a b", "it's", '"', "*", "$HOME", "", "new\nline"];
  const first = await idea.run(args);
  assert.deepEqual({ code: first.code, stderr: first.stderr }, { code: 0, stderr: "" });
  const main = join(idea.cache, (await entries(idea.cache)).find((name) => name.startsWith("app-")) ?? "", "main.js");
  const expected = ["run", "--allow-net=127.0.0.1,[::1]", "--quiet", main, ...args].map((arg) => `<${arg}>\n`);
  assert.ok(first.stdout.startsWith(expected.join("")), first.stdout);
  assert.equal(await Deno.readTextFile(main), "main");
});

test("names itself by its absolute path and keeps the person's DENO_DIR for whom it starts", async () => {
  await using idea = await packaged();
  const own = `self=${idea.folder}/idea cache=${idea.cache}/code-cache`;
  const relative = await idea.run([], { file: "idea", interpreter: ["/bin/sh"] });
  assert.ok(relative.stdout.includes(`${own} user=none\n`), relative.stdout);
  const env = { PATH: "/usr/bin:/bin", IDEA_CACHE: idea.cache, DENO_DIR: "/theirs" };
  const withTheirs = await idea.run([], { env });
  assert.ok(withTheirs.stdout.includes(`${own} user=/theirs\n`), withTheirs.stdout);
});

test("keeps its process id, its signals and its exit code", async () => {
  await using idea = await packaged();
  const out = join(idea.folder, "out");
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", `exec '${idea.file}' wait > '${out}'`],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", IDEA_CACHE: idea.cache },
  }).spawn();
  await waitFor("the program runs", async () => (await Deno.readTextFile(out).catch(() => "")).includes("pid="));
  child.kill("SIGTERM");
  assert.equal((await child.status).code, 7);
  const said = await Deno.readTextFile(out);
  assert.ok(said.includes(`pid=${child.pid}\n`) && said.endsWith("stopped\n"), said);
});

test("six first starts at once all run, and leave no litter", async () => {
  await using idea = await packaged(4 * 1024 * 1024);
  const runs = await Promise.all(Array.from({ length: 6 }, (_, i) => idea.run([`${i}`])));
  assert.deepEqual(runs.map(({ code, stdout }, i) => code === 0 && stdout.includes(`<${i}>`)), Array(6).fill(true));
  const left = await entries(idea.cache);
  assert.deepEqual(left.map((name) => name.split("-")[0]), ["app", "deno"]);
  const inside = await Promise.all(left.map((name) => entries(join(idea.cache, name))));
  assert.deepEqual(inside.flat().filter((name) => name.includes(".tmp.")), []);
});

test("repairs a cache that a cleaner has damaged", async () => {
  await using idea = await packaged();
  await idea.run([]);
  for (const [prefix, victim] of [["app-", "main.js"], ["deno-", "deno"], ["deno-", ".whole"]] as const) {
    const folder = (await entries(idea.cache)).find((name) => name.startsWith(prefix)) ?? "";
    await Deno.remove(join(idea.cache, folder, victim));
    assert.equal((await idea.run([])).code, 0);
    assert.ok((await entries(join(idea.cache, folder))).includes(victim), victim);
  }
});

test("killed while it unpacks, it leaves nothing that the next start takes for whole", async () => {
  await using idea = await packaged(24 * 1024 * 1024);
  const child = new Deno.Command(idea.file, {
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", IDEA_CACHE: idea.cache },
    stdout: "null",
  }).spawn();
  await waitFor(
    "it unpacks",
    async () => (await entries(idea.cache).catch(() => [])).some((name) => name.includes(".tmp.")),
  );
  child.kill("SIGTERM");
  assert.notEqual((await child.status).code, 0);
  assert.deepEqual((await entries(idea.cache)).filter((name) => !name.includes(".tmp.")), []);
  assert.equal((await idea.run([])).code, 0);
});

test("a truncated file is refused with a message and leaves nothing behind", async () => {
  await using idea = await packaged(1024 * 1024);
  const whole = await Deno.readFile(idea.file);
  for (const length of [whole.length - 1, whole.length - 500_000, 5000, 4096]) {
    const file = join(idea.folder, "short");
    await Deno.writeFile(file, whole.subarray(0, length), { mode: 0o755 });
    const cache = join(idea.folder, `cache-${length}`);
    const ran = await idea.run([], { file, env: { PATH: "/usr/bin:/bin", IDEA_CACHE: cache } });
    assert.equal(ran.code, 126, `${length} bytes: ${ran.stdout}`);
    assert.match(ran.stderr, /^idea: .*not whole/m);
    assert.equal(ran.stdout, "");
    assert.ok(!(await entries(cache)).some((name) => name.startsWith("app-")));
  }
});

test("runs through a symbolic link in PATH, by sh FILE, and from a path with spaces", async () => {
  await using idea = await packaged();
  const spaced = join(idea.folder, "a folder/an idea");
  await Deno.mkdir(dirname(spaced));
  await Deno.copyFile(idea.file, spaced);
  await Deno.symlink(spaced, join(idea.folder, "linked"));
  const env = { PATH: `${idea.folder}:/usr/bin:/bin`, IDEA_CACHE: idea.cache };
  const ways: readonly RunOptions[] = [
    { file: spaced },
    { file: "linked", interpreter: ["/usr/bin/env"], env, cwd: "/" },
    { file: "idea", interpreter: ["/bin/sh"] },
    { file: "./an idea", cwd: dirname(spaced) },
  ];
  for (const way of ways) {
    const ran = await idea.run(["x"], way);
    assert.ok(ran.code === 0 && ran.stdout.includes("<x>"), `${way.file}: ${ran.stderr}`);
  }
});

test("finds a cache without HOME, takes the person's when there is one, and says when there is none", async () => {
  await using idea = await packaged();
  const PATH = "/usr/bin:/bin";
  const [temp, home] = [join(idea.folder, "temp"), join(idea.folder, "home")];
  await Promise.all([temp, home].map((folder) => Deno.mkdir(folder)));
  assert.equal((await idea.run([], { env: { PATH, TMPDIR: temp } })).code, 0);
  assert.deepEqual(await entries(temp), [`idea-${Deno.uid()}`]);
  assert.equal((await idea.run([], { env: { PATH, HOME: home } })).code, 0);
  assert.equal(
    (await Deno.stat(join(home, Deno.build.os === "darwin" ? "Library/Caches" : ".cache", "idea"))).isDirectory,
    true,
  );
  const refused = await idea.run([], { env: { PATH, IDEA_CACHE: "/dev/null/x" } });
  assert.deepEqual([refused.code, refused.stdout], [126, ""]);
  assert.match(refused.stderr, /^idea: cannot write IDEA_CACHE/);
});
