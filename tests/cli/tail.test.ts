import assert from "node:assert/strict";
import { plainWriter } from "../../cli/tail.ts";
import { setup as setupTerminals, size } from "../core/terminals_setup.ts";
import { createFakeApp, projectId } from "../fakes/app.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { createShell, serve } from "./cli_setup.ts";

Deno.test("tail: prints what comes from now on, and ends with the program", async () => {
  const played = setupTerminals();
  const fake = createFakeApp(played.clock);
  // Sessions that can be watched: the app's other parts are not asked.
  const app = { ...fake, terminals: played.terminals };
  await using shell = await createShell();
  await using _server = await serve(shell, { app, clock: played.clock, terminals: played.terminals });
  const opened = await played.terminals.open({ projectId, cwd: "/", argv: ["x"], size });
  assert.ok(opened.ok);
  const program = played.pty.programs.at(-1) ?? assert.fail();
  program.output("before\r\n");
  let heard = "";
  const tailing = shell.run(["tail", opened.value.sessionId], { onOut: (text) => heard += text });
  // Whether it watches already is not to be seen from outside, so the program goes on until it is heard.
  await waitFor("it watches", () => {
    program.output("\u001b[31mtick\u001b[0m\r\n");
    return heard.includes("tick\n");
  });
  program.output("last\r\n");
  program.exit({ kind: "exited", code: 0 });
  const ran = await tailing;
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^(tick\n)+last\n$/);
});

Deno.test("tail: escape sequences and characters that are cut by a chunk are whole, or not there", () => {
  const text = "a\u001b[1;31mré\u001b]0;title\u0007d\u001b[0m — ü\r\nend";
  const bytes = new TextEncoder().encode(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    let written = "";
    const write = plainWriter((part) => written += part);
    write(bytes.slice(0, cut));
    write(bytes.slice(cut));
    assert.equal(written, "aréd — ü\nend", `cut at ${cut}`);
  }
});
