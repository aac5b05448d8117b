/**
 * Terminals of the page on real pseudo-terminals, without the rest of the window: for tests of what a browser draws and
 * sends. The server's parts are those of main.ts; the page is tests/helpers/terminal_page_entry.ts, bundled once.
 */
// Before playwright-core: with Deno 2.9.6, @xterm/addon-unicode-graphemes hangs when it is loaded after it.
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import * as esbuild from "esbuild";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createClock } from "../../adapters/clock/mod.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createPty } from "../../adapters/pty/mod.ts";
import { createTerminals, defaultTerminalsLimits, type Terminals } from "../../core/app/terminals.ts";
import { createEvents } from "../../core/events.ts";
import { createId, type SessionId } from "../../core/ids.ts";
import { err } from "../../core/result.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { createSocketHandler } from "../../web/server/socket.ts";
import { startBrowser, type TestBrowser, type TestPage } from "./browser.ts";
import { waitFor } from "./wait_for.ts";

const ROOT = join(import.meta.dirname ?? "", "../..");
const ENTRY = "tests/helpers/terminal_page_entry.ts";
/** Long, so that a busy machine is no failure. */
export const PATIENCE_MS = 60_000;

export interface TerminalPage extends AsyncDisposable {
  readonly terminals: Terminals;
  readonly browser: TestBrowser;
  readonly defects: readonly unknown[];
  /** bash without anybody's settings, or argv. */
  openSession(argv?: readonly [string, ...string[]]): Promise<SessionId>;
  openPage(): Promise<TestPage>;
  /** Cuts every connection, as a lost network does. */
  cutConnections(): void;
  connections(): number;
  screen(sessionId: SessionId): Promise<readonly string[]>;
}

export async function startTerminalPage(browserArgs: readonly string[]): Promise<TerminalPage> {
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => void defects.push(error);
  const events = createEvents(onDefect);
  const clock = createClock();
  const env = {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: "/",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    PS1: "$ ",
  };
  const terminals = createTerminals({
    pty: createPty(),
    states: createTerminalStates(),
    clock,
    entropy: createEntropy(),
    programs: {
      find: () => Promise.resolve(undefined),
      run: (argv) => Promise.resolve(err({ kind: "notAllowed", program: argv[0] })),
      loginEnvironment: () => Promise.resolve(env),
    },
    events,
    onDefect,
  }, { ...defaultTerminalsLimits, platform: "linux" });
  const eventLog = createEventLog(events, { serverId: crypto.randomUUID(), capacity: 1000 });
  const sockets = createSocketHandler({ terminals, eventLog, clock, onDefect });
  const live = new Set<WebSocket>();
  const files = await bundle();

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/api/socket") {
      const { socket, response } = Deno.upgradeWebSocket(request);
      live.add(socket);
      socket.addEventListener("close", () => live.delete(socket));
      sockets.handle(socket, { viewerId: url.searchParams.get("viewer") ?? "" });
      return response;
    }
    const file = files.get(url.pathname);
    return file === undefined
      ? new Response(null, { status: 204 })
      : new Response(file.bytes, { headers: { "content-type": file.type } });
  });
  const browser = await startBrowser(browserArgs);

  return {
    terminals,
    browser,
    defects,
    async openSession(argv = ["/bin/bash", "--norc"]) {
      const opened = await terminals.open({
        projectId: createId("project", "p1"),
        cwd: "/",
        size: { cols: 80, rows: 24 },
        argv,
      });
      assert.ok(opened.ok);
      return opened.value.sessionId;
    },
    async openPage() {
      const opened = await browser.open({ viewport: { width: 1200, height: 700 } });
      await opened.page.goto(`http://127.0.0.1:${server.addr.port}/`);
      return opened;
    },
    cutConnections() {
      for (const socket of live) socket.close();
    },
    connections: () => sockets.connections(),
    async screen(sessionId) {
      const text = await terminals.read(sessionId, 0);
      assert.ok(text.ok);
      return text.value.screen;
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      sockets[Symbol.dispose]();
      await waitFor("the connections are closed", () => live.size === 0);
      await terminals[Symbol.asyncDispose]();
      eventLog[Symbol.dispose]();
      await server.shutdown();
    },
  };
}

/** What a person sees of a view, row by row; for pages that draw with the DOM. */
export async function drawn(page: Page, cell: string): Promise<readonly string[]> {
  const rows = await page.locator(`#${cell} .xterm-rows > div`).allInnerTexts();
  return rows.map((row) => row.replaceAll("\u00a0", " ").trimEnd());
}

export async function waitForDrawn(page: Page, cell: string, what: string | RegExp): Promise<void> {
  const matches = (row: string) => typeof what === "string" ? row.includes(what) : what.test(row);
  await waitFor(`${what} in ${cell}`, async () => (await drawn(page, cell)).some(matches), PATIENCE_MS);
}

interface BundledFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

let bundled: Promise<ReadonlyMap<string, BundledFile>> | undefined;

function bundle(): Promise<ReadonlyMap<string, BundledFile>> {
  return bundled ??= makeBundle();
}

async function makeBundle(): Promise<ReadonlyMap<string, BundledFile>> {
  const packages = await linkPackages();
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: { page: ENTRY, tokens: "web/ui/styles/tokens.css", terminal: "web/ui/terminal/terminal.css" },
    outdir: "/",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    nodePaths: [packages],
    preserveSymlinks: true,
    write: false,
    logLevel: "silent",
  });
  await esbuild.stop();
  const css = await Deno.readFile(join(packages, "@xterm/xterm/css/xterm.css"));
  await Deno.remove(packages, { recursive: true });
  const files = new Map<string, BundledFile>([["/", { bytes: new TextEncoder().encode(PAGE), type: "text/html" }]]);
  files.set("/xterm.css", { bytes: css, type: "text/css" });
  for (const { path, contents } of outputFiles) {
    files.set(path, { bytes: new Uint8Array(contents), type: path.endsWith(".css") ? "text/css" : "text/javascript" });
  }
  return files;
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>terminals</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/xterm.css"><link rel="stylesheet" href="/tokens.css">
<link rel="stylesheet" href="/terminal.css">
<style>
body { margin: 0; background: #0c0e11; }
#grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); grid-auto-rows: minmax(120px, 1fr);
  height: 100vh; gap: 4px; }
#grid:has(> :only-child) { grid-template-columns: 1fr; }
.cell { position: relative; min-width: 0; min-height: 0; overflow: hidden; background: var(--terminal-bg); }
.cell .xterm { height: 100%; }
.cell .xterm-viewport { background: none; }
</style></head><body><div id="grid"></div><script type="module" src="/page.js"></script></body></html>`;

/** esbuild looks for packages in a folder; Deno keeps them in its cache. */
async function linkPackages(): Promise<string> {
  const run = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ENTRY],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stderr: "null",
  }).output();
  const info: { npmPackages: Record<string, { name: string; localPath: string }> } = JSON.parse(
    new TextDecoder().decode(run.stdout),
  );
  const folder = await Deno.makeTempDir({ prefix: "idea-terminal-page-" });
  for (const { name, localPath } of Object.values(info.npmPackages)) {
    const link = join(folder, name);
    await Deno.mkdir(join(link, ".."), { recursive: true });
    await Deno.symlink(localPath, link).catch(() => {});
  }
  return folder;
}
