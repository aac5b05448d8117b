import assert from "node:assert/strict";
import { join } from "node:path";
import { COMMAND_NAMES, specOf } from "../../cli/commands.ts";
import { formatCompletions, SHELLS } from "../../cli/completions.ts";
import type { Need } from "../helpers/requires.ts";
import { requires } from "../helpers/requires.ts";

async function has(program: string): Promise<Need> {
  try {
    await new Deno.Command(program, { args: ["--version"] }).output();
    return { met: true, path: program };
  } catch {
    return { met: false, reason: `needs ${program}` };
  }
}

Deno.test("completions: every shell has every command and every option", () => {
  for (const shell of SHELLS) {
    const text = formatCompletions(shell);
    for (const name of COMMAND_NAMES) {
      for (const word of name.split(" ")) assert.ok(text.includes(word), `${shell}: ${word}`);
      if (name === "help" || name === "completions") continue;
      for (const option of Object.keys(specOf(name).options)) assert.ok(text.includes(option), `${shell}: ${option}`);
    }
  }
});

/** What bash offers at the end of that line; an `idea` that knows two agents is in PATH. */
async function bashOffers(line: readonly string[]): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const agents = JSON.stringify([{ agentId: "a1", name: "Ada" }, { agentId: "b1", name: "Big Bob" }], null, 2);
    await Deno.writeTextFile(join(folder, "idea"), `#!/bin/sh\ncat <<'X'\n${agents}\nX\n`, { mode: 0o755 });
    const script = `${formatCompletions("bash")}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}
_idea; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const run = await new Deno.Command("bash", {
      args: ["--norc", "-c", script],
      clearEnv: true,
      env: { PATH: `${folder}:/usr/bin:/bin` },
      cwd: folder,
    }).output();
    assert.equal(new TextDecoder().decode(run.stderr), "");
    return new TextDecoder().decode(run.stdout).split("\n").filter((word) => word !== "").toSorted();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "completions: bash offers commands, subcommands, options and the agents that are there",
  ...requires(await has("bash")),
  async fn() {
    assert.deepEqual(await bashOffers(["idea", "la"]), ["launch", "layouts"]);
    assert.deepEqual(await bashOffers(["idea", "terminals", "re"]), ["read", "resize"]);
    assert.deepEqual(await bashOffers(["idea", "layouts", "re"]), ["redo", "remove", "rename"]);
    assert.deepEqual(await bashOffers(["idea", "ask", "Ada", "--w"]), ["--wait"]);
    assert.deepEqual(await bashOffers(["idea", "terminals", "wait", "--t"]), ["--timeout"]);
    assert.deepEqual(await bashOffers(["idea", "stop", ""]), ["Ada", "Big Bob"]);
    assert.deepEqual(await bashOffers(["idea", "completions", "z"]), ["zsh"]);
    assert.deepEqual(await bashOffers(["idea", "open", ""]), ["idea"]);
  },
});
