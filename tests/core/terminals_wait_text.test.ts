import assert from "node:assert/strict";
import { openPlayed, settle, setup } from "./terminals_setup.ts";

Deno.test("text that is there already, also above the screen, is found at once", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  program.output(`ready: 42\n${"line\n".repeat(100)}`);
  const found = await parts.terminals.waitText(sessionId, { pattern: "ready: \\d+", timeoutMs: 1000 });
  assert.ok(found.ok && found.value.kind === "found");
  assert.equal(found.value.line, "ready: 42");
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("text that comes later is found, however many lines come with it", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const waiting = parts.terminals.waitText(sessionId, { pattern: "^ready$", timeoutMs: 1000 });
  await settle();
  program.output("nothing yet\n");
  await settle();
  program.output(`ready\n${"line\n".repeat(500)}`);
  await settle();
  parts.clock.advance(50);
  const found = await waiting;
  assert.ok(found.ok && found.value.kind === "found");
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("the wait ends with its time, or with the program", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  const timed = parts.terminals.waitText(sessionId, { pattern: "never", timeoutMs: 1000 });
  await settle();
  parts.clock.advance(1000);
  const result = await timed;
  assert.ok(result.ok);
  assert.equal(result.value.kind, "timedOut");
  const ended = parts.terminals.waitText(sessionId, { pattern: "never", timeoutMs: 1000 });
  await settle();
  program.exit({ kind: "exited", code: 0 });
  const exited = await ended;
  assert.ok(exited.ok && exited.value.kind === "exited");
  assert.deepEqual(exited.value.exit, { kind: "exited", code: 0 });
});

Deno.test("a session that is closed under a wait ends it", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const waiting = parts.terminals.waitText(sessionId, { pattern: "never", timeoutMs: 1000 });
  await settle();
  await parts.terminals.close(sessionId);
  const ended = await waiting;
  assert.ok(ended.ok);
  assert.equal(ended.value.kind, "exited");
});

Deno.test("a pattern that is none, or too long, is refused", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  for (const pattern of ["(", "x".repeat(1001)]) {
    const refused = await parts.terminals.waitText(sessionId, { pattern, timeoutMs: 1 });
    assert.equal(refused.ok, false);
  }
});
