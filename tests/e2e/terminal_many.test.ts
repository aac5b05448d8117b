/** Many terminals in one page: more than the browser has WebGL contexts for, opened and closed again and again. */
import { PATIENCE_MS, startTerminalPage } from "../helpers/terminal_page.ts";
import assert from "node:assert/strict";
import { chromium, requires } from "../helpers/requires.ts";
import type { Kit } from "../helpers/terminal_page_entry.ts";
import { waitFor } from "../helpers/wait_for.ts";

declare const kit: Kit;

const COUNT = 20;
const ROUNDS = 30;
/** An empty terminal of this size is a picture of a few hundred bytes. */
const DRAWN_BYTES = 2_500;

Deno.test({
  name: `${COUNT} terminals, opened and closed ${ROUNDS} times, all draw`,
  ...requires(chromium()),
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using parts = await startTerminalPage(["--enable-unsafe-swiftshader"]);
    const text = Array.from({ length: 6 }, (_, n) => `echo ${n} the quick brown fox`).join("; ");
    const sessionIds = await Promise.all(
      Array.from({ length: COUNT }, () => parts.openSession(["/bin/sh", "-c", `${text}; read x`])),
    );
    const { page, errors } = await parts.openPage();
    const devtools = await page.context().newCDPSession(page);
    const cells = sessionIds.map((sessionId, n) => ({ cell: `t${n}`, sessionId }));

    const openAll = async () => {
      await page.evaluate((cells) => cells.forEach(({ cell, sessionId }) => kit.open(cell, sessionId)), cells);
      await waitFor(
        "all are attached",
        () => page.evaluate((cells) => cells.every(({ cell }) => kit.view(cell).status.value === "live"), cells),
        PATIENCE_MS,
      );
    };
    const closeAll = () => page.evaluate((cells) => cells.forEach(({ cell }) => kit.close(cell)), cells);
    const heapBytes = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize;
    };

    // What was closed a moment ago still has a frame or an import under way.
    const settledHeapBytes = async () => {
      let last = Infinity;
      await waitFor("the page is at rest", async () => {
        const before = last;
        last = await heapBytes();
        return last > before * 0.99;
      }, PATIENCE_MS);
      return last;
    };

    let early = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      await openAll();
      if (round < ROUNDS) await closeAll();
      if (round === 5) early = await settledHeapBytes();
      if (round === ROUNDS - 1) {
        await waitFor("what is closed is freed", async () => await heapBytes() < early * 1.2 + 1e6, PATIENCE_MS);
      }
    }

    const contexts = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("canvas")].filter((canvas) => canvas.getContext("webgl2") !== null).length
      );
    await waitFor("some draw with WebGL", async () => await contexts() > 0, PATIENCE_MS);
    assert.ok(await contexts() <= 12);
    for (const { cell } of cells) {
      await waitFor(
        `${cell} draws`,
        async () => (await page.locator(`#${cell}`).screenshot()).length > DRAWN_BYTES,
        PATIENCE_MS,
      );
    }
    assert.deepEqual(errors, []);
    assert.deepEqual(parts.defects, []);
  },
});
