import assert from "node:assert/strict";
import { createClock } from "../../adapters/clock/mod.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";

Deno.test("clock: timers fire once, at once for a negative delay, and never when disposed", async () => {
  const clock = createClock();
  const fired: string[] = [];
  clock.startTimer(0, () => fired.push("disposed"))[Symbol.dispose]();
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.startTimer(-5, () => fired.push("negative"));
  const startMs = clock.monotonicMs();
  clock.startTimer(20, () => resolve());
  await promise;
  assert.deepEqual(fired, ["negative"]);
  assert.ok(clock.monotonicMs() - startMs >= 15);
  assert.ok(Math.abs(clock.nowMs() - Date.now()) < 1_000);
});

Deno.test("clock: a delay of more than 32 bits does not fire at once", async () => {
  const clock = createClock();
  let fired = false;
  using _far = clock.startTimer(2 ** 31 + 5, () => fired = true);
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.startTimer(20, () => resolve());
  await promise;
  assert.equal(fired, false);
});

Deno.test("ids: ids are random UUIDs, secrets have 256 bits of URL-safe text", () => {
  const entropy = createEntropy();
  const ids = new Set(Array.from({ length: 1_000 }, () => entropy.newId()));
  assert.equal(ids.size, 1_000);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const secrets = new Set(Array.from({ length: 1_000 }, () => entropy.newSecret()));
  assert.equal(secrets.size, 1_000);
  for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
  const random = Array.from({ length: 1_000 }, () => entropy.random());
  assert.ok(random.every((value) => value >= 0 && value < 1));
});
