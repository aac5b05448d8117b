import assert from "node:assert/strict";
import { join } from "node:path";
import { formatLine, openLog } from "../../adapters/log/mod.ts";

Deno.test("log: one object a line, errors with their stack", async () => {
  const folder = await Deno.makeTempDir();
  try {
    {
      await using log = await openLog(join(folder, "logs"));
      log.info("started", { pid: 1 });
      log.error("defect", { error: new Error("boom") });
    }
    const lines = (await Deno.readTextFile(join(folder, "logs", "idea.jsonl"))).trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    assert.deepEqual(lines.map(({ level, message }) => [level, message]), [["info", "started"], ["error", "defect"]]);
    assert.equal(lines[1].error.message, "boom");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("log: nothing that is or looks like a secret is written", () => {
  const key = "a".repeat(43);
  const line = formatLine({
    token: "t0p",
    nested: { apiKey: "k" },
    url: "http://127.0.0.1:1/?token=abc&x=1",
    opened: "/?code=once",
    header: "Bearer xyz",
    text: key,
    plain: "stays",
  });
  for (const secret of ["t0p", '"k"', "abc", "once", "xyz", key]) assert.equal(line.includes(secret), false, secret);
  assert.match(line, /stays/);
});

Deno.test("log: a folder that cannot be made is no reason to fail", async () => {
  const file = await Deno.makeTempFile();
  try {
    await using log = await openLog(join(file, "logs"));
    log.info("started", {});
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("log: a full file is rotated, and the old ones are bounded", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (let round = 0; round < 6; round++) {
      await Deno.writeTextFile(join(folder, "idea.jsonl"), "x".repeat(4 * 1024 * 1024 + 1));
      await using log = await openLog(folder);
      log.info("next", { round });
    }
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["idea.1.jsonl", "idea.2.jsonl", "idea.3.jsonl", "idea.jsonl"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
