/** The page in a real browser, on a server in memory whose state the tests set: every gesture, both themes, 320 px. */
import assert from "node:assert/strict";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { bundleUi } from "../../build_ui.ts";
import { startBrowser, type TestPage, WITHOUT_GPU } from "../helpers/browser.ts";
import { createId } from "../../core/ids.ts";
import { PageProblem, type PageRequest, type PageState } from "../helpers/page_api.ts";
import { agent, busyState, emptyState, layout, leaf, limitFor, projectId } from "../helpers/page_scenario.ts";
import { type PageServer, startPageServer } from "../helpers/page_server.ts";
import { chromium, requires } from "../helpers/requires.ts";
import { ROOT } from "../helpers/server.ts";
import { waitFor as waitForUntil } from "../helpers/wait_for.ts";

interface Opened extends TestPage {
  readonly server: PageServer;
}

type Open = (state: PageState, options?: BrowserContextOptions) => Promise<Opened>;

const P = "/api/projects/{projectId}";
/** Long, so that a busy machine is no failure. */
const PATIENCE_MS = 30_000;
const waitFor = (what: string, condition: () => boolean | Promise<boolean>) =>
  waitForUntil(what, condition, PATIENCE_MS);
const NARROW = { viewport: { width: 320, height: 640 } };

const pageTests: { readonly name: string; readonly run: (open: Open) => Promise<void> }[] = [];

function pageTest(name: string, run: (open: Open) => Promise<void>): void {
  pageTests.push({ name, run });
}

const activeCells = (page: Page) => page.locator(".grid-frame:not([hidden]) .cell");
const bodies = ({ server }: Opened, key: string) =>
  server.api.requests.filter((request) => request.key === key).map(({ body }) => body);

pageTest("first run: what is installed is proposed, can be edited, and is saved", async (open) => {
  const opened = await open(emptyState());
  const { page, server } = opened;
  const rows = page.locator(".profile-row");
  await rows.first().waitFor();
  assert.deepEqual(await page.locator(".profile-row.chosen strong").allTextContents(), ["Claude Code", "Codex"]);
  await page.getByLabel("Command – Codex").fill("codex --model 'gpt 5'");
  await page.getByRole("checkbox", { name: /Claude Code/ }).uncheck();
  await page.getByRole("button", { name: "Use these" }).click();
  await page.getByRole("heading", { name: "IdeA", exact: true }).waitFor();
  await waitFor("the profile is saved", () => server.api.state.profiles.length === 1);
  const [saved] = server.api.state.profiles;
  assert.deepEqual([saved?.command, saved?.args], ["codex", ["--model", "gpt 5"]]);
  await page.reload();
  await page.getByRole("heading", { name: "IdeA", exact: true }).waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
});

pageTest("a project is found by walking through folders, and opened", async (open) => {
  const { page, server } = await open({ ...busyState(), projects: [] });
  server.api.on("POST /api/projects", ({ body }, state) => {
    const root = String(Object(body).root);
    const project = { projectId, name: "blog", root, open: true, createdAtMs: 1, problems: [] };
    state.projects = [project];
    return project;
  });
  await page.getByRole("button", { name: "blog", exact: true }).click();
  await page.getByRole("button", { name: "Open this folder" }).click();
  await page.getByRole("tab", { name: /blog/ }).waitFor();
  assert.equal(server.api.state.projects[0]?.root, "/home/sam/blog");
});

pageTest("cells: split, close, maximise and resize by keys, without ever restarting a terminal", async (open) => {
  const opened = await open(busyState());
  const { page } = opened;
  await page.locator(".xterm").first().waitFor();
  await page.evaluate(() => document.querySelector("[data-session=s-back]")?.setAttribute("data-mark", "kept"));
  await page.locator("[data-cell=cell-s-back] .xterm-helper-textarea").focus();
  await page.keyboard.press("Alt+Shift+E");
  await waitFor("a fifth cell", async () => await activeCells(page).count() === 5);
  await waitFor(
    "it has the focus",
    () => page.evaluate(() => document.activeElement?.closest(".cell")?.matches(".focused") === true),
  );
  await page.keyboard.press("Alt+Shift+W");
  await waitFor("it is closed", async () => await activeCells(page).count() === 4);

  await page.locator("[data-cell=cell-s-back] .xterm-helper-textarea").focus();
  const width = () => page.locator("[data-cell=cell-s-back]").evaluate((cell) => cell.getBoundingClientRect().width);
  const before = await width();
  await page.keyboard.press("Alt+Shift+L");
  await waitFor("the border moved", async () => await width() > before + 10);

  await page.keyboard.press("Alt+Shift+M");
  await waitFor("one cell is seen", async () => await activeCells(page).filter({ visible: true }).count() === 1);
  await page.keyboard.press("Alt+Shift+M");
  await waitFor("all are seen", async () => await activeCells(page).filter({ visible: true }).count() === 4);
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await waitFor(
    "the cell on the right has the focus",
    () => page.evaluate(() => document.activeElement?.closest("[data-cell=cell-s-front]") !== null),
  );
  assert.equal(await page.locator("[data-session=s-back][data-mark=kept]").count(), 1);
  assert.deepEqual(opened.errors, []);
});

pageTest("a border is dragged, shown meanwhile, and sent once", async (open) => {
  const opened = await open(busyState());
  const { page } = opened;
  const border = page.locator(".border-row").first();
  const box = await border.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x - 96, box.y + 100, { steps: 5 });
  const dragged = await page.locator("[data-cell=cell-s-back]").boundingBox();
  assert.equal(bodies(opened, `POST ${P}/layouts/{layoutId}/operations`).length, 0);
  await page.mouse.up();
  await waitFor("the resize is sent", () => bodies(opened, `POST ${P}/layouts/{layoutId}/operations`).length === 1);
  const after = await page.locator("[data-cell=cell-s-back]").boundingBox();
  assert.ok(dragged !== null && after !== null && Math.abs(dragged.width - after.width) < 2);

  await page.mouse.move(after.x + after.width, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(after.x + after.width + 200, box.y + 100, { steps: 3 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  const kept = await page.locator("[data-cell=cell-s-back]").boundingBox();
  assert.ok(kept !== null && Math.abs(kept.width - after.width) < 2);
});

pageTest("a cell is taken by its header and put beside another, and nothing of it is restarted", async (open) => {
  const opened = await open(busyState());
  const { page } = opened;
  await page.locator(".xterm").first().waitFor();
  await page.evaluate(() => document.querySelector("[data-session=s-shell]")?.setAttribute("data-mark", "kept"));
  const from = await page.locator("[data-cell=cell-s-shell] .cell-head").boundingBox();
  const to = await page.locator("[data-cell=cell-s-back]").boundingBox();
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + 60, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + to.height / 2, { steps: 4 });
  const drop = await page.locator(".drop").boundingBox();
  assert.ok(drop !== null && Math.abs(drop.x - to.x) < 6 && drop.width < to.width * 0.6);
  await page.mouse.up();
  await waitFor("it stands on the left", async () => {
    const box = await page.locator("[data-cell=cell-s-shell]").boundingBox();
    return box !== null && box.x === to.x;
  });
  assert.deepEqual(bodies(opened, `POST ${P}/layouts/{layoutId}/operations`), [
    { op: "move", cellId: "cell-s-shell", targetId: "cell-s-back", place: "left" },
  ]);
  assert.equal(await page.locator("[data-session=s-shell][data-mark=kept]").count(), 1);
});

pageTest("several layouts: chosen above the grid or in the palette", async (open) => {
  const state = busyState();
  const second = { ...layout("second", leaf("lone")), name: "Review", active: false };
  const { page } = await open({ ...state, layouts: { ...state.layouts, shop: [...state.layouts.shop ?? [], second] } });
  await page.getByRole("group", { name: "Layouts" }).getByRole("button", { name: "Review" }).click();
  await waitFor("its one cell is shown", async () => await activeCells(page).count() === 1);
  await page.keyboard.press("Control+K");
  await page.keyboard.type("layout main");
  await page.keyboard.press("Enter");
  await waitFor("the first one is back", async () => await activeCells(page).count() === 4);
});

pageTest("layouts: made, named and removed, the first one from a cell's menu", async (open) => {
  const { page } = await open(busyState());
  const tabs = page.getByRole("group", { name: "Layouts" });
  await page.locator("[data-cell=cell-s-shell]").getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "New layout…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Night");
  await page.keyboard.press("Enter");
  await tabs.getByRole("button", { name: "Night", exact: true, pressed: true }).waitFor();
  await waitFor("its one cell is shown", async () => await activeCells(page).count() === 1);
  await tabs.getByRole("button", { name: "New layout…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Day");
  await page.getByRole("button", { name: "Create" }).click();
  await tabs.getByRole("button", { name: "Day", exact: true, pressed: true }).waitFor();
  await tabs.getByRole("button", { name: "More for the layout Day" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Noon");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await tabs.getByRole("button", { name: "Noon", exact: true }).waitFor();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("remove the layout noon");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Remove the layout Noon?" }).getByRole("button", { name: "Remove" }).click();
  await waitFor("it is gone", async () => await tabs.getByRole("button", { name: "Noon", exact: true }).count() === 0);
});

pageTest("cells as in a spreadsheet: merged, taken apart, rows and columns; undone and redone", async (open) => {
  const opened = await open(busyState());
  const { page } = opened;
  await page.locator(".xterm").first().waitFor();
  await page.evaluate(() => document.querySelector("[data-session=s-back]")?.setAttribute("data-mark", "kept"));
  const key = `POST ${P}/layouts/{layoutId}/operations`;
  const cells = (count: number) => waitFor(`${count} cells`, async () => await activeCells(page).count() === count);
  const choose = async (cell: string, item: string | RegExp) => {
    await page.locator(`[data-cell=${cell}]`).getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await cells(4);
  await choose("cell-s-shell", "Merge with the cell on the right");
  await cells(3);
  await page.keyboard.press("Alt+Shift+Z");
  await cells(4);
  await page.keyboard.press("Alt+Shift+R");
  await cells(3);
  await choose("cell-s-back", /^Undo/);
  await cells(4);
  await choose("cell-s-back", "Insert a row below");
  await cells(7);
  await choose("cell-s-front", "Take the merged cell apart");
  await cells(8);
  await choose("cell-s-back", /^Undo/);
  await cells(7);
  await choose("cell-s-back", /^Redo/);
  await cells(8);

  const width = () => page.locator("[data-cell=cell-s-back]").evaluate((cell) => cell.getBoundingClientRect().width);
  const before = await width();
  await page.locator(".border-row").first().focus();
  await page.keyboard.press("ArrowRight");
  await waitFor("the column is wider", async () => await width() > before + 5);
  const last = Object(bodies(opened, key).at(-1));
  assert.deepEqual([last.op, last.axis], ["resizeGrid", "col"]);

  assert.equal(await page.locator("[data-session=s-back][data-mark=kept]").count(), 1);

  await page.locator("[data-cell=cell-s-back] .xterm-helper-textarea").focus();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("delete the row of the cell");
  await page.keyboard.press("Enter");
  await waitFor("the row is deleted", () => Object(bodies(opened, key).at(-1)).op === "deleteTrack");
  assert.deepEqual(opened.errors, []);
});

pageTest("an agent that lives elsewhere: go there, or move it here", async (open) => {
  const { page, server } = await open(busyState());
  let moved: unknown;
  server.api.on(`POST ${P}/agents/{agentId}/launch`, () => {
    throw new PageProblem({ status: 409, code: "AGENT_ALREADY_RUNNING", title: "Running", nodeId: "cell-s-back" });
  });
  server.api.on(`POST ${P}/agents/{agentId}/cell`, ({ body }, state) => {
    moved = body;
    return state.agents[0];
  });
  const empty = page.locator("[data-cell=cell-empty]");
  await empty.getByRole("button", { name: /^Stopped Docs/ }).click();
  await page.getByRole("dialog", { name: "Docs is already running" }).waitFor();
  await page.getByRole("button", { name: "Go there" }).waitFor();
  await page.getByRole("button", { name: "Move it here" }).click();
  await waitFor("it is moved", () => moved !== undefined);
  assert.deepEqual(moved, { cellId: "cell-empty" });
});

pageTest(
  "composer: Enter queues, Shift+Enter makes a line, the arrow brings it back, a refusal loses nothing",
  async (open) => {
    const opened = await open(busyState());
    const { page, server } = opened;
    const key = `POST ${P}/agents/{agentId}/input`;
    server.api.on(key, (_, state) => state.tickets[1]);
    const box = page.getByLabel("Message to Backend");
    await box.click();
    await page.keyboard.type("first");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second");
    await page.keyboard.press("Enter");
    await waitFor("it is sent", () => bodies(opened, key).length === 1);
    assert.deepEqual(bodies(opened, key), [{ text: "first\nsecond" }]);
    await waitFor("the box is empty", async () => await box.inputValue() === "");
    await page.keyboard.press("ArrowUp");
    await waitFor("it is back", async () => await box.inputValue() === "first\nsecond");

    server.api.on(key, () => {
      throw new PageProblem({ status: 409, code: "BUSY", title: "The queue is full", hint: "Wait." });
    });
    await box.fill("precious");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "The queue is full" }).waitFor();
    assert.equal(await box.inputValue(), "precious");
  },
);

pageTest("queue: shown with what is in work, put in another order, edited, removed", async (open) => {
  const opened = await open(busyState());
  const { page } = opened;
  const key = `PATCH ${P}/agents/{agentId}/queue`;
  await page.getByRole("button", { name: /Queue of Backend/ }).click();
  const queue = page.getByRole("region", { name: "Queue of Backend" });
  await queue.getByText("Then write the migration").waitFor();
  assert.equal(await queue.getByRole("listitem").count(), 3);
  await queue.getByRole("button", { name: "Move down" }).first().click();
  await waitFor("the move is sent", () => bodies(opened, key).length === 1);
  await queue.getByRole("button", { name: "Edit" }).first().click();
  await queue.getByRole("textbox").fill("Shorter");
  await page.keyboard.press("Enter");
  await waitFor("the edit is sent", () => bodies(opened, key).length === 2);
  await queue.getByRole("button", { name: "Remove" }).last().click();
  await waitFor("the removal is sent", () => bodies(opened, key).length === 3);
  const ids = opened.server.api.state.tickets.filter(({ to }) => to === "backend").map(({ id }) => id);
  assert.deepEqual(bodies(opened, key), [
    { op: "move", ticketId: ids[1], position: 1 },
    { op: "edit", ticketId: ids[1], task: "Shorter" },
    { op: "remove", ticketId: ids[2] },
  ]);
});

pageTest(
  "a usage limit: shown live, its resume cancelled and planned again, its end said by the person",
  async (open) => {
    const state = busyState();
    const inCell = { cellId: createId("cell", "cell-s-back"), sessionId: createId("session", "s-back") };
    const limited = agent("Backend", { state: "limited", limit: limitFor(67 * 60_000), ...inCell });
    const { page, server } = await open({ ...state, agents: [agent("Backend", { state: "working", ...inCell })] });
    const params: unknown[] = [];
    const become =
      (change: Partial<NonNullable<typeof limited.limit>>) => (request: PageRequest, { agents }: PageState) => {
        params.push(request.body ?? request.key);
        const { resumesAtMs: _, ...limit } = limitFor(67 * 60_000);
        server.api.state.agents = [{ ...limited, limit: { ...limit, ...change } }];
        return agents[0];
      };
    server.api.on(`DELETE ${P}/agents/{agentId}/limit/resume`, become({}));
    server.api.on(
      `PUT ${P}/agents/{agentId}/limit`,
      become({ source: "person", resumesAtMs: Date.now() + 90 * 60_000 }),
    );
    server.api.on(`DELETE ${P}/agents/{agentId}/limit`, ({ key }, { agents }) => {
      params.push(key);
      server.api.state.agents = [agent("Backend", { state: "working", ...inCell })];
      return agents[0];
    });
    await page.locator("[data-cell=cell-s-back] .state-working").first().waitFor();
    server.api.state.agents = [limited];
    server.emit({ kind: "agentResumeScheduled", projectId, agentId: "backend", fireAtMs: 1 });
    const notice = page.locator("[data-cell=cell-s-back] .limit-notice");
    await notice.getByText(/Usage limit until .* goes on by itself at/).waitFor();
    await page.locator(".agent-row").getByText(/Usage limit until/).waitFor();

    await notice.getByRole("button", { name: "Cancel the resume" }).click();
    await notice.getByText(/does not go on by itself/).waitFor();
    await notice.getByRole("button", { name: "Let it go on by itself" }).click();
    await notice.getByText(/goes on by itself at/).waitFor();

    await notice.getByRole("button", { name: "Change…" }).click();
    await page.getByLabel("The limit lasts until").fill("2031-05-06T07:08");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.deepEqual(params.slice(2), [{ resetsAtMs: new Date("2031-05-06T07:08").getTime() }]);

    await page.locator(".agent-row").hover();
    await page.locator(".agent-row").getByRole("button", { name: "Usage limit of Backend…" }).click();
    await page.getByRole("button", { name: "It is over: go on now" }).click();
    await notice.waitFor({ state: "detached" });
  },
);

pageTest("a limit that is only suspected is asked about, and can be denied or told by keyboard", async (open) => {
  const state = busyState();
  const suspected = { source: "suspected", sinceMs: Date.now(), detail: "no output for a long time" } as const;
  const [backend, ...others] = state.agents;
  assert.ok(backend !== undefined);
  const { page, server } = await open({ ...state, agents: [{ ...backend, limit: suspected }, ...others] });
  let lifted = 0;
  server.api.on(`DELETE ${P}/agents/{agentId}/limit`, () => {
    lifted++;
    server.api.state.agents = [backend, ...others];
    return backend;
  });
  const notice = page.locator("[data-cell=cell-s-back] .limit-notice");
  await notice.getByText("is it limited?").waitFor();
  await page.getByRole("button", { name: "5 things need you" }).click();
  await page.getByRole("button", { name: /Backend may be limited/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+K");
  await page.keyboard.type("usage limit backend");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Usage limit of Backend" }).waitFor();
  assert.match(await page.getByLabel("The limit lasts until").inputValue(), /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  await page.keyboard.press("Escape");
  await notice.getByRole("button", { name: "It is not limited" }).click();
  await notice.waitFor({ state: "detached" });
  assert.equal(lifted, 1);
});

pageTest("a task that was not taken is delivered again, above the composer or in the queue", async (open) => {
  const opened = await open(busyState());
  const { page, server } = opened;
  const key = `POST ${P}/tickets/{ticketId}/redeliver`;
  server.api.on(key, ({ params }, { tickets }) => tickets.find(({ id }) => id === params.ticketId));
  const cell = page.locator("[data-cell=cell-s-front]");
  await cell.getByRole("button", { name: "Deliver it again" }).click();
  await waitFor("it is asked for", () => bodies(opened, key).length === 1);
  await cell.getByRole("button", { name: "Not confirmed by the program" }).click();
  const queue = page.getByRole("region", { name: "Queue of Frontend" });
  await queue.getByRole("button", { name: "Deliver it again" }).click();
  await waitFor("it is asked for again", () => bodies(opened, key).length === 2);
  const ticketIds = server.api.requests.filter((request) => request.key === key).map(({ params }) => params.ticketId);
  const waiting = server.api.state.tickets.find(({ needsAttention }) => needsAttention);
  assert.deepEqual(ticketIds, [waiting?.id, waiting?.id]);
});

pageTest("what needs the person is listed across projects and leads there", async (open) => {
  const { page, server } = await open(busyState());
  await page.getByRole("button", { name: "4 things need you" }).click();
  await page.getByRole("button", { name: /Frontend is waiting for you/ }).click();
  await waitFor(
    "its terminal has the keyboard",
    () => page.evaluate(() => document.activeElement?.closest("[data-cell=cell-s-front]") !== null),
  );
  server.api.state.agents = [agent("Backend", { state: "idle" })];
  server.api.state.tickets = [];
  server.emit({ kind: "agentStateChanged", projectId, agentId: "backend", state: "idle", signal: "x", atMs: 1 });
  server.emit({ kind: "ticketChanged", projectId, ticketId: "t1", to: "backend", state: "answered" });
  await waitFor("nothing needs the person", async () => !(await page.title()).startsWith("("));
});

pageTest(
  "palette: opened in a terminal, what is typed at once belongs to it, Enter runs, Escape gives the keyboard back",
  async (open) => {
    const { page } = await open(busyState());
    await page.locator("[data-cell=cell-s-shell] .xterm-helper-textarea").focus();
    await page.keyboard.press("Control+K");
    await page.keyboard.type("theme");
    await page.keyboard.press("Enter");
    await waitFor("the theme is light", () => page.evaluate(() => document.documentElement.dataset.theme === "light"));
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await waitFor(
      "the terminal has the keyboard again",
      () => page.evaluate(() => document.activeElement?.closest("[data-cell=cell-s-shell]") !== null),
    );
  },
);

pageTest(
  "a lost connection is said when it lasts, and what happened meanwhile is read when it is back",
  async (open) => {
    const { page, server } = await open(busyState());
    await page.locator(".agent-row").first().waitFor();
    server.dropSockets({ refuse: true });
    await page.getByText("Connection lost").waitFor();
    server.api.state.agents = [agent("Newcomer")];
    server.dropSockets({ refuse: false });
    await page.getByText("Newcomer").first().waitFor();
    await waitFor("the banner is gone", async () => await page.getByText("Connection lost").count() === 0);
  },
);

pageTest("resume after a restart: all, some or none, asked once", async (open) => {
  const state = busyState();
  const agents = state.agents.map(({ sessionId: _s, cellId: _c, ...rest }) => ({ ...rest, state: "stopped" as const }));
  const running = JSON.parse(JSON.stringify(state.layouts).replaceAll(/"agent":"\w+"/g, '$&,"agentWasRunning":true'));
  const opened = await open({ ...state, agents, terminals: [], layouts: running });
  const { page, server } = opened;
  server.api.on(`POST ${P}/agents/{agentId}/launch`, (_, { agents: [first] }) => first);
  await page.getByRole("dialog", { name: "Go on where you stopped?" }).waitFor();
  await page.getByRole("checkbox", { name: /Frontend/ }).uncheck();
  await page.getByRole("button", { name: "Resume 1" }).click();
  await waitFor("one is launched", () => bodies(opened, `POST ${P}/agents/{agentId}/launch`).length === 1);
  assert.deepEqual(bodies(opened, `POST ${P}/agents/{agentId}/launch`), [{ cellId: "cell-s-back", resume: true }]);
  await page.reload();
  await page.locator(".agent-row").first().waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

pageTest("what agents write is Markdown, and never becomes HTML, a script or a request", async (open) => {
  const { page, errors } = await open(busyState());
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("http://127.0.0.1")) foreign.push(request.url());
  });
  await page.keyboard.press("Alt+Shift+C");
  await page.getByText("You ↔ Backend").click();
  const text = page.locator(".message .markdown").last();
  await text.locator("table").waitFor();
  assert.equal(await text.locator("pre code").innerText(), "const stock = await tx.stock.lock(item.id);");
  assert.equal(await text.locator("img, script").count(), 0);
  assert.match(await text.innerText(), /<img src="https:\/\/example.com\/x.png" onerror=/);
  const links = await text.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.deepEqual(links, ["https://example.com/notes", "https://example.com/chart.png"]);
  assert.deepEqual([foreign, errors], [[], []]);
  assert.doesNotMatch(await page.title(), /owned/);
});

pageTest("French from the browser, switched to English without a reload", async (open) => {
  const { page } = await open(busyState(), { locale: "fr-FR" });
  await page.getByText("Choisir un profil").first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
  await page.keyboard.press("Control+,");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
});

pageTest(
  "320 px: agents, conversations and each cell can be reached, and nothing is wider than the window",
  async (open) => {
    const { page } = await open(busyState(), NARROW);
    const fits = async (what: string) => {
      const overflow = await page.evaluate(() =>
        [...document.querySelectorAll("button, h2, textarea, .panel, .cell-head")].filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          const scrolls = element.closest(".tabs, .cell-strip, .xterm") !== null;
          return width > 0 && !scrolls && element.checkVisibility({ visibilityProperty: true }) &&
            (left < -1 || right > innerWidth + 1);
        }).map((element) => element.outerHTML.slice(0, 120))
      );
      assert.deepEqual(overflow, [], what);
    };
    await page.getByText("4 of 6 running").waitFor();
    await fits("agents");
    const rail = page.getByRole("navigation");
    await rail.getByRole("button", { name: "Conversations" }).click();
    await page.getByText("You ↔ Backend").waitFor();
    await fits("conversations");
    await rail.getByRole("button", { name: "Conversations" }).click();
    await page.locator(".cell-strip").getByRole("button", { name: /Frontend/ }).click();
    await page.getByLabel("Message to Frontend").waitFor();
    await fits("a cell");
  },
);

for (const colorScheme of ["dark", "light"] as const) {
  pageTest(`accessibility (axe, WCAG 2 AA), ${colorScheme}`, async (open) => {
    const state = busyState();
    const agents = state.agents.map((one, index) =>
      index === 0 ? { ...one, state: "limited" as const, limit: limitFor(60_000) } : one
    );
    const second = { ...layout("second", leaf("lone")), name: "Review", active: false };
    const layouts = { ...state.layouts, shop: [...state.layouts.shop ?? [], second] };
    const { page, errors } = await open({ ...state, agents, layouts }, { colorScheme });
    await page.locator(".agent-row").first().waitFor();
    const check = async (what: string) => {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { violations } = await Reflect.get(globalThis, "axe").run(
          // What a terminal draws is its program's business.
          { exclude: [".xterm"] },
          { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
        );
        return violations.flatMap((violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
          violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`)
        );
      });
      assert.deepEqual(found, [], what);
    };
    await page.locator(".limit-notice").waitFor();
    await check("the grid");
    await page.locator("[data-cell=cell-s-back]").getByRole("button", { name: "More actions" }).click();
    await check("the menu of a cell");
    await page.getByRole("menuitem", { name: "Usage limit…" }).click();
    await check("a usage limit");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "5 things need you" }).click();
    await check("needs you");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+Shift+D");
    await page.locator(".delegation-head").first().click();
    await check("delegations");
    await page.keyboard.press("Alt+Shift+C");
    await page.getByText("You ↔ Backend").first().click();
    await page.locator(".message").first().waitFor();
    await check("a conversation");
    await page.keyboard.press("Alt+Shift+A");
    for (const keys of ["Control+K", "Alt+Shift+N", "Alt+Shift+P", "Control+,"]) {
      await page.keyboard.press(keys);
      await page.locator("dialog").waitFor();
      await check(keys);
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    assert.deepEqual(errors, []);
  });
}

// One browser for all: to start one takes longer than most of what is tested.
Deno.test({
  name: "the page",
  ...requires(chromium()),
  async fn(t) {
    const assets = await bundleUi({ root: ROOT });
    await using browser = await startBrowser(WITHOUT_GPU);
    for (const { name, run } of pageTests) {
      await t.step(name, async () => {
        await using stack = new AsyncDisposableStack();
        await run(async (state, options) => {
          const server = stack.use(startPageServer(assets, state));
          const opened = await browser.open(options);
          stack.defer(() => opened.page.context().close());
          await opened.page.goto(server.url);
          return { ...opened, server };
        });
      });
    }
  },
});
