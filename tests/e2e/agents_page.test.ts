/** The main job as a person sees it: two real agents side by side, and the page is reloaded in the middle of an ask. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startBrowser, WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium, requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { openingUrl } from "../../web/server/instance.ts";
import { cli } from "./clis.ts";
import { READY_MS, type RealAgents, startRealAgents } from "./real_agents.ts";

Deno.test({
  name: "page: reloaded while Claude waits for Codex, nothing is lost, and 391 arrives before the person's eyes",
  ...requires(chromium(), cli("claude"), cli("codex")),
  async fn() {
    await using agents = await startRealAgents();
    await using browser = await startBrowser(WITHOUT_GPU);
    const { page, errors } = await browser.open({ viewport: { width: 1600, height: 900 }, colorScheme: "dark" });
    const ask = JSON.stringify({ target: "Cody", task: "how much is 17 × 23" });
    agents.models.claude.setScript([{ match: /ask Cody/, steps: [`tool idea_ask_agent ${ask}`, "say It is 391."] }]);
    agents.models.codex.setScript([{
      match: /17 × 23/,
      // The pause is long enough for a reload on a slow machine.
      steps: ['after 6 tool idea_reply {"result":"391"}', "say done"],
    }]);
    const ada = await agents.hire("Ada", "claude");
    const cody = await agents.hire("Cody", "codex");
    const [left, right] = await splitInTwo(agents);
    // The window is there first: programs ask the terminal for its colours when they start.
    await page.goto(openingUrl(agents.server.server()));
    await page.getByRole("button", { name: "Skip for now" }).click();
    await agents.launch(ada, left);
    await agents.launch(cody, right);
    await agents.isReady(cody);

    const shown = (cell: number) =>
      page.locator(".grid-frame:not([hidden]) .cell").nth(cell).locator(".xterm-rows").innerText();
    const shows = (cell: number, text: string) =>
      waitFor(`cell ${cell} shows ${text}`, async () => (await shown(cell)).includes(text), READY_MS);
    await shows(0, "Claude Code");
    const before = await agents.agent(ada);
    const message = await agents.tell(ada, "Please ask Cody how much it is.");
    const delegation = await agents.delegation("17 × 23");
    await waitFor("Cody works on it", async () => (await agents.ticket(delegation.id)).state === "accepted", READY_MS);

    await page.reload();
    await shows(0, "Please ask Cody");
    await shows(1, "[IdeA · task from Ada");
    assert.equal((await agents.closed(delegation.id)).reply?.text, "391");
    assert.equal((await agents.closed(message)).state, "answered");
    await shows(0, "It is 391.");
    assert.deepEqual((await agents.agent(ada)).sessionId, before.sessionId);
    assert.deepEqual(errors, []);
    const picture = Deno.env.get("IDEA_SCREENSHOTS");
    if (picture !== undefined) await page.screenshot({ path: join(picture, "two_agents.png") });
  },
});

async function splitInTwo({ server, projectId }: RealAgents): Promise<readonly [string, string]> {
  const layouts = await server.api.call("GET /api/projects/{projectId}/layouts", { params: { projectId } });
  assert.ok(layouts.ok);
  const active = layouts.value.items.find((layout) => layout.active);
  assert.ok(active);
  const { root } = active.tree;
  assert.equal(root.type, "leaf");
  const split = await server.api.call("POST /api/projects/{projectId}/layouts/{layoutId}/operations", {
    params: { projectId, layoutId: active.layoutId },
    body: { op: "split", cellId: root.node.id, side: "right" },
  });
  assert.ok(split.ok, JSON.stringify(split));
  const after = split.value.tree.root;
  assert.equal(after.type, "split");
  const cells = after.node.children.map(({ node }) => node.node.id);
  const [left, right] = cells;
  assert.ok(left !== undefined && right !== undefined);
  return [left, right];
}
