/** What a person does with keyboard, clipboard and mouse on a terminal in a real browser, and what the program gets. */
import { drawn, PATIENCE_MS, startTerminalPage, type TerminalPage, waitForDrawn } from "../helpers/terminal_page.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import type { SessionId } from "../../core/ids.ts";
import { WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium, requires } from "../helpers/requires.ts";
import type { Kit } from "../helpers/terminal_page_entry.ts";
import { waitFor } from "../helpers/wait_for.ts";

declare const kit: Kit;

/** Prints what it is given for a start, then what it reads, as `read: <escaped bytes>`; Ctrl-D ends it. */
const READER = `import os,sys,termios,tty
old=termios.tcgetattr(0); tty.setraw(0)
os.write(1, eval("b'" + sys.argv[1] + "'") + b"ready\\r\\n")
while True:
  got=os.read(0,65536)
  if got in (b"\\x04", b"\\x1b[100;5u"): break
  os.write(1, b"read: " + repr(got)[2:-1].encode() + b"\\r\\n")
termios.tcsetattr(0,termios.TCSADRAIN,old)
`;

/** Takes its time: a kilobyte every 2 ms; tells length and hash when a line "end" has come. */
const SLOW_READER = `import os,termios,tty,time,hashlib
old=termios.tcgetattr(0); tty.setraw(0)
os.write(1, b"ready\\r\\n")
all=b""
while not all.endswith(b"end\\r"):
  all+=os.read(0,1024); time.sleep(0.002)
termios.tcsetattr(0,termios.TCSADRAIN,old)
print("got", len(all), hashlib.sha256(all).hexdigest())
`;

interface Opened {
  readonly page: Page;
  readonly sessionId: SessionId;
  readonly errors: readonly string[];
  start(script: string, argument?: string): Promise<void>;
}

Deno.test({
  name: "input in a browser",
  ...requires(chromium()),
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using parts = await startTerminalPage(WITHOUT_GPU);
    const step = (name: string, run: (opened: Opened) => Promise<void>) =>
      t.step(name, async () => {
        const opened = await open(parts);
        await run(opened);
        assert.deepEqual(opened.errors, []);
        await opened.page.close();
        await parts.terminals.close(opened.sessionId);
      });
    const reads = (page: Page, bytes: string) => waitForDrawn(page, "a", `read: ${bytes}`);

    await step("modified keys are the old ones until a program asks for more", async ({ page, start }) => {
      await start(READER, "");
      for (
        const [key, bytes] of [["Shift+Enter", "\\r"], ["Control+a", "\\x01"], ["Alt+x", "\\x1bx"], ["F5", "\\x1b[15~"]]
      ) {
        await page.keyboard.press(key ?? "");
        await reads(page, bytes ?? "");
      }
    });

    await step("the kitty protocol is spoken while it is asked for", async ({ page, start }) => {
      await start(READER, "\\x1b[>1u");
      for (
        const [key, bytes] of [
          ["Shift+Enter", "\\x1b[13;2u"],
          ["Control+i", "\\x1b[105;5u"],
          ["Control+Shift+a", "\\x1b[97;6u"],
          ["Escape", "\\x1b[27u"],
          ["x", "x"],
          ["Enter", "\\r"],
        ]
      ) {
        await page.keyboard.press(key ?? "");
        await reads(page, bytes ?? "");
      }
    });

    await step("modifyOtherKeys is spoken while it is asked for", async ({ page, start }) => {
      await start(READER, "\\x1b[>4;2m");
      await page.keyboard.press("Shift+Enter");
      await reads(page, "\\x1b[27;2;13~");
      await page.keyboard.press("Control+a");
      await reads(page, "\\x1b[27;5;97~");
    });

    await step("an input method's text and an accent arrive as they are composed", async ({ page, start }) => {
      await start(READER, "\\x1b[>1u");
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
      await devtools.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
      await devtools.send("Input.insertText", { text: "日本" });
      await reads(page, "\\xe6\\x97\\xa5\\xe6\\x9c\\xac");
      await devtools.send("Input.insertText", { text: "é" });
      await reads(page, "\\xc3\\xa9");
    });

    await step("a paste is framed as the program asked, and cannot leave its frame", async ({ page, start }) => {
      await start(READER, "\\x1b[?2004h");
      await paste(page, "one\ntwo\x1b[201~three\x9b201~");
      await reads(page, "\\x1b[200~one\\rtwothree\\x1b[201~");
    });

    await step("many lines are asked about when each of them is Enter", async ({ page, start }) => {
      await start(READER, "");
      await page.evaluate(() => void (kit.answer = false));
      await paste(page, "1\n2\n3\n4\n5\n6");
      await paste(page, "two\nlines");
      await reads(page, "two\\rlines");
      assert.deepEqual(await page.evaluate(() => kit.asked), ["paste 6 lines"]);
      assert.ok(!(await drawn(page, "a")).some((row) => row.includes("3\\r4")));
    });

    await step("100 KB pasted into a slow reader arrive whole", async ({ page, start }) => {
      await start(SLOW_READER);
      const text = Array.from({ length: 2000 }, (_, n) => `line ${n} of a long paste, with some text to fill it`).join(
        "\n",
      );
      await paste(page, `${text}\nend\n`);
      const bytes = new TextEncoder().encode(`${text}\nend\n`.replaceAll("\n", "\r"));
      assert.ok(bytes.length > 100_000);
      await waitForDrawn(
        page,
        "a",
        `got ${bytes.length} ${createHash("sha256").update(bytes).digest("hex").slice(0, 20)}`,
      );
    });

    await step(
      "a selection is copied, and a program may write the clipboard once allowed",
      async ({ page, sessionId }) => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        parts.terminals.write(sessionId, "clear; echo copy-me\r", "script");
        await waitForDrawn(page, "a", /^copy-me/);
        const { x, y } = await placeOf(page, /^copy-me/);
        await page.mouse.dblclick(x + 20, y);
        await page.keyboard.press("Control+Shift+C");
        const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
        await waitFor("the selection is in the clipboard", async () => await clipboard() === "copy-me", PATIENCE_MS);
        parts.terminals.write(sessionId, "printf '\\033]52;c;aGVsbG8=\\007\\033]52;c;?\\007'\r", "script");
        await waitFor("the program's text is in the clipboard", async () => await clipboard() === "hello", PATIENCE_MS);
        assert.deepEqual(await page.evaluate(() => kit.asked), ["clipboard hello"]);
      },
    );

    await step(
      "places in files and addresses are links for a person who has the terminal",
      async ({ page, sessionId }) => {
        parts.terminals.write(sessionId, "clear; echo src/main.ts:12:5 https://idea.example/x\r", "script");
        await waitForDrawn(page, "a", /^src\/main/);
        const { x, y } = await placeOf(page, /^src\/main/);
        const click = async (offset: number) => {
          await page.mouse.move(x + offset, y);
          await page.locator(".xterm-cursor-pointer").waitFor();
          await page.mouse.click(x + offset, y);
          await page.mouse.move(x, y + 300);
        };
        await click(30);
        await click(200);
        assert.deepEqual(await page.evaluate(() => kit.asked), [
          "open src/main.ts:12:5",
          "open https://idea.example/x",
        ]);
      },
    );

    await step("text is found in the scrollback, and prompts are jumped to", async ({ page, sessionId }) => {
      parts.terminals.write(sessionId, "seq 1 500; echo needle-$((1+1)); seq 1 500\r", "script");
      await waitForDrawn(page, "a", "500");
      await page.keyboard.press("Control+Shift+F");
      await page.getByRole("textbox", { name: "Find in this terminal" }).fill("needle-2");
      await waitForDrawn(page, "a", /^needle-2/);
      await page.getByText("1 of 1").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Shift+ArrowUp");
      await waitForDrawn(page, "a", /^\$ seq 1 500; echo needle/);
    });

    await step("dropped files are pasted as paths", async ({ page, start }) => {
      await start(READER, "");
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/uri-list", "file:///tmp/a%20b.txt\r\nfile:///tmp/c.txt\r\n");
        document.querySelector("#a .xterm")?.dispatchEvent(
          new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
        );
      });
      await reads(page, "'/tmp/a b.txt' /tmp/c.txt");
    });

    assert.deepEqual(parts.defects, []);
  },
});

async function open(parts: TerminalPage): Promise<Opened> {
  const sessionId = await parts.openSession();
  const { page, errors } = await parts.openPage();
  await page.evaluate((id) => kit.open("a", id), sessionId);
  await waitForDrawn(page, "a", "$");
  await page.click("#a");
  return {
    page,
    sessionId,
    errors,
    async start(script, argument) {
      const path = await Deno.makeTempFile({ suffix: ".py" });
      await Deno.writeTextFile(path, script);
      const words = ["clear; python3", path, ...(argument === undefined ? [] : [`'${argument}'`])];
      parts.terminals.write(sessionId, `${words.join(" ")}\r`, "script");
      await waitForDrawn(page, "a", /^ready/);
      await Deno.remove(path);
    },
  };
}

/** Where the row that matches begins, half way down. */
async function placeOf(page: Page, row: RegExp): Promise<{ readonly x: number; readonly y: number }> {
  const rows = await drawn(page, "a");
  const box = await page.locator("#a .xterm-rows > div").nth(rows.findIndex((each) => row.test(each))).boundingBox();
  assert.ok(box !== null);
  return { x: box.x, y: box.y + box.height / 2 };
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.querySelector("#a textarea")?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}
