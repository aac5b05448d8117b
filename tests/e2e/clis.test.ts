/** That the kit is true to life: each real CLI, run once without a terminal in a prepared home, takes it for its model. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathOf, requires } from "../helpers/requires.ts";
import { cli, type CliName, NEEDED, optional } from "./clis.ts";
import { startFakeAnthropic } from "./kit/anthropic.ts";
import { startFakeGemini } from "./kit/gemini.ts";
import { prepareHome } from "./kit/home.ts";
import type { ModelServer } from "./kit/model_server.ts";
import { startFakeOpenai } from "./kit/openai.ts";

interface Headless {
  readonly name: CliName;
  readonly start: () => Promise<ModelServer>;
  readonly args: readonly string[];
}

const CLIS: readonly Headless[] = [
  { name: "claude", start: startFakeAnthropic, args: ["-p", "--output-format", "text"] },
  { name: "codex", start: startFakeOpenai, args: ["exec", "--skip-git-repo-check"] },
  { name: "gemini", start: startFakeGemini, args: ["-p"] },
  { name: "opencode", start: startFakeOpenai, args: ["run"] },
];

for (const { name, start, args } of CLIS) {
  const need = cli(name);
  const condition = NEEDED.includes(name) ? requires(need) : optional(need);

  Deno.test({
    name: `real ${name}: answers what the scripted model says`,
    ...condition,
    async fn() {
      await using model = await start();
      model.setScript([{ match: /17 × 23/, steps: ["say It is 391."] }]);
      const root = await Deno.makeTempDir();
      const [home, cwd] = [join(root, "home"), join(root, "project")];
      await Promise.all([Deno.mkdir(home), Deno.mkdir(cwd)]);
      try {
        const env = await prepareHome(name, { home, cwd, url: model.url });
        const run = await new Deno.Command(pathOf(need), {
          args: [...args, "how much is 17 × 23?"],
          cwd,
          clearEnv: true,
          env: {
            PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
            HOME: home,
            TERM: "xterm-256color",
            ...env,
          },
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
          signal: AbortSignal.timeout(90_000),
        }).output();
        const [stdout, stderr] = [run.stdout, run.stderr].map((bytes) => new TextDecoder().decode(bytes));
        assert.equal(run.code, 0, stderr);
        assert.match(stdout ?? "", /It is 391\./);
        // opencode puts quotes around it.
        assert.ok(model.log().some(({ turn }) => turn?.userText.includes("how much is 17 × 23?")));
        assert.deepEqual(model.log().filter(({ unhandled }) => unhandled).map(({ path }) => path), []);
      } finally {
        await Deno.remove(root, { recursive: true });
      }
    },
  });
}
