/**
 * The window under load: what its first picture costs to fetch, and the tasks over 50 ms while eleven terminals print
 * 1 MB a second each, and the same while somebody types in a twelfth. Goals: quality table, P12.
 *
 * Usage: deno task bench:page [SECONDS]
 */
import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import type { CellId } from "../../core/ids.ts";
import type { LayoutCommand } from "../../core/layout/operation.ts";
import { leavesOf } from "../../core/layout/tree.ts";
import { openingUrl } from "../../web/server/instance.ts";
import { startBrowser, WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium } from "../helpers/requires.ts";
import { startServer, type TestServer } from "../helpers/server.ts";
import { colouredLines } from "./coloured_log.ts";
import { printRow, quantile, verdict } from "./figures.ts";

const COLUMNS = 4;
const ROWS = 3;
const LONG_TASK_MS = 50;
const FIRST_PAINT_GOAL_KB = 300;
const KEY_GAP_MS = 120;

/** Prints LINES_FILE again and again, 100 KB ten times a second. */
const STREAM = `import sys,time
data=open(sys.argv[1],"rb").read(); at=0
begun=time.monotonic(); tick=0
while True:
  piece=data[at:at+100000]; at=(at+100000)%(len(data)-100000)
  sys.stdout.buffer.write(piece); sys.stdout.buffer.flush()
  tick+=1; time.sleep(max(0,begun+tick*0.1-time.monotonic()))
`;

interface Busy {
  readonly longTasksMs: readonly number[];
  readonly printedMegabytesPerSecond: number;
  readonly keyToEchoMs: readonly number[];
}

async function main(): Promise<void> {
  const seconds = Number(Deno.args[0] ?? 10);
  const found = chromium();
  if (!found.met) return console.log(`skipped: ${found.reason}`);
  await using idea = await startServer();
  const sessions = await fillGrid(idea);
  await using browser = await startBrowser(WITHOUT_GPU);
  const { page } = await browser.open({ viewport: { width: 1920, height: 1080 } });
  const devtools = await page.context().newCDPSession(page);
  const fetched = await countFetched(devtools);
  await page.goto(openingUrl(idea.server()));
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.locator(".xterm-rows").nth(COLUMNS * ROWS - 1).waitFor();
  await page.waitForLoadState("networkidle");
  const [firstPaintKb, allKb] = [fetched.beforePaintBytes() / 1e3, fetched.bytes() / 1e3];
  console.log(
    `load ${Deno.loadavg().map((load) => load.toFixed(1)).join(" ")} on ${navigator.hardwareConcurrency} cores`,
  );
  printRow("", "figure", "goal", "verdict");
  const met = verdict(firstPaintKb < FIRST_PAINT_GOAL_KB);
  printRow("first paint, KB over the wire", firstPaintKb.toFixed(0), `< ${FIRST_PAINT_GOAL_KB}`, met);
  printRow("all of it, terminals shown, KB", allKb.toFixed(0));

  for (const session of sessions) await session.start();
  await page.waitForTimeout(2_000);
  print("11 streams", await observe(page, { seconds, sessions }));
  await page.locator(".xterm-helper-textarea").last().focus();
  print("11 streams, somebody types", await observe(page, { seconds, sessions, key: () => page.keyboard.press("a") }));
}

function print(name: string, { longTasksMs, printedMegabytesPerSecond, keyToEchoMs }: Busy): void {
  printRow(
    `${name}: tasks over ${LONG_TASK_MS} ms`,
    String(longTasksMs.length),
    "none",
    verdict(longTasksMs.length === 0),
  );
  if (longTasksMs.length > 0) {
    printRow("  median, longest, ms", quantile(longTasksMs, 0.5).toFixed(0), Math.max(...longTasksMs).toFixed(0));
  }
  printRow("  MB a second that were printed", printedMegabytesPerSecond.toFixed(1));
  if (keyToEchoMs.length > 0) {
    const [middle, late] = [0.5, 0.99].map((share) => quantile(keyToEchoMs, share).toFixed(0));
    printRow("  key to drawn, ms: p50, p99", middle ?? "", late ?? "");
  }
}

interface Streaming {
  start(): Promise<void>;
  offset(): Promise<number>;
}

/** One terminal in each cell; the last only echoes: in it somebody types. */
async function fillGrid(idea: TestServer): Promise<readonly Streaming[]> {
  const lines = `${idea.folder}/lines`;
  await Deno.writeTextFile(lines, colouredLines(20_000));
  const project = await idea.api.call("POST /api/projects", { body: { root: idea.project } });
  assert.ok(project.ok);
  const { projectId } = project.value;
  const layouts = await idea.api.call("GET /api/projects/{projectId}/layouts", { params: { projectId } });
  assert.ok(layouts.ok);
  const layout = layouts.value.items.find(({ active }) => active);
  assert.ok(layout);
  const params = { projectId, layoutId: layout.layoutId };

  /** The cells afterwards. */
  async function operate(body: LayoutCommand): Promise<readonly CellId[]> {
    const done = await idea.api.call("POST /api/projects/{projectId}/layouts/{layoutId}/operations", { params, body });
    assert.ok(done.ok, JSON.stringify(done));
    return leavesOf(done.value.tree).map(({ id }) => id);
  }

  let cells: readonly CellId[] = leavesOf(layout.tree).map(({ id }) => id);
  for (let column = 1; column < COLUMNS; column++) {
    cells = await operate({ op: "split", cellId: last(cells), side: "right" });
  }
  for (const cellId of cells) {
    for (let row = 1; row < ROWS; row++) cells = await operate({ op: "split", cellId, side: "below" });
  }
  assert.equal(cells.length, COLUMNS * ROWS);

  const streaming: Streaming[] = [];
  for (const [index, cellId] of cells.entries()) {
    const isLast = index === cells.length - 1;
    const script = isLast ? "stty raw -echo; exec cat" : `stty -echo; read -r go; exec python3 -c "$0" "$1"`;
    const opened = await idea.api.call("POST /api/projects/{projectId}/terminals", {
      params: { projectId },
      body: { argv: ["sh", "-c", script, STREAM, lines] },
    });
    assert.ok(opened.ok);
    const { sessionId } = opened.value;
    await operate({ op: "setSession", cellId, sessionId });
    const path = `/api/projects/${projectId}/terminals/${sessionId}`;
    streaming.push({
      async start() {
        if (isLast) return;
        const body = JSON.stringify({ text: "\n" });
        const headers = { "content-type": "application/json" };
        await (await idea.request(`${path}/input`, { method: "POST", headers, body })).body?.cancel();
      },
      async offset() {
        const { offset }: { readonly offset: number } = await (await idea.request(`${path}/screen`)).json();
        return offset;
      },
    });
  }
  return streaming;
}

interface ObserveOptions {
  readonly seconds: number;
  readonly sessions: readonly Streaming[];
  readonly key?: () => Promise<void>;
}

async function observe(page: Page, { seconds, sessions, key }: ObserveOptions): Promise<Busy> {
  const offsets = () => Promise.all(sessions.map((session) => session.offset()));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { longTasksMs: times });
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => times.push(duration)))
      .observe({ entryTypes: ["longtask"] });
  });
  const before = sum(await offsets());
  const begunMs = performance.now();
  const keyToEchoMs: number[] = [];
  while (performance.now() - begunMs < seconds * 1e3) {
    if (key !== undefined) keyToEchoMs.push(await timeKey(page, key));
    await page.waitForTimeout(KEY_GAP_MS);
  }
  const elapsed = (performance.now() - begunMs) / 1e3;
  const printed = sum(await offsets()) - before;
  const longTasksMs: readonly number[] = await page.evaluate(() => Reflect.get(globalThis, "longTasksMs"));
  return { longTasksMs, printedMegabytesPerSecond: printed / 1e6 / elapsed, keyToEchoMs };
}

/** Until the key's echo is in the document, by the page's own clock. */
async function timeKey(page: Page, key: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const rows = [...document.querySelectorAll(".xterm-rows")].at(-1);
    if (rows === null || rows === undefined) return;
    const typed = new Promise<number>((resolve) => {
      document.addEventListener("keydown", () => resolve(performance.now()), { once: true, capture: true });
    });
    const drawn = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        resolve(performance.now());
      });
      void typed.then(() => observer.observe(rows, { childList: true, subtree: true, characterData: true }));
    });
    Object.assign(globalThis, { keyToEcho: Promise.all([typed, drawn]).then(([from, to]) => to - from) });
  });
  await key();
  return await page.evaluate(() => Reflect.get(globalThis, "keyToEcho"));
}

async function countFetched(devtools: CDPSession) {
  let bytes = 0;
  let beforePaint: number | undefined;
  await devtools.send("Network.enable");
  await devtools.send("Page.enable");
  await devtools.send("Page.setLifecycleEventsEnabled", { enabled: true });
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => bytes += encodedDataLength);
  devtools.on("Page.lifecycleEvent", ({ name }) => {
    if (name === "firstContentfulPaint") beforePaint ??= bytes;
  });
  return { bytes: () => bytes, beforePaintBytes: () => beforePaint ?? bytes };
}

function last<T>(values: readonly T[]): T {
  const value = values.at(-1);
  assert.ok(value !== undefined);
  return value;
}

await main();
