/** Terminals in a real browser on real shells: what is drawn is what the server has, whatever happens in between. */
import { drawn, PATIENCE_MS, startTerminalPage, type TerminalPage, waitForDrawn } from "../helpers/terminal_page.ts";
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { SessionId } from "../../core/ids.ts";
import { WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium, requires } from "../helpers/requires.ts";
import type { Kit } from "../helpers/terminal_page_entry.ts";
import { waitFor } from "../helpers/wait_for.ts";

declare const kit: Kit;

const open = (page: Page, cell: string, sessionId: SessionId) =>
  page.evaluate(([cell, sessionId]) => kit.open(cell, sessionId), [cell, sessionId] as const);

async function assertSameScreen(parts: TerminalPage, page: Page, sessionId: SessionId): Promise<void> {
  await waitFor("the page shows what the server has", async () => {
    const [page_, server] = [await drawn(page, "a"), await parts.screen(sessionId)];
    return JSON.stringify(page_) === JSON.stringify(server);
  }, PATIENCE_MS);
}

Deno.test({
  name: "terminals in a browser",
  ...requires(chromium()),
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using parts = await startTerminalPage(WITHOUT_GPU);
    const { terminals } = parts;
    const type = (sessionId: SessionId, text: string) => terminals.write(sessionId, text, "script");

    await t.step("a person types in a shell, and the size is that of the view", async () => {
      const sessionId = await parts.openSession();
      const { page, errors } = await parts.openPage();
      await open(page, "a", sessionId);
      await page.click("#a");
      await page.keyboard.type("echo $((6 * 7)) is it; stty size");
      await page.keyboard.press("Enter");
      await waitForDrawn(page, "a", "42 is it");
      const { size } = terminals.get(sessionId) ?? assert.fail();
      await waitForDrawn(page, "a", `${size.rows} ${size.cols}`);
      assert.ok(size.cols > 100);
      await assertSameScreen(parts, page, sessionId);
      assert.deepEqual(errors, []);
      await page.close();
    });

    await t.step("reloaded in the middle of output, watched twice, cut off: nothing lost or doubled", async () => {
      const sessionId = await parts.openSession();
      const first = await parts.openPage();
      await open(first.page, "a", sessionId);
      await waitForDrawn(first.page, "a", "$");
      type(
        sessionId,
        "for i in $(seq 1 3000); do echo line $i; [ $((i % 100)) = 0 ] && sleep 0.05; done; echo ALL''DONE\r",
      );
      await waitForDrawn(first.page, "a", /line \d/);
      await first.page.reload();
      await open(first.page, "a", sessionId);
      const second = await parts.openPage();
      await open(second.page, "a", sessionId);
      await waitForDrawn(second.page, "a", /line \d/);
      parts.cutConnections();
      await waitForDrawn(first.page, "a", "ALLDONE");
      await waitForDrawn(second.page, "a", "ALLDONE");
      for (const { page } of [first, second]) {
        await assertSameScreen(parts, page, sessionId);
        // Every line once, in order, up to the first: what is above the screen is there too.
        assert.equal((await numbersOf(page)).join(), Array.from({ length: 3000 }, (_, n) => n + 1).join());
      }
      assert.deepEqual([...first.errors, ...second.errors], []);
      await first.page.close();
      await second.page.close();
    });

    await t.step("what is typed while the connection is gone arrives once", async () => {
      const sessionId = await parts.openSession();
      const { page, errors } = await parts.openPage();
      await open(page, "a", sessionId);
      await waitForDrawn(page, "a", "$");
      await page.click("#a");
      parts.cutConnections();
      await page.keyboard.type("echo typed in the gap");
      await page.keyboard.press("Enter");
      await waitForDrawn(page, "a", /^typed in the gap/);
      await assertSameScreen(parts, page, sessionId);
      assert.deepEqual(errors, []);
      await page.close();
    });

    await t.step(
      "a tab in the background gets nothing, holds nobody back, and is whole when it comes back",
      async () => {
        const sessionId = await parts.openSession();
        const { page, errors } = await parts.openPage();
        await open(page, "a", sessionId);
        await waitForDrawn(page, "a", "$");
        // A headless browser has no tabs to choose from: it is told what a browser tells of a tab in the background.
        const setHidden = (hidden: boolean) =>
          page.evaluate((hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
          }, hidden);
        await setHidden(true);
        type(sessionId, "seq 1 300000; echo ALL''DONE\r");
        const done = await terminals.waitText(sessionId, { pattern: "^ALLDONE", timeoutMs: PATIENCE_MS });
        assert.ok(done.ok && done.value.kind === "found", "nobody holds it back");
        assert.ok(!(await drawn(page, "a")).includes("ALLDONE"));
        await setHidden(false);
        await waitForDrawn(page, "a", "ALLDONE");
        await assertSameScreen(parts, page, sessionId);
        await page.click("#a");
        await page.keyboard.type("echo $((6 * 7)) again");
        await page.keyboard.press("Enter");
        await waitForDrawn(page, "a", "42 again");
        assert.deepEqual(errors, []);
        await page.close();
      },
    );

    await t.step("a hidden view gets nothing, and what it missed when it is shown", async () => {
      const sessionId = await parts.openSession();
      const { page } = await parts.openPage();
      await open(page, "a", sessionId);
      await waitForDrawn(page, "a", "$");
      await page.evaluate(() => kit.view("a").setVisible(false));
      type(sessionId, "seq 1 200000; echo ALL''DONE\r");
      const done = await terminals.waitText(sessionId, { pattern: "^ALLDONE", timeoutMs: PATIENCE_MS });
      assert.ok(done.ok && done.value.kind === "found", "nobody holds it back");
      assert.ok(!(await drawn(page, "a")).includes("ALLDONE"));
      await page.evaluate(() => kit.view("a").setVisible(true));
      await waitForDrawn(page, "a", "ALLDONE");
      await assertSameScreen(parts, page, sessionId);
      await page.close();
    });

    await t.step("the focused window sets the size, a preview never does", async () => {
      const sessionId = await parts.openSession();
      const [large, small] = [await parts.openPage(), await parts.openPage()];
      await small.page.setViewportSize({ width: 500, height: 300 });
      const size = () => terminals.get(sessionId)?.size ?? assert.fail();
      await open(large.page, "a", sessionId);
      await waitFor("the first sets it", () => size().cols > 100, PATIENCE_MS);
      const first = size();
      await small.page.evaluate((id) => kit.open("a", id, { preview: true }), sessionId);
      await waitForDrawn(small.page, "a", "$");
      assert.deepEqual(size(), first);
      await small.page.evaluate((id) => (kit.close("a"), kit.open("a", id)), sessionId);
      await waitForDrawn(small.page, "a", "$");
      assert.deepEqual(size(), first);
      await small.page.click("#a");
      await waitFor("the focused one sets it", () => size().cols < 80, PATIENCE_MS);
      await assertSameScreen(parts, small.page, sessionId);
      await assertSameScreen(parts, large.page, sessionId);
      await large.page.close();
      await small.page.close();
    });

    await t.step(
      "a program's queries are answered once, with and without a page, and never after a reload",
      async () => {
        const script = `import os,sys,termios,tty,select
old=termios.tcgetattr(0); tty.setraw(0)
os.write(1, b"\\x1b[c\\x1b[>c\\x1b[5n\\x1b[6n\\x1b]11;?\\x07\\x1b[?2004$p\\x1b[>q\\x1b[?u\\x1bP$qm\\x1b\\\\\\x1b[14t\\x1b[?1004h\\x1b[?1004l")
got=b""
while select.select([0],[],[],1.5)[0]: got+=os.read(0,4096)
termios.tcsetattr(0,termios.TCSADRAIN,old)
print("answers:", got.count(b"\\x1b[?6"), got.count(b"\\x1b[>"), got.count(b"\\x1b[0n"), got.count(b"R"), got.count(b"]11;"), got.count(b"2004;"), got.count(b"|IdeA"), got.count(b"u"), got.count(b"1$r"), got.count(b"[4;"), got.count(b"[I")+got.count(b"[O"))
`;
        const sessionId = await parts.openSession();
        const { page } = await parts.openPage();
        await open(page, "a", sessionId);
        await waitForDrawn(page, "a", "$");
        await page.click("#a");
        const path = await Deno.makeTempFile({ suffix: ".py" });
        await Deno.writeTextFile(path, script);
        type(sessionId, `clear; python3 ${path}\r`);
        await waitForDrawn(page, "a", "answers: 1 1 1 1 1 1 1 1 1 1 0");
        await page.reload();
        await open(page, "a", sessionId);
        await waitForDrawn(page, "a", "answers:");
        await page.click("#a");
        await page.keyboard.type("echo end");
        await waitForDrawn(page, "a", /^\$ echo end$/);
        await Deno.remove(path);
        await page.close();
      },
    );

    assert.deepEqual(parts.defects, []);
  },
});

/** All lines of `line N`, from the top of the scrollback down, page by page as a person scrolls. */
async function numbersOf(page: Page): Promise<readonly number[]> {
  await page.click("#a");
  const found = new Set<number>();
  const read = async () => {
    for (const row of await drawn(page, "a")) {
      const match = /^line (\d+)$/.exec(row);
      if (match !== null) found.add(Number(match[1]));
    }
  };
  await waitFor("the scrollback is there", async () => {
    await read();
    await page.keyboard.press("Shift+PageUp");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return found.has(1);
  }, PATIENCE_MS);
  return [...found].sort((a, b) => a - b);
}
