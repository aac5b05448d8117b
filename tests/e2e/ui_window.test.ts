/**
 * The window on the real server: a person opens a folder, works in a terminal, starts an agent, reloads, and nothing is
 * lost. The agent's program is a shell script, so that this runs without any AI command line.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createId } from "../../core/ids.ts";
import { ProfileSchema } from "../../core/profiles/profile.ts";
import { openingUrl } from "../../web/server/instance.ts";
import { startBrowser, WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium, requires } from "../helpers/requires.ts";
import { startServer, type TestServer } from "../helpers/server.ts";
import { waitFor as waitForUntil } from "../helpers/wait_for.ts";

/** Long, so that a busy machine is no failure. */
const PATIENCE_MS = 60_000;
const waitFor = (what: string, condition: () => boolean | Promise<boolean>) =>
  waitForUntil(what, condition, PATIENCE_MS);

/** What the DOM renderer draws, which is used where there is no WebGL. */
const shown = (page: Page, cell: number) =>
  page.locator(".grid-frame:not([hidden]) .cell").nth(cell).locator(".xterm-rows").innerText();

const ECHO_AGENT = `#!/bin/sh
echo "echo agent ready"
while read -r line; do echo "got: $line"; done
`;

Deno.test({
  name: "the window",
  ...requires(chromium()),
  async fn(t) {
    await using idea = await startServer();
    await using browser = await startBrowser(WITHOUT_GPU);
    const window = await browser.open();
    const { page } = window;

    // Each step goes on from the one before.
    const step = async (name: string, run: () => Promise<void> | void) => {
      if (!await t.step(name, run)) throw new Error(`failed: ${name}`);
    };

    await step("opens with the link, and forgets its token", async () => {
      await page.goto(openingUrl(idea.server()));
      await page.getByText("Run a team of AI agents.").waitFor();
      assert.equal(new URL(page.url()).search, "");
    });
    await step("the first-run choice can be skipped", async () => {
      await page.getByRole("button", { name: "Skip for now" }).click();
      await page.locator("dialog").waitFor({ state: "detached" });
    });
    await step("a folder becomes a project", () => openProject(page, idea));
    await step("a terminal runs the person's shell", () => useTerminal(page));
    await step("a program draws a picture", () => drawPicture(page));
    await step("a place in a file that a program names is looked at", () => lookAtFile(page, idea));
    await step("a reload shows the same screen of the same session", () => reload(page, idea));
    await step("cells are split, and the layout is kept", () => splitCells(page));
    await step("an agent is made, launched and written to", () => runAgent(page, idea));
    await step("nothing went wrong in the page", () => assert.deepEqual(window.errors, []));
    await step("after a kill of the server the agent is offered to be resumed, and is", () => resume(page, idea));
    await step("it is stopped", () => stopAgent(page));
  },
});

async function openProject(page: Page, idea: TestServer): Promise<void> {
  const path = page.getByRole("textbox", { name: "Folder", exact: true });
  await waitFor("the home folder is listed", async () => await path.inputValue() !== "");
  await path.fill(idea.project);
  await page.getByRole("button", { name: "Open this folder" }).click();
  await page.getByRole("tab", { name: /project/ }).waitFor();
  const projects = await idea.api.call("GET /api/projects");
  assert.ok(projects.ok);
  assert.deepEqual(projects.value.items.map(({ root, open }) => [root, open]), [[idea.project, true]]);
}

async function useTerminal(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Terminal/ }).click();
  await page.locator(".xterm").waitFor();
  await waitFor(
    "the terminal has the keyboard",
    () => page.evaluate(() => document.activeElement?.matches(".xterm-helper-textarea") === true),
  );
  await page.keyboard.type("echo $((40 + 2))-is-it && pwd");
  await page.keyboard.press("Enter");
  await waitFor("the answer is on screen", async () => (await shown(page, 0)).includes("42-is-it"));
}

async function sessions(idea: TestServer): Promise<readonly string[]> {
  const projects = await idea.api.call("GET /api/projects");
  assert.ok(projects.ok);
  const [project] = projects.value.items;
  assert.ok(project !== undefined);
  const list = await idea.api.call("GET /api/projects/{projectId}/terminals", {
    params: { projectId: project.projectId },
  });
  assert.ok(list.ok);
  return list.value.items.map(({ sessionId }) => sessionId);
}

/** A red sixel, twelve dots wide; that the policy of the page lets its decoder run shows here alone. */
async function drawPicture(page: Page): Promise<void> {
  await page.keyboard.type(String.raw`printf '\033Pq#1;2;100;0;0#1!12~-!12~\033\\\n'`);
  await page.keyboard.press("Enter");
  const redPixels = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".xterm-image-layer");
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let red = 0;
      for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === 255 && pixels[at + 3] === 255) red++;
      return red;
    });
  await waitFor("the picture is red", async () => await redPixels() >= 100);
}

async function lookAtFile(page: Page, idea: TestServer): Promise<void> {
  await Deno.writeTextFile(
    join(idea.project, "notes.txt"),
    Array.from({ length: 90 }, (_, n) => `note ${n + 1}`).join("\n"),
  );
  await page.keyboard.type("echo see notes.txt:42");
  await page.keyboard.press("Enter");
  const row = page.locator(".xterm-rows > div", { hasText: /^see notes/ });
  const { x, y } = await row.boundingBox() ?? assert.fail();
  await page.mouse.move(x + 60, y + 5);
  await page.locator(".xterm-cursor-pointer").waitFor();
  await page.mouse.click(x + 60, y + 5);
  const dialog = page.getByRole("dialog", { name: "notes.txt" });
  assert.equal(await dialog.locator("[aria-current]").innerText(), "note 42");
  const picture = Deno.env.get("IDEA_SCREENSHOTS");
  if (picture !== undefined) await page.screenshot({ path: join(picture, "file.png") });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

async function reload(page: Page, idea: TestServer): Promise<void> {
  const before = await sessions(idea);
  await page.reload();
  await page.locator(".xterm").waitFor();
  await waitFor("the answer is on screen again", async () => (await shown(page, 0)).includes("42-is-it"));
  assert.deepEqual(await sessions(idea), before);
  assert.equal(await page.locator("dialog").count(), 0);
}

async function splitCells(page: Page): Promise<void> {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Alt+Shift+E");
  const cells = page.locator(".grid-frame:not([hidden]) .cell");
  await waitFor("two cells", async () => await cells.count() === 2);
  await page.reload();
  await waitFor("two cells again", async () => await cells.count() === 2);
  await waitFor("with the terminal", async () => (await shown(page, 0)).includes("42-is-it"));
}

async function runAgent(page: Page, idea: TestServer): Promise<void> {
  const program = join(idea.home, "echo-agent");
  await Deno.writeTextFile(program, ECHO_AGENT, { mode: 0o755 });
  const profileId = createId("profile", "echo");
  const { id: _, ...profile } = ProfileSchema.parse({ id: profileId, name: "Echo", command: program });
  const saved = await idea.api.call("PUT /api/profiles/{profileId}", { params: { profileId }, body: profile });
  assert.ok(saved.ok, JSON.stringify(saved));

  await page.locator(".empty-cell").getByRole("button", { name: /^New agent/ }).click();
  await page.getByLabel("Name").fill("Parrot");
  await page.getByRole("radio", { name: /Echo/ }).check();
  await page.getByRole("button", { name: "Create" }).click();
  await waitFor("it runs in its cell", async () => (await shown(page, 1)).includes("echo agent ready"));
  await page.getByLabel("Message to Parrot").waitFor();

  const cell = page.locator(".grid-frame:not([hidden]) .cell").nth(1);
  await cell.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await waitFor("it has heard", async () => (await shown(page, 1)).includes("got: hello"));
}

async function resume(page: Page, idea: TestServer): Promise<void> {
  await idea.kill();
  await page.getByText("Connection lost").waitFor();
  await idea.start();
  await page.goto(openingUrl(idea.server()));
  await page.getByRole("dialog", { name: "Go on where you stopped?" }).waitFor();
  const picture = Deno.env.get("IDEA_SCREENSHOTS");
  if (picture !== undefined) await page.screenshot({ path: join(picture, "resume.png") });
  await page.getByRole("button", { name: "Resume all" }).click();
  await waitFor("it runs in its cell again", async () => (await shown(page, 1)).includes("echo agent ready"));
}

async function stopAgent(page: Page): Promise<void> {
  const row = page.locator(".agent-row").filter({ hasText: "Parrot" });
  await row.hover();
  await row.getByRole("button", { name: "Stop Parrot" }).click();
  await waitFor("it is stopped", async () => await row.getByRole("img", { name: "Stopped" }).count() === 1);
}
